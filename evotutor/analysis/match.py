"""One game between bots, each of which sees its own view of the table only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from evotutor.analysis.bots import Bot
from evotutor.analysis.playout import LONGEST
from evotutor.core.model import Game, IllegalMove, Move, Reason, ScoreLine

Watcher = Callable[[Any, Move, list[tuple[Any, ...]], Any], None]
"""Gets the state before a decision, the move, the raw events and the state after it."""


class Played(NamedTuple):
    """A finished game.  `decisions` and `seconds` count per seat what was no forced move."""

    start: Any
    end: Any
    score: list[ScoreLine]
    decisions: list[int]
    seconds: list[float]

    @property
    def wins(self) -> list[float]:
        """For each seat its share of the first place: 1, or a part of it when the place is shared."""
        winners = [line.player for line in self.score if line.place == 1]
        return [(line.player in winners) / len(winners) for line in self.score]


def play(
    game: Game[Any], bots: Sequence[Bot], deal: int, salt: int = 0, watch: Watcher | None = None, longest: int = LONGEST
) -> Played:
    """Play one game.  `deal` seeds the first hands and chance, `salt` the bots.

    IllegalMove when a bot's move is not legal; RuntimeError when the game does not end within `longest` decisions.
    """
    start = state = game.new(len(bots), deal)
    chance = Random(f"chance {deal}")
    minds = [Random(f"bot {deal} {salt} {seat}") for seat in range(len(bots))]
    decisions, seconds = [0] * len(bots), [0.0] * len(bots)
    for _ in range(longest):
        decision = game.decision(state)
        if decision.over:
            return Played(start, state, game.score(state), decisions, seconds)
        moves = [] if decision.chance else game.moves(state)
        seat = decision.player
        if not moves:
            move = game.sample(state, chance)
        elif len(moves) == 1 or seat is None:
            move = moves[0]
        else:
            began = perf_counter()
            move = bots[seat].choose(game, game.observe(state, seat), seat, minds[seat])
            seconds[seat] += perf_counter() - began
            decisions[seat] += 1
            if move not in moves:
                raise IllegalMove(f"{bots[seat].name}: {move}", game.why_not(state, move) or [Reason("phase.wrong")])
        if watch is None:
            state = game.apply(state, move)
        else:
            events: list[tuple[Any, ...]] = []
            after = game.apply(state, move, events)
            watch(state, move, events, after)
            state = after
    raise RuntimeError(f"the game did not end within {longest} decisions")
