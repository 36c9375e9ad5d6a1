"""Chances, from the rules: dice, answers to an attack, the food bank, unseen cards."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb

import pytest

from evotutor.analysis.chance import at_least, chance_text, convolved, dice_sum, exact, hypergeometric, mean, wilson
from evotutor.analysis.odds import attack_odds, bank_odds, bank_of_players, card_odds
from evotutor.cases import read_text, table
from evotutor.cli import main
from evotutor.core.model import IllegalMove, NotationError
from evotutor.games import load

HALF = Fraction(1, 2)
BASE = ("base",)


def position(a: str, b: str, more: str = "bank: 3", **top: str) -> tuple:
    """The game and the table with these animals of A and of B."""
    tops = "".join(f"{key}: {value}\n" for key, value in top.items())
    text = f"id: x\n{tops}position:\n  {more}\n  players: {{A: {{animals: {a}}}, B: {{animals: {b}}}}}\n"
    return table(read_text(text)[0])


def attacked(hunter: str, prey: str, other: str = "plain", modules: str = "[base]", **options):
    game, state = position(f"{{a1: '{hunter}'}}", f"{{b1: '{prey}', b2: '{other}'}}", f"bank: 3\n  modules: {modules}")
    return attack_odds(game, state, "A: attack a1 b1", **options)


# closed forms


def test_two_dice():
    two = dice_sum(2)
    assert [36 * two[n] for n in range(2, 13)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert convolved(dice_sum(1), dice_sum(1)) == two
    assert mean(dice_sum(3, added=2)) == Fraction(25, 2)
    assert sum(dice_sum(5).values()) == 1
    assert dice_sum(0, 3) == {3: 1}


def test_hypergeometric_of_a_pack_of_52():
    aces = hypergeometric(52, 4, 5)
    assert 1 - aces[0] == 1 - Fraction(comb(48, 5), comb(52, 5))
    assert float(aces[2]) == pytest.approx(0.039930, abs=1e-6)
    assert mean(aces) == Fraction(20, 52)
    assert hypergeometric(3, 3, 2) == {2: 1}
    with pytest.raises(ValueError, match="4 drawn"):
        hypergeometric(3, 1, 4)


def test_interval_and_fractions():
    low, high = wilson(50, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert wilson(0, 10).low == 0
    with pytest.raises(ValueError, match="samples"):
        wilson(0, 0)
    assert exact(5 / 7776) == Fraction(5, 7776)
    assert [chance_text(p) for p in (Fraction(0), HALF, Fraction(1, 99999))] == ["0%", "1/2 = 50%", "0.001%"]


# attacks


def test_running_escapes_half_of_the_time():
    odds = attacked("carnivorous", "running")
    assert odds.exact
    assert odds.survives == odds.eats == HALF
    assert odds.tokens == {0: HALF, 2: HALF}


def test_running_and_tail_loss_together_always_save():
    odds = attacked("carnivorous, fat-tissue", "running, tail-loss")
    assert odds.survives == 1
    assert odds.tokens == {0: HALF, 1: HALF}


def test_uniform_answers():
    # run (1/3), else a drop; after a failed run two drops and letting it happen are alike
    odds = attacked("carnivorous", "running, tail-loss", answers="uniform")
    assert odds.survives == Fraction(2, 3) + Fraction(1, 3) * (HALF + HALF * Fraction(2, 3))


def test_a_prey_without_answers_is_eaten_at_once():
    odds = attacked("carnivorous", "poisonous")
    assert (odds.survives, odds.eats, odds.tokens) == (0, 1, {2: 1})
    assert odds.marks == {"poisoned": 1}
    assert odds.tree is not None
    assert not odds.tree.branches


def test_mimicry_saves_the_prey_but_not_its_herd():
    odds = attacked("carnivorous", "mimicry")
    assert (odds.survives, odds.eats) == (1, 1)
    assert odds.dies == {1 << 8 | 2: 1}


def test_the_second_runner_behind_mimicry():
    odds = attacked("carnivorous", "mimicry", "running")
    assert (odds.survives, odds.eats) == (1, HALF)


def test_the_hunter_ignores_what_would_save_the_prey():
    odds = attacked("carnivorous, intellect", "running", modules="[base, time-to-fly]")
    assert (odds.survives, odds.tokens) == (0, {2: 1})


def test_an_attack_that_waits_for_an_answer():
    text = """
id: x
position:
  bank: 1
  players: {A: {animals: {a1: carnivorous}}, B: {animals: {b1: "running, mimicry", b2: plain}}}
