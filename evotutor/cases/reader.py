"""Read case files.  They come from strangers: size, depth and structure are limited, nothing in them can run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import fastjsonschema
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, DocumentStartEvent, ScalarEvent

from evotutor.cases import strict
from evotutor.cases.model import Case, CaseError, folder_files, line_of

MAX_BYTES: Final = 2_000_000
MAX_DEPTH: Final = 40
MAX_DOCUMENTS: Final = 5000
MAX_DIGITS: Final = 18
MAX_PARTS: Final = 200_000
"""Most words, lists and mappings of a file: YAML that is only brackets takes minutes."""
PLAIN_TAGS: Final = tuple(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "bool", "null", "map", "seq"))


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of a case, as data."""
    text = files("evotutor.cases").joinpath("schema", "case.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def _validator() -> Any:
    return fastjsonschema.compile(schema())


def read_text(text: str, name: str = "<text>") -> list[Case]:
    """Read the cases of a text; CaseError names file and line."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise CaseError(f"the file is larger than {MAX_BYTES // 1_000_000} MB; split it", name)
    if "\0" in text:
        raise CaseError("the file holds a NUL character; is it text?", name, text[: text.index("\0")].count("\n") + 1)
    starts = _survey(text, name)
    cases = []
    for start, data in zip(starts, _documents(text, name), strict=False):
        if data is None:
            continue
        cases.append(_case(data, name, start))
    if not cases:
        raise CaseError("no case in this file", name)
    return cases


def read_case_file(path: Path | str) -> list[Case]:
    """Read one file; CaseError when it is not there, is not text, or is not a case file."""
    path = Path(path)
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CaseError(f"the file is larger than {MAX_BYTES // 1_000_000} MB; split it", str(path))
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CaseError("the file is not UTF-8 text; save it as UTF-8", str(path)) from error
    except OSError as error:
        raise CaseError(f"cannot be read: {error.strerror}", str(path)) from error
    return read_text(text, str(path))


def read_cases(paths: Iterable[Path | str], problems: list[CaseError] | None = None) -> list[Case]:
    """Read files and folders; ids must be unique over all of them.

    The first problem is raised, or with a list for them each file's problem is noted and the other files are read.
    """
    cases: dict[str, Case] = {}
    for file in (file for path in paths for file in folder_files(Path(path))):
        try:
            for case in read_case_file(file):
                other = cases.setdefault(case.id, case)
                if other is not case:
                    where = f"{other.file}:{other.line}"
                    raise CaseError(f"the id {case.id!r} is used in {where} too", case.file, case.line)
        except CaseError as error:
            if problems is None:
                raise
            problems.append(error)
    return list(cases.values())


def _survey(text: str, name: str) -> list[int]:
    """First lines of the documents; refuses tags, aliases and depth before anything is built."""
    starts: list[int] = []
    depth = 0
    try:
        for parts, event in enumerate(YAML(typ="safe", pure=True).parse(text)):
            line = event.start_mark.line + 1
            if parts > MAX_PARTS:
                raise CaseError(f"more than {MAX_PARTS} words, lists and mappings in one file; split it", name, line)
            if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
                raise CaseError("anchors and aliases (& and *) are not allowed; quote such a text", name, line)
            if (tag := getattr(event, "tag", None)) and str(tag) not in PLAIN_TAGS:
                raise CaseError(f"the tag {str(tag)[:40]} is not allowed; quote a text that begins with !", name, line)
            if isinstance(event, DocumentStartEvent):
                starts.append(line)
                if len(starts) > MAX_DOCUMENTS:
                    raise CaseError(f"more than {MAX_DOCUMENTS} documents in one file", name, line)
            if isinstance(event, ScalarEvent) and event.style is None:
                _plain_scalar(str(event.value), name, line)
            depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise CaseError(f"nested deeper than {MAX_DEPTH} levels", name, line)
    except CaseError:
        raise
    except (YAMLError, ValueError, RecursionError) as error:
        raise _yaml_error(error, name) from error
    return starts


def _plain_scalar(value: str, name: str, line: int) -> None:
    if value == "<<":
        raise CaseError("merge keys (<<) are not allowed; write the keys out", name, line)
    if len(value) > MAX_DIGITS and value.lstrip("+-").replace("_", "").isdecimal():
        raise CaseError(f"a number of {len(value)} figures is too large", name, line)


def _documents(text: str, name: str) -> list[Any]:
    yaml = YAML(typ="rt", pure=True)
    yaml.preserve_quotes = False
    try:
        return list(yaml.load_all(text))
    except (YAMLError, ValueError, RecursionError) as error:
        raise _yaml_error(error, name) from error


def _yaml_error(error: Exception, name: str) -> CaseError:
    mark = error.problem_mark if isinstance(error, MarkedYAMLError) else None
    problem = error.problem if isinstance(error, MarkedYAMLError) else str(error)
    first = str(problem or "unreadable YAML").strip().splitlines()[0][:200]
    return CaseError(f"not valid YAML: {first}", name, mark.line + 1 if mark else 1)


def _case(data: Any, name: str, start: int) -> Case:
    line = data.lc.line + 1 if hasattr(data, "lc") and data.lc.line is not None else start
    if not isinstance(data, Mapping):
        raise CaseError("a case is a mapping with id, position, play and expect", name, line)
    for key, value in data.items():
        here = line_of(data, [key], line)
        _check_keys({key: None}, name, here)
        _check_keys(value, name, here, numbers=key in ("notes", "ask"))
    try:
        _validator()(data)
    except fastjsonschema.JsonSchemaValueException as error:
        path = [int(p) if p.isdecimal() else p for p in error.path[1:]]
        raise CaseError(_explain(error), name, _line(data, path, error, line)) from error
    try:
        strict.check(data)
    except strict.Wrong as wrong:
        raise CaseError(str(wrong), name, line_of(data, wrong.path, line)) from wrong
    return Case(str(data["id"]), data, name, line)


def _check_keys(data: Any, name: str, line: int, numbers: bool = False) -> None:
    """Every key is a word; in the notes and questions of a scenario a number may say to which line they belong."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            here = line_of(data, [key], line)
            is_number = isinstance(key, int) and not isinstance(key, bool)
            if not isinstance(key, str) and not (numbers and is_number):
                raise CaseError(f"{str(key)[:40]!r} cannot be a key; keys are words", name, here)
            _check_keys(value, name, here, numbers)
    elif isinstance(data, list):
        for i, value in enumerate(data):
            _check_keys(value, name, line_of(data, [i], line), numbers)


def _unknown(error: Any) -> list[Any]:
    known = (error.definition or {}).get("properties", {})
    return [key for key in error.value if key not in known] if isinstance(error.value, Mapping) else []


def _line(data: Any, path: list[str | int], error: Any, line: int) -> int:
    extra: list[str | int] = list(_unknown(error)[:1]) if error.rule == "additionalProperties" else []
    return line_of(data, [*path, *extra], line)


def _explain(error: Any) -> str:
    where = ".".join(error.path[1:]) or "the case"
    if error.rule == "additionalProperties" and (unknown := _unknown(error)):
        word = str(unknown[0])
        return f"{where}: {word[:60]!r} is not known here{strict.near(word, error.definition['properties'])}"
    if error.rule == "required":
        missing = [key for key in error.rule_definition if key not in error.value]
        return f"{where}: {', '.join(missing)} is missing"
    if error.rule == "enum":
        words = list(map(str, error.rule_definition))
        return f"{where}: {str(error.value)[:60]!r} is not known here{strict.near(str(error.value), words)}"
    if error.rule == "oneOf" and where.startswith("play") and isinstance(error.value, Mapping):
        return f'{where}: a line of play that holds a colon is quoted: - "A: take a1"'
    if error.rule in ("oneOf", "anyOf"):
        return f"{where}: {str(error.value)[:60]!r} cannot stand here"
    if error.rule == "pattern" and where == "id":
        return f"id: {str(error.value)[:60]!r} is not kebab-case (small letters, figures and single hyphens)"
    if error.rule == "type":
        return f"{where}: {error.rule_definition} expected, found {str(error.value)[:60]!r}"
    return f"{where}: must {error.message.rpartition(' must ')[2][:160]}"
