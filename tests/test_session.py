"""Walking through scripts without a widget: what counts as on the script, what is skipped, how one comes back."""

from __future__ import annotations

import pytest

from evotutor.core.model import IllegalMove
from evotutor.teaching.scenario import LIMIT, ScenarioError, lessons_folder, named, read
from evotutor.teaching.session import Session

CASE = """
id: pair
game: evolution
position:
  phase: feeding
  first: A
  to_move: A
  bank: 4
  deck: 10
  players:
    A: {hand: 1, animals: {a1: plain, a2: fat-tissue}}
    B: {hand: 1, animals: {b1: plain}}
play:
  - "A: take a1"
  - "A: end"
  - expect: {bank: 3}
  - "B: take b1"
  - "A: take a2"
"""


def test_lines_that_were_taken_by_themselves_are_skipped() -> None:
    session = Session(read(CASE))
    session.step()
    assert session.next_line == "B: take b1"


def test_the_same_line_twice_is_played_twice() -> None:
    twice = CASE.replace('"B: take b1"\n  - "A: take a2"', '"B: take b1"\n  - "A: take a2"\n  - "A: take a2"')
    session = Session(read(twice))
    for _ in range(4):
        session.step()
    assert session.finished
    assert session.state.herds[0][1].fat


def test_a_line_with_the_same_effect_stays_on_the_script() -> None:
    session = Session(read(CASE))
    session.play("A:  take a1")
    assert session.place is not None


def test_leaving_and_coming_back() -> None:
    session = Session(read(CASE))
    session.step()
    session.step()
    session.undo()
    session.redo()
    session.undo()
    session.undo()
    session.play("A: take a2")
    assert session.place is None
    assert session.next_line == ""
    session.play("B: take b1")
    session.back()
    assert (session.at, session.next_line) == (0, "A: take a1")


def test_a_refused_line_changes_nothing() -> None:
    session = Session(read(CASE))
    with pytest.raises(IllegalMove) as refused:
        session.play("A: take b1")
    assert "feeding.own-animal" in {reason.rule for reason in refused.value.reasons}
    assert session.at == 0


def test_answers_are_asked_again_after_going_back() -> None:
    session = Session(read(named("worked-feeding-phase")))
    session.choose(0)
    assert session.ask() is None
    session.step()
    session.undo()
    assert session.ask() is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &x [1]\nb: *x\n", "anchors"),
        ("id: !!python/object:os.system x\n", "tag"),
        ("- 1\n- 2\n", "mapping"),
        (CASE.replace("play:", "plya:"), r"text:13: .*play"),
        (CASE + "ask: {0: {question: {en: a, ru: b}}}\n", "choices"),
        (CASE + "ask: {0: {question: {en: a, ru: b}, choices: [{txt: x}]}}\n", "text"),
        (CASE + "names: Anna\n", "player letters"),
        ("#" * (LIMIT + 1) + "\n", "larger"),
    ],
)
def test_strange_files_are_refused_with_their_place(text: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said):
        read(text)


@pytest.mark.parametrize("path", sorted((lessons_folder() / "scenarios").glob("*.yaml")), ids=lambda p: p.stem)
def test_every_scenario_plays_to_its_end_whatever_is_answered(path: object) -> None:
    scenario = read(str(path))
    for number in range(4):
        session = Session(scenario)
        for _ in range(200):
            ask = session.ask()
            if ask is not None:
                answer = session.choose(min(number, len(ask.choices) - 1))
                if answer.reasons:
                    session.choose(next(i for i, c in enumerate(ask.choices) if not session.why_not(c.move)))
            elif session.next_line:
                session.step()
        assert session.finished
