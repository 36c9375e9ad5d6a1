"""What the bots have to be told about Evolution: which moves are alike, which sensible, and when a turn is over."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, Final

from evotutor.analysis.evolution_worth import ESCAPE_MASK, WEIGHTS, Weights, Worth, points_of, success
from evotutor.core.model import Move
from evotutor.games.evolution import base
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN
from evotutor.games.evolution.game import EvolutionGame
from evotutor.games.evolution.state import (
    DEVELOPMENT,
    EXTINCTION,
    FEEDING,
    OVER,
    PARTNER,
    PLACE,
    SWAP,
    TARGET,
    VICTIM,
    Animal,
    State,
)

FEW: Final = {PLACE: 5, PARTNER: 3}
"""How many answers a look one line ahead tries where there are many."""
ON_ONE: Final = (m.ON, m.AND, m.TAKE, m.ATTACK, m.TARGET, m.CONVERT, m.GRAZE, m.PIRATE, m.VICTIM, m.HIBERNATE, m.WARM)
"""Verbs whose first argument is the animal that they are about."""
OPEN: Final = (PLACE, PARTNER, TARGET, VICTIM, SWAP)
"""Questions that are the rest of the same line of the same player."""
USES: Final = {
    "carnivorous": 3.0, "high-body-weight": 1.5, "fat-tissue": 1.5, "swimming": 1.5, "camouflage": 1.5,
    "burrowing": 1.2, "sharp-vision": 0.8, "parasite": 1.3, "cooperation": 1.6, "communication": 1.4,
    "hibernation": 1.4, "symbiosis": 1.3, "running": 1.2, "tail-loss": 1.1, "poisonous": 1.1, "flight": 1.6,
    "intellect": 1.5, "trematode": 1.3,
}  # fmt: skip
"""How much a trait would be missed when its card becomes an animal; 1 where nothing is said."""
ANIMAL_KIND: Final = {card.index: 1 for card in CARDS if card.name == "anglerfish"}
"""Cards that are an animal of their own kind."""
PASSES, STRIKES, GRAZES = 0.1, 0.8, 0.5
"""How often playouts pass in development, hunt when there is prey, and graze when there is nothing better."""


@cache
def use_of(card: int) -> float:
    """How much a card would be missed as a trait."""
    if card == UNKNOWN:
        return 0.0
    uses = sorted((USES.get(TRAITS[t].id, 1.0) for t in CARDS[card].traits), reverse=True)
    return sum(use * part for use, part in zip(uses, (1.0, 0.4), strict=False))


class EvolutionJudge:
    """Estimates and habits for one game; see `evotutor.analysis.bots.Judge`."""

    def __init__(self, game: EvolutionGame, weights: Weights = WEIGHTS) -> None:
        self.game = game
        worth = Worth(game, weights)
        self.values, self.rewards = worth.values, worth.rewards

    # where a look ahead ends

    def mark(self, state: State) -> Any:
        """Something that stays the same until the turn is over: deaths are counted, cards are dealt next."""
        return -1 if state.phase in (EXTINCTION, OVER) else state.turn

    def is_open(self, state: State) -> bool:
        """Is the line that a player began not yet complete?"""
        return bool(state.stack) and state.stack[-1][0] in OPEN

    # which moves are alike

    def seen_move(self, state: State, move: Move, mover: int | None, seat: int) -> Move:
        """The move as `seat` sees it: cards that others put face down or draw look alike."""
        if mover == seat:
            return move
        if move[0] == m.PLAY_ANIMAL:
            return (move[0], UNKNOWN, *move[2:])
        return (move[0],) if move[0] in (m.DRAW, m.RESTORE) else move

    def alike(self, state: State, moves: list[Move]) -> list[Move]:
        """One move of each kind: a trait stands on several cards, any card can become an animal, animals are twins."""
        if state.stack or state.phase != DEVELOPMENT:
            return self._twins(state, moves)
        found: dict[Any, tuple[float, Move]] = {}
        for move in moves:
            verb, keep = move[0], 0.0
            key: Any = move
            if verb == m.PLAY_TRAIT and move[1] != UNKNOWN:
                key, keep = (verb, CARDS[move[1]].traits[move[2]]), use_of(move[1])
            elif verb == m.PLAY_ANIMAL:
                key, keep = (verb, ANIMAL_KIND.get(move[1], 0), *move[2:]), use_of(move[1])
            if key not in found or keep < found[key][0]:
                found[key] = (keep, move)
        return [move for _, move in found.values()]

    def promising(self, state: State, moves: list[Move]) -> list[Move]:
        """A few of the answers that complete a line: animals of every strength, from the one with most cards down."""
        moves = self._twins(state, moves)
        few = FEW.get(state.stack[-1][0], 0) if state.stack else 0
        if not few or len(moves) <= few:
            return moves
        ranked = sorted(moves, key=lambda move: -len(_animal(state, move[1]).faces))
        return [ranked[i * (len(ranked) - 1) // (few - 1)] for i in range(few)]

    def _twins(self, state: State, moves: list[Move]) -> list[Move]:
        """Without moves that do the same to an animal just like another one."""
        if len(moves) < 3:
            return moves
        seen: set[Any] = set()
        kept: list[Move] = []
        kinds: dict[int, Any] = {}
        for move in moves:
            if move[0] in ON_ONE:
                kind = kinds.get(move[1])
                if kind is None:
                    kind = kinds[move[1]] = _kind(state, move[1])
                key = (move[0], kind, *move[2:])
                if key in seen:
                    continue
                seen.add(key)
            kept.append(move)
        return kept

    # habits: the cheap policy of playouts

    def quick(self, state: State, moves: list[Move], rng: Random) -> Move:
        """A sensible move at once, with some chance in it."""
        if state.stack:
            return self._answer(state, moves, rng)
        if state.phase == FEEDING:
            return self._feed(state, moves, rng)
        if moves[-1][0] == m.PASS and len(moves) > 1 and rng.random() > PASSES:
            moves = moves[:-1]
        return moves[int(rng.random() * len(moves))]

    def _answer(self, state: State, moves: list[Move], rng: Random) -> Move:
        kind = state.stack[-1][0]
        if kind == TARGET:
            return self._target(state, moves, rng)
        if kind == PLACE:
            moves = [move for move in moves if move[1] >> 8 == state.player] or moves
        elif moves[-1][0] == m.DECLINE and len(moves) > 1:
            moves = moves[:-1]
        return moves[int(rng.random() * len(moves))]

    def _target(self, state: State, moves: list[Move], rng: Random) -> Move:
        """The best animal of another player, or the least of the own."""
        enemies = [move for move in moves if move[1] >> 8 != state.player]
        if enemies:
            return max((_prize(state, move[1]) + rng.random(), move) for move in enemies)[1]
        return min((_prize(state, move[1]) + rng.random(), move) for move in moves)[1]

    def _feed(self, state: State, moves: list[Move], rng: Random) -> Move:
        may_end = moves[-1][0] == m.END
        able = moves[:-1] if may_end else moves
        hunts = [move for move in able if move[0] == m.ATTACK]
        if hunts and rng.random() < STRIKES:
            for move in hunts:
                if self._has_enemy_prey(state, move[1]):
                    return move
        takes = [move for move in able if move[0] == m.TAKE]
        if takes:
            return max((_hunger(state, move[1]) + rng.random(), move) for move in takes)[1]
        others = [move for move in able if move[0] not in (m.ATTACK, m.GRAZE, m.MIGRATE)]
        if others:
            return others[int(rng.random() * len(others))]
        if able[0][0] == m.GRAZE and rng.random() < GRAZES:
            return able[0]
        return moves[-1]

    def _has_enemy_prey(self, state: State, uid: int) -> bool:
        hunter, can_attack = _animal(state, uid), self.game.can_attack
        for seat, herd in enumerate(state.herds):
            if seat != uid >> 8:
                for t in herd:
                    if can_attack(state, hunter, t):
                        return True
        return False


def _animal(state: State, uid: int) -> Animal:
    for a in state.herds[uid >> 8]:
        if a.uid == uid:
            return a
    raise KeyError(uid)


def _kind(state: State, uid: int) -> Any:
    """What is to be known of an animal; pairs make it unlike any other."""
    for link in state.links.links:
        if uid in link[1:3]:
            return uid
    a = _animal(state, uid)
    hidden = a.body if a.body in ANIMAL_KIND else 0
    return (uid >> 8, a.faces, a.red + a.blue, a.fat, a.used, a.flags, a.loc, a.more, hidden)


def _prize(state: State, uid: int) -> float:
    """How much an attack on this animal promises."""
    a = _animal(state, uid)
    value = points_of(a.faces) * success(a.mask & ESCAPE_MASK)
    return value * 0.4 if a.mask & base.POISONOUS else value


def _hunger(state: State, uid: int) -> float:
    """How urgent a token is for this animal; 0 when it would only be stored."""
    a = _animal(state, uid)
    lack = a.need - a.red - a.blue
    if lack <= 0:
        return 0.0
    can_hunt = a.mask & base.CARNIVOROUS and not a.used & base.CARNIVOROUS
    return 4.0 + points_of(a.faces) / lack - (3.0 if can_hunt else 0.0)


@cache
def judge(game: EvolutionGame) -> EvolutionJudge:
    """The judge of a game; the same game has the same judge."""
    return EvolutionJudge(game)
