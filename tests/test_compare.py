"""One position under two rulings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evotutor.analysis.compare import compare, compare_all
from evotutor.cases import CaseError, read_cases, read_text
from evotutor.cli import main
from evotutor.games.evolution.rulings import RULINGS

ROOT = Path(__file__).parent.parent / "lessons" / "cases"
CASES = {case.id: case for path in ROOT.rglob("rulings.yaml") for case in read_cases([path])}
SAME = {"ruling-larger-herds-are-always-safe", "ruling-an-earlier-attack-still-counts"}
"""Cases that show what a ruling leaves as it is."""
OTHERS = [name for name, case in CASES.items() if case.data.get("rulings")]


@pytest.mark.parametrize("name", OTHERS)
def test_every_case_of_another_ruling_differs_from_the_default(name):
    case = CASES[name]
    found = compare(case, [{ruling: RULINGS[ruling][0] for ruling in case.data["rulings"]}])
    assert found.differs == (name not in SAME)
    for lang in ("en", "ru"):
        assert found.to_text(lang)
    assert json.dumps(found.to_json("ru"))


def test_a_line_that_only_one_ruling_allows_has_its_reason():
    found = compare(CASES["ruling-mimicry-compulsory"], [{"mimicry": "optional"}])
    (way,) = found.ways
    assert way.path == ("A: attack a1 b1",)
    (line,) = way.lines
    assert line.line == "B: decline"
    assert line.refusals[1] is None
    assert [reason.rule for reason in line.refusals[0].reasons] == ["mimicry.compulsory"]


def test_moves_of_the_position_itself():
    found = compare(CASES["ruling-piracy-fills-fat"], [{"piracy-fat": "hungry-only"}])
    (line,) = found.root.lines
    assert line.line == "A: pirate a1 b1"
    assert line.refusals[0] is None
    assert [reason.rule for reason in line.refusals[1].reasons] == ["piracy.unfed-pirate"]
    assert found.play[1].line == "A: pirate a1 b1"


def test_what_a_script_leaves_on_the_table():
    found = compare(CASES["ruling-mimicry-once-per-turn"], [{"mimicry-limit": "unlimited"}])
    rows = {label: texts for label, *texts in found.fact_rows(found.play)}
    assert [bool(text) for text in rows["b1"]] == [False, True]
    assert [bool(text) for text in rows["b2"]] == [True, False]
    own = found.own_events(found.play)
    assert [event.data for event in own[0] if event.kind == "die"] == [(1 << 8 | 1,)]
    assert [event.data for event in own[1] if event.kind == "redirect"] == [(1, 1 << 8 | 1, 1 << 8 | 2)]


def test_a_difference_two_lines_ahead_needs_depth():
    case, other = CASES["ruling-mimicry-spent-by-redirecting"], [{"mimicry-spent": "first-attack"}]
    assert compare(case, other, play=[]).differs is False
    assert compare(case, other, play=[], depth=8).ways
    assert compare(case, other).play_differs


def test_three_columns():
    found = compare(CASES["ruling-mimicry-compulsory"], [{"mimicry": "optional"}, {"tail-loss": "itself"}])
    assert [column.label for column in found.columns] == ["", "mimicry=optional", "tail-loss=itself"]
    lines = {row.line: [r is None for r in row.refusals] for row in found.ways[0].lines}
    assert lines == {"B: decline": [False, True, False], "B: drop b1 mimicry": [True, True, False]}


def test_after_the_play_and_with_lines_of_ones_own():
    case = CASES["ruling-mimicry-compulsory"]
    found = compare(case, [{"mimicry": "optional"}], after=True)
    assert [row.line for row in found.root.lines] == ["B: decline"]
    assert found.script == ()
    own = compare(case, [{"mimicry": "optional"}], play=["A: attack a1 b1", "B: decline"])
    assert [outcome.line for outcome in own.play] == ["B: decline", ""]


def test_all_alternatives():
    found, unchanged = compare_all(CASES["ruling-mimicry-compulsory"])
    assert [one.columns[1].label for one in found] == ["mimicry=optional", "tail-loss=itself"]
    assert len(found) + unchanged == sum(len(options) - 1 for options in RULINGS.values())


def test_the_same_ruling_is_no_comparison():
    with pytest.raises(CaseError, match="has this ruling already"):
        compare(CASES["ruling-mimicry-compulsory"], [{"mimicry": "compulsory"}])
    with pytest.raises(CaseError, match="no ruling"):
        compare(CASES["ruling-mimicry-compulsory"], [{"mimikry": "optional"}])


def test_a_position_too_large_says_that_not_all_was_tried(monkeypatch):
    monkeypatch.setattr("evotutor.analysis.compare.MOST_LINES", 1)
    found = compare(CASES["ruling-mimicry-compulsory"], [{"mimicry": "optional"}])
    assert found.cut
    assert "no further" in found.to_text("en")


# the command

FILE = str(ROOT / "base" / "rulings.yaml")


def run(capsys, *argv):
    code = main(["compare", *argv])
    found = capsys.readouterr()
    return code, found.out, found.err


@pytest.mark.parametrize(
    ("lang", "words"), [("en", ("Must the owner", "yes", "no")), ("ru", ("обязан", "можно", "нельзя", "мимикри"))]
)
def test_in_both_languages(capsys, lang, words):
    code, out, _ = run(capsys, FILE, "--ruling", "mimicry=optional", "--lang", lang)
    assert code == 0
    assert [word for word in words if word.lower() not in out.lower()] == []
    assert "[mimicry.compulsory]" in out


def test_a_preset_and_several_rulings_in_one_column(capsys):
    code, out, _ = run(
        capsys, FILE, "--ruling", "preset=old-cards", "--ruling", "mimicry=optional,tail-loss=itself", "--json"
    )
    (found,) = json.loads(out)
    assert code == 0
    assert found["columns"] == [
        "case",
        "mimicry=optional, mimicry-limit=unlimited, big-and-camouflage=eat",
        "mimicry=optional, tail-loss=itself",
    ]


def test_all(capsys):
    code, out, _ = run(capsys, FILE, "--all", "--lang", "en")
    assert code == 0
    assert "mimicry=optional" in out
    assert "40 other rulings change nothing here." in out


def test_nothing_differs(capsys, tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text("id: x\nposition: {bank: 1, players: {A: {animals: {a1: plain}}, B: {animals: {b1: plain}}}}\n")
    assert read_text(path.read_text())
    assert "Nothing differs." in run(capsys, str(path), "--ruling", "mimicry=optional", "--lang", "en")[1]
    assert "ничего не меняет" in run(capsys, str(path), "--all", "--lang", "ru")[1]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ((), "--ruling NAME=OPTION"),
        (("--ruling", "mimicry"), "NAME=OPTION"),
        (("--ruling", "preset=none"), "no preset"),
        (("--ruling", "mimicry=compulsory"), "already"),
        (("--ruling", "mimicry=optional", "--id", "nobody"), "nobody"),
    ],
)
def test_what_cannot_be_compared(capsys, argv, words):
    code, out, err = run(capsys, FILE, *argv, "--lang", "en")
    assert (code, out) == (2, "")
    assert words in err
