"""The tokens of a state in the words of `evotutor.core.flow`: what lies where, and how hungry the animals are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from evotutor.core.flow import Graph, Place, Purse, flow_graph, kind_of
from evotutor.games.evolution.locations import LOCATIONS, OCEAN
from evotutor.games.evolution.state import Animal, State, is_fed, name_of


def tokens(state: State) -> dict[Place, Purse]:
    """All tokens on the table: "bank", animals (red, blue) and their fat; empty places are left out.

    With Continents each location has its bank, ``("bank", location)``.

    Events and this function name places alike, so ``fold_tokens(tokens(old), events) == tokens(new)``.
    """
    found: dict[Place, Purse] = {}
    for loc, n in enumerate(state.bank):
        if n:
            found["bank" if len(state.bank) == 1 else ("bank", loc)] = {"red": n}
    for herd in state.herds:
        for animal in herd:
            purse = {colour: n for colour, n in (("red", animal.red), ("blue", animal.blue)) if n}
            if purse:
                found[animal.uid] = purse
            if animal.fat:
                found["fat", animal.uid] = {"yellow": animal.fat.bit_count()}
    return found


def food_flow(
    before: State, events: Iterable[Sequence[Any]], after: State | None = None, rounds: Sequence[int] | int = 0
) -> Graph:
    """The food flow between two states, its animals named; with `after` also their have, need and fat."""
    graph = flow_graph(events, tokens(before), rounds)
    for herd in before.herds:
        graph.add_nodes_from((a.uid, {"kind": "animal"}) for a in herd)
    name_places(graph)
    if after is not None:
        mark_hunger(graph, after)
    return graph


def name_places(graph: Graph) -> None:
    """Write the animals' names on a graph of uids."""
    for place, data in graph.nodes(data=True):
        if data["kind"] == "animal":
            data["name"] = name_of(place)
        elif data["kind"] == "fat":
            data["name"] = f"fat of {name_of(place[1])}"
        elif isinstance(place, tuple):
            data["name"] = f"bank of {LOCATIONS[place[1]].capitalize()}" if place[1] != OCEAN else "bank of the Ocean"


def mark_hunger(graph: Graph, state: State) -> None:
    """Write on the graph what each animal has and needs in this state; animals that got nothing are added.

    Node attributes: have, need, fat, hungry, seat; dead=True on animals that are gone.
    """
    alive = {animal.uid: animal for herd in state.herds for animal in herd}
    for uid, animal in alive.items():
        if uid not in graph:
            graph.add_node(uid, kind=kind_of(uid), name=name_of(uid))
        graph.nodes[uid].update(_hunger(animal))
    for place, data in graph.nodes(data=True):
        if data["kind"] == "animal" and place not in alive:
            data["dead"] = True


def _hunger(animal: Animal) -> dict[str, Any]:
    return {
        "have": animal.red + animal.blue,
        "need": animal.need,
        "fat": animal.fat.bit_count(),
        "hungry": not is_fed(animal),
        "seat": animal.uid >> 8,
    }
