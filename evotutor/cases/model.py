"""What a case is, what running it gives, and the one error of a file that cannot be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from ruamel.yaml import YAML

from evotutor.core.model import Event
from evotutor.core.text import LANGUAGES, Text, fill


class CaseError(ValueError):
    """A file, or a place in it, that cannot be read: `file`, `line` (from 1) and what to do about it."""

    def __init__(self, message: str, file: str, line: int = 1) -> None:
        super().__init__(f"{file}:{line}: {message}")
        self.message, self.file, self.line = message, file, line


@dataclass(frozen=True)
class Case:
    """One document of a case file.  `data` is the document as it was read, with its line numbers."""

    id: str
    data: Mapping[str, Any]
    file: str
    line: int

    @property
    def question(self) -> Mapping[str, str]:
        """The question, by language."""
        return dict(self.data.get("question", {}))

    @property
    def answer(self) -> Mapping[str, str]:
        """The answer, by language."""
        return dict(self.data.get("answer", {}))

    @property
    def rules(self) -> Sequence[str]:
        """Ids of the rules that decide it."""
        return list(self.data.get("rules", ()))

    @property
    def play(self) -> Sequence[Any]:
        """Lines of play, with expectations in between."""
        return list(self.data.get("play", ()))

    @property
    def position(self) -> Mapping[str, Any]:
        """The position, as data."""
        found: Mapping[str, Any] = self.data.get("position", {})
        return found

    def line_of(self, path: Sequence[str | int]) -> int:
        """The line of a place inside the document, or of the nearest place around it that has one."""
        return line_of(self.data, path, self.line)


class Failure(str):
    """A disagreement in words with the line of the file: English as a string, `to` gives either language."""

    texts: Text

    def __new__(cls, line: int, texts: Text) -> Failure:
        """`texts` without the line; each language has its own word for it."""
        found = super().__new__(cls, f"line {line}: {texts.en}")
        found.texts = Text(str(found), f"строка {line}: {texts.ru}")
        return found

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)

    def to(self, lang: str) -> str:
        """The text in this language."""
        return self.texts.to(lang)


@cache
def _words() -> dict[str, dict[str, str]]:
    text = files("evotutor.cases").joinpath("words.yaml").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, str]] = YAML(typ="safe", pure=True).load(text)
    return loaded


def text(key: str, lang: str, /, **params: object) -> str:
    """A text of `words.yaml` in this language."""
    return fill(_words()[key][lang], params)


def failure(number: int, key: str, /, **params: object) -> Failure:
    """A failure in line `number` from the texts of `words.yaml`; `Text` parameters are said in its language."""
    said = {
        lang: text(key, lang, **{name: v.to(lang) if isinstance(v, Text) else v for name, v in params.items()})
        for lang in LANGUAGES
    }
    return Failure(number, Text(**said))


@dataclass
class Result:
    """What running a case gave: failures in words, the events, and the ids of all rules that fired."""

    case: Case
    failures: list[Failure] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    fired: set[str] = field(default_factory=set)

    @property
    def passed(self) -> bool:
        """Did everything happen as expected?"""
        return not self.failures

    def to_json(self, lang: str = "en") -> dict[str, Any]:
        """One record for machines; the failures are told in this language."""
        case, failures = self.case, [failure.to(lang) for failure in self.failures]
        return {"id": case.id, "file": case.file, "line": case.line, "passed": self.passed, "failures": failures}


def line_of(data: Any, path: Sequence[str | int], default: int) -> int:
    """Follow a path through a document read with line numbers."""
    line = default
    for key in path:
        try:
            row, _ = data.lc.item(key) if isinstance(key, int) else data.lc.key(key)
            line = row + 1
            data = data[key]
        except (AttributeError, KeyError, IndexError, TypeError):
            break
    return line


PUZZLES: Final = "puzzles"
"""Folder of puzzle files, which have a form of their own."""


def folder_files(path: Path) -> list[Path]:
    """The case files of a folder, or the file itself; what lies in a folder `puzzles` below it is no case."""
    return [p for p in _yaml_files(path) if PUZZLES not in p.relative_to(path).parts] if path.is_dir() else [path]


def puzzle_files(path: Path) -> list[Path]:
    """The puzzle files of a folder: those in a folder `puzzles`, which it may be itself."""
    if not path.is_dir():
        return [path] if PUZZLES in path.absolute().parts else []
    inside = PUZZLES in path.absolute().parts
    return [p for p in _yaml_files(path) if inside or PUZZLES in p.relative_to(path).parts]


def _yaml_files(path: Path) -> list[Path]:
    return sorted(p for p in path.rglob("*") if p.suffix in (".yaml", ".yml") and p.is_file())
