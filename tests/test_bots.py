"""Bots: legal, blind to what is hidden, and stronger the more they think."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from evotutor.analysis import bots
from evotutor.analysis.evolution_play import judge
from evotutor.analysis.match import play
from evotutor.games import load
from evotutor.games.evolution.dense import dense_table

ALL = ("base", "time-to-fly", "continents", "gift-box")
SETUPS = [(("base",), 2, None), (("base",), 4, None), (ALL, 3, None), (ALL, 8, None), (ALL[:3], 3, "cataclysm")]


def decisions(game: Any, players: int, seed: int, every: int) -> list[tuple[Any, int]]:
    """States of a random game in which somebody has a choice, one out of `every`."""
    state, rng, found, n = game.new(players, seed), Random(seed), [], 0
    while not game.decision(state).over:
        moves = game.moves(state)
        if len(moves) > 1:
            n += 1
            if n % every == 0:
                found.append((state, game.decision(state).player))
        state = game.apply(state, rng.choice(moves) if moves else game.sample(state, rng))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("modules", "players", "scenario"), SETUPS)
def test_bots_choose_legal_moves_in_every_kind_of_game(
    modules: tuple[str, ...], players: int, scenario: str | None
) -> None:
    game = load("evolution", modules=modules, scenario=scenario)
    rng = Random(1)
    for state, seat in decisions(game, players, 5, 25):
        seen = game.observe(state, seat)
        for bot in (bots.RandomBot(), bots.GreedyBot(), bots.MonteCarloBot(0, 4)):
            assert bot.choose(game, seen, seat, rng) in game.moves(state), bot.name


@pytest.mark.parametrize("modules", [("base",), ALL])
def test_hidden_cards_do_not_change_a_choice(modules: tuple[str, ...]) -> None:
    game = load("evolution", modules=modules)
    for n, (state, seat) in enumerate(decisions(game, 2, 3, 30)):
        other = game.resample(state, seat, Random(n))
        assert game.observe(other, seat) == game.observe(state, seat)
        for bot in (bots.GreedyBot(), bots.MonteCarloBot(0, 6)):
            chosen = [bot.choose(game, game.observe(s, seat), seat, Random(n)) for s in (state, other)]
            assert chosen[0] == chosen[1]


def test_a_bot_is_shown_its_own_view_only() -> None:
    game = load("evolution")
    views: list[tuple[Any, int]] = []

    class Curious(bots.RandomBot):
        def choose(self, game: Any, state: Any, seat: int, rng: Random) -> Any:
            views.append((state, seat))
            return super().choose(game, state, seat, rng)

    play(game, [Curious(), Curious()], 1)
    assert views
    for state, seat in views:
        assert state == game.observe(state, seat)


@pytest.mark.slow
def test_the_same_seed_plays_the_same_game() -> None:
    game = load("evolution")
    first, second = (play(game, [bots.parse("greedy"), bots.parse("monte-carlo:5i")], 4) for _ in range(2))
    assert first.end == second.end


def test_forced_moves_need_no_thought() -> None:
    game = load("evolution")
    bot = bots.MonteCarloBot(60)
    state = next(
        s
        for s, _ in ((dense_table(Random(n)), 0) for n in range(200))
        if len(game.moves(s)) == 1 and game.decision(s).player is not None
    )
    assert bot.choose(game, state, game.decision(state).player, Random(0)) == game.moves(state)[0]
    assert bot.done == 0


def test_the_bounds_of_a_search_hold() -> None:
    game = load("evolution")
    state, seat = decisions(game, 2, 1, 40)[1]
    bot = bots.MonteCarloBot(0, 17)
    bot.choose(game, game.observe(state, seat), seat, Random(0))
    assert bot.done == 17
    assert sum(thought.visits for thought in bot.last) == 17
    assert all(0 <= thought.reward <= 1 for thought in bot.last)
    with pytest.raises(ValueError, match="bound"):
        bots.MonteCarloBot(0, 0)


def test_nothing_to_decide_is_an_error() -> None:
    game = load("evolution")
    over = play(game, [bots.RandomBot(), bots.RandomBot()], 1).end
    for name in bots.NAMES:
        with pytest.raises(ValueError, match="nothing to decide"):
            bots.bot(name).choose(game, over, 0, Random(0))


def position(animals: str) -> Any:
    """A table in the feeding phase, A to move, four tokens in the bank."""
    from ruamel.yaml import YAML

    text = f"{{phase: feeding, bank: 4, deck: 20, players: {animals}}}"
    game = load("evolution")
    return game, game.position(YAML(typ="safe").load(text))


def chosen(name: str, animals: str, **options: Any) -> str:
    game, state = position(animals)
    bot = bots.bot(name, **options)
    return str(game.show(state, bot.choose(game, game.observe(state, 0), 0, Random(0))))


@pytest.mark.parametrize(("name", "options"), [("greedy", {}), ("monte-carlo", {"seconds": 0, "iterations": 150})])
def test_bots_hunt_others_rather_than_their_own(name: str, options: dict[str, Any]) -> None:
    game, state = position("{A: {animals: {a1: carnivorous, a2: plain}}, B: {animals: {b1: fat-tissue, b2: plain}}}")
    bot = bots.bot(name, **options)
    state = game.apply(state, next(move for move in game.moves(state) if "attack" in game.show(state, move)))
    move = bot.choose(game, game.observe(state, 0), 0, Random(0))
    assert move[1] >> 8 == 1


def test_greedy_feeds_whom_the_tokens_save() -> None:
    one = "{A: {animals: {a1: {traits: [fat-tissue], food: 1}, a2: plain}}, B: {animals: {b1: plain}}}"
    assert chosen("greedy", one) == "A: take a2"


@pytest.mark.parametrize("modules", [("base",), ALL])
def test_estimates_are_chances_and_cover_every_seat(modules: tuple[str, ...]) -> None:
    game = load("evolution", modules=modules)
    for state, _ in decisions(game, 3, 2, 20):
        rewards = judge(game).rewards(state)
        assert len(rewards) == 3
        assert sum(rewards) == pytest.approx(1)
        assert min(rewards) >= 0


def test_alike_moves_are_searched_once() -> None:
    game = load("evolution")
    for state, _ in decisions(game, 2, 7, 5):
        moves = game.moves(state)
        few = judge(game).alike(state, moves)
        assert few
        assert set(few) <= set(moves)


def test_names_bounds_and_levels_are_read() -> None:
    timed, counted, weak = bots.parse("monte-carlo:0.2"), bots.parse("monte-carlo:50i"), bots.parse("greedy@2")
    assert isinstance(timed, bots.MonteCarloBot)
    assert isinstance(counted, bots.MonteCarloBot)
    assert isinstance(weak, bots.Careless)
    assert (timed.seconds, counted.iterations, weak.slips) == (0.2, 50, bots.SLIPS[2])
    for wrong in ("clever", "greedy@9", "greedy@x", "monte-carlo:soon", "monte-carlo:0"):
        with pytest.raises(ValueError, match=r"."):
            bots.parse(wrong)


def test_a_game_without_a_judge_of_its_own_is_played_too() -> None:
    game = load("evolution")
    plain = bots.PlainJudge(game)
    state = game.new(2, 0)
    assert plain.rewards(state) == [0.5, 0.5]
    ranked = bots.rank(game, plain, state, game.moves(state), 0)
    assert set(ranked) == set(game.moves(state))


@pytest.mark.slow
def test_greedy_beats_random() -> None:
    game = load("evolution")
    wins = sum(play(game, [bots.GreedyBot(), bots.RandomBot()], deal).wins[0] for deal in range(6))
    assert wins >= 5


@pytest.mark.slow
def test_monte_carlo_beats_greedy() -> None:
    game = load("evolution")
    wins = sum(play(game, [bots.MonteCarloBot(0, 100), bots.GreedyBot()], deal).wins[0] for deal in range(8))
    assert wins >= 6
