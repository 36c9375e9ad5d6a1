"""Words outside the rules: names of phases, questions, buttons, tokens, conditions, events (`data/words.yaml`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from evotutor.core.text import Text, fill
from evotutor.rulebook.store import Entries, UnknownId


@cache
def _entries() -> Entries:
    return Entries([files(__package__).joinpath("data", "words.yaml")])


def word_keys() -> tuple[str, ...]:
    """The keys of all words, as paths: ``phase.feeding``."""
    return tuple(key for group in _entries() for key in _leaves(group, _entries()[group]))


def _leaves(path: str, node: Mapping[str, Any]) -> Iterator[str]:
    if _is_text(node):
        yield path
        return
    for key, child in node.items():
        yield from _leaves(f"{path}.{key}", child)


def _is_text(node: Mapping[str, Any]) -> bool:
    return node.keys() == {"en", "ru"} and isinstance(node["en"], str)


@cache
def text_of(key: str) -> Text:
    """The word's template in both languages; `UnknownId` (a KeyError) names the nearest keys."""
    group, *path = key.split(".")
    node: Any = _entries().get(group)
    for step in path:
        node = node.get(step) if isinstance(node, dict) else None
    if not isinstance(node, dict) or not _is_text(node):
        raise UnknownId("word", key, word_keys())
    return Text(node["en"], node["ru"])


def has_word(key: str) -> bool:
    """Is there a word with this key?"""
    try:
        text_of(key)
    except UnknownId:
        return False
    return True


def word(key: str, lang: str = "en", **params: object) -> str:
    """The word in this language with its parameters put in: ``word("tokens.red", "ru", n=2)``.

    `UnknownId` for a key that is not in the file, KeyError for a parameter that is missing.
    """
    return fill(text_of(key).to(lang), params)
