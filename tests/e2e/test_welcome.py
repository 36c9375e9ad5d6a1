"""The first lesson as a reader meets it: JupyterLab and Voila, mouse and keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import ConsoleMessage, Page, expect

pytestmark = pytest.mark.e2e

HARMLESS = (
    "Unsatisfied version",
    "favicon",
    "Failed to load resource",
    "No provider for",
    "cdnjs",
    "fonts.googleapis",
    "/voila/static/",
    "debugger state",
)
"""Complaints of JupyterLab and Voila themselves, and the icons that Voila looks for on the network."""


@pytest.fixture(autouse=True)
def quiet(page: Page) -> Iterator[None]:
    """Nothing of ours may complain in the console."""
    heard: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(words in message.text for words in HARMLESS):
            heard.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.emulate_media(reduced_motion="reduce")
    yield
    assert heard == []


def cells(page: Page) -> int:
    return int(page.evaluate("jupyterapp.shell.currentWidget.content.model.cells.length"))


def english(page: Page) -> None:
    page.locator(".t-lang-en").click()
    expect(page.locator(".t-lesson")).to_contain_text("on the table")


def play_and_be_refused(page: Page) -> None:
    """A legal move is played, an impossible one explained, in both languages."""
    english(page)
    page.locator(".tutor-choices button").nth(1).click()
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".tb-bankfood .tb-red")).to_have_count(6)

    page.get_by_test_id("animal-a3").click()
    page.get_by_role("button", name="attack b1: not possible, why not?").click()
    expect(page.locator(".t-answer")).to_contain_text("Only sharp eyes see it")
    expect(page.locator(".tb-bankfood .tb-red")).to_have_count(6)
    page.locator(".t-answer summary").click()
    expect(page.locator(".t-answer")).to_contain_text("R14")
    page.locator(".t-lang-ru").click()
    expect(page.locator(".t-answer")).to_contain_text("Видит только острое зрение")
    page.locator(".t-lang-en").click()

    page.get_by_test_id("animal-a1").click()
    page.get_by_role("button", name="take red food").click()
    expect(page.locator(".tb-bankfood .tb-red")).to_have_count(5)
    expect(page.get_by_test_id("animal-a1")).to_contain_text("fed")
    expect(page.get_by_role("status").filter(has_text="a1")).to_contain_text("Animal a1 gets 1 red token")
    expect(page.locator(".t-error")).to_be_hidden()


def by_keyboard(page: Page) -> None:
    """From animal to animal with arrows, choose with Enter, Escape back, without the mouse."""
    english(page)
    page.locator(".tutor-choices button").nth(0).click()
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".tb-bankfood .tb-red")).to_have_count(6)
    page.get_by_test_id("animal-a1").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("animal-a2")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_test_id("animal-b2")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("animal-a2")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("animal-a2")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="take red food")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("animal-a2")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".tb-bankfood .tb-red")).to_have_count(5)


def test_lab_plays_and_refuses(notebook: Callable[[str], Page]) -> None:
    play_and_be_refused(notebook("notebooks/welcome.ipynb"))


def test_lab_by_keyboard(notebook: Callable[[str], Page]) -> None:
    by_keyboard(notebook("notebooks/welcome.ipynb"))


def test_lab_keeps_its_cells_when_keys_are_pressed_in_the_panel(notebook: Callable[[str], Page]) -> None:
    page = notebook("notebooks/welcome.ipynb")
    english(page)
    before = cells(page)
    for place in (page.get_by_test_id("animal-a1"), page.locator(".t-lang-en"), page.locator(".tutor-log select")):
        place.click()
        for key in ("d", "d", "b", "a", "x", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "m", "y"):
            page.keyboard.press(key)
        assert cells(page) == before
    assert page.evaluate("jupyterapp.shell.currentWidget.content.activeCell.model.type") == "code"


def test_lab_follows_the_theme(notebook: Callable[[str], Page]) -> None:
    page = notebook("notebooks/welcome.ipynb")
    panel = page.locator(".tutor-panel")
    try:
        page.evaluate("jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})")
        expect(panel).to_have_css("background-color", "rgb(21, 25, 29)", timeout=10_000)
    finally:
        page.evaluate("jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Light'})")
    expect(panel).to_have_css("background-color", "rgb(250, 247, 240)", timeout=10_000)


def test_lab_says_so_when_the_session_is_gone(notebook: Callable[[str], Page]) -> None:
    page = notebook("notebooks/welcome.ipynb")
    english(page)
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.get_by_role("button", name="roll 4").click()
    expect(page.locator(".tb-live")).to_contain_text("Run the cell again", timeout=12_000)


def test_voila_plays_and_refuses(page: Page, voila: str) -> None:
    page.goto(f"{voila}/voila/render/notebooks/welcome.ipynb")
    page.locator(".tb-card").first.wait_for(timeout=60_000)
    play_and_be_refused(page)


def test_voila_by_keyboard(page: Page, voila: str) -> None:
    page.goto(f"{voila}/voila/render/notebooks/welcome.ipynb")
    page.locator(".tb-card").first.wait_for(timeout=60_000)
    by_keyboard(page)


def test_voila_opens_in_russian(page: Page, voila: str) -> None:
    page.goto(f"{voila}/voila/render/notebooks/welcome.ipynb?lang=ru")
    expect(page.locator(".t-lesson")).to_contain_text("Карты первого хода", timeout=60_000)
    expect(page.locator(".tutor-board")).to_have_attribute("lang", "ru")


def test_narrow_page_scrolls_lanes_and_not_itself(page: Page, voila: str) -> None:
    page.set_viewport_size({"width": 700, "height": 900})
    page.goto(f"{voila}/voila/render/notebooks/welcome.ipynb")
    page.locator(".tb-card").first.wait_for(timeout=60_000)
    panel = page.locator(".tutor-panel")
    assert panel.evaluate("node => node.scrollWidth <= node.clientWidth + 1")
    board, lesson = page.locator(".tutor-board").bounding_box(), page.locator(".tutor-side").bounding_box()
    assert board
    assert lesson
    assert lesson["y"] >= board["y"] + board["height"] - 1
