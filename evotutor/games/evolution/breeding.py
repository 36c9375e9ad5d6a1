"""The gift-box cards: the young of r-Strategy (S0).  Shy and Homeothermy work where attacks and feeding are."""

from __future__ import annotations

from evotutor.games.evolution import gift_box
from evotutor.games.evolution.catalog import bit
from evotutor.games.evolution.state import PARALYSED, REMAINS, YOUNG, Animal, off_below, printed
from evotutor.games.evolution.table import Table
from evotutor.games.evolution.travelling import Travelling

LITTER = 2
"""Young of one animal with r-Strategy."""


class Breeding(Travelling):
    """What the gift-box cards add to the dealing of cards."""

    def breeds(self, a: Animal) -> bool:
        """Has the animal an r-Strategy that counts in the extinction phase?  Paralysis does not stop it (ruling)."""
        if not self.gifts or a.flags & REMAINS:
            return False
        if a.flags & PARALYSED:
            working = printed(a.faces[off_below(a.faces) :]) & bit["r-strategy"]
            return bool(working) and self.ruled("r-strategy-paralysed")
        return bool(a.mask & gift_box.R_STRATEGY)

    def young_due(self, t: Table) -> tuple[bytes, ...]:
        """The locations of the young that each player is owed, two for each parent."""
        return tuple(bytes(a.loc for a in herd if self.breeds(a) for _ in range(LITTER)) for herd in t.herds)

    def next_young(self, t: Table, due: tuple[bytes, ...], seat: int) -> bool:
        """Ask for the next card that becomes a young animal, one by one round the table; False when none is to come."""
        if not t.deck and not t.top:
            return False
        n = len(due)
        for k in range(n):
            owner = (seat + k) % n
            if due[owner]:
                t.push((YOUNG, due, owner))
                return True
        return False

    def young_drawn(self, t: Table, card: int) -> bool:
        """A young animal arrives, unfed, where its parent is; True while more are to come."""
        _, due, seat = t.pop()
        loc, rest = due[seat][0], due[seat][1:]
        uid = seat << 8 | t.numbers[seat]
        t.emit("card", "r-strategy.two-young", card, ("deck",), ("animal", uid))
        t.add_animal(self.new_animal(uid, card, loc))
        t.emit("born", "r-strategy.two-young", uid)
        return self.next_young(t, (*due[:seat], rest, *due[seat + 1 :]), (seat + 1) % len(due))
