"""Pair traits as arcs over a row of animals: how high each arc is, what stands on it, how its state shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import networkx as nx

from evotutor.drawing.palette import Palette, name_of_cause, text
from evotutor.drawing.scene import Arc, Box, Label, Shape, width_of
from evotutor.games.evolution.catalog import TRAITS, trait_of
from evotutor.games.evolution.state import FOOD_PAIRS, SYMBIOSIS, Animal, State, is_fed, name_of
from evotutor.rulebook import word

Edge = tuple[int, int, int]
"""(u, v, key) of the graph."""
Levels = dict[Edge, int]
"""Edge -> height of its arc: 1, 2, ..."""
Spots = Mapping[int, tuple[float, float]]
"""uid -> left edge and width of the animal's card."""
FIRST = 26.0
"""Room over the lowest arc for its words."""


def links_graph(state: State) -> nx.MultiDiGraph[int]:
    """The pair traits as a graph of all animals on the table, with what a picture needs.

    Nodes carry `seat`, `place` (from the left), `fed`; edges `trait`, `spent`, `directed` (Symbiosis), and `off`: the
    animal at which no pair card works now, None if this one works.
    """
    graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
    for seat, herd in enumerate(state.herds):
        for place, animal in enumerate(herd):
            graph.add_node(animal.uid, seat=seat, place=place, fed=is_fed(animal))
    for index, (trait, u, v, _face) in enumerate(state.links.links):
        graph.add_edge(
            u, v, trait=TRAITS[trait].id, spent=bool(state.spent >> index & 1), directed=1 << trait == SYMBIOSIS,
            off=next((uid for uid in (u, v) if uid in state.links.off), None),
        )  # fmt: skip
    return graph


def pair_words(u: int, v: int, data: Mapping[str, Any], lang: str) -> str:
    """A pair trait in words: whom it joins and what it does now."""
    trait = name_of_cause(data["trait"], lang)
    if data["off"] is not None:
        return f"{trait}: {name_of(u)} – {name_of(v)}, {text('off-by', lang, name_of(data['off']))}"
    if data["directed"]:
        return text("protects", lang, trait, name_of(u), name_of(v))
    return f"{trait}: {name_of(u)} – {name_of(v)}, {_now(data, lang)}"


def _now(data: Mapping[str, Any], lang: str) -> str:
    kind = trait_of[data["trait"]]
    if kind.need:
        return text("each-needs", lang, kind.need)
    if data["trait"] == "recombination":
        return text("spent-turn" if data["spent"] else "ready-turn", lang)
    return text("spent" if data["spent"] else "ready", lang) if 1 << kind.index & FOOD_PAIRS else ""


def pair_mark(data: Mapping[str, Any], lang: str) -> str:
    """What follows the name of a pair trait: off, used, the need that it adds."""
    if data["off"] is not None:
        return f" · {word('condition.off', lang)}"
    need = trait_of[data["trait"]].need
    return " ↻" if data["spent"] else f" +{need}" if need else ""


def pair_chip(u: int, v: int, data: Mapping[str, Any], room: float, lang: str) -> str:
    """What stands on the arc: the trait and its mark; where there is room, who is safe as well."""
    trait, mark = name_of_cause(data["trait"], lang), pair_mark(data, lang)
    long = f"{trait} · {name_of(u)} {text('eats-first', lang)}, {name_of(v)} {text('safe', lang)}"
    return long if data["directed"] and not mark and width_of(long, 11) < room * 0.85 else trait + mark


def faint(data: Mapping[str, Any]) -> bool:
    """Is the pair drawn dashed and muted: used, or off?"""
    return bool(data["spent"]) or data["off"] is not None


def pair_role(data: Mapping[str, Any]) -> str:
    """The role of an arc's colour: its kind of trait; muted where it is used or off."""
    return "muted" if faint(data) else trait_of[data["trait"]].kind


