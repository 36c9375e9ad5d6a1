"""The game of Evolution on the shared protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import factorial, prod
from random import Random
from typing import Any, Final

from evotutor.core.model import Decision, IllegalMove, Move, Reason, ScoreLine
from evotutor.games.evolution import hidden, notation, scoring
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import MODULES
from evotutor.games.evolution.locations import FOOD as FOOD_TABLE
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.games.evolution.reasons import Reasons
from evotutor.games.evolution.state import (
    AMBUSH,
    ATTACK,
    BEGIN,
    BIRTH,
    DEAL,
    DEVELOPMENT,
    FEEDING,
    FETCH,
    FOLLOW,
    FOOD,
    FOUND,
    IGNORE,
    LAND,
    MOVING,
    NO_LINKS,
    OVER,
    PARTNER,
    PLACE,
    POOL,
    RESTORE,
    RUN,
    SCAVENGE,
    SWAP,
    TARGET,
    VICTIM,
    YOUNG,
    Frame,
    State,
)
from evotutor.games.evolution.table import Events, Table
from evotutor.games.evolution.turn import CATACLYSM_HAND, FOOD_DICE, LARGE_HAND, STARTING_HAND

KINDS: Final = {
    BEGIN: "begin",
    PLACE: "place",
    PARTNER: "partner",
    TARGET: "target",
    VICTIM: "victim",
    ATTACK: "reaction",
    RUN: "roll-running",
    POOL: "pair-order",
    SCAVENGE: "scavenger",
    DEAL: "draw",
    AMBUSH: "ambush",
    IGNORE: "ignore",
    BIRTH: "draw",
    MOVING: "migrate",
    FOLLOW: "follow",
    LAND: "land",
    FETCH: "fetch",
    SWAP: "swap",
    RESTORE: "restore",
    YOUNG: "draw",
    FOUND: "found",
}
DRAWING: Final = (DEAL, BIRTH, YOUNG)
"""Frames that wait for a card of the deck."""


class EvolutionGame(Reasons):
    """Evolution with its modules, scenario and rulings; see `evotutor.core.model.Game`."""

    # positions

    def new(self, players: int, seed: int) -> State:
        """Deal a new game; ValueError for a number of players that the rules do not allow.  Source: S2, R14."""
        if not self.players_min <= players <= self.players_max:
            raise ValueError(f"{players} players: this game is for {self.players_min}-{self.players_max}")
        rng = Random(seed)
        cards = list(self.box(players))
        rng.shuffle(cards)
        size = LARGE_HAND if self.locations else STARTING_HAND
        if self.cataclysm:
            size = len(cards) // players
            size = min(size, CATACLYSM_HAND) if self.expanded else size
        hands = tuple(bytes(sorted(cards[i * size : (i + 1) * size])) for i in range(players))
        rest = b"" if self.cataclysm else bytes(sorted(cards[players * size :]))
        first, none = rng.randrange(players), (b"",) * players
        return State(
            FOOD if self.cataclysm else DEVELOPMENT, 1, 1, first, first, 0, 0, 0, self.no_food, rest, b"", hands, none,
            ((),) * players, (1,) * players, NO_LINKS, 0, (), (),
        )  # fmt: skip

    @property
    def no_food(self) -> tuple[int, ...]:
        """Empty banks, one for each location."""
        return (0,) * (len(LOCATIONS) if self.locations else 1)

    def position(self, data: Mapping[str, Any]) -> State:
        """Read a position (`docs/cases.md`); NotationError names the place and the remedy."""
        return notation.read_position(data, self)

    def to_data(self, state: State) -> dict[str, Any]:
        """The shortest mapping that `position` reads back as this state."""
        return notation.to_data(state, self)

    def text(self, state: State) -> str:
        """The same as YAML."""
        return notation.text(state, self)

    # decisions

    def decision(self, s: State) -> Decision:
        """Whose decision it is and of what kind."""
        if s.stack:
            frame = s.stack[-1]
            kind = KINDS[frame[0]]
            if frame[0] == RUN or frame[0] in DRAWING:
                return Decision(kind, None, chance=True)
            if frame[0] == BEGIN:
                return Decision(kind, None)
            if frame[0] == RESTORE and not s.hands[frame[1] >> 8]:
                return Decision("draw", None, chance=True)
            return Decision(kind, self._asked_player(s, frame))
        if s.phase == FOOD:
            return Decision("roll-food", None, chance=True)
        if s.phase == OVER:
            return Decision("over", None, over=True)
        return Decision("development" if s.phase == DEVELOPMENT else "own-feeding-phase", s.player)

    @staticmethod
    def _asked_player(s: State, frame: Frame) -> int:
        """Whose answer a frame waits for."""
        kind = frame[0]
        if kind == ATTACK:
            return int(frame[2] >> 8)
        if kind in (POOL, SCAVENGE, FOLLOW, FOUND):
            return int(frame[1])
        if kind == AMBUSH:
            return int(frame[3])
        if kind == IGNORE:
            return int(s.stack[-2][1] >> 8)
        return int(frame[1] >> 8) if kind in (LAND, FETCH, RESTORE) else s.player

    def moves(self, s: State) -> list[Move]:
        """Every legal move of the decision, in a fixed order; empty at chance and when the game is over."""
        if not s.stack:
            if s.phase == FEEDING:
                return self.own_phase_moves(s)
            return self.development_moves(s) if s.phase == DEVELOPMENT else []
        kind = s.stack[-1][0]
        if kind == ATTACK:
            return self.reaction_moves(s)
        if kind == TARGET:
            return self.target_moves(s)
        if kind == PLACE:
            return self.place_moves(s)
        if kind == PARTNER:
            return self.partner_moves(s)
        if kind == VICTIM:
            return self.victim_moves(s)
        if kind == POOL:
            return self.pool_moves(s)
        if kind == SCAVENGE:
            return [(m.SCAVENGE, a.uid) for a in self.able_scavengers(s, *s.stack[-1][1:])]
        answers = self._expansion_answers.get(kind)
        if answers is not None:
            return answers(s)
        return [(m.BEGIN_STEP,)] if kind == BEGIN else []

    def found_moves(self, s: State) -> list[Move]:
        """Which card of the hand becomes an animal, and where."""
        return [move for card in sorted(set(s.hands[s.stack[-1][1]])) for move in self.animal_moves(card)]

    @cached_property
    def _expansion_answers(self) -> dict[int, Callable[[State], list[Move]]]:
        return {
            AMBUSH: self.ambush_moves, IGNORE: self.ignore_moves, MOVING: self.moving_moves,
            FOLLOW: self.follow_moves, LAND: self.land_moves, FETCH: self.fetch_moves, SWAP: self.swap_moves,
            RESTORE: self.restore_moves, FOUND: self.found_moves,
        }  # fmt: skip

    # chance

    def dice(self, s: State) -> int:
        """How many dice the food bank takes."""
        if self.locations:
            return sum(n for n, _ in FOOD_TABLE[len(s.hands)][:2])
        return 2 if self.cataclysm else FOOD_DICE[len(s.hands)][0]

    def outcomes(self, s: State) -> list[tuple[Move, float]]:
        """What chance can do and how likely; dice are sorted, equal cards are one outcome."""
        if self._draws(s):
            if s.top:
                return [((m.DRAW, s.top[0]), 1.0)]
            n = len(s.deck)
            return [((m.DRAW, card), s.deck.count(card) / n) for card in sorted(set(s.deck))]
        if s.stack:
            return _rolls(1) if s.stack[-1][0] == RUN else []
        if s.phase != FOOD:
            return []
        return _two_rolls(*self._dice_by_location(s)) if self.locations else _rolls(self.dice(s))

    @staticmethod
    def _draws(s: State) -> bool:
        """Is a card to be drawn?"""
        if not s.stack:
            return False
        kind = s.stack[-1][0]
        return kind in DRAWING or (kind == RESTORE and not s.hands[s.stack[-1][1] >> 8])

    @staticmethod
    def _dice_by_location(s: State) -> tuple[int, int]:
        """Dice of Laurasia and of Gondwana (C12)."""
        (white, _), (coloured, _), _ = FOOD_TABLE[len(s.hands)]
        return white, coloured

    def sample(self, s: State, rng: Random) -> Move:
        """One outcome of chance, as likely as it is."""
        if self._draws(s):
            return (m.DRAW, s.top[0] if s.top else s.deck[int(rng.random() * len(s.deck))])
        groups = (1,) if s.stack else self._dice_by_location(s) if self.locations else (self.dice(s),)
        return (m.ROLL, *(d for n in groups for d in sorted(1 + int(rng.random() * 6) for _ in range(n))))

    # applying

    def apply(self, s: State, move: Move, events: Events = None) -> State:
        """The state after one decision.  The move must be legal: ask `why_not` about moves from outside."""
        t = Table(s, events)
        if events is not None:
            t.cause = _cause(events, s)
            player = self.decision(s).player
            t.cause = t.emit("move", "turn.order", -1 if player is None else player, move)
        self._apply(t, move[0], move)
        if t.armed or t.stack or (t.touched and self.VIVIPAROUS):
            self.advance(t)
        return t.freeze()

    def _apply(self, t: Table, verb: int, move: Move) -> None:
        if verb == m.END:
            self.do_end(t)
        elif verb == m.TAKE:
            self.do_take(t, move[1])
        elif verb == m.PLAY_ANIMAL:
            self._played(t, *move[1:])
        elif verb == m.PLAY_TRAIT:
            t.stack = (*t.stack, (PLACE, move[1], move[2]))
        elif verb == m.ON:
            self._placed(t, move[1])
        elif verb == m.AND:
            _, card, side, uid = t.stack[-1]
            t.stack = t.stack[:-1]
            self.do_pair(t, card, side, uid, move[1])
        elif verb == m.DRAW:
            self._drawn(t, move[1])
        elif verb == m.PASS:
            t.passed |= 1 << t.player
            t.emit("pass", "development.pass-final", t.player)
            self.next_player(t)
        elif verb == m.ROLL:
            self._rolled(t, move[1:])
        elif verb == m.ATTACK:
            t.stack = (*t.stack, (TARGET, move[1]))
        elif verb == m.TARGET:
            hunter = t.stack[-1][1]
            t.stack = t.stack[:-1]
            self.declare(t, hunter, move[1])
        else:
            self._apply_rare(t, verb, move)

    def _apply_rare(self, t: Table, verb: int, move: Move) -> None:
        if verb == m.GRAZE:
            self.do_graze(t, move[1])
        elif verb == m.PIRATE:
            t.stack = (*t.stack, (VICTIM, move[1]))
        elif verb == m.VICTIM:
            pirate = t.stack[-1][1]
            t.stack = t.stack[:-1]
            self.do_victim(t, pirate, move[1])
        elif verb == m.HIBERNATE:
            self.do_hibernate(t, move[1])
        elif verb == m.CONVERT:
            self.do_convert(t, move[1], move[2])
        elif verb == m.RUN:
            self.do_run(t)
        elif verb == m.MIMIC:
            self.do_mimic(t, move[1], move[2])
        elif verb == m.DROP:
            self.do_drop(t, move[1], move[2], move[3:])
        elif verb == m.DECLINE:
            self._declined(t)
        elif verb == m.TRIGGER:
            t.armed, t.stack = list(t.stack[-1][2]), t.stack[:-1]
            self.fire(t, (move[1], move[2], move[3], move[4]))
        elif verb == m.SCAVENGE:
            t.stack = t.stack[:-1]
            self.give(t, move[1], "blue", 1, "stock", "scavenger.one-only")
        elif verb == m.BEGIN_STEP:
            self._begin(t)
        else:
            self._apply_expansion(t, verb, move)

    def _apply_expansion(self, t: Table, verb: int, move: Move) -> None:
        if verb == m.AMBUSH:
            self.do_ambush(t, move[1])
        elif verb == m.IGNORE:
            self.do_ignore(t, move[1])
        elif verb == m.HIDE:
            self.do_hide(t, move[1])
        elif verb == m.INK:
            self.do_ink(t, move[1])
        elif verb == m.REVEAL:
            self.do_reveal(t, move[1])
        elif verb == m.METAMORPHOSE:
            self.do_metamorphose(t, move[1], move[2:])
        elif verb == m.SPECIALIZE:
            self.do_specialize(t, move[1])
        elif verb == m.SETTLE:
            self.do_settle(t, move[1])
        elif verb == m.WARM:
            self._warm(t, move[1])
        else:
            self._apply_travel(t, verb, move)

    def _apply_travel(self, t: Table, verb: int, move: Move) -> None:
        if verb == m.MIGRATE:
            self.do_migrate(t, move[1], move[2])
        elif verb == m.DONE:
            self.do_done(t)
        elif verb == m.FOLLOW:
            self.do_follow(t, move[1], move[2])
        elif verb == m.LAND:
            self.do_land(t, move[1], move[2])
        elif verb == m.FETCH:
            self.do_fetch(t, move[1], move[2])
        elif verb == m.RECOMBINE:
            t.push((SWAP, move[1], move[2]))
        elif verb == m.SPLIT:
            self.do_split(t, move[1], move[2])
        elif verb == m.RESTORE:
            self.do_restore(t, move[1], move[2])
        else:
            raise IllegalMove(str(move), [Reason("phase.wrong")])

    def _warm(self, t: Table, uid: int) -> None:
        if t.stack and t.stack[-1][0] == POOL:
            t.armed = list(t.pop()[2])
        self.do_warm(t, uid)

    def _played(self, t: Table, card: int, loc: int = 0) -> None:
        if t.stack and t.stack[-1][0] == FOUND:
            self.do_found(t, card, loc)
        else:
            self.do_animal(t, card, loc)

    def _drawn(self, t: Table, card: int) -> None:
        kind = t.stack[-1][0]
        if kind == DEAL:
            self.drawn(t, card)
            return
        self.draw_top(t, card)
        if kind == BIRTH:
            self.born(t, card)
        elif kind == YOUNG:
            if not self.young_drawn(t, card):
                self.start_development(t)
        else:
            self.restored(t, t.stack[-1][1], card, ("deck",))
            self.after_restoring(t)

    def _placed(self, t: Table, uid: int) -> None:
        _, card, side = t.stack[-1]
        t.stack = t.stack[:-1]
        if self.is_pair(card, side):
            t.stack = (*t.stack, (PARTNER, card, side, uid))
        else:
            self.do_trait(t, card, side, uid)

    def _rolled(self, t: Table, dice: tuple[int, ...]) -> None:
        if t.stack:
            self.run_rolled(t, dice[0])
        else:
            self.rolled_food(t, dice)

    def _declined(self, t: Table) -> None:
        kind = t.stack[-1][0]
        if kind == POOL:
            t.stack = t.stack[:-1]
        elif kind == AMBUSH:
            self.no_ambush(t)
        else:
            self.eaten(t)

    def _begin(self, t: Table) -> None:
        t.stack = t.stack[:-1]
        if t.phase == DEVELOPMENT:
            self.start_development(t)
        elif t.phase == FOOD:
            self.start_food(t)
        elif t.phase == FEEDING:
            self.start_feeding(t)
        else:
            self.extinction(t)

    # texts of moves

    def show(self, state: State, move: Move) -> str:
        """The move as text, with the player who makes it."""
        return notation.show(state, move, self)

    def line(self, state: State, text: str) -> list[Move]:
        """Parse a line, which may hold a chain of small decisions; NotationError when it cannot be read."""
        return notation.parse_line(state, text, self)

    def lines(self, s: State) -> list[str]:
        """Every legal line, chains written out."""
        found: list[str] = []
        for move in self.moves(s):
            found += self._complete(s, move, self.show(s, move))
        return found

    def _complete(self, s: State, move: Move, text: str) -> list[str]:
        if move[0] not in (m.PLAY_TRAIT, m.ATTACK, m.PIRATE) and not (move[0] == m.ON and self._is_open_pair(s)):
            return [text]
        after = self.apply(s, move)
        return [
            line
            for part in self.moves(after)
            for line in self._complete(after, part, notation.join_line(text, self.show(after, part)))
        ]

    def _is_open_pair(self, s: State) -> bool:
        return bool(s.stack) and s.stack[-1][0] == PLACE and self.is_pair(s.stack[-1][1], s.stack[-1][2])

    # what a player sees, what search needs, the score

    def observe(self, state: State, player: int) -> State:
        """The state as this seat sees it: other hands, discards, bodies and the deck are unknown cards."""
        return hidden.observe(state, player)

    def resample(self, state: State, player: int, rng: Random) -> State:
        """A complete state that this seat cannot tell from the real one, drawn at random."""
        return hidden.resample(state, player, rng, self.box(len(state.hands)))

    def search_key(self, state: State) -> Any:
        """The state without what cannot matter for the rest of the turn's play."""
        return hidden.search_key(
            state, ordered=not self.ruled("scavenger-choice"), anglers=self.anglers, plain=not self.expanded
        )

    def score(self, state: State) -> list[ScoreLine]:
        """Points per player, itemised, as if the game ended with the animals now on the table."""
        return scoring.score(state)


