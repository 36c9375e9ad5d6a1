"""Points (R14, end of the game)."""

from __future__ import annotations

from evotutor.core.model import Item, ScoreLine
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS
from evotutor.games.evolution.state import REMAINS, REVEALED, State

ANIMAL_POINTS = 2


def items(state: State, seat: int) -> tuple[Item, ...]:
    """Every point of a player: animals, trait cards, the extra need of traits, each pair card once."""
    found: list[Item] = []
    for a in state.herds[seat]:
        if not a.flags & REMAINS:
            found.append(Item(ANIMAL_POINTS, "score.animal", a.uid))
        if a.flags & REVEALED:
            found += [Item(1, "score.trait", a.uid, "carnivorous"), Item(1, "score.need", a.uid, "carnivorous")]
        for face in a.faces:
            trait = TRAITS[TRAIT_OF_FACE[face]]
            found.append(Item(1, "score.trait", a.uid, trait.id))
            if trait.points > 1:
                found.append(Item(trait.points - 1, "score.need", a.uid, trait.id))
    for number, u, _v, _face in state.links.links:
        if u >> 8 == seat:
            trait = TRAITS[number]
            found.append(Item(1, "score.pair-once", u, trait.id))
            if trait.points > 1:
                found.append(Item(trait.points - 1, "score.need", u, trait.id))
    return tuple(found)


def score(state: State) -> list[ScoreLine]:
    """Score lines in seat order; ties go to the larger discard, then the place is shared (R14; own ruling)."""
    rows = [(items(state, seat), len(state.discards[seat])) for seat in range(len(state.hands))]
    keys = [(sum(i.points for i in row), tie) for row, tie in rows]
    return [
        ScoreLine(seat, keys[seat][0], row, tie, 1 + sum(other > keys[seat] for other in keys))
        for seat, (row, tie) in enumerate(rows)
    ]
