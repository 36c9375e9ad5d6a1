"""`evotutor mine`: search for puzzles and prove them, on this machine or on a Dask cluster."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final

from evotutor.analysis import batch, puzzle_files
from evotutor.analysis.command import say
from evotutor.analysis.evolution_tables import SETUPS, rules_version
from evotutor.analysis.long_run import add_talk, bar
from evotutor.analysis.puzzles import SECONDS, mine, without_look_alikes
from evotutor.cases import CaseError
from evotutor.core.text import default_language

BOOK: Final = "mine"
MOST: Final = 1000


def work(rules: str, setup: str, seed: int, seconds: float) -> dict[str, Any]:
    """One task: the puzzle of a seed or None; an error of the rules is a result too, so that the run goes on.

    Raises RuntimeError where other rules are installed than those that the run is about.
    """
    if rules != rules_version():
        raise RuntimeError(f"this worker has the rules {rules_version()}, the run is about {rules}")
    try:
        return {"puzzle": mine(setup, seed, seconds)}
    except Exception as error:  # whatever it is, the seed is named and the search goes on
        return {"puzzle": None, "error": f"{setup} {seed}: {type(error).__name__}: {error}"}


def jobs_of(setups: Sequence[str], first: int, seeds: int, seconds: float) -> dict[str, tuple[Any, ...]]:
    """Tasks by key: rules version, setup, seed; setups in turn, those that matter most more often."""
    rules, found = rules_version(), {}
    for seed in range(first, first + seeds):
        for name in setups:
            for part in range(SETUPS[name].often):
                number = seed * SETUPS[name].often + part
                found[f"{rules}/{name}/{number}"] = (rules, name, number, seconds)
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor mine`."""
    lang = default_language()

    def told(key: str, **params: object) -> str:
        return say(BOOK, key, lang, **params)

    parser.description = told("about")
    parser.add_argument("out", type=Path, nargs="?", metavar="OUT", help=told("help-out"))
    parser.add_argument("--setups", default="all", metavar="LIST", help=told("help-setups", setups=", ".join(SETUPS)))
    parser.add_argument("--seeds", type=int, default=20, help=told("help-seeds"))
    parser.add_argument("--first", type=int, default=0, help=told("help-first"))
    parser.add_argument("--workers", type=int, default=2, help=told("help-workers"))
    parser.add_argument("--scheduler", metavar="ADDRESS", help=told("help-scheduler"))
    parser.add_argument("--seconds", type=float, default=SECONDS, help=told("help-seconds"))
    parser.add_argument("--minutes", type=float, help=told("help-minutes"))
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help=told("help-folder"))
    parser.add_argument("--most", type=int, default=MOST, help=told("help-most"))
    parser.add_argument("--verify", type=Path, metavar="PATH", help=told("help-verify"))
    parser.add_argument("--json", action="store_true", help=told("help-json"))
    add_talk(parser)


def run(args: argparse.Namespace) -> int:
    """`evotutor mine`: exit code 0 when all went well, 1 when a seed failed or a proof does not hold, 2 otherwise."""
    if args.verify:
        return _verify(args)
    if not args.out:
        raise CaseError(say(BOOK, "no-out", args.lang), "mine")
    jobs = jobs_of(_setups(args), args.first, args.seeds, args.seconds)
    try:
        before = sum(record.get("key") in jobs for record in batch.finished(args.out))
        looked = _search(args, jobs, before)
        records = batch.finished(args.out)
    except batch.BatchError as error:
        print(error, file=sys.stderr)
        return 2
    return _report(args, records, looked, before)


def _setups(args: argparse.Namespace) -> list[str]:
    names = list(SETUPS) if args.setups == "all" else [n for n in args.setups.replace(" ", ",").split(",") if n]
    for name in names:
        if name not in SETUPS:
            raise CaseError(say(BOOK, "no-setup", args.lang, name=name, setups=", ".join(SETUPS)), "mine")
    return names


def _search(args: argparse.Namespace, jobs: dict[str, tuple[Any, ...]], before: int) -> int:
    """Look at every seed that is left; how many were looked at now."""
    end = monotonic() + 60 * args.minutes if args.minutes else float("inf")
    looked, total = 0, len(jobs) - before
    if not total:
        return 0
    with _executor(args) as (pool, workers):
        results = batch.run(work, jobs, args.out, pool, workers)
        for _ in bar(results, total, not args.quiet, "seeds"):
            looked += 1
            if monotonic() > end:
                break
        results.close()
    return looked


