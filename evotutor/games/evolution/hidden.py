"""Hidden cards: what a player sees, how the rest could be, and what search may forget."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Final

from evotutor.games.evolution.catalog import CARD_OF_FACE, CARDS, GENERIC, TRAIT_OF_FACE, UNKNOWN, bit
from evotutor.games.evolution.state import FEEDING, PARTNER, PLACE, REMAINS, REVEALED, State, shells
from evotutor.games.evolution.time_to_fly import ANGLERFISH

SPENT_WHEN_FULL: Final = bit["carnivorous"] | bit["piracy"]
"""Once-per-turn traits that a fed and full animal has no use for."""


def _blank(cards: bytes) -> bytes:
    return bytes((UNKNOWN,)) * len(cards)


def _shown(state: State, seat: int, hand: bytes) -> bytes:
    """A hand as the others see it: unknown cards, but for the one that its owner is just placing."""
    placing = next((frame[1] for frame in state.stack if frame[0] in (PLACE, PARTNER)), None)
    if placing is None or seat != state.player:
        return _blank(hand)
    return bytes(sorted(_blank(hand[1:]) + bytes((placing,))))


def observe(state: State, player: int) -> State:
    """Hands, discards and animal bodies of the others and the order and content of the deck become unknown."""
    return state._replace(
        deck=_blank(state.deck + state.top),
        top=b"",
        hands=tuple(h if seat == player else _shown(state, seat, h) for seat, h in enumerate(state.hands)),
        discards=tuple(d if seat == player else _blank(d) for seat, d in enumerate(state.discards)),
        herds=tuple(
            herd if seat == player else tuple(a if a.flags & REVEALED else a._replace(body=UNKNOWN) for a in herd)
            for seat, herd in enumerate(state.herds)
        ),
    )


def told(state: State) -> tuple[list[int], list[int]]:
    """What shows in this (observed) state: card codes, and traits on the table whose card nobody told."""
    faces = [f for herd in state.herds for a in herd for f in a.faces] + [link[3] for link in state.links.links]
    known = [c for pile in (*state.hands, *state.discards, state.deck, state.top, shells(state)) for c in pile]
    known += [a.body for herd in state.herds for a in herd] + [CARD_OF_FACE[f] for f in faces if f < GENERIC]
    return [card for card in known if card != UNKNOWN], [TRAIT_OF_FACE[f] for f in faces if f >= GENERIC]


def _unseen(state: State, full_deck: bytes) -> list[int]:
    """Cards of the box that do not show anywhere in this (observed) state."""
    left = Counter(full_deck)
    known, traits = told(state)
    for card in known:
        if left[card]:
            left[card] -= 1
    for trait in traits:
        fitting = [c for c in left if left[c] and trait in CARDS[c].traits]
        if fitting:
            left[max(fitting, key=lambda c: left[c])] -= 1
    return sorted(left.elements())


def resample(state: State, player: int, rng: Random, box: bytes) -> State:
    """Deal the unseen cards of the box at random to all unknown places; places beyond the box stay unknown."""
    seen = observe(state, player)
    pool = _unseen(seen, box)
    rng.shuffle(pool)

    def fill(pile: bytes) -> bytes:
        return bytes(sorted(pool.pop() if card == UNKNOWN and pool else card for card in pile))

    hands = tuple(map(fill, seen.hands))
    herds = tuple(
        tuple(
            a._replace(body=fill(bytes((a.body,)))[0]) if a.body == UNKNOWN and not a.flags & REMAINS else a
            for a in herd
        )
        for herd in seen.herds
    )
    rest = fill(seen.deck)
    return seen._replace(hands=hands, herds=herds, deck=rest, discards=tuple(map(fill, seen.discards)))


def search_key(state: State, ordered: bool, anglers: bool = False, plain: bool = False) -> Any:
    """Forget colours, bodies, names of unlinked animals, turn and round, what lies in discards; in feeding also hands.

    `anglers`: a hidden Anglerfish is not like other animals.  `plain`: the base game, where what is fed and full takes
    no more part in feeding, so what it has used does not matter.
    `ordered`: the order of the animals matters (ruling `scavenger-choice: leftmost`), so rows keep it.
    """
    named = {uid for link in state.links.links for uid in link[1:3]}
    for frame in state.stack:
        for n in frame:
            if isinstance(n, int):
                named.add(n)
            elif isinstance(n, tuple):
                named.update(mover[0] for mover in n if mover)
    for herd in state.herds:
        for a in herd:
            if a.more:
                named.update(hunter for hunter, _ in a.more)
    rows = []
    for herd in state.herds:
        row = []
        for uid, body, faces, _, need, red, blue, fat, fatcards, used, flags, loc, more in herd:
            have = red + blue
            if plain and have >= need and fat == fatcards:
                used |= SPENT_WHEN_FULL
            angler = anglers and body == ANGLERFISH and not flags & REVEALED
            row.append((uid if uid in named else -1, faces, have, fat, used, flags, loc, more, angler))
        if not ordered:
            row.sort()
        rows.append(tuple(row))
    hands: Any = tuple(map(len, state.hands)) if state.phase == FEEDING else state.hands
    return (
        state.phase, state.first, state.player, state.acted, state.idle, state.passed, state.bank, state.deck,
        state.top, hands, tuple(map(len, state.discards)), tuple(rows), state.numbers, state.links, state.spent,
        state.stack, state.more,
    )  # fmt: skip
