"""What long commands share: language, modules and rulings of the command line, many games on several processes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, TypeVar

from evotutor.analysis.command import rulings, say
from evotutor.core.text import LANGUAGES, default_language

Job = TypeVar("Job")
Result = TypeVar("Result")


def add_talk(parser: argparse.ArgumentParser) -> None:
    """The options --quiet and --lang; the language is the environment's unless told."""
    lang = default_language()
    parser.add_argument("--quiet", action="store_true", help=say("long_run", "quiet", lang))
    parser.add_argument("--lang", choices=LANGUAGES, default=lang, help=say("long_run", "lang", lang))


def add_game(parser: argparse.ArgumentParser) -> None:
    """The options that say what is played."""

    def told(key: str) -> str:
        return say("long_run", key, default_language())

    parser.add_argument("--modules", default="base", metavar="LIST", help=told("modules"))
    parser.add_argument("--scenario", metavar="NAME", help=told("scenario"))
    parser.add_argument("--ruling", action="append", default=[], metavar="X=Y", help=told("ruling"))
    parser.add_argument("--players", type=int, default=2, help=told("players"))


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """What `evotutor.games.load` gets; ValueError for a ruling that is not written NAME=OPTION."""
    named = [word for word in args.modules.replace(" ", ",").split(",") if word]
    return {
        "modules": tuple(dict.fromkeys(("base", *named))),
        "rulings": rulings(args.ruling, ""),
        "scenario": args.scenario,
    }


def spread(
    task: Callable[[Job], Result], jobs: Sequence[Job], workers: int, progress: bool, unit: str
) -> Iterator[Result]:
    """Results as they come, from this process (`workers` below 2) or from several; a bar when tqdm is there."""
    if workers < 2 or len(jobs) < 2:
        yield from bar(map(task, jobs), len(jobs), progress, unit)
        return
    with ProcessPoolExecutor(workers) as pool:
        waiting = [pool.submit(task, job) for job in jobs]
        try:
            for done in bar(as_completed(waiting), len(jobs), progress, unit):
                yield done.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def bar(parts: Iterable[Result], total: int, progress: bool, unit: str) -> Iterable[Result]:
    """The same with a progress bar on the standard error stream."""
    if not progress:
        return parts
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        return parts
    shown: Iterable[Result] = tqdm(parts, total=total, unit=f" {unit}", file=sys.stderr, smoothing=0.05)
    return shown
