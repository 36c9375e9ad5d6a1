"""The table of Continents as a map: Laurasia above, Gondwana below, the Ocean to the right, lines for the crossings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import networkx as nx

from evotutor.core.model import Event
from evotutor.drawing.cards import Tag, animal_words, card_shapes
from evotutor.drawing.continents_plan import (
    ASIDE,
    BESIDE,
    HEAD,
    LABEL,
    PAD,
    STEP,
    Area,
    Block,
    head_of,
    plan_area,
    shelf_height,
)
from evotutor.drawing.pairs import faint, links_graph, pair_arcs, pair_role, pair_words
from evotutor.drawing.palette import Palette, name_of_cause, palette, text
from evotutor.drawing.scene import Box, Label, Line, Mark, Scene, Shape, width_of, wrap
from evotutor.games.evolution.catalog import trait_of
from evotutor.games.evolution.locations import GONDWANA, LAURASIA, LOCATIONS, OCEAN
from evotutor.games.evolution.locations import graph as crossings
from evotutor.games.evolution.state import State, find, location_acted, name_of
from evotutor.rulebook import word

if TYPE_CHECKING:
    from evotutor.drawing.canvas import Picture

MARGIN, TOP, NARROWEST = 16.0, 42.0, 640.0
GAP = {"en": 92.0, "ru": 97.0}
"""Least room between the continents and the Ocean."""
LINE = 15.0
SHARES = sorted(range(50, 77), key=lambda share: abs(share - 62))
"""Per cent of the width that the continents may have, the best looking first."""
Events = Iterable[Event | tuple[Any, ...]]


class Step(NamedTuple):
    """An animal that changed its location, and the trait that moved it ("" if none did)."""

    uid: int
    start: int
    end: int
    trait: str


def continents_figure(
    state: State, *, lang: str = "en", theme: str = "light", moves: Events = (), width: float = 960
) -> Picture:
    """The three locations as a matplotlib figure (it shows itself in a notebook; `alt` says it in words).

    `moves` are events; those in which an animal changes its location ("locate") become arrows.  `width` is in pixels;
    the animals are arranged to fit.  ValueError for a table without locations.
    """
    from evotutor.drawing.canvas import figure

    return figure(continents_scene(state, lang, theme, moves, width))


def continents_svg(
    state: State, *, lang: str = "en", theme: str = "light", moves: Events = (), width: float = 960
) -> str:
    """The same picture as SVG text, made without matplotlib."""
    return continents_scene(state, lang, theme, moves, width).svg()


def has_locations(state: State) -> bool:
    """Is the game played with Continents, so that every location has its bank?"""
    return len(state.bank) == len(LOCATIONS)


def continents_graph(state: State, moves: Events = ()) -> nx.Graph[str]:
    """The locations and who may cross, with what is there now.

    Nodes carry `bank` and `animals` (uids); edges `ways` and `moves`, the steps along them.
    """
    if not has_locations(state):
        raise ValueError("no locations on this table: they come with the module continents")
    found: nx.Graph[str] = nx.Graph(crossings())
    for loc, name in enumerate(LOCATIONS):
        here = [animal.uid for herd in state.herds for animal in herd if animal.loc == loc]
        found.add_node(name, bank=state.bank[loc], animals=here)
    nx.set_edge_attributes(found, {edge: [] for edge in found.edges}, "moves")
    for step in steps(moves):
        found.edges[LOCATIONS[step.start], LOCATIONS[step.end]]["moves"].append(step)
    return found


def steps(moves: Events) -> list[Step]:
    """The changes of location in a list of events, in their order."""
    found = []
    for event in moves:
        kind, rule, data = (event.kind, event.rule, event.data) if isinstance(event, Event) else (*event[:2], event[3:])
        if kind == "locate":
            start, end = (LOCATIONS.index(at) if isinstance(at, str) else int(at) for at in data[1:3])
            trait = rule.partition(".")[0]
            if start != end:
                found.append(Step(data[0], start, end, trait if trait in trait_of else ""))
    return found


# words


def continents_text(state: State, lang: str = "en", moves: Events = ()) -> str:
    """The picture in words: a line for each location, pair, crossing and step."""
    moves = tuple(moves)
    graph = continents_graph(state, moves)
    lines = [_location_words(state, loc, graph.nodes[name], lang) for loc, name in enumerate(LOCATIONS)]
    lines += [pair_words(u, v, data, lang) for u, v, data in links_graph(state).edges(data=True)]
    for start, end, data in graph.edges(data=True):
        lines.append(f"{_place(start, lang)} – {_place(end, lang)}: {_who(data['ways'], lang)}")
    lines += [_step_words(step, lang) for step in steps(moves)]
    return "\n".join(lines)


def _location_words(state: State, loc: int, data: Mapping[str, Any], lang: str) -> str:
    name = _place(loc, lang)
    animals = [found for uid in data["animals"] if (found := find(state, uid)) is not None]
    told = ". ".join(f"{name_of(a.uid)}: {animal_words(a, lang)}" for a in animals) or text("nobody", lang)
    return f"{name}, {text('bank-of', lang, data['bank'])}. {told}"


def _place(loc: int | str, lang: str) -> str:
    return word(f"place.{loc if isinstance(loc, str) else LOCATIONS[loc]}", lang)


def _who(ways: Iterable[str], lang: str) -> str:
    """Who may cross by these ways."""
    return ", ".join(text(f"way-{way}", lang) for way in ("walk", "swim", "fly") if way in ways)


def _step_words(step: Step, lang: str) -> str:
    trait = f" ({name_of_cause(step.trait, lang)})" if step.trait else ""
    return f"{name_of(step.uid)}: {_place(step.start, lang)} → {_place(step.end, lang)}{trait}"


def _tags(state: State, moves: Events, lang: str) -> dict[int, list[Tag]]:
    """For animals that moved: where from, or where to if the state is that before the step."""
    found: dict[int, list[Tag]] = {}
    for step in steps(moves):
        animal = find(state, step.uid)
        if animal is not None and animal.loc in (step.start, step.end):
            came = animal.loc == step.end
            way = text(f"from-{LOCATIONS[step.start]}" if came else f"to-{LOCATIONS[step.end]}", lang)
            trait = f" ({name_of_cause(step.trait, lang)})" if step.trait else ""
            found[step.uid] = [Tag(f"{way}{trait}", "focus")]
    return found


# the picture


class _Plan(NamedTuple):
    """Where everything goes: the areas of the three locations, and how wide and high they are."""

    areas: tuple[Area, ...]
    land: float
    sea: float
    heights: tuple[float, float, float]
    between: float

    @property
    def height(self) -> float:
        return self.heights[OCEAN]

    @property
    def tight(self) -> bool:
        """Is an area too narrow for its cards?"""
        return any(area.tight for area in self.areas)


def continents_scene(state: State, lang: str, theme: str, moves: Events, width: float) -> Scene:
    """The picture as shapes."""
    colours, title, moves = palette(theme), text("continents-title", lang), tuple(moves)
    graph, pairs, width = continents_graph(state, moves), links_graph(state), max(NARROWEST, width)
    plan = min(
        (_plan(state, graph, pairs, moves, lang, width, share / 100) for share in SHARES),
        key=lambda found: (found.tight, round(found.height)),
    )
    gap = _gap(width, lang)
    ocean_x = MARGIN + plan.land + gap
    low = TOP + plan.heights[LAURASIA] + plan.between
    corners = ((MARGIN, TOP, plan.land), (MARGIN, low, plan.land), (ocean_x, TOP, plan.sea))
    shapes: list[Shape] = [Label(MARGIN, 22, title, colours.text, 14, bold=True)]
    for area, (x, y, wide), tall in zip(plan.areas, corners, plan.heights, strict=True):
        shapes += _area(state, pairs, area, (x, y, wide, tall), colours, lang)
    shapes += _land_crossing(graph, MARGIN, low - plan.between, plan.between, plan.land, colours, lang)
    for loc in (LAURASIA, GONDWANA):
        middle = corners[loc][1] + plan.heights[loc] / 2
        shapes += _sea_crossing(graph, loc, (MARGIN + plan.land, middle), gap, colours, lang)
    bottom = TOP + plan.height + 20
    for line in wrap(text("who-crosses", lang), width - 2 * MARGIN, 11):
        shapes.append(Label(MARGIN, bottom, line, colours.muted, 11))
        bottom += LINE
    return Scene(width, bottom + 2, colours.page, tuple(shapes), title, continents_text(state, lang, moves))


def _gap(width: float, lang: str) -> float:
    return GAP[lang] + (18 if width >= 900 else 0)


def _plan(
    state: State,
    graph: nx.Graph[str],
    pairs: nx.MultiDiGraph[int],
    moves: Events,
    lang: str,
    width: float,
    share: float,
) -> _Plan:
    gap, tags = _gap(width, lang), _tags(state, moves, lang)
    room = width - 2 * MARGIN - gap
    land = round(room * share)
    areas = tuple(
        plan_area(state, pairs, loc, room - land if loc == OCEAN else land, tags, lang) for loc in range(len(LOCATIONS))
    )
    needs = [max(areas[loc].height, _sea_height(graph, loc, gap)) for loc in (LAURASIA, GONDWANA)]
    between = 14 + LINE * len(_land_lines(graph, land, lang))
    height = max(areas[OCEAN].height, sum(needs) + between)
    spare = (height - sum(needs) - between) / 2
    return _Plan(areas, land, room - land, (needs[0] + spare, needs[1] + spare, height), between)


def _area(
    state: State, pairs: nx.MultiDiGraph[int], area: Area, frame: tuple[float, float, float, float], colours: Palette,
    lang: str,
) -> list[Shape]:  # fmt: skip
    x, y, wide, tall = frame
    acts = location_acted(state.acted) == area.loc
    fill = colours.sea if area.loc == OCEAN else colours.lane
    name = _place(area.loc, lang)
    shapes: list[Shape] = [
        Box(x, y, wide, tall, colours.accent if acts else colours.line, fill, thick=2 if acts else 1.2, title=name),
        Label(x + PAD, y + 18, name, colours.text, 14, bold=True),
        *_bank(state.bank[area.loc], x + PAD, y + 39, wide - 2 * PAD, colours, lang),
    ]
    note = text("acts-here", lang, chr(65 + state.player)) if acts else text("animals", lang, area.animals)
    size = min(11, (wide - 2 * PAD - 8 - width_of(name, 14, True)) / len(note) / 0.62)
    shapes.append(Label(x + wide - PAD, y + 18, note, colours.accent if acts else colours.muted, size, "end"))
    if not area.animals:
        shapes.append(Label(x + PAD, y + HEAD + 14, text("nobody", lang), colours.muted, 11.5))
    top = y + HEAD
    for shelf in area.shelves:
        left, head = x + PAD, head_of(shelf)
        for block in shelf:
            shapes += _block(pairs, block, left, top + head - block.rows[0].room, area.card, colours, lang)
            left += block.width + ASIDE
        top += shelf_height(shelf) + BESIDE + 4
    return shapes


def _bank(n: int, x: float, y: float, room: float, colours: Palette, lang: str) -> list[Shape]:
    """The food of a location: the number, and as many discs as there is room for."""
    words = text("bank-of", lang, n)
    left = x + width_of(words, 11.5) + 10
    fit = int((x + room - left) // 11)
    shown = n if n <= fit else fit - 1
    discs = [Mark(left + 11 * i, y, colours.red, "disc", 4.5) for i in range(shown)]
    more = [Label(left + 11 * shown - 3, y, "…", colours.red, 11.5)] if shown < n else []
    return [Label(x, y, words, colours.text, 11.5), *discs, *more]


def _block(
    pairs: nx.MultiDiGraph[int], block: Block, x: float, y: float, wide: float, colours: Palette, lang: str
) -> list[Shape]:
    """One owner's animals; the owner's letter beside each row."""
    shapes: list[Shape] = []
    start = y
    for row in block.rows:
        top = y + row.room
        shapes.append(Label(x + 6, top + 14, chr(65 + block.seat), colours.text, 13, "middle", True))
        spots = {uid: (x + left, card) for uid, (left, card) in row.spots.items()}
        shapes += pair_arcs(pairs, spots, row.levels, top, colours, lang, STEP)
        for card in row.cards:
            shapes += card_shapes(card, spots[card.animal.uid][0], top, wide, colours, lang)
        y += row.height + BESIDE
    return shapes + _beside(pairs, block, x, start, colours, lang)


def _beside(pairs: nx.MultiDiGraph[int], block: Block, x: float, y: float, colours: Palette, lang: str) -> list[Shape]:
    """Lines to the left of the cards for pair traits that join the first cards of two rows."""
    tops: dict[int, float] = {}
    for row in block.rows:
        tops[row.cards[0].animal.uid] = y + row.room
        y += row.height + BESIDE
    shapes: list[Shape] = []
    left, lane = x + LABEL, x + LABEL - 4
    for u, v, data in pairs.edges(data=True):
        if u in tops and v in tops and lane > x + LABEL - 12:
            words, colour, dashed = pair_words(u, v, data, lang), colours(pair_role(data)), faint(data)
            shift = 28 + (left - lane) * 2
            corners = (
                (left, tops[u] + shift),
                (lane, tops[u] + shift),
                (lane, tops[v] + shift),
                (left, tops[v] + shift),
            )
            for i, (first, last) in enumerate(pairwise(corners)):
                heads = int(i == 2 and data["directed"])
                shapes.append(Line(*first, *last, colour, heads, dashed=dashed, title=words))
            lane -= 3.5
    return shapes


# crossings


def _names(graph: nx.Graph[str], start: int, end: int) -> str:
    """The animals that went this way."""
    taken = graph.edges[LOCATIONS[start], LOCATIONS[end]]["moves"]
    return ", ".join(dict.fromkeys(name_of(step.uid) for step in taken if step.start == start))


def _land_lines(graph: nx.Graph[str], room: float, lang: str) -> list[tuple[str, str]]:
    """(words, role) of the lines between the continents: who may cross, who went down, who went up."""
    ways = graph.edges["laurasia", "gondwana"]["ways"]
    lines = [(_who(ways, lang), "text")]
    if "fly" in ways:
        lines += [(line, "muted") for line in wrap(text("skip-ocean", lang), room - 80, 11)]
    for sign, start, end in (("↓", LAURASIA, GONDWANA), ("↑", GONDWANA, LAURASIA)):
        if names := _names(graph, start, end):
            lines += [(line, "focus") for line in wrap(f"{sign} {names}", room - 80, 11)]
    return lines


def _land_crossing(
    graph: nx.Graph[str], x: float, y: float, tall: float, wide: float, colours: Palette, lang: str
) -> list[Shape]:
    lines = _land_lines(graph, wide, lang)
    shapes: list[Shape] = [Line(x + 24, y + 2, x + 24, y + tall - 2, colours.muted, 2, title=lines[0][0])]
    left = x + 42
    for start, end in ((LAURASIA, GONDWANA), (GONDWANA, LAURASIA)):
        if names := _names(graph, start, end):
            first, last = (y + 2, y + tall - 2) if start == LAURASIA else (y + tall - 2, y + 2)
            shapes.append(Line(left - 2, first, left - 2, last, colours.focus, 1, 2.6, title=names))
            left += 14
    for i, (words, role) in enumerate(lines):
        shapes.append(Label(left, y + 7 + LINE * (i + 0.5), words, colours(role), 11))
    return shapes


def _sea_lines(graph: nx.Graph[str], loc: int, gap: float) -> list[tuple[int, list[str]]]:
    """(direction, lines of names) for the steps between a continent and the Ocean; 1 is to the Ocean."""
    found = []
    for sign, start, end in ((1, loc, OCEAN), (-1, OCEAN, loc)):
        if names := _names(graph, start, end):
            found.append((sign, wrap(names, gap - 10, 11)))
    return found


def _sea_height(graph: nx.Graph[str], loc: int, gap: float) -> float:
    return 48 + sum(LINE * len(lines) + 16 for _, lines in _sea_lines(graph, loc, gap))


def _sea_crossing(
    graph: nx.Graph[str], loc: int, at: tuple[float, float], gap: float, colours: Palette, lang: str
) -> list[Shape]:
    """The line from a continent to the Ocean with its words above, arrows of those who went below."""
    who = _who(graph.edges[LOCATIONS[loc], "ocean"]["ways"], lang)
    x, middle = at
    left, right, centre = x + 3, x + gap - 3, x + gap / 2
    y = middle - _sea_height(graph, loc, gap) / 2 + 26
    shapes: list[Shape] = [
        Label(centre, y - 13, who, colours.text, min(11, (right - left) / len(who) / 0.72), "middle"),
        Line(left, y, right, y, colours.muted, 2, title=who),
    ]
    y += 12
    for sign, lines in _sea_lines(graph, loc, gap):
        for line in lines:
            shapes.append(Label(centre, y + 4, line, colours.focus, 11, "middle"))
            y += LINE
        first, last = (left, right) if sign > 0 else (right, left)
        shapes.append(Line(first, y + 4, last, y + 4, colours.focus, 1, 2.6, title=" ".join(lines)))
        y += 16
    return shapes
