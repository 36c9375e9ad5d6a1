"""Mutation check: switch off one rule at a time; if no case fails, no case proves that rule.

Names come from `game.mutations()`: every prohibition, every effect, every alternative of a ruling.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from evotutor.cases import CaseError, read_cases, run_case
from evotutor.cases.model import Case
from evotutor.games import load
from evotutor.games.evolution.game import PLAYABLE

PATHS = ("lessons/cases",)


class Verdict(NamedTuple):
    """What became of a mutant: the first case that failed, "" when all passed (it survived), and how many were run."""

    name: str
    killer: str
    failure: str
    cases: int


def judge(cases: Sequence[Case], name: str) -> Verdict:
    """Run the cases with one thing off until one fails; an error of the rules counts as a failure."""
    for number, case in enumerate(cases, 1):
        try:
            result = run_case(case, disabled=(name,))
            failure = str(result.failures[0]) if result.failures else ""
        except CaseError as error:
            failure = error.message
        except Exception as error:  # a mutant may break the rules in any way
            failure = f"{type(error).__name__}: {error}"
        if failure:
            return Verdict(name, case.id, failure, number)
    return Verdict(name, "", "", len(cases))


def likely_first(cases: Iterable[Case], name: str) -> list[Case]:
    """The cases that speak of a rule come first: they are the ones to fail."""
    rule = name.removeprefix("hook:").removeprefix("ruling:").partition("=")[0]
    return sorted(cases, key=lambda case: not any(r == rule or r.startswith(rule + ".") for r in case.rules))


_CASES: dict[tuple[str, ...], list[Case]] = {}


def _judge_paths(paths: tuple[str, ...], skip: tuple[str, ...], name: str) -> Verdict:
    if paths not in _CASES:
        _CASES[paths] = [case for case in read_cases(paths) if case.id not in skip]
    return judge(likely_first(_CASES[paths], name), name)


def names_of(only: Sequence[str] = ()) -> list[str]:
    """Names of all mutants, or of those that contain one of the given words."""
    names = set(load("evolution", modules=PLAYABLE).mutations())
    names |= set(load("evolution", scenario="cataclysm").mutations())
    for ruling, option in (
        ("ambush-own", "forbidden"),
        ("metamorphose", "once-per-turn"),
        ("specialization", "once-per-turn"),
    ):
        names |= set(load("evolution", modules=PLAYABLE, rulings={ruling: option}).mutations())
    return sorted(name for name in names if not only or any(word in name for word in only))


def mutate(
    paths: Sequence[str],
    names: Sequence[str],
    workers: int = 2,
    progress: bool = True,
    executor: Executor | None = None,
    skip: Sequence[str] = (),
) -> list[Verdict]:
    """Judge all mutants on several processes; `skip` names cases to leave out."""
    task = partial(_judge_paths, tuple(map(str, paths)), tuple(skip))
    with executor or ProcessPoolExecutor(workers) as pool:
        return list(_bar(pool.map(task, names), len(names), progress))


def _bar(parts: Iterable[Verdict], total: int, progress: bool) -> Iterable[Verdict]:
    if not progress:
        return parts
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        return parts
    bar: Iterable[Verdict] = tqdm(parts, total=total, unit=" rules", file=sys.stderr)
    return bar


def failing(paths: Sequence[str]) -> list[str]:
    """Cases that fail with everything on; with them a mutation check means nothing."""
    return [case.id for case in read_cases(paths) if not run_case(case).passed]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor mutate`."""
    parser.add_argument(
        "paths", nargs="*", type=Path, default=list(PATHS), metavar="PATH", help="case files or folders"
    )
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="only names that contain this word")
    parser.add_argument("--skip-failing", action="store_true", help="leave out cases that fail with all rules on")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="one JSON record with every verdict")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def run(args: argparse.Namespace) -> int:
    """`evotutor mutate`: exit code 0 when every mutant fails a case, 1 when some survive, 2 when the cases fail."""
    began, paths = perf_counter(), [str(path) for path in args.paths]
    try:
        broken = failing(paths)
    except CaseError as error:
        print(error, file=sys.stderr)
        return 2
    if broken and not args.skip_failing:
        print(f"these cases fail with all rules on: {', '.join(broken)}", file=sys.stderr)
        return 2
    verdicts = mutate(paths, names_of(args.only), args.workers, not args.quiet, skip=broken)
    survivors = [v.name for v in verdicts if not v.killer]
    if args.json:
        print(json.dumps(_record(verdicts, survivors, perf_counter() - began), indent=1, ensure_ascii=False))
    else:
        print(f"{len(verdicts) - len(survivors)} of {len(verdicts)} mutants fail a case")
        for name in survivors:
            print(f"survives: {name}")
    return 1 if survivors else 0


def _record(verdicts: Sequence[Verdict], survivors: list[str], seconds: float) -> dict[str, Any]:
    return {
        "mutants": len(verdicts),
        "killed": len(verdicts) - len(survivors),
        "survivors": survivors,
        "seconds": round(seconds, 1),
        "verdicts": [v._asdict() for v in verdicts],
    }
