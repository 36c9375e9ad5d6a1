"""Golden playthroughs: whole games recorded as text.  Run this file to record them anew after a change of the rules."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from evotutor.analysis.playout import playout
from evotutor.cases import load_game, read_cases
from evotutor.cases.runner import start
from evotutor.core.model import Game, dress
from evotutor.core.play import play_line, settle
from evotutor.games import load
from evotutor.rulebook import event_text

FOLDER = Path(__file__).parent / "data" / "golden"
CASES = Path(__file__).parent.parent / "lessons" / "cases"
WORKED = ("worked-first-turn",)
"""Cases of the printed rulebook, recorded in `cases/`."""
CHECKPOINT = 60
"""After so many decisions the position is written down."""


class Plan(NamedTuple):
    """A game to record."""

    name: str
    players: int
    seed: int
    options: dict[str, Any]


PLANS = (
    Plan("two-players", 2, 21, {}),
    Plan("three-players", 3, 22, {}),
    Plan("four-players-old-cards", 4, 23, {"preset": "old-cards"}),
    Plan("six-players-two-decks", 6, 24, {}),
    Plan("cataclysm", 3, 25, {"scenario": "cataclysm"}),
    Plan("time-to-fly", 3, 26, {"modules": ["base", "time-to-fly"]}),
    Plan("continents-two-players", 2, 27, {"modules": ["base", "continents"]}),
    Plan("gift-box-cards", 2, 28, {"modules": ["base", "gift-box"]}),
    Plan("whole-gift-box", 4, 29, {"modules": ["base", "time-to-fly", "continents", "gift-box"]}),
    Plan(
        "cataclysm-with-expansions", 2, 30, {"modules": ["base", "time-to-fly", "continents"], "scenario": "cataclysm"}
    ),
)


def record(plan: Plan) -> dict[str, Any]:
    """Play a random game by its seed and write down everything that is to stay the same."""
    game = load("evolution", **plan.options)
    state = first = game.new(plan.players, plan.seed)
    lines, events = [], []
    for step in playout(game, first, Random(plan.seed)):
        lines.append(game.show(step.state, step.move))
        state = game.apply(step.state, step.move, events)
    return {
        "players": plan.players,
        "seed": plan.seed,
        "options": plan.options,
        "moves": LiteralScalarString("\n".join(lines) + "\n"),
        "events": {"number": len(events), "sha256": digest(events)},
        "score": [line.total for line in game.score(state)],
        "checkpoints": checkpoints(game, first, lines),
        "end": LiteralScalarString(game.text(state)),
    }


def record_case(name: str) -> dict[str, Any]:
    """Play a case and write down every decision, forced ones too, and what happened in words."""
    (case,) = (case for case in read_cases([CASES / "base" / "worked-turn.yaml"]) if case.id == name)
    game = load_game(case)
    state, events, steps = start(case, game), [], []
    for line in case.play:
        if isinstance(line, str):
            state = play_line(game, state, line, events, steps)
    state = settle(game, state, events, steps)
    return {
        "case": name,
        "moves": LiteralScalarString("\n".join(game.show(before, move) for before, move in steps) + "\n"),
        "log": LiteralScalarString("\n".join(event_text(dress(event)) for event in events) + "\n"),
        "end": LiteralScalarString(game.text(state)),
    }


def checkpoints(game: Game[Any], state: Any, lines: list[str]) -> dict[int, str]:
    """Digests of the position's text on the way."""
    found = {}
    for number, line in enumerate(lines):
        if number % CHECKPOINT == 0:
            found[number] = digest(game.text(state))
        (move,) = game.line(state, line)
        state = game.apply(state, move)
    return found


def digest(thing: Any) -> str:
    """A short fingerprint."""
    return sha256(repr(thing).encode()).hexdigest()[:16]


def yaml() -> YAML:
    """The reader and writer of golden files."""
    tool = YAML(typ="rt", pure=True)
    tool.width = 120
    return tool


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for plan in PLANS:
        with (FOLDER / f"{plan.name}.yaml").open("w", encoding="utf-8") as file:
            yaml().dump(record(plan), file)
    (FOLDER / "cases").mkdir(exist_ok=True)
    for name in WORKED:
        with (FOLDER / "cases" / f"{name}.yaml").open("w", encoding="utf-8") as file:
            yaml().dump(record_case(name), file)
