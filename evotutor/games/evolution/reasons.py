"""Why a move is refused: every reason that applies, from the same questions that `moves` asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from evotutor.core.model import Decision, Move, Param, Reason
from evotutor.games.evolution import base, notation
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, bit, card_name
from evotutor.games.evolution.questions import Ban, Question
from evotutor.games.evolution.state import (
    ATTACK,
    DEVELOPMENT,
    FEEDING,
    PARTNER,
    PLACE,
    POOL,
    SCAVENGE,
    TARGET,
    VICTIM,
    Animal,
    State,
    find,
    name_of,
)
from evotutor.games.evolution.turn import Turn

VERBS: Final[dict[int, tuple[int, ...]]] = {
    PLACE: (m.ON,),
    PARTNER: (m.AND,),
    TARGET: (m.TARGET,),
    VICTIM: (m.VICTIM,),
    ATTACK: (m.RUN, m.MIMIC, m.DROP, m.DECLINE),
    POOL: (m.TRIGGER, m.DECLINE),
    SCAVENGE: (m.SCAVENGE,),
}
"""Which verbs answer the question of a frame."""
DEVELOPING: Final = (m.PLAY_ANIMAL, m.PLAY_TRAIT, m.PASS)
OPPORTUNITY: Final = (m.TAKE, m.ATTACK, m.CONVERT, m.GRAZE, m.PIRATE, m.HIBERNATE, m.END)
SIDE_VERBS: Final = (m.GRAZE, m.PIRATE, m.HIBERNATE)

MINE: Final = Ban(
    "feeding.own-animal",
    lambda s, a: a.uid >> 8 != s.player,
    lambda s, a: {"animal": name_of(a.uid), "player": chr(65 + s.player)},
)


def because(rule: str, **names: Param) -> list[Reason]:
    """One reason as a list."""
    return [Reason(rule, tuple(names.items()))]


class Reasons(Turn):
    """`why_not` for single decisions and for whole lines."""

    if TYPE_CHECKING:  # what the game on top of this class adds

        def decision(self, s: State) -> Decision: ...
        def apply(self, s: State, move: Move) -> State: ...
        def line(self, state: State, text: str) -> list[Move]: ...

    def is_pair(self, card: int, side: int) -> bool:
        """Is this side of the card a pair trait?"""
        return TRAITS[self.played_trait(card, side)].pair

    @staticmethod
    def played_trait(card: int, side: int) -> int:
        """Trait number of a card's side; of an unknown card the side is the trait itself."""
        return side if card == UNKNOWN else CARDS[card].traits[side]

    def why_not(self, s: State, move: Move) -> list[Reason]:
        """Every reason why this decision may not be taken now, [] when it is legal."""
        reasons = self._specific(s, move)
        if not self._asked(s, move[0]):
            reasons += self._not_asked(s)
        return reasons

    def why_not_line(self, s: State, text: str) -> list[Reason]:
        """The same for a line, which may be a chain and may name another player than the one to decide.

        A line of another player is judged as if it were that player's decision, with `turn.not-your-decision` beside.
        """
        chain = self.line(s, text)
        who, late = notation.player_of_line(text), []
        seat = self.decision(s).player
        if who is not None and seat != (claimed := ord(who.upper()) - 65):
            late = because("turn.not-your-decision", player=who.upper())
            if chain[0][0] in DEVELOPING + OPPORTUNITY and claimed < len(s.hands):
                s = s._replace(player=claimed, acted=0, stack=())
        return self._chain(s, chain) + late

    def _chain(self, s: State, chain: list[Move]) -> list[Reason]:
        for i, move in enumerate(chain):
            reasons = self.why_not(s, move)
            if reasons:
                return reasons + self._later(s, chain[i:], reasons)
            s = self.apply(s, move)
        return []

    def _later(self, s: State, chain: list[Move], known: list[Reason]) -> list[Reason]:
        """Reasons against the rest of a chain whose first part is refused already."""
        first, rest = chain[0], chain[1:]
        if not rest:
            return []
        found: list[Reason] = []
        if first[0] == m.ATTACK and rest[0][0] == m.TARGET:
            _forget(known, "carnivorous.no-target")
            found = self._pair_reasons(self.target, s, first[1], rest[0][1])
        elif first[0] == m.PIRATE and rest[0][0] == m.VICTIM:
            _forget(known, "piracy.no-target")
            found = self._pair_reasons(self.victim, s, first[1], rest[0][1])
        elif first[0] == m.PLAY_TRAIT:
            found = self._placing_reasons(s, first, [x[1] for x in rest])
            if found:
                _forget(known, "development.needs-animal")
        elif first[0] == m.ON:
            _, card, side = s.stack[-1]
            found = self._placing_reasons(s, (m.PLAY_TRAIT, card, side), [first[1], rest[0][1]])
            known[:] = []
        return [r for r in found if r not in known]

    def _placing_reasons(self, s: State, play: Move, uids: list[int]) -> list[Reason]:
        trait = self.played_trait(play[1], play[2])
        animals = [a for a in (find(s, uid) for uid in uids) if a is not None]
        found: list[Reason] = []
        if TRAITS[trait].pair and len(animals) == 2:
            found = self.join.reasons(s, s.player, trait, *animals)
        for a in animals[: 1 + TRAITS[trait].pair]:
            found += [r for r in self.place.reasons(s, s.player, trait, a) if r not in found]
        return found

    def _pair_reasons(self, question: Question, s: State, uid: int, other: int) -> list[Reason]:
        a, b = find(s, uid), find(s, other)
        return question.reasons(s, a, b) if a is not None and b is not None else []

    # is this the question at all?

    def _asked(self, s: State, verb: int) -> bool:
        if s.stack:
            kind = s.stack[-1][0]
            if kind == POOL and verb in SIDE_VERBS:
                return not self.at_once and len(s.stack) == 1 and s.stack[-1][1] == s.player
            return verb in VERBS.get(kind, (m.BEGIN_STEP,) if kind == 0 else ())
        return verb in (DEVELOPING if s.phase == DEVELOPMENT else OPPORTUNITY if s.phase == FEEDING else ())

    def _not_asked(self, s: State) -> list[Reason]:
        player = self.decision(s).player
        if s.stack and player is not None:
            return because("answer.only-asked", player=_letter(player))
        return because("phase.wrong")

    # each verb

    def _specific(self, s: State, move: Move) -> list[Reason]:
        verb = move[0]
        if verb in DEVELOPING:
            return self._development_reasons(s, move)
        if verb in OPPORTUNITY:
            return self._opportunity_reasons(s, move)
        if not self._asked(s, verb):
            return self._stray_answer(s, move)
        if verb == m.ON:
            return self._on_reasons(s, move[1])
        if verb == m.AND:
            _, card, side, uid = s.stack[-1]
            b = find(s, move[1])
            a = self._animal(s, uid)
            return self.join.reasons(s, s.player, self.played_trait(card, side), a, b) if b is not None else []
        if verb == m.TARGET:
            return self._pair_reasons(self.target, s, s.stack[-1][1], move[1])
        if verb == m.VICTIM:
            return self._pair_reasons(self.victim, s, s.stack[-1][1], move[1])
        if verb == m.BEGIN_STEP:
            return []
        if verb == m.TRIGGER:
            return self._trigger_reasons(s, move)
        if verb == m.SCAVENGE:
            return self._scavenge_reasons(s, move[1])
        return self._reaction_reasons(s, move)

    def _development_reasons(self, s: State, move: Move) -> list[Reason]:
        if s.phase != DEVELOPMENT:
            return []
        if move[0] == m.PASS:
            return self.passing.reasons(s)
        seat = s.player
        found: list[Reason] = []
        if s.passed >> seat & 1:
            found += because("development.pass-final", player=_letter(seat))
        if move[1] not in s.hands[seat]:
            found += because("development.card-in-hand", card=card_name(move[1]), player=_letter(seat))
        if move[0] == m.PLAY_TRAIT:
            if move[1] == UNKNOWN:
                found += because("development.card-in-hand", card=TRAITS[move[2]].id, player=_letter(seat))
            trait = self.played_trait(move[1], move[2])
            if not self.has_place(s, seat, trait):
                found += because("development.needs-animal", trait=TRAITS[trait].id, player=_letter(seat))
        return found

    def _on_reasons(self, s: State, uid: int) -> list[Reason]:
        _, card, side = s.stack[-1]
        trait, a = self.played_trait(card, side), find(s, uid)
        if a is None:
            return []
        found = self.place.reasons(s, s.player, trait, a)
        if not found and not self.may_hold(s, s.player, trait, a):
            found = because(
                "development.pair-two-animals", animal=name_of(uid), partner=name_of(uid), trait=TRAITS[trait].id
            )
        return found

    def _opportunity_reasons(self, s: State, move: Move) -> list[Reason]:
        verb = move[0]
        if verb == m.END:
            if s.phase != FEEDING or self.may_end(s):
                return []
            return because(base.OBLIGED, player=_letter(s.player))
        a = find(s, move[1])
        if a is None:
            return []
        found = Question((MINE,), self.disabled).reasons(s, a)
        if s.phase != FEEDING:
            return found
        if verb == m.TAKE:
            return found + self.take_now.reasons(s) + self.receive.reasons(s, a)
        if verb == m.ATTACK:
            found += self.hunt_now.reasons(s) + self.hunter.reasons(s, a)
            if not found and not self.has_prey(s, a):
                found = because("carnivorous.no-target", animal=name_of(a.uid))
            return found
        if verb == m.CONVERT:
            if move[2] < 1:
                return found + because("fat-tissue.needs-tokens", animal=name_of(a.uid), n=move[2], m=0)
            return found + self.convert_now.reasons(s) + self.convert.reasons(s, a, move[2])
        if verb == m.GRAZE:
            return found + self.graze_now.reasons(s) + self.graze.reasons(s, a)
        if verb == m.HIBERNATE:
            return found + self.hibernate.reasons(s, a)
        found += self.pirate.reasons(s, a)
        if not found and not self.has_victim(s, a):
            found = because("piracy.no-target", animal=name_of(a.uid))
        return found

    # answers

    def _stray_answer(self, s: State, move: Move) -> list[Reason]:
        """What can be said about an answer that nobody asked for: the trait it needs."""
        needs = {m.RUN: "running", m.MIMIC: "mimicry", m.DROP: "tail-loss", m.SCAVENGE: "scavenger"}
        trait = needs.get(move[0])
        a = find(s, move[1]) if trait else None
        if trait is None or a is None or a.mask & bit[trait]:
            return []
        return because(f"{trait}.needed", animal=name_of(a.uid))

    def _reaction_reasons(self, s: State, move: Move) -> list[Reason]:
        if s.stack[-1][0] != ATTACK:
            return [] if not self.gift_compulsory else because("pair.compulsory", player=_letter(s.stack[-1][1]))
        _, hunter, prey, tried = s.stack[-1]
        a = self._animal(s, prey)
        if move[0] == m.DECLINE:
            rule = self.compulsory(self.reactions(s, hunter, a, tried))
            return because(rule, animal=name_of(prey)) if rule else []
        if move[1] != prey:
            return because("answer.not-this-animal", animal=name_of(move[1]), target=name_of(prey))
        if move[0] == m.RUN:
            return self._run_reasons(a, tried)
        if move[0] == m.MIMIC:
            return self._mimic_reasons(s, hunter, a, move[2])
        return self._drop_reasons(s, a, move)

    def _run_reasons(self, a: Animal, tried: int) -> list[Reason]:
        if not a.mask & self.RUNNING:
            return because("running.needed", animal=name_of(a.uid))
        return because("running.escape", animal=name_of(a.uid)) if tried & base.RUNNING else []

    def _mimic_reasons(self, s: State, hunter: int, a: Animal, new: int) -> list[Reason]:
        found: list[Reason] = []
        if not a.mask & self.MIMICRY:
            found += because("mimicry.needed", animal=name_of(a.uid))
        elif a.used & base.MIMICRY:
            found += because("mimicry.once-per-turn", animal=name_of(a.uid))
        h, to = self._animal(s, hunter), find(s, new)
        if to is None or new >> 8 != a.uid >> 8 or new == a.uid:
            found += because("mimicry.own-target", animal=name_of(a.uid), target=name_of(new))
        else:
            guards = self.target.reasons(s, h, to)
            if guards:
                found += because("mimicry.able-target", animal=name_of(hunter), target=name_of(new)) + guards
        return found

    def _drop_reasons(self, s: State, a: Animal, move: Move) -> list[Reason]:
        if not a.mask & self.TAIL_LOSS:
            return because("tail-loss.needed", animal=name_of(a.uid))
        allowed = self.droppable(s, a)
        return [] if move in allowed else because("tail-loss.any-trait", animal=name_of(a.uid))

    def _trigger_reasons(self, s: State, move: Move) -> list[Reason]:
        entry = (move[1], move[2], move[3], move[4])
        if entry not in s.stack[-1][2]:
            return because("pair.not-armed", animal=name_of(move[4]), trait=TRAITS[move[1]].id)
        trait = TRAITS[move[1]].id
        found: list[Reason] = []
        if self.link_spent(s, *entry[:3]):
            found += because(f"{trait}.once-per-round", animal=name_of(move[2]), partner=name_of(move[3]))
        if trait == "communication" and s.bank[0] <= 0:
            found += because("communication.needs-bank", animal=name_of(move[4]))
        return found + self.receive.reasons(s, self._animal(s, move[4]))

    def _scavenge_reasons(self, s: State, uid: int) -> list[Reason]:
        a, seat = find(s, uid), s.stack[-1][1]
        if a is None:
            return []
        found: list[Reason] = []
        if uid >> 8 != seat:
            found += because("scavenger.attacker-first", animal=name_of(uid), player=_letter(seat))
        if not a.mask & base.SCAVENGER:
            found += because("scavenger.needed", animal=name_of(uid))
        return found + self.receive.reasons(s, a)


def _letter(seat: int | None) -> str:
    return "?" if seat is None else chr(65 + seat)


def _forget(reasons: list[Reason], rule: str) -> None:
    reasons[:] = [r for r in reasons if r.rule != rule]
