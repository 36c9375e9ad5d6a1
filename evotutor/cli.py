"""The command line: `evotutor check`, `ask`, `moves`, `show`, `rules`, and the long commands of `evotutor.analysis`.

Exit code 0: all is well; 1: a case failed, or the answer is no; 2: something could not be read.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from evotutor.cases import Case, CaseError, Result, ask, read_case_file, read_cases, run_case, table
from evotutor.cases.model import puzzle_files
from evotutor.cases.showing import table_text
from evotutor.core.model import IllegalMove, NotationError
from evotutor.core.play import legal_lines, settle
from evotutor.core.text import LANGUAGES, default_language, fill

LATER: Final = {
    "bench": ("evotutor.analysis.bench", "measure the engine and print JSON"),
    "perft": ("evotutor.analysis.perft", "count the lines of reference positions"),
    "soak": ("evotutor.analysis.soak", "play many random games and tables and check every invariant"),
    "odds": ("evotutor.analysis.odds", "chances: an attack, the food bank, a card in somebody's hand"),
    "compare": ("evotutor.analysis.compare", "one position under two rulings of disputed points"),
    "mutate": ("evotutor.analysis.mutate", "switch off one rule at a time; each must make a case fail"),
    "solve": ("evotutor.analysis.solving", "the exact value of a position and the best lines"),
    "mistakes": ("evotutor.analysis.mistake_command", "what each decision of a played phase lost"),
    "arena": ("evotutor.analysis.arena", "let bots play each other and count wins"),
    "mine": ("evotutor.analysis.mine", "search for puzzles and prove them"),
    "simulate": ("evotutor.analysis.simulate", "play many games and make tables and charts of them"),
}


@cache
def _words() -> dict[str, dict[str, str]]:
    from ruamel.yaml import YAML

    text = files("evotutor").joinpath("cli_words.yaml").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, str]] = YAML(typ="safe", pure=True).load(text)
    return loaded


def say(key: str, lang: str, **params: Any) -> str:
    """A text of the command line."""
    return fill(_words()[key][lang], params)


def parser() -> argparse.ArgumentParser:
    """The commands with their help."""
    top = argparse.ArgumentParser(
        prog="evotutor",
        description="Rules of the board game Evolution: check cases, ask whether a move is legal and why not.",
        epilog="Examples:  evotutor check lessons/cases   |   evotutor ask dispute.yaml 'A: attack a1 b1' --lang ru",
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, help_text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help_text, description=help_text[0].upper() + help_text[1:] + ".")
        sub.add_argument("--lang", choices=LANGUAGES, default=default_language(), help="default: %(default)s")
        return sub

    check = add("check", "run case files or whole folders and report what is not as expected")
    check.add_argument("paths", nargs="+", metavar="PATH")
    check.add_argument("--json", action="store_true", help="one JSON record per case")
    check.add_argument("-q", "--quiet", action="store_true", help="failures and the last line only")
    question = add("ask", "ask whether a move may be played in a position, and why not")
    question.add_argument("file", metavar="FILE")
    question.add_argument("line", metavar="MOVE", help="for example 'A: attack a1 b1'")
    question.add_argument("--ruling", action="append", default=[], metavar="X=Y", help="decide a disputed point")
    moves = add("moves", "list every legal move of a position")
    moves.add_argument("file", metavar="FILE")
    show = add("show", "show the table of a position")
    show.add_argument("file", metavar="FILE")
    show.add_argument("--svg", metavar="OUT", help="write an SVG picture")
    show.add_argument("--png", metavar="OUT", help="write a PNG picture")
    show.add_argument(
        "--picture",
        choices=("links", "continents"),
        help="what it shows: pair traits, or locations (default: locations where the position has them)",
    )
    for sub in (question, moves, show):
        sub.add_argument("--id", metavar="CASE", help="which case of the file (default: the first)")
        sub.add_argument("--after", action="store_true", help="after the case's play, not before it")
        sub.add_argument("--json", action="store_true", help="answer as JSON")
    rules = add("rules", "look up rules, or see which rules cases prove")
    rules.add_argument("id", nargs="?", metavar="RULE")
    rules.add_argument("--search", metavar="WORDS", help="rules that hold these words")
    rules.add_argument("--coverage", nargs="+", metavar="PATH", help="which cases use which rules")
    for name, (_, help_text) in LATER.items():
        commands.add_parser(name, help=help_text, add_help=False)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    later = bool(argv) and argv[0] in LATER
    options = _later_parser(argv[0]).parse_args(argv[1:]) if later else parser().parse_args(argv)
    _speak_any_alphabet()
    try:
        return options.run(options) if later else COMMANDS[options.command](options)
    except CaseError as error:
        print(error, file=sys.stderr)
    except (NotationError, IllegalMove) as error:
        print(f"{getattr(options, 'file', '')}: {error}", file=sys.stderr)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print(f"{error.filename or ''}: {error.strerror}", file=sys.stderr)
    return 2


def _speak_any_alphabet() -> None:
    """A terminal that lacks a letter gets its code, never an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _later_parser(name: str) -> argparse.ArgumentParser:
    """A command of `evotutor.analysis`: its module declares the arguments and runs them."""
    module = import_module(LATER[name][0])
    sub = argparse.ArgumentParser(prog=f"evotutor {name}", description=module.__doc__)
    module.add_arguments(sub)
    sub.set_defaults(run=module.run)
    return sub


