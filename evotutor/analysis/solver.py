"""Exact search: what a position is worth when nothing is hidden.

Two players, or one against everybody ("can it be forced?"): minimax with alpha-beta windows.  More players who each
play for themselves: max^n.  Dice by expectation, or the worst or best that can come.  Both searches keep a table of
positions under the game's search key, so that equal moves collapse, and stop at their limits with the bounds that are
known then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

from evotutor.analysis.goals import Goal, Values
from evotutor.core.model import Game, Move

NODES: Final = 5_000_000
SECONDS: Final = 60.0
ENTRIES: Final = 3_000_000
"""Default limits: states, seconds, entries of the table (about 200 bytes each)."""
CHECK: Final = 0x3FF
"""The clock is looked at once in so many states (a mask)."""
CHANCE: Final = ("expect", "worst", "best")
"""How dice count: their expectation, the worst that can come for the player who asks, the best."""
TIE: Final = ("hostile", "kind")
"""Whom another player helps when two of his moves are worth the same to him: nobody, or the player who asks."""
STEP: Final = 1e-6
"""Width of a window that only asks whether a value is reached; values that differ differ by more."""
CLOSE: Final = 1e-9
"""Two values closer than this are equal."""


class Stopped(Exception):
    """A limit was reached, or the search was cancelled."""


@dataclass
class Limits:
    """When to give up: states, seconds, entries of the table; `cancel` is asked now and then."""

    nodes: int = NODES
    seconds: float = SECONDS
    entries: int = ENTRIES
    cancel: Callable[[], bool] | None = None
    progress: Callable[[int], None] | None = None


@dataclass
class Question:
    """What is asked of a position: the goal, for which seat, who plays against it, how dice and ties count."""

    game: Game[Any]
    goal: Goal
    seat: int
    forced: bool = False
    chance: str = "expect"
    tie: str = "hostile"
    until: Callable[[Any], bool] = field(default=lambda state: False)
    """When the search ends, apart from the end of the game."""
    passing: Callable[[Any], bool] = field(default=lambda state: False)
    """A decision that is only half of a move: the table need not remember it."""
    estimate: Callable[[Any, int], float] | None = None
    """A quick guess of the value for a seat: moves are tried in its order."""

    def __post_init__(self) -> None:
        if self.chance not in CHANCE:
            raise ValueError(f"no way to count dice {self.chance!r}; ways: {', '.join(CHANCE)}")
        if self.tie not in TIE:
            raise ValueError(f"no tie-break {self.tie!r}; tie-breaks: {', '.join(TIE)}")


@dataclass(frozen=True)
class Bounds:
    """What is known of a value: exact when both ends are equal."""

    low: float
    high: float
    best: Move | None = None

    @property
    def exact(self) -> bool:
        """Is the value proven?"""
        return self.high - self.low <= CLOSE

    def __str__(self) -> str:
        return f"{self.low:g}" if self.exact else f"{self.low:g} to {self.high:g}, not proven"


class Search:
    """What both searches share: counting, limits, chance grouped by outcome."""

    def __init__(self, question: Question, limits: Limits | None = None) -> None:
        self.ask, self.limits = question, limits or Limits()
        self.game, self.goal, self.seat = question.game, question.goal, question.seat
        self.nodes, self.hits, self.seconds = 0, 0, 0.0
        self._end, self.cancelled = 0.0, False
        self._until, self._moves, self._apply = question.until, self.game.moves, self.game.apply
        self._early = self.goal.early if self.goal.sudden else None

    def _tick(self) -> None:
        """Look at the limits; asked once in a while."""
        limits = self.limits
        if limits.progress is not None:
            limits.progress(self.nodes)
        if self.nodes > limits.nodes or perf_counter() > self._end or (limits.cancel is not None and limits.cancel()):
            raise Stopped

    def outcomes(self, state: Any) -> list[tuple[Any, float]]:
        """The states that chance leads to, equal ones together, likely ones first."""
        found: dict[Any, float] = {}
        for move, chance in self.game.outcomes(state):
            after = self.game.apply(state, move)
            found[after] = found.get(after, 0.0) + chance
        return sorted(found.items(), key=lambda item: -item[1])

    def final(self, state: Any) -> Values | None:
        """The values where the search ends, None where it goes on."""
        if self._early is not None and (values := self._early(state)) is not None:
            return values
        if self._until(state) or self.game.decision(state).over:
            return self.goal.values(self.game, state)
        return None

    def children(
        self, state: Any, moves: list[Move], first: Move | None, player: int, sign: int = -1
    ) -> list[tuple[Move, Any]]:
        """The moves with the positions they lead to, promising ones first: that of the table, then by estimate."""
        apply, estimate = self._apply, self.ask.estimate
        found = [(move, apply(state, move)) for move in moves]
        if estimate is None:
            return sorted(found, key=lambda pair: pair[0] != first) if first is not None else found
        ranked = [
            (float("-inf") if move == first else sign * estimate(after, player), place)
            for place, (move, after) in enumerate(found)
        ]
        return [found[place] for _, place in sorted(ranked)]

    def timed(self, work: Callable[[], Any]) -> Any:
        """Run a search within its limits; None when it was stopped.  Ctrl-C stops it and all that would follow."""
        if self.cancelled:
            return None
        began = perf_counter()
        self._end = began + self.limits.seconds
        try:
            return work()
        except Stopped:
            return None
        except KeyboardInterrupt:
            self.cancelled = True
            return None
        finally:
            self.seconds += perf_counter() - began


class MinMax(Search):
    """Value for one seat when every other plays against it: alpha-beta with a table of bounds."""

    def __init__(self, question: Question, limits: Limits | None = None) -> None:
        super().__init__(question, limits)
        self.table: dict[Any, tuple[float, float, Move | None]] = {}

    def bounds(self, state: Any) -> Bounds:
        """The exact value, or the bounds that are known when a limit was reached."""
        low, high = self.goal.window(state, self.seat)
        value = self.timed(lambda: self.value(state, low - 1, high + 1))
        if value is not None:
            return Bounds(value, value, self.best(state))
        entry = self.table.get(self.game.search_key(state))
        return Bounds(max(low, entry[0]), min(high, entry[1]), entry[2]) if entry else Bounds(low, high)

    def at_least(self, state: Any, wanted: float) -> bool | None:
        """Can the seat reach this value?  A zero-window proof; None when a limit was reached."""
        value = self.timed(lambda: self.value(state, wanted - CLOSE * 2, wanted - CLOSE))
        return None if value is None else bool(value >= wanted - CLOSE)

    def best(self, state: Any) -> Move | None:
        """The best move that the table knows for this position."""
        entry = self.table.get(self.game.search_key(state))
        return entry[2] if entry else None

    def value(self, state: Any, alpha: float, beta: float) -> float:
        """Fail-soft alpha-beta; below alpha the result is an upper bound, above beta a lower one."""
        game, early, until = self.game, self._early, self._until
        while True:
            self.nodes += 1
            if not self.nodes & CHECK:
                self._tick()
            if early is not None and (values := early(state)) is not None:
                return values[self.seat]
            if until(state):
                return self.goal.values(game, state)[self.seat]
            moves = self._moves(state)
            if len(moves) != 1:
                break
            state = self._apply(state, moves[0])
        if not moves:
            if game.decision(state).over:
                return self.goal.values(game, state)[self.seat]
            return self._chance(state, alpha, beta)
        if self.ask.passing(state):
            return self._choose(state, None, moves, None, alpha, beta, (0.0, 0.0))
        key = game.search_key(state)
        low, high = self.goal.window(state, self.seat)
        entry, first = self.table.get(key), None
        if entry is not None:
            self.hits += 1
            low, high, first = max(low, entry[0]), min(high, entry[1]), entry[2]
        if low >= beta or low >= high - CLOSE:
            return low
        if high <= alpha:
            return high
        return self._choose(state, key, moves, first, max(alpha, low), min(beta, high), (low, high))

    def _choose(
        self,
        state: Any,
        key: Any,
        moves: list[Move],
        first: Move | None,
        alpha: float,
        beta: float,
        known: tuple[float, float],
    ) -> float:
        mine = self.game.decision(state).player == self.seat
        best, chosen = (float("-inf"), None) if mine else (float("inf"), None)
        a, b = alpha, beta
        for move, after in self.children(state, moves, first, self.seat, -1 if mine else 1):
            if chosen is None or b - a <= 3 * STEP:
                value = self.value(after, a, b)
            elif mine:
                value = self.value(after, a, a + STEP)
                if a + STEP <= value < b:
                    value = self.value(after, value, b)
            else:
                value = self.value(after, b - STEP, b)
                if a < value <= b - STEP:
                    value = self.value(after, a, value)
            if mine:
                if value > best:
                    best, chosen = value, move
                a = max(a, best)
            else:
                if value < best:
                    best, chosen = value, move
                b = min(b, best)
            if a >= b:
                break
        if key is not None:
            self._remember(key, best, alpha, beta, chosen, known)
        return best

    def _remember(
        self, key: Any, best: float, alpha: float, beta: float, chosen: Move | None, known: tuple[float, float]
    ) -> None:
        low, high = known
        if best <= alpha:
            high = min(high, best)
        elif best >= beta:
            low = max(low, best)
        else:
            low = high = best
        if len(self.table) < self.limits.entries or key in self.table:
            self.table[key] = (low, high, chosen)

    def _chance(self, state: Any, alpha: float, beta: float) -> float:
        found = self.outcomes(state)
        if self.ask.chance != "expect":
            pick = min if self.ask.chance == "worst" else max
            return pick(self.value(after, *self.goal.window(after, self.seat)) for after, _ in found)
        low, high = self.goal.window(state, self.seat)
        total, left = 0.0, 1.0
        for after, chance in found:
            left -= chance
            a = (alpha - total - left * high) / chance
            b = (beta - total - left * low) / chance
            value = self.value(after, max(a, low - 1), min(b, high + 1))
            total += chance * value
            if total + left * high <= alpha:
                return total + left * high
            if total + left * low >= beta:
                return total + left * low
        return total


class MaxN(Search):
    """Values for all seats when everybody plays for himself; ties go against or for the seat that asks."""

    def __init__(self, question: Question, limits: Limits | None = None) -> None:
        super().__init__(question, limits)
        self.table: dict[Any, tuple[Values, Move | None]] = {}

    def bounds(self, state: Any) -> Bounds:
        """The exact value for the seat, or its widest bounds when a limit was reached."""
        values = self.timed(lambda: self.values(state))
        if values is None:
            return Bounds(*self.goal.window(state, self.seat))
        return Bounds(values[self.seat], values[self.seat], self.best(state))

    def best(self, state: Any) -> Move | None:
        """The best move that the table knows for this position."""
        entry = self.table.get(self.game.search_key(state))
        return entry[1] if entry else None

    def values(self, state: Any) -> Values:
        """The value for each seat."""
        game = self.game
        while True:
            self.nodes += 1
            if not self.nodes & CHECK:
                self._tick()
            final = self.final(state)
            if final is not None:
                return final
            moves = game.moves(state)
            if len(moves) != 1:
                break
            state = game.apply(state, moves[0])
        if not moves:
            return self._expected(state)
        key = game.search_key(state)
        entry = self.table.get(key)
        if entry is not None:
            self.hits += 1
            return entry[0]
        values, chosen = self._choose(state, moves)
        if len(self.table) < self.limits.entries:
            self.table[key] = (values, chosen)
        return values

    def _choose(self, state: Any, moves: list[Move]) -> tuple[Values, Move]:
        player = self.game.decision(state).player
        assert player is not None
        best: Values | None = None
        chosen = moves[0]
        for move, after in self.children(state, moves, None, player):
            if best is not None and self.goal.window(after, player)[1] < best[player] - CLOSE:
                continue
            values = self.values(after)
            if best is None or self._prefers(player, values, best):
                best, chosen = values, move
                if values[player] >= self.goal.window(state, player)[1] - CLOSE and player == self.seat:
                    break
        assert best is not None
        return best, chosen

    def _prefers(self, player: int, values: Values, best: Values) -> bool:
        if abs(values[player] - best[player]) > CLOSE:
            return values[player] > best[player]
        if player == self.seat:
            return False
        less = values[self.seat] < best[self.seat] - CLOSE
        more = values[self.seat] > best[self.seat] + CLOSE
        return less if self.ask.tie == "hostile" else more

    def _expected(self, state: Any) -> Values:
        found = [(self.values(after), chance) for after, chance in self.outcomes(state)]
        if self.ask.chance != "expect":
            pick = min if self.ask.chance == "worst" else max
            return pick((values for values, _ in found), key=lambda values: values[self.seat])
        return tuple(sum(chance * values[k] for values, chance in found) for k in range(len(found[0][0])))


def search(question: Question, players: int, limits: Limits | None = None) -> MinMax | MaxN:
    """The search that answers a question: minimax for two players and for what can be forced, else max^n."""
    if players == 2 or question.forced:
        return MinMax(question, limits)
    return MaxN(question, limits)
