"""Reads lines of moves.  Legality is not judged here, only what cannot be said at all is refused.

A line is `PLAYER: verb arguments`; the player may be left out, the case of letters does not matter.  Shorter forms are
read where the position leaves no doubt: a trait without its card, a card that is the only one of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from evotutor.core.model import Move
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import CARD_OF_FACE, CARDS, TRAITS, UNKNOWN, card_of, face_of_trait, trait_of
from evotutor.games.evolution.move_text import pair_name, trait_places
from evotutor.games.evolution.position_pending import animal_number
from evotutor.games.evolution.position_writer import played
from evotutor.games.evolution.state import FOOD_PAIRS, POOL, Animal, State, find, name_of
from evotutor.games.evolution.vocabulary import (
    Modules,
    card_code,
    cards_with,
    fail,
    near,
    need_module,
    shown,
    side_of,
    text,
    trait_number,
)

USAGE: Final = {
    "pass": "pass", "play": "play CARD, or play CARD:TRAIT on ANIMAL [ANIMAL]", "on": "on ANIMAL [ANIMAL]",
    "and": "and ANIMAL", "take": "take ANIMAL", "attack": "attack ANIMAL ANIMAL", "target": "target ANIMAL",
    "convert": "convert ANIMAL N", "graze": "graze ANIMAL", "pirate": "pirate ANIMAL ANIMAL",
    "victim": "victim ANIMAL", "hibernate": "hibernate ANIMAL", "end": "end", "run": "run ANIMAL",
    "mimic": "mimic ANIMAL to ANIMAL", "drop": "drop ANIMAL CARD", "decline": "decline",
    "trigger": "trigger CARD [ANIMAL]", "scavenge": "scavenge ANIMAL", "roll": "roll N [N ...]", "draw": "draw CARD",
    "begin": "begin",
}  # fmt: skip
LATER_VERBS: Final[dict[str, Modules]] = {
    **dict.fromkeys(("metamorphose", "specialize", "settle", "hide", "ink"), ("time-to-fly",)),
    **dict.fromkeys(("reveal", "ignore", "ambush"), ("time-to-fly",)),
    **dict.fromkeys(("migrate", "recombine", "follow", "discard", "restore", "land", "split"), ("continents",)),
    "warm": ("gift-box",),
    **dict.fromkeys(("spore", "peek", "rage", "calm"), ("grass-and-mushrooms",)),
    "shelter": ("new-world",),
}  # fmt: skip
LATER_WORDS: Final[dict[str, Modules]] = {
    "ignoring": ("time-to-fly",), "in": ("continents",), "from": ("grass-and-mushrooms",),
}  # fmt: skip
MOST_DICE: Final = 8
_PREFIX: Final = re.compile(r"\s*([A-Ha-h])\s*:\s*(.*)", re.DOTALL)
_CARD: Final = re.compile(r"([^()#]+)(?:\(([^(),#]+),([^(),#]+)\)|#([0-9]{1,3}))?")
_SINGLE: Final = {"pass": m.PASS, "end": m.END, "decline": m.DECLINE, "begin": m.BEGIN_STEP}
_ANIMAL: Final = {
    "and": m.AND, "take": m.TAKE, "target": m.TARGET, "graze": m.GRAZE, "victim": m.VICTIM, "hibernate": m.HIBERNATE,
    "run": m.RUN, "scavenge": m.SCAVENGE,
}  # fmt: skip
_CHAIN: Final = {"attack": (m.ATTACK, m.TARGET), "pirate": (m.PIRATE, m.VICTIM), "on": (m.ON, m.AND)}


def player_of_line(line: str) -> str | None:
    """The player's letter that a line names, if it names one.

    >>> player_of_line("b: take b1"), player_of_line("roll 3")
    ('B', None)
    """
    match = _PREFIX.fullmatch(line) if isinstance(line, str) else None
    return match[1].upper() if match else None


def parse_line(state: State, line: str, game: Any) -> list[Move]:
    """The moves of a line: one, or the parts of a chain.  NotationError where it cannot be read."""
    return LineReader(state, line, game).read()


class LineReader:
    """Reads one line in its position."""

    def __init__(self, state: State, line: str, game: Any) -> None:
        self.state, self.modules = state, tuple(game.modules)
        self.line = text(line, (), "a move")
        letter = player_of_line(self.line)
        seat = game.decision(state).player if letter is None else ord(letter) - 65
        if letter is not None and seat >= len(state.hands):
            fail(f"no player {letter}", hint=f"A to {chr(64 + len(state.hands))}")
        self.seat: int = state.player if seat is None else seat
        match = _PREFIX.fullmatch(self.line)
        said = (match[2] if match else self.line).lower()
        self.words = re.sub(r"\s*([(,:#])\s*|\s+(?=\))", lambda found: found[1] or "", said).split()

    def read(self) -> list[Move]:
        """The moves of the line."""
        if not self.words:
            fail("an empty move", hint="PLAYER: verb arguments")
        self.verb, *self.rest = self.words
        if self.verb in LATER_VERBS and self.verb not in USAGE:
            need_module(self.verb, LATER_VERBS[self.verb], ())
        if self.verb not in USAGE:
            fail(f"unknown verb {shown(self.verb)}", hint=near(self.verb, USAGE))
        for word in self.rest:
            if word in LATER_WORDS:
                need_module(word, LATER_WORDS[word], ())
        if self.verb in _SINGLE:
            self._count(0)
            return [(_SINGLE[self.verb],)]
        if self.verb in _ANIMAL:
            self._count(1)
            return [(_ANIMAL[self.verb], self._animal(self.rest[0]))]
        if self.verb in _CHAIN:
            self._count(1, 2)
            return [(verb, self._animal(word)) for verb, word in zip(_CHAIN[self.verb], self.rest, strict=False)]
        return self._special()()

    def _special(self) -> Callable[[], list[Move]]:
        return {
            "play": self._play, "convert": self._convert, "mimic": self._mimic, "drop": self._drop,
            "trigger": self._trigger, "roll": self._roll, "draw": self._draw,
        }[self.verb]  # fmt: skip

    def _count(self, least: int, most: int | None = None) -> None:
        if not least <= len(self.rest) <= (least if most is None else most):
            fail(f"cannot read {shown(self.line)}", hint=USAGE[self.verb])

    def _animal(self, word: str) -> int:
        return animal_number(self.state, word)

    # development

    def _play(self) -> list[Move]:
        self._count(1, 6)
        name, *rest = self.rest
        if "on" in rest:
            at = rest.index("on")
            ends = [self._animal(word) for word in rest[at + 1 :] if word != "and"]
            if at or not 1 <= len(ends) <= 2:
                fail(f"cannot read {shown(self.line)}", hint=USAGE["play"])
            return self._trait_on(self._trait_card(name), ends)
        if ":" in name:
            self._count(1)
            return [self._trait_card(name)]
        return [self._animal_card(name, [word for i, word in enumerate(rest) if i or word != "animal"])]

    def _animal_card(self, name: str, rest: list[str]) -> Move:
        if rest and (len(rest) != 2 or rest[0] != "as"):
            fail(f"cannot read {shown(self.line)}", hint="play CARD [as NAME]")
        if name in trait_of and name not in card_of:
            cards = ", ".join(CARDS[card].name for card in cards_with(trait_of[name].index, self.modules))
            if cards:
                fail(f"{name} is a trait, not a card", hint=f"play {name} on ANIMAL; as an animal one of: {cards}")
        card = card_code(name, (), self.modules)
        new = name_of(self.seat << 8 | self.state.numbers[self.seat])
        if rest and rest[1] != new:
            fail(f"the new animal cannot be {shown(rest[1])}", hint=f"its name is {new}")
        return m.PLAY_ANIMAL, card

    def _trait_on(self, play: Move, ends: list[int]) -> list[Move]:
        trait = TRAITS[play[2] if play[1] == UNKNOWN else CARDS[play[1]].traits[play[2]]]
        if len(ends) == 2 and not trait.pair:
            fail(f"{trait.id} goes on one animal", hint=f"play {played(play[1], play[2])} on {name_of(ends[0])}")
        return [play, *zip((m.ON, m.AND), ends, strict=False)]

    def _trait_card(self, name: str) -> Move:
        card_name, colon, trait_name = name.partition(":")
        if not colon:
            return self._trait_alone(name)
        card, trait = card_code(card_name, (), self.modules), trait_number(trait_name, (), self.modules)
        return (m.PLAY_TRAIT, card, trait if card == UNKNOWN else side_of(card, trait, ()))

    def _trait_alone(self, name: str) -> Move:
        """A trait without its card: the hand decides which card it is."""
        if "/" in name:
            card = card_code(name, (), self.modules)
            sides = [played(card, side) for side in range(len(CARDS[card].traits))]
            fail(f"which trait of {CARDS[card].name}?", hint=f"one of: {', '.join(sides)}")
        trait = trait_number(name, (), self.modules)
        hand = self.state.hands[self.seat]
        cards = [card for card in sorted(set(hand)) if card != UNKNOWN and trait in CARDS[card].traits]
        exact = [card for card in cards if CARDS[card].name == name]
        if len(cards) > 1 and not exact:
            choices = ", ".join(played(card, CARDS[card].traits.index(trait)) for card in cards)
            fail(f"several cards of the hand carry {name}", hint=f"one of: {choices}")
        card = (exact or cards or [UNKNOWN if UNKNOWN in hand else CARD_OF_FACE[face_of_trait(trait)]])[0]
        return (m.PLAY_TRAIT, card, trait if card == UNKNOWN else CARDS[card].traits.index(trait))

    # feeding and answers

    def _convert(self) -> list[Move]:
        self._count(2)
        if not re.fullmatch(r"[0-9]{1,3}", self.rest[1]):
            fail(f"{shown(self.rest[1])} is not a number of tokens", hint=USAGE["convert"])
        return [(m.CONVERT, self._animal(self.rest[0]), int(self.rest[1]))]

    def _mimic(self) -> list[Move]:
        self.rest = [word for i, word in enumerate(self.rest) if i != 1 or word != "to"]
        self._count(2)
        return [(m.MIMIC, self._animal(self.rest[0]), self._animal(self.rest[1]))]

    def _drop(self) -> list[Move]:
        self._count(2)
        uid = self._animal(self.rest[0])
        animal = find(self.state, uid)
        assert animal is not None
        trait, ends, copy = self._card(self.rest[1])
        if TRAITS[trait].pair:
            links = [x for x in self._links(trait, ends) if uid in x]
            if len(links) != 1:
                self._doubt(f"{name_of(uid)} has", links, trait)
            return [(m.DROP, uid, -1, trait, *links[0])]
        if ends:
            fail(f"{TRAITS[trait].id} does not lie between animals")
        return [(m.DROP, uid, self._place(animal, trait, copy))]

    def _card(self, word: str) -> tuple[int, tuple[int, int] | None, int]:
        """A card on the table: its trait, its ends if they are given, its number if that is given."""
        match = _CARD.fullmatch(word)
        if match is None:
            fail(f"cannot read the card {shown(word)}", hint="fat-tissue#2, cooperation(a1,a3)")
        trait = trait_number(match[1], (), self.modules)
        if TRAITS[trait].pair and match[4]:
            fail("a pair card is named by its ends", hint=f"{match[1]}(a1,a2)")
        ends = (self._animal(match[2]), self._animal(match[3])) if match[2] else None
        return trait, ends, int(match[4]) if match[4] else 0

    def _links(self, trait: int, ends: tuple[int, int] | None) -> list[tuple[int, int]]:
        """The pair cards of a trait, all of them or those between two animals."""
        pairs = [link[1:3] for link in self.state.links.links if link[0] == trait]
        return [pair for pair in pairs if ends is None or sorted(pair) == sorted(ends)]

    def _doubt(self, whose: str, links: list[tuple[int, int]], trait: int) -> None:
        if links:
            names = ", ".join(pair_name(trait, *pair) for pair in links[:8])
            fail(f"{whose} several of these cards", hint=f"one of: {names}")
        names = ", ".join(pair_name(trait, *pair) for pair in self._links(trait, None)[:8])
        fail(f"{whose} no such {TRAITS[trait].id}", hint=names)

    def _place(self, animal: Animal, trait: int, copy: int) -> int:
        """Place of an unpaired card; copies are counted from the bottom, and need no number where they are alike."""
        name, places = TRAITS[trait].id, trait_places(animal.faces, trait)
        if not places:
            have = sorted({TRAITS[t].id for t in range(len(TRAITS)) if trait_places(animal.faces, t)})
            fail(f"{name_of(animal.uid)} has no {name}", hint=near(name, have))
        if copy > len(places):
            fail(f"{name_of(animal.uid)} has {len(places)} {name}", hint=f"{name}#1 is the lowest")
        if copy:
            return places[copy - 1]
        if len({(animal.faces[place], animal.fat >> place & 1) for place in places}) > 1:
            copies = (f"{name}#{i + 1}" + " (filled)" * (animal.fat >> p & 1) for i, p in enumerate(places))
            fail(f"the cards {name} of {name_of(animal.uid)} differ", hint=f"one of: {', '.join(copies)}")
        return places[0]

    def _trigger(self) -> list[Move]:
        self._count(1, 2)
        trait, ends, copy = self._card(self.rest[0])
        if not 1 << trait & FOOD_PAIRS or copy:
            fail(f"{TRAITS[trait].id} gives no food", hint="cooperation(a1,a2) or communication(a1,a2)")
        frame = self.state.stack[-1] if self.state.stack else ()
        armed = [entry for entry in (frame[2] if frame and frame[0] == POOL else ()) if entry[0] == trait]
        links = self._links(trait, ends)
        if ends is None:
            links = [pair for pair in links if any(entry[1:3] == pair for entry in armed)] or links
        if len(links) != 1:
            self._doubt("there are" if links else "there is", links, trait)
        return [(m.TRIGGER, trait, *links[0], self._receiver(links[0], [e[3] for e in armed if e[1:3] == links[0]]))]

    def _receiver(self, pair: tuple[int, int], armed: list[int]) -> int:
        if len(self.rest) > 1:
            uid = self._animal(self.rest[1])
            if uid not in pair:
                fail(f"{self.rest[1]} is not an end of this pair", hint=f"{name_of(pair[0])} or {name_of(pair[1])}")
            return uid
        if len(armed) > 1:
            fail("which of the two animals gets the token?", hint=f"{' '.join(self.words)} {name_of(armed[0])}")
        return armed[0] if armed else pair[1]

    # chance

    def _roll(self) -> list[Move]:
        self._count(1, MOST_DICE)
        for word in self.rest:
            if word in ("laurasia", "gondwana", "ocean"):
                need_module(word, ("continents",), ())
            if not re.fullmatch("[1-6]", word):
                fail(f"{shown(word)} is on no die", hint=USAGE["roll"])
        return [(m.ROLL, *sorted(map(int, self.rest)))]

    def _draw(self) -> list[Move]:
        self._count(1)
        return [(m.DRAW, card_code(self.rest[0], (), self.modules))]
