"""The rules as entries: what reasons, events, cases and lessons cite by id."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from evotutor.core.text import Text
from evotutor.rulebook.store import Entries, UnknownId

PHASES: Final = ("setup", "any", "development", "food", "feeding", "extinction", "score")
GAMES: Final = ("evolution", "new-world", "dominant-species")

_ALIASES: Final = re.compile(r"^  aliases: \[(.*)\]$", re.MULTILINE)


class Rule(NamedTuple):
    """One rule.

    `text` states it; `reason` is said when it refuses a move, `cause` when it made something happen (both are
    templates, see `evotutor.core.text`); `source` are tags of the sources with pages; `phase` is one of `PHASES`;
    `trait` is the id of the trait it belongs to or ""; `ruling` is the disputed point it depends on or "".
    """

    id: str
    game: str
    title: Text
    text: Text
    reason: Text
    cause: Text | None
    source: tuple[str, ...]
    phase: str
    trait: str = ""
    ruling: str = ""
    aliases: tuple[str, ...] = ()


@cache
def _entries(game: str) -> Entries:
    folder = files(__package__).joinpath("data", game)
    if not folder.is_dir():
        return Entries(())
    return Entries(sorted((f for f in folder.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name))


@cache
def _games() -> dict[str, str]:
    """Rule id or alias -> game."""
    known: dict[str, str] = {}
    for game in GAMES:
        for name in (*_entries(game), *_aliases(game)):
            if name in known:
                raise ValueError(f"the rule id {name} is used twice, in {known[name]} and in {game}")
            known[name] = game
    return known


@cache
def _aliases(game: str) -> dict[str, str]:
    entries = _entries(game)
    return {
        alias.strip(): name
        for name in entries
        for match in _ALIASES.finditer(entries.raw(name))
        for alias in match[1].split(",")
    }


@cache
def _build(game: str, name: str) -> Rule:
    entry: dict[str, Any] = dict(_entries(game)[name])
    where = _entries(game).origin(name)
    if strange := entry.keys() - {*Rule._fields} | {"id", "game"} & entry.keys():
        raise ValueError(f"{where}: {name} has no field {', '.join(sorted(strange))}")
    if entry["phase"] not in PHASES:
        raise ValueError(f"{where}: no phase {entry['phase']!r}; phases: {', '.join(PHASES)}")
    return Rule(
        id=name,
        game=game,
        title=Text(**entry["title"]),
        text=Text(**entry["text"]),
        reason=Text(**entry["reason"]),
        cause=Text(**entry["cause"]) if "cause" in entry else None,
        source=tuple(entry["source"]),
        phase=entry["phase"],
        trait=entry.get("trait", ""),
        ruling=entry.get("ruling", ""),
        aliases=tuple(entry.get("aliases", ())),
    )


def rule(name: str) -> Rule:
    """The rule with this id or alias; `UnknownId` (a KeyError) names the nearest ids."""
    game = _games().get(name)
    if game is None:
        raise UnknownId("rule", name, _games())
    return _build(game, _aliases(game).get(name, name))


def rule_ids(game: str | None = None) -> tuple[str, ...]:
    """The ids of all rules, or of one game's, in the order of the rulebook; nothing is parsed for it."""
    return tuple(name for g in GAMES if game in (None, g) for name in _entries(g))


def rules(game: str | None = None, trait: str | None = None, phase: str | None = None) -> list[Rule]:
    """All rules, or those of one game, trait, phase."""
    found = (rule(name) for name in rule_ids(game))
    return [r for r in found if trait in (None, r.trait) and phase in (None, r.phase)]


def search(words: str, lang: str = "en", game: str | None = None) -> list[Rule]:
    """Rules in whose id or text every one of the words occurs, those with the words in the title first.

    Case does not matter, nor does ё.
    """
    wanted = _plain(words).split()

    def rank(r: Rule) -> int:
        title = _plain(f"{r.title.to(lang)} {r.id}")
        everything = _plain(f"{title} {r.text.to(lang)} {r.reason.to(lang)}")
        if not all(word in everything for word in wanted):
            return 0
        return 2 if all(word in title for word in wanted) else 1

    ranked = [(rank(r), r) for r in rules(game)] if wanted else []
    return [r for n, r in sorted(ranked, key=lambda pair: -pair[0]) if n]


def _plain(text: str) -> str:
    return text.lower().replace("ё", "е")
