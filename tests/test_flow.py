"""Food flow: every token of a stretch of play is accounted for."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from evotutor.analysis.playout import playout
from evotutor.core.flow import (
    BEFORE,
    Imbalance,
    Row,
    balance,
    flow_graph,
    fold_tokens,
    inflow,
    outflow,
    rows,
    totals,
    until,
)
from evotutor.core.play import play_line, settle
from evotutor.games import load
from evotutor.games.evolution.dense import dense_table
from evotutor.games.evolution.tokens import food_flow, tokens

A1, A2, A3, B1, B2 = 1, 2, 3, 257, 258

POSITION: dict[str, Any] = {
    "phase": "feeding",
    "bank": 3,
    "deck": 20,
    "players": {
        "A": {"animals": {"a1": "carnivorous, fat-tissue, food 1", "a2": "grazing", "a3": "parasite, fat-tissue(1)"}},
        "B": {"animals": {"b1": "tail-loss", "b2": "piracy"}},
    },
    "links": [{"cooperation": ["a1", "a2"]}, {"communication": ["a2", "a3"]}],
}


def play(*lines: str) -> tuple[Any, list[Any], Any]:
    """State before, events and state after some lines in POSITION."""
    game = load("evolution")
    before = state = settle(game, game.position(POSITION))
    events: list[Any] = []
    for line in lines:
        state = play_line(game, state, line, events)
    return before, events, settle(game, state, events)


def test_red_from_the_bank_and_what_the_pairs_add() -> None:
    before, events, after = play("A: take a2")
    graph = food_flow(before, events, after)
    moved = {(u, v): (d["colour"], d["n"], d["by"]) for u, v, d in graph.edges(data=True) if u != BEFORE}
    assert moved["bank", A2] == ("red", 1, "feeding")
    assert moved["stock", A1] == ("blue", 1, "cooperation")
    assert moved["bank", A3] == ("red", 1, "communication")
    assert balance(graph, tokens(before), tokens(after)) == []


def test_a_kill_fills_need_then_fat() -> None:
    before, events, after = play("A: attack a1 b2")
    graph = food_flow(before, events, after)
    assert (inflow(graph, A1, "blue"), inflow(graph, ("fat", A1), "yellow")) == (1, 1)
    assert graph.nodes[B2]["dead"]
    assert graph.nodes[A1] | {"have": 2, "need": 2, "fat": 1, "hungry": False} == graph.nodes[A1]


def test_totals_say_what_was_given_and_what_was_lost() -> None:
    before, events, after = play("A: graze a2", "A: take a2")
    sums = totals(food_flow(before, events, after))
    assert sums["grazed"] == 1
    assert sums["red"] + sums["grazed"] == 3 - sum(after.bank)


def test_rows_join_equal_moves_and_name_animals() -> None:
    before, events, after = play("A: take a2")
    assert Row("bank", "a2", "red", 1, "feeding", 0) in rows(food_flow(before, events, after))
    assert Row("before", "fat of a3", "yellow", 1, "", 0) in rows(food_flow(before, events, after))


def test_until_goes_back_in_time() -> None:
    before, events, after = play("A: take a2")
    graph = food_flow(before, events, after)
    first = next(d["event"] for _, v, d in graph.edges(data=True) if v == A2)
    early = until(graph, first)
    assert inflow(early, A2) == 1
    assert inflow(early, A1, "blue") == 0
    assert inflow(graph, A1, "blue") == 1
    assert early.nodes[A1] == graph.nodes[A1]


def test_opening_stock_is_a_source_so_that_sums_are_the_tokens_on_the_table() -> None:
    before = {"bank": {"red": 2}, B1: {"red": 1, "blue": 1}}
    graph = flow_graph([("transfer", "piracy.take", -1, B1, A1, "red", 1)], before)
    assert outflow(graph, BEFORE) == 4
    assert balance(graph, before, {"bank": {"red": 2}, B1: {"blue": 1}, A1: {"red": 1}}) == []
    assert balance(graph, before, {"bank": {"red": 1}, B1: {"blue": 1}, A1: {"red": 1}}) == [Imbalance("bank", 1, 2)]


def test_fold_refuses_tokens_that_are_not_there() -> None:
    with pytest.raises(ValueError, match=r"feeding\.take"):
        fold_tokens({"bank": {"red": 1}}, [("transfer", "feeding.take", -1, "bank", A1, "red", 2)])


def test_a_stored_token_leaves_its_source_in_the_source_s_colour() -> None:
    events = [("transfer", "fat-tissue.store-when-fed", -1, B1, ("fat", A1), "yellow", 1)]
    assert fold_tokens({B1: {"red": 1, "blue": 1}}, events) == {B1: {"blue": 1}, ("fat", A1): {"yellow": 1}}


@pytest.mark.parametrize("seed", range(6))
def test_folding_the_events_of_whole_games_gives_the_tokens(seed: int) -> None:
    game = load("evolution")
    start = state = game.new(2 + seed, seed)
    events: list[Any] = []
    for step in playout(game, start, Random(seed)):
        old, state = state, game.apply(state, step.move, events)
        if game.decision(state).kind != game.decision(old).kind:
            assert fold_tokens(tokens(start), events) == tokens(state)
    graph = food_flow(start, events, state)
    assert balance(graph, tokens(start), tokens(state)) == []
    on_table = sum(sum(purse.values()) for purse in tokens(state).values())
    sunk = sum(inflow(graph, sink) for sink in ("grazed", "wasted", "lost", "leftover", "cleared") if sink in graph)
    assert outflow(graph, "box") + outflow(graph, "stock") == on_table + sunk


@pytest.mark.parametrize("seed", range(40))
def test_flow_of_crowded_tables_balances(seed: int) -> None:
    game = load("evolution")
    start = state = dense_table(Random(seed))
    events: list[Any] = []
    for _, step in zip(range(30), playout(game, start, Random(seed)), strict=False):
        state = game.apply(step.state, step.move, events)
    graph = food_flow(start, events, state)
    assert balance(graph, tokens(start), tokens(state)) == []
    assert all("have" in graph.nodes[a.uid] for herd in state.herds for a in herd)
