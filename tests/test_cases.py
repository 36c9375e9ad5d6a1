"""Every case of the library: the rules must say what the case says, and the case must be complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from evotutor.cases import read_cases, run_case
from evotutor.rulebook import rule

LESSONS = Path(__file__).parent.parent / "lessons"
CASES = read_cases([LESSONS / "cases"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case):
    result = run_case(case)
    assert result.passed, "\n".join([f"{case.file}:{case.line}", *result.failures])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case_is_told_in_both_languages_and_cites_rules(case):
    for text in (case.question, case.answer):
        assert text.get("en", "").strip()
        assert text.get("ru", "").strip()
        assert any("а" <= letter <= "я" for letter in text["ru"].lower())
    assert case.rules
    assert case.data["sources"]
    for name in case.rules:
        assert rule(name).id == name


def test_there_are_at_least_150_cases_of_the_base_game():
    assert len([case for case in CASES if "/base/" in case.file]) >= 150
