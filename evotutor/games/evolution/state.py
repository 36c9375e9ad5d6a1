"""The state of a game of Evolution: immutable, hashable, complete.  `docs/state.md` describes every field."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple, Protocol
from weakref import WeakValueDictionary

import networkx as nx

from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, bit, trait_of

DEVELOPMENT, FOOD, FEEDING, EXTINCTION, OVER = range(5)
PHASES: Final = ("development", "food", "feeding", "extinction", "over")

# what the player has done in this own feeding phase
TOOK, HUNTED, CONVERTED, SIDE = 1, 2, 4, 8
MAIN: Final = TOOK | HUNTED | CONVERTED

# conditions of an animal
HIBERNATING, RESTING, POISONED, IN_SHELL, PARALYSED, NEWBORN, ATTACKED, REMAINS = (1 << i for i in range(8))
FLAGS: Final = ("hibernating", "resting", "poisoned", "in-shell", "paralysed", "newborn", "attacked", "remains")

PROTECTED: Final = 1 << 60
"""Bit of `Animal.mask`: a living symbiont stands between this animal and any hunter, and is fed before it."""
LINKED: Final = 1 << 61
"""Bit of `Animal.mask`: at least one food pair (Cooperation, Communication) ends here."""

FAT_TISSUE: Final = trait_of["fat-tissue"].index
SYMBIOSIS: Final = bit["symbiosis"]
FOOD_PAIRS: Final = bit["cooperation"] | bit["communication"]

# kinds of pending decisions and steps, the first number of a frame
(BEGIN, PLACE, PARTNER, TARGET, VICTIM, ATTACK, RUN, POOL, SCAVENGE, DEAL, KILLED) = range(11)


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
    more      facts of later modules (marks, void cards, who knows the body), () in the base game
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

    __slots__ = ("__dict__", "__weakref__", "_hash", "links", "need", "pairs", "symbionts")
    _interned: ClassVar[WeakValueDictionary[tuple[Link, ...], Topology]] = WeakValueDictionary()

    links: tuple[Link, ...]
    symbionts: dict[int, tuple[int, ...]]
    """protected uid -> the symbionts that must be fed before it"""
    pairs: dict[int, tuple[tuple[int, int, int], ...]]
    """uid -> (index of the link, trait bit, partner) for every food pair that ends here"""
    need: dict[int, int]
    """uid -> need added by pair cards (Trematode)"""

    def __new__(cls, links: Iterable[Link] = ()) -> Topology:
        key = tuple(sorted(links))
        found = cls._interned.get(key)
        if found is None:
            found = super().__new__(cls)
            found._fill(key)
            cls._interned[key] = found
        return found

    def _fill(self, links: tuple[Link, ...]) -> None:
        self.links, self._hash = links, hash(links)
        symbionts: dict[int, tuple[int, ...]] = {}
        pairs: dict[int, tuple[tuple[int, int, int], ...]] = {}
        need: dict[int, int] = {}
        for index, (trait, u, v, _face) in enumerate(links):
            mask = 1 << trait
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
        return self is other or (isinstance(other, Topology) and self.links == other.links)

    def __repr__(self) -> str:
        return f"Topology({self.links!r})"

    def __reduce__(self) -> tuple[type[Topology], tuple[tuple[Link, ...]]]:
        return Topology, (self.links,)

    def mask(self, uid: int) -> int:
        """Bits of the pair traits of one animal, with PROTECTED and LINKED."""
        mask = 0
        for trait, u, v, _face in self.links:
            if u == uid or v == uid:
                mask |= 1 << trait
        if uid in self.symbionts:
            mask |= PROTECTED
        if uid in self.pairs:
            mask |= LINKED
        return mask

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
(SCAVENGE, seat)                  which scavenger of this player gets the token
(DEAL, counts, seat)              a card is to be drawn for `seat`; `counts`: bytes, cards still due to each player
(KILLED, seat)                    a step, no decision: the kill of a hunter of `seat` still has to feed a scavenger
"""


class State(NamedTuple):
    """Everything a game of Evolution is, between two decisions.  Seats count from 0 in clockwise order.

    phase, turn, round, first, player   where the game stands; `player` has the opportunity
    acted    TOOK, HUNTED, CONVERTED, SIDE done in this own feeding phase
    idle     own feeding phases in a row that ended without anything done
    passed   bit per seat: passed in development
    bank     red tokens, one number per location
    deck     sorted card codes of the unknown order; `top` known cards that are drawn first
    hands, discards   sorted card codes per seat
    herds    animals per seat, left to right
    numbers  next animal number per seat
    links    pair traits, `spent`: bit per link used in this round
    stack    pending decisions, innermost last
    more     facts of later modules (ownerless shells, flora, marks, young to come), () in the base game
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


def derive(uid: int, faces: bytes, topology: Topology) -> tuple[int, int, int]:
    """Compute the caches (mask, need, fatcards) of an animal from its cards and links."""
    mask, need, fatcards = topology.mask(uid), 1 + topology.need.get(uid, 0), 0
    for place, face in enumerate(faces):
        trait = TRAIT_OF_FACE[face]
        mask |= 1 << trait
        need += TRAITS[trait].need
        if trait == FAT_TISSUE:
            fatcards |= 1 << place
    return mask, need, fatcards
