"""Positions and moves as text: exact both ways, errors that say where and what instead, nothing else ever raised."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import dense_states, junk, states

from evotutor.core.model import NotationError
from evotutor.games import load
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import UNKNOWN, card_of, face_of_trait, trait_of
from evotutor.games.evolution.notation import join_line, player_of_line, read_text
from evotutor.games.evolution.state import BEGIN, HIBERNATING, KILLED, POOL, RESTING, TOOK, State

GAME = load("evolution")
FEW = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def table(**changes: Any) -> dict[str, Any]:
    """A small position with these keys changed; players' animals by letter."""
    data: dict[str, Any] = {
        "phase": "feeding",
        "bank": 3,
        "players": {
            "A": {"animals": {"a1": "carnivorous", "a2": "plain"}},
            "B": {"animals": {"b1": "running", "b2": "plain"}},
        },
    }
    data.update(changes)
    return data


def with_a1(value: object) -> dict[str, Any]:
    """The small position with another first animal."""
    data = table()
    data["players"]["A"]["animals"]["a1"] = value
    return data


def refused(data: object) -> NotationError:
    """The error with which a position is refused."""
    with pytest.raises(NotationError) as caught:
        GAME.position(data)
    return caught.value


def a1(value: object) -> Any:
    """The animal that this text describes."""
    return GAME.position(with_a1(value)).herds[0][0]


# round trips


def exact(state: State, game: Any = GAME) -> None:
    """The mapping and the YAML of a state are read back as this very state."""
    data = game.to_data(state)
    assert game.position(data) == state
    assert game.to_data(game.position(data)) == data


@FEW
@given(states())
def test_every_state_is_written_and_read_back_exactly(state):
    exact(state)


@pytest.mark.slow
@settings(parent=FEW, max_examples=40)
@given(states())
def test_the_yaml_of_a_state_is_read_back_and_written_again_the_same(state):
    text = GAME.text(state)
    assert read_text(text, GAME) == state
    assert GAME.text(read_text(text, GAME)) == text


RULINGS: list[dict[str, str]] = [
    {},
    {"pair-gift": "optional", "cooperation-timing": "owner-orders", "mimicry": "optional"},
]


@pytest.mark.slow
@settings(parent=FEW, max_examples=30)
@given(dense_states(), st.sampled_from(RULINGS), st.randoms(use_true_random=False))
def test_states_and_moves_of_crowded_games_go_both_ways(state, rulings, rng):
    game = load("evolution", rulings=rulings)
    for _ in range(25):
        decision = game.decision(state)
        if decision.over:
            break
        exact(state, game)
        moves = [game.sample(state, rng)] if decision.chance else game.moves(state)
        for move in moves:
            assert game.line(state, game.show(state, move)) == [move]
        state = game.apply(state, rng.choice(moves))


@pytest.mark.slow
@pytest.mark.parametrize("scenario", [None, "cataclysm"])
@pytest.mark.parametrize("players", [2, 5])
def test_whole_games_go_both_ways(players, scenario):
    game, rng = load("evolution", scenario=scenario), Random(players)
    state = game.new(players, 7)
    while not game.decision(state).over:
        exact(state, game)
        moves = [game.sample(state, rng)] if game.decision(state).chance else game.moves(state)
        state = game.apply(state, rng.choice(moves))
    exact(state, game)
    assert read_text(game.text(state), game) == state


@settings(parent=FEW, max_examples=15)
@given(dense_states())
def test_every_legal_line_is_read_as_its_chain(state):
    for line in GAME.lines(state):
        after = state
        for move in GAME.line(state, line):
            assert move in GAME.moves(after)
            after = GAME.apply(after, move)


def test_what_a_player_sees_is_written_and_read_back():
    state = GAME.new(3, 1)
    exact(GAME.observe(state, 1))


# defaults and forms


def test_what_a_position_leaves_out():
    state = GAME.position({"players": {"A": {}, "B": None}})
    assert (state.turn, state.round, state.first, state.player, state.bank) == (1, 1, 0, 0, (0,))
    assert state.deck == bytes([UNKNOWN]) * 20
    assert state.hands == state.discards == (b"", b"")
    assert state.numbers == (1, 1)
    assert state.stack == ()


