"""A short tree of decisions and chance, worked out exactly: what each answer leads to, and which one is chosen.

Every end of the tree has a *result*; a branch's value is the distribution of results behind it.  A `Chooser` says which
branch a decision takes: one, or all with the same chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Generic, TypeVar

from evotutor.analysis.chance import exact, mixed
from evotutor.core.model import Decision, Game, Move

R = TypeVar("R", bound=Hashable)


class TooLarge(Exception):
    """The tree has more positions than were allowed; sample it."""


@dataclass(frozen=True)
class Branch(Generic[R]):
    """One answer, or outcomes of chance that lead to the same: `moves` with the chance to be taken."""

    moves: tuple[str, ...]
    p: Fraction
    node: Node[R]


@dataclass(frozen=True)
class Node(Generic[R]):
    """A decision of `player` (None for chance and ends) with its branches; `results` is what comes of it."""

    player: int | None
    chance: bool
    results: dict[R, Fraction]
    branches: tuple[Branch[R], ...] = ()


Chooser = Callable[[Decision, Sequence[dict[R, Fraction]]], int | None]
"""Which branch a decision takes, from the results behind each; None: any, with the same chance."""


class Tree(Generic[R]):
    """Works out positions until `over`; equal positions are worked out once.  TooLarge beyond `limit` positions."""

    def __init__(
        self,
        game: Game[Any],
        over: Callable[[Any], bool],
        result: Callable[[Any], R],
        choose: Chooser[R],
        limit: int,
    ) -> None:
        self.game, self.over, self.result, self.choose, self.limit = game, over, result, choose, limit
        self.known: dict[Any, Node[R]] = {}

    def node(self, state: Any) -> Node[R]:
        """The node of a position."""
        found = self.known.get(state)
        if found is None:
            if len(self.known) >= self.limit:
                raise TooLarge
            found = self.known[state] = self._work_out(state)
        return found

    def _work_out(self, state: Any) -> Node[R]:
        decision = self.game.decision(state)
        if self.over(state) or decision.over:
            return Node(None, False, {self.result(state): Fraction(1)})
        branches = self._chance(state) if decision.chance else self._answers(state, decision)
        results = mixed(dict(enumerate(b.p for b in branches)), lambda i: branches[i].node.results)
        return Node(decision.player, decision.chance, results, tuple(branches))

    def _chance(self, state: Any) -> list[Branch[R]]:
        """Outcomes that lead to the same position are one branch."""
        moves: dict[Any, list[str]] = {}
        chances: dict[Any, Fraction] = {}
        for move, p in self.game.outcomes(state):
            after = self.game.apply(state, move)
            moves.setdefault(after, []).append(self.game.show(state, move))
            chances[after] = chances.get(after, Fraction(0)) + exact(p)
        return [Branch(tuple(shown), chances[after], self.node(after)) for after, shown in moves.items()]

    def _answers(self, state: Any, decision: Decision) -> list[Branch[R]]:
        moves = self.game.moves(state)
        nodes = [self.node(self.game.apply(state, move)) for move in moves]
        taken = self.choose(decision, [node.results for node in nodes])
        share = Fraction(1, len(moves))
        return [
            Branch((self.game.show(state, move),), share if taken is None else Fraction(taken == i), node)
            for i, (move, node) in enumerate(zip(moves, nodes, strict=True))
        ]


def sampled(
    game: Game[Any], start: Any, over: Callable[[Any], bool], result: Callable[[Any], R], samples: int, rng: Random
) -> Counter[R]:
    """Results of so many plays in which every answer is as likely as any other."""
    found: Counter[R] = Counter()
    for _ in range(samples):
        state = start
        while not over(state):
            state = game.apply(state, _any_move(game, state, rng))
        found[result(state)] += 1
    return found


def _any_move(game: Game[Any], state: Any, rng: Random) -> Move:
    moves = game.moves(state)
    return rng.choice(moves) if moves else game.sample(state, rng)
