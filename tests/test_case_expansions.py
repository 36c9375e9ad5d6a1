"""What cases can expect of Time to Fly, Continents and the gift box."""

from __future__ import annotations

import pytest

from evotutor.cases import CaseError, read_text, run_case
from evotutor.cases.showing import table_text
from evotutor.core.flow import is_bank, totals
from evotutor.games import load
from evotutor.games.evolution.tokens import food_flow, tokens

SEA = """\
id: sea
position:
  modules: [base, time-to-fly, continents, gift-box]
  bank: {laurasia: 2, ocean: 1}
  shells: 1
  players:
    A: {animals: {a1: "swimming, carnivorous", a2: "anglerfish?, gondwana"}}
    B:
      animals:
        b1: {traits: [camouflage, shy], attacked: true, void: {a1: camouflage}}
        b2: regeneration, ocean, remains
play: PLAY
expect: EXPECT
"""


def run(expect, play='["A: take a1"]'):
    return run_case(read_text(SEA.replace("PLAY", play).replace("EXPECT", expect))[0])


@pytest.mark.parametrize(
    "expect",
    [
        "{bank: {laurasia: 2, ocean: 0}, shells: 1}",
        "{bank: {gondwana: 0}}",
        "{bank: 2}",
        "{animals: {a1: {location: ocean, food: 1}, a2: {location: gondwana, revealed: false}}}",
        "{animals: {b1: {attacked: true, void: {a1: camouflage}, in-shell: false, newborn: false}}}",
        "{animals: {b1: {void: {a1: [camouflage]}, swims: false, inked: false}}}",
        "{animals: {b2: {remains: true, location: ocean, traits: [regeneration]}}}",
        "{animals: {b2: {alive: false}}}",
        "{animals: {a1: {paralysed: false, stranded: false, remains: false}}}",
        "{flow: [{from: bank, to: a1, red: 1}, {from: bank ocean, to: a1, n: 1}]}",
    ],
)
def test_what_is_so(expect):
    assert run(expect).failures == []


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ("{bank: {ocean: 1}}", "ocean 1"),
        ("{shells: 0}", "shells"),
        ("{animals: {a1: {location: laurasia}}}", "laurasia"),
        ("{animals: {b2: {traits: [regeneration]}}}", "b2"),
        ("{animals: {b1: {void: {a1: shy}}}}", "shy"),
        ("{flow: [{from: bank laurasia, n: 1}]}", "laurasia"),
    ],
)
def test_what_is_not_so_is_told(expect, words):
    (failure,) = run(expect).failures
    assert words in failure


@pytest.mark.parametrize(
    "expect",
    [
        "{bank: {laurassia: 1}}",
        "{animals: {a1: {location: sea}}}",
        "{animals: {a1: {void: {a1: camuflage}}}}",
        "{flow: [{from: bank sea}]}",
        "{decision: discard}",
    ],
)
def test_words_that_nobody_knows(expect):
    with pytest.raises(CaseError):
        run(expect)


def test_each_bank_is_a_place_of_tokens():
    case = read_text(SEA.replace("PLAY", "[]").replace("EXPECT", "{}"))[0]
    game = load("evolution", modules=case.position["modules"])
    state, events = game.position(case.position), []
    after = game.apply(state, game.line(state, "A: take a1")[0], events)
    assert tokens(state) == {("bank", 0): {"red": 2}, ("bank", 2): {"red": 1}}
    graph = food_flow(state, events, after)
    banks = {data["name"]: data["kind"] for place, data in graph.nodes(data=True) if is_bank(place)}
    assert banks == {"bank of Laurasia": "source", "bank of the Ocean": "source"}
    assert totals(graph)["red"] == 1


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_table_in_words_names_places_and_conditions(lang):
    case = read_text(SEA.replace("PLAY", "[]").replace("EXPECT", "{}"))[0]
    game = load("evolution", modules=case.position["modules"])
    told = table_text(game, game.position(case.position), lang)
    names = {"en": ("Ocean 1", "Gondwana", "Shells", "a1"), "ru": ("Океан 1", "Гондвана", "раковины", "a1")}
    assert all(name in told for name in names[lang])
