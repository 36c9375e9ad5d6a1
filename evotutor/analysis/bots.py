"""Players: random, greedy, and Monte-Carlo search over the worlds that a player cannot tell apart.

A bot gets `game.observe(state, seat)` and a random generator, never the state itself.  What a position is worth and
what is sensible in it says a `Judge`; a game has its own in one adapter (`evotutor.analysis.evolution_play`), other
games get a plain one that knows points only.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from time import perf_counter
from typing import Any, Final, NamedTuple, Protocol

from evotutor.core.model import Game, Move

LEVELS: Final = (1, 2, 3, 4, 5)
"""Strength levels of panels: 5 is the bot at its best."""
SLIPS: Final = {1: 0.4, 2: 0.2, 3: 0.1, 4: 0.03, 5: 0.0}
"""Level -> the share of decisions that are taken at random."""
PATIENCE: Final = {1: 0.1, 2: 0.2, 3: 0.4, 4: 0.7, 5: 1.0}
"""Level -> the share of the thinking time that is used."""
DEEPEST = 400
"""Decisions after which a playout is judged wherever it is."""


class Bot(Protocol):
    """Somebody who decides for one seat."""

    @property
    def name(self) -> str: ...

    def choose(self, game: Game[Any], state: Any, seat: int, rng: Random) -> Move:
        """One legal move; `state` is what the seat sees.  ValueError when it has nothing to decide."""
        ...


class Judge(Protocol):
    """What a bot has to be told about a game."""

    def mark(self, state: Any) -> Any:
        """A value that stays the same until a turn, or whatever a playout should be cut at, is over."""
        ...

    def is_open(self, state: Any) -> bool:
        """Is a line of several small decisions of one player begun and not complete?"""
        ...

    def seen_move(self, state: Any, move: Move, mover: int | None, seat: int) -> Move:
        """The move as far as `seat` can see it."""
        ...

    def alike(self, state: Any, moves: list[Move]) -> list[Move]:
        """The moves without those that come to the same; the better one to keep stands for its like."""
        ...

    def promising(self, state: Any, moves: list[Move]) -> list[Move]:
        """Some of the answers that complete an open line, the best among them as a rule."""
        ...

    def values(self, state: Any) -> list[float]:
        """For each seat an estimate of its points at the end."""
        ...

    def rewards(self, state: Any) -> list[float]:
        """For each seat an estimate of its share of the win, from 0 to 1, in all 1."""
        ...

    def quick(self, state: Any, moves: list[Move], rng: Random) -> Move:
        """A sensible move at once."""
        ...


class PlainJudge:
    """Points as they stand and moves at random: enough for any game on the protocol."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def mark(self, state: Any) -> Any:
        """Playouts go on to the end of the game."""
        return self.game.decision(state).over

    def is_open(self, state: Any) -> bool:
        """Every decision stands by itself."""
        return False

    def seen_move(self, state: Any, move: Move, mover: int | None, seat: int) -> Move:
        """Everything is open."""
        return move

    def alike(self, state: Any, moves: list[Move]) -> list[Move]:
        """No two moves are known to be alike."""
        return moves

    def promising(self, state: Any, moves: list[Move]) -> list[Move]:
        """All of them."""
        return moves

    def values(self, state: Any) -> list[float]:
        """Points."""
        return [float(line.total) for line in self.game.score(state)]

    def rewards(self, state: Any) -> list[float]:
        """Shares of the first place as it stands."""
        winners = [line.player for line in self.game.score(state) if line.place == 1]
        return [(seat in winners) / len(winners) for seat in range(len(self.game.score(state)))]

    def quick(self, state: Any, moves: list[Move], rng: Random) -> Move:
        """Any move."""
        return moves[int(rng.random() * len(moves))]


def judge_of(game: Game[Any]) -> Judge:
    """The judge of a game: its own where there is one."""
    if game.name == "evolution":
        from evotutor.analysis.evolution_play import judge

        return judge(game)  # type: ignore[arg-type]
    return PlainJudge(game)


def _only(moves: Sequence[Move]) -> Move | None:
    if not moves:
        raise ValueError("there is nothing to decide here")
    return moves[0] if len(moves) == 1 else None


class RandomBot:
    """Any legal move."""

    name = "random"

    def choose(self, game: Game[Any], state: Any, seat: int, rng: Random) -> Move:
        """One of the legal moves, all equally likely."""
        moves = game.moves(state)
        return _only(moves) or moves[int(rng.random() * len(moves))]


class GreedyBot:
    """The line (a move with the small decisions that complete it) after which the position is worth most."""

    name = "greedy"

    def choose(self, game: Game[Any], state: Any, seat: int, rng: Random) -> Move:
        """The best move one line ahead; among equals any."""
        moves = game.moves(state)
        only = _only(moves)
        if only is not None:
            return only
        ranked = rank(game, judge_of(game), state, moves, seat)
        best = max(ranked.values())
        equal = [move for move, value in ranked.items() if value >= best - 1e-9]
        return equal[int(rng.random() * len(equal))]


