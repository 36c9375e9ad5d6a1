"""The state of a game of Evolution: immutable, hashable, complete.  `docs/state.md` describes every field."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple, Protocol
from weakref import WeakValueDictionary

import networkx as nx

from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, bit, trait_of
from evotutor.games.evolution.locations import OCEAN

DEVELOPMENT, FOOD, FEEDING, EXTINCTION, OVER = range(5)
PHASES: Final = ("development", "food", "feeding", "extinction", "over")

# what the player has done in this own feeding phase
TOOK, HUNTED, CONVERTED, SIDE, SPECIALISED, METAMORPHOSED, SETTLED, MIGRATED = (1 << i for i in range(8))
MAIN: Final = TOOK | HUNTED | CONVERTED | SPECIALISED | METAMORPHOSED | SETTLED | MIGRATED
PLACED: Final = 8
"""``acted >> PLACED`` is 1 + the location chosen for this own feeding phase, 0 while none is."""

# conditions of an animal
(
    HIBERNATING, RESTING, POISONED, IN_SHELL, PARALYSED, NEWBORN, ATTACKED, REMAINS, REVEALED, STRANDED, INKED, SWIMS,
) = (1 << i for i in range(12))  # fmt: skip
FLAGS: Final = (
    "hibernating", "resting", "poisoned", "in-shell", "paralysed", "newborn", "attacked", "remains", "revealed",
    "stranded", "inked", "swims",
)  # fmt: skip

PROTECTED: Final = 1 << 60
"""Bit of `Animal.mask`: a living symbiont stands between this animal and any hunter, and is fed before it."""
ASIDE: Final = PARALYSED | REMAINS
"""Conditions in which no trait of an animal works."""
LINKED: Final = 1 << 61
"""Bit of `Animal.mask`: at least one food pair (Cooperation, Communication) ends here."""

FAT_TISSUE: Final = trait_of["fat-tissue"].index
SYMBIOSIS: Final = bit["symbiosis"]
RECOMBINATION: Final = bit["recombination"]
NEOPLASM: Final = trait_of["neoplasm"].index
SWIMMING: Final = bit["swimming"]
CARNIVOROUS: Final = bit["carnivorous"]
FOOD_PAIRS: Final = bit["cooperation"] | bit["communication"]

# kinds of pending decisions and steps, the first number of a frame
(
    BEGIN, PLACE, PARTNER, TARGET, VICTIM, ATTACK, RUN, POOL, SCAVENGE, DEAL, KILLED, AMBUSH, IGNORE, BIRTH, REWARD,
    MOVING, FOLLOW, LAND, FETCH, SWAP, RESTORE, YOUNG, FOUND,
) = range(23)  # fmt: skip
TAKING, SHARING, WARMING = range(3)
"""How an animal came to a red token, in AMBUSH.  Why a hunter gets a token, in REWARD: FOR_KILL ..."""
FOR_KILL, FOR_TAIL, FOR_CARD = range(3)


class Animal(NamedTuple):
    """One animal.  Numbers and bit masks only; caches are marked.

    uid       ``seat << 8 | number``: a4 is seat 0, number 4
    body      card code of the lizard card, `UNKNOWN` if not told
    faces     unpaired trait cards from the bottom of the stack up
    mask      cache: bits of working traits, unpaired and paired, with PROTECTED and LINKED
    need      cache: tokens needed to be fed
    red, blue tokens
    fat       bit i is set when the fat card at place i of `faces` holds a yellow token
    fatcards  cache: bit i is set when the card at place i is working Fat Tissue
    used      bits of traits used, until their own reset moment
    flags     conditions (HIBERNATING ...)
    loc       location number (0 without Continents)
    more      what Intellect switched off for a hunter in this turn: sorted tuple of (hunter, trait)
    """

    uid: int
    body: int
    faces: bytes
    mask: int
    need: int
    red: int
    blue: int
    fat: int
    fatcards: int
    used: int
    flags: int
    loc: int
    more: tuple[Any, ...]


Link = tuple[int, int, int, int]
"""(trait number, uid, uid, face).  Symbiosis, and it alone, has a direction: symbiont first, protected second; for the
other pairs the smaller uid comes first."""


class Topology:
    """The pair traits of a table: a sorted tuple of links, interned, with the tables that rules look things up in.

    Two states with the same links share one object.  `graph` is the networkx view.
    """

    __slots__ = ("__dict__", "__weakref__", "_hash", "lasting", "links", "need", "off", "pairs", "symbionts")
    _interned: ClassVar[WeakValueDictionary[tuple[tuple[Link, ...], frozenset[int]], Topology]] = WeakValueDictionary()

    links: tuple[Link, ...]
    off: frozenset[int]
    """uids whose pair cards do not work: paralysed animals and remains"""
    lasting: int
    """bit per link: Recombination, which is used once a turn and not once a round"""
    symbionts: dict[int, tuple[int, ...]]
    """protected uid -> the symbionts that must be fed before it"""
    pairs: dict[int, tuple[tuple[int, int, int], ...]]
    """uid -> (index of the link, trait bit, partner) for every food pair that ends here"""
    need: dict[int, int]
    """uid -> need added by pair cards (Trematode)"""

    def __new__(cls, links: Iterable[Link] = (), off: Iterable[int] = ()) -> Topology:
        key = tuple(sorted(links)), frozenset(off)
        found = cls._interned.get(key)
        if found is None:
            found = super().__new__(cls)
            found._fill(*key)
            cls._interned[key] = found
        return found

    def _fill(self, links: tuple[Link, ...], off: frozenset[int]) -> None:
        self.links, self.off, self._hash = links, off, hash((links, off))
        symbionts: dict[int, tuple[int, ...]] = {}
        pairs: dict[int, tuple[tuple[int, int, int], ...]] = {}
        need: dict[int, int] = {}
        self.lasting = 0
        for index, (trait, u, v, _face) in enumerate(links):
            mask = 1 << trait
            if mask == RECOMBINATION:
                self.lasting |= 1 << index
            if u in off or v in off:
                continue
            if mask == SYMBIOSIS:
                symbionts[v] = (*symbionts.get(v, ()), u)
            elif mask & FOOD_PAIRS:
                pairs[u] = (*pairs.get(u, ()), (index, mask, v))
                pairs[v] = (*pairs.get(v, ()), (index, mask, u))
            if TRAITS[trait].need:
                need[u] = need.get(u, 0) + TRAITS[trait].need
                need[v] = need.get(v, 0) + TRAITS[trait].need
        self.symbionts, self.pairs, self.need = symbionts, pairs, need

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Topology) and self.links == other.links and self.off == other.off)

    def __repr__(self) -> str:
        return f"Topology({self.links!r}{f', {sorted(self.off)}' if self.off else ''})"

    def __reduce__(self) -> tuple[type[Topology], tuple[tuple[Link, ...], frozenset[int]]]:
        return Topology, (self.links, self.off)

    def mask(self, uid: int) -> int:
        """Bits of the working pair traits of one animal, with PROTECTED and LINKED."""
        mask = 0
        for trait, u, v, _face in self.links:
            if (u == uid or v == uid) and not (self.off and (u in self.off or v in self.off)):
                mask |= 1 << trait
        if uid in self.symbionts:
            mask |= PROTECTED
        if uid in self.pairs:
            mask |= LINKED
        return mask

    def count(self, uid: int) -> int:
        """How many pair cards lie at this animal, working or not."""
        return sum(link[1] == uid or link[2] == uid for link in self.links)

    @cached_property
    def graph(self) -> nx.MultiDiGraph[int]:
        """The pair traits as a frozen graph of uids.

        Edges carry `trait` (id) and `index`; Symbiosis points from the symbiont to the animal it protects, the other
        kinds have an edge each way.
        """
        graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
        for index, (trait, u, v, _face) in enumerate(self.links):
            graph.add_edge(u, v, key=(trait, u, v), trait=TRAITS[trait].id, index=index)
            if 1 << trait != SYMBIOSIS:
                graph.add_edge(v, u, key=(trait, u, v), trait=TRAITS[trait].id, index=index)
        return nx.freeze(graph)


NO_LINKS: Final = Topology()

Frame = tuple[Any, ...]
"""A pending decision or step, see `docs/state.md`:

