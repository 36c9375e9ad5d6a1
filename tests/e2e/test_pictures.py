"""The notebook of pictures in JupyterLab: each picture is one call, and all of them are seen."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect


def test_lab_draws_the_continents_and_the_pairs(notebook: Callable[[str], Page]) -> None:
    page = notebook("notebooks/pictures.ipynb")
    pictures = page.locator(".jp-OutputArea-output img")
    expect(pictures).to_have_count(2, timeout=60_000)
    for k in range(2):
        box = pictures.nth(k).bounding_box()
        assert box is not None
        assert box["width"] > 400
    expect(page.get_by_text("A: take a2").first).to_be_visible()
