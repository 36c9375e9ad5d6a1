"""Where the animals of a location go: blocks of one owner in rows, several small blocks side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import networkx as nx

from evotutor.drawing.cards import NARROW, WIDE, Card, Tag, prepare
from evotutor.drawing.pairs import Levels, levels_of, pair_mark, pair_role, room_of, rows_of
from evotutor.drawing.palette import name_of_cause
from evotutor.games.evolution.state import Animal, State, name_of

FULL = 9
"""Most animals of a location whose traits are listed."""
STEP, BESIDE, LABEL, PAD = 24.0, 10.0, 22.0, 12.0
"""Height of an arc's level, room between cards, room for the owner's letter, inner edge of a location."""
NO_BREAK = "\u00a0"
ASIDE = 16.0
"""Room between blocks."""
HEAD = 54.0
"""Height of a location's name and bank."""


class Row(NamedTuple):
    """Animals of one owner side by side: spots are relative to the block's left edge."""

    cards: tuple[Card, ...]
    spots: dict[int, tuple[float, float]]
    levels: Levels
    room: float

    @property
    def height(self) -> float:
        """The tallest card with the arcs above."""
        return self.room + max(card.height for card in self.cards)


class Block(NamedTuple):
    """The animals of one owner in a location."""

    seat: int
    rows: tuple[Row, ...]
    width: float

    @property
    def height(self) -> float:
        """All rows with the room between them."""
        return sum(row.height for row in self.rows) + BESIDE * (len(self.rows) - 1)


def head_of(shelf: Sequence[Block]) -> float:
    """Room for arcs over the first row of a shelf."""
    return max(block.rows[0].room for block in shelf)


def shelf_height(shelf: Sequence[Block]) -> float:
    """The height of blocks side by side, their first cards at the same height."""
    return max(head_of(shelf) - block.rows[0].room + block.height for block in shelf)


class Area(NamedTuple):
    """A location: shelves of blocks, how wide a card is here, and whether the area is too narrow for one."""

    loc: int
    shelves: tuple[tuple[Block, ...], ...]
    card: float
    animals: int
    tight: bool

    @property
    def height(self) -> float:
        """What the area needs at least."""
        shelves = sum(shelf_height(shelf) + BESIDE + 4 for shelf in self.shelves)
        return HEAD + (shelves or 30.0) + 4


def plan_area(
    state: State, graph: nx.MultiDiGraph[int], loc: int, width: float, tags: dict[int, list[Tag]], lang: str
) -> Area:
    """Lay out the animals of a location in an area of this width."""
    herds = [[animal for animal in herd if animal.loc == loc] for herd in state.herds]
    animals = sum(map(len, herds))
    full = animals <= FULL
    wide, room = (WIDE if full else NARROW)[lang], width - 2 * PAD
    most = int((room - LABEL + BESIDE) // (wide + BESIDE))
    found = []
    for per_row in range(max(1, most), min(2, most) - 1, -1):
        blocks = [
            _block(state, graph, seat, herd, max(1, per_row), wide, tags, lang, full)
            for seat, herd in enumerate(herds)
            if herd
        ]
        found.append(Area(loc, _shelves(blocks, room), wide, animals, most < 1))
    return min(found, key=lambda area: round(area.height))


def _shelves(blocks: Sequence[Block], room: float) -> tuple[tuple[Block, ...], ...]:
    """The blocks side by side as long as there is room, then below each other."""
    shelves: list[list[Block]] = []
    used = 0.0
    for block in blocks:
        if not shelves or used + ASIDE + block.width > room:
            shelves.append([])
            used = -ASIDE
        shelves[-1].append(block)
        used += ASIDE + block.width
    return tuple(map(tuple, shelves))


def _block(
    state: State, graph: nx.MultiDiGraph[int], seat: int, herd: list[Animal], per_row: int, wide: float,
    tags: dict[int, list[Tag]], lang: str, full: bool,
) -> Block:  # fmt: skip
    rows = []
    for animals in rows_of(graph, herd, per_row):
        spots = {a.uid: (LABEL + i * (wide + BESIDE), wide) for i, a in enumerate(animals)}
        levels = levels_of(graph, spots, lang)
        cards = tuple(
            prepare(
                a, state.links.count(a.uid), [*_elsewhere(graph, a.uid, spots, lang), *tags.get(a.uid, [])], lang, full
            )
            for a in animals
        )
        rows.append(Row(cards, spots, levels, room_of(levels, STEP) - 8 if levels else 0.0))
    longest = max(len(row.cards) for row in rows)
    return Block(seat, tuple(rows), LABEL + longest * (wide + BESIDE) - BESIDE)


def _elsewhere(graph: nx.MultiDiGraph[int], uid: int, spots: dict[int, tuple[float, float]], lang: str) -> list[Tag]:
    """Pair traits whose other end is not in this row."""
    found = []
    for u, v, data in graph.edges(data=True):
        if uid in (u, v) and not (u in spots and v in spots):
            other, sign = (v, "→") if uid == u else (u, "←")
            words = f"{sign if data['directed'] else '–'} {name_of(other)}{pair_mark(data, lang)}".replace(
                " ", NO_BREAK
            )
            found.append(Tag(f"{name_of_cause(data['trait'], lang)} {words}", pair_role(data)))
    return found
