"""Annotated scenarios: a position, a script, notes and questions at its steps.

The format is a case file (`docs/cases.md`: position, play) with

* ``title``, ``intro``, ``end`` in both languages, ``names`` of the players;
* ``notes``: number of a line in ``play`` (from 0) -> what is said when it has been played;
* ``ask``: number of a line -> a question asked before it, ``{question, choices}``.  A choice has a ``text`` and a
  ``reply`` and is ``right`` or not; it may hold a ``move`` that is then tried on the table, and the ``play``, ``notes``
  and ``ask`` of the way on when that move leaves the script.

Files are data from strangers: read without constructing objects, limited in size, refused with file, line and remedy.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from evotutor.cases.model import CaseError
from evotutor.cases.reader import _documents, _survey
from evotutor.core.model import NotationError
from evotutor.core.text import Text

LIMIT: Final = 262_144
"""Bytes of the largest file that is read."""

CASE_KEYS: Final = (
    "id", "game", "question", "answer", "sources", "rules", "rulings", "preset", "position", "play", "expect", "title",
    "intro", "end", "names", "notes", "ask", "viewer",
)  # fmt: skip
ASK_KEYS: Final = ("question", "choices")
CHOICE_KEYS: Final = ("text", "right", "reply", "move", "play", "notes", "ask", "end")


class ScenarioError(NotationError):
    """A scenario that cannot be read; the message begins with file and line."""


@dataclass(frozen=True)
class Choice:
    """One answer: what is said to it, the move it makes and, when that leaves the script, the way on."""

    text: Text
    right: bool
    reply: Text | None = None
    move: str = ""
    way: Script | None = None


@dataclass(frozen=True)
class Ask:
    """A question before a line of the script."""

    question: Text
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Script:
    """Lines to play, what is said after each, what is asked before each; `name` tells it from the other ways on."""

    name: str
    lines: tuple[str, ...]
    notes: Mapping[int, Text] = field(default_factory=dict)
    asks: Mapping[int, Ask] = field(default_factory=dict)
    end: Text | None = None


@dataclass(frozen=True)
class Scenario:
    """A position with its script; `position` is the mapping that `game.position` reads."""

    id: str
    title: Text
    position: Mapping[str, Any]
    script: Script
    intro: Text | None = None
    names: Mapping[str, Text] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    viewer: str = ""
    game: str = "evolution"


# finding files


def lessons_folder() -> Path:
    """The folder `lessons`: beside the package, inside an installed package, or above the working directory.

    FileNotFoundError when there is none.
    """
    package = Path(__file__).resolve().parents[1]
    here = Path.cwd()
    places = [package.parent / "lessons", package / "_lessons", *(p / "lessons" for p in (here, *here.parents))]
    if wish := os.environ.get("EVOTUTOR_LESSONS"):
        places.insert(0, Path(wish))
    for place in places:
        if (place / "scenarios").is_dir():
            return place
    raise FileNotFoundError(f"no folder lessons/scenarios in {places[0].parent} or {here}")


def named(name: str) -> Path:
    """The file of a scenario of this project; ScenarioError with the nearest name when there is none."""
    folder = lessons_folder() / "scenarios"
    known = sorted(path.stem for path in folder.glob("*.yaml"))
    if name not in known:
        near = get_close_matches(name, known, 1) or known
        raise ScenarioError(f"no scenario {name!r}", hint=f"there is {', '.join(near)}")
    return folder / f"{name}.yaml"


# reading


def read(source: str | Path, id: str | None = None) -> Scenario:
    """Read a file, or its text, and take the case with this id (the first without one).

    ScenarioError says file, line, what is wrong and what to write instead.
    """
    where, text = _load(source)
    reader = _Reader(where)
    found = list(reader.documents(text))
    if not found:
        raise ScenarioError(f"{where}: the file holds no case")
    if id is None:
        return reader.scenario(found[0])
    for document in found:
        if document.get("id") == id:
            return reader.scenario(document)
    ids = [str(document.get("id")) for document in found]
    near = get_close_matches(id, ids, 1) or ids
    raise ScenarioError(f"{where}: no case {id!r}", hint=f"there is {', '.join(near)}")


def _load(source: str | Path) -> tuple[str, str]:
    text = str(source)
    if isinstance(source, Path) or (0 < len(text.strip()) < 1000 and "\n" not in text):
        path = Path(source)
        try:
            if path.stat().st_size > LIMIT:
                raise ScenarioError(f"{path.name}: larger than {LIMIT} bytes")
            return path.name, path.read_text(encoding="utf-8")
        except OSError as error:
            raise ScenarioError(f"{path.name}: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise ScenarioError(f"{path.name}: not a text file in UTF-8") from None
    if len(text) > LIMIT:
        raise ScenarioError(f"the text is larger than {LIMIT} characters")
    return "text", text


class _Reader:
    """Turns YAML into a scenario, and every surprise into a `ScenarioError` with its line."""

    def __init__(self, where: str) -> None:
        self.where = where

    def documents(self, text: str) -> Iterator[Mapping[str, Any]]:
        try:
            _survey(text, self.where)
            documents = [document for document in _documents(text, self.where) if document is not None]
        except CaseError as error:
            raise ScenarioError(str(error)) from None
        for document in documents:
            if not isinstance(document, Mapping):
                raise ScenarioError(f"{self.where}: a case is a mapping that begins with `id:`")
            yield document

    def fail(self, node: Any, message: str, key: Any = None, hint: str = "") -> ScenarioError:
        line = getattr(getattr(node, "lc", None), "line", None)
        with suppress(AttributeError, KeyError, IndexError):
            line = node.lc.key(key)[0] if key is not None else line
        at = self.where if line is None else f"{self.where}:{line + 1}"
        return ScenarioError(f"{at}: {message}", hint=hint)

    def scenario(self, node: Mapping[str, Any]) -> Scenario:
        self.keys(node, CASE_KEYS)
        name = str(node.get("id", self.where))
        if not isinstance(node.get("position"), Mapping):
            raise self.fail(node, "`position` is missing", hint="write the table there, see docs/cases.md")
        title = self.text(node, "title") or self.text(node, "question") or Text(name, name)
        called = node.get("names") or {}
        if not isinstance(called, Mapping):
            raise self.fail(node, "`names` is a mapping of player letters", "names")
        return Scenario(
            id=name,
            title=title,
            position=node["position"],
            script=self.script(node, ""),
            intro=self.text(node, "intro") or (self.text(node, "question") if "title" in node else None),
            names={str(key): self.said(called, key) for key in called},
            options=self.options(node),
            viewer=str(node.get("viewer", "")),
            game=str(node.get("game", "evolution")),
        )

    def options(self, node: Mapping[str, Any]) -> dict[str, Any]:
        """Rulings and preset of the case, for `load`."""
        rulings = node.get("rulings") or {}
        if not isinstance(rulings, Mapping):
            raise self.fail(node, "`rulings` is a mapping of names and options", "rulings")
        chosen = {str(name): str(option) for name, option in rulings.items()}
        preset = chosen.pop("preset", None) or node.get("preset")
        return {"rulings": chosen} | ({"preset": str(preset)} if preset else {})

    def script(self, node: Mapping[str, Any], name: str, first: str = "") -> Script:
        play = node.get("play") or []
        if isinstance(play, str | Mapping):
            raise self.fail(node, "`play` is a list of lines", "play")
        lines = [str(line) for line in play if not isinstance(line, Mapping)]  # what is expected is for `check`
        if first:
            lines.insert(0, first)
        notes = self.numbered(node, "notes", len(lines))
        asks = self.numbered(node, "ask", len(lines))
        return Script(
            name=name,
            lines=tuple(lines),
            notes={int(key): self.said(notes, key) for key in notes},
            asks={int(key): self.ask(notes_node, f"{name}/{key}") for key, notes_node in asks.items()},
            end=self.text(node, "end") or self.text(node, "answer"),
        )

    def numbered(self, node: Mapping[str, Any], key: str, size: int) -> Mapping[Any, Any]:
        found = node.get(key) or {}
        if not isinstance(found, Mapping):
            raise self.fail(node, f"`{key}` is a mapping from the number of a line in `play`", key)
        for number in found:
            if not isinstance(number, int) or not 0 <= number < size:
                raise self.fail(found, f"no line {number} in `play`", number, hint=f"0 to {size - 1}")
        return found

    def ask(self, node: Any, name: str) -> Ask:
        if not isinstance(node, Mapping):
            raise self.fail(node, "a question is {question, choices}")
        self.keys(node, ASK_KEYS)
        choices = node.get("choices")
        if not isinstance(choices, list) or not choices:
            raise self.fail(node, "`choices` is a list of answers", "choices")
        return Ask(self.said(node, "question"), tuple(self.choice(c, f"{name}.{i}") for i, c in enumerate(choices)))

    def choice(self, node: Any, name: str) -> Choice:
        if not isinstance(node, Mapping):
            raise self.fail(node, "an answer is {text, right, reply}")
        self.keys(node, CHOICE_KEYS)
        move = str(node.get("move", ""))
        way = self.script(node, name, move) if "play" in node else None
        return Choice(self.said(node, "text"), bool(node.get("right", False)), self.text(node, "reply"), move, way)

    def text(self, node: Mapping[str, Any], key: Any) -> Text | None:
        return self.said(node, key) if node.get(key) is not None else None

    def said(self, node: Mapping[str, Any], key: Any) -> Text:
        """A text in both languages; an id-like string serves for both."""
        value = node.get(key)
        if isinstance(value, str):
            return Text(value, value)
        if not isinstance(value, Mapping) or not all(isinstance(value.get(lang), str) for lang in ("en", "ru")):
            raise self.fail(node, f"`{key}` needs a text in English and in Russian", key, hint="{en: ..., ru: ...}")
        return Text(str(value["en"]).strip(), str(value["ru"]).strip())

    def keys(self, node: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for key in node:
            if key not in known:
                near = get_close_matches(str(key), known, 1)
                raise self.fail(node, f"unknown key {key!r}", key, hint=near[0] if near else ", ".join(known))
