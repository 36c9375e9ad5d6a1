"""Puzzles as files: one compact YAML file each, read back with care and proven again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from evotutor.analysis.certificate import CertificateError, verify
from evotutor.analysis.solver import Limits

KEYS: Final = (
    "id", "modules", "scenario", "theme", "key", "difficulty", "goal", "seat", "forced", "position", "best", "main",
    "wrong", "lines", "states", "dice", "rules", "certificate",
)  # fmt: skip
NEEDED: Final = frozenset({*KEYS} - {"scenario"})
SHARED: Final = ("position", "goal", "seat", "forced")
"""What the puzzle says and its certificate need not repeat."""
PLAIN: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
WORDS: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
WIDTH: Final = 110
BIGGEST: Final = 200_000
"""Most bytes of a puzzle file."""


class PuzzleError(ValueError):
    """A puzzle file that cannot be read; the message begins with its name."""


def to_file(puzzle: Mapping[str, Any], rules: str) -> dict[str, Any]:
    """A mined puzzle in the order of the file; its certificate without what stands above it."""
    proof = puzzle["certificate"]
    whole = {**puzzle, "forced": proof["forced"], "rules": rules}
    whole["certificate"] = {key: entry for key, entry in proof.items() if key not in SHARED}
    return {key: whole[key] for key in KEYS if key in whole}


def certificate_of(puzzle: Mapping[str, Any]) -> dict[str, Any]:
    """The whole certificate of a puzzle from a file."""
    return {**{key: puzzle[key] for key in SHARED}, **puzzle["certificate"]}


def write(folder: Path, puzzles: Iterable[Mapping[str, Any]]) -> list[Path]:
    """One file for each puzzle, named by its id."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for puzzle in puzzles:
        path = folder / f"{puzzle['id']}.yaml"
        path.write_text(text(puzzle), encoding="utf-8")
        paths.append(path)
    return paths


def text(puzzle: Mapping[str, Any]) -> str:
    """YAML: one line for each key, lists and players over several lines where they are long."""
    rows = []
    for key, entry in puzzle.items():
        line = f"{key}: {_flow(entry)}"
        if len(line) <= WIDTH or not isinstance(entry, (dict, list)):
            rows.append(line)
        elif isinstance(entry, list):
            rows += [f"{key}:", *(f"- {_flow(one)}" for one in entry)]
        else:
            rows += [f"{key}:", *_block(entry, "  ")]
    return "\n".join(rows) + "\n"


def _block(entry: Mapping[str, Any], indent: str) -> list[str]:
    rows = []
    for key, one in entry.items():
        line = f"{indent}{key}: {_flow(one)}"
        if len(line) > WIDTH and isinstance(one, dict) and len(one) > 1:
            rows += [f"{indent}{key}:", *_block(one, indent + "  ")]
        else:
            rows.append(line)
    return rows


def _flow(entry: Any) -> str:
    if isinstance(entry, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(one)}" for key, one in entry.items()) + "}"
    if isinstance(entry, (list, tuple)):
        return "[" + ", ".join(map(_flow, entry)) + "]"
    if isinstance(entry, str) and (entry in ("A", "B", "C", "D") or (PLAIN.match(entry) and entry not in WORDS)):
        return entry
    return json.dumps(entry, ensure_ascii=False)


def read(path: Path) -> dict[str, Any]:
    """One puzzle from a file; PuzzleError when it is not one."""
    if path.stat().st_size > BIGGEST:
        raise PuzzleError(f"{path}: too big for a puzzle")
    try:
        loaded = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except (YAMLError, ValueError, RecursionError) as error:
        raise PuzzleError(f"{path}: {str(error).splitlines()[0]}") from error
    if not isinstance(loaded, dict):
        raise PuzzleError(f"{path}: no puzzle")
    missing, strange = NEEDED - loaded.keys(), loaded.keys() - {*KEYS}
    if missing or strange:
        named = ", ".join(sorted(map(str, missing or strange)))
        raise PuzzleError(f"{path}: {'missing' if missing else 'unknown'}: {named}")
    return loaded


def files_of(path: Path) -> list[Path]:
    """A puzzle file, or all of a folder."""
    return sorted(path.glob("**/*.yaml")) if path.is_dir() else [path]


def prove(path: Path, seconds: float = 60.0) -> list[str]:
    """What does not hold of a puzzle's proof, [] when all does; PuzzleError when it cannot be read."""
    puzzle = read(path)
    try:
        wrong = verify(certificate_of(puzzle), Limits(seconds=seconds))
    except (CertificateError, TypeError, AttributeError) as error:
        raise PuzzleError(f"{path}: {error}") from error
    if puzzle["certificate"]["best"] != [puzzle["best"]] or not puzzle["certificate"]["only"]:
        wrong.append("the best line is not the only one of the certificate")
    return wrong
