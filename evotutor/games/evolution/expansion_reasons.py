"""Why a move of the expansions is refused, from the same questions that `moves` asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from evotutor.core.model import Move, Param, Reason
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, card_name
from evotutor.games.evolution.flying import NOTHING, SHELL_TRAIT
from evotutor.games.evolution.state import Animal, State, find, name_of
from evotutor.games.evolution.time_to_fly import AMBUSH
from evotutor.games.evolution.turn import Turn

Answer = Callable[[State, Move], list[Reason]]


def because(rule: str, **names: Param) -> list[Reason]:
    """One reason as a list."""
    return [Reason(rule, tuple(names.items()))]


def letter(seat: int | None) -> str:
    """The player's letter."""
    return "?" if seat is None else chr(65 + seat)


FOOD_FIRST: Final = ("feeding.fed-takes-nothing",)
"""Reasons that say the same as `homeothermy.not-when-fed`."""


class ExpansionReasons(Turn):
    """Reasons for the verbs of Time to Fly, Continents and the gift box."""

    if TYPE_CHECKING:

        def _target_reasons(self, s: State, hunter: int, prey: int, tried: int = 0) -> list[Reason]: ...

    def _expansion_reasons(self, s: State, a: Animal, move: Move) -> list[Reason]:
        """For a verb of the own feeding phase."""
        verb = move[0]
        if verb == m.METAMORPHOSE:
            return self._metamorphose_reasons(s, a, move)
        if verb == m.SPECIALIZE:
            return self.specialize_now.reasons(s) + self.specialize.reasons(s, a) + self.receive.reasons(s, a)
        if verb == m.SETTLE:
            return self.settle_now.reasons(s) + self.place.reasons(s, s.player, SHELL_TRAIT, a)
        if verb == m.MIGRATE:
            return self.migrate_now.reasons(s) + self.migrate.reasons(s, a) + self.route.reasons(s, a, move[2])
        if verb == m.RECOMBINE:
            return self.recombine_now.reasons(s) + self.recombine.reasons(s, a)
        found = self.side_now.reasons(s) + self.warm.reasons(s, a)
        told = {r.rule for r in found}
        received = self.receive.reasons(s, a)
        if "homeothermy.not-when-fed" in told:
            received = [r for r in received if r.rule not in FOOD_FIRST]
        return found + received

    def _metamorphose_reasons(self, s: State, a: Animal, move: Move) -> list[Reason]:
        card = move[2:]
        trait = TRAIT_OF_FACE[a.faces[card[0]]] if card[0] >= 0 else card[1]
        found = self.metamorphose_now.reasons(s) + self.metamorphose.reasons(s, a)
        found += self.cast_off.reasons(s, a, trait)
        if not found and not self.fed_by_it(s, a, card):
            found = because("metamorphose.must-receive", animal=name_of(a.uid), trait=TRAITS[trait].id)
            found += self.receive.reasons(s, a) if not self.ruled("metamorphose-blocked") else []
        return found

    # answers

    def _expansion_answers_to(self) -> dict[int, Answer]:
        return {
            m.AMBUSH: self._ambush_reasons, m.IGNORE: self._ignore_reasons, m.DONE: self._done_reasons,
            m.FOLLOW: self._follow_reasons, m.LAND: self._land_reasons, m.FETCH: self._fetch_reasons,
            m.SPLIT: self._split_answer, m.RESTORE: self._restore_reasons,
        }  # fmt: skip

    def _ambush_reasons(self, s: State, move: Move) -> list[Reason]:
        _, uid, _, seat = s.stack[-1]
        h, prey = find(s, move[1]), find(s, uid)
        if h is None or prey is None:
            return []
        found: list[Reason] = []
        if h.uid >> 8 != seat:
            found += because("feeding.own-animal", animal=name_of(h.uid), player=letter(seat))
        found += self.ambusher.reasons(s, h) + self.hunter.reasons(s, h) + self.ambush_prey.reasons(s, h, prey)
        return found + self._target_reasons(s, h.uid, uid, AMBUSH)

    def _ignore_reasons(self, s: State, move: Move) -> list[Reason]:
        _, hunter, prey, _ = s.stack[-2]
        names: dict[str, Param] = {"animal": name_of(hunter), "target": name_of(prey)}
        if move in self.ignore_moves(s):
            return []
        if move[1] == NOTHING:
            return because("intellect.must-ignore", **names)
        return because("intellect.no-such-trait", **names, trait=TRAITS[move[1]].id)

    def _done_reasons(self, s: State, move: Move) -> list[Reason]:
        return []

    def _follow_reasons(self, s: State, move: Move) -> list[Reason]:
        _, seat, moves = s.stack[-1]
        a = find(s, move[1])
        if a is None:
            return []
        found: list[Reason] = []
        if a.uid >> 8 != seat:
            found += because("feeding.own-animal", animal=name_of(a.uid), player=letter(seat))
        found += self.follow.reasons(s, a, moves, move[2])
        loc = next((end for mover, _, end in moves if mover == move[2]), None)
        return found + (self.route.reasons(s, a, loc) if loc is not None else [])

    def _land_reasons(self, s: State, move: Move) -> list[Reason]:
        a, uid = find(s, move[1]), s.stack[-1][1]
        if a is None:
            return []
        if move[1] != uid:
            return because("answer.not-this-animal", animal=name_of(move[1]), target=name_of(uid))
        return self.ashore.reasons(s, a, move[2])

    def _fetch_reasons(self, s: State, move: Move) -> list[Reason]:
        uid = s.stack[-1][1]
        if move[1] != uid:
            return because("answer.not-this-animal", animal=name_of(move[1]), target=name_of(uid))
        if move[2] in self.fetch_sources(s):
            return []
        return because("migration.swimming-card", animal=name_of(uid), player=letter(move[2]))

    def _split_answer(self, s: State, move: Move) -> list[Reason]:
        uid = s.stack[-1][1]
        return self._split_reasons(s, uid, move[1])

    def _split_reasons(self, s: State, uid: int, other: int) -> list[Reason]:
        a, b = find(s, uid), find(s, other)
        return self.split.reasons(s, a, b) if a is not None and b is not None else []

    def _restore_reasons(self, s: State, move: Move) -> list[Reason]:
        uid = s.stack[-1][1]
        seat = uid >> 8
        if move[1] != uid:
            return because("answer.not-this-animal", animal=name_of(move[1]), target=name_of(uid))
        if move[2] in s.hands[seat]:
            return []
        return because("regeneration.card-in-hand", animal=name_of(uid), card=card_name(move[2]), player=letter(seat))
