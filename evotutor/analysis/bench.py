"""How fast the rules are: random playouts, perft, and single operations."""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from evotutor.analysis.perft import perft
from evotutor.analysis.playout import LONGEST, playout
from evotutor.core.model import Game
from evotutor.games import load
from evotutor.games.evolution.dense import dense_table
from evotutor.games.evolution.game import PLAYABLE, EvolutionGame


def play(game: Game[Any], players: int, seed: int) -> tuple[int, int, int]:
    """Play one random game; return actions, their legal moves in total, and all decisions with chance and forced ones.

    An action is a decision of a player with at least two legal moves: the list is built, one is chosen, it is applied.
    """
    random, moves, sample, apply = Random(seed).random, game.moves, game.sample, game.apply
    rng, decision = Random(seed + 1), game.decision
    state = game.new(players, seed)
    actions = choices = decisions = 0
    while decisions < LONGEST:
        legal = moves(state)
        n = len(legal)
        if n > 1:
            actions += 1
            choices += n
            move = legal[int(random() * n)]
        elif n:
            move = legal[0]
        elif decision(state).over:
            return actions, choices, decisions
        else:
            move = sample(state, rng)
        state = apply(state, move)
        decisions += 1
    raise RuntimeError(f"seed {seed} with {players} players does not end")


def playouts(game: Game[Any], players: int, games: int) -> dict[str, Any]:
    """Random games with seeds 0 to games-1, timed."""
    began = perf_counter()
    sums = [play(game, players, seed) for seed in range(games)]
    seconds = perf_counter() - began
    actions, choices, decisions = (sum(column) for column in zip(*sums, strict=True))
    return {
        "players": players,
        "games": games,
        "seconds": round(seconds, 3),
        "actions": actions,
        "actions_per_second": round(actions / seconds),
        "actions_per_game": round(actions / games, 1),
        "decisions_per_game": round(decisions / games, 1),
        "legal_moves_mean": round(choices / max(1, actions), 2),
    }


def operations(game: Game[Any]) -> dict[str, float]:
    """Microseconds for one `apply`, one `moves` and one `hash`, over the states of a few games."""
    steps = [step for seed in range(4) for step in playout(game, game.new(3, seed), Random(seed))]

    def micro(work: Callable[[Any], Any]) -> float:
        began = perf_counter()
        for step in steps:
            work(step)
        return round((perf_counter() - began) / len(steps) * 1e6, 2)

    return {
        "apply": micro(lambda step: game.apply(step.state, step.move)),
        "moves": micro(lambda step: game.moves(step.state)),
        "hash": micro(lambda step: hash(step.state)),
    }


def perft_speed(game: EvolutionGame, least: int = 100_000) -> dict[str, Any]:
    """Leaves a second from a crowded table, at the first depth with enough leaves to time."""
    state = dense_table(Random(1), game.modules)
    for depth in range(1, 12):
        began = perf_counter()
        leaves = perft(game, state, depth)
        seconds = perf_counter() - began
        if leaves >= least:
            break
    return {"depth": depth, "leaves": leaves, "leaves_per_second": round(leaves / seconds)}


def commit() -> str:
    """The commit of the working copy this file belongs to, "" when there is none."""
    try:
        found = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()


def report(games: int = 200) -> dict[str, Any]:
    """Everything that `evotutor bench` prints."""
    return {
        "game": "evolution",
        **measured(("base",), games),
        "whole gift box": measured(PLAYABLE, games),
        "python": platform.python_version(),
        "commit": commit(),
    }


def measured(modules: tuple[str, ...], games: int) -> dict[str, Any]:
    """The figures of one choice of modules."""
    game = load("evolution", modules=modules)
    play(game, 2, 0)
    return {
        "modules": [*modules],
        "playouts": [playouts(game, players, games) for players in (2, 4)],
        "perft": perft_speed(game),
        "microseconds": operations(game),
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor bench`."""
    parser.add_argument("--games", type=int, default=200, help="games per number of players, seeds from 0")
    parser.add_argument("--solver", action="store_true", help="solve the set of hard feeding phases instead")


def run(args: argparse.Namespace) -> int:
    """`evotutor bench`: print the measurements as JSON."""
    if args.solver:
        from evotutor.analysis.hard import measure

        print(json.dumps({**measure(), "python": platform.python_version(), "commit": commit()}, indent=1))
        return 0
    print(json.dumps(report(args.games), indent=1))
    return 0
