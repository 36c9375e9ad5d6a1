"""The command line as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evotutor.cases import table
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


THREE_TRAITS = {
    "en": ("Camouflage", "Swimming", "High Body Weight"),
    "ru": ("Камуфляж", "Водоплавающее", "Большой"),
}


@pytest.mark.parametrize("lang", THREE_TRAITS)
def test_ask_gives_three_reasons_for_a_camouflaged_swimming_big_prey(file, capsys, lang):
    code, out = run(capsys, "ask", file, "A: attack a1 b1", "--lang", lang)
    assert code == 1
    assert out.count("·") == out.count("R14") == 3
    assert all(word in out for word in THREE_TRAITS[lang])


def test_ask_says_yes(file, capsys):
    assert run(capsys, "ask", file, "A: attack a1 b2", "--lang", "en")[0] == 0


def test_ask_under_another_ruling(file, capsys):
    code, out = run(capsys, "ask", file, "A: attack a1 b1", "--ruling", "big-and-camouflage=eat", "--json")
    assert code == 1
    assert [reason["rule"] for reason in json.loads(out)["reasons"]] == ["swimming.only-swimmers"]


@pytest.mark.parametrize(("line", "words"), [("A: atack a1 b1", "attack"), ("A: take a9", "a1"), ("", "empty")])
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
    assert code == 1
    assert "three" in out
    assert "expected 2, the rules say 3" in out
    code, out = run(capsys, "check", file, "--json")
    assert code == 1
    record = json.loads(out)
    assert record["passed"] is False
    assert set(record) == {"id", "file", "line", "passed", "failures"}


def test_rules_by_id_by_words_and_with_a_typing_error(capsys):
    assert "Mimicry" in run(capsys, "rules", "mimicry.compulsory", "--lang", "en")[1]
    assert "camouflage" in run(capsys, "rules", "--search", "Camouflage", "--lang", "en")[1]
    assert main(["rules", "mimicri.compulsory"]) == 2
    assert "mimicry.compulsory" in capsys.readouterr().err


def test_help_of_every_command(capsys):
    for command in ("check", "ask", "moves", "show", "rules"):
        with pytest.raises(SystemExit) as stop:
            main([command, "--help"])
        assert stop.value.code == 0
        assert "usage" in capsys.readouterr().out


MID = """\
id: first
position: {players: {A: {animals: {a1: plain}}, B: {animals: {b1: plain}}}}
---
id: mid
position:
  bank: 2
  players:
    A: {hand: [mimicry], animals: {a1: "carnivorous, fat-tissue(1)", a2: "swimming, food 1"}}
    B: {animals: {b1: "running", b2: plain}}
  links: [{cooperation*: [a1, a2]}]
play: ["A: attack a1 b1"]
"""


@pytest.fixture
def mid(tmp_path):
    path = tmp_path / "mid.yaml"
    path.write_text(MID)
    return str(path)


def test_show_says_traits_tokens_and_the_question_in_the_language(mid, capsys):
    out = run(capsys, "show", mid, "--id", "mid", "--lang", "ru")[1]
    for words in ("Хищник, Жировой запас (жир 1 из 1) · голодно, 0 из 2", "1 красная фишка", "a1 – a2 (использовано)"):
        assert words in out
    assert "Running" in run(capsys, "show", mid, "--id", "mid", "--lang", "en")[1]


def test_moves_after_the_play_are_the_outcomes_of_the_throw(mid, capsys):
    out = run(capsys, "moves", mid, "--id", "mid", "--after")[1]
    assert out.split("\n")[:2] == ["roll 1", "roll 2"]
    assert len(out.splitlines()) == 6


def test_show_writes_pictures(mid, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    svg, png = tmp_path / "table.svg", tmp_path / "table.png"
    assert main(["show", mid, "--id", "mid", "--svg", str(svg), "--png", str(png)]) == 0
    assert svg.read_text(encoding="utf-8").startswith("<svg")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_show_draws_locations_where_there_are_some(mid, tmp_path, capsys, monkeypatch):
    svg = tmp_path / "table.svg"
    options = ["show", mid, "--id", "mid", "--svg", str(svg)]
    assert main([*options, "--picture", "continents", "--lang", "en"]) == 2
    assert "no locations" in capsys.readouterr().err
    assert not svg.exists()

    def on_continents(case, after=False):
        game, state = table(case, after=after)
        return game, state._replace(bank=(1, 2, 3))

    monkeypatch.setattr("evotutor.cli.table", on_continents)
    for picture, title in (([], "Continents"), (["--picture", "links"], "Pair traits")):
        assert main([*options, *picture, "--lang", "en"]) == 0
        assert f"<title>{title}</title>" in svg.read_text(encoding="utf-8")


def test_an_unknown_case_names_those_of_the_file(mid, capsys):
    assert main(["show", mid, "--id", "none", "--lang", "en"]) == 2
    assert "first, mid" in capsys.readouterr().err


@pytest.mark.parametrize("ruling", ["mimicri=optional", "mimicry=maybe", "mimicry"])
def test_an_unknown_ruling_is_refused(mid, capsys, ruling):
    assert main(["ask", mid, "A: take a1", "--ruling", ruling]) == 2
    assert "mimicry" in capsys.readouterr().err or "NAME=OPTION" in ruling


def test_coverage_counts_cases_of_each_rule_and_names_the_silent(file, capsys):
    code, out = run(capsys, "rules", "--coverage", file, "--lang", "en")
    assert code == 0
    assert "rules were at work" in out
    assert "Never at work" in out


def test_failures_are_told_in_russian(file, capsys):
    out = run(capsys, "check", file, "--lang", "ru")[1]
    assert "ожидалось 2, по правилам 3" in out
    assert "1 случай не сошёлся" in out


def test_check_reads_scenarios_as_such(tmp_path, capsys):
    path = tmp_path / "scenario.yaml"
    path.write_text(THREE.replace("{bank: 2}", "{bank: 3}") + "notes:\n  0: {en: nothing is played}\n")
    assert main(["check", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"{path}:9: ")


def test_check_proves_the_puzzles_of_a_folder_and_refuses_a_false_one(tmp_path, capsys):
    from shutil import copy

    folder = tmp_path / "puzzles"
    folder.mkdir()
    one = sorted((Path(__file__).parent.parent / "lessons" / "puzzles").rglob("*.yaml"))[0]
    copy(one, folder / "one.yaml")
    assert main(["check", str(tmp_path)]) == 0
    assert "1 puzzle proved" in capsys.readouterr().out
    text = one.read_text(encoding="utf-8")
    best = text.split("best: ")[1].splitlines()[0]
    wrong = text.split("line: ")[1].split(", value")[0]
    (folder / "one.yaml").write_text(text.replace(f"best: {best}", f"best: {wrong}", 1), encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 1
    (folder / "one.yaml").write_text("id: nothing", encoding="utf-8")
    assert main(["check", str(tmp_path)]) == 2
    assert "one.yaml" in capsys.readouterr().err
