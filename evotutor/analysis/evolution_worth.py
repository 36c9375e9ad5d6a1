"""What a position of Evolution is worth, in points of the final score.

A quick estimate (some 40 microseconds on a table of ten animals): hunters choose their prey, the expected food is
shared out, and every animal counts as often as it lives.  Of hidden cards it takes nothing but their number.
"""

from __future__ import annotations

from functools import cache
from math import exp
from typing import Any, Final, NamedTuple

from evotutor.games.evolution import base
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, bit
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
    POISONED,
    REMAINS,
    RESTING,
    REVEALED,
    TOOK,
    Animal,
    State,
    find,
)
from evotutor.games.evolution.turn import FOOD_DICE


class Weights(NamedTuple):
    """What the estimate is made of, in points unless said otherwise."""

    card: float = 0.8
    """a card in the hand while turns remain"""
    last_card: float = 0.5
    """a card in the hand in the last development phase"""
    income: float = 0.7
    """the card that a survivor brings in each later turn"""
    fat: float = 0.5
    """a filled Fat Tissue"""
    hunts: float = 0.85
    """chance that a hunter strikes in this turn"""
    next_turn: float = 0.5
    """how much the prospects of the next turn count once this one is over (a share)"""
    fresh: float = 3.0
    """a player without anything, who gets a new hand"""
    heat: float = 3.0
    """the lead that is worth winning about three times in four on the last turn"""


WEIGHTS: Final = Weights()
POINTS: Final = tuple(TRAITS[i].points if i >= 0 else 0 for i in TRAIT_OF_FACE)
"""Points of a face on a survivor."""
ESCAPES: Final = tuple((bit[name], share) for name, share in (
    ("running", 0.5), ("mimicry", 0.6), ("tail-loss", 0.45), ("shell", 0.2), ("ink-cloud", 0.3), ("regeneration", 0.5),
    ("burrowing", 0.6), ("cnidocytes", 0.8),
))  # fmt: skip
"""Defences that are no flat prohibition, and the share of attacks that succeed all the same."""
ESCAPE_MASK: Final = sum(mask for mask, _ in ESCAPES)
HELPERS: Final = tuple((bit[name], tokens) for name, tokens in (
    ("scavenger", 0.4), ("piracy", 0.6), ("specialization-a", 0.7), ("specialization-b", 0.7),
))  # fmt: skip
"""Traits that feed without the bank, and the tokens that they bring in a turn."""
HELPER_MASK: Final = sum(mask for mask, _ in HELPERS) | base.HIBERNATION
PAIR_TOKENS = 0.8
"""Tokens a turn that a food pair brings each of its animals."""
OWN_KIN = 0.5
"""Tokens that a hunter finds which could only eat its owner's animals."""
HALF_FED = 0.8
"""How much of an animal's worth a meal is that is not enough, per share of the need."""

Chances = dict[int, float]
"""A number for each animal, by uid."""


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


@cache
def expected_food(players: int, locations: bool) -> tuple[float, ...]:
    """Tokens that come into each bank in a turn, on average."""
    if locations:
        (one, added), (two, more), ocean = FOOD_TABLE[players]
        return (3.5 * one + added, 3.5 * two + more, float(ocean))
    dice, added = FOOD_DICE[players]
    return (3.5 * dice + added,)


