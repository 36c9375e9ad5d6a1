"""Everything that could be said about a table, legal or not: what the tests of `why_not` are asked."""

from __future__ import annotations

from collections.abc import Iterator

from evotutor.core.model import Move
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import CARDS, TRAIT_OF_FACE, TRAITS, UNKNOWN, card_name
from evotutor.games.evolution.state import State, name_of

ONE_ANIMAL = (m.ON, m.AND, m.TAKE, m.ATTACK, m.TARGET, m.GRAZE, m.PIRATE, m.VICTIM, m.HIBERNATE, m.RUN, m.SCAVENGE)
MOST_FAT = 3


def every_move(state: State) -> Iterator[Move]:
    """Every decision that could be named: all verbs, with all animals, cards and links of the table and all hands."""
    uids = [a.uid for herd in state.herds for a in herd]
    yield from ((m.PASS,), (m.END,), (m.DECLINE,))
    for card in sorted({card for hand in state.hands for card in hand if card != UNKNOWN}):
        yield m.PLAY_ANIMAL, card
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
            if TRAITS[trait].id != "symbiosis":
                yield m.TRIGGER, trait, u, v, uid


def every_line(state: State) -> Iterator[str]:
    """Every line that could be written for any player: whole chains, all verbs, all animals."""
    names = [name_of(a.uid) for herd in state.herds for a in herd]
    for seat in range(len(state.herds)):
        me = f"{chr(65 + seat)}: "
        yield from (me + word for word in ("pass", "end", "decline"))
        yield from (me + line for line in _playing(state.hands[seat], names))
        for a in names:
            yield from (f"{me}{verb} {a}" for verb in ("take", "graze", "hibernate", "run", "scavenge"))
            yield from (f"{me}convert {a} {n}" for n in range(1, MOST_FAT + 1))
            yield from (f"{me}{verb} {a} {b}" for verb in ("attack", "pirate") for b in names)
            yield from (f"{me}mimic {a} to {b}" for b in names)
        yield from (me + line for line in _dropping(state, seat))


def _playing(hand: bytes, names: list[str]) -> Iterator[str]:
    for card in sorted(set(hand) - {UNKNOWN}):
        yield f"play {card_name(card)}"
        for trait in CARDS[card].traits:
            start = f"play {card_name(card)}:{TRAITS[trait].id} on"
            if TRAITS[trait].pair:
                yield from (f"{start} {a} {b}" for a in names for b in names)
            else:
                yield from (f"{start} {a}" for a in names)


def _dropping(state: State, seat: int) -> Iterator[str]:
    for a in state.herds[seat]:
        seen: dict[str, int] = {}
        ids = [TRAITS[TRAIT_OF_FACE[face]].id for face in a.faces]
        for name in ids:
            seen[name] = seen.get(name, 0) + 1
            yield f"drop {name_of(a.uid)} {name}" + (f"#{seen[name]}" if ids.count(name) > 1 else "")
    for trait, u, v, _face in state.links.links:
        link = f"{TRAITS[trait].id}({name_of(u)},{name_of(v)})"
        if u >> 8 == seat:
            yield from (f"drop {name_of(uid)} {link}" for uid in (u, v))
            if TRAITS[trait].id != "symbiosis":
                yield from (f"trigger {link} {name_of(uid)}" for uid in (u, v))