play: ["A: attack a1 b1", "B: run b1"]
"""
    game, state = table(read_text(text)[0], after=True)
    odds = attack_odds(game, state)
    assert (odds.survives, odds.eats) == (1, HALF)


def test_no_attack_and_a_forbidden_one():
    game, state = position("{a1: carnivorous}", "{b1: camouflage, b2: plain}")
    with pytest.raises(NotationError, match="no attack waits"):
        attack_odds(game, state)
    with pytest.raises(NotationError, match="is no attack"):
        attack_odds(game, state, "A: take a1")
    with pytest.raises(IllegalMove, match=r"camouflage\.only"):
        attack_odds(game, state, "A: attack a1 b1")
    with pytest.raises(ValueError, match="best, uniform"):
        attack_odds(game, state, "A: attack a1 b2", "worst")


def test_a_tree_that_is_too_large_is_sampled_and_says_so():
    odds = attacked("carnivorous", "running", limit=1, samples=2000)
    assert not odds.exact
    low, high = odds.interval(odds.survives)
    assert low < 0.5 < high
    assert high - low < 0.06
    assert "sampled, 2000 plays" in odds.to_text("en")
    assert "95" in odds.to_text("ru")
    assert odds.asked == "best"
    assert odds.answers == "uniform"
    again = attacked("carnivorous", "running", limit=1, samples=2000)
    assert again.results == odds.results


# food


@pytest.mark.parametrize("modules", [BASE, ("base", "continents")])
@pytest.mark.parametrize("players", range(2, 9))
def test_the_bank_is_what_the_game_rolls(players, modules):
    game = load("evolution", modules=modules)
    state = game.new(players, 1)._replace(phase=1)
    odds = bank_of_players(game, players)
    rolled: dict[tuple[int, ...], Fraction] = {}
    for move, p in game.outcomes(state):
        bank = game.food(players, move[1:])
        rolled[bank] = rolled.get(bank, Fraction(0)) + exact(p)
    for i, place in enumerate(odds.places):
        for n, p in place.distribution.items():
            assert sum(q for bank, q in rolled.items() if bank[i] == n) == p
    for n, p in odds.distribution.items():
        assert sum(q for bank, q in rolled.items() if sum(bank) == n) == p


def test_four_players():
    odds = bank_of_players(load("evolution"), 4)
    assert odds.at_least(9) == Fraction(7, 12)
    assert odds.at_least(4) == 1
    assert odds.enough is None
    with pytest.raises(ValueError, match="9 players"):
        bank_of_players(load("evolution"), 9)


def test_cataclysm_and_a_bank_that_was_rolled():
    game = load("evolution", scenario="cataclysm")
    assert bank_of_players(game, 3).distribution == dice_sum(2, 3)
    odds = bank_odds(game, game.new(3, 1)._replace(phase=2, bank=(7,)))
    assert odds.rolled
    assert odds.distribution == {7: 1}


def test_enough_for_all():
    game, state = position("{a1: 'carnivorous, fat-tissue', a2: plain}", "{b1: parasite}", "phase: development")
    odds = bank_odds(game, state)  # 2 + 1 + 3 tokens, one die + 2
    assert odds.enough == HALF
    assert odds.places[0].plenty == Fraction(1, 3)


def test_animals_that_bring_food():
    game, state = position(
        "{a1: 'aedificator'}", "{b1: plain}", "phase: development\n  modules: [base, continents]\n  deck: 20"
    )
    laurasia = bank_odds(game, state).places[0]
    assert (laurasia.place, laurasia.grown) == ("laurasia", 2)
    assert laurasia.distribution == dice_sum(1, 2)


def test_no_food_after_the_end():
    game = load("evolution")
    with pytest.raises(ValueError, match="over"):
        bank_odds(game, game.new(2, 1)._replace(phase=4))


# cards


def test_a_fresh_hand_of_six():
    game = load("evolution")
    state = game.new(2, 1)._replace(hands=(b"\xff" * 6, b"\xff" * 6))
    odds = card_odds(game, state, "mimicry", 0, 1)
    assert odds.holds == 1 - Fraction(comb(80, 6), comb(84, 6))
    assert odds.expected == Fraction(6 * 4, 84)


def test_own_cards_and_the_table_are_seen():
    more = "phase: development\n  deck: 20"
    text = f"""
id: x
position:
  {more}
  players:
    A: {{hand: [running, running, mimicry], animals: {{a1: plain}}}}
    B: {{hand: [running, mimicry], discard: 2, animals: {{b1: running}}}}
