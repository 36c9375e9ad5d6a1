"""The words of positions and moves: names to numbers, limits on what is read, and errors that name the nearest word.

Nothing that is read may end in another exception than `NotationError`: every value passes one of these functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, Final, NamedTuple, NoReturn

from evotutor.core.model import NotationError
from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, card_of, face_of_trait, trait_of
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.games.evolution.state import FLAGS

Path = tuple[str | int, ...]
Modules = tuple[str, ...]

LONGEST: Final = 200
"""Most characters of one string."""
MOST_CARDS: Final = 400
"""Most cards of a hand, discard or deck."""
MOST_ANIMALS: Final = 60
"""Most animals of a player."""
MOST_TRAITS: Final = 200
"""Most unpaired traits of an animal, most links of a table."""
LARGEST: Final = 999
"""Largest number."""

SPENDABLE: Final[dict[str, Modules]] = {
    **dict.fromkeys(("carnivorous", "piracy", "mimicry", "grazing", "hibernation"), ("base",)),
    **dict.fromkeys(("intellect", "ink-cloud", "viviparous"), ("time-to-fly",)),
    **dict.fromkeys(("metamorphose", "specialization-a", "specialization-b"), ("time-to-fly",)),
    "homeothermy": ("gift-box",),
    **dict.fromkeys(("migration", "suckerfish", "flight"), ("continents",)),
}  # fmt: skip
"""Traits that are used up until their reset moment, written with `*`, and the modules in which they can be."""
SPENT_BY_RULING: Final = {
    "metamorphose": "metamorphose", "specialization-a": "specialization", "specialization-b": "specialization",
}  # fmt: skip
"""Traits that are used up only where this ruling is `once-per-turn`."""

CONDITION_MODULES: Final[dict[str, Modules]] = {
    "in-shell": ("time-to-fly",),
    "paralysed": ("continents",),
    "newborn": ("time-to-fly",),
    "attacked": ("gift-box",),
    "remains": ("continents",),
    "revealed": ("time-to-fly",),
    "stranded": ("continents",),
    "inked": ("time-to-fly",),
    "swims": ("continents",),
}
"""Conditions of animals that only some modules know."""
CONDITIONS: Final = {word: 1 << i for i, word in enumerate(FLAGS)}
BY_LOCATION: Final = ("stranded", "swims", "migration", "suckerfish", "flight")
"""Conditions, and traits that are used up, which need locations."""


class Scope(NamedTuple):
    """What a game knows: its modules, whether animals live in locations, and its rulings."""

    modules: Modules
    locations: bool
    rulings: Mapping[str, str]

    def has(self, modules: Modules) -> bool:
        """Is one of these modules played?"""
        return any(module in self.modules for module in modules)

    def knows(self, word: str) -> bool:
        """Can animals of this game be in this condition?"""
        return self.has(CONDITION_MODULES.get(word, ("base",))) and (self.locations or word not in BY_LOCATION)

    def spends(self, trait: str) -> bool:
        """Can this trait be used up?"""
        if not self.has(SPENDABLE.get(trait, ())) or (not self.locations and trait in BY_LOCATION):
            return False
        ruling = SPENT_BY_RULING.get(trait)
        return ruling is None or self.rulings.get(ruling) == "once-per-turn"


def scope_of(game: Any) -> Scope:
    """The scope of a game."""
    modules = tuple(game.modules)
    locations = getattr(game, "locations", "continents" in modules and game.scenario is None)
    return Scope(modules, bool(locations), getattr(game, "rulings", {}))


def fail(message: str, path: Path = (), *, rule: str = "", hint: str = "") -> NoReturn:
    """Raise the one error of this package."""
    raise NotationError(message, path=path, rule=rule, hint=hint)


def shown(value: object) -> str:
    """A value of unknown origin for a message: short, whatever it is."""
    if isinstance(value, str):
        return repr(value[:40] + "..." if len(value) > 40 else str(value))
    if value is None:
        return "nothing"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**12 else "a huge number"
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, (list, tuple)) else f"a {type(value).__name__}"


def near(word: str, words: Iterable[str]) -> str:
    """A hint: the nearest valid word, or the whole list when it is short and nothing is near."""
    known = list(dict.fromkeys(words))
    found = get_close_matches(word.lower()[:LONGEST], known, 1, 0.55)
    if found:
        return f"did you mean {found[0]!r}?"
    return f"one of: {', '.join(known)}" if 0 < len(known) <= 12 else ""


# checked values


def mapping(value: object, path: Path, what: str) -> Mapping[str, Any]:
    """A mapping with short texts as keys."""
    if not isinstance(value, Mapping):
        fail(f"{what} is a mapping, not {shown(value)}", path)
    for key in value:
        if not isinstance(key, str) or len(key) > LONGEST:
            fail(f"{shown(key)} is not a name in {what}", path)
    return value


def sequence(value: object, path: Path, what: str, most: int) -> list[Any]:
    """A list of at most `most` values."""
    if not isinstance(value, (list, tuple)):
        fail(f"{what} is a list, not {shown(value)}", path)
    if len(value) > most:
        fail(f"{what} has {len(value)} entries, at most {most} are read", path)
    return list(value)


def number(value: object, path: Path, least: int = 0, most: int = LARGEST) -> int:
    """A whole number between the limits; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, int):
        fail(f"{shown(value)} is not a whole number", path, hint=f"{least} to {most}")
    if not least <= value <= most:
        fail(f"{shown(value)} is out of range", path, hint=f"{least} to {most}")
    return int(value)


