"""The pair traits of a table: animals in lanes, arcs over them, an arrow from a symbiont to the animal it protects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx

from evotutor.drawing.cards import frame_of, status_of
from evotutor.drawing.pairs import levels_of, links_graph, pair_arcs, pair_words, room_of, rows_of
from evotutor.drawing.palette import Palette, palette, text
from evotutor.drawing.scene import Box, Label, Scene, Shape
from evotutor.games.evolution.state import PARALYSED, Animal, State, name_of
from evotutor.rulebook import word

if TYPE_CHECKING:
    from evotutor.drawing.canvas import Picture

CARD, TALL, APART, LEFT = 92.0, 44.0, 72.0, 48.0
LEVEL, ROW = 34.0, 5


def links_figure(state: State, lang: str = "en", theme: str = "light") -> Picture:
    """The pair traits as a matplotlib figure."""
    from evotutor.drawing.canvas import figure

    return figure(links_scene(state, lang, theme))


def links_svg(state: State, lang: str = "en", theme: str = "light") -> str:
    """The same picture as SVG text, made without matplotlib."""
    return links_scene(state, lang, theme).svg()


def links_text(state: State, lang: str = "en") -> str:
    """The pair traits in words, one a line."""
    lines = [pair_words(u, v, data, lang) for u, v, data in links_graph(state).edges(data=True)]
    return "\n".join(lines) or text("no-links", lang)


def links_scene(state: State, lang: str, theme: str) -> Scene:
    """The picture as shapes."""
    colours, graph = palette(theme), links_graph(state)
    herds = [rows_of(graph, herd, _per_row(graph)) for herd in state.herds]
    most = max((len(row) for rows in herds for row in rows), default=0)
    width = max(360.0, LEFT + most * (CARD + APART) - APART + 30)
    shapes: list[Shape] = [Label(16, 22, text("links-title", lang), colours.text, 14, bold=True)]
    top = 44.0
    for seat, rows in enumerate(herds):
        start = top
        lane: list[Shape] = []
        for row in rows:
            spots = {animal.uid: (LEFT + i * (CARD + APART), CARD) for i, animal in enumerate(row)}
            levels = levels_of(graph, spots, lang)
            top += room_of(levels, LEVEL) if levels else 16
            tall = TALL + (15 if any(animal.flags & PARALYSED for animal in row) else 0)
            lane.append(Label(30, top + tall / 2, chr(65 + seat), colours.text, 14, "middle", True))
            lane += pair_arcs(graph, spots, levels, top, colours, lang, LEVEL)
            for animal in row:
                lane += _animal(animal, spots[animal.uid][0], top, tall, colours, lang)
            top += tall
        top += 16
        shapes += [Box(12, start, width - 24, top - start, colours.lane, colours.lane), *lane]
        top += 12
    return Scene(width, top, colours.page, tuple(shapes), text("links-title", lang), links_text(state, lang))


def _per_row(graph: nx.MultiDiGraph[int]) -> int:
    """How many animals stand side by side: as many as keep the words legible, but never fewer than pairs join."""
    return max(ROW, *map(len, nx.connected_components(graph.to_undirected())), 0)


def _animal(animal: Animal, x: float, y: float, tall: float, colours: Palette, lang: str) -> list[Shape]:
    frame, dashed = frame_of(animal, colours)
    words = [status_of(animal, lang), *([word("condition.paralysed", lang)] if animal.flags & PARALYSED else [])]
    return [
        Box(x, y, CARD, tall, frame, colours.card, dashed),
        Label(x + CARD / 2, y + 15, name_of(animal.uid), colours.text, 14, "middle", True),
        *(Label(x + CARD / 2, y + 32 + 15 * i, word, frame, 10.5, "middle") for i, word in enumerate(words)),
    ]


__all__ = ["links_figure", "links_graph", "links_scene", "links_svg", "links_text"]
