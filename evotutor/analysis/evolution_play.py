"""What the bots have to be told about Evolution: what a position is worth, which moves are sensible, when a turn is over.

Worth is counted in points of the final score.  The estimate is made for speed (about 40 microseconds on a table of ten
animals): expected food is shared out, hunters choose their prey, and every animal counts as often as it lives.
"""

from __future__ import annotations

from functools import cache
from math import exp
from random import Random
from typing import Any, Final, NamedTuple

from evotutor.core.model import Move
from evotutor.games.evolution import base
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import CARDS, TRAIT_OF_FACE, TRAITS, UNKNOWN, bit
from evotutor.games.evolution.game import EvolutionGame
from evotutor.games.evolution.locations import FOOD as FOOD_TABLE
from evotutor.games.evolution.state import (
    ASIDE,
    ATTACK,
    DEVELOPMENT,
    EXTINCTION,
    FEEDING,
    HIBERNATING,
    IN_SHELL,
    LINKED,
    NEWBORN,
    OVER,
    PARTNER,
    PLACE,
    POISONED,
    REMAINS,
    RESTING,
    REVEALED,
    SWAP,
    TARGET,
    TOOK,
    VICTIM,
    Animal,
    State,
)
from evotutor.games.evolution.turn import FOOD_DICE


class Weights(NamedTuple):
    """What the estimate is made of, in points unless said otherwise."""

    card: float = 0.8
    """a card in the hand while turns remain"""
    last_card: float = 0.5
    """a card in the hand in the last development phase"""
    income: float = 0.7
    """a survivor's card of each later turn"""
    fat: float = 0.5
    """a filled Fat Tissue"""
    hunts: float = 0.85
    """chance that a hunter strikes in this turn"""
    next_turn: float = 0.5
    """how much the prospects of the next turn count once this one is over"""
    mean: float = 0.3
    """how much a token taken away from the others' hungry animals counts beyond what they lose"""
    heat: float = 3.0
    """points of difference that a game of one more turn turns round easily"""


WEIGHTS: Final = Weights()
POINTS: Final = tuple(TRAITS[i].points if i >= 0 else 0 for i in TRAIT_OF_FACE)
ESCAPES: Final = (
    (bit["running"], 0.5), (bit["mimicry"], 0.6), (bit["tail-loss"], 0.45), (bit["shell"], 0.2), (bit["ink-cloud"], 0.3),
    (bit["regeneration"], 0.5), (bit["burrowing"], 0.6), (bit["cnidocytes"], 0.8),
)  # fmt: skip
"""Defences that are no flat prohibition, and the share of attacks that succeed all the same."""
ESCAPE_MASK: Final = sum(mask for mask, _ in ESCAPES)
HUNTER, HIBERNATION, SCAVENGER, PIRACY = base.CARNIVOROUS, base.HIBERNATION, base.SCAVENGER, base.PIRACY
POISONOUS: Final = base.POISONOUS
HELPERS: Final = (
    (HIBERNATION, 0.0), (SCAVENGER, 0.4), (PIRACY, 0.6), (bit["specialization-a"], 0.7), (bit["specialization-b"], 0.7),
)  # fmt: skip
"""Traits that feed without the bank, and the tokens that they bring in a turn."""
HELPER_MASK: Final = sum(mask for mask, _ in HELPERS)
OPEN: Final = (PLACE, PARTNER, TARGET, VICTIM, SWAP)
"""Questions that are the rest of the same line of the same player."""


@cache
def success(mask: int) -> float:
    """The share of attacks that kill an animal with these defences."""
    chance = 1.0
    for trait, left in ESCAPES:
        if mask & trait:
            chance *= left
    return chance


@cache
def help_of(mask: int) -> float:
    """Tokens a turn that an animal with these traits finds by itself."""
    return sum(tokens for trait, tokens in HELPERS if mask & trait)


@cache
def points_of(faces: bytes) -> int:
    """Points of an animal that carries these cards."""
    return 2 + sum(POINTS[face] for face in faces)


