"""Random play: what benchmarks, simulations and the long tests of the rules are made of."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from evotutor.core.model import Game, Move

LONGEST = 20_000
"""Decisions after which a game is given up as endless."""


class Step(NamedTuple):
    """One decision of a playout: the state before it, the legal moves (empty at chance) and the one taken."""

    state: Any
    legal: list[Move]
    move: Move


def choose(game: Game[Any], state: Any, rng: Random) -> tuple[list[Move], Move]:
    """The legal moves (empty at chance) and one of them, or an outcome of chance, at random."""
    legal = game.moves(state)
    if legal:
        return legal, legal[int(rng.random() * len(legal))] if len(legal) > 1 else legal[0]
    return legal, game.sample(state, rng)


def playout(game: Game[Any], state: Any, rng: Random, longest: int = LONGEST) -> Iterator[Step]:
    """Random decisions from a state to the end of the game; RuntimeError when it does not end."""
    for _ in range(longest):
        if game.decision(state).over:
            return
        legal, move = choose(game, state, rng)
        yield Step(state, legal, move)
        state = game.apply(state, move)
    raise RuntimeError(f"the game did not end within {longest} decisions")
