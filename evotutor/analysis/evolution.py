"""What the game-independent analysis has to be told about Evolution: goals, where a search ends, good moves first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from evotutor.analysis.goals import GoalError, Values, against_the_best, parse
from evotutor.core.model import Game
from evotutor.games.evolution.base import HIBERNATION, PIRACY, POISONOUS, SCAVENGER, TAIL_LOSS
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, bit
from evotutor.games.evolution.move_text import join_line
from evotutor.games.evolution.position_pending import animal_number
from evotutor.games.evolution.state import (
    ATTACK,
    CARNIVOROUS,
    EXTINCTION,
    FEEDING,
    FOOD,
    OVER,
    PARTNER,
    PLACE,
    POISONED,
    REMAINS,
    RESTING,
    REVEALED,
    SWAP,
    TARGET,
    VICTIM,
    Animal,
    State,
    find,
)

__all__ = ["estimate", "feeding_over", "goal", "half", "join_line", "reach", "totals"]

COOPERATION: Final = bit["cooperation"]
POINTS: Final = tuple(TRAITS[i].points if i >= 0 else 0 for i in TRAIT_OF_FACE)
"""Points of a face on a survivor."""
STRIKE: Final = 4.0
"""What an attack under way is worth in the estimate."""


def feeding_over(state: State) -> bool:
    """The feeding phase is over: deaths have been counted, cards come next or the game is finished."""
    return state.phase in (EXTINCTION, OVER) or (state.phase != FEEDING and state.phase != FOOD)


def totals(state: State) -> list[int]:
    """Points of each seat as if the game ended with the animals on the table."""
    found = []
    for herd in state.herds:
        points = 0
        for a in herd:
            points += 0 if a.flags & REMAINS else 2
            points += 2 if a.flags & REVEALED else 0
            for face in a.faces:
                points += POINTS[face]
        found.append(points)
    for trait, u, _, _ in state.links.links:
        found[u >> 8] += TRAITS[trait].points
    return found


def half(state: State) -> bool:
    """Is the decision only the second half of a move: the target of an attack, the victim of a pirate?"""
    return bool(state.stack) and state.stack[-1][0] in (TARGET, VICTIM, PLACE, PARTNER, SWAP)


def estimate(state: State, seat: int) -> float:
    """A guess of the difference of points: fed animals count whole, hungry ones by what they lack, hunters more."""
    total, bank = 0.0, sum(state.bank)
    for owner, herd in enumerate(state.herds):
        points = 0.0
        for a in herd:
            lacking = a.need - a.red - a.blue
            if a.flags & POISONED:
                share = 0.0
            elif lacking <= 0:
                share = 1.0
            else:
                share = (0.5 if lacking == 1 else 0.3) if bank else 0.1
            points += share * (2 + len(a.faces))
            if a.mask & CARNIVOROUS and not a.used & CARNIVOROUS and (lacking > 0 or a.fat != a.fatcards):
                points += 1
        total += points if owner == seat else -points
    if state.stack and state.stack[-1][0] in (TARGET, ATTACK):
        total += STRIKE if state.stack[-1][1] >> 8 == seat else -STRIKE
    return total


def worth(animal: Any) -> int:
    """Points of an animal and its unpaired cards."""
    points = 0 if animal.flags & REMAINS else 2
    if animal.flags & REVEALED:
        points += 2
    for face in animal.faces:
        points += POINTS[face]
    return points


@dataclass(frozen=True)
class ScoreGoal:
    """The own points less the best other player's, as they stand when the feeding phase is over."""

    stable: bool
    """Does a fed animal stay fed, and is nobody born (the base game)?  Then what is safe can be counted."""
    spare: int = 0
    """Points that a seat can still gain beyond its animals (young, revealed Anglerfish)."""
    name: str = "score"
    least: float = -500.0
    most: float = 500.0
    sudden: bool = False

    def values(self, game: Game[Any], state: State) -> Values:
        """Differences of points."""
        return against_the_best(totals(state))

    def early(self, state: State) -> Values | None:
        """Never certain before the end."""
        return None

    def window(self, state: State, seat: int) -> tuple[float, float]:
        """At best the own animals that can still be fed live, at worst those that are fed and cannot all be eaten."""
        if self.stable and state.phase == FEEDING:
            lows, highs = reach(state)
        else:
            highs = totals(state)
            lows = [0] * len(highs)
        other_high = max((high for k, high in enumerate(highs) if k != seat), default=0) + self.spare
        other_low = max((low for k, low in enumerate(lows) if k != seat), default=0)
        return lows[seat] - other_high, highs[seat] + self.spare - other_low


def reach(state: State) -> tuple[list[int], list[int]]:
    """The least and the most points that each seat can have when the feeding phase is over (base game only).

    Most: pairs, fed animals, and the best hungry ones that the bank could feed after everything else that could feed
    them has (own fat, a kill, a scavenger's share, Piracy, Cooperation, sleep).  Least: fed animals less the best ones,
    one for each hunter that can still strike.
    """
    strikes = sum(frame[0] in (TARGET, ATTACK) for frame in state.stack)
    for herd in state.herds:
        for a in herd:
            if a.mask & CARNIVOROUS and not a.used & CARNIVOROUS:
                strikes += a.red + a.blue < a.need or a.fat != a.fatcards
    poison = any(a.mask & POISONOUS for herd in state.herds for a in herd)
    last = not state.deck and not state.top
    bank, lows, highs = state.bank[0], [], []
    for herd in state.herds:
        sure, hungry, high = [], [], 0
        for a in herd:
            points = worth(a)
            lacking = a.need - a.red - a.blue
            if lacking <= 0 or a.flags & 1:
                if not a.flags & POISONED:
                    sure.append(points)
                    high += points
                continue
            if a.flags & POISONED:
                continue
            lacking -= _helped(a, strikes, last) + (3 if a.mask & TAIL_LOSS and strikes else 0)
            if lacking <= 0:
                high += points
            else:
                hungry.append((points, lacking))
        lows.append(sum(sorted(sure)[: max(0, len(sure) - strikes * (1 + poison))]))
        highs.append(high + _most(hungry, bank))
    for trait, u, _, _ in state.links.links:
        highs[u >> 8] += TRAITS[trait].points
    return lows, highs