# check


def _check(options: argparse.Namespace) -> int:
    problems: list[CaseError] = []
    puzzles = [file for path in options.paths for file in puzzle_files(Path(path))]
    cases = read_cases([path for path in options.paths if Path(path) not in puzzles], problems)
    unproven = _unproven(puzzles, problems)
    for case in cases:
        try:
            table(case)
            _check_scenario(case)
        except CaseError as error:
            problems.append(error)
    if problems:
        print("\n".join(map(str, problems)), file=sys.stderr)
        return 2
    failed = 0
    for case in _progress(cases, options):
        result = run_case(case)
        failed += not result.passed
        if options.json:
            print(json.dumps(result.to_json(options.lang), ensure_ascii=False))
        elif not result.passed:
            _print_failure(result, options.lang)
    if not options.json:
        print(say("passed", options.lang, n=len(cases) - failed))
        if failed:
            print(say("failed", options.lang, n=failed))
        if puzzles:
            print(say("puzzles", options.lang, n=len(puzzles) - len(unproven)))
    for name, wrong in unproven.items():
        if options.json:
            print(json.dumps({"id": Path(name).stem, "file": name, "passed": False, "failures": wrong}))
        else:
            print("\n".join(f"{name}: {line}" for line in wrong))
    return 1 if failed or unproven else 0


def _unproven(files: Sequence[Path], problems: list[CaseError]) -> dict[str, list[str]]:
    """Prove puzzles again; file -> what does not hold.  A file that cannot be read is a problem."""
    if not files:
        return {}
    from evotutor.analysis.puzzle_files import PuzzleError, prove

    found: dict[str, list[str]] = {}
    for file in files:
        try:
            if wrong := prove(file):
                found[str(file)] = wrong
        except PuzzleError as error:
            problems.append(CaseError(str(error).removeprefix(f"{file}: "), str(file)))
    return found


def _check_scenario(case: Case) -> None:
    """A case with notes or questions is read as the scenario that it is too."""
    if {"notes", "ask", "intro", "end", "names", "viewer"}.isdisjoint(case.data):
        return
    from evotutor.teaching.scenario import ScenarioError, read

    try:
        read(Path(case.file), case.id)
    except ScenarioError as error:
        place, _, message = str(error).partition(": ")
        line = place.rpartition(":")[2]
        raise CaseError(message, case.file, int(line) if line.isdecimal() else case.line) from error


def _progress(cases: list[Case], options: argparse.Namespace) -> Any:
    if options.json or options.quiet or not sys.stderr.isatty():
        return cases
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        return cases
    return tqdm(cases, unit="case", leave=False)


def _print_failure(result: Result, lang: str) -> None:
    print(f"{result.case.file}:{result.case.line}: {result.case.id}")
    for failure in result.failures:
        print(f"    {failure.to(lang)}")
    from evotutor.rulebook import event_text

    if result.events:
        print(f"    {say('what-happened', lang)}:")
    for event in result.events:
        print(f"      {event_text(event, lang)}  [{event.rule}]")


# ask, moves, show


def _chosen(options: argparse.Namespace) -> Case:
    cases = read_case_file(Path(options.file))
    if not options.id:
        return cases[0]
    for case in cases:
        if case.id == options.id:
            return case
    known = ", ".join(case.id for case in cases[:20])
    raise CaseError(say("no-case", options.lang, id=options.id, file=options.file, known=known), options.file)


def _rulings(words: Sequence[str], file: str) -> dict[str, str]:
    chosen = {}
    for text in words:
        name, equals, option = text.partition("=")
        if not equals:
            raise CaseError(f"--ruling {text}: write it as NAME=OPTION", file)
        chosen[name.strip()] = option.strip()
    return chosen


