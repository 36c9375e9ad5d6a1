"""Positions and moves of Time to Fly, Continents and the gift box as text."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import junk

from evotutor.core.model import NotationError
from evotutor.games import load
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import bit, card_of, trait_of
from evotutor.games.evolution.locations import GONDWANA, LAURASIA, OCEAN
from evotutor.games.evolution.notation import join_line, read_text
from evotutor.games.evolution.position_animals import ANGLERFISH
from evotutor.games.evolution.state import (
    IN_SHELL,
    LAND,
    NEWBORN,
    PARALYSED,
    REMAINS,
    REVEALED,
    REWARD,
    SWIMMING,
    State,
    location_acted,
    shells,
)
from evotutor.games.evolution.wellformed import every_line, every_move

ALL = ("base", "time-to-fly", "continents", "gift-box")
GAME = load("evolution", modules=ALL)
FLY = load("evolution", modules=("base", "time-to-fly"))
BASE = load("evolution")
CATACLYSM = load("evolution", modules=("base", "time-to-fly", "continents"), scenario="cataclysm")
FEW = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
A1 = ("players", "A", "animals", "a1")


def table(**changes: Any) -> dict[str, Any]:
    """A small position with locations, with these keys changed."""
    data: dict[str, Any] = {
        "modules": list(ALL),
        "bank": {"laurasia": 3, "ocean": 2},
        "players": {
            "A": {"hand": ["running", "swimming"], "animals": {"a1": "carnivorous, intellect", "a2": "plain"}},
            "B": {"discard": ["swimming"], "animals": {"b1": "camouflage, running", "b2": "swimming", "b3": "plain"}},
        },
    }
    data.update(changes)
    return data


def with_animals(changes: dict[str, object] | None = None, /, **position: Any) -> dict[str, Any]:
    """The small position with other animals, by name."""
    data = table(**position)
    for name, value in (changes or {}).items():
        data["players"][name[0].upper()]["animals"][name] = value
    return data


def refused(data: object, game: Any = GAME) -> NotationError:
    """The error with which a position is refused."""
    with pytest.raises(NotationError) as caught:
        game.position(data)
    return caught.value


def exact(state: State, game: Any = GAME) -> None:
    """The mapping and the YAML of a state are read back as this very state."""
    data = game.to_data(state)
    assert game.position(data) == state
    assert game.to_data(game.position(data)) == data


def a1(value: object) -> Any:
    """The animal that this text describes."""
    return GAME.position(with_animals({"a1": value})).herds[0][0]


# animals: as they are written, and what they are

WRITTEN = [
    "migration*, suckerfish*, flight*",
    "homeothermy*, viviparous*, ink-cloud*, intellect*, gondwana",
    "swimming",
    "swimming, laurasia",
    "swimming, neoplasm, running",
    "running, neoplasm, swimming, food 1",
    "shell, in-shell",
    "shy, food 1, attacked",
    "carnivorous, inked",
    "carnivorous, fat-tissue(1), food 1, paralysed, stranded",
    "carnivorous, food 2, surplus 1, paralysed",
    "regeneration, swimming, remains",
    "regeneration, fat-tissue, ocean, remains",
    "regeneration, migration*, swimming, laurasia",
    "migration*, swims",
    "anglerfish?",
    "swimming, anglerfish?",
    "plain, revealed, spent",
    "running, food 2, revealed",
    {"blue": 1, "newborn": True},
    {"traits": ["camouflage", "running"], "void": {"b1": "camouflage", "b2": ["running", "camouflage"]}},
    {"traits": ["running"], "location": "ocean", "blue": 1, "body": "shell"},
]


@pytest.mark.parametrize("value", WRITTEN, ids=str)
def test_animals_are_written_as_they_are_read(value):
    state = GAME.position(with_animals({"a1": value}))
    assert GAME.to_data(state)["players"]["A"]["animals"]["a1"] == value
    exact(state)


def test_where_an_animal_lives_follows_from_its_swimming_card():
    assert [a1(word).loc for word in ("swimming", "plain", "swimming, neoplasm", "swimming, laurasia")] == [
        OCEAN, LAURASIA, LAURASIA, LAURASIA,
    ]  # fmt: skip
    assert a1("plain, ocean").mask == SWIMMING
    assert a1("neoplasm, swimming").loc == OCEAN
    assert a1("swimming, paralysed").loc == LAURASIA


def test_locations_exist_with_continents_only():
    state = FLY.position({"players": {"A": {"animals": {"a1": "swimming"}}, "B": {}}})
    assert (state.herds[0][0].loc, state.bank) == (0, (0,))
    assert CATACLYSM.position({"players": {"A": {"animals": {"a1": "swimming"}}, "B": {}}}).herds[0][0].loc == 0


def test_an_anglerfish_that_is_revealed_is_carnivorous():
    found = a1("plain, revealed, spent")
    assert (found.body, found.need, found.flags) == (ANGLERFISH, 2, REVEALED)
    assert found.mask == found.used == bit["carnivorous"]


def test_the_long_form_has_a_key_for_each_condition():
    assert a1({"traits": ["shell"], "in-shell": True}).flags == IN_SHELL
    assert a1({"traits": ["regeneration"], "remains": True}).flags == REMAINS
    assert a1("plain, blue 1, newborn") == a1({"blue": 1, "newborn": True})
    assert a1({"traits": ["running"], "paralysed": True, "location": "gondwana"}).flags == PARALYSED
    assert a1({"newborn": True}).flags == NEWBORN


def test_pair_cards_of_paralysed_animals_and_remains_are_off():
    data = with_animals({"b3": "running, paralysed"}, links=[{"trematode": ["b1", "b3"]}])
    assert GAME.position(data).links.off == {259}
    assert GAME.position(data).herds[1][0].need == 1
    working = load("evolution", modules=ALL, rulings={"cnidocytes-pairs": "work"}).position(data)
    assert (working.links.off, working.herds[1][0].need) == (frozenset(), 2)


def test_a_used_recombination_keeps_its_star():
    state = GAME.position(with_animals({"a2": "running"}, links=[{"recombination*": ["a2", "a1"]}]))
    assert state.spent == 1
    assert GAME.to_data(state)["links"] == [{"recombination*": ["a1", "a2"]}]


# the table


def test_each_location_has_its_bank():
    state = GAME.position(table())
    assert state.bank == (3, 0, 2)
    assert GAME.to_data(state)["bank"] == {"laurasia": 3, "ocean": 2}
    assert GAME.position(table(bank={})).bank == (0, 0, 0)


def test_shells_without_an_owner():
    state = GAME.position(table(shells=2))
    assert shells(state) == bytes([card_of["shell"].index]) * 2
    assert GAME.to_data(state)["shells"] == 2
    exact(state)


@pytest.mark.parametrize("word", ["specialised", "metamorphosed", "settled", "migrated"])
def test_what_a_player_has_done(word):
    state = GAME.position(table(acted={word: True, "side": True, "location": "ocean"}))
    assert location_acted(state.acted) == OCEAN
    assert GAME.to_data(state)["acted"] == {"side": True, word: True, "location": "ocean"}
    exact(state)


def test_a_location_alone_is_no_action():
    assert location_acted(GAME.position(table(acted={"location": "gondwana"})).acted) == GONDWANA
    assert location_acted(GAME.position(table(acted={"main": True})).acted) == -1


# pending decisions

MOVES = [{"animal": "a1", "from": "gondwana", "to": "laurasia"}]
HUNTER = {"a1": "carnivorous*, intellect"}
PENDING: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "ambush": (with_animals({"b3": "ambush, carnivorous"}), [{"ambush": "a2", "by": "take", "ask": "B"}]),
    "ambush by communication": (
        with_animals({"b3": "ambush, carnivorous"}, links=[{"communication": ["a1", "a2"]}]),
        [
            {"pairs": "A", "armed": [{"communication": ["a1", "a2"], "to": "a2"}]},
            {"ambush": "a1", "by": "communication", "ask": "B"},
        ],
    ),
    "attack from ambush": (
        with_animals({"b3": "ambush, carnivorous*", "a2": "running, tail-loss"}),
        [
            {"ambush": "a2", "by": "take", "ask": "B"},
            {"attack": ["b3", "a2"], "tried": ["running", "ambush"]},
        ],
    ),
    "ignore": (with_animals(HUNTER), [{"attack": ["a1", "b1"]}, {"ignore": "trait"}]),
    "counter-attack": (
        with_animals({"a1": "carnivorous*, running, tail-loss", "b3": "plain, revealed, spent"}),
        [{"attack": ["b3", "a1"], "tried": ["intellect", "anglerfish"]}],
    ),
    "birth": (with_animals({"a1": "viviparous*, food 2"}), [{"birth": "a1"}]),
    "reward": (
        with_animals({"a1": "carnivorous, ocean, paralysed"}),
        [{"killed": "A", "in": "ocean"}, {"reward": "a1", "n": 2, "for": "carnivorous"}, {"land": "a1"}],
    ),
    "moving": (with_animals({"a1": "migration*"}, acted={"migrated": True}), [{"moving": MOVES}]),
    "follow": (
        with_animals({"a1": "migration*", "b3": "suckerfish, gondwana"}, acted={"migrated": True}),
        [{"follow": "B", "moving": MOVES}],
    ),
    "land": (with_animals({"b3": "plain, ocean"}), [{"land": "b3"}]),
    "fetch": (
        with_animals({"a1": "migration*"}, acted={"migrated": True}),
        [{"moving": [{"animal": "a1", "from": "ocean", "to": "laurasia"}]}, {"fetch": "a1"}],
    ),
    "swap": (
        with_animals({"a1": "fat-tissue, fat-tissue(1)", "a2": "running"}, links=[{"recombination": ["a1", "a2"]}]),
        [{"swap": "a1", "card": "fat-tissue#2"}],
    ),
    "restore": (
        with_animals({"a1": "regeneration, running, remains"}, phase="extinction"),
        [{"deal": {"A": 1, "B": 2}, "to": "A"}, {"restore": "a1"}],
    ),
    "restore from the deck": (
        with_animals({"b1": "regeneration, remains"}, phase="extinction", deck=0, last_turn=True)
        | {"deck": ["running"], "last_turn": False},
        [{"restore": "b1"}],
    ),
    "young": (
        table(phase="development"),
        [{"young": {"A": ["laurasia", "ocean"], "B": ["ocean"]}, "to": "A"}],
    ),
    "young later": (
        table(phase="extinction"),
        [{"young": {"B": ["ocean"]}, "to": "A"}, {"found": "A", "n": 2}, {"deal": {"A": 1, "B": 2}, "to": "A"}],
    ),
    "found": (table(phase="extinction"), [{"found": "A", "n": 2}]),
    "scavenge": (
        with_animals({"b1": "scavenger, ocean", "b2": "scavenger, ocean"}),
        [{"scavenge": "B", "in": "ocean"}],
    ),
}


@pytest.mark.parametrize("name", PENDING)
def test_pending_decisions_are_written_as_documented(name):
    data, pending = PENDING[name]
    state = GAME.position({**data, "pending": pending})
    assert GAME.to_data(state)["pending"] == pending
    exact(state)
    assert read_text(GAME.text(state), GAME) == state


def test_without_locations_young_are_numbers_and_kills_have_no_place():
    game = load("evolution", modules=("base", "gift-box"))
    players = {"A": {"animals": {"a1": "scavenger", "a2": "scavenger"}}, "B": {}}
    data: dict[str, Any] = {"phase": "development", "players": players, "pending": [{"young": {"A": 2}, "to": "A"}]}
    state = game.position(data)
    assert state.stack[0][1] == (b"\0\0", b"")
    assert game.to_data(state)["pending"] == data["pending"]
    data |= {"phase": "feeding", "pending": [{"scavenge": "A"}]}
    assert game.to_data(game.position(data))["pending"] == data["pending"]


def test_what_lies_further_down_may_speak_of_the_dead():
    data = with_animals({"a1": "carnivorous, ocean, paralysed"})
    data["players"]["B"]["next"] = 9
    pending = [{"land": "b7"}, {"reward": "b8", "n": 1, "for": "tail-loss"}, {"land": "a1"}]
    state = GAME.position({**data, "pending": pending})
    assert state.stack[:2] == ((LAND, 263), (REWARD, 264, 1, 1))
    exact(state)
    assert refused({**data, "pending": [{"land": "b9"}, {"land": "a1"}]}).path == ("pending", 0, "land")
    assert refused({**data, "pending": [{"land": "b7"}]}).path == ("pending", 0, "land")


def test_of_a_pile_of_ambushers_nobody_more_may_be_asked():
    game = load("evolution", modules=ALL, rulings={"ambush-limit": "one-per-player"})
    data = with_animals({"b3": "ambush, carnivorous*", "a2": "running, tail-loss"})
    pending = [{"ambush": "a2", "by": "take"}, {"attack": ["b3", "a2"], "tried": ["ambush"]}]
    state = game.position({**data, "pending": pending})
    assert state.stack[0][3] == -1
    exact(state, game)
    assert refused({**data, "pending": pending[:1]}, game).path == ("pending", 0)


# refusals

FORBIDDEN: dict[str, tuple[dict[str, Any], tuple[Any, ...], str]] = {
    "two beside regeneration": (with_animals({"a1": "regeneration, running, mimicry"}), A1, "regeneration.limit"),
    "regeneration and a need": (with_animals({"a1": "carnivorous, regeneration"}), A1, "regeneration.limit"),
    "regeneration and pairs": (
        with_animals({"a1": "regeneration, running"}, links=[{"cooperation": ["a1", "a2"]}]),
        A1,
        "regeneration.limit",
    ),
    "both specializations": (
        with_animals({"a1": "specialization-a, specialization-b"}),
        A1,
        "specialization.not-both",
    ),
    "equal traits around neoplasm": (
        with_animals({"a1": "running, neoplasm, running"}),
        A1,
        "development.no-duplicate",
    ),
    "pair across the sea": (
        with_animals({"a1": "swimming"}, links=[{"cooperation": ["a1", "a2"]}]),
        ("links", 0, "cooperation"),
        "continents.same-location",
    ),
    "in no shell": (with_animals({"a1": "running, in-shell"}), A1, "shell.needed"),
    "attacked but not shy": (with_animals({"a1": "running, attacked"}), A1, "shy.already-attacked"),
    "revealed by another card": (with_animals({"a1": {"revealed": True, "body": "shell"}}), A1, "anglerfish.needed"),
    "revealed twice carnivorous": (
        with_animals({"a1": "carnivorous, revealed"}),
        A1,
        "development.no-duplicate",
    ),
    "spent in hiding": (with_animals({"a1": "plain, spent"}), A1, "anglerfish.spent"),
    "fed and not given birth": (with_animals({"a1": "viviparous, food 2"}), A1, "viviparous.birth"),
    "used under neoplasm": (with_animals({"a1": "piracy*, neoplasm, running"}), A1, "neoplasm.swap"),
    "fat under neoplasm": (with_animals({"a1": "fat-tissue(1), neoplasm, running"}), A1, "neoplasm.swap"),
    "used while paralysed": (with_animals({"a1": "piracy*, paralysed"}), A1, "cnidocytes.paralyse"),
    "stranded and well": (with_animals({"a1": "running, stranded"}), A1, "cnidocytes.paralyse"),
    "remains of nothing": (with_animals({"a1": "running, remains"}), A1, "regeneration.remains"),
    "remains that eat": (with_animals({"a1": "regeneration, food 1, remains"}), A1, "regeneration.remains"),
    "ignored and not there": (
        with_animals({"a1": {"traits": ["running"], "void": {"b1": "camouflage"}}}),
        (*A1, "void", "b1"),
        "intellect.no-such-trait",
    ),
    "one bank": (table(bank=3), ("bank",), "continents.food-by-location"),
    "moving without a declaration": (
        with_animals({"a1": "migration*"}, pending=[{"moving": MOVES}]),
        ("pending", 0, "moving"),
        "migration.declared-first",
    ),
    "landing from land": (table(pending=[{"land": "a1"}]), ("pending", 0, "land"), "continents.lose-swimming-lands"),
    "birth of none": (table(pending=[{"birth": "a1"}]), ("pending", 0, "birth"), "viviparous.birth"),
    "birth without cards": (
        with_animals({"a1": "viviparous*"}, deck=0, pending=[{"birth": "a1"}]),
        ("pending", 0),
        "viviparous.last-card",
    ),
    "ambush without ambushers": (
        table(pending=[{"ambush": "a1", "by": "take", "ask": "B"}]),
        ("pending", 0, "ask"),
        "ambush.needed",
    ),
    "ambush on no food": (
        table(bank={}, pending=[{"ambush": "a1", "by": "take", "ask": "B"}]),
        ("pending", 0, "ambush"),
        "ambush.token-returns",
    ),
    "ignoring by instinct": (
        with_animals({"a1": "carnivorous"}, pending=[{"attack": ["a1", "b1"]}, {"ignore": "trait"}]),
        ("pending", 1),
        "intellect.needed",
    ),
    "restoring the living": (
        table(phase="extinction", pending=[{"restore": "a1"}]),
        ("pending", 0, "restore"),
        "regeneration.restore",
    ),
    "young in the meal": (
        table(pending=[{"young": {"A": ["ocean"]}, "to": "A"}]),
        ("pending", 0),
        "r-strategy.two-young",
    ),
    "counter-attack of a hidden one": (
        with_animals({"b3": "carnivorous"}, pending=[{"attack": ["b3", "a1"], "tried": ["anglerfish"]}]),
        ("pending", 0, "attack", 0),
        "anglerfish.needed",
    ),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_contradictions_are_refused_with_their_rule(name):
    data, path, rule = FORBIDDEN[name]
    error = refused(data)
    assert (error.path, error.rule) == (path, rule)


UNREADABLE: dict[str, tuple[dict[str, Any], tuple[Any, ...], str]] = {
    "unknown condition": (with_animals({"a1": "plain, paralyzed"}), A1, "paralysed"),
    "unknown location": (with_animals({"a1": {"location": "gondwanna"}}), (*A1, "location"), "gondwana"),
    "unknown bank": (table(bank={"lavrasia": 3}), ("bank", "lavrasia"), "laurasia"),
    "two places": (with_animals({"a1": "plain, ocean, laurasia"}), A1, ""),
    "anglerfish as a trait": (with_animals({"a1": "anglerfish"}), A1, "anglerfish?"),
    "trait that is never used": (with_animals({"a1": "shell*"}), A1, "migration"),
    "metamorphose has no limit": (with_animals({"a1": "metamorphose*"}), A1, "carnivorous"),
    "who ignores": (
        with_animals({"a1": {"traits": ["running"], "void": {"b9": "running"}}}),
        (*A1, "void"),
        "b",
    ),
    "by what": (
        with_animals({"b3": "ambush, carnivorous"}, pending=[{"ambush": "a2", "by": "taking", "ask": "B"}]),
        ("pending", 0, "by"),
        "take",
    ),
    "where was the kill": (table(pending=[{"killed": "A"}, {"land": "b2"}]), ("pending", 0), "in: ocean"),
    "nobody more": (table(pending=[{"scavenge": "A", "in": "ocean"}]), ("pending", 0), ""),
    "unknown pending": (table(pending=[{"fetsh": "a1"}]), ("pending", 0), "fetch"),
    "a birth below": (
        with_animals({"a1": "viviparous*"}, pending=[{"birth": "a1"}, {"land": "b2"}]),
        ("pending", 1),
        "",
    ),
    "a reward alone": (table(pending=[{"reward": "a1", "n": 1, "for": "tail-loss"}]), ("pending", 0), ""),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_errors_say_where_and_what_instead(name):
    data, path, hint = UNREADABLE[name]
    error = refused(data)
    assert error.path == path
    assert hint in error.hint


@pytest.mark.parametrize(
    ("animal", "module"), [("plain, paralysed", "continents"), ("plain, ocean", "continents"), ("shy", "gift-box")]
)
def test_words_of_other_modules_name_their_module(animal, module):
    error = refused({"players": {"A": {"animals": {"a1": animal}}, "B": {}}}, FLY)
    assert "needs module" in error.message
    assert module in error.message


@pytest.mark.parametrize("animal", ["plain, ocean", "running, swims"])
def test_a_cataclysm_has_no_locations(animal):
    data = {"scenario": "cataclysm", "players": {"A": {"animals": {"a1": animal}}, "B": {}}}
    assert "scenario has none" in refused(data, CATACLYSM).message


@pytest.mark.parametrize(
    ("player", "path"),
    [
        ({"animals": {"a1": "shell"}}, A1),
        ({"animals": {"a1": "herding/carnivorous:carnivorous"}}, A1),
        ({"hand": ["shell"]}, ("players", "A", "hand")),
        ({"discard": ["trematode/fat-tissue"]}, ("players", "A", "discard")),
    ],
)
def test_a_cataclysm_has_some_cards_of_the_expansions_only(player, path):
    error = refused({"scenario": "cataclysm", "players": {"A": player, "B": {}}}, CATACLYSM)
    assert (error.path, error.rule) == (path, "cataclysm.expansions")


def test_a_limit_is_used_up_under_its_ruling_only():
    game = load("evolution", modules=ALL, rulings={"specialization": "once-per-turn", "metamorphose": "once-per-turn"})
    exact(game.position(with_animals({"a1": "specialization-a*, metamorphose*"})), game)


# moves


def crowd() -> State:
    """A table on which every verb can be said."""
    return GAME.position(
        with_animals(
            {"a1": "carnivorous, intellect", "a2": "running, fat-tissue, fat-tissue(1)"},
            links=[{"recombination": ["a1", "a2"]}, {"cooperation": ["a1", "a2"]}],
        )
    )


def t(name: str) -> int:
    """Number of a trait."""
    return trait_of[name].index


READ = {
    "A: play running in gondwana": [(m.PLAY_ANIMAL, card_of["running"].index, GONDWANA)],
    "A: attack a1 b1 ignoring camouflage": [(m.ATTACK, 1), (m.TARGET, 257), (m.IGNORE, t("camouflage"))],
    "B: ambush b1 ignoring tail-loss": [(m.AMBUSH, 257), (m.IGNORE, t("tail-loss"))],
    "B: reveal b2 ignoring none": [(m.REVEAL, 258), (m.IGNORE, -1)],
    "B: mimic b1 to b2 ignoring running": [(m.MIMIC, 257, 258), (m.IGNORE, t("running"))],
    "A: ignore none": [(m.IGNORE, -1)],
    "B: hide b1": [(m.HIDE, 257)],
    "B: ink b1": [(m.INK, 257)],
    "A: specialize a1": [(m.SPECIALIZE, 1)],
    "A: settle a1": [(m.SETTLE, 1)],
    "A: warm a1": [(m.WARM, 1)],
    "A: metamorphose a2 fat-tissue#2": [(m.METAMORPHOSE, 2, 2)],
    "A: metamorphose a2 cooperation(a1,a2)": [(m.METAMORPHOSE, 2, -1, t("cooperation"), 1, 2)],
    "A: migrate a1 to ocean": [(m.MIGRATE, 1, OCEAN)],
    "A: done": [(m.DONE,)],
    "B: follow b1 after a1": [(m.FOLLOW, 257, 1)],
    "A: land a1 in laurasia": [(m.LAND, 1, LAURASIA)],
    "A: fetch a1 from B": [(m.FETCH, 1, 1)],
    "A: recombine a1 intellect a2 running": [(m.RECOMBINE, 1, 1), (m.SPLIT, 2, 0)],
    "A: recombine a1 carnivorous": [(m.RECOMBINE, 1, 0)],
    "A: split a2 fat-tissue#1": [(m.SPLIT, 2, 1)],
    "A: restore a1 with running": [(m.RESTORE, 1, card_of["running"].index)],
    "roll laurasia 3 gondwana 2": [(m.ROLL, 3, 2)],
}


@pytest.mark.parametrize("line", READ)
def test_lines_are_read_and_written(line):
    state = crowd()
    moves = GAME.line(state, line)
    assert moves == READ[line]
    texts = [GAME.show(state, move) for move in moves]
    written = texts[0]
    for part in texts[1:]:
        written = join_line(written, part)
    assert written.rpartition(": ")[2] == line.rpartition(": ")[2]


SAME = {
    "A: play running animal in gondwana as a3": "A: play running in gondwana",
    "A: play running as a3 in gondwana": "A: play running in gondwana",
    "A: recombine a2 running a1 intellect": "A: recombine a1 intellect a2 running",
    "A: metamorphose a2 cooperation": "A: metamorphose a2 cooperation(a1,a2)",
    "A: migrate a1 ocean": "A: migrate a1 to ocean",
    "a: LAND a1 laurasia": "A: land a1 in laurasia",
    "A: fetch a1 B": "A: fetch a1 from B",
    "roll gondwana 2 laurasia 3": "roll laurasia 3 gondwana 2",
}


@pytest.mark.parametrize("line", SAME)
def test_other_forms_of_lines(line):
    assert GAME.line(crowd(), line) == READ[SAME[line]]


REFUSED_LINES = {
    "A: play running": "in laurasia",
    "A: play running in laurassia": "laurasia",
    "A: attack a1 b1 ignoring camuflage": "camouflage",
    "A: take a1 ignoring camouflage": "ignoring TRAIT",
    "A: metamorphose a1": "metamorphose ANIMAL CARD",
    "A: recombine a1 cooperation": "recombine ANIMAL CARD ANIMAL CARD",
    "A: recombine a1 intellect a2": "recombine ANIMAL CARD ANIMAL CARD",
    "A: split a2 fat-tissue": "fat-tissue#2 (filled)",
    "A: fetch a1 from C": "A, B",
    "A: migrate a1 to pangaea": "laurasia",
    "A: migarte a1 to ocean": "migrate",
    "A: take a1 from f1": "grass-and-mushrooms",
    "roll 3 2": "roll laurasia N gondwana N",
    "roll laurasia 3 gondwana 2 2": "roll laurasia N gondwana N",
    "A: discard a1 running": "",
}


@pytest.mark.parametrize("line", REFUSED_LINES)
def test_lines_that_cannot_be_said_are_refused_with_a_hint(line):
    with pytest.raises(NotationError) as caught:
        GAME.line(crowd(), line)
    assert REFUSED_LINES[line] in caught.value.hint


def test_the_runner_still_has_one_die():
    data = with_animals(HUNTER, pending=[{"attack": ["a1", "b1"], "tried": ["running"]}, {"roll": "running"}])
    assert GAME.line(GAME.position(data), "roll 5") == [(m.ROLL, 5)]
    assert GAME.show(GAME.position(data), (m.ROLL, 5)) == "roll 5"


def test_food_dice_of_many_players_are_sorted_by_continent():
    data = {"phase": "food", "players": {letter: {} for letter in "ABCDEFG"}}
    state = GAME.position(data)
    (move,) = GAME.line(state, "roll laurasia 5 2 gondwana 6 1 3")
    assert move == (m.ROLL, 2, 5, 1, 3, 6)
    assert GAME.show(state, move) == "roll laurasia 2 5 gondwana 1 3 6"


# games


def playing(game: Any, players: int, seed: int) -> Any:
    """Every state of a game played at random, rather with cards and attacks than with passing."""
    rng = Random(seed)
    state = game.new(players, seed)
    while not game.decision(state).over:
        yield state
        moves = [game.sample(state, rng)] if game.decision(state).chance else game.moves(state)
        rest = [move for move in moves if move[0] not in (m.PASS, m.END, m.DECLINE)]
        state = game.apply(state, rng.choice(rest if rest and rng.random() < 0.8 else moves))
    yield state


SETS: list[tuple[str, ...]] = [ALL, ("base", "time-to-fly"), ("base", "continents"), ("base", "gift-box")]


@pytest.mark.slow
@pytest.mark.parametrize("modules", SETS, ids="+".join)
def test_whole_games_go_both_ways(modules):
    game, rng = load("evolution", modules=modules), Random(1)
    for state in playing(game, 3, 5):
        exact(state, game)
        moves = [game.sample(state, rng)] if game.decision(state).chance else game.moves(state)
        for move in moves:
            assert game.line(state, game.show(state, move)) == [move]


def test_a_cataclysm_with_expansions_goes_both_ways():
    for state in playing(CATACLYSM, 2, 3):
        exact(state, CATACLYSM)


def test_what_is_legal_can_be_said():
    for state in list(playing(GAME, 2, 11))[::9]:
        if not GAME.decision(state).chance:
            said = set(every_move(state))
            assert [move for move in GAME.moves(state) if move[0] != m.BEGIN_STEP and move not in said] == []


def test_what_is_said_is_read():
    for state in (crowd(), GAME.position({**PENDING["follow"][0], "pending": PENDING["follow"][1]})):
        for line in every_line(state):
            for move in GAME.line(state, line)[:1]:
                GAME.show(state, move)


def test_without_expansions_nothing_new_is_said():
    state = BASE.position({"players": {"A": {"animals": {"a1": "carnivorous"}}, "B": {}}})
    assert max(move[0] for move in every_move(state)) < m.BEGIN_STEP


# hostile input


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every container with each of its keys."""
    if not isinstance(data, (dict, list)):
        return []
    keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    return [(data, key) for key in keys] + [found for key in keys for found in places(data[key])]


