"""The solver against plain exhaustive search, and its answers on positions whose value can be counted by hand."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from evotutor.analysis.certificate import CertificateError, certificate, verify
from evotutor.analysis.evolution import feeding_over, goal
from evotutor.analysis.goals import GoalError
from evotutor.analysis.mistakes import review
from evotutor.analysis.report import question, robust, solve
from evotutor.analysis.solver import Limits, MaxN, MinMax
from evotutor.games import load

GAME = load("evolution")
WHOLE = load("evolution", modules=("base", "time-to-fly", "continents", "gift-box"))
OWN = ["carnivorous", "running", "fat-tissue", "high-body-weight", "tail-loss", "burrowing", "grazing", "piracy",
       "poisonous", "mimicry", "camouflage", "hibernation", "scavenger", "swimming"]  # fmt: skip
LATER = [
    *OWN,
    "intellect",
    "ambush",
    "ink-cloud",
    "shell",
    "cnidocytes",
    "shy",
    "homeothermy",
    "flight",
    "regeneration",
]


def small(rng, players, traits):
    """A small random feeding phase as data."""
    data = {"bank": rng.randint(0, 2), "last_turn": True, "players": {}}
    for seat in range(players):
        animals = {}
        for n in range(1, rng.randint(1, 2) + 1 if players == 2 else 2):
            some = rng.sample(traits, rng.randint(0, 2))
            if "regeneration" in some:
                some = ["regeneration"]
            if {"carnivorous", "scavenger"} <= set(some):
                some.remove("scavenger")
            animals[f"{chr(97 + seat)}{n}"] = ", ".join(some) or "plain"
        data["players"][chr(65 + seat)] = {"animals": animals}
    if rng.random() < 0.5:
        owners = [p for p in data["players"].values() if len(p["animals"]) > 1]
        if owners and "regeneration" not in "".join(owners[0]["animals"].values()):
            kind = rng.choice(["cooperation", "communication"])
            data["links"] = [{kind: list(owners[0]["animals"])[:2]}]
    return data


def exhaustive(game, state, aim, seat, hostile, budget):
    """The values by plain search: no table, no windows, no order.  `hostile`: all others play against the seat."""
    if next(budget) > 6000:
        raise OverflowError
    if game.decision(state).over or feeding_over(state):
        return aim.values(game, state)
    moves = game.moves(state)
    if not moves:
        parts = [
            (exhaustive(game, game.apply(state, move), aim, seat, hostile, budget), p)
            for move, p in game.outcomes(state)
        ]
        return tuple(sum(p * values[k] for values, p in parts) for k in range(len(state.hands)))
    player = game.decision(state).player
    found = [exhaustive(game, game.apply(state, move), aim, seat, hostile, budget) for move in moves]
    if hostile:
        return (max if player == seat else min)(found, key=lambda values: values[seat])
    return max(found, key=lambda values: (round(values[player], 9), -round(values[seat], 9) if player != seat else 0))


def agree(game, modules, players, traits, seeds, words):
    """Compare on every seed whose tree is small enough; the number compared."""
    compared = 0
    for seed in seeds:
        rng = Random(seed)
        data = small(rng, players, traits)
        if modules:
            data["modules"] = modules
            data["bank"] = {"laurasia": data["bank"]}
        try:
            state = game.position(data)
        except ValueError:
            continue
        ask = question(game, state, words, 0, forced=players == 2)
        try:
            wanted = exhaustive(game, state, ask.goal, 0, players == 2, count())
        except OverflowError:
            continue
        finder = MinMax(ask) if players == 2 else MaxN(ask)
        found = finder.bounds(state)
        assert found.exact, seed
        assert found.low == pytest.approx(wanted[0]), (seed, data)
        compared += 1
    return compared


@pytest.mark.parametrize("words", ["score", "win", "most-animals"])
def test_two_players_agree_with_exhaustive_search(words):
    assert agree(GAME, [], 2, OWN, range(400), words) > 300


@pytest.mark.parametrize("words", ["score", "win"])
def test_three_players_agree_with_exhaustive_search(words):
    assert agree(GAME, [], 3, OWN, range(300), words) > 200


def test_expansions_agree_with_exhaustive_search():
    modules = ["base", "time-to-fly", "continents", "gift-box"]
    assert agree(WHOLE, modules, 2, LATER, range(150), "score") > 80


@pytest.mark.slow
def test_thousands_of_small_positions_agree_with_exhaustive_search():
    compared = sum(agree(GAME, [], players, OWN, range(1000, 3000), "score") for players in (2, 3))
    modules = ["base", "time-to-fly", "continents", "gift-box"]
    compared += agree(WHOLE, modules, 2, LATER, range(1000, 2000), "score")
    assert compared > 3000


def position(game=GAME, **data):
    return game.position({"last_turn": True, **data})


def test_the_last_token_goes_to_the_animal_that_is_worth_more():
    state = position(
        bank=1,
        players={
            "A": {"animals": {"a1": "plain", "a2": "camouflage, sharp-vision"}},
            "B": {"animals": {"b1": "plain"}},
        },
    )
    answer = solve(question(GAME, state), state)
    assert answer.best == "A: take a2"
    assert answer.bounds.low == 4
    assert answer.only is True
    assert answer.main[0].told()


def test_a_runner_escapes_every_other_time():
    state = position(
        players={"A": {"animals": {"a1": "carnivorous"}}, "B": {"animals": {"b1": "running, camouflage, food 1"}}}
    )
    assert solve(question(GAME, state, "kill b1"), state).bounds.low == 0  # a1 sees no camouflage
    state = position(players={"A": {"animals": {"a1": "carnivorous"}}, "B": {"animals": {"b1": "running, food 1"}}})
    assert solve(question(GAME, state, "kill b1"), state).bounds.low == pytest.approx(0.5)
    assert solve(question(GAME, state, "kill b1", chance="worst"), state).bounds.low == 0
    assert solve(question(GAME, state, "survive b1", seat=1, chance="best"), state).bounds.low == 1


def test_a_limit_gives_honest_bounds():
    state = position(
        bank=6,
        players={p: {"animals": {f"{p.lower()}{n}": "carnivorous, running" for n in range(1, 5)}} for p in "AB"},
    )
    answer = solve(question(GAME, state), state, Limits(nodes=3000, seconds=0.2))
    assert not answer.bounds.exact
    assert answer.bounds.low < answer.bounds.high
    assert "not proven" in str(answer.bounds)
    assert answer.only is None


def test_a_search_can_be_cancelled_and_tells_its_progress():
    state = position(
        bank=6,
        players={p: {"animals": {f"{p.lower()}{n}": "carnivorous, running" for n in range(1, 5)}} for p in "AB"},
    )
    seen = []
    finder = MinMax(question(GAME, state), Limits(progress=seen.append, cancel=lambda: len(seen) > 2))
    assert not finder.bounds(state).exact
    assert len(seen) == 3


def test_can_it_be_forced_is_answered_by_a_zero_window():
    state = position(bank=1, players={"A": {"animals": {"a1": "plain"}}, "B": {"animals": {"b1": "plain"}}})
    ask = question(GAME, state, "survive a1", seat=0)
    assert MinMax(ask).at_least(state, 1) is True
    ask = question(GAME, state, "survive b1", seat=1)
    assert MinMax(ask).at_least(state, 1) is False


def test_a_certificate_is_proved_again_and_a_false_one_is_not():
    state = position(
        bank=1, players={"A": {"animals": {"a1": "plain", "a2": "mimicry"}}, "B": {"animals": {"b1": "plain"}}}
    )
    ask = question(GAME, state)
    data = certificate(ask, state, solve(ask, state))
    assert verify(data) == []
    assert any(line.startswith("value") for line in verify({**data, "value": 7}))
    assert any(line.startswith("best") for line in verify({**data, "best": ["A: take a1"]}))
    with pytest.raises(CertificateError, match="goal"):
        verify({key: value for key, value in data.items() if key != "goal"})
    with pytest.raises(CertificateError, match="cannot be read"):
        verify({**data, "position": {"players": 3}})


def test_the_only_best_move_is_so_under_all_ties_and_dice():
    state = position(
        bank=1, players={"A": {"animals": {"a1": "plain", "a2": "mimicry"}}, "B": {"animals": {"b1": "plain"}}}
    )
    ask = question(GAME, state)
    assert set(robust(ask, state, "A: take a2").values()) == {True}
    state = position(
        bank=1, players={"A": {"animals": {"a1": "plain", "a2": "plain"}}, "B": {"animals": {"b1": "plain"}}}
    )
    assert solve(question(GAME, state), state).only is False


def test_the_mistake_finder_names_the_move_that_lost_and_what_was_better():
    state = position(
        bank=1, players={"A": {"animals": {"a1": "plain", "a2": "mimicry"}}, "B": {"animals": {"b1": "plain"}}}
    )
    found = review(GAME, state, ["A: take a1"])
    assert found.turning is not None
    assert found.turning.lost == 1
    assert found.turning.instead == "A: take a2"
    assert review(GAME, state, ["A: take a2"]).turning is None


@pytest.mark.parametrize(
    ("words", "hint"),
    [("scores", "score"), ("survive", "survive a1"), ("score a1", "names no animal"), ("kill z9", "no animal")],
)
def test_a_wrong_goal_names_the_right_ones(words, hint):
    state = position(players={"A": {"animals": {"a1": "plain"}}, "B": {"animals": {"b1": "plain"}}})
    with pytest.raises(ValueError, match=hint):
        goal(words, GAME, state, 0)


def test_who_wins_is_asked_in_the_last_turn_only():
    state = GAME.position({"players": {"A": {"animals": {"a1": "plain"}}, "B": {}}})
    with pytest.raises(GoalError, match="last turn"):
        goal("win", GAME, state, 0)


def test_an_interrupted_search_keeps_what_it_knows():
    def interrupt(nodes):
        raise KeyboardInterrupt

    state = position(
        bank=6,
        players={p: {"animals": {f"{p.lower()}{n}": "carnivorous, running" for n in range(1, 5)}} for p in "AB"},
    )
    answer = solve(question(GAME, state), state, Limits(progress=interrupt))
    assert not answer.bounds.exact
    assert answer.lines


@pytest.mark.parametrize("nodes", [1024, pytest.param(8192, marks=pytest.mark.slow)])
def test_a_limit_never_ends_in_an_error(nodes):
    state = position(
        bank=3,
        players={p: {"animals": {f"{p.lower()}{n}": "carnivorous, running" for n in range(1, 4)}} for p in "AB"},
    )
    answer = solve(question(GAME, state), state, Limits(nodes=nodes))
    assert answer.lines
    assert answer.bounds.low <= answer.bounds.high
