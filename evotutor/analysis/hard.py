"""A published set of hard feeding phases: what the speed of the solver is measured on.

Eight animals, six red tokens, the last turn; four hunters, two runners, two Fat Tissue, two pairs, some more
defence.  Twenty tables for two players, ten for three, where everybody plays against the one who asks.
"""

from __future__ import annotations

from random import Random
from statistics import median
from time import perf_counter
from typing import Any, Final

from evotutor.analysis.report import question
from evotutor.analysis.solver import Limits, search
from evotutor.games import load

ANIMALS, TOKENS, HUNTERS, RUNNERS, FAT, PAIRS = 8, 6, 4, 2, 2, 2
DEFENCES: Final = (
    "camouflage", "sharp-vision", "high-body-weight", "burrowing", "tail-loss", "poisonous", "swimming", "parasite",
)  # fmt: skip
TABLES: Final = {2: range(20), 3: range(10)}
"""Number of players -> seeds of the set."""
KINDS: Final = ("cooperation", "communication", "symbiosis")


def hard_phase(seed: int, players: int = 2, animals: int = ANIMALS) -> dict[str, Any]:
    """A table of the set as position data."""
    rng = Random(f"{players} players, table {seed}")
    owners = [n % players for n in range(animals)]
    hunters, runners = rng.sample(range(animals), min(HUNTERS, animals)), rng.sample(range(animals), RUNNERS)
    fat, names = rng.sample(range(animals), FAT), []
    rows: dict[str, Any] = {chr(65 + seat): {"animals": {}} for seat in range(players)}
    for n, owner in enumerate(owners):
        traits = ["carnivorous"] * (n in hunters) + ["running"] * (n in runners)
        traits += [rng.choice(("fat-tissue", "fat-tissue(1)"))] if n in fat else []
        traits += [rng.choice(DEFENCES)] if rng.random() < 0.5 else []
        row = rows[chr(65 + owner)]["animals"]
        names.append(f"{chr(97 + owner)}{len(row) + 1}")
        row[names[-1]] = ", ".join(traits) or "plain"
    links = []
    for pair in range(PAIRS):
        mine = [name for name, owner in zip(names, owners, strict=True) if owner == pair % players]
        kind, (one, two) = rng.choice(KINDS), rng.sample(mine, 2)
        links.append({kind: {"symbiont": one, "protected": two} if kind == "symbiosis" else [one, two]})
    return {"bank": TOKENS, "last_turn": True, "players": rows, "links": links}


def solved(seed: int, players: int = 2, animals: int = ANIMALS, seconds: float = 60.0) -> dict[str, Any]:
    """Solve one table; value (or bounds), states and seconds."""
    game: Any = load("evolution")
    state = game.position(hard_phase(seed, players, animals))
    finder = search(question(game, state, "score", 0, forced=players > 2), players, Limits(seconds=seconds))
    began = perf_counter()
    bounds = finder.bounds(state)
    return {
        "players": players,
        "table": seed,
        "value": str(bounds),
        "proven": bounds.exact,
        "states": finder.nodes,
        "seconds": round(perf_counter() - began, 3),
    }


def measure(seconds: float = 60.0) -> dict[str, Any]:
    """The whole set, and how states grow with each animal."""
    rows = [solved(seed, players, seconds=seconds) for players, seeds in TABLES.items() for seed in seeds]
    growth = {
        n: round(median(solved(seed, 2, n, seconds)["states"] for seed in range(8))) for n in range(4, ANIMALS + 1)
    }
    times = [row["seconds"] for row in rows]
    return {
        "proven": sum(row["proven"] for row in rows),
        "of": len(rows),
        "median_seconds": median(times),
        "worst_seconds": max(times),
        "states_per_second": round(sum(row["states"] for row in rows) / sum(times)),
        "median_states_by_animals": growth,
        "tables": rows,
    }
