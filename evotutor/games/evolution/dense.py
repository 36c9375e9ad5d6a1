"""Random crowded tables: many traits, links and tokens at once, far beyond what games reach by themselves."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Final, NamedTuple

from evotutor.games.evolution.base import SWIMMING
from evotutor.games.evolution.catalog import CARDS, TRAIT_OF_FACE, TRAITS, bit, card_of, deck, trait_of
from evotutor.games.evolution.locations import OCEAN
from evotutor.games.evolution.state import (
    ATTACKED,
    FEEDING,
    HIBERNATING,
    IN_SHELL,
    INKED,
    PARALYSED,
    POISONED,
    REMAINS,
    RESTING,
    Animal,
    Link,
    State,
    Topology,
    derive,
    is_fed,
    off_below,
    printed,
)
from evotutor.games.evolution.time_to_fly import SHELL_CARD

_MANY: Final = trait_of["fat-tissue"].index
_SPENDABLE: Final = bit["carnivorous"] | bit["piracy"] | bit["mimicry"] | bit["grazing"]
_SPENDABLE_LATER: Final = bit["intellect"] | bit["ink-cloud"] | bit["viviparous"] | bit["homeothermy"]
_CARNIVOROUS, _SCAVENGER = trait_of["carnivorous"].index, trait_of["scavenger"].index
INK_CARD: Final = card_of["ink-cloud"].index
_NEOPLASM, _REGENERATION = trait_of["neoplasm"].index, trait_of["regeneration"].index


class Kit(NamedTuple):
    """What tables of some modules are made of: faces of each trait, unpaired traits, pair traits."""

    faces: dict[int, list[int]]
    own: list[int]
    pairs: list[int]


@cache
def kit(box: bytes) -> Kit:
    """The traits that these cards carry; traits that never lie at an animal are left out."""
    cards = [c for c in CARDS if c.index in box]
    faces = {
        trait: [2 * c.index + side for c in cards for side, t in enumerate(c.traits) if t == trait]
        for trait in {t for c in cards for t in c.traits if TRAITS[t].place != "animal"}
    }
    return Kit(faces, [t for t in faces if not TRAITS[t].pair], [t for t in faces if TRAITS[t].pair])


def dense_table(
    rng: Random, modules: tuple[str, ...] = ("base",), locations: bool | None = None, box: bytes = b""
) -> State:
    """A legal position in the feeding phase: 2-4 players, 3-8 animals each, up to 7 traits on an animal, some links.

    `locations`: animals live on continents and in the Ocean, as the module Continents has it unless told otherwise;
    `box`: the cards that are played with, unless they are all cards of the modules.
    """
    players = rng.randint(2, 4)
    sizes = [rng.randint(3, 8) for _ in range(players)]
    box = box or deck(modules)
    found = kit(box)
    if modules == ("base",):
        return _base_table(rng, players, sizes, found, box)
    placed = "continents" in modules if locations is None else locations
    herds = [
        [_traits(rng, found, seat << 8 | number, placed) for number in range(1, size + 1)]
        for seat, size in enumerate(sizes)
    ]
    where = {uid: loc for herd in herds for uid, _, loc, _ in herd}
    limited = {
        uid for herd in herds for uid, faces, _, _ in herd if _REGENERATION in map(TRAIT_OF_FACE.__getitem__, faces)
    }
    links = [
        link
        for seat, size in enumerate(sizes)
        for link in _links(rng, seat, size, found)
        if where[link[1]] == where[link[2]] and not limited & {*link[1:3]}
    ]
    off = {uid for herd in herds for uid, _, _, flags in herd if flags & (PARALYSED | REMAINS)}
    topology = Topology(links, off)
    animals = tuple(tuple(_living(rng, box, topology, *row) for row in herd) for herd in herds)
    return _table(rng, box, players, sizes, topology, animals, 3 if placed else 1)


def _base_table(rng: Random, players: int, sizes: list[int], found: Kit, box: bytes) -> State:
    links = Topology(link for seat, size in enumerate(sizes) for link in _links(rng, seat, size, found))
    herds = tuple(
        tuple(_animal(rng, seat << 8 | number, links, found) for number in range(1, size + 1))
        for seat, size in enumerate(sizes)
    )
    return _table(rng, box, players, sizes, links, herds, 1)


def _table(
    rng: Random,
    box: bytes,
    players: int,
    sizes: list[int],
    links: Topology,
    herds: tuple[tuple[Animal, ...], ...],
    banks: int,
) -> State:
    cards = list(box)
    rng.shuffle(cards)
    last_turn = rng.random() < 0.2
    hands = tuple(bytes(sorted(cards.pop() for _ in range(rng.randint(0, 3)))) for _ in range(players))
    first, player = rng.randrange(players), rng.randrange(players)
    turn, round_, bank = rng.randint(1, 6), rng.randint(1, 3), tuple(rng.randint(0, 9) for _ in range(banks))
    left = b"" if last_turn else bytes(sorted(cards[: rng.randint(1, 30)]))
    spent = sum(
        1 << i
        for i, link in enumerate(links.links)
        if TRAITS[link[0]].id not in ("symbiosis", "trematode") and rng.random() < 0.2
    )
    shells = bytes((SHELL_CARD,)) * rng.randint(1, 2) if SHELL_CARD in box and rng.random() < 0.3 else b""
    return State(
        FEEDING, turn, round_, first, player, 0, 0, 0, bank, left, b"", hands, (b"",) * players, herds,
        tuple(size + 1 for size in sizes), links, spent, (), (shells,) if shells else (),
    )  # fmt: skip


def _links(rng: Random, seat: int, size: int, found: Kit) -> list[Link]:
    links: dict[tuple[int, int, int], Link] = {}
    for _ in range(rng.randint(0, size)):
        u, v = (seat << 8 | n for n in rng.sample(range(1, size + 1), 2))
        trait = rng.choice(found.pairs)
        if TRAITS[trait].id != "symbiosis":
            u, v = min(u, v), max(u, v)
        links.setdefault((trait, min(u, v), max(u, v)), (trait, u, v, rng.choice(found.faces[trait])))
    return list(links.values())


def _wanted(rng: Random, found: Kit) -> list[int]:
    wanted = rng.sample(found.own, rng.randint(0, min(7, len(found.own)))) if rng.random() < 0.85 else []
    wanted += [_MANY] * rng.choice((0, 0, 0, 1, 2))
    if _CARNIVOROUS in wanted and _SCAVENGER in wanted:
        wanted.remove(_SCAVENGER)
    rng.shuffle(wanted)
    return wanted


def _animal(rng: Random, uid: int, links: Topology, found: Kit) -> Animal:
    faces = bytes(rng.choice(found.faces[trait]) for trait in _wanted(rng, found))
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


# with expansions


def _traits(rng: Random, found: Kit, uid: int, placed: bool) -> tuple[int, bytes, int, int]:
    """(uid, faces, location, PARALYSED or REMAINS) of an animal that the rules allow."""
    wanted = _wanted(rng, found)
    for one in ("specialization-a", "specialization-b"):
        if one != "specialization-a" and trait_of["specialization-a"].index in wanted and trait_of[one].index in wanted:
            wanted.remove(trait_of[one].index)
    if _REGENERATION in wanted:
        others = [t for t in wanted if t != _REGENERATION and not TRAITS[t].need]
        wanted = [*others[:1], _REGENERATION]
    faces = bytes(rng.choice(found.faces[trait]) for trait in wanted)
    flags = 0
    if _NEOPLASM in found.faces:
        flags = PARALYSED if rng.random() < 0.06 else 0
        if _REGENERATION in wanted and rng.random() < 0.2:
            flags = REMAINS
    working = 0 if flags & PARALYSED else printed(faces[off_below(faces) :])
    loc = 0
    if placed:
        swims = bool(working & SWIMMING)
        loc = OCEAN if swims and rng.random() < 0.8 else rng.randint(0, 1)
        if not faces and rng.random() < 0.2 and not flags:
            loc = OCEAN
    return uid, faces, loc, flags


def _living(rng: Random, box: bytes, links: Topology, uid: int, faces: bytes, loc: int, flags: int) -> Animal:
    low = off_below(faces)
    fat = sum(
        1 << i for i, face in enumerate(faces) if i >= low and TRAIT_OF_FACE[face] == _MANY and rng.random() < 0.5
    )
    if flags & REMAINS:
        fat = 0
    mask, need, fatcards = derive(uid, faces, links, flags, loc, fat)
    food = rng.randint(0, need)
    red = rng.randint(0, food)
    flags |= 0 if flags & REMAINS else _flags(rng, mask)
    if mask & bit["shell"] and rng.random() < 0.15:
        flags |= IN_SHELL
    if mask & bit["shy"] and rng.random() < 0.2:
        flags |= ATTACKED
    if flags & HIBERNATING:
        food = red = 0
    used = sum(1 << i for i in range(60) if (mask & (_SPENDABLE | _SPENDABLE_LATER)) >> i & 1 and rng.random() < 0.15)
    if used & bit["carnivorous"] and INK_CARD in box and rng.random() < 0.2:
        flags |= INKED
    used |= bit["hibernation"] if flags & HIBERNATING else 0
    body = rng.choice(box) if not flags & REMAINS else 255
    animal = Animal(uid, body, faces, mask, need, red, food - red, fat, fatcards, used, flags, loc, ())
    if mask & bit["viviparous"] and is_fed(animal):  # it has given birth
        animal = animal._replace(used=used | bit["viviparous"])
    return animal
