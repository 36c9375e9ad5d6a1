"""Perft: count the leaves of the tree of all decisions to a given depth.

A cheap and merciless test of the rules: one forgotten or doubled move changes the numbers, which are kept in
`tests/data/perft.json`.  Every decision and every outcome of chance is one ply; a game that is over is a leaf.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from evotutor.analysis.playout import choose
from evotutor.core.model import Game
from evotutor.games import load
from evotutor.games.evolution.dense import dense_table
from evotutor.games.evolution.game import PLAYABLE, EvolutionGame

DATA = Path("tests/data/perft.json")
MOST = 40_000
"""Leaves beyond which a reference position is not searched deeper."""


def perft(game: Game[Any], state: Any, depth: int) -> int:
    """Leaves of the tree of decisions below a state; chance branches into its outcomes."""
    if depth == 0 or game.decision(state).over:
        return 1
    branches = game.moves(state) or [move for move, _ in game.outcomes(state)]
    if depth == 1:
        return len(branches)
    return sum(perft(game, game.apply(state, move), depth - 1) for move in branches)


def divide(game: Game[Any], state: Any, depth: int) -> dict[str, int]:
    """The leaves below each single move: to find the move where two versions of the rules differ."""
    branches = game.moves(state) or [move for move, _ in game.outcomes(state)]
    return {game.show(state, move): perft(game, game.apply(state, move), depth - 1) for move in branches}


GAMES: dict[str, tuple[str, ...]] = {"": ("base",), "the whole gift box: ": PLAYABLE}
"""Prefix of a position's name -> modules."""
WHOLE_BOX = [
    ("an ambush", "ambush", 2),
    ("what Intellect ignores", "ignore", 3),
    ("a migration", "migrate", 4),
    ("a Recombination", "swap", 3),
    ("a landing", "land", 2),
]
"""Further kinds of decision on crowded tables of the whole gift box."""


def sample_positions(game: EvolutionGame) -> list[tuple[str, Any]]:
    """Positions of different kinds: from random games, and from random crowded tables, with fixed seeds."""
    games = [("development, 2 players", 2, "development", 6), ("the food roll, 3 players", 3, "roll-food", 0)]
    tables = [
        ("a crowded table", "own-feeding-phase", 8),
        ("whom to attack", "target", 5),
        ("an attack to answer", "reaction", 4),
        ("which pair first", "pair-order", 2),
        ("which scavenger", "scavenger", 2),
    ]
    tables += WHOLE_BOX if game.modules == PLAYABLE else []
    found = [(name, _reach(game, partial(game.new, players), kind, least, 40)) for name, players, kind, least in games]
    table = partial(_table, game.modules)
    return found + [(name, _reach(game, table, kind, least, 0)) for name, kind, least in tables]


def _table(modules: tuple[str, ...], seed: int) -> Any:
    return dense_table(Random(seed), modules)


def _reach(game: EvolutionGame, start: Callable[[int], Any], kind: str, least: int, after: int) -> Any:
    """The first state of this kind with so many moves or more, after so many decisions, seed by seed."""
    for seed in range(2000):
        state, rng = start(seed), Random(seed)
        for ply in range(after + 60):
            decision = game.decision(state)
            if decision.over:
                break
            if ply >= after and decision.kind == kind and len(game.moves(state)) >= least:
                return state
            state = game.apply(state, choose(game, state, rng)[1])
    raise RuntimeError(f"no position of kind {kind} found")


def measure(game: Game[Any], state: Any, most: int = MOST) -> list[int]:
    """Leaves at depth 1, 2, ... as long as the next depth seems to stay below `most`."""
    counts: list[int] = []
    while len(counts) < 8:
        growth = counts[-1] / max(1, counts[-2]) if len(counts) > 1 else 20
        if counts and counts[-1] * max(2.0, growth) > most:
            break
        counts.append(perft(game, state, len(counts) + 1))
    return counts


def reference(most: int = MOST) -> list[dict[str, Any]]:
    """The reference data: name, modules, position text and leaves by depth."""
    found = []
    for prefix, modules in GAMES.items():
        game = load("evolution", modules=modules)
        for name, state in sample_positions(game):
            leaves = measure(game, state, most)
            found.append({"name": prefix + name, "modules": [*modules], "position": game.text(state), "leaves": leaves})
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor perft`."""
    parser.add_argument("--update", action="store_true", help="write the reference data anew")
    parser.add_argument("--data", type=Path, default=DATA, help="reference data (default: %(default)s)")
    parser.add_argument("--most", type=int, default=MOST, help="leaves per position when updating")


def run(args: argparse.Namespace) -> int:
    """`evotutor perft`: compare with the reference data, or write it."""
    from evotutor.games.evolution.notation import read_text

    if args.update:
        args.data.parent.mkdir(parents=True, exist_ok=True)
        args.data.write_text(json.dumps(reference(args.most), indent=1, ensure_ascii=False) + "\n", "utf-8")
        print(f"{args.data} written")
        return 0
    wrong = 0
    for entry in json.loads(args.data.read_text("utf-8")):
        game = load("evolution", modules=entry["modules"])
        state = read_text(entry["position"], game)
        began = perf_counter()
        found = [perft(game, state, depth + 1) for depth in range(len(entry["leaves"]))]
        good = found == entry["leaves"]
        wrong += not good
        speed = sum(found) / (perf_counter() - began)
        print(f"{'ok  ' if good else 'FAIL'} {entry['name']}: {found} ({speed:,.0f} leaves/s)")
        if not good:
            print(f"     expected {entry['leaves']}", file=sys.stderr)
    return 1 if wrong else 0
