"""Answers a person can read: the value of every first line, the main line in sentences, what refutes the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from evotutor.analysis.evolution import estimate, feeding_over, goal, half, join_line
from evotutor.analysis.solver import CLOSE, Bounds, Limits, MaxN, MinMax, Question, search
from evotutor.core.model import Move, dress
from evotutor.core.play import legal_lines, settle

LONGEST: Final = 60
"""Most decisions of a main line."""
REPLIES: Final = 4
"""Decisions that are shown to refute a line."""


@dataclass(frozen=True)
class Step:
    """One line of play with what happened, as events; `player` is a seat, or None for chance."""

    text: str
    player: int | None
    events: tuple[Any, ...]

    def told(self, lang: str = "en") -> list[str]:
        """What happened in sentences."""
        from evotutor.rulebook import event_text

        lines = [event_text(dress(event), lang) for event in self.events if event[0] not in ("move", "end", "pass")]
        return list(dict.fromkeys(lines))


@dataclass(frozen=True)
class Rated:
    """A first line with its value for the seat that asks, and how play goes on from there at best."""

    text: str
    bounds: Bounds
    reply: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Solution:
    """The answer to a question about a position.  `only`: is the best line the only one, or None where not proven."""

    bounds: Bounds
    lines: tuple[Rated, ...]
    main: tuple[Step, ...]
    only: bool | None
    nodes: int
    seconds: float

    @property
    def best(self) -> str:
        """The best first line."""
        return self.lines[0].text if self.lines else ""


def question(
    game: Any,
    state: Any,
    words: str = "score",
    seat: int | None = None,
    forced: bool = False,
    chance: str = "expect",
    tie: str = "hostile",
) -> Question:
    """A question about the rest of a feeding phase in words; the seat is the one to move unless told.

    Raises GoalError for a goal that cannot be one here, ValueError for unknown options.
    """
    if seat is None:
        seat = game.decision(state).player
        seat = state.player if seat is None else seat
    wanted = goal(words, game, state, seat)
    hostile = forced or wanted.name.split()[0] in ("survive", "kill", "feed-all")
    return Question(game, wanted, seat, hostile, chance, tie, until=feeding_over, estimate=estimate, passing=half)


def solve(ask: Question, state: Any, limits: Limits | None = None, replies: bool = True) -> Solution:
    """Solve a position within limits: every first line is valued, the best one played out."""
    limits = limits or Limits()
    finder = search(ask, len(state.hands), limits)
    state = settle(ask.game, state)
    decision = ask.game.decision(state)
    if decision.over or decision.chance:
        bounds = finder.bounds(state)
        main = _within(finder, lambda: _main(finder, state)) if bounds.exact else ()
        return Solution(bounds, (), main, None, finder.nodes, finder.seconds)
    mine = decision.player == ask.seat
    budget, rated = limits.seconds, []
    for text in legal_lines(ask.game, state):
        finder.limits = replace(limits, seconds=max(0.05, budget - finder.seconds))
        rated.append(Rated(text, finder.bounds(_after(ask.game, state, text))))
    rated.sort(key=lambda line: (-line.bounds.low, -line.bounds.high) if mine else (line.bounds.high, line.bounds.low))
    best, known = rated[0], all(line.bounds.exact for line in rated)
    value = _outer(rated, mine)
    finder.limits = replace(limits, seconds=max(0.05, budget - finder.seconds))
    main = _within(finder, lambda: _main(finder, state, best.text)) if known else ()
    if known and replies:
        others = [(line, _within(finder, partial(_reply, finder, state, line.text))) for line in rated[1:]]
        rated = [best, *(replace(line, reply=reply) for line, reply in others)]
    return Solution(value, tuple(rated), main, _only(rated, mine), finder.nodes, finder.seconds)


def _within(finder: MinMax | MaxN, work: Callable[[], tuple[Step, ...]]) -> tuple[Step, ...]:
    """A line of play, or none where the limits do not last for it."""
    found: tuple[Step, ...] | None = finder.timed(work)
    return found or ()


def _outer(rated: Sequence[Rated], mine: bool) -> Bounds:
    pick = max if mine else min
    return Bounds(pick(line.bounds.low for line in rated), pick(line.bounds.high for line in rated))


def _only(rated: Sequence[Rated], mine: bool) -> bool | None:
    """Is the first line better than all others?  None where the bounds do not say."""
    if len(rated) == 1:
        return True
    best, others = rated[0].bounds, [line.bounds for line in rated[1:]]
    if mine:
        if best.low > max(other.high for other in others) + CLOSE:
            return True
        return False if best.high <= max(other.low for other in others) + CLOSE else None
    if best.high < min(other.low for other in others) - CLOSE:
        return True
    return False if best.low >= min(other.high for other in others) - CLOSE else None


def _after(game: Any, state: Any, text: str, events: list[Any] | None = None) -> Any:
    for move in game.line(state, text):
        state = game.apply(state, move, events)
    return state


def _reply(finder: MinMax | MaxN, state: Any, text: str) -> tuple[Step, ...]:
    return _main(finder, _after(finder.game, state, text), longest=REPLIES)


def _main(finder: MinMax | MaxN, state: Any, first: str = "", longest: int = LONGEST) -> tuple[Step, ...]:
    """The line that best play of everybody gives; chance takes what is likeliest."""
    game: Any = finder.game
    steps: list[Step] = []
    while len(steps) < longest and finder.final(state) is None:
        decision = game.decision(state)
        events: list[Any] = []
        if decision.chance:
            move = max(game.outcomes(state), key=lambda outcome: outcome[1])[0]
            text, state = game.show(state, move), game.apply(state, move, events)
        else:
            text = first or best_line(finder, state)
            state = _after(game, state, text, events)
        first = ""
        step = Step(text, decision.player, tuple(events))
        if not (text.endswith(": end") and not step.told()):
            steps.append(step)
    return tuple(steps)


def best_line(finder: MinMax | MaxN, state: Any) -> str:
    """The best whole line of the player to decide, chains written out."""
    text = ""
    while True:
        move = best_move(finder, state)
        part = finder.game.show(state, move)
        text = join_line(text, part) if text else part
        state = finder.game.apply(state, move)
        if not half(state):
            return text


def best_move(finder: MinMax | MaxN, state: Any) -> Move:
    """The best single decision: every answer is valued (most are in the table)."""
    game = finder.game
    moves = game.moves(state)
    if len(moves) == 1:
        found: Move = moves[0]
        return found
    player = game.decision(state).player
    assert player is not None
    return max(moves, key=lambda move: _worth(finder, game.apply(state, move), player))


def _worth(finder: MinMax | MaxN, state: Any, player: int) -> float:
    if isinstance(finder, MaxN):
        return finder.values(state)[player]
    low, high = finder.goal.window(state, finder.seat)
    value = finder.value(state, low - 1, high + 1)
    return value if player == finder.seat else -value


def robust(ask: Question, state: Any, best: str, limits: Limits | None = None) -> dict[str, bool | None]:
    """Is the best line the only one under kind and hostile ties, and whatever the dice?  None where not proven."""
    found: dict[str, bool | None] = {}
    variants: dict[str, dict[str, Any]] = {
        "kind": {"tie": "kind"},
        "hostile": {"tie": "hostile"},
        "worst": {"chance": "worst"},
        "best": {"chance": "best"},
    }
    for name, change in variants.items():
        answer = solve(replace(ask, **change), state, limits, replies=False)
        found[name] = None if answer.only is None else answer.only and answer.best == best
    return found
