"""Random crowded tables: many traits, links and tokens at once, far beyond what games reach by themselves."""

from __future__ import annotations

from random import Random
from typing import Final

from evotutor.games.evolution.catalog import CARDS, TRAIT_OF_FACE, TRAITS, bit, deck, trait_of
from evotutor.games.evolution.state import (
    FEEDING,
    HIBERNATING,
    POISONED,
    RESTING,
    Animal,
    Link,
    State,
    Topology,
    derive,
)

_FACES: Final = {
    trait: [2 * c.index + side for c in CARDS if c.module == "base" for side, t in enumerate(c.traits) if t == trait]
    for trait in {t for c in CARDS if c.module == "base" for t in c.traits}
}
_OWN: Final = [t for t in _FACES if not TRAITS[t].pair]
_PAIRS: Final = [t for t in _FACES if TRAITS[t].pair]
_MANY: Final = trait_of["fat-tissue"].index
_SPENDABLE: Final = bit["carnivorous"] | bit["piracy"] | bit["mimicry"] | bit["grazing"]
_CARNIVOROUS, _SCAVENGER = trait_of["carnivorous"].index, trait_of["scavenger"].index


def dense_table(rng: Random) -> State:
    """A legal position in the feeding phase: 2-4 players, 3-8 animals each, up to 7 traits on an animal, some links."""
    players = rng.randint(2, 4)
    sizes = [rng.randint(3, 8) for _ in range(players)]
    links = Topology(link for seat, size in enumerate(sizes) for link in _links(rng, seat, size))
    herds = tuple(
        tuple(_animal(rng, seat << 8 | number, links) for number in range(1, size + 1))
        for seat, size in enumerate(sizes)
    )
    cards = list(deck(("base",)))
    rng.shuffle(cards)
    last_turn = rng.random() < 0.2
    hands = tuple(bytes(sorted(cards.pop() for _ in range(rng.randint(0, 3)))) for _ in range(players))
    first, player = rng.randrange(players), rng.randrange(players)
    return State(
        FEEDING, rng.randint(1, 6), rng.randint(1, 3), first, player, 0, 0, 0, (rng.randint(0, 9),),
        b"" if last_turn else bytes(sorted(cards[: rng.randint(1, 30)])), b"", hands, (b"",) * players, herds,
        tuple(size + 1 for size in sizes), links,
        sum(1 << i for i, link in enumerate(links.links) if TRAITS[link[0]].id != "symbiosis" and rng.random() < 0.2),
        (), (),
    )  # fmt: skip


def _links(rng: Random, seat: int, size: int) -> list[Link]:
    found: dict[tuple[int, int, int], Link] = {}
    for _ in range(rng.randint(0, size)):
        u, v = (seat << 8 | n for n in rng.sample(range(1, size + 1), 2))
        trait = rng.choice(_PAIRS)
        if TRAITS[trait].id != "symbiosis":
            u, v = min(u, v), max(u, v)
        found.setdefault((trait, min(u, v), max(u, v)), (trait, u, v, rng.choice(_FACES[trait])))
    return list(found.values())


def _animal(rng: Random, uid: int, links: Topology) -> Animal:
    wanted = rng.sample(_OWN, rng.randint(0, 7)) if rng.random() < 0.85 else []
    wanted += [_MANY] * rng.choice((0, 0, 0, 1, 2))
    if _CARNIVOROUS in wanted and _SCAVENGER in wanted:
        wanted.remove(_SCAVENGER)
    rng.shuffle(wanted)
    faces = bytes(rng.choice(_FACES[trait]) for trait in wanted)
    mask, need, fatcards = derive(uid, faces, links)
    food = rng.randint(0, need)
    red = rng.randint(0, food)
    fat = sum(1 << i for i, face in enumerate(faces) if TRAIT_OF_FACE[face] == _MANY and rng.random() < 0.5)
    flags = _flags(rng, mask)
    if flags & HIBERNATING:
        food = red = 0
    used = sum(1 << i for i in range(60) if (mask & _SPENDABLE) >> i & 1 and rng.random() < 0.15)
    used |= bit["hibernation"] if flags & HIBERNATING else 0
    body = rng.choice(deck(("base",)))
    return Animal(uid, body, faces, mask, need, red, food - red, fat, fatcards, used, flags, 0, ())


def _flags(rng: Random, mask: int) -> int:
    flags = POISONED if rng.random() < 0.05 else 0
    if mask & bit["hibernation"] and rng.random() < 0.4:
        flags |= rng.choice((HIBERNATING, RESTING))
    return flags
