"""The pair traits of a table: animals in lanes, arcs over them, an arrow from a symbiont to the animal it protects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

from evotutor.drawing.palette import Palette, name_of_cause, palette, text
from evotutor.drawing.scene import Arc, Box, Label, Scene, Shape, width_of
from evotutor.games.evolution.catalog import TRAITS
from evotutor.games.evolution.state import SYMBIOSIS, State, is_fed, name_of

if TYPE_CHECKING:
    from evotutor.drawing.canvas import Picture

CARD, TALL, APART, LEFT = 92.0, 44.0, 92.0, 60.0
LEVEL = 34.0
Levels = dict[tuple[int, int, int], int]
"""Edge (u, v, key) -> height of its arc: 1, 2, ..."""


def links_figure(state: State, lang: str = "en", theme: str = "light") -> Picture:
    """The pair traits as a matplotlib figure."""
    from evotutor.drawing.canvas import figure

    return figure(links_scene(state, lang, theme))


def links_svg(state: State, lang: str = "en", theme: str = "light") -> str:
    """The same picture as SVG text, made without matplotlib."""
    return links_scene(state, lang, theme).svg()


def links_graph(state: State) -> nx.MultiDiGraph[int]:
    """The pair traits as a graph of all animals on the table, with what a picture needs.

    Nodes carry `seat`, `place` (from the left), `fed`; edges `trait`, `spent`, `directed` (Symbiosis).
    """
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for seat, herd in enumerate(state.herds):
        for place, animal in enumerate(herd):
            graph.add_node(animal.uid, seat=seat, place=place, fed=is_fed(animal))
    for index, (trait, u, v, _face) in enumerate(state.links.links):
        directed = 1 << trait == SYMBIOSIS
        graph.add_edge(u, v, trait=TRAITS[trait].id, spent=bool(state.spent >> index & 1), directed=directed)
    return graph


def links_text(state: State, lang: str = "en") -> str:
    """The pair traits in words, one a line."""
    lines = [_words(u, v, data, lang) for u, v, data in links_graph(state).edges(data=True)]
    return "\n".join(lines) or text("no-links", lang)


def _words(u: int, v: int, data: dict[str, Any], lang: str) -> str:
    trait = name_of_cause(data["trait"], lang)
    if data["directed"]:
        return text("protects", lang, trait, name_of(u), name_of(v))
    return f"{trait}: {name_of(u)} – {name_of(v)}, {text('spent' if data['spent'] else 'ready', lang)}"


def links_scene(state: State, lang: str, theme: str) -> Scene:
    """The picture as shapes."""
    colours, graph = palette(theme), links_graph(state)
    levels = {seat: _levels(graph, seat) for seat in range(len(state.herds))}
    most = max((len(herd) for herd in state.herds), default=0)
    width = max(360.0, LEFT + most * (CARD + APART) - APART + 60)
    shapes: list[Shape] = [Label(16, 22, text("links-title", lang), colours.text, 14, bold=True)]
    top = 44.0
    for seat, herd in enumerate(state.herds):
        room = 26 + LEVEL * max(levels[seat].values(), default=0)
        tall = room + TALL + 16
        shapes.append(Box(12, top, width - 24, tall, colours.lane, colours.lane))
        shapes.append(Label(28, top + room + TALL / 2, chr(65 + seat), colours.text, 14, bold=True))
        shapes += _lane(graph, seat, top + room, levels[seat], colours, lang)
        shapes += [_animal(graph, a.uid, top + room, colours) for a in herd]
        for a in herd:
            shapes += _name(graph, a.uid, top + room, colours, lang)
        top += tall + 12
    return Scene(width, top, colours.page, tuple(shapes), text("links-title", lang), links_text(state, lang))


def _x(graph: nx.MultiDiGraph[int], uid: int) -> float:
    return LEFT + int(graph.nodes[uid]["place"]) * (CARD + APART)


def _animal(graph: nx.MultiDiGraph[int], uid: int, y: float, colours: Palette) -> Shape:
    fed = graph.nodes[uid]["fed"]
    return Box(_x(graph, uid), y, CARD, TALL, _frame(fed, colours), colours.card, not fed)


def _name(graph: nx.MultiDiGraph[int], uid: int, y: float, colours: Palette, lang: str) -> list[Shape]:
    x, fed = _x(graph, uid) + CARD / 2, graph.nodes[uid]["fed"]
    return [
        Label(x, y + TALL / 2 - 7, name_of(uid), colours.text, 14, "middle", True),
        Label(x, y + TALL / 2 + 10, text("fed" if fed else "hungry", lang), _frame(fed, colours), 10.5, "middle"),
    ]


def _frame(fed: bool, colours: Palette) -> str:
    return colours.defence if fed else colours.hunting


def _levels(graph: nx.MultiDiGraph[int], seat: int) -> Levels:
    """A height for every arc of a lane so that arcs over the same animals do not lie on each other: 1, 2, ..."""
    spans = []
    for u, v, key in graph.edges(keys=True):
        if graph.nodes[u]["seat"] == seat:
            ends = sorted((graph.nodes[u]["place"], graph.nodes[v]["place"]))
            spans.append((ends[1] - ends[0], ends[0], ends[1], (u, v, key)))
    levels: Levels = {}
    taken: list[tuple[int, int, int]] = []
    for _, first, last, edge in sorted(spans):
        level = 1
        while any(at == level and first < b and a < last for a, b, at in taken):
            level += 1
        taken.append((first, last, level))
        levels[edge] = level
    return levels


def _lane(
    graph: nx.MultiDiGraph[int],
    seat: int,
    y: float,
    levels: Levels,
    colours: Palette,
    lang: str,
) -> list[Shape]:
    arcs: list[Shape] = []
    chips: list[Shape] = []
    ends = _ends(graph, levels)
    for edge, level in sorted(levels.items(), key=lambda item: -item[1]):
        u, v, _key = edge
        data = graph.edges[edge]
        colour = colours.muted if data["spent"] else colours.pair
        x0, x1 = ends[edge, u], ends[edge, v]
        rise = LEVEL * level * 4 / 3
        arcs.append(Arc(x0, y, x1, y, rise, colour, data["directed"], data["spent"], _words(u, v, data, lang)))
        words = _chip(u, v, data, abs(x1 - x0), lang)
        mark = " ↻" if data["spent"] else ""
        wide = width_of(words + mark, 11) + 16
        chips.append(Box((x0 + x1 - wide) / 2, y - LEVEL * level - 10, wide, 20, colour, colours.card, data["spent"]))
        ink = colours.muted if data["spent"] else colours.text
        chips.append(Label((x0 + x1) / 2, y - LEVEL * level, words + mark, ink, 11, "middle"))
    return arcs + chips


def _chip(u: int, v: int, data: dict[str, Any], room: float, lang: str) -> str:
    """What stands on the arc: who is safe as well, where there is room for it."""
    trait = name_of_cause(data["trait"], lang)
    long = f"{trait} · {name_of(u)} {text('eats-first', lang)}, {name_of(v)} {text('safe', lang)}"
    return long if data["directed"] and width_of(long, 11) < room * 0.85 else trait


def _ends(graph: nx.MultiDiGraph[int], levels: Levels) -> dict[tuple[tuple[int, int, int], int], float]:
    """Where each arc touches its animals: spread over the upper edge, in the order in which they leave."""
    found: dict[tuple[tuple[int, int, int], int], float] = {}
    for uid in graph:
        here = graph.nodes[uid]["place"]
        touching = []
        for edge, level in levels.items():
            if uid in edge[:2]:
                other = edge[1] if edge[0] == uid else edge[0]
                side = 1 if graph.nodes[other]["place"] > here else -1
                touching.append((side, -side * level, edge))
        for i, (_, _, edge) in enumerate(sorted(touching)):
            found[edge, uid] = _x(graph, uid) + CARD * (i + 1) / (len(touching) + 1)
    return found
