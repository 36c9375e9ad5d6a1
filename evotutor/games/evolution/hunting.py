"""Attacks: declaration, the prey's answers, and what the hunter gets (R14, Carnivorous; rules file 1.14)."""

from __future__ import annotations

from evotutor.core.model import Move
from evotutor.games.evolution import base
from evotutor.games.evolution.catalog import TRAIT_OF_FACE
from evotutor.games.evolution.feeding import Feeding
from evotutor.games.evolution.moves import ATTACK, DECLINE, DROP, MIMIC, RUN, TARGET
from evotutor.games.evolution.state import ATTACK as ATTACKED_FRAME
from evotutor.games.evolution.state import (
    HIBERNATING,
    HUNTED,
    KILLED,
    POISONED,
    RESTING,
    Animal,
    State,
)
from evotutor.games.evolution.state import RUN as RUN_FRAME
from evotutor.games.evolution.table import Table

ESCAPES_FROM = 4
"""A runner escapes on this roll and higher."""
ANSWERS = base.RUNNING | base.MIMICRY | base.TAIL_LOSS


class Hunting(Feeding):
    """Everything between the declaration of an attack and its end."""

    def attack_moves(self, s: State) -> list[Move]:
        """Hunters of the player that may attack somebody now."""
        return [
            (ATTACK, h.uid)
            for h in s.herds[s.player]
            if h.mask & base.CARNIVOROUS and self.hunter.allows(s, h) and self.has_prey(s, h)
        ]

    def has_prey(self, s: State | Table, h: Animal) -> bool:
        """Is there an animal this hunter may attack?"""
        for herd in s.herds:
            for t in herd:
                if self.can_attack(s, h, t):
                    return True
        return False

    def target_moves(self, s: State) -> list[Move]:
        """Whom the hunter may attack."""
        h = self._animal(s, s.stack[-1][1])
        return [(TARGET, t.uid) for herd in s.herds for t in herd if self.can_attack(s, h, t)]

    def declare(self, t: Table, hunter: int, prey: int) -> None:
        """The attack is declared: the hunter's Carnivorous is spent for this turn."""
        h = t.find(hunter)
        if self.hook["carnivorous-used"]:
            t.put(h._replace(used=h.used | base.CARNIVOROUS))
        if not self.ruled("mimicry-limit"):
            for herd in t.herds:
                for a in herd:
                    if a.used & base.MIMICRY:
                        t.put(a._replace(used=a.used & ~base.MIMICRY))
        t.acted |= HUNTED
        t.cause = t.emit("attack", "carnivorous.attack", hunter, prey)
        t.stack = (*t.stack, (ATTACKED_FRAME, hunter, prey, 0))
        self.pursue(t)

    def pursue(self, t: Table) -> None:
        """Ask the prey for an answer if it has one; else it is eaten."""
        _, hunter, prey, tried = t.stack[-1]
        a = t.find(prey)
        if a.mask & ANSWERS and self.reactions(t, hunter, a, tried):
            return
        self.eaten(t)

    # answers

    def reactions(self, s: State | Table, hunter: int, prey: Animal, tried: int) -> list[Move]:
        """Running, Mimicry and Tail Loss that the prey can use now, in the order its owner likes."""
        moves: list[Move] = []
        if prey.mask & self.RUNNING and not tried & base.RUNNING:
            moves.append((RUN, prey.uid))
        if prey.mask & self.MIMICRY and not prey.used & base.MIMICRY:
            moves += [(MIMIC, prey.uid, to) for to in self.substitutes(s, hunter, prey)]
        if prey.mask & self.TAIL_LOSS:
            moves += self.droppable(s, prey)
        return moves

    def substitutes(self, s: State | Table, hunter: int, prey: Animal) -> list[int]:
        """Other animals of the prey's owner that the hunter could attack."""
        h = self._animal(s, hunter)
        return [a.uid for a in s.herds[prey.uid >> 8] if a.uid != prey.uid and self.can_attack(s, h, a)]

    def droppable(self, s: State | Table, prey: Animal) -> list[Move]:
        """Cards that Tail Loss can throw away: every one, pair cards included (ruling `tail-loss`)."""
        moves: list[Move] = [
            (DROP, prey.uid, place)
            for place, face in enumerate(prey.faces)
            if self.ruled("tail-loss") or 1 << TRAIT_OF_FACE[face] & base.TAIL_LOSS
        ]
        if self.ruled("tail-loss"):
            for trait, u, v, _ in s.links.links:
                if prey.uid in (u, v):
                    moves.append((DROP, prey.uid, -1, trait, u, v))
        return moves

    def compulsory(self, moves: list[Move]) -> str:
        """The rule that forbids to decline while one of these answers is open, or ""."""
        for verb, *_ in moves:
            if verb == RUN and "running.compulsory" not in self.disabled:
                return "running.compulsory"
            if verb == MIMIC and self.mimicry_compulsory and "mimicry.compulsory" not in self.disabled:
                return "mimicry.compulsory"
        return ""

    def reaction_moves(self, s: State) -> list[Move]:
        """The prey's answers, with `decline` where none of them is compulsory."""
        _, hunter, prey, tried = s.stack[-1]
        moves = self.reactions(s, hunter, self._animal(s, prey), tried)
        if not self.compulsory(moves):
            moves.append((DECLINE,))
        return moves

    def do_run(self, t: Table) -> None:
        """The runner's die is to be rolled."""
        _, hunter, prey, tried = t.stack[-1]
        t.stack = (*t.stack[:-1], (ATTACKED_FRAME, hunter, prey, tried | base.RUNNING), (RUN_FRAME,))

    def run_rolled(self, t: Table, die: int) -> None:
        """4 to 6: the prey is not eaten; else the attack goes on."""
        t.stack = t.stack[:-1]
        _, hunter, prey, _tried = t.stack[-1]
        t.cause = t.emit("roll", "running.escape", (die,))
        if die >= ESCAPES_FROM:
            t.emit("escape", "running.escape", hunter, prey)
            self.attack_over(t, prey)
        else:
            self.pursue(t)

    def do_mimic(self, t: Table, prey: int, new: int) -> None:
        """Turn the attack on another animal of the same owner."""
        hunter = t.stack[-1][1]
        a = t.find(prey)
        if self.hook["mimicry-used"]:
            t.put(a._replace(used=a.used | base.MIMICRY))
        t.cause = t.emit("redirect", "mimicry.compulsory", hunter, prey, new)
        t.stack = (*t.stack[:-1], (ATTACKED_FRAME, hunter, new, 0))
        self.pursue(t)

    def do_drop(self, t: Table, prey: int, place: int, link: tuple[int, ...]) -> None:
        """Tail Loss: one card of the prey goes, the prey lives, the hunter gets one blue token."""
        hunter = t.stack[-1][1]
        before = t.find(prey)
        if place >= 0:
            t.drop_face(prey, place, "tail-loss.any-trait")
        else:
            t.unlink([x for x in t.links.links if x[:3] == link], "tail-loss.any-trait")
        self.woken(t, before)
        t.emit("escape", "tail-loss.one-blue", hunter, prey)
        if before.mask & self.POISONOUS:
            t.emit("state", "poisonous.not-by-tail", hunter, "poisoned", 0)
        self.attack_over(t, prey)
        self.give(t, hunter, "blue", 1 if self.hook["one-blue-for-tail"] else 2, "stock", "tail-loss.one-blue")

    def woken(self, t: Table, before: Animal) -> None:
        """An animal that lost its Hibernation card wakes (ruling `hibernation-lost-card`)."""
        now = t.find(before.uid)
        if before.mask & base.HIBERNATION and not now.mask & base.HIBERNATION:
            gone = HIBERNATING | RESTING if self.ruled("hibernation-lost-card") else RESTING
            t.put(now._replace(flags=now.flags & ~gone))

    # results

    def attack_over(self, t: Table, prey: int) -> None:
        """The attack ends with the prey alive."""
        t.stack = t.stack[:-1]
        if not self.ruled("mimicry-spent"):
            a = t.find(prey)
            t.put(a._replace(used=a.used | (a.mask & base.MIMICRY)))

    def eaten(self, t: Table) -> None:
        """The prey dies, the hunter gets two blue tokens, then a scavenger one (rules file B12)."""
        _, hunter, prey, _tried = t.stack[-1]
        h, a = t.find(hunter), t.find(prey)
        if self.eat.bans and not self.eat.allows(t, h, a):
            t.emit("escape", self.eat.reasons(t, h, a)[0].rule, hunter, prey)
            self.attack_over(t, prey)
            return
        t.stack = t.stack[:-1]
        t.remove(prey, "carnivorous.attack")
        if a.mask & self.POISONOUS:
            h = t.find(hunter)
            t.put(h._replace(flags=h.flags | POISONED))
            t.emit("state", "poisonous.hunter-dies", hunter, "poisoned", 1)
        t.stack = (*t.stack, (KILLED, hunter >> 8))
        self.give(t, hunter, "blue", 2, "stock", "carnivorous.two-blue")