@settings(parent=FEW, max_examples=300)
@given(st.sampled_from(sorted(PENDING)), st.data(), junk())
def test_a_position_with_one_wrong_value_is_read_or_refused_and_plays_on(name, data, value):
    position = deepcopy({**PENDING[name][0], "pending": PENDING[name][1]})
    container, key = data.draw(st.sampled_from(places(position)))
    container[key] = value
    try:
        state = GAME.position(position)
    except NotationError:
        return
    exact(state)
    for move in GAME.moves(state):
        GAME.apply(state, move)


@settings(parent=FEW, max_examples=200)
@given(st.sampled_from(sorted(PENDING)), st.sampled_from(sorted(PENDING)), st.integers(0, 3))
def test_stacks_put_together_at_random_are_read_or_refused_and_play_on(name, other, cut):
    position = deepcopy({**PENDING[name][0], "pending": [*PENDING[other][1][:cut], *PENDING[name][1]]})
    position["pending"] = position["pending"][-4:]
    try:
        state = GAME.position(position)
    except NotationError:
        return
    exact(state)
    for move in GAME.moves(state):
        GAME.apply(state, move)


@settings(parent=FEW, max_examples=200)
@given(st.data())
def test_any_line_is_read_or_refused(data):
    words = [
        "attack", "ambush", "reveal", "ignore", "ignoring", "none", "metamorphose", "recombine", "split", "migrate",
        "land", "follow", "fetch", "restore", "roll", "play", "in", "to", "after", "from", "with", "as", "laurasia",
        "gondwana", "ocean", "a1", "a2", "b1", "A", "B", "?", "running", "fat-tissue#2", "recombination(a1,a2)", "3",
    ]  # fmt: skip
    line = " ".join(data.draw(st.lists(st.one_of(st.sampled_from(words), st.text(max_size=5)), max_size=6)))
    state = crowd()
    with suppress(NotationError):
        for move in GAME.line(state, line):
            GAME.show(state, move)