USES: Final = {
    "carnivorous": 3.0, "high-body-weight": 1.5, "fat-tissue": 1.5, "swimming": 1.5, "camouflage": 1.5, "burrowing": 1.2,
    "sharp-vision": 0.8, "parasite": 1.3, "cooperation": 1.6, "communication": 1.4, "hibernation": 1.4, "symbiosis": 1.3,
    "running": 1.2, "tail-loss": 1.1, "poisonous": 1.1, "flight": 1.6, "intellect": 1.5, "trematode": 1.3,
}  # fmt: skip
"""How much a trait would be missed when its card becomes an animal; 1 where nothing is said."""
ANIMAL_KIND: Final = {card.index: 1 for card in CARDS if card.name == "anglerfish"}
"""Cards that are an animal of their own kind."""


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
        self.game, self.weights = game, weights

    # where a look ahead ends

    def mark(self, state: State) -> Any:
        """Something that stays the same until the turn is over: deaths are counted, cards are dealt next."""
        return -1 if state.phase in (EXTINCTION, OVER) else state.turn

    def is_open(self, state: State) -> bool:
        """Is the line that a player began not yet complete?"""
        return bool(state.stack) and state.stack[-1][0] in OPEN

    def seen_move(self, state: State, move: Move, mover: int | None, seat: int) -> Move:
        """The move as `seat` sees it: cards that others put face down or draw look alike."""
        if mover == seat:
            return move
        if move[0] == m.PLAY_ANIMAL:
            return (move[0], UNKNOWN, *move[2:])
        if move[0] == m.PLAY_TRAIT:
            return move
        return (move[0],) if move[0] in (m.DRAW, m.RESTORE) else move

    def alike(self, state: State, moves: list[Move]) -> list[Move]:
        """One move of each kind: a trait stands on several cards, and any card can become an animal."""
        if state.stack or state.phase != DEVELOPMENT:
            return moves
        found: dict[Any, tuple[float, Move]] = {}
        for move in moves:
            verb = move[0]
            key: Any
            if verb == m.PLAY_TRAIT:
                key, keep = (verb, CARDS[move[1]].traits[move[2]]), use_of(move[1])
            elif verb == m.PLAY_ANIMAL:
                key, keep = (verb, ANIMAL_KIND.get(move[1], 0), *move[2:]), use_of(move[1])
            else:
                key, keep = move, 0.0
            if key not in found or keep < found[key][0]:
                found[key] = (keep, move)
        return [move for _, move in found.values()]

    # what a position is worth

    def rewards(self, state: State) -> list[float]:
        """For each seat the chance to win as far as the estimate tells; they add up to 1."""
        if state.phase == OVER:
            return self._result(state)
        values = self.values(state)
        left = self._turns(state)
        best = max(values)
        heat = self.weights.heat * (1.0 + 0.6 * left)
        raw = [exp((v - best) / heat) for v in values]
        total = sum(raw)
        return [x / total for x in raw]

    def _result(self, state: State) -> list[float]:
        lines = self.game.score(state)
        winners = [line.player for line in lines if line.place == 1]
        return [1.0 / len(winners) if line.player in winners else 0.0 for line in lines]

    def _turns(self, state: State) -> float:
        """Turns to come after this one, at most three."""
        deck = len(state.deck) + len(state.top)
        if not deck or self.game.cataclysm:
            return 0.0
        animals = sum(map(len, state.herds))
        return min(3.0, 0.6 + deck / (animals + len(state.herds) + 1))

    def values(self, state: State) -> list[float]:
        """For each seat an estimate of its points at the end of the game."""
        weights, phase = self.weights, state.phase
        left = self._turns(state)
        over = phase in (EXTINCTION, OVER)
        income = weights.income * min(left, 2.0)
        worth: dict[int, float] = {}
        for herd in state.herds:
            for a in herd:
                worth[a.uid] = points_of(a.faces) + income + (2 if a.flags & REVEALED else 0)
                if a.flags & (REMAINS | POISONED):
                    worth[a.uid] *= 0.4 if a.flags & REMAINS else 0.0
        for trait, u, v, _ in state.links.links:
            half = 0.5 * TRAITS[trait].points
            worth[u] += half
            worth[v] += half
        lives, kills = self._attacks(state, worth, over)
        fed, stored = self._meals(state, worth, lives, kills, over)
        card = weights.card if left else weights.last_card if phase == DEVELOPMENT else 0.0
        found = []
        for seat, herd in enumerate(state.herds):
            value = card * len(state.hands[seat]) + 0.001 * len(state.discards[seat])
            if not herd and not state.hands[seat] and left:
                value += 3.0
            for a in herd:
                chance = lives[a.uid] * fed[a.uid]
                if over:
                    chance = 1.0 - weights.next_turn * (1.0 - chance) if left else 1.0
                value += worth[a.uid] * chance
                if left and a.fat:
                    value += weights.fat * chance * a.fat.bit_count()
            found.append(value + (weights.fat * stored[seat] if left else 0.0))
        return found

    def _attacks(self, state: State, worth: dict[int, float], over: bool) -> tuple[dict[int, float], dict[int, float]]:
        """For each animal the chance that no hunter kills it, and the tokens that its own hunting brings."""
        lives = dict.fromkeys(worth, 1.0)
        kills: dict[int, float] = {}
        can_attack, hunts = self.game.can_attack, self.weights.hunts
        feeding = state.phase == FEEDING
        for frame in state.stack:
            if frame[0] == ATTACK and frame[2] in lives:
                prey = self._animal(state, frame[2])
                chance = success(prey.mask & ESCAPE_MASK)
                lives[prey.uid] *= 1.0 - chance
                kills[frame[1]] = 2.0 * chance
        for seat, herd in enumerate(state.herds):
            for h in herd:
                if not h.mask & HUNTER or h.flags & (ASIDE | POISONED):
                    continue
                if feeding and (
                    h.used & HUNTER or h.flags & HIBERNATING or (h.red + h.blue >= h.need and h.fat == h.fatcards)
                ):
                    continue
                prey: list[tuple[int, float, float]] = []
                total, own = 0.0, False
                for other, theirs in enumerate(state.herds):
                    if other == seat:
                        own = own or any(can_attack(state, h, t) for t in theirs)
                        continue
                    for t in theirs:
                        if can_attack(state, h, t):
                            chance = success(t.mask & ESCAPE_MASK)
                            wish = (worth[t.uid] + 0.5) * chance
                            if t.mask & POISONOUS:
                                wish *= 0.4
                            if t.flags & IN_SHELL:
                                continue
                            wish *= wish
                            prey.append((t.uid, wish, chance))
                            total += wish
                if not prey:
                    kills[h.uid] = 0.5 if own else 0.0
                    continue
                meal = 0.0
                for uid, wish, chance in prey:
                    part = hunts * chance * wish / total
                    lives[uid] *= 1.0 - part
                    meal += part
                kills[h.uid] = 2.0 * meal
        return lives, kills

    def _banks(self, state: State) -> tuple[float, ...]:
        """Tokens in the banks of this turn (expected ones while the dice are not cast, or for the next turn)."""
        if state.phase == FEEDING or any(state.bank):
            return state.bank
        return expected_food(len(state.herds), self.game.locations)

    def _meals(
        self, state: State, worth: dict[int, float], lives: dict[int, float], kills: dict[int, float], over: bool
    ) -> tuple[dict[int, float], list[float]]:
        """For each animal how well it will be fed (0 to 1), and for each seat the tokens that will go into fat."""
        feeding = state.phase == FEEDING
        n = len(state.herds)
        last = not state.deck and not state.top
        fed: dict[int, float] = {}
        stored = [0.0] * n
        banks = expected_food(n, self.game.locations) if over else self._banks(state)
        start = state.player if feeding else state.first
        if feeding and state.acted & TOOK:
            start += 1
        for loc, bank in enumerate(banks):
            hungry: list[list[tuple[float, float, int]]] = []
            wants, room = [0.0] * n, [0.0] * n
            for seat, herd in enumerate(state.herds):
                mine: list[tuple[float, float, int]] = []
                for a in herd:
                    if a.loc != loc:
                        continue
                    lack: float = a.need if over else a.need - a.red - a.blue
                    if a.flags & (HIBERNATING | NEWBORN | REMAINS) and not over:
                        lack = 0
                    if lack > 0:
                        lack -= kills.get(a.uid, 0.0) + a.fat.bit_count()
                        mask = a.mask
                        if mask & HELPER_MASK:
                            if mask & HIBERNATION and not last and not a.flags & RESTING and (feeding or not over):
                                lack = 0
                            lack -= help_of(mask & HELPER_MASK & ~a.used)
                        if mask & LINKED:
                            lack -= 0.8
                    if lack <= 0:
                        fed[a.uid] = 1.0
                    else:
                        mine.append((worth[a.uid] * lives[a.uid] / lack, lack, a.uid))
                        wants[seat] += lack
                    if a.fatcards:
                        room[seat] += (a.fatcards & ~a.fat).bit_count()
                hungry.append(mine)
            shares = _shares(bank, [w + r for w, r in zip(wants, room, strict=True)], start)
            for seat, mine in enumerate(hungry):
                share = shares[seat]
                if share >= wants[seat]:
                    for _, _, uid in mine:
                        fed[uid] = 1.0
                    stored[seat] += share - wants[seat]
                    continue
                mine.sort(reverse=True)
                for _, lack, uid in mine:
                    fed[uid] = 1.0 if share >= lack else 0.8 * share / lack
                    share = max(0.0, share - lack)
        return fed, stored

    @staticmethod
    def _animal(state: State, uid: int) -> Animal:
        for a in state.herds[uid >> 8]:
            if a.uid == uid:
                return a
        raise KeyError(uid)

    # habits: the cheap policy of playouts

    def quick(self, state: State, moves: list[Move], rng: Random) -> Move:
        """A sensible move at once, with some chance in it."""
        if state.stack:
            return self._answer(state, moves, rng)
        if state.phase == FEEDING:
            return self._feed(state, moves, rng)
        return self._develop(state, moves, rng)

    def _develop(self, state: State, moves: list[Move], rng: Random) -> Move:
        if moves[-1][0] == m.PASS and rng.random() > 0.1 and len(moves) > 1:
            moves = moves[:-1]
        return moves[int(rng.random() * len(moves))]

    def _answer(self, state: State, moves: list[Move], rng: Random) -> Move:
        kind = state.stack[-1][0]
        if kind == TARGET:
            seat = state.player
            enemies = [(self._juicy(state, mv[1]) + rng.random(), mv) for mv in moves if mv[1] >> 8 != seat]
            if enemies:
                return max(enemies)[1]
            return min((self._juicy(state, mv[1]) + rng.random(), mv) for mv in moves)[1]
        if kind == PLACE:
            mine = [mv for mv in moves if mv[1] >> 8 == state.player]
            moves = mine or moves
        elif moves[-1][0] == m.DECLINE and len(moves) > 1:
            moves = moves[:-1]
        return moves[int(rng.random() * len(moves))]

    def _juicy(self, state: State, uid: int) -> float:
        a = self._animal(state, uid)
        value = points_of(a.faces) * success(a.mask & ESCAPE_MASK)
        return value * 0.4 if a.mask & POISONOUS else value

    def _feed(self, state: State, moves: list[Move], rng: Random) -> Move:
        first = moves[0][0]
        if len(moves) > 1 and moves[-1][0] == m.END:
            moves = moves[:-1]
        hunts = [mv for mv in moves if mv[0] == m.ATTACK]
        if hunts and rng.random() < 0.8:
            for mv in hunts:
                if self._has_enemy_prey(state, mv[1]):
                    return mv
        if first == m.TAKE:
            takes = [mv for mv in moves if mv[0] == m.TAKE]
            if len(takes) == 1:
                return takes[0]
            return max((self._hunger(state, mv[1]) + rng.random(), mv) for mv in takes)[1]
        others = [mv for mv in moves if mv[0] not in (m.ATTACK, m.GRAZE, m.MIGRATE)]
        if others:
            return others[int(rng.random() * len(others))]
        if moves[0][0] == m.GRAZE and rng.random() < 0.5:
            return moves[0]
        return (m.END,) if first != m.END and self.game.may_end(state) else moves[0]

    def _has_enemy_prey(self, state: State, uid: int) -> bool:
        hunter, can_attack = self._animal(state, uid), self.game.can_attack
        for seat, herd in enumerate(state.herds):
            if seat != uid >> 8:
                for t in herd:
                    if can_attack(state, hunter, t):
                        return True
        return False

    def _hunger(self, state: State, uid: int) -> float:
        a = self._animal(state, uid)
        lack = a.need - a.red - a.blue
        if lack <= 0:
            return 0.0
        return 4.0 + points_of(a.faces) / lack - (3.0 if a.mask & HUNTER and not a.used & HUNTER else 0.0)


@cache
def expected_food(players: int, locations: bool) -> tuple[float, ...]:
    """Tokens that come into each bank in a turn, on average."""
    if locations:
        (one, added), (two, more), ocean = FOOD_TABLE[players]
        return (3.5 * one + added, 3.5 * two + more, float(ocean))
    dice, added = FOOD_DICE[players]
    return (3.5 * dice + added,)


def _shares(bank: float, wants: list[float], start: int) -> list[float]:
    """Who gets how much when the players take one token each in turn, from `start` on, while they want some."""
    n = len(wants)
    if sum(wants) <= bank:
        return wants
    got = [0.0] * n
    k = start
    idle = 0
    while bank > 0 and idle < n:
        seat = k % n
        token = min(1.0, wants[seat] - got[seat], bank)
        if token > 0:
            got[seat] += token
            bank -= token
            idle = 0
        else:
            idle += 1
        k += 1
    return got


@cache
def judge(game: EvolutionGame) -> EvolutionJudge:
    """The judge of a game; the same game has the same judge."""
    return EvolutionJudge(game)
