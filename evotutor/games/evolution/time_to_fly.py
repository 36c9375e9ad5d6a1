"""The prohibitions of Time to Fly, trait by trait in the order of the gift-box rulebook (S0).

Arguments as in `base`: `s` a state or table, `a` an animal that acts or receives, `h` a hunter, `t` its target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from evotutor.core.model import Param
from evotutor.games.evolution import base
from evotutor.games.evolution.catalog import TRAITS, bit, card_of
from evotutor.games.evolution.questions import Ban
from evotutor.games.evolution.state import (
    IN_SHELL,
    MAIN,
    MIGRATED,
    PARALYSED,
    REMAINS,
    REVEALED,
    Animal,
    State,
    name_of,
    off_below,
    printed,
    shells,
    weight,
)

if TYPE_CHECKING:
    from evotutor.games.evolution.table import Table

    S = State | Table

VIVIPAROUS, AMBUSH, INTELLECT = bit["viviparous"], bit["ambush"], bit["intellect"]
METAMORPHOSE, FLIGHT, SHELL = bit["metamorphose"], bit["flight"], bit["shell"]
TYPE_A, TYPE_B = bit["specialization-a"], bit["specialization-b"]
TYPES: Final = TYPE_A | TYPE_B
TREMATODE, INK_CLOUD = bit["trematode"], bit["ink-cloud"]
ANGLERFISH: Final = card_of["anglerfish"].index
"""The card whose animal may be an Anglerfish in hiding."""
LURE: Final = bit["anglerfish"]
"""In an attack's `tried`: this is the counter-attack of a revealed Anglerfish."""
SHELL_CARD: Final = card_of["shell"].index
OTHER_MAIN: Final = MAIN & ~MIGRATED

# Viviparous has no prohibitions of its own

# Ambush

AMBUSH_ONLY: Final = (Ban("ambush.needed", lambda s, a: not a.mask & AMBUSH, base.one),)
"""May this hunter strike from ambush?  The questions about hunter and target join."""
AMBUSH_OTHERS: Final = Ban("ambush.own-animal", lambda s, h, t: h.uid >> 8 == t.uid >> 8, base.two)
"""Only under the ruling `ambush-own: forbidden`."""

# Intellect: a trait that is switched off for one hunter


def void_mask(h_uid: int, t: Animal) -> int:
    """Bits of the target's traits that this hunter's Intellect (or the Anglerfish) ignores."""
    mask = 0
    for hunter, trait in t.more:
        if hunter == h_uid:
            mask |= 1 << trait
    return mask


# Metamorphose

METAMORPHOSE_NOW: Final = (Ban("metamorphose.instead-of-red", lambda s: s.acted & OTHER_MAIN, base.nothing),)
METAMORPHOSE_ANIMAL: Final = (Ban("metamorphose.needed", lambda s, a: not a.mask & METAMORPHOSE, base.one),)
METAMORPHOSE_ONCE: Final = Ban("metamorphose.once-per-turn", lambda s, a: a.used & METAMORPHOSE, base.one)
"""Only under the ruling `metamorphose: once-per-turn`."""


def animal_and_trait(s: S, a: Animal, trait: int) -> dict[str, Param]:
    """Names for a reason about one animal and one of its cards."""
    return {"animal": name_of(a.uid), "trait": TRAITS[trait].id}


NOT_RAISING: Final = Ban("metamorphose.not-need-raising", lambda s, a, trait: TRAITS[trait].need > 0, animal_and_trait)

# Flight


def heavier(s: S, h: Animal, t: Animal) -> bool:
    """A flyer is safe from whoever carries as many traits as it, or more; every card counts (S0)."""
    return bool(t.mask & FLIGHT) and weight(s, h) >= weight(s, t)


def heavier_working(s: S, h: Animal, t: Animal) -> bool:
    """The same where cards that Neoplasm switched off do not count (ruling `flight-disabled`)."""
    return bool(t.mask & FLIGHT) and (weight(s, h) - off_below(h.faces) >= weight(s, t) - off_below(t.faces))


LIGHTER_ONLY: Final = Ban("flight.lighter-only", heavier, base.two)
LIGHTER_ONLY_WORKING: Final = Ban("flight.lighter-only", heavier_working, base.two)

# Shell

HIDDEN: Final = Ban("shell.hidden-safe", lambda s, h, t: t.flags & IN_SHELL, base.two)
NO_FOOD: Final = Ban("shell.no-food", lambda s, a: a.flags & IN_SHELL, base.one)
SETTLE_NOW: Final = (
    Ban("shell.none-free", lambda s: not shells(s), base.nothing),
    Ban("shell.instead-of-red", lambda s: s.acted & OTHER_MAIN, base.nothing),
)
"""May the player move an animal into an ownerless Shell?  Whether the animal can hold it asks `place`."""

# Specialization


def _crowded(s: S, a: Animal) -> bool:
    return any(b.mask & a.mask & TYPES and b.uid != a.uid and not b.flags & REMAINS for herd in s.herds for b in herd)


def crowded_here(s: S, a: Animal) -> bool:
    """With Continents the types are one, and only the same location counts (S0)."""
    return any(b.mask & TYPES and b.uid != a.uid and b.loc == a.loc for herd in s.herds for b in herd)


SPECIALIZE_NOW: Final = (Ban("specialization.instead-of-red", lambda s: s.acted & OTHER_MAIN, base.nothing),)
SPECIALIZE: Final = (Ban("specialization.needed", lambda s, a: not a.mask & TYPES, base.one),)
ALONE: Final = Ban("specialization.alone-only", _crowded, base.one)
ALONE_HERE: Final = Ban("specialization.alone-only", crowded_here, base.one)
SPECIALIZE_ONCE: Final = Ban("specialization.once-per-turn", lambda s, a: a.used & TYPES, base.one)
"""Only under the ruling `specialization: once-per-turn`."""

# placing cards


def _both_types(s: S, seat: int, trait: int, a: Animal) -> bool:
    other = {TYPE_A: TYPE_B, TYPE_B: TYPE_A}.get(1 << trait, 0)
    return bool(printed(a.faces) & other)


PLACE: Final = (
    Ban("specialization.not-both", _both_types, base.placing),
    Ban(
        "trematode.opponents-only",
        lambda s, seat, trait, a: 1 << trait == TREMATODE and a.uid >> 8 == seat,
        base.placing,
    ),
    Ban("anglerfish.only-as-animal", lambda s, seat, trait, a: TRAITS[trait].place == "animal", base.placing),
)
"""These join the question whether a trait may go on an animal."""

# Anglerfish


def bare(s: S, a: Animal, overlook: int = 0) -> bool:
    """Has the animal no traits at all, not even switched-off ones?  In `overlook` locations Swimming is passed over."""
    if a.flags & REVEALED or s.links.count(a.uid):
        return False
    return not a.faces or (bool(overlook >> a.loc & 1) and printed(a.faces) == base.SWIMMING)


def hides_anglerfish(a: Animal) -> bool:
    """Is the animal's hidden card an Anglerfish that has not been turned up?"""
    return a.body == ANGLERFISH and not a.flags & (REVEALED | REMAINS | PARALYSED)