class Worth:
    """The estimate for one game."""

    def __init__(self, game: Any, weights: Weights = WEIGHTS) -> None:
        self.game, self.weights = game, weights

    def rewards(self, state: State) -> list[float]:
        """For each seat the chance to win as far as the estimate tells; they add up to 1."""
        if state.phase == OVER:
            return self._result(state)
        values = self.values(state)
        heat = self.weights.heat * (1.0 + 0.6 * self.turns(state))
        best = max(values)
        raw = [exp((v - best) / heat) for v in values]
        total = sum(raw)
        return [x / total for x in raw]

    def _result(self, state: State) -> list[float]:
        lines = self.game.score(state)
        winners = [line.player for line in lines if line.place == 1]
        return [1.0 / len(winners) if line.player in winners else 0.0 for line in lines]

    def turns(self, state: State) -> float:
        """Turns to come after this one, at most three."""
        deck = len(state.deck) + len(state.top)
        if not deck or self.game.cataclysm:
            return 0.0
        return min(3.0, 0.6 + deck / (sum(map(len, state.herds)) + len(state.herds) + 1))

    def values(self, state: State) -> list[float]:
        """For each seat an estimate of its points at the end of the game."""
        weights, left = self.weights, self.turns(state)
        over = state.phase in (EXTINCTION, OVER)
        worth = self._worth(state, left)
        lives, kills = self._attacks(state, worth)
        fed, stored = self._meals(state, worth, lives, kills, over)
        card = weights.card if left else weights.last_card if state.phase == DEVELOPMENT else 0.0
        found = []
        for seat, herd in enumerate(state.herds):
            value = card * len(state.hands[seat]) + 0.001 * len(state.discards[seat])
            if not herd and not state.hands[seat] and left:
                value += weights.fresh
            for a in herd:
                chance = lives[a.uid] * fed[a.uid]
                if over:
                    chance = 1.0 - weights.next_turn * (1.0 - chance) if left else 1.0
                value += worth[a.uid] * chance
                if left and a.fat:
                    value += weights.fat * chance * a.fat.bit_count()
            found.append(value + (weights.fat * stored[seat] if left else 0.0))
        return found

    def _worth(self, state: State, left: float) -> Chances:
        """What each animal would be worth if it lives."""
        income = self.weights.income * min(left, 2.0)
        worth: Chances = {}
        for herd in state.herds:
            for a in herd:
                value = points_of(a.faces) + income
                if a.flags:
                    value += 2.0 if a.flags & REVEALED else 0.0
                    value *= 0.0 if a.flags & POISONED else 0.4 if a.flags & REMAINS else 1.0
                worth[a.uid] = value
        for trait, u, v, _ in state.links.links:
            half = 0.5 * TRAITS[trait].points
            worth[u] += half
            worth[v] += half
        return worth

    # hunting

    def _attacks(self, state: State, worth: Chances) -> tuple[Chances, Chances]:
        """For each animal the chance that no hunter kills it, and the tokens that its own hunting brings."""
        lives: Chances = dict.fromkeys(worth, 1.0)
        kills: Chances = {}
        for frame in state.stack:
            if frame[0] == ATTACK and (attacked := find(state, frame[2])) is not None:
                chance = success(attacked.mask & ESCAPE_MASK)
                lives[attacked.uid] *= 1.0 - chance
                kills[frame[1]] = 2.0 * chance
        feeding, can_attack = state.phase == FEEDING, self.game.can_attack
        for seat, herd in enumerate(state.herds):
            for h in herd:
                if not h.mask & base.CARNIVOROUS or h.flags & (ASIDE | POISONED):
                    continue
                if feeding and (h.used & base.CARNIVOROUS or h.flags & HIBERNATING or base.full(state, h)):
                    continue
                prey, total = self._prey(state, seat, h, worth)
                if not prey:
                    kin = len(herd) > 1 and any(can_attack(state, h, t) for t in herd)
                    kills[h.uid] = OWN_KIN if kin else 0.0
                    continue
                meal = 0.0
                for uid, wish, chance in prey:
                    part = self.weights.hunts * chance * wish / total
                    lives[uid] *= 1.0 - part
                    meal += part
                kills[h.uid] = 2.0 * meal
        return lives, kills

    def _prey(
        self, state: State, seat: int, hunter: Animal, worth: Chances
    ) -> tuple[list[tuple[int, float, float]], float]:
        """Other players' animals that it may attack: uid, how much it is wished for, chance of success; all wishes."""
        can_attack = self.game.can_attack
        prey: list[tuple[int, float, float]] = []
        total = 0.0
        for other, herd in enumerate(state.herds):
            if other == seat:
                continue
            for t in herd:
                if can_attack(state, hunter, t) and not t.flags & IN_SHELL:
                    chance = success(t.mask & ESCAPE_MASK)
                    wish = (worth[t.uid] + 0.5) * chance
                    if t.mask & base.POISONOUS:
                        wish *= 0.4
                    wish *= wish
                    prey.append((t.uid, wish, chance))
                    total += wish
        return prey, total

    # food

    def _meals(
        self, state: State, worth: Chances, lives: Chances, kills: Chances, over: bool
    ) -> tuple[Chances, list[float]]:
        """For each animal how well it will be fed (0 to 1), and for each seat the tokens that will go into fat."""
        seats, feeding = len(state.herds), state.phase == FEEDING
        banks: tuple[float, ...] = state.bank
        if over or not (feeding or any(banks)):
            banks = expected_food(seats, self.game.locations)
        start = state.first
        if feeding:
            start = state.player + (1 if state.acted & TOOK else 0)
        fed: Chances = {}
        stored = [0.0] * seats
        for loc, bank in enumerate(banks):
            hungry: list[list[tuple[float, float, int]]] = []
            wants, room = [0.0] * seats, [0.0] * seats
            for seat, herd in enumerate(state.herds):
                mine: list[tuple[float, float, int]] = []
                for a in herd:
                    if a.loc != loc:
                        continue
                    lack = self._lack(state, a, kills, over)
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
                stored[seat] += _dish_out(mine, shares[seat], fed)
        return fed, stored

    @staticmethod
    def _lack(state: State, a: Animal, kills: Chances, over: bool) -> float:
        """Tokens that the bank has to give this animal."""
        lack: float = a.need
        if not over:
            if a.flags & (HIBERNATING | NEWBORN | REMAINS):
                return 0.0
            lack -= a.red + a.blue
        if lack <= 0:
            return 0.0
        if a.mask & HELPER_MASK:
            last = not state.deck and not state.top
            if a.mask & base.HIBERNATION and not last and not over and not a.flags & RESTING:
                return 0.0
            lack -= help_of(a.mask & HELPER_MASK & ~a.used)
        if a.mask & LINKED:
            lack -= PAIR_TOKENS
        return lack - kills.get(a.uid, 0.0) - a.fat.bit_count()


def _dish_out(hungry: list[tuple[float, float, int]], share: float, fed: Chances) -> float:
    """Feed those first whose tokens are worth most; what is left over."""
    hungry.sort(reverse=True)
    for _, lack, uid in hungry:
        fed[uid] = 1.0 if share >= lack else HALF_FED * share / lack
        share = max(0.0, share - lack)
    return share


def _shares(bank: float, wants: list[float], start: int) -> list[float]:
    """Who gets how much when the players take one token each in turn, from `start` on, while they want some."""
    if sum(wants) <= bank:
        return wants
    n = len(wants)
    got = [0.0] * n
    k, idle = start, 0
    while bank > 0 and idle < n:
        seat = k % n
        token = min(1.0, wants[seat] - got[seat], bank)
        if token > 1e-9:
            got[seat] += token
            bank -= token
            idle = 0
        else:
            idle += 1
        k += 1
    return got