def text(value: object, path: Path, what: str = "a text") -> str:
    """A short text without blanks at its ends."""
    if not isinstance(value, str):
        fail(f"{what} is expected, not {shown(value)}", path)
    if len(value) > LONGEST:
        fail(f"a text of {len(value)} characters, at most {LONGEST} are read", path)
    return str(value).strip()


def truth(value: object, path: Path) -> bool:
    """Exactly true or false."""
    if not isinstance(value, bool):
        fail(f"{shown(value)} is not true or false", path)
    return value


def check_keys(data: Mapping[str, Any], known: Iterable[str], later: Mapping[str, Modules], path: Path) -> None:
    """Refuse keys that nobody knows; keys of later modules may only say that there is nothing."""
    words = list(known)
    for key, value in data.items():
        if key in words:
            continue
        if key in later:
            if isinstance(value, bool) or value not in (None, 0, [], {}):
                need_module(key, later[key], (*path, key))
            continue
        fail(f"unknown word {shown(key)}", (*path, key), hint=near(key, words))


# names


def location_number(value: object, path: Path, scope: Scope) -> int:
    """Number of a location, in a game that has them."""
    word = text(value, path, "a location").lower()
    if word not in LOCATIONS:
        fail(f"unknown location {shown(word)}", path, hint=near(word, LOCATIONS))
    need_locations(word, scope, path)
    return LOCATIONS.index(word)


def need_locations(word: str, scope: Scope, path: Path) -> None:
    """Refuse a word about locations where there are none."""
    if "continents" not in scope.modules:
        need_module(word, ("continents",), path)
    if not scope.locations:
        fail(f"{word!r} is about locations, and this scenario has none", path, rule="cataclysm.expansions")


def need_module(word: str, modules: Modules, path: Path) -> NoReturn:
    """Refuse a word of a module that is not played."""
    hint = "" if modules[0] == "new-world" else f"modules: [base, {modules[0]}]"
    fail(f"{word!r} needs module {' or '.join(modules)}", path, hint=hint)


@cache
def modules_of_trait(trait: int) -> Modules:
    """Modules in which a card carries this trait."""
    return tuple(dict.fromkeys(c.module for c in CARDS if trait in c.traits))


def trait_number(word: str, path: Path, modules: Modules) -> int:
    """Number of a trait that the modules know."""
    found = trait_of.get(word.lower())
    if found is None:
        names = (t.id for t in TRAITS if known_trait(t.index, modules))
        fail(f"unknown trait {shown(word)}", path, hint=near(word, names))
    if not known_trait(found.index, modules):
        need_module(found.id, modules_of_trait(found.index), path)
    return found.index


def known_trait(trait: int, modules: Modules) -> bool:
    """Is there a card with this trait in these modules?"""
    return any(module in modules for module in modules_of_trait(trait))


def card_code(word: str, path: Path, modules: Modules) -> int:
    """Code of a card, `UNKNOWN` for "?"; the two traits of a card may be named in either order."""
    if word == "?":
        return UNKNOWN
    name = word.lower()
    found = card_of.get(name) or card_of.get("/".join(reversed(name.split("/")[:2])))
    if found is None:
        fail(f"unknown card {shown(word)}", path, hint=_card_hint(name, modules))
    if found.module not in modules:
        need_module(found.name, (found.module,), path)
    return found.index


def _card_hint(name: str, modules: Modules) -> str:
    if name in trait_of:
        cards = cards_with(trait_of[name].index, modules)
        if cards:
            return f"cards with {name}: {', '.join(CARDS[c].name for c in cards)}"
    return near(name, ["?", *(c.name for c in CARDS if c.module in modules)])


def cards_with(trait: int, modules: Modules) -> list[int]:
    """Cards of these modules that carry a trait."""
    return [c.index for c in CARDS if trait in c.traits and c.module in modules]


def face_code(word: str, path: Path, modules: Modules) -> int:
    """Face of ``trait`` or ``card:trait``."""
    card_name, colon, trait_name = word.partition(":")
    if not colon:
        return face_of_trait(trait_number(word, path, modules))
    trait = trait_number(trait_name.strip(), path, modules)
    card = card_code(card_name.strip(), path, modules)
    return face_of_trait(trait) if card == UNKNOWN else 2 * card + side_of(card, trait, path)


def side_of(card: int, trait: int, path: Path) -> int:
    """Which side of a known card carries the trait."""
    if trait not in CARDS[card].traits:
        sides = ", ".join(f"{CARDS[card].name}:{TRAITS[t].id}" for t in CARDS[card].traits)
        fail(f"the card {CARDS[card].name} has no {TRAITS[trait].id}", path, hint=f"one of: {sides}")
    return CARDS[card].traits.index(trait)
