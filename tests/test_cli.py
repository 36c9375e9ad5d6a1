"""The command line as a person uses it."""

from __future__ import annotations

import json

import pytest

from evotutor.cli import main

THREE = """\
id: three
position:
  bank: 3
  players:
    A: {animals: {a1: carnivorous}}
    B: {animals: {b1: "camouflage, swimming, high-body-weight", b2: plain}}
expect: {bank: 2}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "three.yaml"
    path.write_text(THREE)
    return str(path)


def run(capsys, *argv):
    code = main(list(argv))
    return code, capsys.readouterr().out


def test_ask_gives_three_reasons_for_a_camouflaged_swimming_big_prey(file, capsys):
    for lang, words in (("en", ("Camouflage", "Swimming", "High Body Weight")), ("ru", ("Камуфляж", "Водоплавающее", "Большой"))):
        code, out = run(capsys, "ask", file, "A: attack a1 b1", "--lang", lang)
        assert code == 1 and out.count("·") == 3 and out.count("R14") == 3
        assert all(word in out for word in words)


def test_ask_says_yes(file, capsys):
    assert run(capsys, "ask", file, "A: attack a1 b2", "--lang", "en")[0] == 0


def test_ask_under_another_ruling(file, capsys):
    code, out = run(capsys, "ask", file, "A: attack a1 b1", "--ruling", "big-and-camouflage=eat", "--json")
    assert code == 1
    assert [reason["rule"] for reason in json.loads(out)["reasons"]] == ["swimming.only-swimmers"]


@pytest.mark.parametrize("line, words", [("A: atack a1 b1", "attack"), ("A: take a9", "a1"), ("", "empty")])
def test_ask_with_a_line_that_cannot_be_read(file, capsys, line, words):
    assert main(["ask", file, line]) == 2
    assert words in capsys.readouterr().err


def test_moves_lists_every_legal_line(file, capsys):
    assert run(capsys, "moves", file) == (0, "A: take a1\nA: attack a1 b2\n")


def test_show_in_both_languages(file, capsys):
    assert "Feeding" in run(capsys, "show", file, "--lang", "en")[1]
    assert "Питание" in run(capsys, "show", file, "--lang", "ru")[1]


def test_check_tells_what_was_expected_and_what_happened(file, capsys):
    code, out = run(capsys, "check", file, "--lang", "en")
    assert code == 1 and "three" in out and "expected 2, the rules say 3" in out
    code, out = run(capsys, "check", file, "--json")
    assert code == 1 and json.loads(out)["passed"] is False


def test_rules_by_id_by_words_and_with_a_typing_error(capsys):
    assert "Mimicry" in run(capsys, "rules", "mimicry.compulsory", "--lang", "en")[1]
    assert "camouflage" in run(capsys, "rules", "--search", "Camouflage", "--lang", "en")[1]
    assert main(["rules", "mimicri.compulsory"]) == 2
    assert "mimicry.compulsory" in capsys.readouterr().err


def test_help_of_every_command(capsys):
    for command in ("check", "ask", "moves", "show", "rules"):
        with pytest.raises(SystemExit) as stop:
            main([command, "--help"])
        assert stop.value.code == 0 and "usage" in capsys.readouterr().out
