"""Attacks: declaration, the prey's answers, and what the hunter gets (R14, Carnivorous; rules file 1.14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evotutor.core.model import Move
from evotutor.games.evolution import base
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import TRAIT_OF_FACE
from evotutor.games.evolution.feeding import REWARDS, Feeding
from evotutor.games.evolution.moves import ATTACK, DECLINE, DROP, MIMIC, RUN, TARGET
from evotutor.games.evolution.state import ATTACK as ATTACKED_FRAME
from evotutor.games.evolution.state import (
    ATTACKED,
    FOR_KILL,
    FOR_TAIL,
    HUNTED,
    IN_SHELL,
    INKED,
    KILLED,
    POISONED,
    REWARD,
    Animal,
    State,
)
from evotutor.games.evolution.state import RUN as RUN_FRAME
from evotutor.games.evolution.table import Table
from evotutor.games.evolution.time_to_fly import AMBUSH, LURE, TREMATODE, void_mask

ESCAPES_FROM = 4
"""A runner escapes on this roll and higher."""


class Hunting(Feeding):
    """Everything between the declaration of an attack and its end.

    An attack's `tried` holds bits: Running when its die was rolled; Ambush for an ambush; Cnidocytes when an earlier
    prey of the same attack stung the hunter; Anglerfish for a counter-attack, Intellect when that one has chosen
    what it ignores.
    """

    if TYPE_CHECKING:  # what the expansions add

        def ask_to_ignore(self, t: Table) -> bool: ...
        def attack_fails(self, t: Table) -> bool: ...
        def may_ignore(self, hunter: Animal, tried: int) -> bool: ...
        def may_reveal(self, s: State | Table, prey: Animal) -> bool: ...
        def reveal_moves(self, s: State, prey: Animal) -> list[Move]: ...

    def attack_moves(self, s: State) -> list[Move]:
        """Hunters of the player that may attack somebody now."""
        return [
            (ATTACK, h.uid)
            for h in s.herds[s.player]
            if h.mask & base.CARNIVOROUS
            and self.hunter.allows(s, h)
            and (not self.locations or self.here.allows(s, h))
            and self.has_prey(s, h)
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

    def declare(self, t: Table, hunter: int, prey: int, ambush: int = 0) -> None:
        """The attack is declared: the hunter's Carnivorous is spent for this turn."""
        h = t.find(hunter)
        if self.hook["carnivorous-used"]:
            t.put(h._replace(used=h.used | base.CARNIVOROUS))
        if not self.ruled("mimicry-limit"):
            for herd in t.herds:
                for a in herd:
                    if a.used & base.MIMICRY:
                        t.put(a._replace(used=a.used & ~base.MIMICRY))
        if not ambush:
            self.act(t, HUNTED, h.loc)
        t.cause = t.emit("attack", "ambush.on-red" if ambush else "carnivorous.attack", hunter, prey)
        t.stack = (*t.stack, (ATTACKED_FRAME, hunter, prey, ambush))
        self.engage(t)

    def engage(self, t: Table) -> None:
        """An animal has become the prey of an attack: what its attacker ignores, then its answers."""
        if self.expanded:
            prey = t.find(t.stack[-1][2])
            if prey.mask & self.SHY and self.ruled("shy-ignored"):
                t.put(prey._replace(flags=prey.flags | ATTACKED))
            if self.flying and (self.attack_fails(t) or self.ask_to_ignore(t)):
                return
        self.pursue(t)

    def pursue(self, t: Table) -> None:
        """Ask the prey for an answer if it has one; else it is eaten."""
        _, hunter, prey, tried = t.stack[-1]
        a = t.find(prey)
        if a.mask & self.SHY & ~void_mask(hunter, a) and not a.flags & ATTACKED:
            a = a._replace(flags=a.flags | ATTACKED)
            t.put(a)
        if a.mask & self.answers and self.reactions(t, hunter, a, tried):
            return
        if self.anglers and self.may_reveal(t, a):
            return
        self.eaten(t)

    # answers

    def reactions(self, s: State | Table, hunter: int, prey: Animal, tried: int) -> list[Move]:
        """What the prey can answer now, in the order its owner likes: Running, Mimicry, Tail Loss, Shell, Ink Cloud."""
        moves: list[Move] = []
        mask = prey.mask & ~void_mask(hunter, prey) if prey.more else prey.mask
        if mask & self.RUNNING and not tried & base.RUNNING:
            moves.append((RUN, prey.uid))
        if mask & self.MIMICRY and not prey.used & base.MIMICRY:
            moves += [(MIMIC, prey.uid, to) for to in self.substitutes(s, hunter, prey, tried)]
        if mask & self.TAIL_LOSS:
            moves += self.droppable(s, prey)
        if mask & self.SHELL and (not tried & AMBUSH or self.shell_in_ambush) and not prey.flags & IN_SHELL:
            moves.append((m.HIDE, prey.uid))
        if mask & self.INK_CLOUD and not prey.used & self.INK_CLOUD:
            moves.append((m.INK, prey.uid))
        return moves

    def substitutes(self, s: State | Table, hunter: int, prey: Animal, tried: int = 0) -> list[int]:
        """Other animals of the prey's owner that the hunter could attack."""
        h, kept = self._animal(s, hunter), self.redirected(tried)
        return [a.uid for a in s.herds[prey.uid >> 8] if a.uid != prey.uid and self.can_turn_on(s, h, a, kept)]

    def redirected(self, tried: int) -> int:
        """What an attack keeps in `tried` when Mimicry turns it (rulings `ambush-shell`, `intellect-after-mimicry`)."""
        kept = tried & (LURE | self.INTELLECT | self.CNIDOCYTES) | self.still_ambush(tried)
        return kept if self.ruled("intellect-after-mimicry") else kept | self.INTELLECT

    def can_turn_on(self, s: State | Table, h: Animal, a: Animal, tried: int) -> bool:
        """May an attack that is under way go on against this animal?"""
        if not self.flying:
            return self.can_attack(s, h, a)
        found = self.obstacles(s, h, a, tried & AMBUSH)
        return found is not None and len(found) <= int(self.may_ignore(h, tried))

    def still_ambush(self, tried: int) -> int:
        """Does an attack that Mimicry turns stay an ambush (ruling `ambush-shell`)?"""
        return tried & AMBUSH if self.ruled("ambush-shell") else 0

    def droppable(self, s: State | Table, prey: Animal) -> list[Move]:
        """Cards that Tail Loss can throw away: every one, pair cards too (ruling `tail-loss`), but no Trematode."""
        moves: list[Move] = [
            (DROP, prey.uid, place)
            for place, face in enumerate(prey.faces)
            if self.ruled("tail-loss") or 1 << TRAIT_OF_FACE[face] & base.TAIL_LOSS
        ]
        if self.ruled("tail-loss"):
            for trait, u, v, _ in s.links.links:
                if prey.uid in (u, v) and (1 << trait != TREMATODE or self.trematode_drops):
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
        a = self._animal(s, prey)
        moves = self.reactions(s, hunter, a, tried)
        if self.anglers and not moves and self.may_reveal(s, a):
            return self.reveal_moves(s, a)
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
            self.attack_over(t)
        else:
            self.pursue(t)

    def do_mimic(self, t: Table, prey: int, new: int) -> None:
        """Turn the attack on another animal of the same owner."""
        _, hunter, _, tried = t.stack[-1]
        a = t.find(prey)
        kept = self.redirected(tried)
        if self.stings(hunter, a, tried):
            kept |= self.CNIDOCYTES
        if self.hook["mimicry-used"]:
            t.put(a._replace(used=a.used | base.MIMICRY))
        t.cause = t.emit("redirect", "mimicry.compulsory", hunter, prey, new)
        t.stack = (*t.stack[:-1], (ATTACKED_FRAME, hunter, new, kept))
        self.engage(t)

    def do_drop(self, t: Table, prey: int, place: int, link: tuple[int, ...]) -> None:
        """Tail Loss: one card of the prey goes, the prey lives, the hunter gets one blue token."""
        hunter = t.stack[-1][1]
        before = t.find(prey)
        self.cast_off_card(t, before, place, link, "tail-loss.any-trait")
        t.emit("escape", "tail-loss.one-blue", hunter, prey)
        if before.mask & self.POISONOUS:
            t.emit("state", "poisonous.not-by-tail", hunter, "poisoned", 0)
        stung = self._close(t, before)
        self.card_lost(t, before)
        self._reward(t, hunter, 1 if self.hook["one-blue-for-tail"] else 2, FOR_TAIL, stung)

    def cast_off_card(self, t: Table, before: Animal, place: int, link: tuple[int, ...], rule: str) -> None:
        """One card of a living animal goes to the discard; `card_lost` sees to what hangs on it."""
        if place >= 0:
            shell = 1 << TRAIT_OF_FACE[before.faces[place]] & self.SHELL
            t.drop_face(before.uid, place, rule, to_table=bool(shell) and not self.ruled("shell-dropped"))
        else:
            t.unlink([x for x in t.links.links if x[:3] == link], rule)

    def do_hide(self, t: Table, prey: int) -> None:
        """The prey draws back into its Shell until the turn ends; the hunter gets nothing (Shell)."""
        hunter, a = t.stack[-1][1], t.find(prey)
        t.put(a._replace(flags=a.flags | IN_SHELL))
        t.emit("state", "shell.hide", prey, "in-shell", 1)
        t.emit("escape", "shell.hide", hunter, prey)
        self.attack_over(t)

    def do_ink(self, t: Table, prey: int) -> None:
        """The prey throws ink; the hunter may attack again in its owner's next own feeding phase (Ink Cloud)."""
        hunter, a = t.stack[-1][1], t.find(prey)
        if self.hook["ink-used"]:
            t.put(a._replace(used=a.used | self.INK_CLOUD))
        t.emit("escape", "ink-cloud.escape", hunter, prey)
        h = t.find(hunter)
        t.put(h._replace(flags=h.flags | INKED))
        t.emit("state", "ink-cloud.hunter-again", hunter, "inked", 1)
        self.attack_over(t)

    # results

    def stings(self, hunter: int, prey: Animal, tried: int) -> bool:
        """Does this attack end with a paralysed hunter: by this prey, or by one before it (S0, Cnidocytes)?"""
        if not self.CNIDOCYTES:
            return False
        mask = prey.mask & ~void_mask(hunter, prey) if prey.more else prey.mask
        return bool((tried | mask) & self.CNIDOCYTES)

    def _close(self, t: Table, before: Animal | None = None) -> bool:
        """The attack ends with the prey alive; is the hunter stung?  `before`: the prey as it was attacked."""
        _, hunter, prey, tried = t.pop()
        a = t.find(prey)
        if not self.ruled("mimicry-spent"):
            t.put(a._replace(used=a.used | (a.mask & base.MIMICRY)))
        return self.stings(hunter, before or a, tried)

    def attack_over(self, t: Table) -> None:
        """The attack ends with the prey alive and nothing for the hunter."""
        hunter = t.stack[-1][1]
        if self._close(t):
            self.paralyse(t, hunter)

    def _reward(self, t: Table, hunter: int, n: int, why: int, stung: bool) -> None:
        """The hunter gets its tokens; a stung one is paralysed first (ruling `cnidocytes-timing`)."""
        if stung and self.ruled("cnidocytes-timing"):
            t.push((REWARD, hunter, n, why))
            self.paralyse(t, hunter)
            return
        self.give(t, hunter, "blue", n, "stock", REWARDS[why])
        if stung:
            self.paralyse(t, hunter)

    def eaten(self, t: Table) -> None:
        """The prey dies, the hunter gets two blue tokens, then a scavenger one (rules file B12)."""
        _, hunter, prey, tried = t.stack[-1]
        h, a = t.find(hunter), t.find(prey)
        if self.eat.bans and not self.eat.allows(t, h, a):
            t.emit("escape", self.eat.reasons(t, h, a)[0].rule, hunter, prey)
            self.attack_over(t)
            return
        t.stack = t.stack[:-1]
        mask = a.mask & ~void_mask(hunter, a) if a.more else a.mask
        survives = mask if not self.ruled("intellect-regeneration") else a.mask
        if survives & self.REGENERATION:
            t.leave_remains(prey, "carnivorous.attack")
        else:
            t.remove(prey, "carnivorous.attack")
        if mask & self.POISONOUS:
            h = t.find(hunter)
            t.put(h._replace(flags=h.flags | POISONED))
            t.emit("state", "poisonous.hunter-dies", hunter, "poisoned", 1)
        t.stack = (*t.stack, (KILLED, hunter >> 8, a.loc))
        n = 1 if tried & LURE and not self.ruled("anglerfish-food") else 2
        self._reward(t, hunter, n, FOR_KILL, self.stings(hunter, a, tried))
