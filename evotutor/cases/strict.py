"""The words of a case beyond its schema: players, animals, traits and rules must exist.

The schema says which keys there are; here the values are looked up, and a wrong one is refused with the nearest that is
right.  What can only be known while playing (has this animal been on the table?) is for the runner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from typing import Any, Final

from evotutor.games.evolution.catalog import TRAITS, card_of, trait_of
from evotutor.games.evolution.locations import LOCATIONS

Path = tuple[str | int, ...]
PLACES: Final = (
    "bank", *(f"bank {word}" for word in LOCATIONS), "stock", "box", "grazed", "wasted", "lost", "leftover", "cleared",
)  # fmt: skip
"""Where tokens come from and go to, beside animals and `fat ANIMAL`."""
ITEMS: Final = ("total", "animal", "trait", "need", "pair-once")
COLOURS: Final = ("red", "blue", "yellow", "n")
_ANIMAL: Final = re.compile(r"[a-h][1-9][0-9]{0,2}")
_PLAYER: Final = re.compile(r"[A-H]")


class Wrong(ValueError):
    """A value that is no word here; `path` leads to it inside the document."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(f"{'.'.join(map(str, path))}: {message}")
        self.path = path


def near(word: str, known: Iterable[str]) -> str:
    """What to write instead: the nearest known word, or all of them when they are few."""
    words = list(known)
    found = get_close_matches(word[:80], words, 1, 0.5)
    if found:
        return f"; did you mean {found[0]!r}?"
    return f"; known: {', '.join(words)}" if len(words) <= 30 else ""


@cache
def rules() -> tuple[str, ...]:
    """Ids of all rules."""
    from evotutor.rulebook import rule_ids

    return tuple(rule_ids())


def check(data: Mapping[str, Any]) -> None:
    """Look up every word of a document that fits the schema; `Wrong` for the first that does not exist."""
    for i, name in enumerate(data.get("rules", ())):
        _rule(name, ("rules", i))
    for i, entry in enumerate(data.get("play", ())):
        if isinstance(entry, Mapping):
            _expect(entry["expect"], ("play", i, "expect"))
        elif not entry.strip():
            raise Wrong(("play", i), "an empty line; write PLAYER: verb arguments")
    _expect(data.get("expect", {}), ("expect",))


def _expect(expect: Mapping[str, Any], path: Path) -> None:
    for key, value in expect.items():
        if key in _CHECKS:
            _CHECKS[key](value, (*path, key))


def _rule(name: str, path: Path, beginning: bool = False) -> None:
    if name not in rules() and not (beginning and name and any(known.startswith(name) for known in rules())):
        raise Wrong(path, f"{name[:60]!r} is no rule{near(name, rules())}")


def _player(name: str | None, path: Path) -> None:
    if name is not None and not _PLAYER.fullmatch(name):
        raise Wrong(path, f"{name[:20]!r} is no player; players are A, B, C ...")


def _animal(name: Any, path: Path) -> None:
    if not isinstance(name, str) or not _ANIMAL.fullmatch(name):
        raise Wrong(path, f"{str(name)[:20]!r} is no animal; animals are a1, a2, b1 ...")


def _trait(name: str, path: Path) -> None:
    if name not in trait_of:
        raise Wrong(path, f"{name[:60]!r} is no trait{near(name, (trait.id for trait in TRAITS))}")


def _players(value: Mapping[str, Any], path: Path) -> None:
    for name in value:
        _player(name, (*path, name))


def _winner(value: str | list[str], path: Path) -> None:
    for i, name in enumerate([value] if isinstance(value, str) else value):
        _player(name, path if isinstance(value, str) else (*path, i))


def _score(value: Mapping[str, Any], path: Path) -> None:
    _players(value, path)
    for player, items in value.items():
        for item in items if isinstance(items, Mapping) else ():
            if item not in ITEMS:
                raise Wrong((*path, player, item), f"{item[:40]!r} is no item of a score{near(item, ITEMS)}")


def _piles(value: Mapping[str, Any], path: Path) -> None:
    _players(value, path)
    for player, cards in value.items():
        for i, card in enumerate(cards if isinstance(cards, list) else ()):
            if card != "?" and card not in card_of:
                raise Wrong((*path, player, i), f"{card[:60]!r} is no card{near(card, card_of)}")


def _animals(value: Mapping[str, Mapping[str, Any]], path: Path) -> None:
    for name, facts in value.items():
        _animal(name, (*path, name))
        for key in ("traits", "used"):
            for i, trait in enumerate(facts.get(key, ())):
                _trait(trait, (*path, name, key, i))
        for hunter, traits in facts.get("void", {}).items():
            _animal(hunter, (*path, name, "void", hunter))
            for trait in [traits] if isinstance(traits, str) else traits:
                _trait(trait, (*path, name, "void", hunter))
        if facts.get("alive") is False and len(facts) > 1:
            raise Wrong((*path, name), "nothing more can be said of an animal that is not alive")


def _links(value: list[Mapping[str, Any]], path: Path) -> None:
    for i, entry in enumerate(value):
        here = (*path, i)
        if len(entry) != 1:
            raise Wrong(here, "a link is one pair trait with its two animals, as in cooperation: [a1, a2]")
        name, ends = next(iter(entry.items()))
        trait = name.rstrip("*")
        _trait(trait, (*here, name))
        if not trait_of[trait].pair:
            raise Wrong((*here, name), f"{trait} is not a pair trait")
        if isinstance(ends, Mapping) and set(ends) == {"symbiont", "protected"} and trait == "symbiosis":
            ends = list(ends.values())
        if not isinstance(ends, list) or len(ends) != 2:
            example = "{symbiont: a1, protected: a2}" if trait == "symbiosis" else "[a1, a2]"
            raise Wrong((*here, name), f"a pair trait lies between two animals, as in {example}")
        for end in ends:
            _animal(end, (*here, name))


def _flow(value: list[Mapping[str, Any]], path: Path) -> None:
    for i, entry in enumerate(value):
        if not entry:
            raise Wrong((*path, i), "say which tokens: from, to, red, blue, yellow, n, by")
        if sum(colour in entry for colour in COLOURS) > 1:
            raise Wrong((*path, i), "one colour in an entry; write an entry for each")
        for key in ("from", "to"):
            place = entry.get(key, "bank")
            if place not in PLACES and not _ANIMAL.fullmatch(place.removeprefix("fat ")):
                known = near(place, (*PLACES, "a1", "fat a1"))
                raise Wrong((*path, i, key), f"{place[:40]!r} is no place of tokens{known}")
        causes = {*trait_of, *rules(), *(rule.partition(".")[0] for rule in rules())}
        if "by" in entry and entry["by"] not in causes:
            word = entry["by"]
            raise Wrong((*path, i, "by"), f"{word[:60]!r} is no trait or rule{near(word, sorted(causes))}")


def _fires(value: list[str], path: Path) -> None:
    for i, name in enumerate(value):
        _rule(name, (*path, i))


def _illegal(value: Mapping[str, Any], path: Path) -> None:
    for line, wanted in value.items():
        wanted = wanted["only"] if isinstance(wanted, Mapping) else wanted
        for rule in [wanted] if isinstance(wanted, str) else wanted:
            _rule(rule, (*path, line), beginning=True)


_CHECKS: Final[dict[str, Callable[[Any, Path], None]]] = {
    "first": _player,
    "to_move": _player,
    "winner": _winner,
    "places": _players,
    "score": _score,
    "hand": _piles,
    "discard": _piles,
    "animals": _animals,
    "links": _links,
    "flow": _flow,
    "illegal": _illegal,
    "fires": _fires,
}
