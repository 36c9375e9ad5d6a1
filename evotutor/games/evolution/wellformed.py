"""Everything that could be said about a table, legal or not: what the tests of `why_not` are asked.

Verbs of later modules are said where the table could make somebody say them: where their trait lies somewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from evotutor.core.model import Move
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import CARDS, TRAIT_OF_FACE, TRAITS, UNKNOWN, bit, card_name
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.games.evolution.position_animals import ANGLERFISH, card_word
from evotutor.games.evolution.state import (
    FOLLOW,
    FOOD_PAIRS,
    MOVING,
    RECOMBINATION,
    REMAINS,
    Animal,
    State,
    name_of,
    shells,
)

ONE_ANIMAL = (m.ON, m.AND, m.TAKE, m.ATTACK, m.TARGET, m.GRAZE, m.PIRATE, m.VICTIM, m.HIBERNATE, m.RUN, m.SCAVENGE)
MOST_FAT = 3
BY_TRAIT: Final = {
    m.AMBUSH: bit["ambush"], m.HIDE: bit["shell"], m.INK: bit["ink-cloud"], m.WARM: bit["homeothermy"],
    m.SPECIALIZE: bit["specialization-a"] | bit["specialization-b"],
}  # fmt: skip
"""Verbs with one animal that a trait brings into the game."""
VERBS: Final = {
    m.AMBUSH: "ambush", m.HIDE: "hide", m.INK: "ink", m.WARM: "warm", m.SPECIALIZE: "specialize", m.SETTLE: "settle",
    m.REVEAL: "reveal",
}  # fmt: skip
INTELLECT, METAMORPHOSE, SUCKERFISH = bit["intellect"], bit["metamorphose"], bit["suckerfish"]
MIGRATING: Final = bit["migration"] | bit["flight"]


def every_move(state: State, game: Any = None) -> Iterator[Move]:
    """Every decision that could be named: all verbs, with all animals, cards and links of the table and all hands."""
    uids = [a.uid for herd in state.herds for a in herd]
    places = [()] if len(state.bank) == 1 else [(loc,) for loc in range(len(state.bank))]
    yield from ((m.PASS,), (m.END,), (m.DECLINE,))
    for card in sorted({card for hand in state.hands for card in hand if card != UNKNOWN}):
        yield from ((m.PLAY_ANIMAL, card, *place) for place in places)
        yield from ((m.PLAY_TRAIT, card, side) for side in range(len(CARDS[card].traits)))
    for uid in uids:
        yield from ((verb, uid) for verb in ONE_ANIMAL)
        yield from ((m.CONVERT, uid, n) for n in range(1, MOST_FAT + 1))
        yield from ((m.MIMIC, uid, other) for other in uids)
    for herd in state.herds:
        for a in herd:
            yield from ((m.DROP, a.uid, place) for place in range(len(a.faces)))
    for trait, u, v, _face in state.links.links:
        for uid in (u, v):
            yield m.DROP, uid, -1, trait, u, v
            if 1 << trait & FOOD_PAIRS:
                yield m.TRIGGER, trait, u, v, uid
    table = Printed(state)
    if table.later:
        yield from _of_traits(state, table)
        yield from _of_cards(state, table)
        yield from _of_locations(state, table)


class Printed:
    """Which traits lie on the table, working or not, and which verbs of later modules they make possible."""

    def __init__(self, state: State) -> None:
        self.animals: list[Animal] = [a for herd in state.herds for a in herd]
        self.mask = 0
        for a in self.animals:
            self.mask |= a.mask
            for face in a.faces:
                self.mask |= 1 << TRAIT_OF_FACE[face]
        for link in state.links.links:
            self.mask |= 1 << link[0]
        self.fish = any(a.body == ANGLERFISH for a in self.animals)
        self.remains = any(a.flags & REMAINS for a in self.animals)
        self.locations = len(state.bank) > 1
        self.traits = [t.index for t in TRAITS if self.mask >> t.index & 1]
        self.later = (
            bool(self.mask & _TRAITS & ~_BASE) or self.fish or self.remains or self.locations or bool(shells(state))
        )
        self.verbs = [verb for verb, traits in BY_TRAIT.items() if self.mask & traits]
        self.verbs += [m.SETTLE] * bool(shells(state)) + [m.REVEAL] * self.fish
        self.ignoring = bool(self.mask & INTELLECT) or self.fish
        frame = state.stack[-1] if state.stack else (-1,)
        self.migrants = [move[0] for move in frame[-1]] if frame[0] in (MOVING, FOLLOW) else []


_TRAITS: Final = (1 << len(TRAITS)) - 1
_BASE: Final = sum(1 << t for t in {t for card in CARDS if card.module == "base" for t in card.traits})


def _of_traits(state: State, table: Printed) -> Iterator[Move]:
    """What one animal does, and what Intellect ignores."""
    for a in table.animals:
        yield from ((verb, a.uid) for verb in table.verbs)
    if table.ignoring:
        yield from ((m.IGNORE, trait) for trait in (-1, *table.traits))


def _of_cards(state: State, table: Printed) -> Iterator[Move]:
    """What happens to cards: Metamorphose, Recombination, Regeneration."""
    verbs = [m.METAMORPHOSE] if table.mask & METAMORPHOSE else []
    verbs += [m.RECOMBINE, m.SPLIT] if table.mask & RECOMBINATION else []
    for a in table.animals:
        yield from ((verb, a.uid, place) for verb in verbs for place in range(len(a.faces)))
        if table.remains:
            yield from ((m.RESTORE, a.uid, card) for card in sorted(set(state.hands[a.uid >> 8])))
    if table.mask & METAMORPHOSE:
        for trait, u, v, _face in state.links.links:
            yield from ((m.METAMORPHOSE, uid, -1, trait, u, v) for uid in (u, v))


def _of_locations(state: State, table: Printed) -> Iterator[Move]:
    """Who goes where."""
    if not table.locations:
        return
    yield (m.DONE,)
    for a in table.animals:
        if table.mask & MIGRATING:
            yield from ((m.MIGRATE, a.uid, loc) for loc in range(len(LOCATIONS)))
        yield from ((m.LAND, a.uid, loc) for loc in range(len(LOCATIONS)))
        yield from ((m.FETCH, a.uid, seat) for seat in range(len(state.herds)))
        if table.mask & SUCKERFISH:
            yield from ((m.FOLLOW, a.uid, other) for other in table.migrants or [table.animals[0].uid])


def every_line(state: State, game: Any = None) -> Iterator[str]:
    """Every line that could be written for any player: whole chains, all verbs, all animals."""
    names = [name_of(a.uid) for herd in state.herds for a in herd]
    table = Printed(state)
    for seat in range(len(state.herds)):
        me = f"{chr(65 + seat)}: "
        yield from (me + word for word in ("pass", "end", "decline"))
        yield from (me + line for line in _playing(state.hands[seat], names, table.locations))
        for a in names:
            yield from (f"{me}{verb} {a}" for verb in ("take", "graze", "hibernate", "run", "scavenge"))
            yield from (f"{me}convert {a} {n}" for n in range(1, MOST_FAT + 1))
            yield from (f"{me}{verb} {a} {b}" for verb in ("attack", "pirate") for b in names)
            yield from (f"{me}mimic {a} to {b}" for b in names)
        yield from (me + line for line in _dropping(state, seat))
        if table.later:
            yield from (me + line for line in _later_lines(state, seat, names, table))


def _playing(hand: bytes, names: list[str], locations: bool) -> Iterator[str]:
    for card in sorted(set(hand) - {UNKNOWN}):
        yield from (f"play {card_name(card)}{place}" for place in (_IN if locations else ("",)))
        for trait in CARDS[card].traits:
            start = f"play {card_name(card)}:{TRAITS[trait].id} on"
            if TRAITS[trait].pair:
                yield from (f"{start} {a} {b}" for a in names for b in names)
            else:
                yield from (f"{start} {a}" for a in names)


_IN: Final = tuple(f" in {word}" for word in LOCATIONS)


def _dropping(state: State, seat: int) -> Iterator[str]:
    for a in state.herds[seat]:
        yield from (f"drop {name_of(a.uid)} {card_word(a.faces, place)}" for place in range(len(a.faces)))
    for trait, u, v, _face in state.links.links:
        link = f"{TRAITS[trait].id}({name_of(u)},{name_of(v)})"
        if u >> 8 == seat:
            yield from (f"drop {name_of(uid)} {link}" for uid in (u, v))
            if 1 << trait & FOOD_PAIRS:
                yield from (f"trigger {link} {name_of(uid)}" for uid in (u, v))


def _later_lines(state: State, seat: int, names: list[str], table: Printed) -> Iterator[str]:
    """Lines of Time to Fly, Continents and the gift box for one player; hunts that ignore a trait, one of each."""
    for verb in table.verbs:
        yield from (f"{VERBS[verb]} {a}" for a in names)
    if table.ignoring:
        ignored = ["none", *(TRAITS[trait].id for trait in table.traits)]
        yield from (f"ignore {word}" for word in ignored)
        for a in state.herds[seat]:
            yield from (f"attack {name_of(a.uid)} {b} ignoring {word}" for b in names for word in _hindering(state, b))
    mine = [(name_of(a.uid), card_word(a.faces, i)) for a in state.herds[seat] for i in range(len(a.faces))]
    if table.mask & METAMORPHOSE:
        yield from (f"metamorphose {a} {card}" for a, card in mine)
        for trait, u, v, _face in state.links.links:
            link = f"{TRAITS[trait].id}({name_of(u)},{name_of(v)})"
            yield from (f"metamorphose {name_of(uid)} {link}" for uid in (u, v) if uid >> 8 == seat)
    for trait, u, v, _face in state.links.links:
        if 1 << trait & RECOMBINATION and u >> 8 == seat:
            first, second = ([card for card in mine if card[0] == name_of(uid)] for uid in (u, v))
            yield from (f"recombine {a} {x} {b} {y}" for a, x in first for b, y in second)
    if table.locations:
        yield "done"
        for name in names:
            if table.mask & MIGRATING:
                yield from (f"migrate {name} to {word}" for word in LOCATIONS)
            yield from (f"land {name} in {word}" for word in LOCATIONS)
            if table.mask & SUCKERFISH:
                yield from (f"follow {name} after {name_of(other)}" for other in table.migrants)


def _hindering(state: State, name: str) -> list[str]:
    """Traits of an animal that Intellect could ignore."""
    found = [a for herd in state.herds for a in herd if name_of(a.uid) == name]
    return [TRAITS[TRAIT_OF_FACE[face]].id for a in found for face in sorted(set(a.faces))]
