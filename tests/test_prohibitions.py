"""Each prohibition decides alone in some case: nothing is forbidden that no case proves."""

from __future__ import annotations

from collections.abc import Mapping

from test_cases import CASES

from evotutor.analysis.mutate import names_of
from evotutor.games import load

FORCED = {
    "anglerfish.must-reveal": "the reveal is the only answer, so it is taken before anything else can be asked",
    "ambush.own-animal": "the owner is not asked then, so turn.not-your-decision stands beside it",
}
"""Prohibitions that no `illegal` can show, and why."""


def expectations(case):
    """Every `expect` of a case."""
    yield case.data.get("expect", {})
    yield from (entry["expect"] for entry in case.play if isinstance(entry, Mapping))


def test_each_prohibition_is_the_only_reason_of_some_illegal_case():
    alone = {
        want["only"]
        for case in CASES
        for expect in expectations(case)
        for want in expect.get("illegal", {}).values()
        if isinstance(want, Mapping)
    }
    prohibitions = {name for name in names_of() if ":" not in name}
    assert not sorted(prohibitions - alone - FORCED.keys())


def test_an_attacked_anglerfish_cannot_but_be_turned_up():
    """S0: its owner must turn it up; nothing else speaks against declining."""
    game = load("evolution", modules=("base", "time-to-fly"))
    state = game.position({
        "modules": ["base", "time-to-fly"],
        "players": {"A": {"animals": {"a1": "carnivorous*"}}, "B": {"animals": {"b1": "anglerfish?", "b2": "plain"}}},
        "pending": [{"attack": ["a1", "b1"]}],
    })  # fmt: skip
    assert [reason.rule for reason in game.why_not_line(state, "B: decline")] == ["anglerfish.must-reveal"]
    assert game.lines(state) == ["B: reveal b1"]


def test_the_owner_is_not_asked_to_ambush_where_the_table_forbids_it():
    """Ruling T5, `ambush-own: forbidden`: the question passes the owner by."""
    position = {
        "modules": ["base", "time-to-fly"],
        "bank": 2,
        "players": {"A": {"animals": {"a1": "plain", "a2": "carnivorous, ambush"}}, "B": {"animals": {"b1": "plain"}}},
    }
    for option, asked in (("allowed", "ambush"), ("forbidden", "own-feeding-phase")):
        game = load("evolution", modules=("base", "time-to-fly"), rulings={"ambush-own": option})
        state = game.position(position)
        (take,) = game.line(state, "A: take a1")
        assert game.decision(game.apply(state, take)).kind == asked
