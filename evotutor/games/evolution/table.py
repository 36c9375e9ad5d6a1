"""A working copy of a state: the primitives by which anything on the table changes.

Tokens move through `transfer` only, cards through `card` only; both append an event when somebody listens.
"""

from __future__ import annotations

from typing import Any, Final

from evotutor.games.evolution.catalog import CARD_OF_FACE, TRAIT_OF_FACE, UNKNOWN, trait_of
from evotutor.games.evolution.state import (
    REMAINS,
    Animal,
    Frame,
    Link,
    State,
    Topology,
    derive,
    shells,
)

Events = list[tuple[Any, ...]] | None
Armed = tuple[int, int, int, int]
"""(trait number, uid, uid, receiver): a food pair that may fire."""


OWN_DISCARD: Final = "extinction.own-discard"
SHELL: Final = trait_of["shell"].index
_new = tuple.__new__
"""Builds a named tuple from its fields in order, twice as fast as calling the class."""


class Table:
    """The fields of `State`, open to change, with the events that change them.  `freeze` gives the new state."""

    __slots__ = (*State._fields, "events", "cause", "armed", "touched")

    phase: int
    turn: int
    round: int
    first: int
    player: int
    acted: int
    idle: int
    passed: int
    bank: tuple[int, ...]
    deck: bytes
    top: bytes
    hands: tuple[bytes, ...]
    discards: tuple[bytes, ...]
    herds: tuple[tuple[Animal, ...], ...]
    numbers: tuple[int, ...]
    links: Topology
    spent: int
    stack: tuple[Frame, ...]
    more: tuple[Any, ...]
    events: Events
    cause: int
    armed: list[Armed]
    touched: bool
    """has anything about an animal changed since births were last looked for?"""

    def __init__(self, s: State, events: Events) -> None:
        (
            self.phase, self.turn, self.round, self.first, self.player, self.acted, self.idle, self.passed, self.bank,
            self.deck, self.top, self.hands, self.discards, self.herds, self.numbers, self.links, self.spent,
            self.stack, self.more,
        ) = s  # fmt: skip
        self.events, self.cause, self.armed, self.touched = events, -1, [], False

    def freeze(self) -> State:
        """The state as it is now."""
        return _new(State, (
            self.phase, self.turn, self.round, self.first, self.player, self.acted, self.idle, self.passed, self.bank,
            self.deck, self.top, self.hands, self.discards, self.herds, self.numbers, self.links, self.spent,
            self.stack, self.more,
        ))  # fmt: skip

    # events

    def emit(self, kind: str, rule: str, *data: Any) -> int:
        """Append an event, if anybody listens; return its index, the `cause` of what follows from it."""
        if self.events is None:
            return -1
        self.events.append((kind, rule, self.cause, *data))
        return len(self.events) - 1

    # animals

    def find(self, uid: int) -> Animal:
        """The animal with this uid; KeyError when it is not on the table."""
        for animal in self.herds[uid >> 8]:
            if animal.uid == uid:
                return animal
        raise KeyError(uid)

    def put(self, animal: Animal) -> None:
        """Replace the animal of the same uid."""
        seat, uid = animal.uid >> 8, animal.uid
        herd = list(self.herds[seat])
        for i, other in enumerate(herd):
            if other.uid == uid:
                herd[i] = animal
                break
        self.herds = (*self.herds[:seat], tuple(herd), *self.herds[seat + 1 :])
        self.touched = True

    def push(self, *frames: Frame) -> None:
        """Put pending decisions on the stack, the last one on top."""
        self.stack = (*self.stack, *frames)

    def pop(self) -> Frame:
        """Take the innermost pending decision off the stack."""
        frame = self.stack[-1]
        self.stack = self.stack[:-1]
        return frame

    def add_animal(self, animal: Animal) -> None:
        """A new animal at the right end of its owner's row; its number is used up."""
        seat = animal.uid >> 8
        self.numbers = (*self.numbers[:seat], self.numbers[seat] + 1, *self.numbers[seat + 1 :])
        self.herds = (*self.herds[:seat], (*self.herds[seat], animal), *self.herds[seat + 1 :])

    def refresh(self, uid: int, faces: bytes | None = None) -> Animal:
        """Recompute the caches of an animal after its cards or links changed; return it."""
        animal = self.find(uid)
        if faces is None:
            faces = animal.faces
        animal = self.derived(animal._replace(faces=faces))
        self.put(animal)
        return animal

    def derived(self, animal: Animal) -> Animal:
        """The animal with its caches computed anew; what was used or void of a trait that it lost is forgotten."""
        uid, _, faces, _, _, _, _, fat, _, used, flags, loc, more = animal
        mask, need, fatcards = derive(uid, faces, self.links, flags, loc, fat)
        if more:
            more = tuple(entry for entry in more if mask >> entry[1] & 1)
        return animal._replace(mask=mask, need=need, fatcards=fatcards, fat=fat & fatcards, used=used & mask, more=more)

    # cards

    def to_discard(self, seat: int, card: int, rule: str, source: tuple[Any, ...]) -> None:
        """Put a card on the seat's discard pile."""
        pile = bytes(sorted(self.discards[seat] + bytes((card,))))
        self.discards = (*self.discards[:seat], pile, *self.discards[seat + 1 :])
        self.emit("card", rule, card, source, ("discard", seat))

    def set_hand(self, seat: int, hand: bytes) -> None:
        """Replace a hand by a sorted one."""
        self.hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])

    def add_link(self, link: Link) -> None:
        """Lay a pair card between two animals."""
        self._relink((*self.links.links, link))
        self.refresh(link[1])
        self.refresh(link[2])

    def _relink(self, links: tuple[Link, ...]) -> None:
        old, new = self.links, Topology(links, self.links.off)
        if self.spent:
            used = {link[:3] for i, link in enumerate(old.links) if self.spent >> i & 1}
            self.spent = sum(1 << i for i, link in enumerate(new.links) if link[:3] in used)
        self.links = new

    def set_off(self, off: frozenset[int]) -> None:
        """Say whose pair cards do not work; everybody at the other end is recomputed."""
        changed = off ^ self.links.off
        if not changed:
            return
        self.links = Topology(self.links.links, off)
        ends = {uid for link in self.links.links if changed & {*link[1:3]} for uid in link[1:3]}
        for uid in ends:
            if any(animal.uid == uid for animal in self.herds[uid >> 8]):
                self.refresh(uid)

    def unlink(self, gone: list[Link], rule: str) -> None:
        """Send pair cards to the discard of their animals' owner; surviving ends are recomputed."""
        self._relink(tuple(link for link in self.links.links if link not in gone))
        for trait, u, v, face in gone:
            self.to_discard(u >> 8, CARD_OF_FACE[face], rule, ("link", trait, u, v))
            for uid in (u, v):
                if any(animal.uid == uid for animal in self.herds[uid >> 8]):
                    self.refresh(uid)

    def drop_face(self, uid: int, place: int, rule: str, to_table: bool = False) -> None:
        """Discard the unpaired card at `place` of an animal's stack; a yellow token on it is lost."""
        animal, face = self.lift(uid, place, rule)
        if to_table:
            self.to_table(CARD_OF_FACE[face], rule, ("animal", animal.uid))
        else:
            self.to_discard(uid >> 8, CARD_OF_FACE[face], rule, ("animal", uid))

    def lift(self, uid: int, place: int, rule: str) -> tuple[Animal, int]:
        """Take the unpaired card at `place` off an animal; a yellow token on it is lost.  The animal, and the face."""
        animal = self.find(uid)
        face = animal.faces[place]
        if animal.fat >> place & 1:
            self.transfer(("fat", uid), "lost", "yellow", 1, rule)
        low = (1 << place) - 1
        fat = (animal.fat & low) | (animal.fat >> (place + 1) << place)
        faces = animal.faces[:place] + animal.faces[place + 1 :]
        animal = self.derived(animal._replace(faces=faces, fat=fat))
        self.put(animal)
        return animal, face

    def to_table(self, card: int, rule: str, source: tuple[Any, ...]) -> None:
        """A Shell without an owner lies in the middle of the table."""
        self.more = (bytes(sorted(shells(self) + bytes((card,)))),)
        self.emit("card", rule, card, source, ("table",))

    def from_table(self, card: int) -> None:
        """Somebody moves into an ownerless Shell."""
        left = bytearray(shells(self))
        left.remove(card)
        self.more = (bytes(left),) if left else ()

    def remove(self, uid: int, rule: str) -> None:
        """An animal leaves the table with its cards, pair cards and tokens (R14, extinction and Carnivorous)."""
        animal, seat = self.find(uid), uid >> 8
        self.cause, before = self.emit("die", rule, uid), self.cause
        self._lose_tokens(animal, rule)
        herd = tuple(a for a in self.herds[seat] if a.uid != uid)
        self.herds = (*self.herds[:seat], herd, *self.herds[seat + 1 :])
        gone = [link for link in self.links.links if link[1] == uid or link[2] == uid]
        if gone:
            self.unlink(gone, OWN_DISCARD)
        if uid in self.links.off:
            self.links = Topology(self.links.links, self.links.off - {uid})
        if not animal.flags & REMAINS:
            self.to_discard(seat, animal.body, OWN_DISCARD, ("animal", uid))
        for face in animal.faces:
            if TRAIT_OF_FACE[face] == SHELL:
                self.to_table(CARD_OF_FACE[face], "shell.to-table", ("animal", uid))
            else:
                self.to_discard(seat, CARD_OF_FACE[face], OWN_DISCARD, ("animal", uid))
        self._forget_hunter(uid)
        self.touched, self.cause = True, before

    def _lose_tokens(self, animal: Animal, rule: str) -> None:
        if self.events is None:
            return
        for colour, n in (("red", animal.red), ("blue", animal.blue)):
            if n:
                self.transfer(animal.uid, "lost", colour, n, rule)
        if animal.fat:
            self.transfer(("fat", animal.uid), "lost", "yellow", animal.fat.bit_count(), rule)

    def _forget_hunter(self, uid: int) -> None:
        """What the Intellect of a dead hunter ignored is of no more interest."""
        for herd in self.herds:
            for a in herd:
                if a.more and any(entry[0] == uid for entry in a.more):
                    self.put(a._replace(more=tuple(entry for entry in a.more if entry[0] != uid)))

    def leave_remains(self, uid: int, rule: str) -> None:
        """An animal dies, but its trait and pair cards stay where they lie (Regeneration)."""
        animal = self.find(uid)
        self.cause, before = self.emit("die", rule, uid), self.cause
        self._lose_tokens(animal, rule)
        self.put(animal._replace(body=UNKNOWN, red=0, blue=0, fat=0, used=0, flags=REMAINS, more=()))
        self.set_off(self.links.off | {uid})
        self.refresh(uid)
        self.to_discard(uid >> 8, animal.body, rule, ("animal", uid))
        self.emit("state", "regeneration.remains", uid, "remains", 1)
        self._forget_hunter(uid)
        self.cause = before

    # tokens

    def transfer(self, source: Any, sink: Any, colour: str, n: int, rule: str, card: str = "") -> None:
        """Record that `n` tokens moved.  The numbers on animals and bank are set by the caller."""
        if self.events is not None:
            self.events.append(("transfer", rule, self.cause, source, sink, colour, n, card))

    def take_from_bank(self, location: int, n: int = 1) -> None:
        """Lower a location's bank."""
        bank = self.bank
        self.bank = (*bank[:location], bank[location] - n, *bank[location + 1 :])
