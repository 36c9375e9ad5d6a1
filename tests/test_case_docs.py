"""What `docs/cases.md` shows is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evotutor.cases import ask, read_text, table
from evotutor.cases.reader import schema

TEXT = (Path(__file__).parent.parent / "docs" / "cases.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)


def test_the_smallest_case_gives_the_reasons_told():
    case = read_text(EXAMPLES[0])[0]
    rules = {reason.rule for reason in ask(case, "A: attack a1 b1")}
    assert rules == {"camouflage.only-sharp-vision", "swimming.only-swimmers"}


@pytest.mark.parametrize("part", ["properties", "expect", "position"])
def test_every_key_is_described(part):
    base = schema()["properties"] if part == "properties" else schema()["definitions"][part]["properties"]
    later = {"shells", "young", "flora", "flora_deck", "flora_discard", "marks", "areas", "epoch", "gene_pool"}
    missing = [key for key in base if key not in later and f"`{key}`" not in TEXT]
    assert missing == []


@pytest.mark.parametrize("kind", schema()["definitions"]["expect"]["properties"]["decision"]["enum"])
def test_every_kind_of_decision_is_listed(kind):
    assert f"`{kind}`" in TEXT


def test_animals_pairs_and_expectations_of_the_examples_are_read():
    animals = EXAMPLES[1].replace("\n", "\n      ")
    links = EXAMPLES[2].replace("\n", "\n  ")
    text = f"id: doc\nposition:\n  {links}\n  players:\n    A:\n     animals:\n      {animals}\n    B: {{}}\n"
    assert table(read_text(text)[0])
    assert read_text("id: doc\nposition: {players: {A: {}, B: {}}}\n" + EXAMPLES[3])
