"""Where animals live with Continents: three locations as a graph whose edges say who may cross (S0, C12).

Land animals walk between the continents, swimmers pass between a continent and the Ocean, light flyers fly from
continent to continent.  `crossing` is the same graph as a table of bits for the rules.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import networkx as nx

LAURASIA, GONDWANA, OCEAN = range(3)
LOCATIONS: Final = ("laurasia", "gondwana", "ocean")
CONTINENTS: Final = (LAURASIA, GONDWANA)
WALK, SWIM, FLY = 1, 2, 4
WAYS: Final = {"walk": WALK, "swim": SWIM, "fly": FLY}
"""Ways of crossing: a land animal walks, a swimming one swims, one with Flight and at most two traits flies."""

FOOD: Final = {
    2: ((1, 0), (1, 2), 3), 3: ((1, 0), (2, 0), 4), 4: ((1, 2), (2, 0), 5), 5: ((1, 3), (2, 2), 6),
    6: ((1, 5), (2, 3), 7), 7: ((2, 2), (3, 2), 8), 8: ((2, 2), (3, 4), 9),
}  # fmt: skip
"""Players -> (dice, tokens added) in Laurasia and in Gondwana, and the tokens of the Ocean (C12)."""


@cache
def graph() -> nx.Graph[str]:
    """The three locations.

    Edges carry `ways`, the set of ways in which an animal may cross, and `follow`: a Suckerfish that follows a migrant
    there needs one of the same ways, but no Migration.
    """
    found: nx.Graph[str] = nx.Graph()
    _join(found, "laurasia", "gondwana", "walk", "fly")
    for continent in ("laurasia", "gondwana"):
        _join(found, continent, "ocean", "swim")
    return nx.freeze(found)


def _join(found: nx.Graph[str], start: str, end: str, *ways: str) -> None:
    found.add_edge(start, end, ways=frozenset(ways), follow=frozenset(ways))


def _bits(start: str, end: str) -> int:
    data = graph().get_edge_data(start, end) or {"ways": ()}
    return sum(WAYS[way] for way in data["ways"])


CROSSING: Final = tuple(tuple(_bits(start, end) for end in LOCATIONS) for start in LOCATIONS)
"""``CROSSING[start][end]``: bits of the ways that lead there, 0 for none and for staying."""
