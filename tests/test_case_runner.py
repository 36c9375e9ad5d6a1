"""Running a case: what can be expected, how a disagreement is told, how forced steps are taken."""

from __future__ import annotations

import pytest

from evotutor.cases import CaseError, ask, read_text, run_case

HUNT = """\
id: hunt
position:
  bank: 3
  players:
    A: {animals: {a1: carnivorous, a2: plain}}
    B: {animals: {b1: "tail-loss, running", b2: burrowing, b3: plain}}
  links: [{cooperation: [a1, a2]}]
play: PLAY
expect: EXPECT
"""


def run(expect="{}", play='["A: attack a1 b1", "B: run b1", "roll 3", "B: drop b1 running"]'):
    return run_case(read_text(HUNT.replace("PLAY", play).replace("EXPECT", expect))[0])


def failures(expect, lang="en", **options):
    return [failure.to(lang) for failure in run(expect, **options).failures]


@pytest.mark.parametrize(
    "expect",
    [
        "{bank: 3, deck: 20, phase: feeding, turn: 1, round: 1, first: A, over: false, last_turn: false}",
        "{to_move: B, decision: own-feeding-phase}",
        "{animals: {a1: {food: 1, red: 0, blue: 1, fed: false, need: 2, fat: 0, used: [carnivorous]}}}",
        "{animals: {a2: {blue: 1, fed: true}, b1: {alive: true, traits: [tail-loss]}}}",
        "{links: [{cooperation: [a2, a1]}]}",
        "{links: [{cooperation*: [a1, a2]}]}",
        "{flow: [{from: stock, to: a1, blue: 1, by: tail-loss}, {to: a2, n: 1, by: cooperation.gift}]}",
        "{flow: [{from: stock, n: 2}]}",
        '{legal: ["B: take b1", "b: take b3"]}',
        '{moves: ["B: take b1", "B: take b2", "B: take b3"]}',
        '{illegal: {"B: hibernate b1": hibernation, "A: attack a1 b3": [carnivorous.once-per-turn, turn]}}',
        '{illegal: {"B: hibernate b1": {only: hibernation.needed}}}',
        "{hand: {A: 0, B: []}, discard: {A: 0, B: 1}}",
        "{score: {A: {total: 7, animal: 4, trait: 1, need: 1, pair-once: 1}, B: 8}}",
        "{winner: B, places: {A: 2, B: 1}}",
        "{fires: [tail-loss.one-blue, cooperation.gift]}",
    ],
)
def test_what_is_so_may_be_expected(expect):
    assert failures(expect) == []


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ("{bank: 2}", "bank: expected 2, the rules say 3"),
        ("{to_move: null}", "to_move: expected -, the rules say B"),
        ("{animals: {b1: {traits: [running, tail-loss]}}}", "b1.traits: expected [running, tail-loss]"),
        ("{animals: {b1: {alive: false}}}", "b1: expected to be dead"),
        ("{animals: {b9: {alive: false}}}", "there has been no such animal"),
        ("{links: []}", "cooperation(a1,a2)"),
        ("{flow: [{from: bank, to: a1, red: 1}]}", "the rules moved 0 tokens so"),
        ("{hand: {C: 1}}", "there is no player C; players: A, B"),
        ('{legal: ["B: attack b1 a1"]}', "[carnivorous.needed]"),
        ('{legal: ["B: tke b1"]}', "unknown verb"),
        ('{moves: ["B: take b1", "B: take b2", "B: end"]}', "B: end: expected among the moves"),
        ('{illegal: {"B: take b1": feeding}}', "the rules say it is legal"),
        ('{illegal: {"B: hibernate b1": swimming}}', "[hibernation.needed]"),
        ('{illegal: {"A: hibernate a1": {only: hibernation}}}', "alone"),
        ("{score: {A: {animal: 5}}}", "score of A, animal: expected 5, the rules say 4"),
        ("{fires: [poisonous.hunter-dies]}", "rule poisonous.hunter-dies"),
    ],
)
def test_a_disagreement_says_what_was_expected_and_what_the_rules_say(expect, words):
    found = failures(expect)
    assert any(words in failure for failure in found), found
    assert all(failure.startswith("line 9: ") for failure in found)
    assert all(failure.startswith("строка 9: ") for failure in failures(expect, "ru"))


