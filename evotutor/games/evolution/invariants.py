"""What must hold in every state and at every step of any game: the long tests ask these questions millions of times.

Each function yields complaints as text; none means that all is well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from evotutor.core.flow import balance, flow_graph, fold_tokens
from evotutor.core.model import Game, Move
from evotutor.games.evolution.catalog import CARD_OF_FACE, TRAIT_OF_FACE, TRAITS, bit
from evotutor.games.evolution.locations import OCEAN
from evotutor.games.evolution.moves import BEGIN_STEP
from evotutor.games.evolution.state import (
    ASIDE,
    ATTACK,
    BIRTH,
    FETCH,
    FOLLOW,
    LAND,
    MOVING,
    PARTNER,
    POOL,
    REMAINS,
    RESTORE,
    REVEALED,
    REWARD,
    SWAP,
    TARGET,
    VICTIM,
    Animal,
    State,
    caches,
    find,
    name_of,
    printed,
    shells,
)
from evotutor.games.evolution.time_to_fly import ANGLERFISH, TYPES
from evotutor.games.evolution.tokens import tokens
from evotutor.games.evolution.wellformed import every_move

CARNIVOROUS, SCAVENGER = bit["carnivorous"], bit["scavenger"]
MOST_MOVES = 300
"""No state has more legal moves than this."""


def cards(state: State) -> Counter[int]:
    """All cards of the table, hands, piles and deck; they are always the same."""
    found: Counter[int] = Counter(state.deck)
    found.update(state.top)
    found.update(shells(state))
    for pile in (*state.hands, *state.discards):
        found.update(pile)
    for herd in state.herds:
        for animal in herd:
            if not animal.flags & REMAINS:
                found[animal.body] += 1
            found.update(CARD_OF_FACE[face] for face in animal.faces)
    found.update(CARD_OF_FACE[link[3]] for link in state.links.links)
    return found


def state_complaints(state: State) -> Iterator[str]:
    """Caches, limits and references of one state."""
    for seat, herd in enumerate(state.herds):
        for a in herd:
            name = name_of(a.uid)
            if a.uid >> 8 != seat or a.uid & 255 >= state.numbers[seat]:
                yield f"{name} stands in the row of seat {seat} with next number {state.numbers[seat]}"
            if (a.mask, a.need, a.fatcards) != caches(a, state.links):
                yield f"{name}: caches differ from cards and links"
            if min(a.red, a.blue) < 0:
                yield f"{name}: {a.red} red and {a.blue} blue tokens"
            if a.fat & ~a.fatcards:
                yield f"{name}: fat without a card"
            if a.used & ~a.mask:
                yield f"{name}: a trait is used that it does not have"
            yield from (f"{name}: {what}" for what in _expansion_complaints(state, a))
    if any(n < 0 for n in state.bank):
        yield f"bank {state.bank}"
    for _, u, v, _ in state.links.links:
        if find(state, u) is None or find(state, v) is None:
            yield f"a link between {name_of(u)} and {name_of(v)}, one of them is gone"
    for uid in waiting(state):
        if find(state, uid) is None:
            yield f"a pending decision about {name_of(uid)}, who is gone"
    if not isinstance(hash(state), int) or State(*state) != state or hash(State(*state)) != hash(state):
        yield "a copy of the state is not equal to it"


def _expansion_complaints(state: State, a: Animal) -> Iterator[str]:
    """What the expansions say of one animal."""
    if (a.uid in state.links.off) != bool(a.flags & ASIDE):
        yield "its pair cards do not work though it is not paralysed, or the other way round"
    if a.flags & REMAINS and (a.red or a.blue or a.fat):
        yield "remains with tokens"
    if a.flags & REVEALED and a.body != ANGLERFISH:
        yield "turned up, but no Anglerfish"
    owned = printed(a.faces)
    if owned & TYPES == TYPES or (owned & CARNIVOROUS and owned & SCAVENGER):
        yield "two traits that exclude each other"
    faces = [TRAIT_OF_FACE[face] for face in a.faces if TRAITS[TRAIT_OF_FACE[face]].id != "fat-tissue"]
    if len(set(faces)) < len(faces):
        yield "the same trait twice"
    if len(state.bank) > 1:
        landing = any(frame[0] == LAND and frame[1] == a.uid for frame in state.stack)
        if a.loc == OCEAN and a.flags & ASIDE and not a.flags & REMAINS and not landing:
            yield "paralysed in the Ocean"


def waiting(state: State) -> Iterator[int]:
    """Animals that pending decisions speak of."""
    for frame in state.stack:
        if frame[0] in (TARGET, VICTIM, REWARD, FETCH, SWAP, BIRTH, RESTORE):
            yield frame[1]
        elif frame[0] in (MOVING, FOLLOW):
            yield from (uid for uid, _, _ in frame[-1])
        elif frame[0] == ATTACK:
            yield from frame[1:3]
        elif frame[0] == PARTNER:
            yield frame[3]
        elif frame[0] == POOL:
            for _trait, u, v, receiver in frame[2]:
                yield from (u, v, receiver)


def score_complaints(game: Game[State], state: State) -> Iterator[str]:
    """The score is the sum of its items, and the items are what lies on the table."""
    for line in game.score(state):
        if line.total != sum(item.points for item in line.items):
            yield f"seat {line.player}: total {line.total} differs from its items"
        herd = state.herds[line.player]
        expected = 2 * sum(1 + bool(a.flags & REVEALED) - bool(a.flags & REMAINS) for a in herd) + sum(
            TRAITS[TRAIT_OF_FACE[face]].points for a in herd for face in a.faces
        )
        expected += sum(TRAITS[link[0]].points for link in state.links.links if link[1] >> 8 == line.player)
        if line.total != expected:
            yield f"seat {line.player}: total {line.total}, the cards are worth {expected}"


def move_complaints(game: Game[State], state: State, legal: Sequence[Move], asked: bool = False) -> Iterator[str]:
    """The list of legal moves: not empty where somebody is asked, no doubles, not too long, nobody dead in it.

    With `asked` each move must also apply, print, parse back, and have no reason against it.
    """
    decision = game.decision(state)
    if not legal and not decision.over and not decision.chance:
        yield f"nothing to choose at {decision.kind}"
    if len(set(legal)) < len(legal):
        yield "a move is listed twice"
    if len(legal) > MOST_MOVES:
        yield f"{len(legal)} moves"
    if not asked:
        return
    for move in legal:
        text = game.show(state, move)
        if (back := game.line(state, text)) != [move]:
            yield f"{text!r} is read as {back}, was {move}"
        if reasons := game.why_not(state, move):
            yield f"{text!r} is listed but {reasons[0].rule}"
        yield from state_complaints(game.apply(state, move))


def reason_complaints(game: Game[State], state: State, legal: Sequence[Move]) -> Iterator[str]:
    """Legal means listed, and listed means no reason against it, for everything that could be said."""
    listed, said = set(legal), set(every_move(state))
    for move in said:
        reasons = game.why_not(state, move)
        if (move in listed) == bool(reasons):
            yield f"{move} is {'listed' if move in listed else 'not listed'}, reasons: {[r.rule for r in reasons]}"
    yield from (f"{move} is listed but cannot be said" for move in listed - said if move[0] != BEGIN_STEP)


def step_complaints(old: State, events: Sequence[Sequence[Any]], new: State) -> Iterator[str]:
    """Tokens and cards are conserved, and the events say what changed."""
    before, after = tokens(old), tokens(new)
    try:
        folded = fold_tokens(before, events)
    except ValueError as error:
        yield str(error)
    else:
        if folded != after:
            yield f"the events lead to {folded}, the state has {after}"
    if cards(old) != cards(new):
        yield f"cards appear {cards(new) - cards(old)} or disappear {cards(old) - cards(new)}"
    yield from _surplus(old, new)
    yield from _lives(old, events, new)
    yield from _piles(old, events, new)


def flow_complaints(old: State, events: Sequence[Sequence[Any]], new: State) -> Iterator[str]:
    """The sums of the flow graph are the tokens on the table."""
    before, after = tokens(old), tokens(new)
    yield from (f"flow: {wrong}" for wrong in balance(flow_graph(events, before), before, after))


def _surplus(old: State, new: State) -> Iterator[str]:
    """Nobody gets more than it needs; who drops a trait and needs less keeps what it has."""
    for herd in new.herds:
        for a in herd:
            if a.red + a.blue > a.need:
                was = find(old, a.uid)
                if was is None or a.red + a.blue > was.red + was.blue:
                    yield f"{name_of(a.uid)} got {a.red} red and {a.blue} blue for a need of {a.need}"


def _lives(old: State, events: Sequence[Sequence[Any]], new: State) -> Iterator[str]:
    alive = {a.uid for herd in old.herds for a in herd if not a.flags & REMAINS}
    dead: set[int] = set()
    for kind, rule, _, *data in events:
        if kind == "born":
            alive.add(data[0])
            dead.discard(data[0])
        elif kind == "die":
            alive.discard(data[0])
            dead.add(data[0])
        elif kind in ("attack", "escape", "redirect") and dead & set(data):
            yield f"{kind} by {rule} concerns a dead animal"
        elif kind == "state" and data[0] in dead and data[1] not in ("remains", "due"):
            yield f"{rule} changes a dead animal"
        elif kind == "transfer" and (data[1] in dead or (data[0] in dead and data[1] != "lost")):
            yield f"{rule} feeds a dead animal"
    if alive != {a.uid for herd in new.herds for a in herd if not a.flags & REMAINS}:
        yield "births and deaths are not those of the events"


def _piles(old: State, events: Sequence[Sequence[Any]], new: State) -> Iterator[str]:
    """Hands and discards follow from the card events."""
    piles: dict[tuple[Any, ...], Counter[int]] = {("hand", seat): Counter(pile) for seat, pile in enumerate(old.hands)}
    piles |= {("table",): Counter(shells(old))}
    piles |= {("discard", seat): Counter(pile) for seat, pile in enumerate(old.discards)}
    for kind, _, _, *data in events:
        if kind == "card":
            card, source, sink = data
            if source in piles:
                piles[source][card] -= 1
            if sink in piles:
                piles[sink][card] += 1
    for place, pile in piles.items():
        if place == ("table",):
            now = Counter(shells(new))
        else:
            now = Counter((new.hands if place[0] == "hand" else new.discards)[place[1]])
        if +pile != now or min(pile.values(), default=0) < 0:
            yield f"the cards of {place} are not what the events say"
