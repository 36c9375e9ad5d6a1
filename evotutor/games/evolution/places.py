"""Where animals are and what becomes of traits that are lost: coming ashore, pairs that break, paralysis (S0, C12)."""

from __future__ import annotations

from typing import Any

from evotutor.core.model import Move
from evotutor.games.evolution import base, continents, gift_box, time_to_fly
from evotutor.games.evolution.bound import Bound
from evotutor.games.evolution.catalog import CARDS, GENERIC, UNKNOWN
from evotutor.games.evolution.locations import CONTINENTS, OCEAN
from evotutor.games.evolution.moves import FETCH, LAND
from evotutor.games.evolution.state import (
    ATTACKED,
    HIBERNATING,
    IN_SHELL,
    INKED,
    PARALYSED,
    PLACED,
    RESTING,
    STRANDED,
    SWIMS,
    Animal,
    State,
    find,
    printed,
)
from evotutor.games.evolution.state import FETCH as FETCH_FRAME
from evotutor.games.evolution.state import LAND as LAND_FRAME
from evotutor.games.evolution.table import Table

SWIMMING_CARDS = frozenset(card.index for card in CARDS if base.SWIMMING.bit_length() - 1 in card.traits)


class Places(Bound):
    """Changes of place, and the conditions that go with a lost trait."""

    def bank_place(self, loc: int) -> Any:
        """The name of a location's bank in events."""
        return ("bank", loc) if self.locations else "bank"

    def act(self, t: Table, done: int, loc: int) -> None:
        """Note what the player did in this own feeding phase, and where."""
        t.acted |= done
        if self.locations and not t.acted >> PLACED and self.hook["location-chosen"]:
            t.acted |= (loc + 1) << PLACED

    # moving

    def relocate(self, t: Table, uid: int, loc: int, rule: str) -> None:
        """The animal goes to another location with its traits and tokens; pair cards are looked at later."""
        a = t.find(uid)
        if a.loc == loc:
            return
        t.emit("locate", rule, uid, a.loc, loc)
        t.put(t.derived(a._replace(loc=loc)))

    def break_pairs(self, t: Table) -> None:
        """Pair cards whose animals are in different locations go to the discard (S0, Migration)."""
        where = {a.uid: a.loc for herd in t.herds for a in herd}
        gone = [link for link in t.links.links if where[link[1]] != where[link[2]]]
        if gone and self.hook["pairs-break"]:
            t.unlink(gone, "continents.pairs-break")

    def to_ocean(self, t: Table, uid: int, rule: str) -> None:
        """An animal that got Swimming lives in the Ocean from now on (C12)."""
        if self.hook["ocean-by-swimming"]:
            self.relocate(t, uid, OCEAN, rule)
            self.break_pairs(t)

    def land_moves(self, s: State) -> list[Move]:
        """On which continent the animal comes ashore."""
        uid = s.stack[-1][1]
        return [(LAND, uid, loc) for loc in CONTINENTS]

    def do_land(self, t: Table, uid: int, loc: int) -> None:
        """The animal comes ashore (C12)."""
        t.pop()
        a = t.find(uid)
        if a.flags & PARALYSED:
            t.put(a._replace(flags=a.flags | STRANDED))
        self.relocate(t, uid, loc, "continents.lose-swimming-lands")
        self.break_pairs(t)

    # a Swimming card for who comes ashore without one (S0, Migration)

    def fetch_card(self, t: Table, uid: int) -> None:
        """Who leaves the Ocean by migrating has a Swimming card, from a discard if need be, else a marker."""
        a = t.find(uid)
        carries = printed(a.faces) & base.SWIMMING or a.flags & SWIMS
        if carries or not self.ruled("migration-swimming-card"):
            return
        sources = self.fetch_sources(t)
        if sources:
            t.push((FETCH_FRAME, uid))
            return
        t.put(t.derived(a._replace(flags=a.flags | SWIMS)))
        t.emit("state", "migration.swimming-card", uid, "swims", 1)

    @staticmethod
    def fetch_sources(s: State | Table) -> list[int]:
        """Seats whose discard holds a card with Swimming, or may do so as far as one can see."""
        return [seat for seat, pile in enumerate(s.discards) if (SWIMMING_CARDS | {UNKNOWN}) & set(pile)]

    def fetch_moves(self, s: State) -> list[Move]:
        """From whose discard the card comes."""
        return [(FETCH, s.stack[-1][1], seat) for seat in self.fetch_sources(s)]

    def do_fetch(self, t: Table, uid: int, seat: int) -> None:
        """Take the first card with Swimming of a discard and lay it on the animal."""
        t.pop()
        pile = t.discards[seat]
        card = next((c for c in pile if c in SWIMMING_CARDS), UNKNOWN)
        i = pile.index(card)
        t.discards = (*t.discards[:seat], pile[:i] + pile[i + 1 :], *t.discards[seat + 1 :])
        t.emit("card", "migration.swimming-card", card, ("discard", seat), ("animal", uid))
        trait = base.SWIMMING.bit_length() - 1
        face = GENERIC + trait if card == UNKNOWN else 2 * card + CARDS[card].traits.index(trait)
        t.refresh(uid, t.find(uid).faces + bytes((face,)))

    # traits that are lost

    def card_lost(self, t: Table, before: Animal) -> None:
        """What ends with a card that an animal no longer has, or that no longer works."""
        now = t.find(before.uid)
        lost = before.mask & ~now.mask
        flags = now.flags
        if lost & base.HIBERNATION:
            gone = HIBERNATING | RESTING if self.ruled("hibernation-lost-card") else RESTING
            flags &= ~gone
        if lost & time_to_fly.SHELL:
            flags &= ~IN_SHELL
        if lost & base.CARNIVOROUS:
            flags &= ~INKED
        if lost & gift_box.SHY:
            flags &= ~ATTACKED
        if flags != now.flags:
            t.put(now._replace(flags=flags))
        if self.locations:
            self._swimming_lost(t, before)

    def _swimming_lost(self, t: Table, before: Animal) -> None:
        now = t.find(before.uid)
        if now.loc != OCEAN or not continents.swims_by_card(before) or continents.swims_by_card(now):
            return
        if self.hook["lose-swimming-lands"]:
            t.push((LAND_FRAME, now.uid))

    # paralysis

    def paralyse(self, t: Table, uid: int) -> None:
        """Nothing of the hunter works until the next turn begins; from the Ocean it is washed ashore (S0, C12)."""
        a = find(t, uid)
        if a is None or a.flags & PARALYSED:
            return
        t.put(a._replace(flags=a.flags | PARALYSED))
        if self.ruled("cnidocytes-pairs"):
            t.set_off(t.links.off | {uid})
        t.refresh(uid)
        t.emit("state", "cnidocytes.paralyse", uid, "paralysed", 1)
        if self.locations and a.loc == OCEAN and self.hook["lose-swimming-lands"]:
            t.push((LAND_FRAME, uid))

    def unparalyse(self, t: Table) -> None:
        """At the turn's end traits work again, and swimmers go back into the Ocean (S0; ruling `paralysed-return`)."""
        stiff = [a.uid for herd in t.herds for a in herd if a.flags & PARALYSED]
        if not stiff or not self.hook["paralysis-ends"]:
            return
        for uid in stiff:
            a = t.find(uid)
            t.put(a._replace(flags=a.flags & ~PARALYSED))
        t.set_off(t.links.off - set(stiff))
        for uid in stiff:
            a = t.refresh(uid)
            t.emit("state", "cnidocytes.paralyse", uid, "paralysed", 0)
            if a.flags & STRANDED:
                t.put(a._replace(flags=a.flags & ~STRANDED))
                if self.ruled("paralysed-return"):
                    self.relocate(t, uid, OCEAN, "continents.ocean-by-swimming")
        self.break_pairs(t)
