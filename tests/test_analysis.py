"""The long commands in small: benchmark, random tests, mutation check."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from evotutor.analysis import bench, mutate, soak
from evotutor.cases import read_cases
from evotutor.cli import main
from evotutor.games import load
from evotutor.games.evolution import invariants
from evotutor.games.evolution.dense import dense_table

CASE = """
id: swimmers
question: {en: Can a land hunter attack a swimmer?, ru: Может ли сухопутный хищник напасть на водоплавающее?}
answer: {en: No., ru: Нет.}
sources: [R14]
rules: [swimming.only-swimmers]
position:
  phase: feeding
  bank: 2
  deck: 10
  players: {A: {animals: {a1: carnivorous}}, B: {animals: {b1: swimming, b2: plain}}}
expect:
  illegal: {"A: attack a1 b1": swimming.only-swimmers}
"""


def test_bench_counts_actions_of_seeded_games() -> None:
    game = load("evolution")
    assert bench.play(game, 2, 0) == bench.play(game, 2, 0)
    actions, choices, decisions = bench.play(game, 4, 1)
    assert decisions > actions
    assert choices >= 2 * actions


def test_bench_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--games", "2"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [entry["players"] for entry in told["playouts"]] == [2, 4]
    assert all(entry["actions_per_second"] > 0 for entry in told["playouts"])


@pytest.mark.slow
def test_random_games_and_tables_break_no_invariant() -> None:
    game, tally = load("evolution"), soak.empty()
    for seed in (0, 2, 6):
        soak.random_game(game, seed, tally, texts=200)
    for seed in range(40):
        soak.random_table(game, seed, tally, texts=20)
    assert tally.complaints == []
    report = soak.summary(tally, 1.0)
    assert report["games"] == 3
    assert report["rules"]["feeding.take"] > 100


@pytest.mark.slow
def test_soak_works_on_several_processes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "--games", "4", "--dense", "10", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["complaints"] == 0


def test_soak_complains_about_tokens_from_nowhere() -> None:
    state = dense_table(Random(1))
    richer = state._replace(bank=(state.bank[0] + 1,))
    assert list(invariants.step_complaints(state, [], richer))
    assert list(invariants.flow_complaints(state, [], richer))


@pytest.mark.parametrize("seed", range(30))
def test_crowded_tables_are_legal_positions(seed: int) -> None:
    game, state = load("evolution"), dense_table(Random(seed))
    assert list(invariants.state_complaints(state)) == []
    assert list(soak.text_complaints(game, state)) == []


def test_a_mutant_dies_of_the_case_that_proves_its_rule(tmp_path: Path) -> None:
    (tmp_path / "swimmers.yaml").write_text(CASE, encoding="utf-8")
    cases = read_cases([tmp_path])
    assert mutate.judge(cases, "swimming.only-swimmers").killer == "swimmers"
    assert mutate.judge(cases, "hook:running").killer == ""


def test_mutate_reports_survivors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "swimmers.yaml").write_text(CASE, encoding="utf-8")
    args: list[Any] = ["mutate", str(tmp_path), "--only", "swimming.", "--quiet", "--json"]
    assert main(args) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["killed"] == 1
    assert told["survivors"] == ["swimming.swimmer-only-swimmers"]


def test_mutate_refuses_cases_that_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wrong.yaml").write_text(CASE.replace("b1: swimming", "b1: plain"), encoding="utf-8")
    assert main(["mutate", str(tmp_path), "--quiet"]) == 2
    assert "swimmers" in capsys.readouterr().err
