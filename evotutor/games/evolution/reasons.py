"""Why a move is refused: every reason that applies, from the same questions that `moves` asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from evotutor.core.model import Decision, Move, Reason
from evotutor.games.evolution import base, notation, time_to_fly
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.bound import VOIDABLE
from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, bit, card_name, trait_of
from evotutor.games.evolution.expansion_reasons import ExpansionReasons, because, letter
from evotutor.games.evolution.questions import Ban, Question
from evotutor.games.evolution.state import (
    AMBUSH,
    ATTACK,
    DEVELOPMENT,
    FEEDING,
    FETCH,
    FOLLOW,
    FOUND,
    IGNORE,
    IN_SHELL,
    LAND,
    MOVING,
    PARTNER,
    PLACE,
    POOL,
    RESTORE,
    SCAVENGE,
    SWAP,
    TARGET,
    VICTIM,
    Animal,
    State,
    find,
    name_of,
)

VERBS: Final[dict[int, tuple[int, ...]]] = {
    PLACE: (m.ON,),
    PARTNER: (m.AND,),
    TARGET: (m.TARGET,),
    VICTIM: (m.VICTIM,),
    ATTACK: (m.RUN, m.MIMIC, m.DROP, m.HIDE, m.INK, m.REVEAL, m.DECLINE),
    POOL: (m.TRIGGER, m.DECLINE),
    SCAVENGE: (m.SCAVENGE,),
    AMBUSH: (m.AMBUSH, m.DECLINE),
    IGNORE: (m.IGNORE,),
    MOVING: (m.MIGRATE, m.DONE),
    FOLLOW: (m.FOLLOW, m.DONE),
    LAND: (m.LAND,),
    FETCH: (m.FETCH,),
    SWAP: (m.SPLIT,),
    RESTORE: (m.RESTORE,),
    FOUND: (m.PLAY_ANIMAL,),
}
"""Which verbs answer the question of a frame."""
DEVELOPING: Final = (m.PLAY_ANIMAL, m.PLAY_TRAIT, m.PASS)
OPPORTUNITY: Final = (
    m.TAKE, m.ATTACK, m.CONVERT, m.GRAZE, m.PIRATE, m.HIBERNATE, m.END, m.METAMORPHOSE, m.SPECIALIZE, m.SETTLE,
    m.MIGRATE, m.RECOMBINE, m.WARM,
)  # fmt: skip
SIDE_VERBS: Final = (m.GRAZE, m.PIRATE, m.HIBERNATE, m.RECOMBINE, m.WARM)
OWN_PHASE_ONLY: Final = (m.METAMORPHOSE, m.SPECIALIZE, m.SETTLE, m.MIGRATE, m.RECOMBINE, m.WARM)

ANSWERED_BY: Final = {
    m.RUN: trait_of["running"].index, m.MIMIC: trait_of["mimicry"].index, m.DROP: trait_of["tail-loss"].index,
    m.HIDE: trait_of["shell"].index, m.INK: trait_of["ink-cloud"].index,
}  # fmt: skip
"""The trait behind each answer to an attack."""

MINE: Final = Ban(
    "feeding.own-animal",
    lambda s, a: a.uid >> 8 != s.player,
    lambda s, a: {"animal": name_of(a.uid), "player": chr(65 + s.player)},
)


class Reasons(ExpansionReasons):
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
        if any(r.rule == "migration.no-food" for r in reasons) and s.stack and s.stack[-1][0] == MOVING:
            return reasons
        if reasons and move[0] == m.IGNORE:
            return reasons
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
            found = self._target_reasons(s, first[1], rest[0][1])
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
        elif first[0] == m.RECOMBINE and rest[0][0] == m.SPLIT:
            found = self._split_reasons(s, first[1], rest[0][1])
            if found:
                _forget(known, "recombination.unpaired")
        return [r for r in found if r not in known]

    def _target_reasons(self, s: State, hunter: int, prey: int, tried: int = 0) -> list[Reason]:
        """Why this attack may not be made; what Intellect can pass is no reason."""
        h, a = find(s, hunter), find(s, prey)
        if h is None or a is None:
            return []
        if self.can_attack(s, h, a, tried & time_to_fly.AMBUSH):
            return []
        found = self.target.reasons(s, h, a)
        if not self.expanded:
            return found
        void = time_to_fly.void_mask(hunter, a) | (base.BURROWING if tried & time_to_fly.AMBUSH else 0)
        found = [r for r in found if not VOIDABLE.get(r.rule, 0) & void]
        if h.used & self.INTELLECT and len(found) == 1 and found[0].rule in VOIDABLE:
            found += because("intellect.once-per-turn", animal=name_of(hunter), target=name_of(prey))
        if self.may_ignore(h, tried) and all(r.rule in VOIDABLE for r in found):
            found += because("intellect.one-trait", animal=name_of(hunter), target=name_of(prey))
        return found

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
            if kind == POOL and verb == m.WARM:
                return any(move[0] == m.WARM for move in self.pool_moves(s))
            if kind == POOL and verb in SIDE_VERBS:
                return not self.at_once and len(s.stack) == 1 and s.stack[-1][1] == s.player
            return verb in VERBS.get(kind, (m.BEGIN_STEP,) if kind == 0 else ())
        return verb in (DEVELOPING if s.phase == DEVELOPMENT else OPPORTUNITY if s.phase == FEEDING else ())

    def _not_asked(self, s: State) -> list[Reason]:
        player = self.decision(s).player
        if s.stack and player is not None:
            return because("answer.only-asked", player=letter(player))
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
            return self._target_reasons(s, s.stack[-1][1], move[1])
        if verb == m.VICTIM:
            return self._pair_reasons(self.victim, s, s.stack[-1][1], move[1])
        if verb == m.BEGIN_STEP:
            return []
        if verb == m.TRIGGER:
            return self._trigger_reasons(s, move)
        if verb == m.SCAVENGE:
            return self._scavenge_reasons(s, move[1])
        answer = self._expansion_answers_to().get(verb)
        if answer is not None:
            return answer(s, move)
        return self._reaction_reasons(s, move)

    def _development_reasons(self, s: State, move: Move) -> list[Reason]:
        if s.stack and s.stack[-1][0] == FOUND:
            return self._found_reasons(s, move)
        if s.phase != DEVELOPMENT:
            return []
        if move[0] == m.PASS:
            return self.passing.reasons(s)
        seat = s.player
        found: list[Reason] = []
        if s.passed >> seat & 1:
            found += because("development.pass-final", player=letter(seat))
        if move[1] not in s.hands[seat]:
            found += because("development.card-in-hand", card=card_name(move[1]), player=letter(seat))
        if move[0] == m.PLAY_TRAIT:
            if move[1] == UNKNOWN:
                found += because("development.card-in-hand", card=TRAITS[move[2]].id, player=letter(seat))
            trait = self.played_trait(move[1], move[2])
            if TRAITS[trait].place == "animal" and "anglerfish.only-as-animal" not in self.disabled:
                found += because("anglerfish.only-as-animal", trait=TRAITS[trait].id, player=letter(seat), animal="-")
            elif not self.has_place(s, seat, trait):
                found += because("development.needs-animal", trait=TRAITS[trait].id, player=letter(seat))
        elif self.locations:
            found += self.founding.reasons(s, move[1], move[2] if len(move) > 2 else 0)
        return found

    def _found_reasons(self, s: State, move: Move) -> list[Reason]:
        """A player who begins anew puts a card of his hand on a continent."""
        if move[0] != m.PLAY_ANIMAL:
            return []
        seat = s.stack[-1][1]
        found: list[Reason] = []
        if move[1] not in s.hands[seat]:
            found += because("development.card-in-hand", card=card_name(move[1]), player=letter(seat))
        return found + self.founding.reasons(s, move[1], move[2] if len(move) > 2 else 0)

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
            return because(base.OBLIGED, player=letter(s.player))
        a = find(s, move[1])
        if a is None:
            return []
        found = Question((MINE,), self.disabled).reasons(s, a)
        if s.phase != FEEDING:
            return found
        if verb != m.MIGRATE:
            found += self.here.reasons(s, a)
        if verb in OWN_PHASE_ONLY:
            return found + self._expansion_reasons(s, a, move)
        if verb in SIDE_VERBS:
            found += self.side_now.reasons(s)
        if verb == m.TAKE:
            return (
                found
                + self.take_now.reasons(s)
                + self.bank_now.reasons(s)
                + self.take_here.reasons(s, a)
                + self.receive.reasons(s, a)
            )
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
            now = self.graze_now.reasons(s)
            return found + [r for r in now if r not in found] + self.graze.reasons(s, a)
        if verb == m.HIBERNATE:
            return found + self.hibernate.reasons(s, a)
        found += self.pirate.reasons(s, a)
        if not found and not self.has_victim(s, a):
            found = because("piracy.no-target", animal=name_of(a.uid))
        return found

    # answers

    def _stray_answer(self, s: State, move: Move) -> list[Reason]:
        """What can be said about an answer that nobody asked for: the trait it needs."""
        if move[0] == m.IGNORE:
            return self._stray_ignoring(s, move[1])
        needs = {
            m.RUN: "running", m.MIMIC: "mimicry", m.DROP: "tail-loss", m.SCAVENGE: "scavenger", m.HIDE: "shell",
            m.INK: "ink-cloud", m.AMBUSH: "ambush",
        }  # fmt: skip
        trait = needs.get(move[0])
        a = find(s, move[1]) if trait else None
        if trait is None or a is None or a.mask & bit[trait]:
            return []
        return because(f"{trait}.needed", animal=name_of(a.uid))

    def _stray_ignoring(self, s: State, trait: int) -> list[Reason]:
        """Nobody is asked what Intellect ignores: it is used up, or nothing of the prey could be ignored."""
        if not s.stack or s.stack[-1][0] != ATTACK or trait < 0:
            return []
        _, hunter, prey, tried = s.stack[-1]
        h = self._animal(s, hunter)
        if h.used & self.INTELLECT:
            return because("intellect.once-per-turn", animal=name_of(hunter), target=name_of(prey))
        if not self.may_ignore(h, tried) or trait in self.ignorable(s):
            return []
        return because("intellect.no-such-trait", animal=name_of(hunter), target=name_of(prey), trait=TRAITS[trait].id)

    def _reaction_reasons(self, s: State, move: Move) -> list[Reason]:
        if s.stack[-1][0] == AMBUSH:
            return []
        if s.stack[-1][0] != ATTACK:
            return [] if not self.gift_compulsory else because("pair.compulsory", player=letter(s.stack[-1][1]))
        _, hunter, prey, tried = s.stack[-1]
        a = self._animal(s, prey)
        if move[0] == m.DECLINE:
            rule = self.compulsory(self.reactions(s, hunter, a, tried))
            if (m.DECLINE,) not in self.reaction_moves(s):
                rule = rule or "anglerfish.must-reveal"
            return because(rule, animal=name_of(prey)) if rule else []
        if move[0] == m.REVEAL:
            return self._reveal_reasons(s, a, move[1])
        if move[1] != prey:
            return because("answer.not-this-animal", animal=name_of(move[1]), target=name_of(prey))
        void = time_to_fly.void_mask(hunter, a)
        if 1 << ANSWERED_BY[move[0]] & void:
            return because("intellect.void", animal=name_of(hunter), target=name_of(prey), trait=_trait(move[0]))
        if move[0] == m.RUN:
            return self._run_reasons(a, tried)
        if move[0] == m.MIMIC:
            return self._mimic_reasons(s, hunter, a, move[2], tried)
        if move[0] == m.HIDE:
            return self._hide_reasons(hunter, a, tried)
        if move[0] == m.INK:
            return self._ink_reasons(a)
        return self._drop_reasons(s, a, move)

    def _hide_reasons(self, hunter: int, a: Animal, tried: int) -> list[Reason]:
        if not a.mask & self.SHELL:
            return because("shell.needed", animal=name_of(a.uid))
        if tried & time_to_fly.AMBUSH and not self.shell_in_ambush:
            return because("shell.not-in-ambush", animal=name_of(a.uid))
        return because("shell.hidden-safe", animal=name_of(hunter), target=name_of(a.uid)) if a.flags & IN_SHELL else []

    def _ink_reasons(self, a: Animal) -> list[Reason]:
        if not a.mask & self.INK_CLOUD:
            return because("ink-cloud.needed", animal=name_of(a.uid))
        return because("ink-cloud.once-per-turn", animal=name_of(a.uid)) if a.used & self.INK_CLOUD else []

    def _reveal_reasons(self, s: State, prey: Animal, uid: int) -> list[Reason]:
        if (m.REVEAL, uid) in self.reaction_moves(s):
            return []
        a = find(s, uid)
        if a is None:
            return []
        found: list[Reason] = []
        if a.uid >> 8 != prey.uid >> 8:
            found += because("anglerfish.own-animal", animal=name_of(uid), target=name_of(prey.uid))
        if not time_to_fly.hides_anglerfish(a):
            return found + because("anglerfish.needed", animal=name_of(uid))
        if self.locations and a.loc != prey.loc:
            found += because("continents.same-location", animal=name_of(uid), target=name_of(prey.uid))
        if not self.may_reveal(s, prey) or not time_to_fly.bare(s, a, self.seas):
            found += because("anglerfish.traitless-only", animal=name_of(uid), target=name_of(prey.uid))
        if not found:
            found = because("anglerfish.must-reveal", animal=name_of(prey.uid))
        return found

    def _run_reasons(self, a: Animal, tried: int) -> list[Reason]:
        if not a.mask & self.RUNNING:
            return because("running.needed", animal=name_of(a.uid))
        return because("running.escape", animal=name_of(a.uid)) if tried & base.RUNNING else []

    def _mimic_reasons(self, s: State, hunter: int, a: Animal, new: int, tried: int) -> list[Reason]:
        found: list[Reason] = []
        if not a.mask & self.MIMICRY:
            found += because("mimicry.needed", animal=name_of(a.uid))
        elif a.used & base.MIMICRY:
            found += because("mimicry.once-per-turn", animal=name_of(a.uid))
        h, to = self._animal(s, hunter), find(s, new)
        if to is None or new >> 8 != a.uid >> 8 or new == a.uid:
            found += because("mimicry.own-target", animal=name_of(a.uid), target=name_of(new))
        elif not self.can_turn_on(s, h, to, self.redirected(tried)):
            guards = self._target_reasons(s, hunter, new, self.redirected(tried)) or self.target.reasons(s, h, to)
            if guards:
                found += because("mimicry.able-target", animal=name_of(hunter), target=name_of(new)) + guards
        return found

    def _drop_reasons(self, s: State, a: Animal, move: Move) -> list[Reason]:
        if not a.mask & self.TAIL_LOSS:
            return because("tail-loss.needed", animal=name_of(a.uid))
        allowed = self.droppable(s, a)
        if move[2] < 0 and 1 << move[3] == time_to_fly.TREMATODE and move not in allowed and self.ruled("tail-loss"):
            return because("trematode.not-dropped", animal=name_of(a.uid))
        return [] if move in allowed else because("tail-loss.any-trait", animal=name_of(a.uid))

    def _trigger_reasons(self, s: State, move: Move) -> list[Reason]:
        entry = (move[1], move[2], move[3], move[4])
        if entry not in s.stack[-1][2]:
            return because("pair.not-armed", animal=name_of(move[4]), trait=TRAITS[move[1]].id)
        trait = TRAITS[move[1]].id
        found: list[Reason] = []
        if self.link_spent(s, *entry[:3]):
            found += because(f"{trait}.once-per-round", animal=name_of(move[2]), partner=name_of(move[3]))
        if trait == "communication" and s.bank[self._animal(s, move[4]).loc] <= 0:
            found += because("communication.needs-bank", animal=name_of(move[4]))
        return found + self.receive.reasons(s, self._animal(s, move[4]))

    def _scavenge_reasons(self, s: State, uid: int) -> list[Reason]:
        _, seat, loc = s.stack[-1]
        a = find(s, uid)
        if a is None:
            return []
        found: list[Reason] = []
        if a.loc != loc:
            found += because("continents.same-location", animal=name_of(uid), target=name_of(uid))
        if uid >> 8 != seat:
            found += because("scavenger.attacker-first", animal=name_of(uid), player=letter(seat))
        if not a.mask & base.SCAVENGER:
            found += because("scavenger.needed", animal=name_of(uid))
        return found + self.receive.reasons(s, a)


def _trait(verb: int) -> str:
    return TRAITS[ANSWERED_BY[verb]].id


def _forget(reasons: list[Reason], rule: str) -> None:
    reasons[:] = [r for r in reasons if r.rule != rule]
