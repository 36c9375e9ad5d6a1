"""Hypothesis strategies: random states of the base game, built without the reader of positions."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, bit, deck, face_of_trait, trait_of
from evotutor.games.evolution.dense import dense_table
from evotutor.games.evolution.state import (
    BEGIN,
    DEAL,
    DEVELOPMENT,
    EXTINCTION,
    FAT_TISSUE,
    FEEDING,
    FOOD,
    FOOD_PAIRS,
    HIBERNATING,
    HUNTED,
    OVER,
    PLACE,
    POISONED,
    RESTING,
    SIDE,
    TOOK,
    Animal,
    Frame,
    Link,
    State,
    Topology,
    derive,
)

BASE = ("base",)
_FACES = {
    trait: sorted({2 * c.index + c.traits.index(trait) for c in CARDS if c.module == "base" and trait in c.traits})
    for trait in {t for c in CARDS if c.module == "base" for t in c.traits}
}
_PAIRS = sorted(t for t in _FACES if TRAITS[t].pair)
_SINGLE = sorted(t for t in _FACES if not TRAITS[t].pair)
_SPENDABLE = [bit[name] for name in ("carnivorous", "piracy", "mimicry", "grazing")]


def faces(trait: int) -> st.SearchStrategy[int]:
    """A face of this trait: one of its cards, or the trait whose card nobody told."""
    return st.sampled_from([*_FACES[trait], face_of_trait(trait)])


def piles(most: int = 12) -> st.SearchStrategy[bytes]:
    """Cards, known or not, sorted."""
    return st.lists(st.sampled_from([*sorted(set(deck(BASE))), UNKNOWN]), max_size=most).map(lambda c: bytes(sorted(c)))


@st.composite
def links(draw: st.DrawFn, uids: list[int]) -> list[Link]:
    """Pair cards between animals of one owner, each kind once between two animals."""
    found: dict[tuple[int, int, int], Link] = {}
    mates = [(u, v) for u in uids for v in uids if u != v and u >> 8 == v >> 8]
    for u, v in draw(st.lists(st.sampled_from(mates), max_size=4)) if mates else []:
        trait = draw(st.sampled_from(_PAIRS))
        ends = (u, v) if TRAITS[trait].id == "symbiosis" else (min(u, v), max(u, v))
        found.setdefault((trait, min(u, v), max(u, v)), (trait, *ends, draw(faces(trait))))
    return list(found.values())


@st.composite
def animals(draw: st.DrawFn, uid: int, topology: Topology) -> Animal:
    """An animal with any legal traits, fat on any of its cards, and sometimes more tokens than it needs now."""
    traits = draw(st.lists(st.sampled_from(_SINGLE), unique=True, max_size=6))
    if trait_of["carnivorous"].index in traits and trait_of["scavenger"].index in traits:
        traits.remove(trait_of["scavenger"].index)
    traits = draw(st.permutations(traits + [FAT_TISSUE] * draw(st.integers(0, 3))))
    stack = bytes(draw(faces(trait)) for trait in traits)
    mask, need, fatcards = derive(uid, stack, topology)
    food = draw(st.integers(0, need + 2))
    blue = draw(st.integers(0, food)) if draw(st.booleans()) else 0
    flags = draw(st.sampled_from((0, 0, POISONED, HIBERNATING, RESTING, POISONED | RESTING)))
    used = sum(b for b in _SPENDABLE if mask & b and draw(st.booleans()))
    used |= mask & bit["hibernation"] if flags & HIBERNATING else 0
    body = draw(st.sampled_from((UNKNOWN, UNKNOWN, 0, 11)))
    fat = fatcards & draw(st.integers(0, 1 << len(stack)))
    return Animal(uid, body, stack, mask, need, food - blue, blue, fat, fatcards, used, flags, 0, ())


@st.composite
def states(draw: st.DrawFn) -> State:
    """Any table in any phase, with the stacks that a phase can begin or wait with."""
    count = draw(st.integers(2, 4))
    numbers = [draw(st.lists(st.integers(1, 255), unique=True, max_size=4)) for _ in range(count)]
    uids = [seat << 8 | n for seat, row in enumerate(numbers) for n in row]
    topology = Topology(draw(links(uids)))
    herds = tuple(tuple(draw(animals(seat << 8 | n, topology)) for n in row) for seat, row in enumerate(numbers))
    following = tuple(max(row, default=0) + 1 for row in numbers)
    spent = sum(1 << i for i, x in enumerate(topology.links) if 1 << x[0] & FOOD_PAIRS and draw(st.booleans()))
    phase = draw(st.sampled_from((DEVELOPMENT, FOOD, FEEDING, EXTINCTION, OVER)))
    top = draw(st.lists(st.sampled_from(sorted(set(deck(BASE)))), max_size=3))
    player = draw(st.integers(0, count - 1))
    state = State(
        phase, draw(st.integers(1, 999)), draw(st.integers(1, 9)), draw(st.integers(0, count - 1)), player,
        draw(st.sampled_from((0, TOOK, HUNTED, SIDE, TOOK | SIDE, HUNTED | SIDE))) if phase == FEEDING else 0,
        draw(st.integers(0, count - 1)),
        draw(st.integers(0, (1 << count) - 1)) & ~(1 << player) if phase == DEVELOPMENT else 0,
        (draw(st.integers(0, 30)),), draw(st.one_of(piles(), st.just(bytes((UNKNOWN,)) * 20))), bytes(top),
        tuple(draw(piles(4)) for _ in range(count)), tuple(draw(piles()) for _ in range(count)), herds,
        tuple(min(n + draw(st.sampled_from((0, 0, 3))), 256) for n in following), topology, spent, (), (),
    )  # fmt: skip
    return state._replace(stack=draw(stacks(state)))


@st.composite
def stacks(draw: st.DrawFn, state: State) -> tuple[Frame, ...]:
    """A stack for a phase: nothing, its beginning, a card to place (on a table where it has a place), or the deal."""
    begin: tuple[Frame, ...] = ((BEGIN,),)
    if state.phase == OVER:
        return ()
    if state.phase == EXTINCTION and (state.deck or state.top):
        counts = draw(st.lists(st.integers(0, 20), min_size=len(state.hands), max_size=len(state.hands)))
        seat = draw(st.integers(0, len(counts) - 1))
        counts[seat] += 1
        return draw(st.sampled_from((begin, ((DEAL, bytes(counts), seat),))))
    plain = trait_of["fat-tissue"].index
    cards = [c for c in state.hands[state.player] if c != UNKNOWN and plain in CARDS[c].traits]
    if state.phase == DEVELOPMENT and cards and state.herds[state.player]:
        return ((PLACE, cards[0], CARDS[cards[0]].traits.index(plain)),)
    return begin if state.phase == EXTINCTION else draw(st.sampled_from(((), begin)))


def dense_states() -> st.SearchStrategy[State]:
    """A crowded table in the feeding phase."""
    return st.integers(0, 10**6).map(lambda seed: dense_table(Random(seed)))


def junk() -> st.SearchStrategy[object]:
    """What a stranger might put where a name, a number, a list or a mapping belongs."""
    words = [
        "A",
        "a1",
        "b1",
        "plain",
        "food 1",
        "running",
        "cooperation",
        "?",
        "carnivorous*",
        "fat-tissue(1/2)",
        "()",
        "*",
    ]
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.just(10**30),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from(words),
    )
    keys = st.one_of(st.sampled_from([*words, "top", "more", "traits", "to", "armed", "attack"]), st.text(max_size=4))
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=6
    )
