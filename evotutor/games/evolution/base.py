"""The prohibitions of the base game, trait by trait in the order of the printed rules (R14).

Each list answers one question; `Bound` chooses among them by the rulings of a game.  Arguments: `s` a state or table,
`a` an animal that acts or receives, `h` a hunter, `t` its target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from evotutor.core.model import Param
from evotutor.games.evolution.catalog import TRAITS, bit
from evotutor.games.evolution.locations import OCEAN
from evotutor.games.evolution.questions import Ban
from evotutor.games.evolution.state import (
    ASIDE,
    CONVERTED,
    HIBERNATING,
    HUNTED,
    MAIN,
    MIGRATED,
    PROTECTED,
    RESTING,
    REVEALED,
    SWIMS,
    TOOK,
    Animal,
    State,
    find,
    is_fed,
    name_of,
    printed,
)
from evotutor.games.evolution.table import Table

if TYPE_CHECKING:
    S = State | Table

CARNIVOROUS, BIG, SWIMMING = bit["carnivorous"], bit["high-body-weight"], bit["swimming"]
CAMOUFLAGE, SHARP_VISION, BURROWING = bit["camouflage"], bit["sharp-vision"], bit["burrowing"]
FAT, GRAZING, PIRACY, HIBERNATION = bit["fat-tissue"], bit["grazing"], bit["piracy"], bit["hibernation"]
MIMICRY, RUNNING, TAIL_LOSS = bit["mimicry"], bit["running"], bit["tail-loss"]
SCAVENGER, PARASITE, POISONOUS = bit["scavenger"], bit["parasite"], bit["poisonous"]


# names for reasons


def one(s: S, a: Animal) -> dict[str, Param]:
    """Names for a reason about one animal."""
    return {"animal": name_of(a.uid), "n": a.red + a.blue, "m": a.need}


def two(s: S, h: Animal, t: Animal) -> dict[str, Param]:
    """Names for a reason about a hunter (or pirate) and its target."""
    return {"animal": name_of(h.uid), "target": name_of(t.uid)}


def nothing(s: S) -> dict[str, Param]:
    """Names for a reason about the table."""
    return {"player": chr(65 + s.player)}


# feeding


def full(s: S, a: Animal) -> bool:
    """Fed, and no free Fat Tissue."""
    return a.red + a.blue >= a.need and a.fat == a.fatcards


def asleep(s: S, a: Animal) -> int:
    """Hibernating in this turn."""
    return a.flags & HIBERNATING


def hungry_symbionts(s: S, a: Animal) -> list[int]:
    """Symbionts of a protected animal that are not fed yet."""
    found = (find(s, uid) for uid in s.links.symbionts.get(a.uid, ()))
    return [f.uid for f in found if f is not None and not is_fed(f)]


def waits_for_symbiont(s: S, a: Animal) -> bool:
    """A symbiont must be fed before this animal."""
    return bool(a.mask & PROTECTED) and bool(hungry_symbionts(s, a))


def _symbiont_names(s: S, a: Animal) -> dict[str, Param]:
    return {"animal": name_of(a.uid), "partner": ", ".join(map(name_of, hungry_symbionts(s, a)))}


SLEEPER = Ban("hibernation.no-food", asleep, one)
SYMBIONT_FIRST = Ban("symbiosis.symbiont-first", waits_for_symbiont, _symbiont_names)

RECEIVE: Final = (Ban("feeding.fed-takes-nothing", full, one), SLEEPER, SYMBIONT_FIRST)
"""May this animal receive a red or blue token?"""

OTHER_THAN_TAKING: Final = MAIN & ~TOOK & ~MIGRATED
OTHER_THAN_HUNTING: Final = MAIN & ~HUNTED & ~MIGRATED
OTHER_THAN_CONVERTING: Final = MAIN & ~CONVERTED & ~MIGRATED

TAKE_NOW: Final = (
    Ban("feeding.one-red", lambda s: s.acted & TOOK, nothing),
    Ban("feeding.main-once", lambda s: s.acted & OTHER_THAN_TAKING, nothing),
)
"""May the player take a red token in this own feeding phase?  Whether there is one asks BANK_EMPTY."""
BANK_EMPTY: Final = Ban("feeding.bank-empty", lambda s: s.bank[0] <= 0, nothing)

# Carnivorous

HUNT_NOW: Final = (
    Ban("carnivorous.one-per-round", lambda s: s.acted & HUNTED, nothing),
    Ban("carnivorous.spends-main", lambda s: s.acted & OTHER_THAN_HUNTING, nothing),
)
"""May the player hunt in this own feeding phase?"""

HUNTER: Final = (
    Ban("carnivorous.needed", lambda s, a: not a.mask & CARNIVOROUS, one),
    Ban("carnivorous.once-per-turn", lambda s, a: a.used & CARNIVOROUS, one),
    Ban("carnivorous.hungry-or-fat", full, one),
)
"""May this animal hunt?  Under the default ruling `blocked-hunter` BLOCKED joins."""
BLOCKED: Final = (SLEEPER, SYMBIONT_FIRST)

# defences: tests between hunter and target


def fed_digger(s: S, h: Animal, t: Animal) -> bool:
    """Burrowing protects while the animal is fed (hibernating counts, ruling `hibernation-burrowing`)."""
    return bool(t.mask & BURROWING) and is_fed(t)


def sated_digger(s: S, h: Animal, t: Animal) -> bool:
    """The same where hibernating does not count as fed for Burrowing."""
    return bool(t.mask & BURROWING) and t.red + t.blue >= t.need


QUALIFIED: Final = (
    Ban("high-body-weight.only-big", lambda s, h, t: t.mask & BIG and not h.mask & BIG, two),
    Ban("camouflage.only-sharp-vision", lambda s, h, t: t.mask & CAMOUFLAGE and not h.mask & SHARP_VISION, two),
)
"""Older cards forbid only the eating, ruling `big-and-camouflage`."""

TARGET: Final = (
    Ban("carnivorous.not-itself", lambda s, h, t: h.uid == t.uid, two),
    Ban("swimming.only-swimmers", lambda s, h, t: t.mask & SWIMMING and not h.mask & SWIMMING, two),
    Ban("swimming.swimmer-only-swimmers", lambda s, h, t: h.mask & SWIMMING and not t.mask & SWIMMING, two),
    Ban(
        "symbiosis.protected-safe",
        lambda s, h, t: t.mask & PROTECTED,
        lambda s, h, t: {
            "animal": name_of(h.uid),
            "target": name_of(t.uid),
            "partner": ", ".join(map(name_of, s.links.symbionts.get(t.uid, ()))),
        },
    ),
)
"""May this hunter attack this animal?  QUALIFIED and Burrowing join by ruling."""
SWIMMERS: Final = ("swimming.only-swimmers", "swimming.swimmer-only-swimmers")
BURROWED: Final = Ban("burrowing.fed-safe", fed_digger, two)
BURROWED_FED: Final = Ban("burrowing.fed-safe", sated_digger, two)

# Fat Tissue


def missing(a: Animal) -> int:
    """Tokens the animal still needs."""
    return a.need - a.red - a.blue


CONVERT_NOW: Final = (
    Ban("fat-tissue.convert-instead-of-red", lambda s: s.acted & OTHER_THAN_CONVERTING, nothing),
    Ban("fat-tissue.one-animal", lambda s: s.acted & CONVERTED, nothing),
)
CONVERT: Final = (
    Ban(
        "fat-tissue.needs-tokens",
        lambda s, a, n: a.fat.bit_count() < n,
        lambda s, a, n: {"animal": name_of(a.uid), "n": n, "m": a.fat.bit_count()},
    ),
    Ban(
        "fat-tissue.needs-hunger",
        lambda s, a, n: missing(a) < n or a.flags & HIBERNATING,
        lambda s, a, n: {"animal": name_of(a.uid), "n": n, "m": max(0, missing(a))},
    ),
)
"""May this animal turn `n` yellow tokens into blue?  Symbiosis does not matter: converting is not receiving (R14)."""

# Grazing

GRAZE_BANK: Final = Ban("grazing.needs-food", lambda s: s.bank[0] <= 0, nothing)
GRAZE: Final = (
    Ban("grazing.needed", lambda s, a: not a.mask & GRAZING, one),
    Ban("grazing.once-per-round", lambda s, a: a.used & GRAZING, one),
)

# Piracy

PIRATE: Final = (
    Ban("piracy.needed", lambda s, a: not a.mask & PIRACY, one),
    Ban("piracy.once-per-turn", lambda s, a: a.used & PIRACY, one),
    Ban("piracy.unfed-pirate", full, one),
    SLEEPER,
    SYMBIONT_FIRST,
)
HUNGRY_PIRATE: Final = Ban("piracy.unfed-pirate", lambda s, a: missing(a) <= 0, one)
"""Ruling `piracy-fat: hungry-only` puts this in place of the test for a full animal."""
VICTIM: Final = (
    Ban("piracy.not-itself", lambda s, h, t: h.uid == t.uid, two),
    Ban("piracy.has-token", lambda s, h, t: t.red + t.blue == 0, two),
    Ban("piracy.unfed-target", lambda s, h, t: is_fed(t), two),
)

# Hibernation

HIBERNATE: Final = (
    Ban("hibernation.needed", lambda s, a: not a.mask & HIBERNATION, one),
    Ban("hibernation.asleep", asleep, one),
    Ban("hibernation.not-twice", lambda s, a: a.flags & RESTING, one),
    Ban("hibernation.not-last-turn", lambda s, a: not s.deck and not s.top, one),
)

# development


def placing(s: S, seat: int, trait: int, a: Animal) -> dict[str, Param]:
    return {"animal": name_of(a.uid), "trait": TRAITS[trait].id, "player": chr(65 + seat)}


def _own_only(s: S, seat: int, trait: int, a: Animal) -> bool:
    return TRAITS[trait].place in ("own", "pair") and a.uid >> 8 != seat


def _opponents_only(s: S, seat: int, trait: int, a: Animal) -> bool:
    return 1 << trait == PARASITE and a.uid >> 8 == seat


def _equal_trait(s: S, seat: int, trait: int, a: Animal) -> bool:
    return bool(a.mask >> trait & 1) and not TRAITS[trait].pair and not 1 << trait & (FAT | PARASITE)


NEOPLASM: Final = bit["neoplasm"]
WITHOUT_CARD: Final = ASIDE | REVEALED | SWIMS
"""Conditions in which the working traits of an animal are not those of its cards."""


def owned(a: Animal) -> int:
    """Bits of the unpaired traits that the animal carries, working or not (and perhaps of its pair traits)."""
    if a.loc != OCEAN and not a.mask & NEOPLASM and not a.flags & WITHOUT_CARD:
        return a.mask
    return printed(a.faces) | (CARNIVOROUS if a.flags & REVEALED else 0)


def _equal_card(s: S, seat: int, trait: int, a: Animal) -> bool:
    return bool(owned(a) >> trait & 1) and not TRAITS[trait].pair and not 1 << trait & (FAT | PARASITE)


PLACE: Final = (
    Ban("development.own-animals-only", _own_only, placing),
    Ban("parasite.opponents-only", _opponents_only, placing),
    Ban("parasite.one", lambda s, seat, trait, a: 1 << trait & PARASITE & a.mask, placing),
    Ban("development.no-duplicate", _equal_trait, placing),
    Ban(
        "scavenger.not-with-carnivorous",
        lambda s, seat, trait, a: 1 << trait & SCAVENGER and a.mask & CARNIVOROUS,
        placing,
    ),
    Ban(
        "carnivorous.not-with-scavenger",
        lambda s, seat, trait, a: 1 << trait & CARNIVOROUS and a.mask & SCAVENGER,
        placing,
    ),
)
"""May this seat lay this trait on this animal (for a pair: on this first animal)?"""
BY_CARDS: Final = {
    "parasite.one": Ban("parasite.one", lambda s, seat, trait, a: 1 << trait & PARASITE & owned(a), placing),
    "development.no-duplicate": Ban("development.no-duplicate", _equal_card, placing),
    "scavenger.not-with-carnivorous": Ban(
        "scavenger.not-with-carnivorous",
        lambda s, seat, trait, a: 1 << trait & SCAVENGER and owned(a) & CARNIVOROUS,
        placing,
    ),
    "carnivorous.not-with-scavenger": Ban(
        "carnivorous.not-with-scavenger",
        lambda s, seat, trait, a: 1 << trait & CARNIVOROUS and owned(a) & SCAVENGER,
        placing,
    ),
}
"""The same prohibitions where cards can be switched off or a trait come without a card: they count the cards."""


def joining(s: S, seat: int, trait: int, a: Animal, b: Animal) -> dict[str, Param]:
    return {"animal": name_of(a.uid), "partner": name_of(b.uid), "trait": TRAITS[trait].id, "player": chr(65 + seat)}


def joined(s: S, trait: int, u: int, v: int) -> bool:
    """Do these two animals carry this pair trait already, in either direction?"""
    return any(t == trait and (x, y) in ((u, v), (v, u)) for t, x, y, _ in s.links.links)


JOIN: Final = (
    Ban("development.pair-two-animals", lambda s, seat, trait, a, b: a.uid == b.uid, joining),
    Ban("development.pair-same-owner", lambda s, seat, trait, a, b: a.uid >> 8 != b.uid >> 8, joining),
    Ban("development.pair-once-per-pair", lambda s, seat, trait, a, b: joined(s, trait, a.uid, b.uid), joining),
)
"""May this pair trait join these two animals?"""

PASS: Final = (Ban("cataclysm.no-passing", lambda s: bool(s.hands[s.player]), nothing),)
"""Only in the Cataclysm scenario."""

OBLIGED: Final = "feeding.compulsory"
