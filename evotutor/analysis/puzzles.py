"""From a position to a puzzle: one best first line, a tempting wrong one, a short main line, and a proof of it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any, Final

from evotutor.analysis.certificate import certificate
from evotutor.analysis.evolution import estimate
from evotutor.analysis.evolution_smaller import smaller
from evotutor.analysis.evolution_tables import SETUPS, candidate, shows
from evotutor.analysis.evolution_themes import key_of, theme_of
from evotutor.analysis.report import Rated, Solution, question, robust, solve
from evotutor.analysis.solver import CLOSE, Limits, MinMax, Question, Stopped
from evotutor.core.play import legal_lines, settle

TRIES: Final = 6
"""Positions that one seed looks at."""
LINES: Final = (3, 24)
"""Least and most first lines of a puzzle."""
SHORTEST, LONGEST = 2, 10
"""Least and most steps of a main line."""
WRONG: Final = 5
"""Wrong lines that are kept with their refutation."""
QUICK_NODES, NODES, SECONDS = 12_000, 150_000, 3.0
"""Limits of the first look and of the proof: states; seconds for both."""
GAP: Final = {"score": 1.0, "most-animals": 1.0}
"""How much the best line must be better; half a success where it is not points or animals."""
HALF: Final = 0.5


@dataclass(frozen=True)
class Tempting:
    """A wrong line; how much better it looks at once than the best line does (in points of the estimate)."""

    text: str
    looks: float


def mine(setup_name: str, seed: int, seconds: float = SECONDS) -> dict[str, Any] | None:
    """The puzzle that a seed gives, as plain data, or None; the same on every machine unless the clock ends it."""
    setup = SETUPS[setup_name]
    rng = Random(f"{setup_name} {seed}")
    for _ in range(TRIES):
        found = candidate(setup, rng)
        if found is None:
            continue
        game, state = found
        for words in _goals(state, rng):
            made = puzzle(game, state, words, setup.players > 2, seconds)
            if made is not None and shows(setup, game.position(made["position"])):
                return {"id": f"{setup_name}-{made['theme']}-{seed}", **made}
    return None


def _goals(state: Any, rng: Random) -> list[str]:
    """Three goals to ask for, points most often."""
    seat = state.player
    names = [(f"{chr(97 + owner)}{a.uid & 255}", owner) for owner, herd in enumerate(state.herds) for a in herd]
    mine = [name for name, owner in names if owner == seat]
    theirs = [name for name, owner in names if owner != seat]
    other = [f"survive {rng.choice(mine)}", f"kill {rng.choice(theirs)}", "feed-all", "most-animals"]
    other += [] if state.deck or state.top else ["win"]
    wanted = rng.sample(other, 2)
    return ["score", *wanted] if rng.random() < 0.4 else [*wanted, "score"]


@dataclass(frozen=True)
class Found:
    """A position that is a puzzle, with its solution and the wrong lines that tempt."""

    ask: Question
    state: Any
    answer: Solution
    tempting: list[Tempting]
    difficulty: int

    @property
    def marks(self) -> tuple[Any, ...]:
        """What has to stay when the table is made smaller."""
        words = self.ask.goal.name
        theme = theme_of(self.ask.game, self.state, words, self.answer)
        return self.answer.best, theme, self.tempting[0].text


def puzzle(game: Any, state: Any, words: str, forced: bool = False, seconds: float = SECONDS) -> dict[str, Any] | None:
    """The puzzle that a position makes with a goal, or None; without all that does not matter for it."""
    found = examine(game, state, words, forced, seconds)
    if found is None:
        return None
    found = shrink(found, seconds)
    try:
        checks = robust(found.ask, found.state, found.answer.best, Limits(nodes=NODES, seconds=seconds))
    except Stopped:
        return None
    return _record(found, checks) if checks["kind"] and checks["hostile"] else None


def examine(game: Any, state: Any, words: str, forced: bool = False, seconds: float = SECONDS) -> Found | None:
    """Is this a puzzle?  Cheap looks first, the whole proof last."""
    lines = legal_lines(game, state)
    if not LINES[0] <= len(lines) <= LINES[1]:
        return None
    try:
        ask = question(game, state, words, state.player, forced)
    except ValueError:
        return None
    best = _only_best(ask, state, lines, Limits(nodes=QUICK_NODES, seconds=seconds))
    tempting = _tempting(ask, state, lines, best) if best else []
    if not tempting:
        return None
    try:
        answer = solve(ask, state, Limits(nodes=NODES, seconds=seconds))
    except Stopped:  # a limit came while the main line was read
        return None
    if not answer.only or not SHORTEST <= len(answer.main) <= LONGEST or not _clear(ask, answer):
        return None
    return Found(ask, state, answer, tempting, difficulty(answer, tempting))


def shrink(found: Found, seconds: float = SECONDS) -> Found:
    """Take away animals, pairs, traits and tokens while the puzzle stays what it is, and as difficult."""
    game, words = found.ask.game, found.ask.goal.name
    again = True
    while again:
        again = False
        keep = {*found.answer.best.replace(":", " ").split(), found.tempting[0].text.split()[-1], *words.split()}
        for data in smaller(game.to_data(found.state), keep):
            less = _smaller(found, data, words, seconds)
            if less is not None:
                found, again = less, True
                break
    return found


def _smaller(found: Found, data: dict[str, Any], words: str, seconds: float) -> Found | None:
    game: Any = found.ask.game
    try:
        state = settle(game, game.position(data))
    except ValueError:
        return None
    if game.decision(state) != game.decision(found.state):
        return None
    less = examine(game, state, words, found.ask.forced, seconds)
    if less is None or less.marks != found.marks or less.difficulty < found.difficulty:
        return None
    return less


def _gap(ask: Question) -> float:
    return GAP.get(ask.goal.name, HALF)


def _only_best(ask: Question, state: Any, lines: Sequence[str], limits: Limits) -> str:
    """The one line that is clearly better than all others, or nothing; zero windows, first what looks good."""
    finder = MinMax(ask, limits)
    bounds = finder.bounds(state)
    if not bounds.exact or (ask.goal.most <= 1 and bounds.low < HALF - CLOSE):
        return ""
    wanted, good = bounds.low - _gap(ask) + 1e-5, ""
    after = {line: _after(ask.game, state, line) for line in lines}
    for line in sorted(lines, key=lambda line: -estimate(after[line], ask.seat)):
        reached = finder.at_least(after[line], wanted)
        if reached is None or (reached and good):
            return ""
        good = line if reached else good
    return good


def _after(game: Any, state: Any, line: str) -> Any:
    for move in game.line(state, line):
        state = game.apply(state, move)
    return state


def _tempting(ask: Question, state: Any, lines: Sequence[str], best: str) -> list[Tempting]:
    """Wrong lines after which the position looks at least as good, the most tempting first; `end` tempts nobody."""
    right = estimate(_after(ask.game, state, best), ask.seat)
    looks = {line: estimate(_after(ask.game, state, line), ask.seat) - right for line in lines if line != best}
    found = [Tempting(line, gain) for line, gain in looks.items() if gain > -CLOSE and not line.endswith(": end")]
    return sorted(found, key=lambda line: (-line.looks, line.text))


def _clear(ask: Question, answer: Solution) -> bool:
    """Is the gap to the second best line wide enough?"""
    second = max(line.bounds.high for line in answer.lines[1:])
    return bool(answer.bounds.exact and answer.bounds.low - second >= _gap(ask) - 1e-5)


def _record(found: Found, checks: dict[str, bool | None]) -> dict[str, Any]:
    ask, state, answer, tempting = found.ask, found.state, found.answer, found.tempting
    game: Any = ask.game
    proof = certificate(ask, state, answer)
    looks = {line.text: line.looks for line in tempting}
    wrong = sorted(answer.lines[1:], key=lambda line: (-looks.get(line.text, -100.0), line.text))
    return {
        "modules": proof["game"]["modules"],
        **({"scenario": game.scenario} if game.scenario else {}),
        "theme": theme_of(game, state, ask.goal.name, answer),
        "key": key_of(state, answer.best, tempting[0].text),
        "difficulty": found.difficulty,
        "goal": ask.goal.name,
        "seat": chr(65 + ask.seat),
        "position": proof["position"],
        "best": answer.best,
        "main": [step.text for step in answer.main],
        "wrong": [_wrong(line, line.text in looks) for line in wrong[:WRONG]],
        "lines": len(answer.lines),
        "states": answer.nodes,
        "dice": {name: checks[name] for name in ("worst", "best")},
        "place": place_of(game, state),
        "certificate": proof,
    }


def _wrong(line: Rated, tempting: bool) -> dict[str, Any]:
    return {
        "line": line.text,
        "value": round(line.bounds.low, 6),
        "tempting": tempting,
        "answer": [step.text for step in line.reply],
    }


def difficulty(answer: Solution, tempting: Sequence[Tempting]) -> int:
    """1 to 5: many first lines, wrong ones that look better, a long main line and much to search make it harder."""
    points = (
        (len(answer.lines) >= 5)
        + (len(answer.lines) >= 9)
        + (len(tempting) >= 3)
        + (tempting[0].looks >= 2)
        + (len(answer.main) >= 4)
        + (len(answer.main) >= 7)
        + (answer.nodes >= 1_000)
        + (answer.nodes >= 8_000)
    )
    return min(5, 1 + points * 2 // 3)


def place_of(game: Any, state: Any) -> str:
    """A short name of the position as search sees it: equal ones have equal names."""
    return sha256(repr((game.modules, game.scenario, game.search_key(state))).encode()).hexdigest()[:16]


def without_look_alikes(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """No two of the same position, nor of the same theme and key move; the one with least to search stays."""
    seen: set[Any] = set()
    kept = []
    for one in sorted(found, key=lambda one: (one["states"], one["id"])):
        marks = {one["place"], (one["theme"], one["key"])}
        if not marks & seen:
            seen |= marks
            kept.append(one)
    return kept
