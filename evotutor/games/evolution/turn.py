"""The phases of a turn: development, food bank, the laps of feeding, extinction and the dealing of cards (R14)."""

from __future__ import annotations

from typing import Final

from evotutor.core.model import Move
from evotutor.games.evolution import base
from evotutor.games.evolution.bound import PAIRS
from evotutor.games.evolution.breeding import Breeding
from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, deck
from evotutor.games.evolution.gift_box import HOMEOTHERMY
from evotutor.games.evolution.locations import CONTINENTS, FOOD
from evotutor.games.evolution.locations import OCEAN as SEA
from evotutor.games.evolution.moves import AND, END, ON, PASS, PLAY_ANIMAL, PLAY_TRAIT, TAKE
from evotutor.games.evolution.state import (
    DEAL,
    DEVELOPMENT,
    EXTINCTION,
    FEEDING,
    FOUND,
    HIBERNATING,
    INKED,
    MAIN,
    NEOPLASM,
    OVER,
    POISONED,
    REMAINS,
    RESTING,
    REVEALED,
    SIDE,
    SWIMS,
    TAKING,
    TOOK,
    YOUNG,
    Animal,
    State,
    is_fed,
)
from evotutor.games.evolution.state import FOOD as FOOD_PHASE
from evotutor.games.evolution.table import Table

FOOD_DICE: Final = {2: (1, 2), 3: (2, 0), 4: (2, 2), 5: (3, 2), 6: (3, 4), 7: (4, 2), 8: (4, 4)}
"""Players -> (dice, tokens added) for the food bank (S2, R14)."""
STARTING_HAND: Final = 6
LARGE_HAND: Final = 10
"""Cards to begin with, and for a player without anything, with Continents (C12)."""
FOUNDERS: Final = 2
"""Animals that such a player puts on the table at once."""
LASTING: Final = REMAINS | REVEALED | SWIMS
"""Conditions that do not end with the turn."""
RECURRING: Final = base.GRAZING | HOMEOTHERMY
"""Traits that are ready again in each own feeding phase."""
OPEN_TRAITS: Final = (
    "ambush", "intellect", "metamorphose", "flight", "anglerfish", "ink-cloud", "recombination", "aedificator",
)  # fmt: skip
"""Traits of the expansions whose cards join a Cataclysm (R14 p.8)."""
CATACLYSM_HAND: Final = 20


