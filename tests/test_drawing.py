"""Pictures: both languages, both themes, with and without matplotlib."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from evotutor.analysis.playout import playout
from evotutor.drawing import flow_figure, flow_svg, flow_table, links_figure, links_svg, links_text, sum_line
from evotutor.drawing.flow import flow_scene
from evotutor.drawing.flow_layout import layout
from evotutor.drawing.links import links_graph, links_scene
from evotutor.drawing.palette import PALETTES, TEXTS, palette
from evotutor.drawing.scene import Arc
from evotutor.games import load
from evotutor.games.evolution.dense import dense_table
from evotutor.games.evolution.state import SYMBIOSIS, name_of
from evotutor.games.evolution.tokens import food_flow

BOTH = pytest.mark.parametrize("lang", ["en", "ru"])
THEMES = pytest.mark.parametrize("theme", ["light", "dark"])


def example(seed: int = 3, plies: int = 40) -> tuple[Any, Any]:
    """A crowded table played on, and its food flow."""
    game = load("evolution")
    start = state = dense_table(Random(seed))
    events: list[Any] = []
    for _, step in zip(range(plies), playout(game, start, Random(seed)), strict=False):
        state = game.apply(step.state, step.move, events)
    return food_flow(start, events, state, 1), state


@BOTH
@THEMES
def test_flow_svg_is_well_formed_and_says_what_the_table_says(lang: str, theme: str) -> None:
    graph, _ = example()
    root = ElementTree.fromstring(flow_svg(graph, lang, theme))
    assert root.attrib["role"] == "img"
    assert root.find("{*}desc").text == sum_line(graph, lang)  # type: ignore[union-attr]
    texts = " ".join(node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text"))
    for data in graph.nodes.values():
        if "have" in data:
            assert f"{data['name']} {data['have']}/{data['need']}" in texts
    assert PALETTES[theme].page in flow_svg(graph, lang, theme)


@BOTH
@THEMES
def test_flow_figure_draws(lang: str, theme: str) -> None:
    pytest.importorskip("matplotlib")
    graph, state = example()
    for picture in (flow_figure(graph, lang, theme), links_figure(state, lang, theme)):
        assert picture._repr_png_().startswith(b"\x89PNG")
        assert picture.alt


@BOTH
def test_flow_table_has_a_row_for_each_move(lang: str) -> None:
    graph, _ = example()
    table = flow_table(graph, lang)
    root = ElementTree.fromstring(table.html)
    assert len(root.findall("./tbody/tr")) == len(str(table).splitlines()) - 3
    assert str(table).splitlines()[-1] == sum_line(graph, lang)


def test_an_empty_flow_says_so() -> None:
    graph = food_flow(load("evolution").new(2, 1), [])
    assert "No food has moved" in flow_svg(graph)
    assert "Еда ещё не двигалась" in flow_svg(graph, "ru")


@pytest.mark.parametrize("seed", range(10))
def test_boxes_of_a_column_do_not_overlap_and_ribbons_stay_inside_them(seed: int) -> None:
    graph, _ = example(seed)
    plan = layout(graph)
    for column in plan.columns:
        ordered = sorted(column, key=lambda s: s.top)
        for upper, lower in pairwise(ordered):
            assert upper.top + upper.height <= lower.top + 1e-6
    for ribbon in plan.ribbons:
        assert ribbon.start.top - 1 <= ribbon.y0 <= ribbon.start.top + ribbon.start.height + 1
        assert ribbon.end.top - 1 <= ribbon.y1 <= ribbon.end.top + ribbon.end.height + 1


def test_hungry_animals_are_framed_in_the_hunting_colour_and_named() -> None:
    graph, _ = example()
    scene = flow_scene(graph, "en", "light")
    hungry = [data["name"] for data in graph.nodes.values() if data.get("hungry")]
    words = [shape for shape in scene.shapes if getattr(shape, "text", "") == "hungry"]
    assert hungry
    assert len(words) == len(hungry)
    assert {word.colour for word in words} == {PALETTES["light"].hunting}


@BOTH
def test_links_are_drawn_named_and_tell_their_direction(lang: str) -> None:
    _, state = example()
    svg = links_svg(state, lang)
    ElementTree.fromstring(svg)
    graph = links_graph(state)
    assert graph.number_of_edges() == len(state.links.links)
    assert len(links_text(state, lang).splitlines()) == len(state.links.links)
    for _, _, data in graph.edges(data=True):
        assert data["directed"] == (data["trait"] == "symbiosis")


def test_the_arrow_points_at_the_animal_that_symbiosis_protects() -> None:
    _, state = example()
    scene = links_scene(state, "en", "light")
    arrows = {shape.title for shape in scene.shapes if isinstance(shape, Arc) and shape.arrow}
    expected = {
        f"Symbiosis: {name_of(u)} eats first, {name_of(v)} is safe"
        for trait, u, v, _ in state.links.links
        if 1 << trait == SYMBIOSIS
    }
    assert arrows == expected
    assert arrows


def test_every_text_is_in_both_languages() -> None:
    for key, (en, ru) in TEXTS.items():
        assert en, key
        assert ru, key
        assert en.count("{}") == ru.count("{}"), key


def test_colours_have_contrast() -> None:
    for theme in ("light", "dark"):
        colours = palette(theme)
        for role in ("text", "muted", "hunting", "defence", "feeding", "burden", "pair"):
            assert contrast(colours(role), colours.page) >= 4.5, (theme, role)
            assert contrast(colours(role), colours.card) >= 4.5, (theme, role)


def contrast(one: str, other: str) -> float:
    """The WCAG contrast of two colours."""

    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_svg_needs_no_matplotlib() -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; sys.modules['numpy'] = None\n"
        "from evotutor.drawing import flow_svg, links_svg\n"
        "from evotutor.games import load\n"
        "from evotutor.games.evolution.tokens import food_flow\n"
        "s = load('evolution').new(2, 1); print(len(flow_svg(food_flow(s, []))) + len(links_svg(s)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("lang", "theme"), [("de", "light"), ("en", "pink")])
def test_unknown_languages_and_themes_are_refused(lang: str, theme: str) -> None:
    graph, _ = example(plies=2)
    with pytest.raises(ValueError, match=r"no (language|theme)"):
        flow_svg(graph, lang, theme)