def test_the_player_to_move_is_the_first_player():
    assert GAME.position(table(first="B")).player == 1


def test_cataclysm_has_no_deck_and_neither_has_a_last_turn():
    game = load("evolution", scenario="cataclysm")
    assert game.position({"scenario": "cataclysm", "players": {"A": {}, "B": {}}}).deck == b""
    assert GAME.position(table(last_turn=True)).deck == b""


def test_the_short_form_of_an_animal():
    found = a1("hibernation(resting), mimicry*, fat-tissue, camouflage/fat-tissue:fat-tissue(1), food 1, poisoned")
    assert found.faces[0] == face_of_trait(trait_of["hibernation"].index)
    assert found.faces[3] == 2 * card_of["camouflage/fat-tissue"].index + 1
    assert (found.red, found.blue, found.fat, found.flags & RESTING) == (1, 0, 0b1000, RESTING)
    assert found.used == 1 << trait_of["mimicry"].index


def test_the_long_form_of_an_animal():
    found = a1({"traits": ["swimming", "carnivorous*"], "red": 1, "blue": 1, "poisoned": True, "body": "mimicry"})
    assert (found.red, found.blue, found.need, found.body) == (1, 1, 2, card_of["mimicry"].index)
    assert a1({"traits": "swimming, carnivorous", "food": 1}) == a1("swimming, carnivorous, food 1")


def test_several_fat_cards_at_once_are_filled_from_the_top():
    assert a1("fat-tissue(1/3), running").fat == 0b100


def test_a_sleeper_has_used_its_hibernation():
    found = a1("hibernation, hibernating")
    assert found.flags == HIBERNATING
    assert found.used == 1 << trait_of["hibernation"].index


def test_tokens_above_the_need_are_said_in_words():
    assert a1("tail-loss, food 2, surplus 1").red == 2
    assert refused(with_a1("tail-loss, food 2")).hint.startswith("surplus 1")
    assert refused(with_a1("tail-loss, food 1, surplus 1")).path == ("players", "A", "animals", "a1")


def test_symbiosis_names_the_symbiont_first():
    both = [{"symbiosis": ["a2", "a1"]}, {"symbiosis": {"symbiont": "a2", "protected": "a1"}}]
    assert GAME.position(table(links=both[:1])) == GAME.position(table(links=both[1:]))
    assert GAME.position(table(links=both[:1])).links.links[0][1:3] == (2, 1)


def test_used_pairs_keep_their_star():
    state = GAME.position(table(links=[{"communication": ["a1", "a2"]}, {"cooperation*": ["a2", "a1"]}]))
    assert [state.spent >> i & 1 for i, link in enumerate(state.links.links)] == [
        int(link[0] == trait_of["cooperation"].index) for link in state.links.links
    ]


@pytest.mark.parametrize("deck", [3, ["?", "?", "?"], {"?": 3}, {"top": [], "more": 3}])
def test_a_pile_is_a_number_a_list_or_a_mapping(deck):
    assert GAME.position(table(deck=deck)).deck == bytes([UNKNOWN]) * 3


def test_known_cards_on_top_keep_their_order():
    state = GAME.position(table(deck={"top": ["running", "mimicry"], "more": 18}))
    assert state.top == bytes((card_of["running"].index, card_of["mimicry"].index))


def test_main_alone_means_that_the_player_took():
    assert GAME.position(table(acted={"main": True})).acted == TOOK


def test_at_start_waits_for_the_phase():
    assert GAME.position(table(at="start")).stack == ((BEGIN,),)


PENDING = {
    "target": (table(), [{"target": "a1"}]),
    "attack": (table(), [{"attack": ["a1", "b1"]}]),
    "roll": (table(), [{"attack": ["a1", "b1"], "tried": ["running"]}, {"roll": "running"}]),
    "victim": (with_a1("piracy") | {"bank": 0}, [{"victim": "a1"}]),
    "scavenge": (with_a1("scavenger"), [{"scavenge": "A"}]),
    "deal": (table(phase="extinction"), [{"deal": {"A": 3, "B": 2}, "to": "A"}]),
    "pairs": (
        table(links=[{"cooperation": ["a1", "a2"]}]),
        [{"killed": "A"}, {"pairs": "A", "armed": [{"cooperation": ["a1", "a2"], "to": "a2"}]}],
    ),
}
PENDING["victim"][0]["players"]["B"]["animals"]["b2"] = "high-body-weight, food 1"