(BEGIN,)                          the phase's automatic effects are still to come
(PLACE, card, side)               which animal gets the trait
(PARTNER, card, side, uid)        which animal is the other end of the pair
(TARGET, hunter)                  whom does the hunter attack
(VICTIM, pirate)                  from whom does the pirate take
(ATTACK, hunter, prey, tried)     how does the prey answer; `tried`: bits of reactions already spent in this attack
(RUN,)                            the runner's die is to roll; lies on its ATTACK
(POOL, seat, armed)               which armed pair works next; `armed`: sorted tuple of (trait, u, v, receiver)
(SCAVENGE, seat, loc)             which scavenger of this player gets the token
(DEAL, counts, seat)              a card is to be drawn for `seat`; `counts`: bytes, cards still due to each player
(KILLED, seat, loc)               a step, no decision: the kill of a hunter of `seat` has to feed a scavenger there
(AMBUSH, uid, how, seat)          uid is about to take a red token (TAKING, SHARING, WARMING); seat may ambush it
(IGNORE,)                         which trait Intellect ignores; lies on its ATTACK
(BIRTH, uid)                      a card is to be drawn: the young one of this animal
(REWARD, uid, n, why)             a step: tokens that a hunter, or a metamorphosed animal, still gets
(MOVING, moves)                   a declared migration; `moves`: tuple of (uid, from, to)
(FOLLOW, seat, moves)             which Suckerfish of this player follow a migrant
(LAND, uid)                       on which continent an animal comes ashore
(FETCH, uid)                      from whose discard it gets a Swimming card
(SWAP, uid, place)                Recombination: the card at `place` is given, the partner's card is to choose
(RESTORE, uid)                    which card becomes the new body of remains
(YOUNG, due, seat)                a card is to be drawn for r-Strategy; `due`: locations of young to come, per seat
(FOUND, seat, n)                  a player without anything puts n cards on the table as animals
"""


class State(NamedTuple):
    """Everything a game of Evolution is, between two decisions.  Seats count from 0 in clockwise order.

    phase, turn, round, first, player   where the game stands; `player` has the opportunity
    acted    TOOK, HUNTED ... done in this own feeding phase, with the location chosen above PLACED
    idle     own feeding phases in a row that ended without anything done
    passed   bit per seat: passed in development
    bank     red tokens, one number per location
    deck     sorted card codes of the unknown order; `top` known cards that are drawn first
    hands, discards   sorted card codes per seat
    herds    animals per seat, left to right
    numbers  next animal number per seat
    links    pair traits, `spent`: bit per link used in this round
    stack    pending decisions, innermost last
    more     ownerless shells: () or (card codes,)
    """

    phase: int
    turn: int
    round: int
    first: int
    player: int
    acted: int
    idle: int
    passed: int
    bank: tuple[int, ...]
    deck: bytes
    top: bytes
    hands: tuple[bytes, ...]
    discards: tuple[bytes, ...]
    herds: tuple[tuple[Animal, ...], ...]
    numbers: tuple[int, ...]
    links: Topology
    spent: int
    stack: tuple[Frame, ...]
    more: tuple[Any, ...]


def name_of(uid: int) -> str:
    """The animal's name in texts: seat letter and number, ``a4``."""
    return f"{chr(97 + (uid >> 8))}{uid & 255}"


