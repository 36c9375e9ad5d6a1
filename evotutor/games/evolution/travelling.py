"""Continents: migrations and followers, Recombination, remains and new bodies, Neoplasm, Aedificator (S0, C12)."""

from __future__ import annotations

from typing import Final

from evotutor.core.model import Move
from evotutor.games.evolution import base, continents, time_to_fly
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import CARD_OF_FACE, TRAIT_OF_FACE
from evotutor.games.evolution.flying import Flying
from evotutor.games.evolution.locations import CONTINENTS, OCEAN
from evotutor.games.evolution.state import (
    FAT_TISSUE,
    FOLLOW,
    INKED,
    LAND,
    MIGRATED,
    MOVING,
    NEOPLASM,
    REMAINS,
    RESTING,
    RESTORE,
    SIDE,
    Animal,
    State,
    off_below,
)
from evotutor.games.evolution.table import Table

Moves = tuple[tuple[int, int, int], ...]
"""A declared migration: (animal, from, to) of everyone who moves."""
CLASHES: Final = (
    (base.CARNIVOROUS, base.SCAVENGER),
    (time_to_fly.TYPE_A, time_to_fly.TYPE_B),
)
"""Traits that never go together on one animal."""
TWO_RED = 2


class Travelling(Flying):
    """What Continents adds."""

    # Migration

    def migrate_moves(self, s: State) -> list[Move]:
        """Who can migrate, and where to."""
        if not self.locations or not self.migrate_now.allows(s):
            return []
        return [
            (m.MIGRATE, a.uid, loc)
            for a in s.herds[s.player]
            if a.mask & (continents.MIGRATION | time_to_fly.FLIGHT) and self.migrate.allows(s, a)
            for loc in range(3)
            if self.route.allows(s, a, loc)
        ]

    def moving_moves(self, s: State) -> list[Move]:
        """More migrants, or `done`."""
        return [*self.migrate_moves(s), (m.DONE,)]

    def do_migrate(self, t: Table, uid: int, loc: int) -> None:
        """The animal moves with all that it has; more may follow in the same declaration (S0)."""
        a = t.find(uid)
        moves: Moves = t.pop()[1] if t.stack and t.stack[-1][0] == MOVING else ()
        by = continents.MIGRATION if a.mask & continents.MIGRATION else time_to_fly.FLIGHT
        if self.hook["migration-used"]:
            t.put(a._replace(used=a.used | by))
        t.acted |= MIGRATED
        t.push((MOVING, (*moves, (uid, a.loc, loc))))
        self._cross(t, uid, loc, "migration.move" if by == continents.MIGRATION else "flight.migrates")

    def _cross(self, t: Table, uid: int, loc: int, rule: str) -> None:
        a = t.find(uid)
        self.relocate(t, uid, loc, rule)
        if a.loc == OCEAN and loc in CONTINENTS:
            self.fetch_card(t, uid)

    def do_done(self, t: Table) -> None:
        """The declaration is complete, or a player's Suckerfish have followed."""
        kind, *rest = t.pop()
        seat, moves = (t.player, rest[0]) if kind == MOVING else (rest[0], rest[1])
        n = len(t.herds)
        after = [(t.player + k) % n for k in range(n)]
        self._ask_followers(t, moves, after if kind == MOVING else after[after.index(seat) + 1 :])

    def _ask_followers(self, t: Table, moves: Moves, seats: list[int]) -> None:
        """Ask the next player who has a Suckerfish that can follow: the migrating one first, then clockwise (S0)."""
        for seat in seats:
            if self.hook["followers"] and self.followers(t, seat, moves):
                t.push((FOLLOW, seat, moves))
                return
        for herd in t.herds:
            for a in herd:
                if a.used & continents.SUCKERFISH:
                    t.put(a._replace(used=a.used & ~continents.SUCKERFISH))
        self.break_pairs(t)

    def followers(self, s: State | Table, seat: int, moves: Moves) -> list[Move]:
        """Suckerfish of this player with the migrants that they can follow."""
        ends = {uid: loc for uid, _, loc in moves}
        return [
            (m.FOLLOW, a.uid, migrant)
            for a in s.herds[seat]
            if a.mask & continents.SUCKERFISH
            for migrant, loc in ends.items()
            if self.follow.allows(s, a, moves, migrant) and self.route.allows(s, a, loc)
        ]

    def follow_moves(self, s: State) -> list[Move]:
        """Who follows whom, or `done`."""
        _, seat, moves = s.stack[-1]
        return [*self.followers(s, seat, moves), (m.DONE,)]

    def do_follow(self, t: Table, uid: int, migrant: int) -> None:
        """The Suckerfish travels along."""
        moves: Moves = t.stack[-1][2]
        loc = next(end for mover, _, end in moves if mover == migrant)
        a = t.find(uid)
        t.put(a._replace(used=a.used | continents.SUCKERFISH))
        self._cross(t, uid, loc, "suckerfish.follow")

    # Recombination

    def recombine_moves(self, s: State, a: Animal) -> list[Move]:
        """Which card the first animal of a pair gives."""
        if not self.recombine.allows(s, a):
            return []
        return [(m.RECOMBINE, a.uid, place) for place in range(len(a.faces))]

    def swap_moves(self, s: State) -> list[Move]:
        """Which card comes back, and from which partner."""
        a = self._animal(s, s.stack[-1][1])
        return [
            (m.SPLIT, b.uid, place)
            for b in continents.open_partners(s, a.uid)
            for place in range(len(b.faces))
            if self.split.allows(s, a, b)
        ]

    def do_split(self, t: Table, other: int, place: int) -> None:
        """The two animals exchange one unpaired trait each (S0)."""
        _, uid, given = t.pop()
        index = next(i for i, v in continents.partners(t, uid) if v == other and not t.spent >> i & 1)
        if self.hook["recombination-used"]:
            t.spent |= 1 << index
        first, second = t.find(uid), t.find(other)
        self.act(t, SIDE, first.loc)
        _, face = t.lift(uid, given, "recombination.one-each")
        _, back = t.lift(other, place, "recombination.one-each")
        for a in (first, second):
            self.card_lost(t, a)
        self._lay(t, first, second, face)
        self._lay(t, second, first, back)
        if self.locations:
            t.stack = tuple(frame for frame in t.stack if not self._swims_again(t, frame))
            for a in (first, second):
                self._into_the_sea(t, a)

    def _swims_again(self, t: Table, frame: tuple[object, ...]) -> bool:
        """A landing that the card received in exchange makes void."""
        return frame[0] == LAND and isinstance(frame[1], int) and continents.swims_by_card(t.find(frame[1]))

    def _into_the_sea(self, t: Table, before: Animal) -> None:
        """Who received Swimming on a continent goes to the Ocean (ruling `recombination-swimming`)."""
        now = t.find(before.uid)
        received = continents.swims_by_card(now) and not continents.swims_by_card(before)
        if received and now.loc != OCEAN and self.ruled("recombination-swimming"):
            self.to_ocean(t, now.uid, "continents.ocean-by-swimming")

    def _lay(self, t: Table, giver: Animal, getter: Animal, face: int) -> None:
        """A card comes to its new animal, on top (Neoplasm: at the bottom), or is discarded where it cannot be."""
        trait, uid = TRAIT_OF_FACE[face], getter.uid
        card = CARD_OF_FACE[face]
        a = t.find(uid)
        if self.hook["discard-impossible"] and (old := self._clash(t, a, trait)) is not None:
            if old < 0:
                t.to_discard(uid >> 8, card, "recombination.discard-impossible", ("animal", giver.uid))
                return
            t.drop_face(uid, old, "recombination.discard-impossible")
            a = t.find(uid)
        t.emit("card", "recombination.one-each", card, ("animal", giver.uid), ("animal", uid))
        bottom = trait == NEOPLASM
        faces = bytes((face,)) + a.faces if bottom else a.faces + bytes((face,))
        t.put(a._replace(fat=a.fat << bottom))
        a = t.refresh(uid, faces)
        bits = giver.used & 1 << trait if self.hook["used-stays-used"] else 0
        flags = 0
        if 1 << trait == base.HIBERNATION and self.hook["used-stays-used"]:
            flags = giver.flags & RESTING
        if 1 << trait == base.CARNIVOROUS:
            flags = giver.flags & INKED
        if bits:
            t.emit("state", "recombination.used-stays-used", uid, "used", trait)
        t.put(a._replace(used=a.used | bits & a.mask, flags=a.flags | flags))

    def _clash(self, t: Table, a: Animal, trait: int) -> int | None:
        """None when the card may lie there; else the place of an equal, switched-off card, -1 for the new card."""
        if trait != FAT_TISSUE and base.owned(a) >> trait & 1:
            places = [i for i, face in enumerate(a.faces) if TRAIT_OF_FACE[face] == trait]
            return places[0] if places and places[0] < off_below(a.faces) and trait != NEOPLASM else -1
        for one, two in CLASHES:
            if (1 << trait == one and base.owned(a) & two) or (1 << trait == two and base.owned(a) & one):
                return -1
        return -1 if continents.over_limit(t, trait, a) else None

    # Regeneration

    def restore_next(self, t: Table) -> None:
        """Ask for the next body for remains, from the first player on; without any card they wait (S0)."""
        n = len(t.herds)
        for k in range(n):
            seat = (t.first + k) % n
            for a in t.herds[seat]:
                if a.flags & REMAINS and self.hook["restore"] and (t.hands[seat] or self._may_draw(t)):
                    t.push((RESTORE, a.uid))
                    return

    def _may_draw(self, t: Table) -> bool:
        return bool(t.deck or t.top)

    def restore_moves(self, s: State) -> list[Move]:
        """Which card of the hand becomes the new body; empty when the deck gives it."""
        uid = s.stack[-1][1]
        return [(m.RESTORE, uid, card) for card in sorted(set(s.hands[uid >> 8]))]

    def restored(self, t: Table, uid: int, card: int, source: tuple[object, ...]) -> None:
        """The traits have a body again."""
        t.pop()
        a = t.find(uid)
        t.put(a._replace(body=card, flags=0))
        t.set_off(t.links.off - {uid})
        t.refresh(uid)
        t.emit("card", "regeneration.restore", card, source, ("animal", uid))
        t.emit("born", "regeneration.restore", uid)

    # Neoplasm

    def grow_neoplasms(self, t: Table) -> None:
        """At the start of the food phase Neoplasm takes the place of the unpaired trait above it (S0)."""
        n = len(t.herds)
        for herd in [t.herds[(t.first + k) % n] for k in range(n)]:
            for a in herd:
                if a.mask & continents.NEOPLASM and self.hook["neoplasm"]:
                    self._grow(t, a)
        t.stack = t.stack[::-1]  # who comes ashore first: in seat order

    def _grow(self, t: Table, a: Animal) -> None:
        place = off_below(a.faces)
        faces = bytearray(a.faces)
        above = place + 1
        if above < len(faces):
            trait = TRAIT_OF_FACE[faces[above]]
            t.emit("off", "neoplasm.swap", a.uid, trait)
            if a.fat >> above & 1:
                t.transfer(("fat", a.uid), "lost", "yellow", 1, "neoplasm.swap")
            faces[place], faces[above] = faces[above], faces[place]
            t.put(a._replace(fat=a.fat & ~(1 << above)))
            t.refresh(a.uid, bytes(faces))
            if above + 1 < len(faces) or not self.hook["neoplasm-dies"]:
                before = a
                if self.ruled("neoplasm-ocean") or 1 << trait != base.SWIMMING:
                    self.card_lost(t, before)
                return
        elif not self.hook["neoplasm-dies"]:
            return
        t.remove(a.uid, "neoplasm.dies")

    # Aedificator

    def grow_food(self, t: Table) -> None:
        """Each working Aedificator adds two red tokens to its location's bank (S0)."""
        if not self.travelling or not self.hook["aedificator"]:
            return
        for herd in t.herds:
            for a in herd:
                if a.mask & continents.AEDIFICATOR:
                    t.take_from_bank(a.loc, -TWO_RED)
                    t.transfer("box", self.bank_place(a.loc), "red", TWO_RED, "aedificator.two-red", "aedificator")
