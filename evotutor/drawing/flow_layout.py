"""Where everything stands in a picture of food flow: three columns of boxes and the ribbons between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from evotutor.core.flow import BEFORE, Graph, Place, TokenMove, is_bank, moves_of

PER_TOKEN, GAP, LEAST = 7.0, 12.0, 28.0
DIRECT = ("leftover", "lost", "cleared")
"""Sinks that no trait feeds: their ribbons pass the middle column without a box."""
GROUPS = {"lost": "the-dead", "cleared": "survivors"}
"""Sinks of the end of a turn, and the one box that stands for all animals that give to them."""


@dataclass
class Slot:
    """A box of the picture: `key` is ("from", place), ("by", name), ("past", place, place) or ("to", place)."""

    key: tuple[Any, ...]
    tokens: int = 0
    height: float = LEAST
    top: float = 0.0
    weights: list[tuple[Slot, int]] = field(default_factory=list)

    @property
    def middle(self) -> float:
        """The height of the box's middle."""
        return self.top + self.height / 2


@dataclass
class Ribbon:
    """Tokens of one colour between two boxes; y are the middles of its ends once `place` has run."""

    start: Slot
    end: Slot
    colour: str
    n: int
    faint: bool
    y0: float = 0.0
    y1: float = 0.0


@dataclass
class Layout:
    """Columns of boxes, left to right, and the ribbons."""

    columns: tuple[list[Slot], list[Slot], list[Slot]]
    ribbons: list[Ribbon]
    height: float


def is_shown(move: TokenMove) -> bool:
    """Filling the bank is not drawn: its box says how much there was.  Nor is what lay in the bank before."""
    return move.source != "box" and not (move.source == BEFORE and is_bank(move.sink))


def owner(place: Place) -> Place:
    """The animal whose fat this is, or the place itself."""
    return place[1] if isinstance(place, tuple) and not is_bank(place) else place


def layout(graph: Graph) -> Layout:
    """Arrange a flow graph."""
    slots: dict[tuple[Any, ...], Slot] = {}
    flows: dict[tuple[Any, ...], Ribbon] = {}

    def slot(*key: Any) -> Slot:
        return slots.setdefault(key, Slot(key))

    def flow(start: Slot, end: Slot, colour: str, n: int, faint: bool) -> None:
        ribbon = flows.setdefault((start.key, end.key, colour), Ribbon(start, end, colour, 0, faint))
        ribbon.n += n

    for move in filter(is_shown, moves_of(graph)):
        direct = move.source == BEFORE or move.sink in DIRECT
        target = owner(move.sink)
        source = GROUPS.get(move.sink, move.source)
        middle = slot("past", source, target) if direct else slot("by", move.by)
        flow(slot("from", source), middle, _colour_before(move), move.n, direct)
        flow(middle, slot("to", target), move.colour, move.n, direct)
    for place, data in graph.nodes(data=True):
        if data["kind"] == "animal" and ("have" in data or data.get("dead")):
            slot("to", place)
    return _place(list(slots.values()), list(flows.values()), graph)


def _colour_before(move: TokenMove) -> str:
    if move.source == BEFORE:
        return move.colour
    if isinstance(move.source, tuple) and not is_bank(move.source):
        return "yellow"
    if move.colour == "yellow":
        return "blue" if move.source == "stock" else "red"
    return move.colour


def _place(slots: list[Slot], ribbons: list[Ribbon], graph: Graph) -> Layout:
    for ribbon in ribbons:
        ribbon.start.weights.append((ribbon.end, ribbon.n))
    for s in slots:
        given, got = (sum(r.n for r in ribbons if end(r) is s) for end in (_start, _end))
        s.tokens = max(given, got)
        s.height = max(LEAST if s.key[0] != "past" else 0.0, s.tokens * PER_TOKEN + 4)
    sources = sorted((s for s in slots if s.key[0] == "from"), key=lambda s: _source_order(s.key[1]))
    middle = [s for s in slots if s.key[0] in ("by", "past")]
    targets = sorted((s for s in slots if s.key[0] == "to"), key=lambda s: _target_order(s.key[1], graph))
    height = max(sum(s.height + GAP for s in column) + _seams(column) * GAP for column in (sources, middle, targets))
    _stack(targets, height)
    for column in (middle, sources):
        _settle(column, height)
    for s in slots:
        _attach(s, [r for r in ribbons if r.start is s], lambda r: r.end.middle, "y0")
        _attach(s, [r for r in ribbons if r.end is s], lambda r: r.start.middle, "y1")
    middle.sort(key=lambda s: s.top)
    return Layout((sources, middle, targets), ribbons, max(height - GAP, LEAST))


def _start(ribbon: Ribbon) -> Slot:
    return ribbon.start


def _end(ribbon: Ribbon) -> Slot:
    return ribbon.end


def _source_order(place: Place) -> tuple[int, str]:
    if is_bank(place):
        return 0, str(place)
    order = {"stock": 1, BEFORE: 4, "survivors": 5, "the-dead": 6}
    return order.get(place, 2) if isinstance(place, str) else 3, f"{owner(place):>9}"


def _target_order(place: Place, graph: Graph) -> tuple[int, int, str]:
    if graph.nodes[place]["kind"] == "animal" if place in graph else isinstance(place, int):
        return 0, place if isinstance(place, int) else 0, str(place)
    return 1, 0, str(place)


def _group(s: Slot) -> Any:
    return s.key[1] >> 8 if isinstance(s.key[1], int) else "sinks"


def _seams(column: list[Slot]) -> int:
    """How often one player's animals give way to another's; a wider gap is left there."""
    if not column or column[0].key[0] != "to":
        return 0
    return sum(_group(a) != _group(b) for a, b in pairwise(column))


def _stack(column: list[Slot], height: float) -> None:
    top = (height - sum(s.height + GAP for s in column) - _seams(column) * GAP) / 2
    for i, s in enumerate(column):
        if i and _group(column[i - 1]) != _group(s):
            top += GAP
        s.top = top
        top += s.height + GAP


def _settle(column: list[Slot], height: float) -> None:
    """Put each box as near as possible to the middle of what it feeds, without overlap."""
    wish = {id(s): _mean(s) for s in column}
    column.sort(key=lambda s: wish[id(s)])
    free = 0.0
    for s in column:
        s.top = max(free, wish[id(s)] - s.height / 2)
        free = s.top + s.height + GAP
    limit = height - GAP
    for s in reversed(column):
        s.top = min(s.top, limit - s.height)
        limit = s.top - GAP


def _mean(s: Slot) -> float:
    weight = sum(n for _, n in s.weights)
    return sum(end.middle * n for end, n in s.weights) / weight if weight else 0.0


def _attach(s: Slot, ribbons: list[Ribbon], far: Callable[[Ribbon], float], name: str) -> None:
    """Spread the ends of ribbons over one side of a box, in the order of their other ends."""
    y = s.middle - sum(r.n for r in ribbons) * PER_TOKEN / 2
    for ribbon in sorted(ribbons, key=lambda r: (far(r), r.colour)):
        setattr(ribbon, name, y + ribbon.n * PER_TOKEN / 2)
        y += ribbon.n * PER_TOKEN