def rank(game: Game[Any], judge: Judge, state: Any, moves: list[Move], seat: int) -> dict[Move, float]:
    """What each move (without its likes) is worth to `seat`: own points less the best other's, a line ahead."""
    return {move: _ahead(game, judge, game.apply(state, move), seat) for move in judge.alike(state, moves)}


def _ahead(game: Game[Any], judge: Judge, state: Any, seat: int) -> float:
    if judge.is_open(state) and game.decision(state).player == seat:
        moves = judge.promising(state, game.moves(state))
        if moves:
            return max(_ahead(game, judge, game.apply(state, move), seat) for move in moves)
    return margin(judge.values(state), seat)


def margin(values: Sequence[float], seat: int) -> float:
    """Own points less the best other's."""
    return values[seat] - max((v for other, v in enumerate(values) if other != seat), default=0.0)


class Node:
    """What is known about the positions after a row of moves; rewards are those of the player who moved last."""

    __slots__ = ("available", "children", "prior", "ranked", "total", "visits")

    def __init__(self, prior: float | None = None) -> None:
        self.children: dict[Move, Node] = {}
        self.visits, self.available, self.total = 0, 0, 0.0
        self.prior = prior
        self.ranked = False


class Thought(NamedTuple):
    """One line of what a search found: a move, how often it was tried, its mean reward (share of the win)."""

    move: Move
    visits: int
    reward: float


class MonteCarloBot:
    """Monte-Carlo tree search on information sets, from one observer's side.

    Every iteration deals the hidden cards anew, walks down a tree of moves as this seat sees them, and judges the
    position where the playout is cut.  Every player maximises his own reward.

    `seconds` and `iterations` bound the thinking (0 for no bound; at least one must be given).  `plies` is the length
    of the playout behind the tree, which ends with the turn at the latest; `curiosity` is the constant of UCB; `trust`
    is how many visits the estimate of a move counts as; a node gets such estimates after `expand` visits.
    """

    name = "monte-carlo"

    def __init__(
        self,
        seconds: float = 0.5,
        iterations: int = 0,
        *,
        plies: int = DEEPEST,
        curiosity: float = 0.25,
        trust: float = 3.0,
        expand: int = 6,
    ) -> None:
        if seconds <= 0 and iterations <= 0:
            raise ValueError("a search needs a bound: seconds or iterations")
        self.seconds, self.iterations = seconds, iterations
        self.plies, self.curiosity, self.trust, self.expand = plies, curiosity, trust, expand
        self.last: list[Thought] = []
        self.done = 0

    def choose(self, game: Game[Any], state: Any, seat: int, rng: Random) -> Move:
        """The move that was tried most; forced moves are made without a thought."""
        moves = game.moves(state)
        only = _only(moves)
        if only is not None:
            return only
        root = self.search(game, state, seat, rng)
        self.last = sorted(
            (Thought(move, node.visits, node.total / max(1, node.visits)) for move, node in root.children.items()),
            key=lambda thought: (-thought.visits, -thought.reward),
        )
        return self.last[0].move

    def search(self, game: Game[Any], state: Any, seat: int, rng: Random) -> Node:
        """Grow a tree within the bounds; `done` is the number of iterations afterwards."""
        search = _Search(self, game, state, seat, rng)
        began, done = perf_counter(), 0
        while True:
            search.iterate()
            done += 1
            if self.iterations and done >= self.iterations:
                break
            if self.seconds > 0 and not done & 7:
                spent = perf_counter() - began
                if spent >= self.seconds:
                    break
                if not done & 63 and _settled(search.root, done * (self.seconds - spent) / spent):
                    break
        self.done = done
        return search.root


def _settled(root: Node, left: float) -> bool:
    """Can the move in front not be caught up with in the iterations that are left?"""
    visits = sorted((node.visits for node in root.children.values()), reverse=True)
    return len(visits) < 2 or visits[0] - visits[1] > left