def levels_of(graph: nx.MultiDiGraph[int], spots: Spots, lang: str) -> Levels:
    """A height for every arc over these animals, so that neither arcs nor their words lie on each other."""
    spans = []
    for u, v, key, data in graph.edges(keys=True, data=True):
        if u in spots and v in spots:
            first, last = sorted(spots[uid][0] + spots[uid][1] / 2 for uid in (u, v))
            half = (width_of(pair_chip(u, v, data, last - first, lang), 11) + 22) / 2
            middle = (first + last) / 2
            spans.append((last - first, first, last, middle - half, middle + half, (u, v, key)))
    levels: Levels = {}
    taken: list[tuple[float, float, float, float, int]] = []
    for _, first, last, left, right, edge in sorted(spans):
        level = 1
        while any(at == level and ((first < b and a < last) or (left < d and c < right)) for a, b, c, d, at in taken):
            level += 1
        taken.append((first, last, left, right, level))
        levels[edge] = level
    return levels


def room_of(levels: Levels, step: float) -> float:
    """How much room the arcs need over the cards."""
    return FIRST + step * max(levels.values(), default=0)


def pair_arcs(
    graph: nx.MultiDiGraph[int], spots: Spots, levels: Levels, y: float, colours: Palette, lang: str, step: float
) -> list[Shape]:
    """The arcs over the cards whose upper edge is `y`, highest first, then the words on them."""
    arcs: list[Shape] = []
    chips: list[Shape] = []
    ends = _ends(spots, levels)
    for edge, level in sorted(levels.items(), key=lambda item: -item[1]):
        u, v, _key = edge
        data = graph.edges[edge]
        colour, dashed = colours(pair_role(data)), faint(data)
        x0, x1 = ends[edge, u], ends[edge, v]
        title = pair_words(u, v, data, lang)
        arcs.append(Arc(x0, y, x1, y, step * level * 4 / 3, colour, data["directed"], dashed, title))
        centres = [spots[uid][0] + spots[uid][1] / 2 for uid in (u, v)]
        words = pair_chip(u, v, data, abs(centres[0] - centres[1]), lang)
        wide, middle = width_of(words, 11) + 16, sum(centres) / 2
        chips.append(Box(middle - wide / 2, y - step * level - 10, wide, 20, colour, colours.card, dashed, title=title))
        chips.append(Label(middle, y - step * level, words, colours.muted if dashed else colours.text, 11, "middle"))
    return arcs + chips


def _ends(spots: Spots, levels: Levels) -> dict[tuple[Edge, int], float]:
    """Where each arc touches its animals: spread over the upper edge, in the order in which they leave."""
    found: dict[tuple[Edge, int], float] = {}
    for uid, (left, wide) in spots.items():
        touching = []
        for edge, level in levels.items():
            if uid in edge[:2]:
                other = edge[1] if edge[0] == uid else edge[0]
                side = 1 if spots[other][0] > left else -1
                touching.append((side, -side * level, edge))
        for i, (_, _, edge) in enumerate(sorted(touching)):
            found[edge, uid] = left + wide * (i + 1) / (len(touching) + 1)
    return found


def rows_of(graph: nx.MultiDiGraph[int], herd: Sequence[Animal], per_row: int) -> list[list[Animal]]:
    """The herd in rows; where it needs several, animals joined by pair traits stay in a row if they fit in one."""
    if len(herd) <= per_row:
        return [list(herd)]
    here = {animal.uid: animal for animal in herd}
    rows: list[list[Animal]] = []
    for joined in _joined(graph, here):
        row = next((row for row in rows if len(row) + len(joined) <= per_row), None)
        if row is not None:
            row += [here[uid] for uid in joined]
        else:
            rows += [[here[uid] for uid in joined[i : i + per_row]] for i in range(0, len(joined), per_row)]
    return rows


def _joined(graph: nx.MultiDiGraph[int], here: dict[int, Animal]) -> list[list[int]]:
    """Groups of animals joined by pair traits, each in the order of the herd."""
    place = {uid: i for i, uid in enumerate(here)}
    groups = [
        sorted(group, key=place.__getitem__) for group in nx.connected_components(graph.subgraph(here).to_undirected())
    ]
    return sorted(groups, key=lambda group: place[group[0]])
