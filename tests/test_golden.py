"""Whole games that were recorded are replayed line by line and end as they did."""

from __future__ import annotations

from typing import Any

import pytest
from golden import CHECKPOINT, FOLDER, PLANS, WORKED, Plan, digest, record, record_case, yaml

from evotutor.games import load
from evotutor.games.evolution.notation import read_text


def _read(plan: Plan) -> dict[str, Any]:
    found: dict[str, Any] = yaml().load((FOLDER / f"{plan.name}.yaml").read_text("utf-8"))
    return found


@pytest.mark.parametrize("plan", PLANS, ids=[plan.name for plan in PLANS])
def test_recorded_game_replays(plan: Plan) -> None:
    told = _read(plan)
    game = load("evolution", **told["options"])
    state, events = game.new(told["players"], told["seed"]), []
    for number, line in enumerate(told["moves"].splitlines()):
        if number % CHECKPOINT == 0:
            assert digest(game.text(state)) == told["checkpoints"][number], f"before decision {number}, {line}"
        (move,) = game.line(state, line)
        if game.decision(state).chance:
            assert any(move == outcome for outcome, _ in game.outcomes(state)), line
        else:
            assert move in game.moves(state), line
        state = game.apply(state, move, events)
    assert game.decision(state).over
    assert [line.total for line in game.score(state)] == told["score"]
    assert (len(events), digest(events)) == (told["events"]["number"], told["events"]["sha256"])
    assert game.text(state) == told["end"]
    assert read_text(told["end"], game) == state


@pytest.mark.parametrize("plan", PLANS[:2], ids=[plan.name for plan in PLANS[:2]])
def test_a_seed_gives_the_same_game(plan: Plan) -> None:
    assert record(plan)["moves"] == _read(plan)["moves"]


@pytest.mark.parametrize("name", WORKED)
def test_the_worked_turn_of_the_rulebook_goes_as_recorded(name: str) -> None:
    told = yaml().load((FOLDER / "cases" / f"{name}.yaml").read_text("utf-8"))
    assert record_case(name) == dict(told)


def test_every_recording_is_played() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} == {plan.name for plan in PLANS}
