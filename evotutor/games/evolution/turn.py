"""The phases of a turn: development, food bank, the laps of feeding, extinction and the dealing of cards (R14)."""

from __future__ import annotations

from typing import Final

from evotutor.core.model import Move
from evotutor.games.evolution import base
from evotutor.games.evolution.bound import PAIRS
from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN
from evotutor.games.evolution.hunting import Hunting
from evotutor.games.evolution.moves import AND, END, ON, PASS, PLAY_ANIMAL, PLAY_TRAIT, TAKE
from evotutor.games.evolution.state import (
    DEAL,
    DEVELOPMENT,
    EXTINCTION,
    FEEDING,
    FOOD,
    HIBERNATING,
    MAIN,
    OVER,
    POISONED,
    RESTING,
    SIDE,
    TOOK,
    Animal,
    State,
    is_fed,
)
from evotutor.games.evolution.table import Table

FOOD_DICE: Final = {2: (1, 2), 3: (2, 0), 4: (2, 2), 5: (3, 2), 6: (3, 4), 7: (4, 2), 8: (4, 4)}
"""Players -> (dice, tokens added) for the food bank (S2, R14)."""
STARTING_HAND: Final = 6
LINGERING: Final = HIBERNATING | RESTING | POISONED


class Turn(Hunting):
    """What the four phases do by themselves, and the moves of development and of an own feeding phase."""

    # development

    def development_moves(self, s: State) -> list[Move]:
        """Every card of the hand as an animal and as each trait that has somewhere to go; `pass` where allowed."""
        moves: list[Move] = []
        seat, last = s.player, -1
        placeable: dict[int, bool] = {}  # a trait stands on several cards
        for card in s.hands[seat]:
            if card == last:
                continue
            last = card
            moves.append((PLAY_ANIMAL, card))
            if card == UNKNOWN:
                continue
            for side, trait in enumerate(CARDS[card].traits):
                able = placeable.get(trait)
                if able is None:
                    able = placeable[trait] = self.has_place(s, seat, trait)
                if able:
                    moves.append((PLAY_TRAIT, card, side))
        if self.passing.allows(s):
            moves.append((PASS,))
        return moves

    def has_place(self, s: State, seat: int, trait: int) -> bool:
        """Is there an animal (or a pair) this seat may lay the trait on?"""
        for herd in self.herds_for(s, seat, trait):
            for a in herd:
                if self.may_hold(s, seat, trait, a):
                    return True
        return False

    def may_hold(self, s: State, seat: int, trait: int, a: Animal) -> bool:
        """May the trait go on this animal, and for a pair trait: is there a second one for it?"""
        if not self.can_place(s, seat, trait, a):
            return False
        return not PAIRS[trait] or any(self.join.allows(s, seat, trait, a, b) for h in s.herds for b in h)

    def place_moves(self, s: State) -> list[Move]:
        """On which animal the trait goes."""
        _, card, side = s.stack[-1]
        trait = CARDS[card].traits[side]
        herds = self.herds_for(s, s.player, trait)
        return [(ON, a.uid) for herd in herds for a in herd if self.may_hold(s, s.player, trait, a)]

    def partner_moves(self, s: State) -> list[Move]:
        """Which animal is the other end of the pair; both orders of two equal ends are one move."""
        _, card, side, uid = s.stack[-1]
        trait, a = CARDS[card].traits[side], self._animal(s, uid)
        return [(AND, b.uid) for herd in s.herds for b in herd if self.join.allows(s, s.player, trait, a, b)]

    def take_card(self, t: Table, card: int) -> None:
        """Remove one card from the hand of the player to move."""
        hand = t.hands[t.player]
        i = hand.index(card)
        t.set_hand(t.player, hand[:i] + hand[i + 1 :])

    def do_animal(self, t: Table, card: int) -> None:
        """A card becomes an animal at the right end of the row."""
        seat, uid = t.player, t.player << 8 | t.numbers[t.player]
        self.take_card(t, card)
        t.numbers = (*t.numbers[:seat], t.numbers[seat] + 1, *t.numbers[seat + 1 :])
        animal = Animal(uid, card, b"", 0, 1, 0, 0, 0, 0, 0, 0, 0, ())
        t.herds = (*t.herds[:seat], (*t.herds[seat], animal), *t.herds[seat + 1 :])
        t.emit("card", "development.animal", card, ("hand", seat), ("animal", uid))
        t.emit("born", "development.animal", uid)
        self.next_player(t)

    def do_trait(self, t: Table, card: int, side: int, uid: int) -> None:
        """The trait goes under the animal, on top of the traits that it has."""
        face = 2 * card + side
        self.take_card(t, card)
        t.emit("card", "development.dual-card-final", card, ("hand", t.player), ("animal", uid))
        t.refresh(uid, t.find(uid).faces + bytes((face,)))
        self.next_player(t)

    def do_pair(self, t: Table, card: int, side: int, uid: int, partner: int) -> None:
        """The pair card goes between two animals; for Symbiosis the first one is the symbiont."""
        trait, face = CARDS[card].traits[side], 2 * card + side
        directed = TRAITS[trait].id == "symbiosis"
        u, v = (uid, partner) if directed or uid < partner else (partner, uid)
        self.take_card(t, card)
        t.emit("card", "development.dual-card-final", card, ("hand", t.player), ("link", trait, u, v))
        t.add_link((trait, u, v, face))
        self.next_player(t)

    def next_player(self, t: Table) -> None:
        """The next player who has not passed; who has no card left passes now.  When all have, food comes."""
        n, first, start = len(t.hands), t.first, t.player
        for k in range(1, n + 1):
            seat = (start + k) % n
            if t.passed >> seat & 1:
                continue
            if not t.hands[seat] and self.hook["empty-hand-passes"]:
                t.passed |= 1 << seat
                t.emit("pass", "development.empty-hand-passes", seat)
                continue
            t.round += (seat - first) % n <= (start - first) % n
            t.player = seat
            return
        if self.cataclysm:
            self.start_feeding(t)
        else:
            self.start_food(t)

    def start_food(self, t: Table) -> None:
        """The food bank phase: the first player is to roll."""
        t.phase, t.player, t.round, t.passed = FOOD, t.first, 1, 0
        t.emit("phase", "phase.order", "food")

    # feeding

    def rolled_food(self, t: Table, dice: tuple[int, ...]) -> None:
        """The dice decide the bank; feeding begins (in Cataclysm: development)."""
        n = len(t.hands)
        rule = "cataclysm.food" if self.cataclysm else "food.dice-by-players"
        t.cause = t.emit("roll", rule, dice)
        added = n if self.cataclysm else FOOD_DICE[n][1]
        t.bank = (sum(dice) + added, *t.bank[1:])
        t.transfer("box", "bank", "red", t.bank[0], rule)
        if self.cataclysm:
            self.start_development(t)
        else:
            self.start_feeding(t)

    def start_feeding(self, t: Table) -> None:
        """Laps begin with the first player."""
        t.phase, t.player, t.round = FEEDING, t.first, 1
        t.acted = t.idle = t.spent = t.passed = 0
        t.emit("phase", "phase.order", "feeding")
        self.maybe_end_feeding(t)

    def own_phase_moves(self, s: State) -> list[Move]:
        """Everything a player may do in his own feeding phase, `end` last."""
        moves: list[Move] = []
        if self.take_now.allows(s):
            for a in s.herds[s.player]:
                if self.receive.allows(s, a):
                    moves.append((TAKE, a.uid))
        free = not moves or self.may_end(s)
        if self.hunt_now.allows(s):
            moves += self.attack_moves(s)
        if self.convert_now.allows(s):
            moves += self.convert_moves(s)
        moves += self._side_moves(s)
        if free:
            moves.append((END,))
        return moves

    def must_take(self, s: State) -> bool:
        """Could an animal of the player take red now?"""
        return self.take_now.allows(s) and any(self.receive.allows(s, a) for a in s.herds[s.player])

    def may_end(self, s: State) -> bool:
        """Nobody may do nothing while an own animal could take red (R14; rules file A1, A2)."""
        if s.acted & MAIN or (s.acted & SIDE and self.ruled("side-trait-instead")) or base.OBLIGED in self.disabled:
            return True
        return not self.must_take(s)

    def do_take(self, t: Table, uid: int) -> None:
        """One red token from the bank."""
        t.take_from_bank(0)
        t.acted |= TOOK
        self.give(t, uid, "red", 1, "bank", "feeding.take")

    def do_end(self, t: Table) -> None:
        """The own feeding phase is over; the next player's begins, or the phase ends."""
        n, seat = len(t.hands), t.player
        t.idle = 0 if t.acted else t.idle + 1
        if t.acted & SIDE and self.hook["grazing-resets"]:
            herd = t.herds[seat]
            if any(a.used & base.GRAZING for a in herd):
                rested = tuple(a._replace(used=a.used & ~base.GRAZING) for a in herd)
                t.herds = (*t.herds[:seat], rested, *t.herds[seat + 1 :])
        t.acted = 0
        t.player = (seat + 1) % n
        if t.player == t.first:
            t.round += 1
            if self.ruled("pair-reset") and self.hook["round-resets-pairs"]:
                t.spent = 0
        if t.spent and not self.ruled("pair-reset"):
            t.spent = sum(
                1 << i for i, link in enumerate(t.links.links) if t.spent >> i & 1 and link[1] >> 8 != t.player
            )
        self.maybe_end_feeding(t)

    def maybe_end_feeding(self, t: Table) -> None:
        """Feeding ends after a lap in which nobody did anything, or when everything is fed and full."""
        if t.idle < len(t.hands) or not self.hook["idle-lap"]:
            if not self.hook["end-when-done"] and t.idle < 2 * len(t.hands):
                return
            if t.idle < 2 * len(t.hands):
                for herd in t.herds:
                    for a in herd:
                        if not base.full(t, a) and not base.asleep(t, a):
                            return
            t.emit("state", "feeding.end-when-done", -1, "done", 1)
        t.transfer("bank", "leftover", "red", t.bank[0], "feeding.leftovers-discarded") if t.bank[0] else None
        if self.hook["leftovers"]:
            t.bank = (0,) * len(t.bank)
        self.extinction(t)

    # extinction

    def extinction(self, t: Table) -> None:
        """Unfed and poisoned animals die; then cards are dealt, or the score counts."""
        t.phase, t.player, t.acted, t.idle, t.spent = EXTINCTION, t.first, 0, 0, 0
        t.emit("phase", "phase.order", "extinction")
        for herd in t.herds:
            for a in herd:
                if a.flags & POISONED:
                    t.remove(a.uid, "poisonous.hunter-dies")
                elif not is_fed(a) and self.hook["unfed-die"]:
                    t.remove(a.uid, "extinction.unfed-die")
        if self.is_last(t):
            t.phase = OVER
            t.emit("over", "cataclysm.one-turn" if self.cataclysm else "turn.last")
            return
        self.start_dealing(t)

    @staticmethod
    def is_last(t: Table | State) -> bool:
        """Is this the last turn?  It is when the deck is empty."""
        return not t.deck and not t.top

    def start_dealing(self, t: Table) -> None:
        """Everybody is due a card for each survivor and one more; six with neither animals nor cards."""
        due = []
        for seat, herd in enumerate(t.herds):
            destitute = not herd and not t.hands[seat] and self.hook["draw-six"]
            due.append(STARTING_HAND if destitute else len(herd) + 1)
            t.emit("state", "extinction.draw-six" if destitute else "extinction.draw", -1, "due", due[-1])
        t.stack = ((DEAL, bytes(due), t.first),)

    def drawn(self, t: Table, card: int) -> None:
        """A card goes to the hand of the player who was due; then the next one is."""
        _, due, seat = t.stack[-1]
        if t.top:
            t.top = t.top[1:]
        else:
            i = t.deck.index(card)
            t.deck = t.deck[:i] + t.deck[i + 1 :]
        t.set_hand(seat, bytes(sorted(t.hands[seat] + bytes((card,)))))
        t.emit("card", "extinction.deal-one-by-one", card, ("deck",), ("hand", seat))
        due = due[:seat] + bytes((due[seat] - 1,)) + due[seat + 1 :]
        if not any(due) or self.is_last(t):
            self.finish_turn(t)
            return
        step = 1 if self.hook["deal-one-by-one"] else 0
        for k in range(len(due)):
            other = (seat + step + k) % len(due)
            if due[other]:
                t.stack = ((DEAL, due, other),)
                return

    def finish_turn(self, t: Table) -> None:
        """Tokens leave, fat stays, sleepers rest, the first player moves on (R14)."""
        t.stack = ()
        t.herds = tuple(tuple(self._rested(t, a) for a in herd) for herd in t.herds)
        if self.hook["first-player-moves"]:
            t.first = (t.first + 1) % len(t.hands)
        t.turn += 1
        t.emit("turn", "turn.first-player-moves", t.turn, t.first)
        self.start_development(t)

    def _rested(self, t: Table, a: Animal) -> Animal:
        if t.events is not None:
            for colour, n in (("red", a.red), ("blue", a.blue)):
                if n:
                    t.transfer(a.uid, "cleared", colour, n, "extinction.tokens-leave")
        if not (a.red or a.blue or a.used or a.flags):
            return a
        flags = RESTING if a.flags & HIBERNATING and self.hook["hibernation-rests"] else 0
        keep = not self.hook["tokens-leave"]
        return a._replace(red=a.red * keep, blue=a.blue * keep, used=0, flags=flags)

    def start_development(self, t: Table) -> None:
        """The first player who has a card begins."""
        t.phase, t.round, t.passed, t.acted = DEVELOPMENT, 1, 0, 0
        t.emit("phase", "phase.order", "development")
        n = len(t.hands)
        if t.hands[t.first]:
            t.player = t.first
            return
        t.player = (t.first - 1) % n
        self.next_player(t)
        if t.phase == DEVELOPMENT:
            t.round = 1
