"""The number of ways to go on from reference positions is what it was when the rules were last checked by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evotutor.analysis.perft import divide, perft
from evotutor.games import load
from evotutor.games.evolution.notation import read_text

DATA: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "perft.json").read_text("utf-8"))


PARTS = [
    pytest.param(entry, marks=[pytest.mark.slow] if len(entry["modules"]) > 1 else [], id=entry["name"])
    for entry in DATA
]


@pytest.mark.parametrize("entry", PARTS)
def test_leaves_are_those_of_the_reference(entry: dict[str, Any]) -> None:
    game = load("evolution", modules=entry["modules"])
    state = read_text(entry["position"], game)
    assert [perft(game, state, depth + 1) for depth in range(len(entry["leaves"]))] == entry["leaves"]


def test_divide_adds_up_to_perft() -> None:
    game = load("evolution")
    state = read_text(DATA[2]["position"], game)
    parts = divide(game, state, 4)
    assert sum(parts.values()) == perft(game, state, 4)
    assert list(parts) == [game.show(state, move) for move in game.moves(state)]