@contextmanager
def _executor(args: argparse.Namespace) -> Iterator[tuple[Any, int]]:
    if args.scheduler:
        with batch.cluster(args.scheduler) as found:
            yield found
    else:
        with batch.processes(max(1, args.workers)) as pool:
            yield pool, max(1, args.workers)


def _report(args: argparse.Namespace, records: list[dict[str, Any]], looked: int, before: int) -> int:
    rules = rules_version()
    here = [record for record in records if str(record.get("key", "")).startswith(f"{rules}/")]
    found = [record["puzzle"] for record in here if record.get("puzzle")]
    errors = [record["error"] for record in here if record.get("error")]
    kept = at_most(without_look_alikes(found), args.most)
    files = puzzle_files.write(args.folder, (puzzle_files.to_file(one, rules) for one in kept)) if args.folder else []
    if args.json:
        print(json.dumps(_summary(kept, looked, before, found, errors), ensure_ascii=False, indent=1))
    else:
        print(say(BOOK, "looked", args.lang, n=looked, m=before))
        print(say(BOOK, "found", args.lang, n=len(found), m=len(kept)))
        for theme, n in sorted(Counter(one["theme"] for one in kept).items()):
            print(f"  {n:>4}  {say(BOOK, f'theme-{theme}', args.lang)}")
        if files:
            print(say(BOOK, "written", args.lang, n=len(files), folder=args.folder))
        if errors:
            print(say(BOOK, "errors", args.lang, n=len(errors), first=errors[0]))
    return 1 if errors else 0


def at_most(found: Sequence[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    """Not more than so many puzzles of one theme and setup, of all difficulties alike."""
    ranks: Counter[Any] = Counter()
    ranked = []
    for one in found:
        ranks[mark := (*_place(one), one["difficulty"])] += 1
        ranked.append((ranks[mark], one))
    counted: Counter[Any] = Counter()
    kept = []
    for _, one in sorted(ranked, key=lambda pair: pair[0]):
        counted[_place(one)] += 1
        if counted[_place(one)] <= most:
            kept.append(one)
    return kept


def _place(one: dict[str, Any]) -> tuple[str, str]:
    return one["theme"], "+".join([*one["modules"], *filter(None, [one.get("scenario")])])


def _summary(
    kept: list[dict[str, Any]], looked: int, before: int, found: list[dict[str, Any]], errors: list[str]
) -> dict[str, Any]:
    def count(name: Callable[[dict[str, Any]], Any]) -> dict[str, int]:
        return dict(sorted(Counter(str(name(one)) for one in kept).items()))

    return {
        "rules": rules_version(),
        "looked": looked,
        "before": before,
        "found": len(found),
        "kept": len(kept),
        "themes": count(lambda one: one["theme"]),
        "modules": count(lambda one: _place(one)[1]),
        "goals": count(lambda one: one["goal"].split()[0]),
        "difficulty": count(lambda one: one["difficulty"]),
        "errors": errors,
    }


def _verify(args: argparse.Namespace) -> int:
    """Prove every puzzle of a path again; 1 when one does not hold."""
    paths = puzzle_files.files_of(args.verify)
    if not paths:
        raise CaseError(say(BOOK, "nothing", args.lang, path=args.verify), str(args.verify))
    wrong: dict[str, list[str]] = {}
    for path in bar(iter(paths), len(paths), not args.quiet and sys.stderr.isatty(), "puzzles"):
        try:
            problems = puzzle_files.prove(path)
        except puzzle_files.PuzzleError as error:
            raise CaseError(str(error).removeprefix(f"{path}: "), str(path)) from error
        if problems:
            wrong[str(path)] = problems
    if args.json:
        print(json.dumps({"proven": len(paths) - len(wrong), "wrong": wrong}, ensure_ascii=False, indent=1))
        return 1 if wrong else 0
    for name, problems in wrong.items():
        print("\n".join(f"{name}: {problem}" for problem in problems))
    print(say(BOOK, "proven", args.lang, n=len(paths) - len(wrong)))
    if wrong:
        print(say(BOOK, "wrong", args.lang, n=len(wrong)))
    return 1 if wrong else 0
