"""board.js alone in a browser, with a model of six lines instead of Jupyter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import Page, expect

from evotutor.widgets import TutorPanel
from evotutor.widgets.strings import board_strings

pytestmark = pytest.mark.e2e

STATIC = Path(__file__).parents[2] / "evotutor" / "widgets" / "static"
MODEL = """async ([source, data]) => {
    const heard = {}; window.sent = [];
    window.board = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
    window.model = {get: key => data[key], send: message => sent.push(message), off() {},
        on: (name, call) => { heard[name] = call; },
        set: (key, value) => { data[key] = value; heard["change:" + key]?.(); }};
    board.default.render({model, el: document.getElementById("here")});
    await new Promise(done => setTimeout(done, 150));
}"""


@pytest.fixture
def panel() -> TutorPanel:
    panel = TutorPanel.from_scenario("worked-feeding-phase", lang="en")
    panel.choices.children[0].click()
    panel.step.click()
    return panel


@pytest.fixture
def board(page: Page, panel: TutorPanel) -> Page:
    css = (STATIC / "board.css").read_text(encoding="utf-8")
    page.set_content(f"<style>{css}</style><div class=tutor-panel><div id=here></div></div>")
    data = {"frame": panel.board.frame, "strings": board_strings("en"), "lang": "en"}
    page.evaluate(MODEL, [(STATIC / "board.js").read_text(encoding="utf-8"), json.loads(json.dumps(data))])
    return page


def sent(board: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = board.evaluate("sent")
    return found


def test_a_click_sends_one_intent_with_the_number_of_the_frame(board: Page, panel: TutorPanel) -> None:
    board.get_by_test_id("animal-a1").click()
    board.get_by_role("button", name="take red food").click()
    board.get_by_test_id("animal-a3").click()
    board.get_by_role("button", name="attack b1: not possible, why not?").click()
    seq = panel.board.frame["seq"]
    assert [m for m in sent(board) if m["type"] != "select"] == [
        {"type": "play", "id": "A: take a1", "seq": seq},
        {"type": "why", "id": "A: attack a3 b1", "seq": seq},
    ]


def test_a_click_on_a_target_shows_the_attack_before_it_is_made(board: Page) -> None:
    board.get_by_test_id("animal-a3").click()
    board.get_by_test_id("animal-b2").click()
    expect(board.get_by_role("button", name="attack b2")).to_be_focused()
    expect(board.locator(".tb-aim")).to_have_count(1)
    expect(board.locator(".tb-gain")).to_have_text("+2")
    assert {m["type"] for m in sent(board)} == {"select"}


def test_a_click_on_an_impossible_target_asks_why(board: Page) -> None:
    board.get_by_test_id("animal-a3").click()
    board.get_by_test_id("animal-b1").click()
    assert sent(board)[-1]["type"] == "why"


def test_focus_survives_a_redraw(board: Page) -> None:
    board.get_by_test_id("animal-a2").focus()
    board.evaluate("model.set('frame', {...model.get('frame'), seq: 99})")
    expect(board.get_by_test_id("animal-a2")).to_be_focused()


FLY = """() => { const frame = model.get('frame');
    model.set('frame', {...frame, seq: frame.seq + 1,
        events: [{kind: 'token', from: 'bank', to: 'a1', colour: 'red', n: 1}]});
    return document.querySelectorAll('.tb-ghost').length }"""


def test_tokens_travel(board: Page) -> None:
    board.emulate_media(reduced_motion="no-preference")
    assert board.evaluate(FLY) == 1
    expect(board.locator(".tb-ghost")).to_have_count(0, timeout=2000)


def test_nothing_moves_with_reduced_motion(board: Page) -> None:
    board.emulate_media(reduced_motion="reduce")
    assert board.evaluate(FLY) == 0


def test_links_that_overlap_lie_on_different_levels(board: Page) -> None:
    links = [{"ends": ends} for ends in (["a", "b"], ["b", "c"], ["a", "c"], ["a", "b"], ["a", "z"])]
    arcs = board.evaluate("links => board.layout(['a', 'b', 'c'], links).arcs", links)
    levels = {"".join(arc["link"]["ends"]) + str(arc["level"]) for arc in arcs}
    assert levels == {"ab0", "bc0", "ab1", "ac2"}
    ends = [(arc["x1"], arc["x2"]) for arc in arcs]
    assert len({x for pair in ends for x in pair}) == 2 * len(ends)


def test_keys_stay_in_the_panel(board: Page) -> None:
    board.evaluate("document.body.addEventListener('keydown', e => { window.leaked = e.key })")
    board.get_by_test_id("animal-a1").focus()
    board.keyboard.press("d")
    assert board.evaluate("window.leaked") is None
    board.keyboard.press("Control+s")
    assert board.evaluate("window.leaked") is not None


def test_everything_is_named_for_a_screen_reader(board: Page) -> None:
    board.get_by_test_id("animal-a3").click()
    heard = board.locator("#here").aria_snapshot()
    for words in (
        'group "The table"',
        'region "Food bank: 6 red tokens"',
        'region "Boris: 2 animals"',
        'button "b1, hungry, 0 of 1 token, fat 0 of 1, Camouflage, Grazing, Fat Tissue, Communication with b2"',
        'button "a3, hungry, 0 of 2 tokens, Poisonous, Carnivorous" [pressed]',
        'button "attack b1: not possible, why not?"',
        "status",
    ):
        assert words in heard