def _helped(a: Animal, strikes: int, last: bool) -> int:
    """Tokens that an animal could get without the bank."""
    mask, used = a.mask, a.used
    if mask & COOPERATION or (mask & HIBERNATION and not last and not a.flags & RESTING):
        return 99
    found = a.fat.bit_count()
    if mask & CARNIVOROUS:
        found += 0 if used & CARNIVOROUS else 2
    if mask & (SCAVENGER | PIRACY):
        found += strikes if mask & SCAVENGER else 0
        found += 1 if mask & PIRACY and not used & PIRACY else 0
    return found


def _most(hungry: list[tuple[int, int]], bank: int) -> int:
    """The most points of hungry animals that so many tokens can feed: a knapsack, or all if they suffice."""
    if not hungry or bank <= 0:
        return 0
    if sum(lacking for _, lacking in hungry) <= bank:
        return sum(points for points, _ in hungry)
    best = [0] * (bank + 1)
    for points, lacking in hungry:
        for room in range(bank, lacking - 1, -1):
            best[room] = max(best[room], best[room - lacking] + points)
    return best[bank]


@dataclass(frozen=True)
class CountGoal:
    """Survivors: the own number less the largest other, or the own hungry animals (`feed-all`)."""

    name: str
    least: float = -60.0
    most: float = 60.0
    sudden: bool = False

    def values(self, game: Game[Any], state: State) -> Values:
        """Survivors counted."""
        alive = [sum(not a.flags & REMAINS for a in herd) for herd in state.herds]
        return against_the_best(alive)

    def early(self, state: State) -> Values | None:
        """Never certain before the end."""
        return None

    def window(self, state: State, seat: int) -> tuple[float, float]:
        """All of one side, none of the other."""
        return self.least, self.most


@dataclass(frozen=True)
class FateGoal:
    """One animal lives (`survive`) or dies (`kill`) in this feeding phase: 1 for who wants it, 0 if it fails."""

    name: str
    uid: int
    players: int
    alive: bool
    least: float = 0.0
    most: float = 1.0
    sudden: bool = True

    def values(self, game: Game[Any], state: State) -> Values:
        """1 for every seat when it came true: who plays against it is the question's affair."""
        a = find(state, self.uid)
        lives = a is not None and not a.flags & REMAINS
        return (float(lives == self.alive),) * self.players

    def early(self, state: State) -> Values | None:
        """A dead animal stays dead."""
        a = find(state, self.uid)
        if a is None or a.flags & REMAINS:
            return (float(not self.alive),) * self.players
        return None

    def window(self, state: State, seat: int) -> tuple[float, float]:
        """Between no and yes."""
        return 0.0, 1.0


@dataclass(frozen=True)
class FeedGoal:
    """All own animals that are on the table now live and are fed when the feeding phase is over: 1, else 0."""

    seat: int
    players: int
    mine: frozenset[int]
    name: str = "feed-all"
    least: float = 0.0
    most: float = 1.0
    sudden: bool = True

    def values(self, game: Game[Any], state: State) -> Values:
        """1 when every one of them has survived."""
        alive = {a.uid for a in state.herds[self.seat] if not a.flags & REMAINS}
        return (float(self.mine <= alive),) * self.players

    def early(self, state: State) -> Values | None:
        """One that is dead is not fed any more."""
        alive = {a.uid for a in state.herds[self.seat] if not a.flags & REMAINS}
        return None if self.mine <= alive else (0.0,) * self.players

    def window(self, state: State, seat: int) -> tuple[float, float]:
        """Between no and yes."""
        return 0.0, 1.0


@dataclass(frozen=True)
class WinGoal:
    """First place at the end of the last turn: 1, shared 1/n, else 0."""

    name: str = "win"
    least: float = 0.0
    most: float = 1.0
    sudden: bool = False

    def values(self, game: Game[Any], state: State) -> Values:
        """Shares of the first place, ties by the discard as the rules have it."""
        lines = game.score(state)
        first = [line.player for line in lines if line.place == 1]
        return tuple(1 / len(first) if seat in first else 0.0 for seat in range(len(lines)))

    def early(self, state: State) -> Values | None:
        """Never certain before the end."""
        return None

    def window(self, state: State, seat: int) -> tuple[float, float]:
        """Between no and yes."""
        return 0.0, 1.0


def goal(text: str, game: Any, state: State, seat: int) -> Any:
    """The goal that a text names, for a seat in a position; GoalError where it cannot be one."""
    word, animal = parse(text)
    players = len(state.hands)
    if word == "score":
        spare = 2 * sum(map(len, state.herds)) + 20 if game.expanded else 0
        return ScoreGoal(stable=not game.expanded, spare=spare)
    if word == "most-animals":
        return CountGoal(word)
    if word == "win":
        if state.deck or state.top:
            raise GoalError("who wins is decided in the last turn only: its deck is empty")
        return WinGoal()
    if word == "feed-all":
        return FeedGoal(seat, players, frozenset(a.uid for a in state.herds[seat]))
    uid = animal_number(state, animal)
    return FateGoal(f"{word} {animal}", uid, players, alive=word == "survive")
