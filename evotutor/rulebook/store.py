"""The YAML files of the rulebook, read entry by entry.

An entry is a top-level key with all that is indented below it.  The files are split into entries by their lines, and an
entry is parsed when it is first asked for, so that a program that needs three rules does not wait for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from typing import Any, Final

from ruamel.yaml import YAML

_TOP: Final = re.compile(r"^([a-z][\w.-]*):", re.MULTILINE)


class UnknownId(KeyError):
    """An id that the rulebook does not have; `near` are the nearest that it has."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        self.name, self.near = name, tuple(get_close_matches(name, list(known), 3, 0.5))
        self.message = f"no {what} {name!r}" + (f"; did you mean {', '.join(self.near)}?" if self.near else "")
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message


class Entries(Mapping[str, Any]):
    """The entries of some files, in the order of the files; `origin` tells where an entry stands."""

    def __init__(self, files: Iterable[Traversable]) -> None:
        self._raw: dict[str, str] = {}
        self._parsed: dict[str, Any] = {}
        self._origin: dict[str, tuple[Traversable, int]] = {}
        for file in files:
            self._split(file)

    def _split(self, file: Traversable) -> None:
        text = file.read_text(encoding="utf-8")
        starts = [*_TOP.finditer(text)]
        ends = [match.start() for match in starts[1:]] + [len(text)]
        for match, end in zip(starts, ends, strict=True):
            name, line = match[1], text.count("\n", 0, match.start()) + 1
            if name in self._raw:
                raise ValueError(f"{file.name}:{line}: {name} is defined twice")
            self._raw[name], self._origin[name] = text[match.start() : end], (file, line)

    def __getitem__(self, name: str) -> Any:
        if name not in self._parsed:
            self._parsed[name] = YAML(typ="safe", pure=True).load(self._raw[name])[name]
        return self._parsed[name]

    def __contains__(self, name: object) -> bool:
        return name in self._raw

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def raw(self, name: str) -> str:
        """The text of an entry as it stands in its file."""
        return self._raw[name]

    def origin(self, name: str) -> str:
        """File and line of an entry."""
        file, line = self._origin[name]
        return f"{file.name}:{line}"
