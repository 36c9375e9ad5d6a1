"""`evotutor solve` and `evotutor mistakes`: the solver's answers on the command line."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from evotutor.analysis.certificate import CertificateError, certificate, verify
from evotutor.analysis.command import add_position, chosen, rulings, say
from evotutor.analysis.goals import GOALS
from evotutor.analysis.mistakes import Review, review
from evotutor.analysis.report import Solution, question, robust, solve
from evotutor.analysis.solver import CHANCE, Bounds, Limits, Question
from evotutor.cases import CaseError, table
from evotutor.core.text import default_language

BOOK = "solving"
SHOWN = 12
"""Lines that are listed unless all are wanted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor solve`."""
    lang = default_language()
    parser.description = say(BOOK, "about", lang)
    add_position(parser, optional=True)
    _common(parser, lang)
    parser.add_argument("--seat", metavar="A", help=say(BOOK, "help-seat", lang))
    parser.add_argument("--force", action="store_true", help=say(BOOK, "help-force", lang))
    parser.add_argument("--dice", choices=CHANCE, default=CHANCE[0], help=say(BOOK, "help-dice", lang))
    parser.add_argument("--robust", action="store_true", help=say(BOOK, "help-robust", lang))
    parser.add_argument("--all", action="store_true", help=say(BOOK, "help-all", lang))
    parser.add_argument("--certificate", type=Path, metavar="OUT", help=say(BOOK, "help-certificate", lang))
    parser.add_argument("--verify", type=Path, metavar="CERTIFICATE", help=say(BOOK, "help-verify", lang))


def _common(parser: argparse.ArgumentParser, lang: str) -> None:
    words = ", ".join(f"{goal.word} ANIMAL" if goal.animal else goal.word for goal in GOALS)
    parser.add_argument("--goal", default="score", metavar="GOAL", help=say(BOOK, "help-goal", lang, goals=words))
    parser.add_argument("--ruling", action="append", default=[], metavar="X=Y", help=say(BOOK, "help-ruling", lang))
    parser.add_argument("--seconds", type=float, default=60.0, help=say(BOOK, "help-seconds", lang))
    parser.add_argument("--nodes", type=int, default=20_000_000, help=say(BOOK, "help-nodes", lang))
    parser.add_argument("--quiet", action="store_true", help=say(BOOK, "help-quiet", lang))


class Bar:
    """A progress bar of searched states, where tqdm is there and somebody looks."""

    def __init__(self, quiet: bool) -> None:
        self.bar: Any = None
        if quiet or not sys.stderr.isatty():
            return
        try:
            from tqdm import tqdm  # type: ignore[import-untyped]
        except ImportError:
            return
        self.bar = tqdm(unit=" states", unit_scale=True, file=sys.stderr)

    def __call__(self, nodes: int) -> None:
        """Show how many states were searched."""
        if self.bar is not None:
            self.bar.update(nodes - self.bar.n)


def _limits(args: argparse.Namespace) -> Limits:
    return Limits(nodes=args.nodes, seconds=args.seconds, progress=Bar(args.quiet))


def run(args: argparse.Namespace) -> int:
    """`evotutor solve`: exit code 0 when the value is proven, 1 when it is not, 2 when something cannot be read."""
    if args.verify:
        return _verify(args)
    if not args.file:
        raise CaseError(say(BOOK, "no-file", args.lang), "solve")
    game, state = table(chosen(args), rulings(args.ruling, args.file), args.after)
    try:
        seat = None if args.seat is None else _seat(args.seat, len(state.hands))
        ask = question(game, state, args.goal, seat, args.force, args.dice)
    except ValueError as error:
        raise CaseError(str(error), args.file) from error
    answer = solve(ask, state, _limits(args))
    checks = robust(ask, state, answer.best, _limits(args)) if args.robust and answer.lines else {}
    if args.certificate and answer.bounds.exact:
        data = json.dumps(certificate(ask, state, answer), indent=1, ensure_ascii=False)
        args.certificate.write_text(data + "\n", encoding="utf-8")
    if args.json:
        print(json.dumps(record(ask, answer, checks, args.lang), indent=1, ensure_ascii=False))
    else:
        print(told(ask, answer, args.lang, None if args.all else SHOWN, checks))
    return 0 if answer.bounds.exact else 1


def _seat(letter: str, players: int) -> int:
    seat = ord(letter.strip().upper()[:1] or "?") - 65
    if not 0 <= seat < players:
        raise ValueError(f"no player {letter!r}; players: A to {chr(64 + players)}")
    return seat


def _verify(args: argparse.Namespace) -> int:
    try:
        data = json.loads(args.verify.read_text(encoding="utf-8"))
        wrong = verify(data, _limits(args))
    except (CertificateError, ValueError, RecursionError) as error:
        raise CaseError(str(error), str(args.verify)) from error
    print("\n".join(wrong) if wrong else say(BOOK, "verified", args.lang))
    return 1 if wrong else 0


# in words


def value_text(bounds: Bounds, lang: str) -> str:
    """A value, or what is known of it."""
    if bounds.exact:
        return f"{bounds.low:g}"
    return say(BOOK, "bounds", lang, low=f"{bounds.low:g}", high=f"{bounds.high:g}")


def told(ask: Question, answer: Solution, lang: str, most: int | None, checks: dict[str, bool | None]) -> str:
    """The whole answer as text."""
    who = chr(65 + ask.seat)
    rows = [say(BOOK, "value", lang, goal=ask.goal.name, player=who, value=value_text(answer.bounds, lang))]
    if answer.lines:
        rows += ["", say(BOOK, "lines", lang)]
        for line in answer.lines[:most]:
            reply = ", ".join(step.text for step in line.reply)
            rows.append(f"  {value_text(line.bounds, lang):>8}  {line.text}" + (f"   … {reply}" if reply else ""))
        if most is not None and len(answer.lines) > most:
            rows.append(say(BOOK, "more", lang, n=len(answer.lines) - most))
        rows.append(say(BOOK, {True: "only", False: "not-only", None: "only-unknown"}[answer.only], lang))
    rows += [
        say(BOOK, f"robust-{name}", lang, answer=say(BOOK, {True: "yes", False: "no", None: "unknown"}[good], lang))
        for name, good in checks.items()
    ]
    if answer.main:
        rows += ["", say(BOOK, "main", lang)]
        for step in answer.main:
            rows.append(f"  {step.text}")
            rows += [f"      {sentence}" for sentence in step.told(lang)]
    speed = answer.nodes / max(answer.seconds, 1e-9)
    rows += ["", say(BOOK, "effort", lang, n=answer.nodes, seconds=f"{answer.seconds:.2f}", speed=f"{speed:,.0f}")]
    return "\n".join(rows)


def record(ask: Question, answer: Solution, checks: dict[str, bool | None], lang: str) -> dict[str, Any]:
    """The answer for programs."""
    return {
        "goal": ask.goal.name,
        "seat": chr(65 + ask.seat),
        "low": answer.bounds.low,
        "high": answer.bounds.high,
        "proven": answer.bounds.exact,
        "only": answer.only,
        "robust": checks,
        "lines": [
            {
                "line": line.text,
                "low": line.bounds.low,
                "high": line.bounds.high,
                "reply": [step.text for step in line.reply],
            }
            for line in answer.lines
        ],
        "main": [{"line": step.text, "told": step.told(lang)} for step in answer.main],
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 3),
    }


# mistakes


def add_mistake_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor mistakes`."""
    lang = default_language()
    parser.description = say(BOOK, "about-mistakes", lang)
    add_position(parser)
    _common(parser, lang)


def run_mistakes(args: argparse.Namespace) -> int:
    """`evotutor mistakes`: what each line of a case's play lost; exit code 0 when nothing was lost, 1 otherwise."""
    case = chosen(args)
    game, state = table(case, rulings(args.ruling, args.file))
    lines = [entry for entry in case.play if isinstance(entry, str)]
    try:
        found = review(game, state, lines, args.goal, _limits(args))
    except ValueError as error:
        raise CaseError(str(error), args.file) from error
    if args.json:
        rows = [
            {**judged.__dict__, "player": chr(65 + judged.player), "lost": judged.lost} for judged in found.decisions
        ]
        print(json.dumps({"decisions": rows, "not proven": found.missing}, indent=1, ensure_ascii=False))
    else:
        print(review_text(found, args.lang))
    return 1 if found.turning is not None else 0


def review_text(found: Review, lang: str) -> str:
    """The review as text: every decision, what it lost, and the one where it turned."""
    rows = []
    for judged in found.decisions:
        if judged.lost > 0:
            text = say(BOOK, "lost", lang, n=f"{judged.lost:g}", instead=judged.instead, best=f"{judged.best:g}")
        else:
            text = say(BOOK, "best", lang)
        rows.append(f"{judged.number:>3}. {judged.text:<40} {judged.value:>6g}  {text}")
    if found.missing:
        rows.append(say(BOOK, "missing", lang, n=found.missing))
    worst = found.turning
    rows.append(say(BOOK, "turning", lang, line=worst.text) if worst else say(BOOK, "flawless", lang))
    return "\n".join(rows)