def _cause(events: list[tuple[Any, ...]], s: State) -> int:
    """The event that this decision answers: the attack or order still open, if it is in the list."""
    if not s.stack or s.stack[-1][0] == DEAL:
        return -1
    for index in range(len(events) - 1, -1, -1):
        if events[index][0] in ("attack", "redirect", "transfer", "move"):
            return index
    return -1


@cache
def _rolls(n: int) -> list[tuple[Move, float]]:
    """All rolls of n dice, sorted, with probabilities."""
    rolls = []
    for dice in combinations_with_replacement(range(1, 7), n):
        ways = factorial(n) // prod(factorial(dice.count(d)) for d in set(dice))
        rolls.append(((m.ROLL, *dice), ways / 6**n))
    return rolls


@cache
def _two_rolls(white: int, coloured: int) -> list[tuple[Move, float]]:
    """All rolls of the dice of Laurasia and of Gondwana, each sorted, with probabilities."""
    return [((*one, *two[1:]), p * q) for one, p in _rolls(white) for two, q in _rolls(coloured)]


PLAYABLE: Final = ("base", "time-to-fly", "continents", "gift-box")


@cache
def _load(
    modules: tuple[str, ...],
    rulings: tuple[tuple[str, str], ...],
    scenario: str | None,
    preset: str | None,
    disabled: tuple[str, ...],
) -> EvolutionGame:
    return EvolutionGame(modules, dict(rulings), scenario, preset, disabled)


def load(
    modules: Iterable[str] = ("base",),
    rulings: Mapping[str, str] | None = None,
    scenario: str | None = None,
    preset: str | None = None,
    disabled: Iterable[str] = (),
) -> EvolutionGame:
    """Bind modules, rulings and scenario; the same arguments give the same object.

    ValueError names an unknown module, ruling, option, preset or scenario.
    """
    wanted = tuple(name for name in MODULES if name == "base" or name in tuple(modules))
    for name in modules:
        if name not in PLAYABLE:
            near = get_close_matches(name, PLAYABLE, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"available: {', '.join(PLAYABLE)}"
            raise ValueError(f"module {name!r} is not available in this version; {hint}")
    if scenario not in (None, "cataclysm"):
        raise ValueError(f"no scenario {scenario!r}; available: cataclysm")
    if scenario and "gift-box" in wanted:
        raise ValueError("the rules of Cataclysm name no gift-box card: play it without module 'gift-box'")
    return _load(wanted, tuple(sorted((rulings or {}).items())), scenario, preset, tuple(sorted(disabled)))


__all__ = ["EvolutionGame", "load"]