def _ask(options: argparse.Namespace) -> int:
    from evotutor.rulebook import reason_text, rule

    case = _chosen(options)
    reasons = ask(case, options.line, _rulings(options.ruling, options.file), options.after)
    if options.json:
        rows = [
            {
                "rule": r.rule,
                "params": dict(r.params),
                "text": reason_text(r, options.lang),
                "title": rule(r.rule).title.to(options.lang),
                "source": list(rule(r.rule).source),
                "ruling": rule(r.rule).ruling or None,
            }
            for r in reasons
        ]
        print(json.dumps({"line": options.line, "legal": not reasons, "reasons": rows}, ensure_ascii=False, indent=1))
        return 1 if reasons else 0
    print(say("illegal" if reasons else "legal", options.lang))
    for reason in reasons:
        entry = rule(reason.rule)
        print(f"\n· {reason_text(reason, options.lang)}")
        print(f"  {entry.title.to(options.lang)} [{entry.id}] — {entry.text.to(options.lang)}")
        disputed = f"; {say('disputed', options.lang, ruling=entry.ruling)}" if entry.ruling else ""
        print(f"  {say('source', options.lang)}: {', '.join(entry.source)}{disputed}")
    return 1 if reasons else 0


def _moves(options: argparse.Namespace) -> int:
    game, state = table(_chosen(options), after=options.after)
    state = settle(game, state)
    lines = legal_lines(game, state)
    if options.json:
        print(json.dumps(lines, ensure_ascii=False))
    else:
        print("\n".join(lines) or say("no-moves", options.lang, what=game.decision(state).kind))
    return 0


def _show(options: argparse.Namespace) -> int:
    game, state = table(_chosen(options), after=options.after)
    if options.json:
        print(json.dumps(game.to_data(state), ensure_ascii=False, indent=1))
        return 0
    if options.svg or options.png:
        return _draw(state, options)
    print(table_text(game, state, options.lang))
    return 0


def _draw(state: Any, options: argparse.Namespace) -> int:
    """Write the pictures asked for; SVG needs nothing but this package."""
    from evotutor import drawing

    picture = options.picture or ("continents" if drawing.has_locations(state) else "links")
    if picture == "continents" and not drawing.has_locations(state):
        print(say("no-locations", options.lang), file=sys.stderr)
        return 2
    if options.svg:
        svg = getattr(drawing, f"{picture}_svg")(state, lang=options.lang)
        Path(options.svg).write_text(svg, encoding="utf-8")
    if options.png:
        try:
            figure = getattr(drawing, f"{picture}_figure")(state, lang=options.lang)
        except ImportError:
            print(say("no-matplotlib", options.lang), file=sys.stderr)
            return 2
        figure.savefig(options.png, format="png")
    return 0


# rules


def _rules(options: argparse.Namespace) -> int:
    from evotutor.rulebook import UnknownId, rule, rule_ids, search

    if options.coverage:
        return _coverage(options)
    if options.search:
        for entry in search(options.search, options.lang):
            print(f"{entry.id}: {entry.title.to(options.lang)}")
        return 0
    if not options.id:
        for name in rule_ids():
            print(f"{name}: {rule(name).title.to(options.lang)}")
        return 0
    try:
        entry = rule(options.id)
    except UnknownId as error:
        print(str(error).strip("'\""), file=sys.stderr)
        return 2
    print(f"{entry.title.to(options.lang)} [{entry.id}]\n{entry.text.to(options.lang)}")
    print(f"{say('source', options.lang)}: {', '.join(entry.source)}")
    if entry.ruling:
        print(say("disputed", options.lang, ruling=entry.ruling))
    return 0


def _coverage(options: argparse.Namespace) -> int:
    from evotutor.rulebook import rule_ids

    at_work: dict[str, list[str]] = {name: [] for name in rule_ids()}
    named: dict[str, int] = dict.fromkeys(at_work, 0)
    for case in read_cases(options.coverage):
        for name in run_case(case).fired:
            at_work.setdefault(name, []).append(case.id)
        for name in case.rules:
            named[name] = named.get(name, 0) + 1
    width = max(map(len, at_work))
    print(f"{say('rule', options.lang):{width}}  {say('at-work', options.lang)}")
    for name, ids in sorted(at_work.items()):
        more = f" +{len(ids) - 3}" if len(ids) > 3 else ""
        print(f"{name:{width}}  {len(ids):4}  {named[name]:4}  {', '.join(ids[:3])}{more}")
    silent = [name for name, ids in sorted(at_work.items()) if not ids]
    print()
    print(say("coverage", options.lang, n=len(at_work) - len(silent), m=len(at_work)))
    if silent:
        print(say("never-fired", options.lang), ", ".join(silent))
    return 0


COMMANDS: Final[dict[str, Callable[[argparse.Namespace], int]]] = {
    "check": _check,
    "ask": _ask,
    "moves": _moves,
    "show": _show,
    "rules": _rules,
}

if __name__ == "__main__":
    sys.exit(main())

__all__ = ["main", "parser"]
