"""One position under two or more rulings of disputed points: which moves differ and why, what comes out differently.

The first column is the case as it stands, with its own rulings.  Every column starts from the same table.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from evotutor.analysis import command
from evotutor.analysis import evolution_compare as evo
from evotutor.cases import Case, CaseError, load_game, table
from evotutor.cases.expectations import told
from evotutor.core.model import Event, IllegalMove, NotationError, Reason, dress
from evotutor.core.play import legal_lines, play_line, settle

DEPTH: Final = 1
MOST_LINES: Final = 1500
"""Lines that are tried in each column before the search for differences stops, and says so."""
WIDEST: Final = 110
"""A table that would be wider is written one fact under the other."""
SHOWN: Final = 20
"""Most differing moves, and ways, that a text lists."""


def say(key: str, lang: str, /, **params: object) -> str:
    """A text of this module."""
    return command.say("compare", key, lang, **params)


@dataclass(frozen=True)
class Refusal:
    """Why a line may not be played: reasons with rule ids, or why it cannot even be read here."""

    reasons: tuple[Reason, ...] = ()
    message: str = ""

    def to_text(self, lang: str) -> str:
        """In words."""
        return told(self.reasons).to(lang) if self.reasons else self.message

    def to_json(self) -> dict[str, Any]:
        """A record for machines."""
        return {"rules": [reason.rule for reason in self.reasons], "message": self.message}


@dataclass(frozen=True)
class Outcome:
    """Where a script led: the table with everything forced taken, the events, and the line that was refused."""

    state: Any
    events: tuple[Event, ...] = ()
    line: str = ""
    refusal: Refusal | None = None


class Column:
    """One choice of rulings.  `label` is "" for the case as it stands."""

    def __init__(self, label: str, game: Any) -> None:
        self.label, self.game = label, game
        self._steps: dict[tuple[Any, str], Outcome] = {}
        self._lines: dict[Any, tuple[str, ...]] = {}
        self._facts: dict[Any, dict[str, str]] = {}

    def name(self, lang: str) -> str:
        """What stands above the column."""
        return self.label or say("as-case", lang)

    def play(self, state: Any, lines: Sequence[str]) -> Outcome:
        """Play lines, as far as the rules allow, and what is forced after them."""
        events: list[Any] = []
        for line in lines:
            try:
                state = play_line(self.game, state, line, events)
            except IllegalMove as error:
                return self._end(state, events, line, Refusal(error.reasons))
            except NotationError as error:
                return self._end(state, events, line, Refusal((), str(error)))
        return self._end(state, events)

    def _end(self, state: Any, events: list[Any], line: str = "", refusal: Refusal | None = None) -> Outcome:
        state = settle(self.game, state, events)
        return Outcome(state, tuple(map(dress, events)), line, refusal)

    def step(self, state: Any, line: str) -> Outcome:
        """The same for one line; remembered."""
        key = state, line
        if key not in self._steps:
            self._steps[key] = self.play(state, [line])
        return self._steps[key]

    def lines(self, state: Any) -> tuple[str, ...]:
        """Every legal line."""
        if state not in self._lines:
            self._lines[state] = tuple(legal_lines(self.game, state))
        return self._lines[state]

    def facts(self, state: Any, lang: str = "en") -> dict[str, str]:
        """The table in words."""
        if lang != "en":
            return evo.facts(self.game, state, lang)
        if state not in self._facts:
            self._facts[state] = evo.facts(self.game, state)
        return self._facts[state]


@dataclass(frozen=True)
class LineDifference:
    """A line that is legal in some columns only: for each column None, or why it is refused."""

    line: str
    refusals: tuple[Refusal | None, ...]

    def to_json(self) -> dict[str, Any]:
        """A record for machines."""
        return {"line": self.line, "refusals": [None if r is None else r.to_json() for r in self.refusals]}


@dataclass(frozen=True)
class Way:
    """What differs after some lines: where they led in each column, and which lines are legal there."""

    path: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    lines: tuple[LineDifference, ...]


@dataclass(frozen=True)
class Comparison:
    """A position under the rulings of `columns`.  `root`: the position itself; `ways`: the lines that differ after it.

    `play` is the whole script in each column; `cut`: not all lines could be tried.
    """

    case: str
    columns: tuple[Column, ...] = field(repr=False)
    root: Way
    ways: tuple[Way, ...]
    script: tuple[str, ...]
    play: tuple[Outcome, ...]
    cut: bool

    @property
    def differs(self) -> bool:
        """Does anything differ?"""
        return bool(self.root.lines or self.ways or self.fact_rows(self.root.outcomes) or self.play_differs)

    @property
    def play_differs(self) -> bool:
        """Does the script end, stop or go differently?"""
        refused = {(outcome.line, outcome.refusal is None) for outcome in self.play}
        return len(refused) > 1 or bool(self.fact_rows(self.play)) or any(self.own_events(self.play))

    def fact_rows(self, outcomes: Sequence[Outcome], lang: str = "en") -> list[tuple[str, ...]]:
        """Labels with the texts of the columns, where these differ; "" where a column lacks the thing."""
        return _fact_rows(self.columns, outcomes, lang)

    @staticmethod
    def own_events(outcomes: Sequence[Outcome]) -> list[list[Event]]:
        """For each column the events that not all columns have; decisions are left out."""
        counts = [Counter((e.kind, e.rule, e.data) for e in outcome.events if e.kind != "move") for outcome in outcomes]
        found: list[list[Event]] = []
        for own, outcome in zip(counts, outcomes, strict=True):
            extra = own - Counter({key: min(count[key] for count in counts) for key in own})
            row = []
            for event in outcome.events:
                key = event.kind, event.rule, event.data
                if extra[key] > 0:
                    extra[key] -= 1
                    row.append(event)
            found.append(row)
        return found

    def to_text(self, lang: str = "en") -> str:
        """Side by side, in words."""
        return "\n".join(_comparison_lines(self, lang))

    def to_json(self, lang: str = "en") -> dict[str, Any]:
        """A record for machines; facts and events are told in this language."""
        return {
            "case": self.case,
            "columns": [column.label or "case" for column in self.columns],
            "rulings": [dict(column.game.rulings) for column in self.columns],
            "differs": self.differs,
            "complete": not self.cut,
            "root": self._way_json(self.root, lang),
            "ways": [self._way_json(way, lang) for way in self.ways],
            "play": {
                "lines": list(self.script),
                "stopped": [None if o.refusal is None else {"line": o.line, **o.refusal.to_json()} for o in self.play],
                **self._outcomes_json(self.play, lang),
            },
        }

    def _way_json(self, way: Way, lang: str) -> dict[str, Any]:
        lines = [line.to_json() for line in way.lines]
        return {"path": list(way.path), "lines": lines, **self._outcomes_json(way.outcomes, lang)}

    def _outcomes_json(self, outcomes: Sequence[Outcome], lang: str) -> dict[str, Any]:
        return {
            "facts": {label: texts for label, *texts in self.fact_rows(outcomes, lang)},
            "events": [[evo.told(event, lang) for event in row] for row in self.own_events(outcomes)],
            "positions": [c.game.to_data(o.state) for c, o in zip(self.columns, outcomes, strict=True)],
        }


def _fact_rows(columns: Sequence[Column], outcomes: Sequence[Outcome], lang: str = "en") -> list[tuple[str, ...]]:
    states = [outcome.state for outcome in outcomes]
    if all(state == states[0] for state in states):
        return []
    found = [column.facts(state, lang) for column, state in zip(columns, states, strict=True)]
    labels = dict.fromkeys(label for facts in found for label in facts)
    rows = [(label, *(facts.get(label, "") for facts in found)) for label in labels]
    return [row for row in rows if len(set(row[1:])) > 1]


# comparing


def compare(
    case: Case,
    rulings: Sequence[Mapping[str, str]],
    after: bool = False,
    play: Sequence[str] | None = None,
    depth: int = DEPTH,
) -> Comparison:
    """The position of a case, or the one `after` its play, under its own rulings and each of the others.

    `play`: lines instead of the case's own (after its play: none); `depth`: how many lines ahead to look.
    CaseError for a case that cannot be read, and for rulings that do not exist or change nothing.
    """
    game, state = table(case, after=after)
    columns = [Column(_label(evo.from_defaults(game)) if evo.from_defaults(game) else "", game)]
    columns += [_column(case, game, choice) for choice in rulings]
    return _compared(case, columns, state, _script(case, after, play), depth)


def compare_all(
    case: Case, after: bool = False, play: Sequence[str] | None = None, depth: int = DEPTH
) -> tuple[list[Comparison], int]:
    """The comparisons with every other answer to every disputed point that change something; how many do not."""
    game, state = table(case, after=after)
    base, script = Column(_label(evo.from_defaults(game)), game), _script(case, after, play)
    tried = [
        _compared(case, [base, _column(case, game, choice)], state, script, depth) for choice in evo.alternatives(game)
    ]
    found = [comparison for comparison in tried if comparison.differs]
    return found, len(tried) - len(found)


def _label(rulings: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={option}" for name, option in rulings.items())


def _column(case: Case, base: Any, rulings: Mapping[str, str]) -> Column:
    game: Any = load_game(case, rulings)
    different = evo.changed(game, base)
    if not different:
        raise CaseError(say("same-ruling", "en", label=_label(rulings)), case.file, case.line)
    return Column(_label(different), game)


def _script(case: Case, after: bool, play: Sequence[str] | None) -> list[str]:
    if play is not None:
        return list(play)
    return [] if after else [entry for entry in case.play if isinstance(entry, str)]


def _compared(case: Case, columns: Sequence[Column], state: Any, script: Sequence[str], depth: int) -> Comparison:
    search = _Search(columns, depth)
    starts = tuple(column.play(state, ()) for column in columns)
    root = Way((), starts, search.lines(starts))
    if len({outcome.state for outcome in starts}) == 1:
        search.look(starts[0].state, ())
    play = tuple(column.play(state, script) for column in columns)
    return Comparison(case.id, tuple(columns), root, tuple(search.ways), tuple(script), play, search.left <= 0)


class _Search:
    """Looks for the first differences behind lines that are legal everywhere."""

    def __init__(self, columns: Sequence[Column], depth: int) -> None:
        self.columns, self.depth, self.left = columns, depth, MOST_LINES
        self.ways: list[Way] = []
        self.seen: set[Any] = set()

    def lines(self, outcomes: Sequence[Outcome]) -> tuple[LineDifference, ...]:
        """Lines that are legal in some columns only; none where the columns ask different questions."""
        pairs = list(zip(self.columns, outcomes, strict=True))
        if len({column.game.decision(outcome.state) for column, outcome in pairs}) > 1:
            return ()
        legal = [dict.fromkeys(column.lines(outcome.state)) for column, outcome in pairs]
        found = []
        for line in dict.fromkeys(line for lines in legal for line in lines):
            if all(line in lines for lines in legal):
                continue
            refusals = tuple(
                None if line in lines else column.step(outcome.state, line).refusal
                for lines, (column, outcome) in zip(legal, pairs, strict=True)
            )
            if any(refusals):  # a forced line may be written or not
                found.append(LineDifference(line, refusals))
        return tuple(found)

    def look(self, state: Any, path: tuple[str, ...]) -> None:
        """Try every line that is legal in all columns."""
        if len(path) >= self.depth or state in self.seen:
            return
        self.seen.add(state)
        legal = [set(column.lines(state)) for column in self.columns]
        for line in self.columns[0].lines(state):
            if not all(line in lines for lines in legal):
                continue
            self.left -= 1
            if self.left <= 0:
                return
            self._try(state, line, (*path, line))

    def _try(self, state: Any, line: str, path: tuple[str, ...]) -> None:
        outcomes = tuple(column.step(state, line) for column in self.columns)
        lines = self.lines(outcomes)
        if lines or _fact_rows(self.columns, outcomes) or any(Comparison.own_events(outcomes)):
            self.ways.append(Way(path, outcomes, lines))
        elif len({outcome.state for outcome in outcomes}) == 1:
            self.look(outcomes[0].state, path)


# words


def _comparison_lines(found: Comparison, lang: str) -> Iterator[str]:
    yield f"{say('title', lang, id=found.case)}: {' | '.join(column.name(lang) for column in found.columns)}"
    yield from _questions(found, lang)
    if not found.differs:
        yield ""
        yield say("nothing", lang)
    rows = found.fact_rows(found.root.outcomes, lang)
    if rows:
        yield ""
        yield f"{say('at-once', lang)}:"
        yield from _side_by_side(found, rows, lang)
    if found.root.lines:
        yield ""
        yield f"{say('lines', lang)}:"
        yield from _line_rows(found, found.root.lines, lang)
    for way in found.ways[:SHOWN]:
        yield ""
        yield f"{say('way', lang, path='; '.join(way.path))}:"
        yield from _outcome_lines(found, way.outcomes, lang)
        yield from _line_rows(found, way.lines, lang)
    if len(found.ways) > SHOWN:
        yield f"... +{len(found.ways) - SHOWN}"
    if found.script and found.differs:
        yield from _play_lines(found, lang)
    if found.cut:
        yield ""
        yield say("cut", lang, n=MOST_LINES)


def _questions(found: Comparison, lang: str) -> Iterator[str]:
    """The disputed points in which the columns differ, with the answer of each column."""
    games = [column.game for column in found.columns]
    for name, option in games[0].rulings.items():
        if all(game.rulings[name] == option for game in games):
            continue
        yield f"  {evo.question(name, lang)}"
        for column in found.columns:
            own = column.game.rulings[name]
            yield f"    {column.name(lang)}: {evo.explained(name, own, lang)}"


def _line_rows(found: Comparison, lines: Sequence[LineDifference], lang: str) -> Iterator[str]:
    if not lines:
        return
    rows = [(f"  {say('line', lang)}", *(column.name(lang) for column in found.columns))]
    rows += [
        (f"  {row.line}", *(say("yes" if r is None else "no", lang) for r in row.refusals)) for row in lines[:SHOWN]
    ]
    yield command.columns(rows)
    if len(lines) > SHOWN:
        yield f"  ... +{len(lines) - SHOWN}"
    for row in lines[:SHOWN]:
        for column, refusal in zip(found.columns, row.refusals, strict=True):
            if refusal is not None:
                yield f"    {row.line} — {column.name(lang)}: {refusal.to_text(lang)}"


def _side_by_side(found: Comparison, rows: Sequence[Sequence[str]], lang: str) -> Iterator[str]:
    """A table, or where it would be too wide, one fact under the other."""
    if not rows:
        return
    names = [column.name(lang) for column in found.columns]
    filled = [[f"  {label}", *(text or say("gone", lang) for text in texts)] for label, *texts in rows]
    told = command.columns([["", *names], *filled])
    if max(map(len, told.splitlines())) <= WIDEST:
        yield told
        return
    for label, *texts in filled:
        yield label
        yield from (f"    {name}: {text}" for name, text in zip(names, texts, strict=True))


def _outcome_lines(found: Comparison, outcomes: Sequence[Outcome], lang: str) -> Iterator[str]:
    yield from _side_by_side(found, found.fact_rows(outcomes, lang), lang)
    own = found.own_events(outcomes)
    if any(own):
        yield f"  {say('events', lang)}:"
    for column, row in zip(found.columns, own, strict=True):
        yield from (f"    {column.name(lang)}: {evo.told(event, lang)}" for event in row)


def _play_lines(found: Comparison, lang: str) -> Iterator[str]:
    yield ""
    yield f"{say('play', lang, lines='; '.join(found.script))}"
    if not found.play_differs:
        yield f"  {say('same-end', lang)}"
        return
    for column, outcome in zip(found.columns, found.play, strict=True):
        if outcome.refusal is not None:
            why = outcome.refusal.to_text(lang)
            yield f"  {say('stopped', lang, label=column.name(lang), line=outcome.line, why=why)}"
    yield from _outcome_lines(found, found.play, lang)


# the command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor compare`."""
    from evotutor.core.text import default_language

    lang = default_language()
    parser.description = say("about", lang)
    command.add_position(parser)
    add = parser.add_argument
    add("--ruling", action="append", default=[], metavar="X=Y", help=say("help-ruling", lang))
    add("--play", action="append", metavar="LINE", help=say("help-play", lang))
    add("--all", action="store_true", help=say("help-all", lang))
    add("--depth", type=int, default=DEPTH, metavar="N", help=say("help-depth", lang))


def run(args: argparse.Namespace) -> int:
    """`evotutor compare`: 0 whatever differs, 2 for what cannot be read."""
    if not args.ruling and not args.all:
        raise CaseError(say("no-ruling", args.lang), args.file)
    case = command.chosen(args)
    found: list[Comparison] = []
    unchanged = None
    if args.ruling:
        choices = [command.rulings(word.split(","), args.file) for word in args.ruling]
        found.append(compare(case, choices, args.after, args.play, args.depth))
    if args.all:
        more, unchanged = compare_all(case, args.after, args.play, args.depth)
        found += more
    if args.json:
        print(json.dumps([one.to_json(args.lang) for one in found], ensure_ascii=False, indent=1))
        return 0
    texts = [one.to_text(args.lang) for one in found]
    if unchanged is not None:
        key = "unchanged" if len(found) > bool(args.ruling) else "nothing-all"
        texts.append(say(key, args.lang, n=unchanged))
    print("\n\n".join(texts))
    return 0