class HasHerds(Protocol):
    """A state, or the working copy of one."""

    @property
    def herds(self) -> tuple[tuple[Animal, ...], ...]: ...


class HasTable(Protocol):
    """The same with its pair cards and what else lies on the table."""

    @property
    def links(self) -> Topology: ...
    @property
    def more(self) -> tuple[Any, ...]: ...


def find(state: HasHerds, uid: int) -> Animal | None:
    """The animal with this uid, or None when it is not on the table."""
    seat = uid >> 8
    if seat < len(state.herds):
        for animal in state.herds[seat]:
            if animal.uid == uid:
                return animal
    return None


def is_fed(animal: Animal) -> bool:
    """Has the animal as many red and blue tokens as it needs, or does it count as fed (hibernating, newborn)?"""
    return animal.red + animal.blue >= animal.need or bool(animal.flags & (HIBERNATING | NEWBORN))


def derive(
    uid: int, faces: bytes, topology: Topology, flags: int = 0, loc: int = 0, fat: int = 0
) -> tuple[int, int, int]:
    """Compute the caches (mask, need, fatcards) of an animal from its cards, links, conditions and place.

    No own trait of a paralysed animal works (`topology.off` says whether its pairs do); of its fat cards those that
    are filled count, so that they keep their tokens.
    Remains need nothing.  Cards under Neoplasm are off.  In the Ocean every animal swims.
    """
    if flags & REMAINS:
        return 0, 0, 0
    if flags & PARALYSED:
        return topology.mask(uid), 1 + topology.need.get(uid, 0), fat
    mask, need, fatcards = topology.mask(uid), 1 + topology.need.get(uid, 0), 0
    for place, face in enumerate(faces):
        trait = TRAIT_OF_FACE[face]
        if trait == NEOPLASM:
            mask, need, fatcards = topology.mask(uid), 1 + topology.need.get(uid, 0), 0
        mask |= 1 << trait
        need += TRAITS[trait].need
        if trait == FAT_TISSUE:
            fatcards |= 1 << place
    if flags & REVEALED:
        mask, need = mask | CARNIVOROUS, need + 1
    if loc == OCEAN or flags & SWIMS:
        mask |= SWIMMING
    return mask, need, fatcards


def caches(animal: Animal, topology: Topology) -> tuple[int, int, int]:
    """The caches that this animal should have."""
    return derive(animal.uid, animal.faces, topology, animal.flags, animal.loc, animal.fat)


def off_below(faces: bytes) -> int:
    """How many cards from the bottom up are switched off: those under Neoplasm."""
    for place, face in enumerate(faces):
        if TRAIT_OF_FACE[face] == NEOPLASM:
            return place
    return 0


def printed(faces: bytes) -> int:
    """Bits of the unpaired traits of these cards, working or not."""
    mask = 0
    for face in faces:
        mask |= 1 << TRAIT_OF_FACE[face]
    return mask


def weight(state: HasTable, animal: Animal) -> int:
    """How many traits an animal carries: unpaired and pair cards, a revealed Anglerfish's Carnivorous, a marker."""
    return (
        len(animal.faces) + state.links.count(animal.uid) + bool(animal.flags & REVEALED) + bool(animal.flags & SWIMS)
    )


def shells(state: HasTable) -> bytes:
    """Ownerless Shell cards on the table."""
    found: bytes = state.more[0] if state.more else b""
    return found


def location_acted(acted: int) -> int:
    """The location chosen for this own feeding phase, -1 while none is."""
    return (acted >> PLACED) - 1
