"""Tournaments: the same deals with seats exchanged, stopped and continued."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evotutor.analysis import arena
from evotutor.analysis.rates import wilson
from evotutor.cli import main

BASE = {"modules": ("base",), "rulings": {}, "scenario": None}


def test_seats_are_exchanged() -> None:
    two = arena.setting(("greedy", "random"), 2, BASE)
    assert [two.seats(turn) for turn in range(two.rounds)] == [[0, 1], [1, 0]]
    four = arena.setting(("greedy", "random"), 4, BASE)
    assert [four.seats(turn) for turn in range(four.rounds)] == [[0, 1, 0, 1], [1, 0, 1, 0]]
    three = arena.setting(("greedy", "random"), 3, BASE)
    parts = [three.seats(turn) for turn in range(three.rounds)]
    assert len(parts) == 3
    assert {tuple(part) for part in parts} == {(0, 1, 0), (1, 0, 0), (0, 0, 1)}


def test_a_shared_place_is_half_a_win() -> None:
    where = arena.setting(("greedy", "random"), 2, BASE)
    game = {"seats": [0, 1], "wins": [0.5, 0.5], "points": [3, 3], "seconds": [0, 0], "decisions": [1, 1]}
    assert [s.wins for s in arena.standings(where, [game] * 4)] == [2, 2]


@pytest.mark.slow
def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    where = arena.setting(("greedy", "random"), 2, BASE)
    file = tmp_path / "games.jsonl"
    first = arena.tournament(where, 4, out=file)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:3]) + lines[3][:10], encoding="utf-8")  # killed while it wrote
    again = arena.tournament(where, 6, out=file)

    def told(games: list[dict[str, object]]) -> list[object]:
        return [(g["deal"], g["round"], g["points"], g["wins"]) for g in games]

    assert told(again)[:4] == told(first)
    assert len(file.read_text(encoding="utf-8").splitlines()) == 7
    other = arena.setting(("random", "random"), 2, BASE)
    with pytest.raises(ValueError, match="another tournament"):
        arena.tournament(other, 2, out=file)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_arena_prints_standings(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "--bots", "greedy", "random", "--games", "2", "--quiet", "--lang", lang]) == 0
    assert {"en": "interval", "ru": "интервал"}[lang] in capsys.readouterr().out


def test_arena_prints_json_from_several_processes(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["arena", "--bots", "random", "random@3", "--games", "4", "--workers", "2", "--json", "--quiet"]
    assert main(args) == 0
    told = json.loads(capsys.readouterr().out)
    assert sum(row["wins"] for row in told["standings"]) == 4
    assert all(row["low"] <= row["share"] <= row["high"] for row in told["standings"])


@pytest.mark.parametrize(
    "wrong",
    [["--bots", "greedy"], ["--bots", "greedy", "clever"], ["--modules", "nonsense"], ["--players", "9"],
     ["--ruling", "mimicry"], ["--ruling", "mimicry=maybe"]],
)  # fmt: skip
def test_arena_refuses_what_cannot_be_played(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "--games", "2", "--quiet", *wrong]) == 2
    assert capsys.readouterr().err


def test_intervals_are_wilsons() -> None:
    rate = wilson(8, 10)
    assert (round(rate.low, 3), round(rate.high, 3)) == (0.490, 0.943)
    assert wilson(0, 10).low == 0
    assert wilson(10, 10).high == pytest.approx(1)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    with pytest.raises(ValueError, match="no rate"):
        wilson(3, 2)
