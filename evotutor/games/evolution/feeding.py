"""Tokens that arrive at animals, and what follows: fat, the two food pairs, scavengers (R14, feeding phase)."""

from __future__ import annotations

from typing import Any

from evotutor.core.model import Move
from evotutor.games.evolution import base
from evotutor.games.evolution.bound import Bound
from evotutor.games.evolution.catalog import trait_of
from evotutor.games.evolution.moves import (
    CONVERT,
    DECLINE,
    GRAZE,
    HIBERNATE,
    PIRATE,
    TRIGGER,
    VICTIM,
)
from evotutor.games.evolution.state import (
    CONVERTED,
    HIBERNATING,
    KILLED,
    LINKED,
    POOL,
    SCAVENGE,
    SIDE,
    Animal,
    State,
)
from evotutor.games.evolution.table import Armed, Table

COOPERATION, COMMUNICATION = trait_of["cooperation"].index, trait_of["communication"].index
SIDE_TRAITS = base.GRAZING | base.PIRACY | base.HIBERNATION
ORDERS_TRIED = 400
"""How many arrangements are compared before the owner is simply asked for the order."""


class Feeding(Bound):
    """Receiving tokens, pairs in their order, scavengers, and the side traits of an own feeding phase."""

    # receiving

    def give(self, t: Table, uid: int, colour: str, n: int, source: Any, rule: str) -> int:
        """Give up to `n` tokens of one colour to an animal: to its need first, then to free fat, the rest is wasted.

        Returns how many it got.  Food pairs are armed; `advance` lets them work.
        """
        a = t.find(uid)
        if not self.receive.allows(t, a):
            self._waste(t, colour, n, source, rule)
            return 0
        food = max(0, min(n, a.need - a.red - a.blue))
        fat, stored = a.fat, 0
        free = a.fatcards & ~a.fat
        while food + stored < n and free and self.FAT:
            place = 1 << (free.bit_length() - 1)
            fat, free, stored = fat | place, free ^ place, stored + 1
        red = colour == "red"
        t.put(a._replace(red=a.red + food * red, blue=a.blue + food * (not red), fat=fat))
        if t.events is not None:
            if food:
                t.transfer(source, uid, colour, food, rule)
            if stored:
                t.transfer(source, ("fat", uid), "yellow", stored, "fat-tissue.store-when-fed", rule)
        if food + stored < n:
            self._waste(t, colour, n - food - stored, source, rule)
        if a.mask & LINKED and (food or (stored and self.store_arms)):
            self._arm(t, uid, from_bank=source == "bank")
        return food + stored

    def _waste(self, t: Table, colour: str, n: int, source: Any, rule: str) -> None:
        if source == "stock":
            t.transfer(source, "wasted", colour, n, rule)

    def _arm(self, t: Table, uid: int, from_bank: bool) -> None:
        for index, kind, partner in t.links.pairs[uid]:
            if t.spent >> index & 1:
                continue
            if kind & self.COOPERATION or (kind & self.COMMUNICATION and from_bank):
                trait, u, v, _ = t.links.links[index]
                if (entry := (trait, u, v, partner)) not in t.armed:
                    t.armed.append(entry)

    # pairs

    def can_fire(self, t: Table | State, entry: Armed) -> bool:
        """Can this armed pair give its token now?"""
        trait, u, v, receiver = entry
        if self.link_spent(t, trait, u, v) or (trait == COMMUNICATION and t.bank[0] <= 0):
            return False
        for a in t.herds[receiver >> 8]:
            if a.uid == receiver:
                return self.receive.allows(t, a)
        return False

    @staticmethod
    def link_spent(t: Table | State, trait: int, u: int, v: int) -> bool:
        """Was this pair card used in this round, or is it gone?"""
        for index, link in enumerate(t.links.links):
            if link[:3] == (trait, u, v):
                return bool(t.spent >> index & 1)
        return True

    def fire(self, t: Table, entry: Armed) -> None:
        """Let one armed pair give its token and arm what follows."""
        trait, u, v, receiver = entry
        t.armed.remove(entry)
        if self.hook["pair-used"]:
            index = next(i for i, link in enumerate(t.links.links) if link[:3] == (trait, u, v))
            t.spent |= 1 << index
        if trait == COMMUNICATION:
            t.take_from_bank(0)
            self.give(t, receiver, "red", 1, "bank", "communication.extra-red")
        else:
            self.give(t, receiver, "blue", 1, "stock", "cooperation.gift")

    def advance(self, t: Table) -> None:
        """Let everything happen that nobody has to be asked about: pairs in their order, then a scavenger."""
        while True:
            if t.stack and t.stack[-1][0] == POOL and (t.armed or not self._must_ask(t, t.stack[-1][2])):
                t.armed = [*t.stack[-1][2], *(e for e in t.armed if e not in t.stack[-1][2])]
                t.stack = t.stack[:-1]
            if t.armed and self._fire_all(t):
                return
            if t.stack and t.stack[-1][0] == KILLED:
                seat = t.stack[-1][1]
                t.stack = t.stack[:-1]
                if self._feed_scavenger(t, seat):
                    return
                continue
            return

    def _must_ask(self, t: Table, armed: tuple[Armed, ...]) -> bool:
        return any(self.can_fire(t, e) for e in armed)

    def _fire_all(self, t: Table) -> bool:
        """Fire armed pairs until none is left or the owner must be asked; True when he must."""
        while t.armed:
            ready = sorted(e for e in t.armed if self.can_fire(t, e))
            if not ready:
                t.armed = []
                return False
            if self._asks(t, ready):
                t.stack = (*t.stack, (POOL, ready[0][3] >> 8, tuple(sorted(t.armed))))
                t.armed = []
                return True
            self.fire(t, ready[0])
        return False

    def _asks(self, t: Table, ready: list[Armed]) -> bool:
        if not self.gift_compulsory:
            return True
        if not self.at_once and not t.stack and self._side_moves(t.freeze()):
            return True
        return len(ready) > 1 and not self._independent(t, ready) and self._order_matters(t)

    def _independent(self, t: Table, ready: list[Armed]) -> bool:
        """A cheap proof that the order cannot matter: different receivers without further pairs, enough food."""
        if len(ready) < len(t.armed) or len({e[3] for e in ready}) < len(ready):
            return False
        if sum(e[0] == COMMUNICATION for e in ready) > t.bank[0]:
            return False
        return all(len(t.links.pairs[e[3]]) == 1 for e in ready) and not t.links.symbionts

    def _order_matters(self, t: Table) -> bool:
        """Try every order (they are few) and compare the tables they lead to."""
        start = Table(t.freeze(), None)
        start.armed = list(t.armed)
        seen, ends, todo = set(), set(), [start]
        while todo:
            now = todo.pop()
            ready = [e for e in now.armed if self.can_fire(now, e)]
            if not ready:
                ends.add(now.freeze())
                if len(ends) > 1:
                    return True
                continue
            for entry in ready:
                after = Table(now.freeze(), None)
                after.armed = list(now.armed)
                self.fire(after, entry)
                key = (after.freeze(), tuple(sorted(after.armed)))
                if key not in seen:
                    seen.add(key)
                    todo.append(after)
            if len(seen) > ORDERS_TRIED:
                return True
        return False

    def pool_moves(self, s: State) -> list[Move]:
        """Which armed pair works next; with optional gifts also `decline`, with `owner-orders` also side traits."""
        _, seat, armed = s.stack[-1]
        moves: list[Move] = [(TRIGGER, *entry) for entry in armed if self.can_fire(s, entry)]
        if not self.gift_compulsory:
            moves.append((DECLINE,))
        if not self.at_once and len(s.stack) == 1 and seat == s.player:
            moves += self._side_moves(s)
        return moves

    # scavengers

    def _feed_scavenger(self, t: Table, seat: int) -> bool:
        """One scavenger gets a blue token, the hunter's owner first, then clockwise; True when an owner must choose."""
        if not self.SCAVENGER:
            return False
        for k in range(len(t.herds)):
            owner = (seat + k) % len(t.herds)
            able = self.able_scavengers(t, owner)
            if len(able) > 1 and self.ruled("scavenger-choice"):
                t.stack = (*t.stack, (SCAVENGE, owner))
                return True
            if able:
                self.give(t, able[0].uid, "blue", 1, "stock", "scavenger.one-only")
                return False
        return False

    def able_scavengers(self, t: Table | State, seat: int) -> list[Animal]:
        """This player's scavengers that can receive a token."""
        return [a for a in t.herds[seat] if a.mask & base.SCAVENGER and self.receive.allows(t, a)]

    # side traits of the own feeding phase

    def _side_moves(self, s: State) -> list[Move]:
        moves: list[Move] = []
        for a in s.herds[s.player]:
            if a.mask & SIDE_TRAITS:
                if a.mask & base.GRAZING and self.graze_now.allows(s) and self.graze.allows(s, a):
                    moves.append((GRAZE, a.uid))
                if a.mask & base.PIRACY and self.pirate.allows(s, a) and self.has_victim(s, a):
                    moves.append((PIRATE, a.uid))
                if a.mask & base.HIBERNATION and self.hibernate.allows(s, a):
                    moves.append((HIBERNATE, a.uid))
        return moves

    def has_victim(self, s: State, a: Animal) -> bool:
        """Is there an animal this pirate may take from?"""
        return any(self.victim.allows(s, a, v) for herd in s.herds for v in herd)

    def victim_moves(self, s: State) -> list[Move]:
        """From whom the pirate takes."""
        a = self._animal(s, s.stack[-1][1])
        return [(VICTIM, v.uid) for herd in s.herds for v in herd if self.victim.allows(s, a, v)]

    def convert_moves(self, s: State) -> list[Move]:
        """Yellow tokens to blue on one animal, any number up to its hunger."""
        moves: list[Move] = []
        for a in s.herds[s.player]:
            n = 1
            while a.fat and self.convert.allows(s, a, n):
                moves.append((CONVERT, a.uid, n))
                n += 1
        return moves

    @staticmethod
    def _animal(s: State | Table, uid: int) -> Animal:
        for a in s.herds[uid >> 8]:
            if a.uid == uid:
                return a
        raise KeyError(uid)

    def do_graze(self, t: Table, uid: int) -> None:
        """Destroy one red token of the bank (Grazing)."""
        a = t.find(uid)
        t.put(a._replace(used=a.used | base.GRAZING))
        t.take_from_bank(0)
        t.transfer("bank", "grazed", "red", 1, "grazing.destroy", "grazing")
        t.acted |= SIDE

    def do_hibernate(self, t: Table, uid: int) -> None:
        """The animal sleeps: it counts as fed and gets nothing (Hibernation)."""
        a = t.find(uid)
        t.put(a._replace(flags=a.flags | HIBERNATING, used=a.used | base.HIBERNATION))
        t.emit("state", "hibernation.counts-as-fed", uid, "hibernating", 1)
        t.acted |= SIDE

    def do_victim(self, t: Table, pirate: int, victim: int) -> None:
        """The pirate takes one token of the victim, a red one if there is one (Piracy)."""
        v, p = t.find(victim), t.find(pirate)
        colour = "red" if v.red else "blue"
        t.put(v._replace(red=v.red - (colour == "red"), blue=v.blue - (colour == "blue")))
        if self.hook["piracy-used"]:
            t.put(p._replace(used=p.used | base.PIRACY))
        t.acted |= SIDE
        self.give(t, pirate, colour, 1, victim, "piracy.take")

    def do_convert(self, t: Table, uid: int, n: int) -> None:
        """Turn `n` yellow tokens into blue, from the lowest card up (Fat Tissue); this is not receiving food."""
        a = t.find(uid)
        fat = a.fat
        for _ in range(n):
            fat &= fat - 1
        t.put(a._replace(fat=fat, blue=a.blue + n))
        t.acted |= CONVERTED
        t.transfer(("fat", uid), uid, "blue", n, "fat-tissue.not-receiving", "fat-tissue")

