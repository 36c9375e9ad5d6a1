"""Files from strangers: one readable message with file and line, exit code 2, nothing half loaded."""

from __future__ import annotations

import json

import pytest

from evotutor.cases import CaseError, read_text
from evotutor.cases.reader import schema
from evotutor.cli import main

GOOD = """\
id: good
position:
  bank: 1
  players:
    A: {animals: {a1: plain}}
    B: {animals: {b1: plain}}
play: ["A: take a1"]
expect: {bank: 0}
"""

BAD = {
    "not yaml": ("id: [", 1, "YAML"),
    "a list": ("- 1\n- 2\n", 1, "mapping"),
    "no position": ("id: x\n", 1, "position is missing"),
    "unknown key": (GOOD + "expekt: {}\n", 9, "expect"),
    "unknown expectation": (GOOD.replace("bank: 0", "bnak: 0"), 8, "bank"),
    "bad id": (GOOD.replace("id: good", "id: Not Good"), 1, "kebab-case"),
    "unknown game": (GOOD + "game: chess\n", 9, "evolution"),
    "duplicate key": (GOOD + "id: again\n", 9, "YAML"),
    "tag": (GOOD.replace("bank: 1", "bank: !!python/object/apply:os.system ['true']"), 3, "tag"),
    "local tag": (GOOD.replace("bank: 1", "bank: !evil 1"), 3, "tag"),
    "anchor": (GOOD.replace("bank: 1", "bank: &a 1"), 3, "anchors"),
    "alias": (GOOD.replace("bank: 1", "bank: *a"), 3, "anchors"),
    "deep": ("id: x\nposition: " + "[" * 60 + "]" * 60, 2, "deeper"),
    "nul": (GOOD + "\0", 9, "NUL"),
    "empty": ("", 1, "no case"),
    "number as key": (GOOD + "1: 2\n", 9, ""),
    "unknown trait": (GOOD.replace("a1: plain", "a1: camouflag"), 5, "camouflage"),
    "unknown animal name": (GOOD.replace("a1: plain", "x1: plain"), 5, ""),
    "two equal traits": (GOOD.replace("a1: plain", "a1: 'swimming, swimming'"), 5, "development.no-duplicate"),
    "bank of words": (GOOD.replace("bank: 1", "bank: lots"), 3, "bank"),
    "bank too large": (GOOD.replace("bank: 1", "bank: 99999999999999999999"), 3, "too large"),
    "bank true": (GOOD.replace("bank: 1", "bank: true"), 3, "bank"),
    "unknown module": (GOOD.replace("bank: 1", "modules: [plants]"), 3, "plants"),
    "line without quotes": (GOOD.replace('"A: take a1"', "A: take a1"), 7, "quoted"),
    "empty line": (GOOD.replace("A: take a1", " "), 7, "empty"),
    "merge key": (GOOD.replace("bank: 1", "<<: {bank: 1}"), 3, "merge"),
    "huge number": (GOOD.replace("bank: 1", "bank: " + "9" * 5000), 3, "too large"),
    "list as key": (GOOD.replace("bank: 0", "? [bank] : 0"), 8, "keys are words"),
    "number as player": (GOOD.replace("bank: 0", "hand: {1: 2}"), 8, "keys are words"),
    "unknown rule": (GOOD + "rules: [carnivorus.two-blue]\n", 9, "carnivorous.two-blue"),
    "unknown rule of a refusal": (GOOD.replace("bank: 0", "illegal: {'A: take a1': feding}"), 8, "feeding."),
    "unknown rule at work": (GOOD.replace("bank: 0", "fires: [running.escaped]"), 8, "running.escape"),
    "unknown phase": (GOOD.replace("bank: 0", "phase: feedin"), 8, "feeding"),
    "unknown decision": (GOOD.replace("bank: 0", "decision: reactions"), 8, "reaction"),
    "unknown player": (GOOD.replace("bank: 0", "hand: {AB: 2}"), 8, "player"),
    "unknown trait expected": (GOOD.replace("bank: 0", "animals: {a1: {traits: [runing]}}"), 8, "running"),
    "unknown place of tokens": (GOOD.replace("bank: 0", "flow: [{from: stok}]"), 8, "stock"),
    "unknown cause of tokens": (GOOD.replace("bank: 0", "flow: [{by: tail-los}]"), 8, "tail-loss"),
    "unknown item of a score": (GOOD.replace("bank: 0", "score: {A: {traits: 1}}"), 8, "trait"),
    "link of one animal": (GOOD.replace("bank: 0", "links: [{cooperation: [a1]}]"), 8, "two animals"),
    "card that does not exist": (GOOD.replace("bank: 0", "hand: {A: [mimicri]}"), 8, "mimicry"),
    "unknown ruling": (GOOD + "rulings: {mimicri: optional}\n", 9, "mimicry"),
    "pair across owners": (GOOD.replace("bank: 1", "links: [{cooperation: [a1, b1]}]"), 3, "pair-same-owner"),
    "players misnamed": (GOOD.replace("    B:", "    C:"), 6, "seat order"),
    "negative": (GOOD.replace("bank: 1", "bank: -1"), 3, "bank"),
    "not utf-8": (b"id: \xff\xfe\n", 1, "UTF-8"),
    "too large": ("# " + "x" * 2_100_000, 1, "larger"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gives_one_message_with_file_and_line(name, tmp_path, capsys):
    text, line, words = BAD[name]
    file = tmp_path / "bad.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert main(["check", str(file)]) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert not out
    assert err.startswith(f"{file}:{line}: "), err
    assert words in err


def test_a_missing_file_is_named(tmp_path, capsys):
    assert main(["check", str(tmp_path / "none.yaml")]) == 2
    assert "none.yaml" in capsys.readouterr().err


def test_an_id_used_twice_names_both_places(tmp_path, capsys):
    file = tmp_path / "two.yaml"
    file.write_text(GOOD + "---\n" + GOOD)
    assert main(["check", str(file)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"{file}:10:")
    assert f"{file}:1 " in err


def test_nothing_is_half_loaded():
    with pytest.raises(CaseError):
        read_text(GOOD + "---\nid: [")


def test_the_schema_is_a_json_schema():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft7Validator.check_schema(schema())
    assert json.dumps(schema())


def test_documents_keep_their_lines():
    cases = read_text(GOOD + "---\n" + GOOD.replace("good", "better"))
    assert [(case.id, case.line) for case in cases] == [("good", 1), ("better", 10)]


def test_every_bad_file_of_a_folder_is_named_and_no_case_is_run(tmp_path, capsys):
    for name in ("good", "worse"):
        (tmp_path / f"{name}.yaml").write_text(GOOD.replace("good", name))
    (tmp_path / "bad1.yaml").write_text("id: [")
    (tmp_path / "bad2.yaml").write_text(GOOD.replace("good", "bad").replace("a1: plain", "a1: camouflag"))
    assert main(["check", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert [line.split(":")[0][-9:] for line in err.splitlines()] == ["bad1.yaml", "bad2.yaml"]


def test_more_documents_than_allowed_are_refused():
    with pytest.raises(CaseError, match="5000 documents"):
        read_text("--- 1\n" * 5001)


def test_more_brackets_than_allowed_are_refused(monkeypatch):
    monkeypatch.setattr("evotutor.cases.reader.MAX_PARTS", 1000)
    with pytest.raises(CaseError, match="words, lists and mappings"):
        read_text("id: x\nposition: [" + "{}, " * 600 + "]")


def test_a_file_may_hold_hundreds_of_cases():
    text = "---\n".join(GOOD.replace("good", f"good-{i}") for i in range(300))
    assert len(read_text(text)) == 300
