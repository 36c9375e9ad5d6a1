"""Each prohibition decides alone in some case: nothing is forbidden that no case proves."""

from __future__ import annotations

from collections.abc import Mapping

from test_cases import CASES

from evotutor.analysis.mutate import names_of

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
