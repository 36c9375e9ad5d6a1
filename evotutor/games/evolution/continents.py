"""The prohibitions of Continents, trait by trait (S0, C12).

Arguments as in `base`; `loc` is a location of `locations`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from evotutor.core.model import Param
from evotutor.games.evolution import base
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, bit, card_name
from evotutor.games.evolution.locations import CROSSING, FLY, LOCATIONS, OCEAN, SWIM, WALK
from evotutor.games.evolution.questions import Ban
from evotutor.games.evolution.state import (
    ASIDE,
    HIBERNATING,
    MIGRATED,
    MOVING,
    PARALYSED,
    PLACED,
    RECOMBINATION,
    REMAINS,
    REVEALED,
    SWIMS,
    Animal,
    State,
    find,
    name_of,
    off_below,
    weight,
)
from evotutor.games.evolution.time_to_fly import FLIGHT

if TYPE_CHECKING:
    from evotutor.games.evolution.table import Table

    S = State | Table

MIGRATION, SUCKERFISH, REGENERATION = bit["migration"], bit["suckerfish"], bit["regeneration"]
HERDING, CNIDOCYTES, NEOPLASM, AEDIFICATOR = (
    bit["herding"], bit["cnidocytes"], bit["neoplasm"], bit["aedificator"],
)  # fmt: skip
LIGHT: Final = 2
"""A flyer with so many traits or fewer migrates without Migration (S0)."""

# locations


def _place(s: S, a: Animal) -> dict[str, Param]:
    return {"animal": name_of(a.uid), "location": LOCATIONS[a.loc]}


ONE_LOCATION: Final = Ban(
    "continents.one-location", lambda s, a: s.acted >> PLACED and s.acted >> PLACED != a.loc + 1, _place
)
"""In one own feeding phase everything happens in one location (C12)."""
BANK_HERE: Final = Ban("feeding.bank-empty", lambda s, a: s.bank[a.loc] <= 0, _place)
GRAZE_HERE: Final = Ban("grazing.needs-food", lambda s, a: s.bank[a.loc] <= 0, _place)
WARM_HERE: Final = Ban("homeothermy.needs-bank", lambda s, a: s.bank[a.loc] <= 0, base.one)
SAME_LOCATION: Final = Ban("continents.same-location", lambda s, h, t: h.loc != t.loc, base.two)
JOIN_HERE: Final = Ban("continents.same-location", lambda s, seat, trait, a, b: a.loc != b.loc, base.joining)


def _going(s: S, a: Animal, loc: int) -> dict[str, Param]:
    return {"animal": name_of(a.uid), "location": LOCATIONS[loc]}


ASHORE: Final = (Ban("continents.not-in-ocean", lambda s, a, loc: loc == OCEAN, _going),)
"""May this animal come ashore there?"""
FOUNDING: Final = (
    Ban(
        "continents.not-in-ocean",
        lambda s, card, loc: loc == OCEAN,
        lambda s, card, loc: {"card": card_name(card), "location": LOCATIONS[loc]},
    ),
)
"""May a card become an animal there?"""


def swims_by_card(a: Animal) -> bool:
    """Has the animal a Swimming card that works, or the marker that stands for one?"""
    if a.flags & PARALYSED:
        return False
    return bool(a.flags & SWIMS) or any(1 << TRAIT_OF_FACE[f] == base.SWIMMING for f in a.faces[off_below(a.faces) :])


LAND_ONLY: Final = (
    Ban("swimming.only-swimmers", lambda s, h, t: swims_by_card(t) and not swims_by_card(h), base.two),
    Ban("swimming.swimmer-only-swimmers", lambda s, h, t: swims_by_card(h) and not swims_by_card(t), base.two),
)
"""Swimming where the Ocean itself makes nobody a swimmer (ruling `ocean-newborn: does-not`)."""

# Migration and Suckerfish

NOT_MIGRATING: Final = Ban("migration.no-food", lambda s: s.acted & MIGRATED, base.nothing)


MIGRATE_NOW: Final = (
    Ban(
        "migration.declared-first",
        lambda s: s.acted and not (s.stack and s.stack[-1][0] == MOVING),
        base.nothing,
    ),
)
MIGRATE: Final = (Ban("migration.once-per-turn", lambda s, a: a.used & (MIGRATION | FLIGHT), base.one),)


class Ways:
    """Who may cross where, under the rulings of a game."""

    def __init__(self, walking: bool, flying_over_sea: bool, all_cards: bool) -> None:
        """Three rulings.

        `walking`: land animals migrate between continents; `flying_over_sea`: flyers use all routes of Migration;
        `all_cards`: cards that Neoplasm switched off make a flyer heavy, too.
        """
        self.walking, self.flying_over_sea, self.all_cards = walking, flying_over_sea, all_cards

    def is_light_flyer(self, s: S, a: Animal) -> bool:
        """One or two traits, one of them a working Flight."""
        if not a.mask & FLIGHT:
            return False
        return weight(s, a) - (0 if self.all_cards else off_below(a.faces)) <= LIGHT

    def of(self, s: S, a: Animal) -> int:
        """Bits of the ways in which this animal can cross."""
        light = self.is_light_flyer(s, a)
        if light and not self.flying_over_sea and not a.mask & (MIGRATION | SUCKERFISH):
            return FLY
        ways = SWIM if a.mask & base.SWIMMING else WALK * self.walking
        return ways | (FLY if light else 0)

    def migrants(self) -> tuple[Ban, ...]:
        """May this animal migrate of its own accord?"""
        needed = Ban(
            "migration.needed", lambda s, a: not a.mask & MIGRATION and not self.is_light_flyer(s, a), base.one
        )
        return (needed, *MIGRATE)

    def bans(self) -> tuple[Ban, ...]:
        """May this animal move to this location?"""
        return (
            Ban("migration.elsewhere", lambda s, a, loc: a.loc == loc, _going),
            Ban(
                "migration.routes",
                lambda s, a, loc: a.loc != loc and not CROSSING[a.loc][loc] & self.of(s, a),
                _going,
            ),
        )


def _leaves(moves: tuple[tuple[int, int, int], ...], uid: int) -> int:
    """From where a migrant leaves, -1 when it does not migrate."""
    return next((start for mover, start, _ in moves if mover == uid), -1)


def _after(s: S, a: Animal, moves: tuple[tuple[int, int, int], ...], migrant: int) -> dict[str, Param]:
    return {"animal": name_of(a.uid), "target": name_of(migrant)}


FOLLOW: Final = (
    Ban("suckerfish.needed", lambda s, a, moves, migrant: not a.mask & SUCKERFISH, _after),
    Ban(
        "suckerfish.once",
        lambda s, a, moves, migrant: a.used & SUCKERFISH or _leaves(moves, a.uid) >= 0,
        _after,
    ),
    Ban("suckerfish.same-location", lambda s, a, moves, migrant: _leaves(moves, migrant) != a.loc, _after),
)
"""May this animal follow that migrant?  The route joins."""

# Hibernation that came by Recombination

USED_UP: Final = Ban(
    "recombination.used-stays-used",
    lambda s, a: a.used & base.HIBERNATION and not a.flags & HIBERNATING,
    lambda s, a: {"animal": name_of(a.uid), "trait": "hibernation"},
)
"""The card put another animal to sleep in this turn (S0)."""

# Regeneration


def _raises(a: Animal, s: S) -> bool:
    if a.flags & REVEALED or any(TRAITS[TRAIT_OF_FACE[f]].need for f in a.faces):
        return True
    return any(TRAITS[link[0]].need for link in s.links.links if a.uid in link[1:3])


def over_limit(s: S, trait: int, a: Animal) -> bool:
    """Regeneration stands beside one other trait at most, and none that raises the need (S0)."""
    if 1 << trait == REGENERATION:
        return weight(s, a) > 1 or _raises(a, s)
    if a.mask & REGENERATION or (
        (a.mask & NEOPLASM or a.flags & ASIDE) and any(1 << TRAIT_OF_FACE[f] == REGENERATION for f in a.faces)
    ):
        return TRAITS[trait].need > 0 or weight(s, a) > 1
    return False


def _no_body(s: S, seat: int, trait: int, a: Animal) -> int:
    return a.flags & REMAINS


PLACE: Final = (
    Ban("regeneration.limit", lambda s, seat, trait, a: over_limit(s, trait, a), base.placing),
    Ban("regeneration.no-body", _no_body, base.placing),
    Ban(
        "neoplasm.opponents-only",
        lambda s, seat, trait, a: 1 << trait == NEOPLASM and a.uid >> 8 == seat,
        base.placing,
    ),
)


def _second(s: S, seat: int, trait: int, a: Animal, b: Animal) -> dict[str, Param]:
    return base.placing(s, seat, trait, b)


JOIN: Final = (
    Ban("regeneration.limit", lambda s, seat, trait, a, b: a.uid != b.uid and over_limit(s, trait, b), _second),
    Ban("regeneration.no-body", lambda s, seat, trait, a, b: a.uid != b.uid and b.flags & REMAINS, _second),
)
"""The second animal of a pair, too, must have room for the card."""
NO_PREY: Final = Ban("regeneration.remains-safe", lambda s, h, t: t.flags & REMAINS, base.two)

# Recombination


def partners(s: S, uid: int) -> list[tuple[int, int]]:
    """(index of the link, partner) of the working Recombination cards in which this animal is named first."""
    found = []
    for index, (trait, u, v, _) in enumerate(s.links.links):
        if 1 << trait == RECOMBINATION and u == uid and not (s.links.off and {u, v} & s.links.off):
            found.append((index, v))
    return found


def open_partners(s: S, uid: int) -> list[Animal]:
    """Partners with whom this animal, named first, can still exchange."""
    found = [find(s, v) for index, v in partners(s, uid) if not s.spent >> index & 1]
    return [b for b in found if b is not None]


RECOMBINE: Final = (
    Ban("recombination.needed", lambda s, a: not partners(s, a.uid), base.one),
    Ban(
        "recombination.once-per-turn",
        lambda s, a: bool(partners(s, a.uid)) and all(s.spent >> i & 1 for i, _ in partners(s, a.uid)),
        base.one,
    ),
    Ban(
        "recombination.unpaired",
        lambda s, a: (
            bool(open_partners(s, a.uid)) and (not a.faces or not any(b.faces for b in open_partners(s, a.uid)))
        ),
        base.one,
    ),
)
"""May this animal exchange an unpaired trait with a partner?"""
SPLIT: Final = (
    Ban("recombination.needed", lambda s, a, b: b.uid not in [v for _, v in partners(s, a.uid)], base.two),
    Ban(
        "recombination.once-per-turn",
        lambda s, a, b: any(v == b.uid and s.spent >> i & 1 for i, v in partners(s, a.uid)),
        base.two,
    ),
)

# Herding


def _herds(s: S, t: Animal) -> tuple[int, int]:
    """(herders, carnivores) in the target's location, of all players."""
    here = [a.mask for herd in s.herds for a in herd if a.loc == t.loc]
    return sum(bool(m & HERDING) for m in here), sum(bool(m & base.CARNIVOROUS) for m in here)


def _in_herd(s: S, h: Animal, t: Animal) -> bool:
    if not t.mask & HERDING:
        return False
    herders, hunters = _herds(s, t)
    return herders >= hunters


def _in_larger_herd(s: S, h: Animal, t: Animal) -> bool:
    if not t.mask & HERDING:
        return False
    herders, hunters = _herds(s, t)
    return herders > hunters


OUTNUMBERED: Final = Ban("herding.outnumbered-only", _in_herd, base.two)
OUTNUMBERED_OR_EVEN: Final = Ban("herding.outnumbered-only", _in_larger_herd, base.two)
"""Under the ruling `herding-tie: does-not`."""

# Cnidocytes

STIFF: Final = Ban(
    "cnidocytes.paralysed",
    lambda s, a, n: a.flags & PARALYSED,
    lambda s, a, n: {"animal": name_of(a.uid)},
)
"""A paralysed animal has no use of its fat."""
