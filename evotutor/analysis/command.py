"""What the commands of this package share: the position that is asked about, its words, and refusals."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from evotutor.cases import Case, CaseError, read_case_file
from evotutor.core.text import LANGUAGES, default_language, fill


@cache
def _words(book: str) -> dict[str, dict[str, str]]:
    text = files("evotutor.analysis").joinpath(f"{book}_words.yaml").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, str]] = YAML(typ="safe", pure=True).load(text)
    return loaded


def say(book: str, key: str, lang: str, /, **params: object) -> str:
    """A text of ``BOOK_words.yaml`` of this package."""
    return fill(_words(book)[key][lang], params)


def add_position(parser: argparse.ArgumentParser, optional: bool = False) -> None:
    """FILE with --id, --after, --lang and --json, as in `evotutor ask`; the help is in the reader's language."""
    lang = default_language()
    parser.add_argument("file", metavar="FILE", nargs="?" if optional else None, help=say("command", "file", lang))
    parser.add_argument("--id", metavar="CASE", help=say("command", "id", lang))
    parser.add_argument("--after", action="store_true", help=say("command", "after", lang))
    parser.add_argument("--lang", choices=LANGUAGES, default=lang, help=say("command", "lang", lang))
    parser.add_argument("--json", action="store_true", help=say("command", "json", lang))


def chosen(args: argparse.Namespace) -> Case:
    """The case of the file that is asked about; CaseError when it is not there."""
    cases = read_case_file(Path(args.file))
    for case in cases:
        if args.id in (None, case.id):
            return case
    known = ", ".join(case.id for case in cases[:20])
    raise CaseError(say("command", "no-case", args.lang, id=args.id, file=args.file, known=known), args.file)


def rulings(words: Sequence[str], file: str) -> dict[str, str]:
    """``["mimicry=optional"]`` as a mapping; CaseError for what is not NAME=OPTION.

    ``preset=NAME`` stands for the whole bundle, with all that it leaves at the default.
    """
    from evotutor.games.evolution.rulings import choose

    found: dict[str, str] = {}
    for word in words:
        name, equals, option = (part.strip() for part in word.partition("="))
        if not equals or not name or not option:
            raise CaseError(f"--ruling {word}: write it as NAME=OPTION", file)
        try:
            found.update(choose({}, option) if name == "preset" else {name: option})
        except ValueError as error:
            raise CaseError(f"--ruling {word}: {error}", file) from error
    return found


def columns(rows: Sequence[Sequence[str]], gap: str = "  ") -> str:
    """Rows as a text table; the columns are as wide as their widest entry."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        gap.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def plain(value: Any) -> Any:
    """A value for JSON: fractions as ``"1/2"``, tuples as lists, sets sorted."""
    from fractions import Fraction

    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(map(plain, value))
    return [plain(entry) for entry in value] if isinstance(value, (list, tuple)) else value