class _Search:
    """One tree."""

    def __init__(self, bot: MonteCarloBot, game: Game[Any], state: Any, seat: int, rng: Random) -> None:
        self.bot, self.game, self.state, self.seat, self.rng = bot, game, state, seat, rng
        self.judge, self.root = judge_of(game), Node()
        self.start = self.judge.mark(state)

    def iterate(self) -> None:
        """Deal, walk down, play on, judge, and tell every node on the way."""
        game, judge, rng = self.game, self.judge, self.rng
        state, node = game.resample(self.state, self.seat, rng), self.root
        path: list[tuple[Node, int | None]] = []
        while judge.mark(state) == self.start:
            decision = game.decision(state)
            if decision.over:
                break
            if decision.chance:
                move, mover = game.sample(state, rng), None
                child = node.children.get(key := judge.seen_move(state, move, None, self.seat))
                if child is None:
                    child = node.children[key] = Node()
            else:
                moves = game.moves(state)
                mover = decision.player
                if len(moves) == 1:
                    move = moves[0]
                    child = node.children.get(key := judge.seen_move(state, move, mover, self.seat))
                    if child is None:
                        child = node.children[key] = Node()
                else:
                    move, child = self._pick(state, node, moves, -1 if mover is None else mover)
            state = game.apply(state, move)
            path.append((child, mover))
            node = child
            if not child.visits and mover is not None and not judge.is_open(state):
                break
        rewards = judge.rewards(self._play_on(state))
        self.root.visits += 1
        for child, mover in path:
            child.visits += 1
            if mover is not None:
                child.total += rewards[mover]

    def _play_on(self, state: Any) -> Any:
        game, judge, rng = self.game, self.judge, self.rng
        for _ in range(self.bot.plies):
            if judge.mark(state) != self.start:
                break
            moves = game.moves(state)
            if not moves:
                if game.decision(state).over:
                    break
                move = game.sample(state, rng)
            else:
                move = judge.quick(state, moves, rng) if len(moves) > 1 else moves[0]
            state = game.apply(state, move)
        return state

    def _pick(self, state: Any, node: Node, moves: list[Move], mover: int) -> tuple[Move, Node]:
        bot, judge = self.bot, self.judge
        if mover == self.seat:
            moves = judge.alike(state, moves)
        if not node.ranked and (node is self.root or node.visits >= bot.expand):
            self._rank(state, node, moves, mover)
        best, chosen = -1e9, None
        c, trust, total, children = bot.curiosity, bot.trust, node.total, node.children
        first = total / node.visits if node.visits and node is not self.root else 0.5
        rng = self.rng.random
        for move in moves:
            key = move if mover == self.seat else judge.seen_move(state, move, mover, self.seat)
            child = children.get(key)
            if child is None:
                child = children[key] = Node()
            child.available += 1
            visits = child.visits
            if child.prior is not None:
                mean = (child.total + trust * child.prior) / (visits + trust)
                bound = mean + c * sqrt(log(child.available + 1) / (visits + 1))
            elif visits:
                bound = child.total / visits + c * sqrt(log(child.available + 1) / visits)
            else:
                bound = 10.0 + first
            bound += 1e-6 * rng()
            if bound > best:
                best, chosen = bound, (move, child)
        assert chosen is not None
        return chosen

    def _rank(self, state: Any, node: Node, moves: list[Move], mover: int) -> None:
        """Give the children of a node an estimate each: the reward a line ahead."""
        node.ranked = True
        for move in moves:
            key = self.judge.seen_move(state, move, mover, self.seat)
            child = node.children.get(key)
            if child is None:
                child = node.children[key] = Node()
            if child.prior is None:
                child.prior = self._best(self.game.apply(state, move), mover)

    def _best(self, state: Any, mover: int) -> float:
        if self.judge.is_open(state) and self.game.decision(state).player == mover:
            moves = self.judge.promising(state, self.game.moves(state))
            if moves:
                return max(self._best(self.game.apply(state, move), mover) for move in moves)
        return self.judge.rewards(state)[mover]


class Careless:
    """A bot that now and then makes any move: how panels get weaker opponents."""

    def __init__(self, inner: Bot, slips: float) -> None:
        self.inner, self.slips, self.name = inner, slips, inner.name

    def choose(self, game: Game[Any], state: Any, seat: int, rng: Random) -> Move:
        """The inner bot's move, or any."""
        moves = game.moves(state)
        if len(moves) > 1 and rng.random() < self.slips:
            return moves[int(rng.random() * len(moves))]
        return self.inner.choose(game, state, seat, rng)


def bot(name: str, *, seconds: float = 0.5, iterations: int = 0, level: int = 5) -> Bot:
    """A bot by name: random, greedy or monte-carlo, at a strength level from 1 to 5.

    `seconds` is the time a decision may take (Monte-Carlo only; below level 5 a part of it).  ValueError for a name or
    level that there is not.
    """
    if level not in LEVELS:
        raise ValueError(f"level {level}: there are {LEVELS[0]} to {LEVELS[-1]}")
    made: Bot
    if name == "random":
        return RandomBot()
    if name == "greedy":
        made = GreedyBot()
    elif name == "monte-carlo":
        made = MonteCarloBot(seconds * PATIENCE[level], round(iterations * PATIENCE[level]))
    else:
        raise ValueError(f"no bot {name!r}; there are: {', '.join(NAMES)}")
    return Careless(made, SLIPS[level]) if SLIPS[level] else made


NAMES: Final = ("random", "greedy", "monte-carlo")


def parse(text: str) -> Bot:
    """A bot as the command line writes it: `greedy`, `monte-carlo:0.5` (seconds), `monte-carlo:500i` (iterations),
    `greedy@3` (level).  ValueError for what cannot be read."""
    name, _, level = text.partition("@")
    name, _, bound = name.partition(":")
    try:
        strength = int(level) if level else 5
        if bound.endswith("i"):
            return bot(name, seconds=0.0, iterations=int(bound[:-1]), level=strength)
        return bot(name, seconds=float(bound) if bound else 0.5, level=strength)
    except ValueError as error:
        if "there are" in str(error) or "bound" in str(error):
            raise
        raise ValueError(f"{text!r} is no bot: write NAME, NAME:SECONDS, NAME:ITERATIONSi or NAME@LEVEL") from error


__all__ = ["Bot", "Careless", "GreedyBot", "MonteCarloBot", "RandomBot", "bot", "parse"]
