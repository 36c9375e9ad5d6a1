"""Tokens that arrive at animals, and what follows: fat, the two food pairs, scavengers (R14, feeding phase)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from evotutor.core.model import Move
from evotutor.games.evolution import base
from evotutor.games.evolution.catalog import bit, trait_of
from evotutor.games.evolution.moves import (
    CONVERT,
    DECLINE,
    GRAZE,
    HIBERNATE,
    PIRATE,
    TRIGGER,
    VICTIM,
    WARM,
)
from evotutor.games.evolution.places import Places
from evotutor.games.evolution.state import (
    AMBUSH,
    CONVERTED,
    FEEDING,
    FETCH,
    FOR_CARD,
    FOR_KILL,
    FOR_TAIL,
    HIBERNATING,
    KILLED,
    LAND,
    LINKED,
    POOL,
    RECOMBINATION,
    REWARD,
    SCAVENGE,
    SHARING,
    SIDE,
    TAKING,
    WARMING,
    Animal,
    State,
    find,
)
from evotutor.games.evolution.table import Armed, Table

COOPERATION, COMMUNICATION = trait_of["cooperation"].index, trait_of["communication"].index
SIDE_TRAITS: Final = base.GRAZING | base.PIRACY | base.HIBERNATION | bit["homeothermy"] | bit["recombination"]
RED_BY: Final = {TAKING: "feeding.take", SHARING: "communication.extra-red", WARMING: "homeothermy.extra-red"}
"""The rule by which an animal gets a red token from the bank."""
REWARDS: Final = {
    FOR_KILL: "carnivorous.two-blue", FOR_TAIL: "tail-loss.one-blue", FOR_CARD: "metamorphose.food",
}  # fmt: skip
"""The rule by which it gets blue ones."""
ORDERS_TRIED = 400
"""How many arrangements are compared before the owner is simply asked for the order."""


class Feeding(Places):
    """Receiving tokens, pairs in their order, scavengers, and the side traits of an own feeding phase."""

    if TYPE_CHECKING:  # what the expansions add

        def ambush_seat(self, s: Table | State, uid: int, start: int = -1) -> int: ...
        def ambush_step(self, t: Table) -> bool: ...
        def next_birth(self, t: Table) -> bool: ...
        def recombine_moves(self, s: State, a: Animal) -> list[Move]: ...

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
            self._arm(t, uid, from_bank=source == "bank" or (type(source) is tuple and source[0] == "bank"))
        return food + stored

    def give_red(self, t: Table, uid: int, how: int) -> None:
        """An animal is to get a red token from the bank; who lies in ambush is asked first (S0, Ambush)."""
        if self.AMBUSH and self._receives(t, uid) and (seat := self.ambush_seat(t, uid)) >= 0:
            self._set_aside(t)
            t.push((AMBUSH, uid, how, seat))
        else:
            self.deliver(t, uid, how)

    def _receives(self, t: Table, uid: int) -> bool:
        """Does a token for this animal count as received: always, unless it only fills fat (ruling)?"""
        a = t.find(uid)
        return self.store_arms or a.red + a.blue < a.need

    def deliver(self, t: Table, uid: int, how: int) -> None:
        """The animal gets the token."""
        loc = t.find(uid).loc if self.locations else 0
        t.take_from_bank(loc)
        self.give(t, uid, "red", 1, self.bank_place(loc), RED_BY[how])

    def _set_aside(self, t: Table) -> None:
        """Armed pairs wait on the stack while something else comes first."""
        if t.armed:
            t.push((POOL, t.armed[0][3] >> 8, tuple(sorted(t.armed))))
            t.armed = []

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
        if self.link_spent(t, trait, u, v):
            return False
        for a in t.herds[receiver >> 8]:
            if a.uid == receiver:
                return (trait != COMMUNICATION or t.bank[a.loc] > 0) and self.receive.allows(t, a)
        return False

    @staticmethod
    def link_spent(t: Table | State, trait: int, u: int, v: int) -> bool:
        """Was this pair card used in this round, or is it gone?"""
        for index, link in enumerate(t.links.links):
            if link[:3] == (trait, u, v):
                off = t.links.off
                return bool(t.spent >> index & 1) or bool(off and (u in off or v in off))
        return True

    def fire(self, t: Table, entry: Armed) -> None:
        """Let one armed pair give its token and arm what follows."""
        trait, u, v, receiver = entry
        t.armed.remove(entry)
        if self.hook["pair-used"]:
            index = next(i for i, link in enumerate(t.links.links) if link[:3] == (trait, u, v))
            t.spent |= 1 << index
        if trait == COMMUNICATION:
            self.give_red(t, receiver, SHARING)
        else:
            self.give(t, receiver, "blue", 1, "stock", "cooperation.gift")

    def advance(self, t: Table) -> None:
        """Let everything happen that nobody has to be asked about: births, pairs in their order, a scavenger ..."""
        while True:
            if self.VIVIPAROUS and t.touched and t.phase == FEEDING:
                t.touched = False
                if self.next_birth(t):
                    return
            if t.stack and t.stack[-1][0] == POOL:
                waiting = t.pop()[2]
                t.armed = [*waiting, *(e for e in t.armed if e not in waiting)]
            if t.armed and self._fire_all(t):
                return
            if not t.stack or not self._step(t):
                if self.VIVIPAROUS and t.touched and t.phase == FEEDING:
                    continue
                return

    def _step(self, t: Table) -> bool:
        """Take a step that waits on the stack; False when the innermost decision is somebody's."""
        kind = t.stack[-1][0]
        if kind == KILLED:
            _, seat, loc = t.pop()
            self._feed_scavenger(t, seat, loc)
            return True
        if kind == REWARD:
            _, uid, n, why = t.pop()
            if find(t, uid) is not None:
                self.give(t, uid, "blue", n, "stock", REWARDS[why])
            return True
        if kind == AMBUSH:
            return self.ambush_step(t)
        if kind in (LAND, FETCH) and find(t, t.stack[-1][1]) is None:
            t.pop()
            return True
        return False

    def _fire_all(self, t: Table) -> bool:
        """Fire armed pairs until none is left or the owner must be asked; True when he must."""
        while t.armed:
            ready = sorted(e for e in t.armed if self.can_fire(t, e))
            if not ready:
                t.armed = []
                return False
            if self._asks(t, ready):
                self._set_aside(t)
                return True
            self.fire(t, ready[0])
        return False

    def _asks(self, t: Table, ready: list[Armed]) -> bool:
        if not self.gift_compulsory:
            return True
        if not self.at_once and not t.stack and self._side_moves(t.freeze()):
            return True
        if self.HOMEOTHERMY and not t.stack and self._warmth_matters(t, ready):
            return True
        return len(ready) > 1 and not self._independent(t, ready) and self._order_matters(t)

    def _independent(self, t: Table, ready: list[Armed]) -> bool:
        """A cheap proof that the order cannot matter: different receivers without further pairs, enough food."""
        if len(ready) < len(t.armed) or len({e[3] for e in ready}) < len(ready):
            return False
        taking = [e for e in ready if e[0] == COMMUNICATION]
        if taking and (self.AMBUSH or len(taking) > t.bank[t.find(taking[0][3]).loc]):
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
                if after.stack != start.stack:  # somebody may ambush: let the owner say whom first
                    return True
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
            late = not self.ruled("homeothermy-timing")
            moves += [move for move in self._side_moves(s) if not (late and move[0] == WARM)]
        elif self.HOMEOTHERMY and len(s.stack) == 1 and seat == s.player:
            moves += self._warm_moves(s, armed)
        return moves

    # Homeothermy between two shares

    def _warm_moves(self, s: State | Table, armed: Iterable[Armed]) -> list[Move]:
        """Homeothermy may come before a Communication, not before a Cooperation that gives at once (P142)."""
        if not self.ruled("homeothermy-timing") or any(e[0] == COOPERATION and self.can_fire(s, e) for e in armed):
            return []
        return [(WARM, a.uid) for a in s.herds[s.player] if a.mask & self.HOMEOTHERMY and self.may_warm(s, a)]

    def may_warm(self, s: State | Table, a: Animal) -> bool:
        """May this animal take its token of Homeothermy now?"""
        return self.here.allows(s, a) and self.warm.allows(s, a) and self.receive.allows(s, a)

    def _warmth_matters(self, t: Table, ready: list[Armed]) -> bool:
        """Is it not all the same whether Homeothermy or the pairs come first?"""
        if ready[0][3] >> 8 != t.player:
            return False
        for _, uid in self._warm_moves(t, t.armed):
            early, late = Table(t.freeze(), None), Table(t.freeze(), None)
            early.armed, late.armed = list(t.armed), list(t.armed)
            self.do_warm(early, uid)
            done = self._drain(early) and self._drain(late)
            if done and self.may_warm(late, late.find(uid)):
                self.do_warm(late, uid)
                done = self._drain(late)
            if not done or early.freeze() != late.freeze():
                return True
        return False

    def _drain(self, t: Table) -> bool:
        """Fire all armed pairs of a copy in a fixed order; False when somebody would have to be asked."""
        while ready := sorted(e for e in t.armed if self.can_fire(t, e)):
            self.fire(t, ready[0])
            if t.stack:
                return False
        return not t.stack

    def do_warm(self, t: Table, uid: int) -> None:
        """One more red token from the bank (Homeothermy)."""
        a = t.find(uid)
        if self.hook["homeothermy-used"]:
            t.put(a._replace(used=a.used | self.HOMEOTHERMY))
        self.act(t, SIDE, a.loc)
        self.give_red(t, uid, WARMING)

    # scavengers

    def _feed_scavenger(self, t: Table, seat: int, loc: int) -> None:
        """One scavenger there gets a blue token, the hunter's owner first, then clockwise; its owner may choose."""
        if not self.SCAVENGER:
            return
        for k in range(len(t.herds)):
            owner = (seat + k) % len(t.herds)
            able = self.able_scavengers(t, owner, loc)
            if len(able) > 1 and self.ruled("scavenger-choice"):
                t.push((SCAVENGE, owner, loc))
                return
            if able:
                self.give(t, able[0].uid, "blue", 1, "stock", "scavenger.one-only")
                return

    def able_scavengers(self, t: Table | State, seat: int, loc: int) -> list[Animal]:
        """This player's scavengers in the location of the kill that can receive a token."""
        return [a for a in t.herds[seat] if a.mask & base.SCAVENGER and a.loc == loc and self.receive.allows(t, a)]

    # side traits of the own feeding phase

    def _side_moves(self, s: State) -> list[Move]:
        moves: list[Move] = []
        if self.locations and not self.side_now.allows(s):
            return moves
        for a in s.herds[s.player]:
            if a.mask & SIDE_TRAITS:
                if self.locations and not self.here.allows(s, a):
                    continue
                if a.mask & base.GRAZING and self.graze_now.allows(s) and self.graze.allows(s, a):
                    moves.append((GRAZE, a.uid))
                if a.mask & base.PIRACY and self.pirate.allows(s, a) and self.has_victim(s, a):
                    moves.append((PIRATE, a.uid))
                if a.mask & base.HIBERNATION and self.hibernate.allows(s, a):
                    moves.append((HIBERNATE, a.uid))
                if a.mask & self.HOMEOTHERMY and self.may_warm(s, a):
                    moves.append((WARM, a.uid))
                if a.mask & RECOMBINATION:
                    moves += self.recombine_moves(s, a)
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
            if self.locations and not self.here.allows(s, a):
                continue
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
        t.take_from_bank(a.loc)
        t.transfer(self.bank_place(a.loc), "grazed", "red", 1, "grazing.destroy", "grazing")
        self.act(t, SIDE, a.loc)

    def do_hibernate(self, t: Table, uid: int) -> None:
        """The animal sleeps: it counts as fed and gets nothing (Hibernation)."""
        a = t.find(uid)
        t.put(a._replace(flags=a.flags | HIBERNATING, used=a.used | base.HIBERNATION))
        t.emit("state", "hibernation.counts-as-fed", uid, "hibernating", 1)
        self.act(t, SIDE, a.loc)

    def do_victim(self, t: Table, pirate: int, victim: int) -> None:
        """The pirate takes one token of the victim, a red one if there is one (Piracy)."""
        v, p = t.find(victim), t.find(pirate)
        colour = "red" if v.red else "blue"
        t.put(v._replace(red=v.red - (colour == "red"), blue=v.blue - (colour == "blue")))
        if self.hook["piracy-used"]:
            t.put(p._replace(used=p.used | base.PIRACY))
        self.act(t, SIDE, p.loc)
        self.give(t, pirate, colour, 1, victim, "piracy.take")

    def do_convert(self, t: Table, uid: int, n: int) -> None:
        """Turn `n` yellow tokens into blue, from the lowest card up (Fat Tissue); this is not receiving food."""
        a = t.find(uid)
        fat = a.fat
        for _ in range(n):
            fat &= fat - 1
        t.put(a._replace(fat=fat, blue=a.blue + n))
        self.act(t, CONVERTED, a.loc)
        t.transfer(("fat", uid), uid, "blue", n, "fat-tissue.not-receiving", "fat-tissue")