class Turn(Breeding):
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
            if self.locations:
                moves += self.animal_moves(card)
            else:
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

    def animal_moves(self, card: int) -> list[Move]:
        """The card as an animal; with Continents in Laurasia or Gondwana, never straight in the Ocean (C12)."""
        if not self.locations:
            return [(PLAY_ANIMAL, card)]
        return [(PLAY_ANIMAL, card, loc) for loc in CONTINENTS]

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
        if not PAIRS[trait]:
            return True
        herd = s.herds[a.uid >> 8] if not self.apart else [b for h in s.herds for b in h]
        allows = self.join.allows
        for b in herd:  # noqa: SIM110
            if allows(s, seat, trait, a, b):
                return True
        return False

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

    def do_animal(self, t: Table, card: int, loc: int = 0) -> None:
        """A card becomes an animal at the right end of the row."""
        seat, uid = t.player, t.player << 8 | t.numbers[t.player]
        self.take_card(t, card)
        t.add_animal(self.new_animal(uid, card, loc))
        t.emit("card", "development.animal", card, ("hand", seat), ("animal", uid))
        t.emit("born", "continents.animal-lands" if self.locations else "development.animal", uid)
        self.next_player(t)

    def do_trait(self, t: Table, card: int, side: int, uid: int) -> None:
        """The trait goes under the animal, on top of the traits that it has; Neoplasm goes under all of them (S0)."""
        face, trait = 2 * card + side, CARDS[card].traits[side]
        self.take_card(t, card)
        t.emit("card", "development.dual-card-final", card, ("hand", t.player), ("animal", uid))
        a = t.find(uid)
        if trait == NEOPLASM:
            t.put(a._replace(fat=a.fat << 1))
            t.refresh(uid, bytes((face,)) + a.faces)
        else:
            t.refresh(uid, a.faces + bytes((face,)))
        if self.locations and 1 << trait == base.SWIMMING and a.loc != SEA:
            self.to_ocean(t, uid, "continents.ocean-by-swimming")
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
        t.phase, t.player, t.round, t.passed = FOOD_PHASE, t.first, 1, 0
        t.emit("phase", "phase.order", "food")
        if self.travelling:
            self.grow_neoplasms(t)

    # feeding

    def rolled_food(self, t: Table, dice: tuple[int, ...]) -> None:
        """The dice decide the bank; feeding begins (in Cataclysm: development)."""
        rule = "cataclysm.food" if self.cataclysm else "food.dice-by-players"
        if self.locations:
            rule = "continents.food-by-location"
        t.cause = t.emit("roll", rule, dice)
        t.bank = self.food(len(t.hands), dice)
        for loc, n in enumerate(t.bank):
            if n:
                t.transfer("box", self.bank_place(loc), "red", n, "continents.ocean-food" if loc == SEA else rule)
        if self.cataclysm:
            self.start_development(t)
        else:
            self.start_feeding(t)

    def food(self, players: int, dice: tuple[int, ...]) -> tuple[int, ...]:
        """Red tokens in each bank; with Continents the dice are Laurasia's first (S2, R14, C12)."""
        if self.locations:
            (n, added), (_, more), ocean = FOOD[players]
            return sum(dice[:n]) + added, sum(dice[n:]) + more, ocean
        return (sum(dice) + (players if self.cataclysm else FOOD_DICE[players][1]),)

    def box(self, players: int) -> bytes:
        """All cards that are played with, sorted (R14: two sets from five players on; C12: half of them for two)."""
        if self.cataclysm:
            return bytes(
                card
                for card in deck(self.modules)
                if CARDS[card].module == "base" or any(TRAITS[i].id in OPEN_TRAITS for i in CARDS[card].traits)
            )
        large = self.flying or self.travelling
        cards = deck(self.modules, 2 if players > (6 if large else 4) else 1)
        if not (self.locations and players == 2):
            return cards
        return bytes(card for card in sorted(set(cards)) for _ in range((cards.count(card) + 1) // 2))

    def start_feeding(self, t: Table) -> None:
        """Laps begin with the first player."""
        t.phase, t.player, t.round = FEEDING, t.first, 1
        t.acted = t.idle = t.spent = t.passed = 0
        t.emit("phase", "phase.order", "feeding")
        self.grow_food(t)
        t.touched = True
        self.maybe_end_feeding(t)

    def own_phase_moves(self, s: State) -> list[Move]:
        """Everything a player may do in his own feeding phase, `end` last."""
        moves: list[Move] = []
        fresh = not s.acted  # prohibitions about what was done cannot apply yet
        if (fresh or self.take_now.allows(s)) and self.bank_now.allows(s):
            for a in s.herds[s.player]:
                if self.receive.allows(s, a) and (not self.locations or self.can_take_here(s, a)):
                    moves.append((TAKE, a.uid))
        free = not moves or self._excused(s)
        if fresh or self.hunt_now.allows(s):
            moves += self.attack_moves(s)
        if fresh or self.convert_now.allows(s):
            moves += self.convert_moves(s)
        if self.flying:
            moves += self.metamorphose_moves(s) + self.specialize_moves(s) + self.settle_moves(s)
        if self.locations:
            moves += self.migrate_moves(s)
        moves += self._side_moves(s)
        if free:
            moves.append((END,))
        return moves

    def can_take_here(self, s: State, a: Animal) -> bool:
        """Is there food where the animal lives, and is it the location of this own feeding phase?"""
        return self.here.allows(s, a) and self.take_here.allows(s, a)

    def must_take(self, s: State) -> bool:
        """Could an animal of the player take red now?"""
        return (
            self.take_now.allows(s)
            and self.bank_now.allows(s)
            and any(self.receive.allows(s, a) and self.can_take_here(s, a) for a in s.herds[s.player])
        )

    def may_end(self, s: State) -> bool:
        """Nobody may do nothing while an own animal could take red (R14; rules file A1, A2)."""
        return self._excused(s) or not self.must_take(s)

    def _excused(self, s: State) -> bool:
        """Has the player done something that stands instead of taking red?"""
        if s.acted & MAIN or (s.acted & SIDE and self.ruled("side-trait-instead")):
            return True
        return base.OBLIGED in self.disabled

    def do_take(self, t: Table, uid: int) -> None:
        """One red token from the bank."""
        if self.locations:
            self.act(t, TOOK, t.find(uid).loc)
        else:
            t.acted |= TOOK
        self.give_red(t, uid, TAKING)

    def do_end(self, t: Table) -> None:
        """The own feeding phase is over; the next player's begins, or the phase ends."""
        n, seat = len(t.hands), t.player
        t.idle = 0 if t.acted else t.idle + 1
        if t.acted & SIDE and self.hook["grazing-resets"]:
            herd = t.herds[seat]
            if any(a.used & RECURRING for a in herd):
                rested = tuple(a._replace(used=a.used & ~RECURRING) for a in herd)
                t.herds = (*t.herds[:seat], rested, *t.herds[seat + 1 :])
        t.acted = 0
        t.player = (seat + 1) % n
        if self.flying:
            self._ink_clears(t)
        if t.player == t.first:
            t.round += 1
            if self.ruled("pair-reset") and self.hook["round-resets-pairs"]:
                t.spent &= t.links.lasting
        if t.spent and not self.ruled("pair-reset"):
            t.spent = sum(
                1 << i
                for i, link in enumerate(t.links.links)
                if t.spent >> i & 1 and (link[1] >> 8 != t.player or t.links.lasting >> i & 1)
            )
        self.maybe_end_feeding(t)

    def _ink_clears(self, t: Table) -> None:
        """Hunters that Ink Cloud stopped may attack again in their owner's next own feeding phase (S0)."""
        for a in t.herds[t.player]:
            if a.flags & INKED and self.hook["ink-frees"]:
                t.put(a._replace(flags=a.flags & ~INKED, used=a.used & ~base.CARNIVOROUS))

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
        for loc, n in enumerate(t.bank):
            if n:
                t.transfer(self.bank_place(loc), "leftover", "red", n, "feeding.leftovers-discarded")
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
                if a.flags & REMAINS:
                    continue
                if a.flags & POISONED:
                    t.remove(a.uid, "poisonous.hunter-dies")
                elif not is_fed(a) and self.hook["unfed-die"]:
                    t.remove(a.uid, "extinction.unfed-die")
        if not self.is_last(t):
            self.start_dealing(t)
        if self.travelling:
            self.restore_next(t)
        if not t.stack:
            self.game_over(t)

    def game_over(self, t: Table) -> None:
        """The last turn is over: the score counts."""
        t.phase = OVER
        t.emit("over", "cataclysm.one-turn" if self.cataclysm else "turn.last")

    @staticmethod
    def is_last(t: Table | State) -> bool:
        """Is this the last turn?  It is when the deck is empty."""
        return not t.deck and not t.top

    def start_dealing(self, t: Table) -> None:
        """Everybody is due a card for each survivor and one more; who has nothing at all begins anew."""
        due: list[int] = []
        founders: list[int] = []
        for seat, herd in enumerate(t.herds):
            destitute = not herd and not t.hands[seat] and self.hook["draw-six"]
            due.append(self._anew(founders, seat) if destitute else self._due(t, herd))
            rule = "extinction.draw"
            if destitute:
                rule = "continents.ten-cards" if self.locations else "extinction.draw-six"
            t.emit("state", rule, -1, "due", due[-1])
        young = self.young_due(t)
        t.stack = ((YOUNG, young, t.first),) if any(young) and self.hook["r-strategy-young"] else ()
        n = len(due)
        for seat in sorted(founders, key=lambda seat: (seat - t.first) % n, reverse=True):
            t.push((FOUND, seat, FOUNDERS))
        t.push((DEAL, bytes(due), t.first))

    def _anew(self, founders: list[int], seat: int) -> int:
        if self.locations and self.hook["found"]:
            founders.append(seat)
        return LARGE_HAND if self.locations and self.hook["ten-cards"] else STARTING_HAND

    def _due(self, t: Table, herd: tuple[Animal, ...]) -> int:
        n = len(herd) + 1
        for a in herd:
            if a.flags & REMAINS and self.hook["regeneration-no-draw"]:
                n -= 1
                t.emit("state", "regeneration.no-draw", a.uid, "due", 0)
            elif self.gifts and self.breeds(a) and self.hook["r-strategy-no-draw"]:
                n -= 1
                t.emit("state", "r-strategy.no-draw", a.uid, "due", 0)
        return n

    def draw_top(self, t: Table, card: int) -> None:
        """The card leaves the deck."""
        if t.top:
            t.top = t.top[1:]
        else:
            i = t.deck.index(card)
            t.deck = t.deck[:i] + t.deck[i + 1 :]

    def drawn(self, t: Table, card: int) -> None:
        """A card goes to the hand of the player who was due; then the next one is."""
        _, due, seat = t.stack[-1]
        self.draw_top(t, card)
        t.set_hand(seat, bytes(sorted(t.hands[seat] + bytes((card,)))))
        t.emit("card", "extinction.deal-one-by-one", card, ("deck",), ("hand", seat))
        due = due[:seat] + bytes((due[seat] - 1,)) + due[seat + 1 :]
        if not any(due) or self.is_last(t):
            t.pop()
            self.dealt(t)
            return
        step = 1 if self.hook["deal-one-by-one"] else 0
        for k in range(len(due)):
            other = (seat + step + k) % len(due)
            if due[other]:
                t.stack = (*t.stack[:-1], (DEAL, due, other))
                return

    def dealt(self, t: Table) -> None:
        """The cards are dealt: who began anew puts two animals on the table, then the turn ends."""
        while t.stack and t.stack[-1][0] == FOUND and not t.hands[t.stack[-1][1]]:
            t.pop()
        if not t.stack or t.stack[-1][0] != FOUND:
            self.finish_turn(t)

    def do_found(self, t: Table, card: int, loc: int) -> None:
        """A card becomes an animal of a player who begins anew (C12)."""
        _, seat, n = t.pop()
        i = t.hands[seat].index(card)
        t.set_hand(seat, t.hands[seat][:i] + t.hands[seat][i + 1 :])
        uid = seat << 8 | t.numbers[seat]
        t.add_animal(self.new_animal(uid, card, loc))
        t.emit("card", "continents.found", card, ("hand", seat), ("animal", uid))
        t.emit("born", "continents.found", uid)
        if n > 1:
            t.push((FOUND, seat, n - 1))
        self.dealt(t)

    def after_restoring(self, t: Table) -> None:
        """The next remains, else cards are dealt, or the game is over."""
        self.restore_next(t)
        if not t.stack:
            self.game_over(t)
        elif t.stack[-1][0] == DEAL and self.is_last(t):
            t.pop()
            self.dealt(t)

    def do_restore(self, t: Table, uid: int, card: int) -> None:
        """A card of the hand becomes the new body of remains (S0)."""
        seat = uid >> 8
        i = t.hands[seat].index(card)
        t.set_hand(seat, t.hands[seat][:i] + t.hands[seat][i + 1 :])
        self.restored(t, uid, card, ("hand", seat))
        self.after_restoring(t)

    def finish_turn(self, t: Table) -> None:
        """Tokens leave, fat stays, sleepers rest, the first player moves on (R14); young of r-Strategy come (S0)."""
        young = t.stack[0][1] if t.stack else ()
        t.stack = ()
        if self.travelling:
            self.unparalyse(t)
        t.herds = tuple(tuple(self._rested(t, a) for a in herd) for herd in t.herds)
        if self.hook["first-player-moves"]:
            t.first = (t.first + 1) % len(t.hands)
        t.turn += 1
        t.emit("turn", "turn.first-player-moves", t.turn, t.first)
        if young:
            t.phase, t.player, t.round, t.passed, t.acted = DEVELOPMENT, t.first, 1, 0, 0
            if self.next_young(t, young, t.first):
                return
        self.start_development(t)

    def _rested(self, t: Table, a: Animal) -> Animal:
        if t.events is not None:
            for colour, n in (("red", a.red), ("blue", a.blue)):
                if n:
                    t.transfer(a.uid, "cleared", colour, n, "extinction.tokens-leave")
        if not (a.red or a.blue or a.used or a.flags or a.more):
            return a
        flags = RESTING if a.flags & HIBERNATING and self.hook["hibernation-rests"] else 0
        keep = not self.hook["tokens-leave"]
        return a._replace(red=a.red * keep, blue=a.blue * keep, used=0, flags=flags | (a.flags & LASTING), more=())

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