def test_failures_point_to_the_line_of_the_entry():
    found = failures("\n  turn: 1\n  animals:\n    a1:\n      food: 1\n      blue: 2")
    assert [failure.partition(":")[0] for failure in found] == ["line 14"]


@pytest.mark.parametrize(
    "play",
    [
        '["A: attack a1 b2"]',
        '["A: attack a1 b3", {expect: {to_move: B, animals: {a1: {blue: 2}}}}, "B: take b1"]',
    ],
)
def test_forced_answers_need_not_be_written(play):
    assert failures("{}", play=play) == []


SCRIPT = """\
id: script
position:
  players:
    A: {animals: {a1: carnivorous}}
    B: {animals: {b1: running, b2: plain}}
play: ["A: attack a1 b1", MIDDLE "roll 3"]
expect: {animals: {b1: {alive: false}}}
"""


@pytest.mark.parametrize("written", ["", '"B: run b1",'])
@pytest.mark.parametrize("looked", ["", "{expect: {decision: roll-running}},"])
def test_a_forced_answer_may_be_written_out_also_after_an_expectation(looked, written):
    assert run_case(read_text(SCRIPT.replace("MIDDLE", looked + written))[0]).failures == []


def test_a_line_that_cannot_be_played_says_why_in_words_and_ends_the_run():
    found = failures("{bank: 99}", play='["A: attack a1 b1", "B: take b1"]')
    assert len(found) == 1
    assert "B: take b1: cannot be played" in found[0]


def test_the_reason_told_is_of_the_opportunity_that_the_line_names():
    found = failures("{}", play='["A: take a1", "A: take a2"]')
    assert "[feeding.one-red]" in found[0]
    assert "turn.not-your-decision" not in found[0]
    text = HUNT.replace("bank: 3", "bank: 0").replace("PLAY", '["A: take a2"]').replace("EXPECT", "{}")
    assert "[feeding.bank-empty]" in run_case(read_text(text)[0]).failures[0]


def test_a_throw_that_cannot_come_up_names_those_that_can():
    text = SCRIPT.replace("MIDDLE", '"B: run b1",').replace('"roll 3"', '"roll 3 4"')
    assert "roll 1" in run_case(read_text(text)[0]).failures[0]


def test_rules_at_work_are_those_of_events_and_of_reasons():
    fired = run('{illegal: {"B: hibernate b1": hibernation}}').fired
    assert {"tail-loss.one-blue", "cooperation.gift", "hibernation.needed"} <= fired
    assert "poisonous.hunter-dies" not in fired


def test_ask_before_and_after_the_play():
    case = read_text(HUNT.replace("PLAY", '["A: take a2"]').replace("EXPECT", "{}"))[0]
    assert ask(case, "A: take a2") == []
    assert [reason.rule for reason in ask(case, "A: take a1", after=True)] == ["feeding.one-red"]


def test_ask_after_a_play_that_cannot_be_played_is_an_error_of_the_file():
    case = read_text(HUNT.replace("PLAY", '["B: take b1"]').replace("EXPECT", "{}"))[0]
    with pytest.raises(CaseError, match=r"<text>:8: play.0"):
        ask(case, "A: take a2", after=True)


SCENARIO = """\
id: scenario
title: {en: Two ways, ru: Два пути}
position:
  bank: 2
  players:
    A: {animals: {a1: carnivorous, a2: plain}}
    B: {animals: {b1: burrowing, b2: camouflage}}
play: ["A: take a1"]
ask:
  0:
    question: {en: What now?, ru: Что теперь?}
    choices:
      - {text: {en: Take, ru: Взять}, right: true}
      - {text: {en: Hunt, ru: Охотиться}, move: "A: attack a1 b2"}
      - text: {en: Hunt the other, ru: Охотиться на другого}
        move: "A: attack a1 b1"
        play: ["B: take b2", "A: take a2"]
"""


def test_the_ways_of_a_scenario_are_played():
    result = run_case(read_text(SCENARIO)[0])
    assert result.failures == []
    assert "camouflage.only-sharp-vision" in result.fired


def test_a_way_that_cannot_be_played_is_a_failure_of_its_line():
    result = run_case(read_text(SCENARIO.replace("A: take a2", "A: take a1"))[0])
    assert [failure.partition(":")[0] for failure in result.failures] == ["line 17"]
