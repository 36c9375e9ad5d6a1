"""Food flow: where every token came from and went to, as a graph built from events.

Nodes are the places of `model.TOKENS`: "bank" (with Continents ``("bank", location)``, three of them), "stock", "box"
(the red tokens before they are put into the bank), animals (their uids), ``("fat", uid)`` for the yellow tokens of an
animal, the sinks, and "before", from which every token that lay on the table at the beginning comes.  So what flows
into a place, less what flows out, lies there now.

Edges carry `colour` (at the sink), `n`, `rule`, `by` (the trait or chapter of the rule: what moved the tokens), `card`,
`event` (its index) and `round`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import networkx as nx

Place = Any
"""A place of tokens: a word, an animal's uid, or ("fat", uid)."""
Purse = dict[str, int]
"""Tokens in one place, colour -> number."""
Tokens = Mapping[Place, Mapping[str, int]]
"""All tokens on a table, place -> purse."""
Graph: TypeAlias = "nx.MultiDiGraph[Any]"

BEFORE: Final = "before"
SOURCES: Final = ("bank", "stock", "box")
SINKS: Final = ("grazed", "wasted", "lost", "leftover", "cleared")
COLOURS: Final = ("red", "blue", "yellow")
ENDLESS: Final = frozenset(("stock", "box"))
"""Sources that never run out: the box of tokens beside the table."""


class TokenMove(NamedTuple):
    """Tokens that moved together: `colour` is theirs at the sink, `by` the part of the rule before the dot."""

    source: Place
    sink: Place
    colour: str
    n: int
    rule: str
    by: str
    card: str
    event: int
    round: int


class Row(NamedTuple):
    """One line of the flow as a table; places are names."""

    source: str
    sink: str
    colour: str
    n: int
    by: str
    round: int


class Imbalance(NamedTuple):
    """A place whose tokens are not what flowed in less what flowed out."""

    place: Place
    expected: int
    found: int


def token_moves(events: Iterable[Sequence[Any]], rounds: Sequence[int] | int = 0) -> Iterator[TokenMove]:
    """The moves of tokens among raw events.

    `rounds` says in which round the events happened: one number for all, or one for each event.
    """
    for index, event in enumerate(events):
        if event[0] != "transfer":
            continue
        _kind, rule, _parent, source, sink, colour, n, *rest = event
        turn = rounds if isinstance(rounds, int) else rounds[index]
        yield TokenMove(source, sink, colour, n, rule, rule.partition(".")[0], rest[0] if rest else "", index, turn)


def flow_graph(events: Iterable[Sequence[Any]], before: Tokens | None = None, rounds: Sequence[int] | int = 0) -> Graph:
    """The flow of any stretch of play; `before` are the tokens on the table when it began (see `fold_tokens`)."""
    graph: Graph = nx.MultiDiGraph()
    for place, purse in (before or {}).items():
        for colour, n in purse.items():
            if n:
                _flow(graph, TokenMove(BEFORE, place, colour, n, "", "", "", -1, 0))
    for move in token_moves(events, rounds):
        _flow(graph, move)
    return graph


def _flow(graph: Graph, move: TokenMove) -> None:
    for place in (move.source, move.sink):
        if place not in graph:
            graph.add_node(place, kind=kind_of(place), name=str(place))
    graph.add_edge(move.source, move.sink, **move._asdict())


def kind_of(place: Place) -> str:
    """What sort of place this is: before, source, sink, fat or animal."""
    if place == BEFORE:
        return "before"
    if isinstance(place, tuple):
        return "fat" if place[0] == "fat" else "source"
    return "source" if place in SOURCES else "sink" if place in SINKS else "animal"


def is_bank(place: Place) -> bool:
    """Is this the food bank, or that of a location: ("bank", location)?"""
    return place == "bank" or (isinstance(place, tuple) and place[0] == "bank")


def moves_of(graph: Graph) -> list[TokenMove]:
    """The moves in a graph in the order in which they happened, the opening stock first."""
    moves = (TokenMove(**{key: data[key] for key in TokenMove._fields}) for _, _, data in graph.edges(data=True))
    return sorted(moves, key=lambda move: move.event)


