"""Disputed points of the rules: the question, the answers that sources give, and the bundles of answers (presets)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from evotutor.core.text import Text
from evotutor.rulebook.store import Entries, UnknownId

_PRESETS: Final = "presets"


class Option(NamedTuple):
    """One answer to a disputed point and the sources that give it (RUL: our own ruling)."""

    id: str
    text: Text
    source: tuple[str, ...]


class Ruling(NamedTuple):
    """A disputed point.  `default` is the id of one of `options`; `rules` are the ids of the rules it changes."""

    id: str
    question: Text
    options: tuple[Option, ...]
    default: str
    conflict: str
    rules: tuple[str, ...]

    def option(self, name: str) -> Option:
        """One of the options; `UnknownId` (a KeyError) names the nearest."""
        for option in self.options:
            if option.id == name:
                return option
        raise UnknownId(f"option of {self.id}", name, [o.id for o in self.options])


class Preset(NamedTuple):
    """A named bundle of rulings: only what departs from the defaults."""

    id: str
    title: Text
    text: Text
    options: dict[str, str]


@cache
def _entries() -> Entries:
    return Entries([files(__package__).joinpath("data", "rulings.yaml")])


@cache
def ruling(name: str) -> Ruling:
    """The disputed point with this id; `UnknownId` (a KeyError) names the nearest ids."""
    if name not in _entries() or name == _PRESETS:
        raise UnknownId("ruling", name, ruling_ids())
    entry = _entries()[name]
    options = tuple(Option(o, Text(e["en"], e["ru"]), tuple(e["source"])) for o, e in entry["options"].items())
    return Ruling(name, Text(**entry["question"]), options, entry["default"], entry["conflict"], tuple(entry["rules"]))


def ruling_ids() -> tuple[str, ...]:
    """The ids of all disputed points."""
    return tuple(name for name in _entries() if name != _PRESETS)


def rulings() -> tuple[Ruling, ...]:
    """All disputed points."""
    return tuple(map(ruling, ruling_ids()))


@cache
def presets() -> tuple[Preset, ...]:
    """All presets, the default first."""
    return tuple(
        Preset(name, Text(**e["title"]), Text(**e["text"]), dict(e["options"]))
        for name, e in _entries()[_PRESETS].items()
    )