@pytest.mark.parametrize("name", PENDING)
def test_pending_decisions_are_written_as_documented(name):
    data, pending = PENDING[name]
    state = GAME.position({**data, "pending": pending})
    assert GAME.to_data(state)["pending"] == pending
    exact(state)


def test_a_card_waits_for_its_place():
    data = table(phase="development")
    data["players"]["A"]["hand"] = ["camouflage/fat-tissue", "symbiosis"]
    for pending in ({"place": "camouflage/fat-tissue:camouflage"}, {"partner": "symbiosis:symbiosis", "animal": "a1"}):
        state = GAME.position({**data, "pending": [pending]})
        assert GAME.to_data(state)["pending"] == [pending]
        exact(state)


# refusals

A1 = ("players", "A", "animals", "a1")
FORBIDDEN = {
    "equal traits": (with_a1("running, running"), A1, "development.no-duplicate"),
    "equal traits, long": (with_a1({"traits": ["running", "running"]}), (*A1, "traits", 1), "development.no-duplicate"),
    "two parasites": (with_a1("parasite, parasite"), A1, "parasite.one"),
    "carnivorous scavenger": (with_a1("scavenger, carnivorous"), A1, "scavenger.not-with-carnivorous"),
    "over-filled fat": (with_a1("fat-tissue(2)"), A1, "fat-tissue.one-per-card"),
    "fed beyond need": (with_a1("carnivorous, food 3"), A1, "feeding.fed-takes-nothing"),
    "rests and sleeps": (with_a1("hibernation(resting), hibernating"), A1, "hibernation.not-twice"),
    "pair on one animal": (with_a1("cooperation"), A1, "development.pair-two-animals"),
    "pair across owners": (
        table(links=[{"cooperation": ["a1", "b1"]}]),
        ("links", 0, "cooperation"),
        "development.pair-same-owner",
    ),
    "pair with itself": (
        table(links=[{"symbiosis": ["a1", "a1"]}]),
        ("links", 0, "symbiosis"),
        "development.pair-two-animals",
    ),
    "pair of three": (table(links=[{"symbiosis": ["a1"]}]), ("links", 0, "symbiosis"), "development.pair-two-animals"),
    "pair twice": (
        table(links=[{"symbiosis": ["a1", "a2"]}, {"symbiosis": ["a2", "a1"]}]),
        ("links", 1),
        "development.pair-once-per-pair",
    ),
    "last turn with a deck": (table(last_turn=True, deck=4), ("last_turn",), "turn.last"),
    "two main actions": (table(acted={"took": True, "hunted": True}), ("acted",), "feeding.main-once"),
    "passed and to move": (table(phase="development", passed=["A"]), ("passed",), "development.pass-final"),
    "passed in feeding": (table(passed=["B"]), ("passed",), "phase.wrong"),
    "endless idling": (table(idle=2), ("idle",), "feeding.end-when-done"),
    "question of another phase": (table(pending=[{"deal": {"A": 1}, "to": "A"}]), ("pending", 0), "phase.wrong"),
    "hunter of another": (table(pending=[{"target": "b1"}]), ("pending", 0, "target"), "feeding.own-animal"),
    "hunter without the trait": (table(pending=[{"target": "a2"}]), ("pending", 0, "target"), "carnivorous.needed"),
    "attack on itself": (table(pending=[{"attack": ["a1", "a1"]}]), ("pending", 0, "attack"), "carnivorous.not-itself"),
    "card not in hand": (
        table(phase="development", pending=[{"place": "mimicry"}]),
        ("pending", 0, "place"),
        "development.card-in-hand",
    ),
    "deal from nothing": (
        table(phase="extinction", deck=0, pending=[{"deal": {"A": 1}, "to": "A"}]),
        ("pending", 0),
        "turn.last",
    ),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_contradictions_are_refused_with_their_rule(name):
    data, path, rule = FORBIDDEN[name]
    error = refused(data)
    assert (error.path, error.rule) == (path, rule)


UNREADABLE = {
    "no players": ({}, ("players",), ""),
    "one player": ({"players": {"A": {}}}, ("players",), "2 to 8"),
    "nine players": ({"players": {x: {} for x in "ABCDEFGHI"}}, ("players",), "2 to 8"),
    "players in disorder": ({"players": {"B": {}, "A": {}}}, ("players", "B"), "seat order"),
    "unknown key": (table(bnak=3), ("bnak",), "bank"),
    "unknown phase": (table(phase="feedings"), ("phase",), "feeding"),
    "unknown trait": (with_a1("carnivorus"), A1, "carnivorous"),
    "unknown key of an animal": (with_a1({"trait": []}), (*A1, "trait"), "traits"),
    "unknown card": (table(deck=["mimikry"]), ("deck", 0), "mimicry"),
    "trait as card": (table(deck=["camouflage"]), ("deck", 0), "camouflage/fat-tissue"),
    "trait of another card": (with_a1("mimicry:running"), A1, "mimicry:mimicry"),
    "unknown animal": (table(links=[{"symbiosis": ["a1", "a3"]}]), ("links", 0, "symbiosis", 1), "a"),
    "unknown module": (table(modules=["base", "continent"]), ("modules", 1), "continents"),
    "unknown pending": (table(pending=[{"atack": ["a1", "b1"]}]), ("pending", 0), "attack"),
    "single trait among links": (table(links=[{"running": ["a1", "a2"]}]), ("links", 0, "running"), "traits"),
    "trait that is never used": (with_a1("running*"), A1, "carnivorous"),
    "symbiosis used": (table(links=[{"symbiosis*": ["a1", "a2"]}]), ("links", 0, "symbiosis*"), "cooperation"),
    "nothing for an animal": (with_a1(None), A1, "plain"),
    "empty text for an animal": (with_a1(""), A1, "plain"),
    "true as a number": (table(bank=True), ("bank",), "0 to 999"),
    "a text as a number": (table(bank="3"), ("bank",), "0 to 999"),
    "a huge number": (table(bank=10**5000), ("bank",), "0 to 999"),
    "a negative number": (table(turn=-1), ("turn",), "1 to 999"),
    "several cards may be meant": (
        table(phase="development", pending=[{"place": "high-body-weight"}]),
        ("pending", 0, "place"),
        "fat-tissue:high",
    ),
    "a die without an attack": (table(pending=[{"roll": "running"}]), ("pending", 0), ""),
    "a kill that asks nothing": (table(pending=[{"killed": "A"}]), ("pending", 0), ""),
    "nobody can answer": (table(pending=[{"scavenge": "A"}]), ("pending", 0), ""),
    "extinction of what": (table(phase="extinction"), ("at",), "at: start"),
    "start of the end": (table(phase="over", at="start"), ("at",), ""),
    "a number too high": (
        {"players": {"A": {"animals": {"a256": "plain"}}, "B": {}}},
        ("players", "A", "animals", "a256"),
        "a255",
    ),
    "digits of another script": (
        {"players": {"A": {"animals": {"a1٣": "plain"}}, "B": {}}},
        ("players", "A", "animals", "a1٣"),
        "a1 to a255",
    ),
    "a foreign name": (
        {"players": {"A": {"animals": {"b1": "plain"}}, "B": {}}},
        ("players", "A", "animals", "b1"),
        "a",
    ),
    "a number used twice": (
        {"players": {"A": {"next": 1, "animals": {"a1": "plain"}}, "B": {}}},
        ("players", "A", "next"),
        "2",
    ),
    "too many animals": (
        {"players": {"A": {"animals": {f"a{i}": "plain" for i in range(1, 62)}}, "B": {}}},
        ("players", "A", "animals"),
        "",
    ),
    "too many cards": (table(deck=401), ("deck",), "400"),
    "too many cards in sum": (table(deck={"mimicry": 300, "running": 300}), ("deck",), ""),
    "a long text": (with_a1("running" * 100), A1, ""),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_errors_say_where_and_what_instead(name):
    data, path, hint = UNREADABLE[name]
    error = refused(data)
    assert error.path == path
    assert hint in error.hint


LATER = {
    "a trait": (with_a1("flight"), "time-to-fly"),
    "a condition": (with_a1("running, in-shell"), "time-to-fly"),
    "a mark": (with_a1("running, mark sleep"), "grass-and-mushrooms"),
    "a hidden body": (with_a1("anglerfish?"), "time-to-fly"),
    "a location": (with_a1({"location": "ocean"}), "continents"),
    "a card": (table(deck=["r-strategy"]), "gift-box"),
    "banks of locations": (table(bank={"ocean": 3}), "continents"),
    "a link": (table(links=[{"trematode": ["a1", "a2"]}]), "time-to-fly"),
    "ownerless shells": (table(shells=2), "time-to-fly"),
    "flora": (table(flora=[{"id": "f1"}]), "grass-and-mushrooms"),
    "areas": (table(areas=[{"id": "w1"}]), "new-world"),
    "a pending decision": (table(pending=[{"reveal": "a1"}]), "time-to-fly"),
    "a chosen location": (table(acted={"location": "ocean"}), "continents"),
}


@pytest.mark.parametrize("name", LATER)
def test_words_of_later_modules_name_their_module(name):
    data, module = LATER[name]
    error = refused(data)
    assert "needs module" in error.message
    assert module in error.message


def test_later_words_may_say_that_there_is_nothing():
    assert GAME.position(table(shells=0)) == GAME.position(table())


# hostile input


@settings(parent=FEW, max_examples=200)
@given(junk())
def test_anything_as_a_position_is_read_or_refused(data):
    with suppress(NotationError):
        GAME.position(data)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every container with each of its keys."""
    if not isinstance(data, (dict, list)):
        return []
    keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    return [(data, key) for key in keys] + [found for key in keys for found in places(data[key])]


@settings(parent=FEW, max_examples=200)
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


@pytest.mark.slow
@settings(parent=FEW, max_examples=60)
@given(states())
def test_every_position_that_is_read_can_be_played_on(state):
    moves = GAME.moves(state) if not GAME.decision(state).chance else [GAME.sample(state, Random(1))]
    if any(n > 255 for n in state.numbers):
        return
    for move in moves:
        GAME.apply(state, move)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "a: 1\na: 2",
        "!!python/object:os.system {}",
        "&a [*a]",
        "x: &a {y: *a}",
        "2020-99-99",
        "- 1",
        "[" * 5000,
        "\x00",
        "a: 0b2",
    ],
)
def test_texts_that_are_no_position(text):
    with pytest.raises(NotationError):
        read_text(text, GAME)


def test_a_position_that_contains_itself():
    data = table()
    data["players"]["A"]["animals"]["a1"] = data
    assert refused(data).path[:4] == A1


@settings(parent=FEW, max_examples=200)
@given(dense_states(), st.data())
def test_any_line_is_read_or_refused(state, data):
    verbs = [
        "play",
        "take",
        "attack",
        "convert",
        "mimic",
        "drop",
        "trigger",
        "roll",
        "draw",
        "on",
        "and",
        "A:",
        "B:",
        "pass",
    ]
    words = [
        *verbs,
        "a1",
        "b1",
        "on",
        "as",
        "to",
        "?",
        "mimicry",
        "?:running",
        "cooperation",
        "cooperation(a1,a2)",
        "fat-tissue#2",
        "(",
        ")",
        ",",
        "#",
        ":",
        "0",
        "1",
        "1000",
        "²",
        "symbiosis:symbiosis",
        "/",
        "camouflage/fat-tissue",
    ]
    line = " ".join(data.draw(st.lists(st.one_of(st.sampled_from(words), st.text(max_size=5)), max_size=6)))
    with suppress(NotationError):
        for move in GAME.line(state, line):
            GAME.show(state, move)


@pytest.mark.parametrize("line", [None, 3, b"take a1", "", "   ", "A:", "x" * 201])
def test_what_is_no_line(line):
    with pytest.raises(NotationError):
        GAME.line(GAME.position(table()), line)


# lines


def development() -> State:
    """A to play from a hand with one, two and no cards of a trait."""
    hand = ["camouflage/fat-tissue", "high-body-weight/fat-tissue", "mimicry", "symbiosis", "?"]
    data = table(phase="development")
    data["players"]["A"]["hand"] = hand
    return GAME.position(data)


CAMOUFLAGE, MIMICRY, SYMBIOSIS = (card_of[name].index for name in ("camouflage/fat-tissue", "mimicry", "symbiosis"))
READ = {
    "A: play mimicry": [(m.PLAY_ANIMAL, MIMICRY)],
    "play MIMICRY animal as a3": [(m.PLAY_ANIMAL, MIMICRY)],
    "A: play ?": [(m.PLAY_ANIMAL, UNKNOWN)],
    "A: play camouflage/fat-tissue:camouflage": [(m.PLAY_TRAIT, CAMOUFLAGE, 0)],
    "A: play fat-tissue/camouflage:camouflage on a1": [(m.PLAY_TRAIT, CAMOUFLAGE, 0), (m.ON, 1)],
    "play camouflage on a1": [(m.PLAY_TRAIT, CAMOUFLAGE, 0), (m.ON, 1)],
    "a: play mimicry on A2": [(m.PLAY_TRAIT, MIMICRY, 0), (m.ON, 2)],
    "A: play symbiosis on a1 a2": [(m.PLAY_TRAIT, SYMBIOSIS, 0), (m.ON, 1), (m.AND, 2)],
    "A: play ?:camouflage on a1": [(m.PLAY_TRAIT, UNKNOWN, trait_of["camouflage"].index), (m.ON, 1)],
    "A: play parasite on b1": [(m.PLAY_TRAIT, UNKNOWN, trait_of["parasite"].index), (m.ON, 257)],
    "A: on a1 a2": [(m.ON, 1), (m.AND, 2)],
    "A: attack a1 b1": [(m.ATTACK, 1), (m.TARGET, 257)],
    "A: attack a1": [(m.ATTACK, 1)],
    "A: pirate a1 b1": [(m.PIRATE, 1), (m.VICTIM, 257)],
    "A: convert a1 2": [(m.CONVERT, 1, 2)],
    "B: mimic b1 to b2": [(m.MIMIC, 257, 258)],
    "B: mimic b1 b2": [(m.MIMIC, 257, 258)],
    "B: drop b1 running": [(m.DROP, 257, 0)],
    "roll 5 3": [(m.ROLL, 3, 5)],
    "draw mimicry": [(m.DRAW, MIMICRY)],
    "draw ?": [(m.DRAW, UNKNOWN)],
    "begin": [(m.BEGIN_STEP,)],
    "A: pass": [(m.PASS,)],
}


@pytest.mark.parametrize("line", READ)
def test_lines_are_read(line):
    assert GAME.line(development(), line) == READ[line]


REFUSED_LINES = {
    "A: tkae a1": "take",
    "A: take a9": "a",
    "A: play fat-tissue on a1": "high-body-weight/fat-tissue:fat-tissue",
    "A: play camouflage": "camouflage/fat-tissue",
    "A: play camouflage/fat-tissue on a1": "camouflage/fat-tissue:camouflage",
    "A: play camouflage/fat-tissue:running": "camouflage/fat-tissue:camouflage",
    "A: play mimicri": "mimicry",
    "A: play mimicry as a7": "a3",
    "A: play mimicry on a1 a2": "play mimicry:mimicry on a1",
    "A: play symbiosis on a1 a2 b1": "play CARD",
    "A: convert a1": "convert ANIMAL N",
    "A: convert a1 x": "convert ANIMAL N",
    "B: drop b1 mimicry": "running",
    "C: pass": "A to B",
    "roll 7": "roll N",
    "A: take a1 from f1": "grass-and-mushrooms",
    "A: play mimicry in ocean": "continents",
    "A: migrate a1 to ocean": "continents",
    "A: play flight on a1": "time-to-fly",
}


@pytest.mark.parametrize("line", REFUSED_LINES)
def test_lines_that_cannot_be_said_are_refused_with_a_hint(line):
    with pytest.raises(NotationError) as caught:
        GAME.line(development(), line)
    assert REFUSED_LINES[line] in caught.value.hint


def dropping() -> State:
    """b1 is attacked and has several cards of a kind."""
    data = table(links=[{"cooperation": ["b1", "b2"]}, {"cooperation": ["b1", "b3"]}, {"symbiosis": ["b1", "b3"]}])
    data["players"]["B"]["animals"] = {
        "b1": "tail-loss, fat-tissue, running, fat-tissue(1)",
        "b2": "plain",
        "b3": "plain",
    }
    data["pending"] = [{"attack": ["a1", "b1"]}]
    return GAME.position(data)


def test_one_of_several_cards_is_named_by_its_place_or_its_ends():
    state, cooperation = dropping(), trait_of["cooperation"].index
    assert GAME.line(state, "B: drop b1 fat-tissue#2") == [(m.DROP, 257, 3)]
    assert GAME.line(state, "B: drop b1 cooperation(b3, b1)") == [(m.DROP, 257, -1, cooperation, 257, 259)]
    assert GAME.show(state, (m.DROP, 257, 1)) == "B: drop b1 fat-tissue#1"
    assert GAME.show(state, (m.DROP, 257, -1, cooperation, 257, 258)) == "B: drop b1 cooperation(b1,b2)"


def test_one_of_several_cards_needs_a_name_only_where_they_differ():
    state = dropping()
    for line, hint in (("drop b1 fat-tissue", "fat-tissue#2 (filled)"), ("drop b1 cooperation", "cooperation(b1,b3)")):
        with pytest.raises(NotationError) as caught:
            GAME.line(state, line)
        assert hint in caught.value.hint
    assert GAME.line(state, "drop b1 symbiosis")[0][:3] == (m.DROP, 257, -1)
    data = GAME.to_data(state)
    data["players"]["B"]["animals"]["b1"] = "tail-loss, fat-tissue, running, fat-tissue"
    assert GAME.line(GAME.position(data), "drop b1 fat-tissue") == [(m.DROP, 257, 1)]


def test_a_pair_in_doubt_names_who_gets_the_token():
    data, pending = deepcopy(PENDING["pairs"])
    state, cooperation = GAME.position({**data, "pending": pending}), trait_of["cooperation"].index
    assert [frame[0] for frame in state.stack] == [KILLED, POOL]
    for line in ("trigger cooperation", "trigger cooperation(a1,a2)", "A: trigger cooperation(a2,a1) a2"):
        assert GAME.line(state, line) == [(m.TRIGGER, cooperation, 1, 2, 2)]
    assert GAME.show(state, (m.TRIGGER, cooperation, 1, 2, 2)) == "A: trigger cooperation(a1,a2) a2"


def test_lines_name_the_player_who_decides_and_chance_nobody():
    state = GAME.position(table())
    assert GAME.show(state, (m.TAKE, 1)) == "A: take a1"
    assert GAME.show(state, (m.ROLL, 3, 4)) == "roll 3 4"
    assert GAME.show(dropping(), (m.DECLINE,)) == "B: decline"


def test_a_line_of_another_player_is_read_too():
    assert player_of_line("b: take b1") == "B"
    assert player_of_line("take b1") is None
    assert GAME.line(GAME.position(table()), "B: take b1") == [(m.TAKE, 257)]


def test_parts_of_a_chain_are_joined():
    assert join_line("A: play symbiosis:symbiosis", "A: on a1") == "A: play symbiosis:symbiosis on a1"
    assert join_line("A: on a1", "A: and a2") == "A: on a1 a2"


@pytest.mark.parametrize("move", [(99,), (m.TAKE,), (m.DROP, 257, 9), (m.PLAY_TRAIT, 200, 0), ()])
def test_what_is_no_move_has_no_text(move):
    with pytest.raises(NotationError):
        GAME.show(GAME.position(table()), move)
