"""The panel without a browser: `_handle_custom_msg` is what a click sends, `button.click()` presses a button."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("ipywidgets")
pytest.importorskip("anywidget")

from evotutor.core.play import play_line
from evotutor.core.text import fields
from evotutor.games import load
from evotutor.rulebook import rule
from evotutor.widgets import Board, TutorPanel, view
from evotutor.widgets.strings import BOARD, TEXTS, language
from evotutor.widgets.words import line_text, move_text, parse

STATIC = Path(__file__).parents[1] / "evotutor" / "widgets" / "static"

TABLE = """
id: table
game: evolution
question: {en: A table, ru: Стол}
position:
  phase: feeding
  turn: 3
  round: 2
  first: A
  to_move: A
  bank: 3
  deck: 20
  players:
    A: {hand: [mimicry], animals: {a1: "carnivorous, swimming, fat-tissue(1)", a2: "piracy*, food 1", a3: parasite}}
    B: {hand: 2, animals: {b1: "swimming, tail-loss, food 1", b2: "running", b3: "hibernation(resting)"}}
  links:
    - cooperation: [a1, a2]
    - communication*: [a2, a3]
    - symbiosis: {symbiont: b1, protected: b2}
play:
  - "A: attack a1 b1"
  - "B: drop b1 swimming"
