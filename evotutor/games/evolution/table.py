"""A working copy of a state: the primitives by which anything on the table changes.

Tokens move through `transfer` only, cards through `card` only; both append an event when somebody listens.
"""

from __future__ import annotations

from typing import Any, Final

from evotutor.games.evolution.catalog import CARD_OF_FACE
from evotutor.games.evolution.state import (
    Animal,
    Frame,
    Link,
    State,
    Topology,
    derive,
)

Events = list[tuple[Any, ...]] | None
Armed = tuple[int, int, int, int]
"""(trait number, uid, uid, receiver): a food pair that may fire."""


OWN_DISCARD: Final = "extinction.own-discard"
_new = tuple.__new__
"""Builds a named tuple from its fields in order, twice as fast as calling the class."""


class Table:
    """The fields of `State`, open to change, with the events that change them.  `freeze` gives the new state."""

    __slots__ = (*State._fields, "events", "cause", "armed")

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

    def __init__(self, s: State, events: Events) -> None:
        (
            self.phase, self.turn, self.round, self.first, self.player, self.acted, self.idle, self.passed, self.bank,
            self.deck, self.top, self.hands, self.discards, self.herds, self.numbers, self.links, self.spent,
            self.stack, self.more,
        ) = s  # fmt: skip
        self.events, self.cause, self.armed = events, -1, []

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

    def refresh(self, uid: int, faces: bytes | None = None) -> Animal:
        """Recompute the caches of an animal after its cards or links changed; return it."""
        animal = self.find(uid)
        if faces is None:
            faces = animal.faces
        mask, need, fatcards = derive(uid, faces, self.links)
        animal = animal._replace(
            faces=faces, mask=mask, need=need, fatcards=fatcards, fat=animal.fat & fatcards, used=animal.used & mask
        )
        self.put(animal)
        return animal

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
        old, new = self.links, Topology(links)
        if self.spent:
            used = {link[:3] for i, link in enumerate(old.links) if self.spent >> i & 1}
            self.spent = sum(1 << i for i, link in enumerate(new.links) if link[:3] in used)
        self.links = new

    def unlink(self, gone: list[Link], rule: str) -> None:
        """Send pair cards to the discard of their animals' owner; surviving ends are recomputed."""
        self._relink(tuple(link for link in self.links.links if link not in gone))
        for trait, u, v, face in gone:
            self.to_discard(u >> 8, CARD_OF_FACE[face], rule, ("link", trait, u, v))
            for uid in (u, v):
                if any(animal.uid == uid for animal in self.herds[uid >> 8]):
                    self.refresh(uid)

    def drop_face(self, uid: int, place: int, rule: str) -> None:
        """Discard the unpaired card at `place` of an animal's stack; a yellow token on it is lost."""
        animal = self.find(uid)
        face = animal.faces[place]
        if animal.fat >> place & 1:
            self.transfer(("fat", uid), "lost", "yellow", 1, rule)
        low = (1 << place) - 1
        fat = (animal.fat & low) | (animal.fat >> (place + 1) << place)
        self.put(animal._replace(fat=fat))
        faces = animal.faces[:place] + animal.faces[place + 1 :]
        mask, need, fatcards = derive(uid, faces, self.links)
        self.put(
            animal._replace(
                faces=faces, mask=mask, need=need, fatcards=fatcards, fat=fat & fatcards, used=animal.used & mask
            )
        )
        self.to_discard(uid >> 8, CARD_OF_FACE[face], rule, ("animal", uid))

    def remove(self, uid: int, rule: str) -> None:
        """An animal leaves the table with its cards, pair cards and tokens (R14, extinction and Carnivorous)."""
        animal, seat = self.find(uid), uid >> 8
        self.cause, before = self.emit("die", rule, uid), self.cause
        if self.events is not None:
            for colour, n in (("red", animal.red), ("blue", animal.blue)):
                if n:
                    self.transfer(uid, "lost", colour, n, rule)
            if animal.fat:
                self.transfer(("fat", uid), "lost", "yellow", animal.fat.bit_count(), rule)
        herd = tuple(a for a in self.herds[seat] if a.uid != uid)
        self.herds = (*self.herds[:seat], herd, *self.herds[seat + 1 :])
        gone = [link for link in self.links.links if link[1] == uid or link[2] == uid]
        if gone:
            self.unlink(gone, OWN_DISCARD)
        self.to_discard(seat, animal.body, OWN_DISCARD, ("animal", uid))
        for face in animal.faces:
            self.to_discard(seat, CARD_OF_FACE[face], OWN_DISCARD, ("animal", uid))
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
