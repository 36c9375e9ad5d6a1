"""docs/rules-map.md: no paragraph of the three texts is left out, no rule either, and cases prove them.

The texts are not part of the repository, so the paragraphs are counted: the tables carry their numbers.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from evotutor.rulebook import rule_ids

ROOT = Path(__file__).parent.parent
MAP = runpy.run_path(str(ROOT / "docs/rules_map.py"))
LINES = MAP["PAGE"].read_text(encoding="utf-8").splitlines()
CASES = MAP["cases_of_rules"]()
PARAGRAPHS = {"R14": 99, "S2": 11, "S0": 59}
"""How many paragraphs each text has; a heading and a list belong to a paragraph."""
NO_RULE = {"background", "cover", "credits", "example", "symbols", "table", "tip"}
NO_CASE = {
    "setup.deal": "before any position: test_setup_rules",
    "setup.first-player": "before any position: test_setup_rules",
    "setup.sets": "before any position: test_setup_rules",
    "setup.half-deck": "before any position: test_setup_rules",
    "cataclysm.deal": "before any position: test_setup_rules",
    "cataclysm.expansions": "before any position: test_setup_rules",
}
"""Rules that no case need name, with the reason: a case begins with a position, when the cards have been dealt."""


def sections() -> dict[str, list[list[str]]]:
    """Tag of the text -> rows of its table; "" for the rules of other sources."""
    found: dict[str, list[list[str]]] = {}
    for line in LINES:
        if line.startswith("## "):
            tag = re.search(r"\((\w+)\)$", line)
            rows = found.setdefault(tag[1] if tag else "", [])
        elif row := MAP["cells"](line):
            rows.append(row)
    return found


ROWS = [row for rows in sections().values() for row in rows]
RULES = MAP["rules_of"]


@pytest.mark.parametrize("tag", PARAGRAPHS)
def test_no_paragraph_is_left_out(tag):
    last = 0
    for row in sections()[tag]:
        match = re.fullmatch(r"(\d+)(?:-(\d+))? · .+", row[0])
        assert match, row
        begin, end = int(match[1]), int(match[2] or match[1])
        assert begin == last + 1 or begin == end == last, f"after {last} comes {row[0]}"
        last = end
    assert last == PARAGRAPHS[tag]
    assert any(re.fullmatch(rf"\| {tag} \| .* \| {last} \|", line) for line in LINES), "the number in the introduction"


def test_there_are_no_other_tables():
    assert set(sections()) == {*PARAGRAPHS, ""}
    assert all(RULES(row) for row in sections()[""])


def test_each_row_has_rules_or_says_why_it_has_none():
    for row in ROWS:
        assert row[1]
        if RULES(row):
            assert re.fullmatch(r"`[a-z.-]+`( `[a-z.-]+`)*", row[2]), row
        else:
            assert row[2].removeprefix("– ") in NO_RULE, row


def test_the_map_names_only_rules_there_are_and_leaves_none_out():
    named = {rule for row in ROWS for rule in RULES(row)}
    assert not named - set(rule_ids()), "not in the rulebook"
    assert not set(rule_ids("evolution")) - named, "not in docs/rules-map.md"
    assert set(NO_CASE) <= named


def test_every_rule_of_the_map_has_a_case():
    named = {rule for row in ROWS for rule in RULES(row)}
    assert not sorted(named - set(CASES) - set(NO_CASE)), "no case names it"


def test_every_row_shows_a_case():
    empty = [row[:3] for row in ROWS if not row[3] and not set(RULES(row)) <= set(NO_CASE) and RULES(row)]
    assert not empty, "run python docs/rules_map.py"


def test_the_cases_shown_are_there_and_name_a_rule_of_their_row():
    for row in ROWS:
        shown = set(re.findall(r"`([\w-]+)`", row[3]))
        assert shown <= {case for rule in RULES(row) or CASES for case in CASES.get(rule, ())}, row


def test_the_script_reads_every_case():
    files = [file.read_text(encoding="utf-8") for file in (ROOT / "lessons/cases").rglob("*.yaml")]
    ids = {name for text in files for name in re.findall(r"^id: ([\w-]+)", text, re.MULTILINE)}
    assert {case for cases in CASES.values() for case in cases} == ids


@pytest.mark.parametrize(
    ("line", "filled"),
    [
        ("| 1 · p. 1 | Two | `a.b` `c.d` | |", "| 1 · p. 1 | Two | `a.b` `c.d` | `w` `x` `y` `z` |"),
        ("| C12 | One | `c.d` | `old` |", "| C12 | One | `c.d` | `y` `w` |"),
        ("| 2 · p. 1 | None yet | `e.f` | `old` |", "| 2 · p. 1 | None yet | `e.f` | |"),
        ("| 3 · p. 1 | No rule | – example | `kept` |", "| 3 · p. 1 | No rule | – example | `kept` |"),
        ("| No. | Paragraph | Rules | Cases |", "| No. | Paragraph | Rules | Cases |"),
        ("|---|---|---|---|", "|---|---|---|---|"),
        ("Text about `a.b`.", "Text about `a.b`."),
    ],
)
def test_the_script_fills_rows_only(line, filled):
    assert MAP["fill"](line, {"a.b": ["x", "z", "w"], "c.d": ["y", "w"]}) == filled
