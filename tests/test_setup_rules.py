"""Setting up, the deck, hidden cards: rules S2 and R14, each test named by the rule it proves."""

from __future__ import annotations

import pickle
from collections import Counter
from random import Random

import pytest

from evotutor.games import load
from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, deck
from evotutor.games.evolution.locations import CROSSING, LOCATIONS, WAYS, graph
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


EXPANSIONS = ("time-to-fly", "continents", "gift-box")


@pytest.mark.parametrize(
    ("module", "cards", "some"),
    [
        ("time-to-fly", 42, {"flight": 6, "trematode": 8, "specialization-a": 6, "anglerfish": 4, "viviparous": 4}),
        ("continents", 42, {"herding": 8, "migration": 8, "swimming": 18, "recombination": 4, "neoplasm": 4}),
        ("gift-box", 18, {"r-strategy": 6, "homeothermy": 6, "shy": 6}),
    ],
)
def test_the_boxes_of_the_expansions_hold_the_printed_cards(module, cards, some):
    assert len(deck((module,))) == cards
    totals = Counter(TRAITS[t].id for c in CARDS if c.module == module for t in c.traits for _ in range(c.copies))
    assert {name: totals[name] for name in some} == some


@pytest.mark.parametrize("module", EXPANSIONS)
@pytest.mark.parametrize("players", range(2, 9))
def test_setup_sets_two_of_them_only_when_one_is_too_small(module, players):
    game = load("evolution", modules=("base", module))
    two = players > (4 if module == "gift-box" else 6)
    assert len(game.box(players)) == (84 + len(deck((module,)))) * (2 if two else 1) // (
        2 if module == "continents" and players == 2 else 1
    )


def test_setup_half_deck_for_two_players_with_continents():
    game = load("evolution", modules=("base", *EXPANSIONS))
    whole, half = Counter(deck(("base", *EXPANSIONS))), Counter(game.box(2))
    assert all(half[card] == (n + 1) // 2 for card, n in whole.items())
    assert everything(game.new(2, 1)) == half


@pytest.mark.parametrize("players", range(2, 9))
def test_continents_ten_cards_to_begin_with(players):
    state = load("evolution", modules=("base", "continents")).new(players, players)
    assert {len(hand) for hand in state.hands} == {10}
    assert len(state.bank) == 3


FOOD_TABLE = [
    (2, (1, 1), (1, 6), (3, 8), 3), (3, (1, 2), (1, 6), (2, 12), 4), (4, (1, 2), (3, 8), (2, 12), 5),
    (5, (1, 2), (4, 9), (4, 14), 6), (6, (1, 2), (6, 11), (5, 15), 7), (7, (2, 3), (4, 14), (5, 20), 8),
    (8, (2, 3), (4, 14), (7, 22), 9),
]  # fmt: skip


@pytest.mark.parametrize(("players", "dice", "laurasia", "gondwana", "ocean"), FOOD_TABLE)
def test_continents_food_by_location(players, dice, laurasia, gondwana, ocean):
    game = load("evolution", modules=("base", "continents"))
    data = {"modules": ["base", "continents"], "phase": "food", "players": {chr(65 + i): {} for i in range(players)}}
    data["players"]["A"] = {"animals": {"a1": "plain"}}
    state = game.position(data)
    outcomes = game.outcomes(state)
    assert all(len(move) == 1 + sum(dice) for move, _ in outcomes)
    assert sum(p for _, p in outcomes) == pytest.approx(1)
    banks = {game.food(players, move[1:]) for move, _ in outcomes}
    assert (min(b[0] for b in banks), max(b[0] for b in banks)) == laurasia
    assert (min(b[1] for b in banks), max(b[1] for b in banks)) == gondwana
    assert {b[2] for b in banks} == {ocean}


@pytest.mark.parametrize("players", range(2, 7))
def test_cataclysm_expansions_deal_twenty_cards_of_the_named_traits(players):
    game = load("evolution", modules=("base", "time-to-fly", "continents"), scenario="cataclysm")
    state = game.new(players, 1)
    added = [CARDS[c] for c in game.box(players) if CARDS[c].module != "base"]
    named = {"ambush", "intellect", "metamorphose", "flight", "anglerfish", "ink-cloud", "recombination", "aedificator"}
    assert all(named & {TRAITS[t].id for t in card.traits} for card in added)
    assert len(added) == 26 + 8
    assert {len(hand) for hand in state.hands} == {min(20, 118 // players)}
    assert not state.deck
    assert len(state.bank) == 1


def test_cataclysm_knows_no_gift_box_cards():
    with pytest.raises(ValueError, match="gift-box"):
        load("evolution", modules=("base", "gift-box"), scenario="cataclysm")


def test_the_locations_are_a_graph_that_says_who_may_cross():
    assert set(graph().nodes) == {"laurasia", "gondwana", "ocean"}
    assert {frozenset(edge): data["ways"] for *edge, data in graph().edges(data=True)} == {
        frozenset(("laurasia", "gondwana")): {"walk", "fly"},
        frozenset(("laurasia", "ocean")): {"swim"},
        frozenset(("gondwana", "ocean")): {"swim"},
    }
    for i, start in enumerate(LOCATIONS):
        for k, end in enumerate(LOCATIONS):
            data = graph().get_edge_data(start, end) or {"ways": set()}
            assert CROSSING[i][k] == sum(WAYS[way] for way in data["ways"])


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