def until(graph: Graph, event: int) -> Graph:
    """The same flow as it stood when the event with this index had happened: for going back in time."""
    early: Graph = nx.MultiDiGraph()
    early.add_nodes_from(graph.nodes(data=True))
    early.graph.update(graph.graph)
    for move in moves_of(graph):
        if move.event <= event:
            early.add_edge(move.source, move.sink, **move._asdict())
    return early


# sums


def inflow(graph: Graph, place: Place, colour: str | None = None) -> int:
    """Tokens that came to a place, of one colour or of all."""
    return sum(d["n"] for _, _, d in graph.in_edges(place, data=True) if colour in (None, d["colour"]))


def outflow(graph: Graph, place: Place, colour: str | None = None) -> int:
    """Tokens that left a place; `colour` is theirs where they went."""
    return sum(d["n"] for _, _, d in graph.out_edges(place, data=True) if colour in (None, d["colour"]))


def balance(graph: Graph, before_tokens: Tokens, after_tokens: Tokens) -> list[Imbalance]:
    """The places where the sums do not match; empty when every token is accounted for.

    A bank, an animal or its fat holds what flowed in less what flowed out; sinks give nothing back; box, stock
    and opening stock only give.
    """
    wrong = []
    places = set(graph) | set(before_tokens) | set(after_tokens)
    for place in sorted(places, key=str):
        came, went = (inflow(graph, place), outflow(graph, place)) if place in graph else (0, 0)
        if place in ENDLESS or place == BEFORE:
            expected, found = 0, came
        elif place in SINKS:
            expected, found = 0, went
        else:
            expected, found = _count(after_tokens.get(place, {})), came - went
        if expected != found:
            wrong.append(Imbalance(place, expected, found))
    opening = sum(map(_count, before_tokens.values()))
    given = outflow(graph, BEFORE) if BEFORE in graph else 0
    if opening != given:
        wrong.append(Imbalance(BEFORE, opening, given))
    return wrong


def _count(purse: Mapping[str, int]) -> int:
    return sum(purse.values())


def totals(graph: Graph) -> dict[str, int]:
    """The sum line: red and blue tokens given out, and what each sink got (only sinks that got something).

    ``{"red": 4, "blue": 1, "wasted": 1}``; red counts tokens that left the bank for an animal or its fat.
    """
    sums = {"red": 0, "blue": 0}
    for move in moves_of(graph):
        if (is_bank(move.source) or move.source == "stock") and move.sink not in SINKS:
            sums["blue" if move.source == "stock" else "red"] += move.n
        elif move.sink in SINKS:
            sums[move.sink] = sums.get(move.sink, 0) + move.n
    return sums


# folding


def fold_tokens(before: Tokens, events: Iterable[Sequence[Any]]) -> dict[Place, Purse]:
    """The tokens on the table after the events; empty places are left out.

    Raises ValueError when an event moves a token that is not there.
    """
    table: dict[Place, Purse] = {place: dict(purse) for place, purse in before.items()}
    for move in token_moves(events):
        if move.source not in ENDLESS:
            _pay(table.get(move.source, {}), move)
        if move.sink not in SINKS:
            purse = table.setdefault(move.sink, {})
            purse[move.colour] = purse.get(move.colour, 0) + move.n
    kept = {place: {c: n for c, n in purse.items() if n} for place, purse in table.items()}
    return {place: purse for place, purse in kept.items() if purse}


def _pay(purse: Purse, move: TokenMove) -> None:
    """Take the tokens out of their source.  A token that changes colour on the way leaves in the source's colour."""
    left = move.n
    for colour in (move.colour, *COLOURS):
        part = min(left, purse.get(colour, 0))
        if part:
            purse[colour] -= part
            left -= part
    if left:
        raise ValueError(
            f"event {move.event} ({move.rule}) moves {move.n} from {move.source!r}, which has {move.n - left}"
        )


# table


def rows(graph: Graph) -> list[Row]:
    """The flow as lines in order; moves of one kind that follow each other are one line."""
    lines: list[Row] = []
    for move in moves_of(graph):
        source, sink = graph.nodes[move.source]["name"], graph.nodes[move.sink]["name"]
        line = Row(source, sink, move.colour, move.n, move.by, move.round)
        if lines and lines[-1]._replace(n=0) == line._replace(n=0):
            line = line._replace(n=lines.pop().n + move.n)
        lines.append(line)
    return lines