"""
    game, state = table(read_text(text)[0])
    odds = card_odds(game, state, "running", 0, 1)  # 84 less 3 in hand and 1 on the table; one of four is left
    assert (odds.unseen.cards, odds.unseen.wanted, odds.hand.unknown) == (80, 1, 2)
    assert odds.holds == odds.expected == Fraction(2, 80)
    own = card_odds(game, state, "running", 1, 0)
    assert own.unseen.wanted == 2
    with pytest.raises(ValueError, match="two different players"):
        card_odds(game, state, "running", 0, 0)
    with pytest.raises(NotationError, match="did you mean 'running'"):
        card_odds(game, state, "runing", 0, 1)


def test_a_trait_whose_card_is_not_told_is_a_random_copy():
    game, state = position("{a1: plain}", "{b1: parasite}", "phase: development\n  deck: 20")
    odds = card_odds(game, state, "parasite/carnivorous", 0, 1)
    assert odds.unseen.parts == {(83, 4): HALF, (83, 3): HALF}
    assert odds.unseen.untold == 1
    assert odds.copies == {0: 1}


def test_two_untold_traits_leave_one_after_the_other():
    # of 4 carnivorous and 4 fat parasites two lie on the table
    game, state = position("{a1: parasite}", "{b1: parasite}", "phase: development\n  deck: 20")
    odds = card_odds(game, state, "parasite/carnivorous", 0, 1)
    assert odds.unseen.parts == {(82, 4): Fraction(3, 14), (82, 3): Fraction(8, 14), (82, 2): Fraction(3, 14)}


def test_a_hand_larger_than_the_unseen_cards():
    game = load("evolution")
    state = game.new(2, 1)._replace(hands=(b"", b"\xff" * 90))
    with pytest.raises(NotationError, match="only 84"):
        card_odds(game, state, "mimicry", 0, 1)


def test_at_least():
    assert at_least({1: HALF, 2: HALF}, 2) == HALF


# the command

FILE = """\
id: hunt
position:
  bank: 3
  players:
    A: {animals: {a1: carnivorous}}
    B: {animals: {b1: "running, tail-loss", b2: camouflage}, hand: 3}
    C: {animals: {c1: plain}, hand: 1}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "hunt.yaml"
    path.write_text(FILE)
    return str(path)


def run(capsys, *argv):
    code = main(["odds", *argv])
    found = capsys.readouterr()
    return code, found.out, found.err


@pytest.mark.parametrize(("lang", "word"), [("en", "exact"), ("ru", "точно")])
def test_all_questions_at_once(file, capsys, lang, word):
    code, out, _ = run(capsys, file, "--attack", "A: attack a1 b1", "--bank", "4", "--holds", "mimicry", "--lang", lang)
    assert code == 0
    assert out.count(word) == 4  # the attack, the bank, two hands
    assert "1/2 = 50%" in out


def test_as_json(file, capsys):
    code, out, _ = run(capsys, file, "--attack", "A: attack a1 b1", "--bank", "--holds", "mimicry", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["attack"]["survives"] == "1"
    assert found["attack"]["tokens"] == {"0": "1/2", "1": "1/2"}
    assert found["bank"]["rolled"] is True
    assert [row["player"] for row in found["holds"]] == ["B", "C"]


def test_the_bank_without_a_position(capsys):
    code, out, _ = run(capsys, "--players", "3", "--bank", "8", "--lang", "en")
    assert code == 0
    assert "at least 8 tokens: 5/12 = 41.7%" in out


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["F", "--attack", "A: attack a1 b2", "--lang", "en"], 1, "may not be played"),
        (["F", "--lang", "en"], 2, "ask something"),
        (["--attack", "A: attack a1 b1", "--lang", "en"], 2, "give a FILE"),
        (["F", "--holds", "mimicri"], 2, "did you mean 'mimicry'"),
        (["F", "--holds", "mimicry", "--player", "D", "--lang", "en"], 2, "no player D"),
        (["F", "--holds", "mimicry", "--player", "A", "--lang", "ru"], 2, "Свою руку"),
        (["F", "--bank", "--ruling", "mimicry"], 2, "NAME=OPTION"),
        (["F", "--bank", "--ruling", "mimicry=never"], 2, "no option 'never'"),
        (["--players", "9", "--bank"], 2, "9 players"),
        (["--players", "2", "--bank", "--modules", "bas"], 2, "did you mean 'base'"),
        (["F", "--bank", "--id", "other", "--lang", "en"], 2, "no case other"),
        (["missing.yaml", "--bank"], 2, "missing.yaml"),
    ],
)
def test_what_cannot_be_answered(file, capsys, argv, code, words):
    found, out, err = run(capsys, *[file if word == "F" else word for word in argv])
    assert found == code
    assert words in out + err
