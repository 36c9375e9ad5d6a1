"""Time to Fly: births, ambushes, Intellect and Anglerfish, and what can be done instead of taking red (S0)."""

from __future__ import annotations

from evotutor.core.model import Move
from evotutor.games.evolution import base, time_to_fly
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import TRAIT_OF_FACE
from evotutor.games.evolution.hunting import Hunting
from evotutor.games.evolution.locations import OCEAN
from evotutor.games.evolution.state import (
    AMBUSH,
    BIRTH,
    FOR_CARD,
    HIBERNATING,
    IGNORE,
    METAMORPHOSED,
    NEWBORN,
    PARALYSED,
    REMAINS,
    REVEALED,
    REWARD,
    SETTLED,
    SPECIALISED,
    Animal,
    State,
    find,
    is_fed,
    printed,
)
from evotutor.games.evolution.state import ATTACK as ATTACK_FRAME
from evotutor.games.evolution.table import Table
from evotutor.games.evolution.time_to_fly import LURE, SHELL_CARD, TYPES, bare, hides_anglerfish, void_mask

SHELL_TRAIT = time_to_fly.SHELL.bit_length() - 1
NOTHING = -1
"""The move (IGNORE, NOTHING): Intellect stays unused."""


class Flying(Hunting):
    """What Time to Fly adds to feeding and to attacks."""

    # Viviparous

    def next_birth(self, t: Table) -> bool:
        """A fed animal that has not given birth in this turn does so now: a card is to be drawn (S0)."""
        if not t.deck and not t.top:
            return False
        n, wanted = len(t.herds), self.VIVIPAROUS
        stiff = 0 if self.ruled("viviparous-paralysed") else PARALYSED
        for k in range(n):
            for a in t.herds[(t.player + k) % n]:
                if (a.mask & wanted or a.flags & stiff) and self._gives_birth(a):
                    if self.hook["viviparous-used"]:
                        t.put(a._replace(used=a.used | self.VIVIPAROUS))
                    self._set_aside(t)
                    t.push((BIRTH, a.uid))
                    t.touched = True
                    return True
        return False

    def _gives_birth(self, a: Animal) -> bool:
        if a.used & self.VIVIPAROUS or not is_fed(a):
            return False
        if a.mask & self.VIVIPAROUS:
            return True
        loose = not self.ruled("viviparous-paralysed")
        return loose and bool(a.flags & PARALYSED and printed(a.faces) & self.VIVIPAROUS)

    def born(self, t: Table, card: int) -> None:
        """The young one lies beside its parent's row and counts as fed in this turn (S0)."""
        parent = t.find(t.pop()[1])
        if parent.flags & PARALYSED:  # its card does not work, but it has given birth
            t.put(parent._replace(used=parent.used | self.VIVIPAROUS))
        seat = parent.uid >> 8
        uid = seat << 8 | t.numbers[seat]
        fed = int(self.hook["newborn-fed"])
        t.emit("card", "viviparous.birth", card, ("deck",), ("animal", uid))
        t.add_animal(self.new_animal(uid, card, parent.loc, NEWBORN * fed, fed))
        t.emit("born", "viviparous.birth", uid)
        if fed:
            t.transfer("stock", uid, "blue", 1, "viviparous.newborn-fed")
        if not t.deck and not t.top and self.hook["last-card-wakes"]:
            self._last_card(t)

    def _last_card(self, t: Table) -> None:
        """This turn has become the last: who hibernates is not fed after all (S0)."""
        for herd in t.herds:
            for a in herd:
                if a.flags & HIBERNATING:
                    t.put(a._replace(flags=a.flags & ~HIBERNATING))
                    t.emit("state", "viviparous.last-card", a.uid, "hibernating", 0)

    def new_animal(self, uid: int, card: int, loc: int = 0, flags: int = 0, blue: int = 0) -> Animal:
        """A card as an animal without traits; in the Ocean it swims."""
        return Animal(uid, card, b"", base.SWIMMING if loc == OCEAN else 0, 1, 0, blue, 0, 0, 0, flags, loc, ())

    # Ambush

    def ambush_order(self, s: State | Table, uid: int) -> list[int]:
        """In which order the players are asked: from the left neighbour of the animal's owner, the owner last."""
        n, owner = len(s.herds), uid >> 8
        return [(owner + k) % n for k in range(1, n + 1)]

    def ambush_seat(self, s: Table | State, uid: int, start: int = -1) -> int:
        """The first player, from `start` on, who has an animal that can ambush this one; -1 when nobody has."""
        order = self.ambush_order(s, uid)
        prey = find(s, uid)
        if prey is None:
            return -1
        for seat in order[order.index(start) if start >= 0 else 0 :]:
            if any(a.mask & self.AMBUSH and self.can_ambush(s, a, prey) for a in s.herds[seat]):
                return seat
        return -1

    def can_ambush(self, s: State | Table, h: Animal, prey: Animal) -> bool:
        """May this animal attack that one now, from ambush?"""
        return (
            self.ambusher.allows(s, h)
            and self.hunter.allows(s, h)
            and self.ambush_prey.allows(s, h, prey)
            and self.can_attack(s, h, prey, time_to_fly.AMBUSH)
        )

    def ambush_moves(self, s: State) -> list[Move]:
        """With which animal the asked player ambushes, or `decline`."""
        _, uid, _, seat = s.stack[-1]
        prey = self._animal(s, uid)
        moves: list[Move] = [(m.AMBUSH, h.uid) for h in s.herds[seat] if self.can_ambush(s, h, prey)]
        return [*moves, (m.DECLINE,)]

    def ambush_step(self, t: Table) -> bool:
        """Look for the next who may ambush; False when somebody is to be asked, else the token goes its way."""
        _, uid, how, seat = t.stack[-1]
        prey = find(t, uid)
        alive = prey is not None and not prey.flags & REMAINS
        if alive and seat >= 0 and (found := self.ambush_seat(t, uid, seat)) >= 0:
            t.stack = (*t.stack[:-1], (AMBUSH, uid, how, found))
            return False
        t.pop()
        if alive and prey is not None and self.receive.allows(t, prey):
            self.deliver(t, uid, how)
        else:
            t.emit("state", "ambush.token-returns", -1, "returned", 1)
            if not self.hook["token-returns"] and not alive:
                t.take_from_bank(0)
                t.transfer(self.bank_place(0), "lost", "red", 1, "ambush.token-returns")
        return True

    def do_ambush(self, t: Table, hunter: int) -> None:
        """An attack from ambush; the token stays in the bank while it lasts."""
        _, uid, how, seat = t.stack[-1]
        if not self.ruled("ambush-limit"):
            t.stack = (*t.stack[:-1], (AMBUSH, uid, how, self._after(t, uid, seat)))
        self.declare(t, hunter, uid, time_to_fly.AMBUSH)

    def _after(self, t: Table, uid: int, seat: int) -> int:
        """Who is asked after this player, -1 when he was the last."""
        order = self.ambush_order(t, uid)
        rest = order[order.index(seat) + 1 :]
        return rest[0] if rest else -1

    def no_ambush(self, t: Table) -> None:
        """The asked player does without; the next one may."""
        _, uid, how, seat = t.stack[-1]
        t.stack = (*t.stack[:-1], (AMBUSH, uid, how, self._after(t, uid, seat)))

    # Intellect

    def may_ignore(self, hunter: Animal, tried: int) -> bool:
        """Can the attacker still ignore a trait: by an unused Intellect, or as a revealed Anglerfish?"""
        if tried & self.INTELLECT:
            return False
        return bool(tried & LURE) or bool(hunter.mask & self.INTELLECT and not hunter.used & self.INTELLECT)

    def ignorable(self, s: State | Table) -> list[int]:
        """Traits that the attacker could ignore with effect: what protects the prey, else what it could answer."""
        _, hunter, prey, tried = s.stack[-1] if s.stack[-1][0] == ATTACK_FRAME else s.stack[-2]
        h, a = self._animal(s, hunter), self._animal(s, prey)
        protections = self.obstacles(s, h, a, tried & time_to_fly.AMBUSH)
        if protections:
            return protections
        mask = a.mask & ~void_mask(hunter, a)
        useful = mask & (self.RUNNING | self.TAIL_LOSS | self.effects)
        useful |= mask & ~a.used & (self.MIMICRY | self.INK_CLOUD)
        if not tried & time_to_fly.AMBUSH:
            useful |= mask & self.SHELL
        return [i for i in range(useful.bit_length()) if useful >> i & 1]

    def ask_to_ignore(self, t: Table) -> bool:
        """Ask which trait of its new prey the attacker ignores, if it can ignore one."""
        _, hunter, _, tried = t.stack[-1]
        if not self.may_ignore(t.find(hunter), tried) or not self.ignorable(t):
            return False
        t.push((IGNORE,))
        return True

    def ignore_moves(self, s: State) -> list[Move]:
        """Which trait is ignored; none only where nothing protects the prey for good."""
        moves: list[Move] = [(m.IGNORE, trait) for trait in self.ignorable(s)]
        return moves if self.must_ignore(s) else [*moves, (m.IGNORE, NOTHING)]

    def must_ignore(self, s: State) -> bool:
        """Does a protection stand that only ignoring it passes?"""
        _, hunter, prey, tried = s.stack[-2]
        h, a = self._animal(s, hunter), self._animal(s, prey)
        return (
            bool(self.obstacles(s, h, a, tried & time_to_fly.AMBUSH)) and "intellect.must-ignore" not in self.disabled
        )

    def do_ignore(self, t: Table, trait: int) -> None:
        """The trait is void for this hunter until the turn ends (S0)."""
        t.pop()
        _, hunter, prey, tried = t.stack[-1]
        if trait != NOTHING:
            h, a = t.find(hunter), t.find(prey)
            if tried & LURE:
                tried |= self.INTELLECT
            elif self.hook["intellect-used"]:
                t.put(h._replace(used=h.used | self.INTELLECT))
            t.put(a._replace(more=tuple(sorted((*a.more, (hunter, trait))))))
            t.emit("void", "intellect.void", hunter, prey, trait)
            t.stack = (*t.stack[:-1], (ATTACK_FRAME, hunter, prey, tried))
        self.pursue(t)

    # Anglerfish

    def may_reveal(self, s: State | Table, prey: Animal) -> bool:
        """Is the prey an animal for which an Anglerfish could act?  Asked whether its owner has one or not."""
        return bare(s, prey, self.seas if self.ruled("anglerfish-ocean") else 0) or (
            hides_anglerfish(prey) and bare(s, prey, self.seas)
        )

    def anglerfish(self, s: State | Table, prey: Animal) -> list[int]:
        """Hidden Anglerfish that can answer for this prey: there, without traits; only the prey if it is one."""
        if hides_anglerfish(prey) and "anglerfish.must-reveal" not in self.disabled:
            return [prey.uid]
        return [
            a.uid for a in s.herds[prey.uid >> 8] if hides_anglerfish(a) and a.loc == prey.loc and bare(s, a, self.seas)
        ]

    def reveal_moves(self, s: State, prey: Animal) -> list[Move]:
        """Turn up an Anglerfish, or do without."""
        moves: list[Move] = [(m.REVEAL, uid) for uid in self.anglerfish(s, prey)]
        if hides_anglerfish(prey) and "anglerfish.must-reveal" not in self.disabled:
            return moves
        return [*moves, (m.DECLINE,)]

    def do_reveal(self, t: Table, uid: int) -> None:
        """Hunter and prey change roles: the Anglerfish attacks, ignoring one trait (S0)."""
        _, hunter, _prey, tried = t.pop()
        a = t.find(uid)
        flags, spent = a.flags | REVEALED, base.CARNIVOROUS if self.ruled("anglerfish-spent") else 0
        t.put(a._replace(flags=flags))
        a = t.refresh(uid)
        t.put(a._replace(used=a.used | spent))
        t.cause = t.emit("reveal", "anglerfish.swap", uid)
        if tried & self.CNIDOCYTES:
            self.paralyse(t, hunter)
        t.push((ATTACK_FRAME, uid, hunter, LURE))
        t.emit("attack", "anglerfish.swap", uid, hunter)
        self.engage(t)

    def attack_fails(self, t: Table) -> bool:
        """A counter-attack that more than one trait stops fails; both animals live, and the hunter is spent (S0)."""
        _, hunter, prey, tried = t.stack[-1]
        if not tried & LURE or prey == hunter:
            return False
        h, a = t.find(hunter), t.find(prey)
        found = self.obstacles(t, h, a)
        if found is not None and len(found) <= (1 if self.may_ignore(h, tried) else 0):
            return False
        t.emit("escape", "anglerfish.spent", hunter, prey)
        self.attack_over(t)
        return True

    # instead of taking red

    def casting_off(self, s: State | Table, a: Animal) -> list[tuple[int, ...]]:
        """Cards that Metamorphose can throw away, as the rest of a move: (place,) or (-1, trait, u, v)."""
        cards: list[tuple[int, ...]] = [
            (place,) for place, face in enumerate(a.faces) if self.cast_off.allows(s, a, TRAIT_OF_FACE[face])
        ]
        cards += [
            (-1, *link[:3]) for link in s.links.links if a.uid in link[1:3] and self.cast_off.allows(s, a, link[0])
        ]
        return [card for card in cards if self.fed_by_it(s, a, card)]

    def fed_by_it(self, s: State | Table, a: Animal, card: tuple[int, ...]) -> bool:
        """Could the animal receive the token once this card is gone (T2)?"""
        if "metamorphose.must-receive" in self.disabled:
            return True
        able = self.receive.allows(s, a)
        if not self.ruled("metamorphose-blocked") and not able:
            return False
        if able and (card[0] < 0 or TRAIT_OF_FACE[a.faces[card[0]]] != base.FAT.bit_length() - 1):
            return True
        t = Table(s.freeze() if isinstance(s, Table) else s, None)
        self.cast_off_card(t, a, card[0], card[1:], "")
        self.card_lost(t, a)
        return self.receive.allows(t, t.find(a.uid))

    def metamorphose_moves(self, s: State) -> list[Move]:
        """Throw away a card for a token."""
        moves: list[Move] = []
        if not self.metamorphose_now.allows(s):
            return moves
        for a in s.herds[s.player]:
            if a.mask & time_to_fly.METAMORPHOSE and self.metamorphose.allows(s, a) and self.here.allows(s, a):
                moves += [(m.METAMORPHOSE, a.uid, *card) for card in self.casting_off(s, a)]
        return moves

    def do_metamorphose(self, t: Table, uid: int, card: tuple[int, ...]) -> None:
        """A card goes, a blue token comes (Metamorphose)."""
        a = t.find(uid)
        self.act(t, METAMORPHOSED, a.loc)
        if not self.ruled("metamorphose"):
            t.put(a._replace(used=a.used | time_to_fly.METAMORPHOSE))
        if self.hook["metamorphose-food"]:
            t.push((REWARD, uid, 1, FOR_CARD))
        self.cast_off_card(t, a, card[0], card[1:], "metamorphose.instead-of-red")
        self.card_lost(t, a)

    def specialize_moves(self, s: State) -> list[Move]:
        """Food from a special source."""
        if not self.specialize_now.allows(s):
            return []
        return [(m.SPECIALIZE, a.uid) for a in s.herds[s.player] if a.mask & TYPES and self.may_specialize(s, a)]

    def may_specialize(self, s: State, a: Animal) -> bool:
        """May this animal get its token now?"""
        return self.here.allows(s, a) and self.specialize.allows(s, a) and self.receive.allows(s, a)

    def do_specialize(self, t: Table, uid: int) -> None:
        """One blue token (Specialization)."""
        a = t.find(uid)
        self.act(t, SPECIALISED, a.loc)
        if not self.ruled("specialization"):
            t.put(a._replace(used=a.used | (a.mask & TYPES)))
        if self.hook["specialization-food"]:
            self.give(t, uid, "blue", 1, "stock", "specialization.food")

    def settle_moves(self, s: State) -> list[Move]:
        """Which own animal moves into an ownerless Shell."""
        if not s.more or not self.settle_now.allows(s):
            return []
        return [
            (m.SETTLE, a.uid)
            for a in s.herds[s.player]
            if self.here.allows(s, a) and self.can_place(s, s.player, SHELL_TRAIT, a)
        ]

    def do_settle(self, t: Table, uid: int) -> None:
        """The Shell lies on the animal as if played from the hand (S0)."""
        a = t.find(uid)
        self.act(t, SETTLED, a.loc)
        if self.hook["shell-leaves"]:
            t.from_table(SHELL_CARD)
        t.emit("card", "shell.settle", SHELL_CARD, ("table",), ("animal", uid))
        t.refresh(uid, a.faces + bytes((2 * SHELL_CARD,)))
