"""Reads the pending decisions of a position (`docs/state.md`), innermost last.

Only stacks that the engine can build are accepted: each frame names its phase and what it may lie on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from evotutor.games.evolution.catalog import CARDS, TRAITS, UNKNOWN, bit, card_name
from evotutor.games.evolution.state import (
    ATTACK,
    BEGIN,
    DEAL,
    DEVELOPMENT,
    EXTINCTION,
    FEEDING,
    FOOD_PAIRS,
    KILLED,
    OVER,
    PARTNER,
    PHASES,
    PLACE,
    POOL,
    RUN,
    SCAVENGE,
    TARGET,
    VICTIM,
    Frame,
    State,
    find,
)
from evotutor.games.evolution.vocabulary import (
    MOST_TRAITS,
    Modules,
    Path,
    card_code,
    cards_with,
    fail,
    mapping,
    near,
    need_module,
    number,
    sequence,
    shown,
    side_of,
    text,
    trait_number,
)

WORDS: Final = {
    "place": PLACE, "partner": PARTNER, "target": TARGET, "victim": VICTIM, "attack": ATTACK, "roll": RUN,
    "pairs": POOL, "scavenge": SCAVENGE, "deal": DEAL, "killed": KILLED,
}  # fmt: skip
BESIDES: Final = {"partner": ("animal",), "attack": ("tried",), "pairs": ("armed",), "deal": ("to",)}
PHASE_OF: Final = {PLACE: DEVELOPMENT, PARTNER: DEVELOPMENT, DEAL: EXTINCTION}
LIES_ON: Final[dict[int, tuple[int | None, ...]]] = {RUN: (ATTACK,), POOL: (None, KILLED), VICTIM: (None, POOL)}
LATER: Final[dict[str, Modules]] = {
    "ambush": ("time-to-fly",), "ignore": ("time-to-fly",), "reveal": ("time-to-fly",), "follow": ("continents",),
    "land": ("continents",), "split": ("continents",), "swap": ("continents",), "restore": ("continents",),
    "spore": ("grass-and-mushrooms",), "peek": ("grass-and-mushrooms",), "rage": ("grass-and-mushrooms",),
    "calm": ("grass-and-mushrooms",),
}  # fmt: skip
TRIED: Final = ("running",)
"""Answers that an attack remembers."""


class PendingReader:
    """Reads the stack of a state whose table is complete."""

    def __init__(self, state: State, modules: Modules) -> None:
        self.state, self.modules = state, modules

    def read(self, value: object) -> tuple[Frame, ...]:
        """The stack; every frame in its phase and on a frame that it belongs on."""
        stack: list[Frame] = []
        entries = sequence(value, ("pending",), "pending", 8)
        for i, entry in enumerate(entries):
            path: Path = ("pending", i)
            frame = self._frame(mapping(entry, path, "a pending decision"), path)
            below = stack[-1] if stack else None
            self._check_place(frame, below, path)
            stack.append(frame)
        if stack and stack[-1][0] == KILLED:
            fail("after a kill a pair must be pending, else nothing is asked", ("pending", len(stack) - 1))
        return tuple(stack)

    def _frame(self, entry: Mapping[str, Any], path: Path) -> Frame:
        words = [word for word in entry if word in WORDS]
        for key in entry:
            if key in LATER and not words:
                need_module(key, LATER[key], (*path, key))
        if len(words) != 1:
            message = "two pending decisions in one entry" if words else "no pending decision is named"
            fail(message, path, hint=near(next(iter(entry), ""), WORDS))
        word = words[0]
        for key in entry:
            if key != word and key not in BESIDES.get(word, ()):
                fail(f"unknown word {shown(key)}", (*path, key), hint=near(key, (word, *BESIDES.get(word, ()))))
        for key in BESIDES.get(word, ()):
            if key not in entry and key != "tried":
                fail(f"{word} needs {key}", path)
        read = {
            PLACE: self._place, PARTNER: self._partner, TARGET: self._acting, VICTIM: self._acting,
            ATTACK: self._attack, RUN: self._roll, POOL: self._pairs, SCAVENGE: self._of_seat,
            KILLED: self._of_seat, DEAL: self._deal,
        }[WORDS[word]]  # fmt: skip
        return read(word, entry, path)

    def _check_place(self, frame: Frame, below: Frame | None, path: Path) -> None:
        kind, phase = frame[0], PHASE_OF.get(frame[0], FEEDING)
        if self.state.phase != phase:
            message = f"this is not asked in the phase {PHASES[self.state.phase]}"
            fail(message, path, rule="phase.wrong", hint=f"phase: {PHASES[phase]}")
        if (below[0] if below else None) not in LIES_ON.get(kind, (None,)):
            fail("this decision cannot follow the one before it", path)
        if kind == RUN and not (below and below[3] & bit["running"]):
            fail("a runner whose die is rolled has tried it", path, hint="tried: [running] in the attack")

    # names

    def _animal(self, value: object, path: Path, mine: bool = False) -> int:
        name = text(value, path, "an animal").lower()
        uid = animal_number(self.state, name, path)
        if mine and uid >> 8 != self.state.player:
            fail(f"{name} is not an animal of the player to move", path, rule="feeding.own-animal")
        return uid

    def _seat(self, value: object, path: Path) -> int:
        return seat_number(value, path, len(self.state.hands))

    # frames

    def _card(self, value: object, path: Path) -> tuple[int, int]:
        word = text(value, path, "a card")
        name, colon, trait_name = word.partition(":")
        if not colon:
            trait = trait_number(word, path, self.modules)
            cards = cards_with(trait, self.modules)
            if len(cards) != 1:
                fail(f"several cards carry {TRAITS[trait].id}", path, hint=_choices(trait, cards))
            card = cards[0]
        else:
            trait = trait_number(trait_name.strip(), path, self.modules)
            card = card_code(name.strip(), path, self.modules)
        if card == UNKNOWN:
            fail("the card that is placed must be known", path, hint=_choices(trait, cards_with(trait, self.modules)))
        if card not in self.state.hands[self.state.player]:
            fail(f"{card_name(card)} is not in the hand of the player to move", path, rule="development.card-in-hand")
        return card, side_of(card, trait, path)

    def _place(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        return (PLACE, *self._card(entry[word], (*path, word)))

    def _partner(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        card, side = self._card(entry[word], (*path, word))
        if not TRAITS[CARDS[card].traits[side]].pair:
            fail(f"{TRAITS[CARDS[card].traits[side]].id} is not a pair trait", (*path, word))
        uid = self._animal(entry["animal"], (*path, "animal"))
        if TRAITS[CARDS[card].traits[side]].place == "pair" and uid >> 8 != self.state.player:
            fail("the animal belongs to another player", (*path, "animal"), rule="development.own-animals-only")
        return PARTNER, card, side, uid

    def _acting(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        path = (*path, word)
        uid = self._animal(entry[word], path, mine=True)
        self._needs(uid, "carnivorous" if word == "target" else "piracy", path)
        return WORDS[word], uid

    def _needs(self, uid: int, trait: str, path: Path) -> None:
        animal = find(self.state, uid)
        if animal is None or not animal.mask & bit[trait]:
            fail(f"the animal has no {trait}", path, rule=f"{trait}.needed")

    def _attack(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        where = (*path, word)
        names = sequence(entry[word], where, "an attack", 2)
        if len(names) != 2:
            fail("an attack names the hunter and its prey", where, hint="attack: [a1, b1]")
        hunter, prey = self._animal(names[0], (*where, 0), mine=True), self._animal(names[1], (*where, 1))
        self._needs(hunter, "carnivorous", (*where, 0))
        if hunter == prey:
            fail("an animal cannot attack itself", where, rule="carnivorous.not-itself")
        tried, where = 0, (*path, "tried")
        for i, value in enumerate(sequence(entry.get("tried", ()), where, "tried", len(TRIED))):
            name = text(value, (*where, i), "a trait").lower()
            if name not in TRIED:
                fail(f"{shown(name)} is no answer that is remembered", (*where, i), hint=near(name, TRIED))
            tried |= bit[name]
        return ATTACK, hunter, prey, tried

    def _roll(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        if text(entry[word], (*path, word), "running").lower() != "running":
            fail("only a runner's die is rolled here", (*path, word), hint="roll: running")
        return (RUN,)

    def _of_seat(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        return WORDS[word], self._seat(entry[word], (*path, word))

    def _pairs(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        seat, where = self._seat(entry[word], (*path, word)), (*path, "armed")
        armed = set()
        for i, value in enumerate(sequence(entry["armed"], where, "armed", MOST_TRAITS)):
            found = self._armed(mapping(value, (*where, i), "an armed pair"), (*where, i))
            if found[3] >> 8 != seat:
                fail("this pair belongs to another player", (*where, i))
            if found in armed:
                fail("this pair is named twice", (*where, i))
            armed.add(found)
        if not armed:
            fail("no pair is armed", where)
        return POOL, seat, tuple(sorted(armed))

    def _armed(self, entry: Mapping[str, Any], path: Path) -> tuple[int, int, int, int]:
        kinds = [key for key in entry if key != "to"]
        if len(kinds) != 1 or "to" not in entry:
            message = "an armed pair is one trait with its two ends and who gets the token"
            fail(message, path, hint="{cooperation: [a1, a2], to: a2}")
        where = (*path, kinds[0])
        trait = trait_number(kinds[0], where, self.modules)
        if not 1 << trait & FOOD_PAIRS:
            fail(f"{TRAITS[trait].id} gives no food", where, hint="cooperation or communication")
        names = sequence(entry[kinds[0]], where, "a pair", 2)
        ends = [self._animal(value, (*where, i)) for i, value in enumerate(names)]
        to = self._animal(entry["to"], (*path, "to"))
        key = (trait, min(ends, default=0), max(ends, default=0))
        if not any(link[:3] == key for link in self.state.links.links):
            fail(f"there is no such {TRAITS[trait].id}", where)
        if to not in ends:
            fail("the receiver is not an end of the pair", (*path, "to"))
        return (*key, to)

    def _deal(self, word: str, entry: Mapping[str, Any], path: Path) -> Frame:
        where, counts = (*path, word), [0] * len(self.state.hands)
        for key, value in mapping(entry[word], where, "deal").items():
            counts[self._seat(key, (*where, key))] = number(value, (*where, key), 0, 255)
        seat = self._seat(entry["to"], (*path, "to"))
        if not counts[seat]:
            fail("this player is due no card", (*path, "to"))
        if not self.state.deck and not self.state.top:
            fail("no cards are dealt from an empty deck: the game is over", path, rule="turn.last")
        return DEAL, bytes(counts), seat


def _choices(trait: int, cards: list[int]) -> str:
    return "one of: " + ", ".join(f"{CARDS[card].name}:{TRAITS[trait].id}" for card in cards)


def seat_number(value: object, path: Path, players: int) -> int:
    """Seat of a player's letter."""
    letters = [chr(65 + i) for i in range(players)]
    word = text(value, path, "a player").upper()
    if word not in letters:
        fail(f"no player {shown(value)}", path, hint=f"one of: {', '.join(letters)}")
    return letters.index(word)


def animal_number(state: State, name: str, path: Path = ()) -> int:
    """Number of an animal on the table by its name."""
    names = {f"{chr(97 + seat)}{a.uid & 255}": a.uid for seat, herd in enumerate(state.herds) for a in herd}
    found = names.get(name.lower())
    if found is None:
        fail(f"no animal {shown(name)} on the table", path, hint=near(name, names))
    return found


def begin(phase: int) -> tuple[Frame, ...]:
    """The stack of ``at: start``."""
    if phase == OVER:
        fail("the game is over, nothing starts", ("at",), rule="phase.wrong")
    return ((BEGIN,),)