"""


@pytest.fixture
def lesson() -> TutorPanel:
    return TutorPanel.from_scenario("worked-feeding-phase", lang="en")


@pytest.fixture
def table() -> TutorPanel:
    return TutorPanel.from_case(TABLE, lang="en")


def seen(panel: TutorPanel) -> dict[str, Any]:
    return panel.board.frame["view"]


def animal(panel: TutorPanel, name: str) -> dict[str, Any]:
    return next(a for lane in seen(panel)["lanes"] for a in lane["animals"] if a["id"] == name)


def send(panel: TutorPanel, kind: str, what: str, seq: int | None = None) -> None:
    seq = panel.board.frame["seq"] if seq is None else seq
    panel.board._handle_custom_msg({"type": kind, "id": what, "seq": seq}, [])


def actions(panel: TutorPanel, key: str) -> dict[str, bool]:
    return {a["id"]: a["legal"] for a in seen(panel)["actions"][key]}


# the view


def test_view_is_json_and_says_everything_in_both_languages(table: TutorPanel) -> None:
    assert table.session is not None
    for lang in ("en", "ru"):
        picture = view(table.session.game, table.session.state, 0, lang)
        assert json.loads(json.dumps(picture)) == picture
    assert "Хищник" in json.dumps(picture, ensure_ascii=False)


def test_view_shows_tokens_need_fat_and_used_traits(table: TutorPanel) -> None:
    assert animal(table, "a1")["sockets"] == ["empty", "empty"]
    assert animal(table, "a1")["fat"] == ["yellow"]
    assert animal(table, "a3")["need"] == 3
    assert [t["used"] for t in animal(table, "a2")["traits"]] == [True]
    assert animal(table, "b3")["traits"][0]["note"] == "resting"
    assert animal(table, "b1")["state"]["id"] == "fed"


def test_view_tells_the_direction_of_symbiosis_and_spent_pairs(table: TutorPanel) -> None:
    links = {link["trait"]: link for lane in seen(table)["lanes"] for link in lane["links"]}
    assert links["symbiosis"]["ends"] == ["b1", "b2"]
    assert links["symbiosis"]["directed"]
    assert "b1 eats first, b2 is safe" in links["symbiosis"]["label"]
    assert links["communication"]["used"]
    assert not links["cooperation"]["used"]


def test_view_offers_legal_lines_and_keeps_impossible_ones_visible(table: TutorPanel) -> None:
    assert table.session is not None
    offered = actions(table, "a1")
    assert offered["A: attack a1 b1"]
    assert not offered["A: attack a1 b2"]
    legal = {line for key in seen(table)["actions"] for line, ok in actions(table, key).items() if ok}
    assert legal == set(table.session.game.lines(table.session.state))
    assert seen(table)["targets"]["a1"] == ["b1"]


def test_every_impossible_choice_has_a_reason(table: TutorPanel) -> None:
    assert table.session is not None
    for key in seen(table)["actions"]:
        for line, ok in actions(table, key).items():
            assert bool(table.session.why_not(line)) is not ok, line


def test_an_attack_that_may_be_answered_promises_no_more_than_it_can_bring(table: TutorPanel) -> None:
    attack = next(a for a in seen(table)["actions"]["a1"] if a["id"] == "A: attack a1 b1")
    assert attack["gain"] == "≤2"
    take = next(a for a in seen(table)["actions"]["a1"] if a["id"] == "A: take a1")
    assert take["gain"] == "+1"


def test_hands_of_others_stay_hidden() -> None:
    game = load("evolution")
    state = game.new(2, seed=3)
    picture = view(game, state, 0)
    hands = {lane["player"]: lane["hand"] for lane in picture["lanes"]}
    assert hands["A"]
    assert hands["B"] == []
    assert picture["lanes"][-1]["player"] == "A"


def test_choices_wait_for_the_viewer() -> None:
    game = load("evolution")
    state = game.new(2, seed=3)
    deciding = game.decision(state).player
    assert view(game, state, deciding)["actions"]
    assert not view(game, state, 1 - deciding)["actions"]
    assert view(game, state, 1 - deciding, alone=False)["actions"]


@pytest.mark.parametrize("boxes", [(), ("time-to-fly", "continents", "gift-box")], ids=len)
def test_a_whole_random_game_can_be_drawn(boxes: tuple[str, ...]) -> None:
    game, rng = load("evolution", modules=("base", *boxes)), Random(5)
    state = game.new(2, seed=5)
    for turn in range(400):
        decision = game.decision(state)
        if turn % 5 == 0 or decision.kind not in ("development", "own-feeding-phase", "draw"):
            seen = view(game, state, None, "ru" if turn % 2 else "en")
            json.dumps(seen)
            offered = [action for actions in seen["actions"].values() for action in actions]
            if not decision.chance:
                assert all(action["text"] != action["id"] for action in offered)
                assert set(game.lines(state)) <= {action["id"] for action in offered}
        if decision.over:
            break
        if decision.chance:
            state = game.apply(state, game.sample(state, rng))
        else:
            state = play_line(game, state, rng.choice(game.lines(state)))


# texts


def test_both_languages_need_the_same_parameters() -> None:
    for key, said in {**TEXTS, **BOARD}.items():
        assert fields(said.en) == fields(said.ru), key


def test_board_script_asks_only_for_strings_that_exist() -> None:
    script = (STATIC / "board.js").read_text(encoding="utf-8")
    assert set(re.findall(r"this\.text\(\"([a-z-]+)\"", script)) == set(BOARD)
    assert not re.search(r"^\s*import\b", script, re.MULTILINE)
    assert "export default { render }" in script


def test_icons_for_all_traits_of_the_base_game() -> None:
    from evotutor.games.evolution.catalog import TRAITS

    script = (STATIC / "board.js").read_text(encoding="utf-8")
    assert all(f'"{trait.id}":' in script for trait in TRAITS[:19])


@pytest.mark.parametrize(
    ("line", "en", "ru"),
    [
        ("A: attack a1 b1", "attack b1", "атаковать b1"),
        ("B: drop b1 cooperation(b1,b3)", "drop Cooperation (b1, b3)", "отбросить: Сотрудничество (b1, b3)"),
        ("B: drop b1 fat-tissue#2", "drop Fat Tissue 2", "отбросить: Жировой запас 2"),
        (
            "A: play cooperation/fat-tissue:cooperation on a1 a2",
            "Cooperation on a1 and a2",
            "Сотрудничество на a1 и a2",
        ),
        ("A: trigger cooperation(a1,a2) [a2]", "Cooperation: food for a2", "Сотрудничество: фишка для a2"),
        ("roll 3 5", "roll 3, 5", "выпало 3, 5"),
        (
            "roll laurasia 3 gondwana 2 6",
            "roll Laurasia 3; Gondwana 2 6",
            "выпало Лавразия 3; Гондвана 2 6",
        ),
        ("A: attack a1 b1 ignoring shy", "attack b1, ignoring Shy", "атаковать b1, игнорируя «Пугливое»"),
        ("A: attack a1 b1 ignoring none", "attack b1, ignoring nothing", "атаковать b1, ничего не игнорируя"),
        ("A: ignore tail-loss", "ignore Tail Loss", "игнорировать: Отбрасывание хвоста"),
        ("A: ignore none", "ignore nothing", "ничего не игнорировать"),
        (
            "A: play shell in gondwana",
            "put it down as an animal in Gondwana",
            "выложить как животное в локации Гондвана",
        ),
        ("A: metamorphose a1 camouflage#2", "discard Camouflage 2 for food", "сбросить ради еды: Камуфляж 2"),
        ("A: migrate a1 to ocean", "migrate to the Ocean", "мигрировать в локацию Океан"),
        ("A: follow a3 after a1", "follow a1", "последовать за животным a1"),
        ("A: fetch a1 from B", "take Swimming from the discard of B", "взять «Водоплавающее» из сноса игрока B"),
        ("A: recombine a1 camouflage", "give Camouflage", "отдать: Камуфляж"),
        (
            "A: recombine a1 camouflage a2 running",
            "give Camouflage for Running of a2",
            "обменяться с a2: Камуфляж ↔ Быстрое",
        ),
        ("A: restore a1 with shell", "new body: Shell", "новое тело: Раковина"),
        ("A: land a1 in laurasia", "come ashore in Laurasia", "выйти на сушу в локации Лавразия"),
    ],
)
def test_moves_in_words(line: str, en: str, ru: str) -> None:
    assert move_text(line, "en") == en
    assert move_text(line, "ru") == ru


VERBS = (
    "ambush c1",
    "hide b1",
    "ink b1",
    "reveal b2",
    "specialize a1",
    "settle a1",
    "done",
    "split a2 running",
    "warm a1",
)


@pytest.mark.parametrize("words", VERBS)
def test_no_move_is_shown_as_notation(words: str) -> None:
    assert {move_text(f"A: {words}", lang) for lang in ("en", "ru")}.isdisjoint({words, f"A: {words}"})


def test_a_line_in_words_names_player_and_animal() -> None:
    assert line_text("A: attack a1 b1", "en", {"A": "Anna"}) == "Anna: a1: attack b1"
    assert parse("B: mimic b1 to b2").targets == ("b2",)


def test_language_from_page_then_system(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "QUERY_STRING"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    assert language() == "ru"
    monkeypatch.setenv("QUERY_STRING", "lang=en")
    assert language() == "en"
    assert language("ru") == "ru"
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("QUERY_STRING", "")
    assert language() == "en"


# the board


def test_board_ignores_intents_about_an_older_table() -> None:
    heard: list[tuple[str, str]] = []
    board = Board(lambda kind, what: heard.append((kind, what)))
    board.draw({}, lang="en")
    board._handle_custom_msg({"type": "play", "id": "A: end", "seq": 0}, [])
    board._handle_custom_msg({"type": "shout", "id": "A: end", "seq": 1}, [])
    board._handle_custom_msg("nonsense", [])
    board._handle_custom_msg({"type": "play", "id": "A: end", "seq": 1}, [])
    assert heard == [("play", "A: end")]


# the panel


def test_a_legal_move_is_played_and_its_tokens_travel(table: TutorPanel) -> None:
    send(table, "play", "A: take a1")
    assert animal(table, "a1")["sockets"][0] == "red"
    assert table.board.frame["events"][0] == {"kind": "token", "from": "bank", "to": "a1", "colour": "red", "n": 1}
    assert "a1" in table.board.frame["say"]
    assert not table.error.value


def test_a_refused_move_is_explained_with_rule_and_source(table: TutorPanel) -> None:
    before = table.session and table.session.state
    send(table, "play", "A: attack a1 b2")
    assert table.session
    assert table.session.state is before
    assert rule("swimming.swimmer-only-swimmers").title.en in table.answer.value
    assert rule("symbiosis.protected-safe").text.en in table.answer.value
    assert "R14" in table.answer.value


def test_why_not_explains_without_playing(table: TutorPanel) -> None:
    send(table, "why", "A: end")
    assert rule("feeding.compulsory").title.en in table.answer.value
    table.languages["ru"].click()
    assert rule("feeding.compulsory").title.ru in table.answer.value


def test_case_script_plays_step_by_step_and_can_be_left(table: TutorPanel) -> None:
    table.step.click()
    assert seen(table)["decision"]["kind"] == "reaction"
    assert table.board.frame["select"] == "b1"
    send(table, "play", "B: drop b1 tail-loss")
    assert table.session
    assert table.session.place is None
    table.back.click()
    assert table.session.at == 1
    assert table.session.next_line == "B: drop b1 swimming"


def test_undo_redo_and_history_are_one_line_each(table: TutorPanel) -> None:
    table.step.click()
    table.step.click()
    assert table.session
    end = table.session.state
    table.undo.click()
    table.undo.click()
    assert table.session.state is table.session.start
    table.redo.click()
    table.redo.click()
    assert table.session.state is end
    table.history.index = 1
    assert table.session.at == 1
    assert table.error.value == ""


def test_trouble_in_a_callback_is_shown(table: TutorPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "_must", lambda: 1 / 0)
    table.undo.click()
    assert "ZeroDivisionError" in table.error.value


def test_texts_of_a_file_are_escaped() -> None:
    panel = TutorPanel.from_case(TABLE.replace("en: A table", "en: <script>alert(1)</script>"))
    panel.languages["en"].click()
    assert "<script>" not in panel.title.value + panel.lesson.value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TABLE.replace("play:", "plya:"), "play"),
        (TABLE.replace("swimming, tail-loss", "swimming, tail-los"), "tail-loss"),
        (TABLE.replace("bank: 3", "bank: [3"), "text:"),
        ("id: x\nplay: []\n", "position"),
        ("", "no case"),
        ("no-such-file.yaml", "no-such-file.yaml"),
        (TABLE + "notes: {9: {en: a, ru: b}}\n", "no line 9"),
        (TABLE + "notes: {0: {en: only English}}\n", "Russian"),
    ],
)
def test_a_bad_file_is_a_message_in_the_panel(text: str, said: str) -> None:
    panel = TutorPanel.from_case(text, lang="en")
    assert said in panel.error.value
    assert "Traceback" not in panel.error.value


# the first lesson


def test_the_lesson_waits_for_an_answer_and_replies(lesson: TutorPanel) -> None:
    assert lesson.step.disabled
    lesson.choices.children[0].click()
    assert "Not quite" in lesson.answer.value
    assert not lesson.step.disabled
    lesson.step.click()
    assert seen(lesson)["bank"]["red"] == 6


def walk(lesson: TutorPanel, answer: int | None = None) -> None:
    """Go through the lesson; `answer` is given to the question with moves."""
    assert lesson.session is not None
    for _ in range(30):
        ask = lesson.session.ask()
        if ask and ask.choices[0].move and answer is not None:
            lesson.choices.children[answer].click()
        elif ask:
            lesson.choices.children[0].click()
        elif lesson.session.next_line:
            lesson.step.click()
        assert lesson.error.value == ""


def test_the_lesson_ends_as_in_the_rules(lesson: TutorPanel) -> None:
    walk(lesson)
    assert lesson.session
    assert lesson.session.finished
    animals = [[a["id"] for a in lane["animals"]] for lane in seen(lesson)["lanes"]]
    assert animals == [["b1"], ["a1", "a3"]]
    assert animal(lesson, "b1")["fat"] == ["yellow"]


def test_the_better_way_saves_the_third_animal(lesson: TutorPanel) -> None:
    walk(lesson, answer=1)
    assert [a["id"] for a in seen(lesson)["lanes"][1]["animals"]] == ["a1", "a2", "a3"]
    lesson.back.click()
    assert lesson.session
    assert lesson.session.ask()


def test_an_impossible_answer_is_explained_by_the_rule(lesson: TutorPanel) -> None:
    assert lesson.session
    while not (lesson.session.ask() and lesson.session.ask().choices[0].move):  # type: ignore[union-attr]
        (lesson.choices.children[0] if lesson.session.ask() else lesson.step).click()
    lesson.choices.children[2].click()
    assert rule("camouflage.only-sharp-vision").title.en in lesson.answer.value
    assert lesson.session.ask()


def test_the_move_of_an_answer_may_be_played_on_the_board(lesson: TutorPanel) -> None:
    assert lesson.session
    while not (lesson.session.ask() and lesson.session.ask().choices[0].move):  # type: ignore[union-attr]
        (lesson.choices.children[0] if lesson.session.ask() else lesson.step).click()
    send(lesson, "play", "A: take a2")
    assert lesson.session.place
    assert lesson.session.place.script.name
    assert "trample" in lesson.lesson.value


def test_the_lesson_speaks_both_languages_at_any_step(lesson: TutorPanel) -> None:
    walk(lesson)
    lesson.languages["ru"].click()
    assert "Вернитесь к выбору Анны" in lesson.lesson.value
    assert "Борис" in seen(lesson)["lanes"][0]["name"]
    assert "растоптать фишку" in lesson.history.options[4][0]


def test_food_flow_grows_beside_the_table(lesson: TutorPanel) -> None:
    assert lesson.flow.value == ""
    walk(lesson)
    assert lesson.flow.value.count("<svg") == 2
    assert "<table" in lesson.flow.value


def test_unknown_scenario_names_the_nearest() -> None:
    panel = TutorPanel.from_scenario("worked-feeding-phas", lang="en")
    assert "worked-feeding-phase" in panel.error.value


def test_the_notebook_is_thin_and_clean() -> None:
    notebook = json.loads((Path(__file__).parents[1] / "notebooks" / "welcome.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) == 1
    assert code[0]["outputs"] == []
    assert code[0]["execution_count"] is None
    assert code[0]["metadata"]["jupyter"]["source_hidden"]
    assert code[0]["source"][0].startswith("# ▶")
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert "widgets" not in notebook["metadata"]
    exec("".join(code[0]["source"]), {})
