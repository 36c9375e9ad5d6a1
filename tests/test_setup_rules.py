"""Setting up, the deck, hidden cards: rules S2 and R14, each test named by the rule it proves."""

from __future__ import annotations

import pickle
from collections import Counter
from random import Random

import pytest

from evotutor.games import load
from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, deck
from evotutor.games.evolution.state import PROTECTED, Topology

GAME = load("evolution")


def everything(state):
    """All cards of a fresh deal."""
    return Counter(state.deck) + sum((Counter(hand) for hand in state.hands), Counter())


def test_the_box_holds_84_cards_with_the_printed_totals():
    assert len(deck(("base",))) == 84
    totals = Counter(TRAITS[t].id for c in CARDS if c.module == "base" for t in c.traits for _ in range(c.copies))
    assert (totals["carnivorous"], totals["fat-tissue"], totals["swimming"], totals["cooperation"]) == (24, 28, 8, 8)
    assert totals["communication"] == 4
    assert totals["parasite"] == totals["high-body-weight"] == 8
    assert len(totals) == 19


@pytest.mark.parametrize("players", range(2, 9))
def test_setup_deal_six_cards_to_each_player(players):
    state = GAME.new(players, seed=players)
    assert all(len(hand) == 6 for hand in state.hands)
    assert everything(state) == Counter(deck(("base",), 2 if players > 4 else 1))


def test_setup_first_player_is_drawn_by_lot():
    assert {GAME.new(3, seed).first for seed in range(60)} == {0, 1, 2}


@pytest.mark.parametrize("players", [1, 9])
def test_setup_refuses_other_numbers_of_players(players):
    with pytest.raises(ValueError, match="2-8"):
        GAME.new(players, 1)


@pytest.mark.parametrize(
    ("players", "dice", "least", "most"),
    [(2, 1, 3, 8), (3, 2, 2, 12), (4, 2, 4, 14), (5, 3, 5, 20), (6, 3, 7, 22), (7, 4, 6, 26), (8, 4, 8, 28)],
)
def test_food_dice_by_players(players, dice, least, most):
    data = {"phase": "food", "players": {chr(65 + i): {} for i in range(players)}}
    data["players"]["A"] = {"animals": {"a1": "plain"}}
    state = GAME.position(data)
    outcomes = GAME.outcomes(state)
    banks = {GAME.apply(state, move).bank[0] for move, _ in outcomes}
    assert all(len(move) == dice + 1 for move, _ in outcomes)
    assert (min(banks), max(banks)) == (least, most)
    assert sum(p for _, p in outcomes) == pytest.approx(1)


@pytest.mark.parametrize("players", range(2, 7))
def test_cataclysm_deals_the_whole_deck_equally_and_rolls_food_first(players):
    game = load("evolution", scenario="cataclysm")
    state = game.new(players, seed=1)
    assert {len(hand) for hand in state.hands} == {84 // players}
    assert not state.deck
    assert game.decision(state).kind == "roll-food"
    after = game.apply(state, game.line(state, "roll 2 6")[0])
    assert after.bank == (8 + players,)
    assert game.decision(after).kind == "development"
    assert not any(line.endswith("pass") for line in game.lines(after))


def test_equal_seeds_deal_equal_games():
    assert GAME.new(4, 7) == GAME.new(4, 7) != GAME.new(4, 8)


def test_a_player_sees_his_hand_and_nobody_elses():
    state = GAME.new(3, 5)
    seen = GAME.observe(state, 1)
    assert seen.hands[1] == state.hands[1]
    assert set(seen.hands[0] + seen.hands[2] + seen.deck) == {UNKNOWN}
    assert [len(hand) for hand in seen.hands] == [6, 6, 6]
    assert len(seen.deck) == len(state.deck)


def test_resampling_deals_the_unseen_cards_of_the_box():
    state = GAME.new(3, 5)
    world = GAME.resample(state, 1, Random(3))
    assert GAME.observe(world, 1) == GAME.observe(state, 1)
    assert everything(world) == everything(state)
    assert world != state


def test_pair_traits_are_one_frozen_graph_per_table():
    symbiosis, cooperation = (next(t.index for t in TRAITS if t.id == name) for name in ("symbiosis", "cooperation"))
    one = Topology([(symbiosis, 1, 2, 10), (cooperation, 2, 3, 36)])
    two = Topology([(cooperation, 2, 3, 36), (symbiosis, 1, 2, 10)])
    assert one is two
    assert pickle.loads(pickle.dumps(one)) is one
    with pytest.raises(Exception, match=r"[Ff]rozen"):
        one.graph.add_edge(5, 6)


def test_the_graph_and_the_tables_give_the_same_answers():
    for seed in range(20):
        rng = Random(seed)
        uids = range(1, 8)
        pairs = [(u, v) for u in uids for v in uids if u < v]
        links = []
        for trait in (t for t in TRAITS if t.id in ("symbiosis", "cooperation", "communication")):
            for u, v in rng.sample(pairs, 6):
                links.append((trait.index, *((v, u) if trait.id == "symbiosis" and rng.random() < 0.5 else (u, v)), 10))
        topology = Topology(links)
        for uid in uids:
            edges = topology.graph.in_edges(uid, data="trait") if uid in topology.graph else []
            symbionts = sorted(u for u, _, trait in edges if trait == "symbiosis")
            assert sorted(topology.symbionts.get(uid, ())) == symbionts
            assert bool(topology.mask(uid) & PROTECTED) == bool(symbionts)
            partners = sorted(u for u, _, trait in edges if trait != "symbiosis")
            assert sorted(p for _, _, p in topology.pairs.get(uid, ())) == partners


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rulings": {"mimicri": "optional"}}, "mimicry"),
        ({"rulings": {"mimicry": "maybe"}}, "compulsory, optional"),
        ({"preset": "none"}, "text-1.4.1"),
        ({"modules": ("base", "plants")}, "base"),
        ({"scenario": "flood"}, "cataclysm"),
    ],
)
def test_a_wrong_option_names_the_right_ones(options, words):
    with pytest.raises(ValueError, match=words):
        load("evolution", **options)


def test_the_card_that_is_being_placed_is_seen_by_all():
    state = GAME.new(2, 3)
    while GAME.decision(state).kind != "place":
        state = GAME.apply(state, GAME.moves(state)[1 if len(GAME.moves(state)) > 1 else 0])
    player = GAME.decision(state).player
    seen = GAME.observe(state, 1 - player)
    assert state.stack[-1][1] in seen.hands[player]
    assert len(seen.hands[player]) == len(state.hands[player])
    for move in GAME.moves(seen):
        GAME.apply(seen, move)


def test_a_step_that_nobody_is_asked_about_has_no_reason_against_it():
    state = GAME.position(
        {"phase": "extinction", "at": "start", "players": {"A": {"animals": {"a1": "plain"}}, "B": {"hand": 1}}}
    )
    assert GAME.why_not_line(state, "begin") == []
    assert "phase.wrong" in [reason.rule for reason in GAME.why_not_line(state, "A: take a1")]


def test_the_order_of_equal_animals_matters_to_search_only_where_the_leftmost_scavenger_eats():
    def key(game, *animals):
        row = {f"a{i + 1}": animal for i, animal in enumerate(animals)}
        return game.search_key(game.position({"players": {"A": {"animals": row}, "B": {"hand": 1}}}))

    leftmost = load("evolution", rulings={"scavenger-choice": "leftmost"})
    assert key(GAME, "scavenger", "grazing") == key(GAME, "grazing", "scavenger")
    assert key(leftmost, "scavenger", "grazing") != key(leftmost, "grazing", "scavenger")
