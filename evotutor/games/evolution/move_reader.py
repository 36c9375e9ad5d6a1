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
from evotutor.games.evolution.locations import FOOD, LOCATIONS
from evotutor.games.evolution.move_text import pair_name
from evotutor.games.evolution.position_animals import card_place
from evotutor.games.evolution.position_pending import animal_number, seat_number
from evotutor.games.evolution.position_writer import played
from evotutor.games.evolution.state import FOOD_PAIRS, POOL, RUN, Animal, State, find, name_of
from evotutor.games.evolution.vocabulary import (
    Modules,
    card_code,
    cards_with,
    fail,
    location_number,
    near,
    need_locations,
    need_module,
    scope_of,
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
    "metamorphose": "metamorphose ANIMAL CARD", "specialize": "specialize ANIMAL", "settle": "settle ANIMAL",
    "hide": "hide ANIMAL", "ink": "ink ANIMAL", "reveal": "reveal ANIMAL [ignoring TRAIT]",
    "ignore": "ignore TRAIT, or ignore none", "ambush": "ambush ANIMAL [ignoring TRAIT]",
    "migrate": "migrate ANIMAL to LOCATION", "done": "done", "follow": "follow ANIMAL after ANIMAL",
    "land": "land ANIMAL in LOCATION", "fetch": "fetch ANIMAL from PLAYER",
    "recombine": "recombine ANIMAL CARD ANIMAL CARD", "split": "split ANIMAL CARD",
    "restore": "restore ANIMAL with CARD", "warm": "warm ANIMAL",
}  # fmt: skip
LATER_VERBS: Final[dict[str, Modules]] = {
    **dict.fromkeys(("metamorphose", "specialize", "settle", "hide", "ink"), ("time-to-fly",)),
    **dict.fromkeys(("reveal", "ignore", "ambush"), ("time-to-fly",)),
    **dict.fromkeys(("migrate", "recombine", "follow", "restore", "land", "split"), ("continents",)),
    **dict.fromkeys(("done", "fetch"), ("continents",)),
    "warm": ("gift-box",),
    **dict.fromkeys(("spore", "peek", "rage", "calm"), ("grass-and-mushrooms",)),
    "shelter": ("new-world",),
}  # fmt: skip
BY_LOCATION: Final = ("migrate", "done", "follow", "land", "fetch", "in")
"""Verbs and words that need locations."""
LATER_WORDS: Final[dict[str, Modules]] = {
    "ignoring": ("time-to-fly",), "in": ("continents",), "from": ("grass-and-mushrooms",),
}  # fmt: skip
MOST_DICE: Final = 8
IGNORING: Final = ("attack", "target", "mimic", "ambush", "reveal")
"""Verbs behind which a line may say what Intellect ignores."""
_PREFIX: Final = re.compile(r"\s*([A-Ha-h])\s*:\s*(.*)", re.DOTALL)
_CARD: Final = re.compile(r"([^()#]+)(?:\(([^(),#]+),([^(),#]+)\)|#([0-9]{1,3}))?")
_SINGLE: Final = {"pass": m.PASS, "end": m.END, "decline": m.DECLINE, "begin": m.BEGIN_STEP, "done": m.DONE}
_ANIMAL: Final = {
    "and": m.AND, "take": m.TAKE, "target": m.TARGET, "graze": m.GRAZE, "victim": m.VICTIM, "hibernate": m.HIBERNATE,
    "run": m.RUN, "scavenge": m.SCAVENGE, "ambush": m.AMBUSH, "hide": m.HIDE, "ink": m.INK, "reveal": m.REVEAL,
    "specialize": m.SPECIALIZE, "settle": m.SETTLE, "warm": m.WARM,
}  # fmt: skip
_ON_CARD: Final = {"drop": m.DROP, "metamorphose": m.METAMORPHOSE}
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
        self.state, self.scope = state, scope_of(game)
        self.modules: Modules = self.scope.modules
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
        self._check_words()
        ignored = self._ignoring()
        return [*self._moves(), *ignored]

    def _check_words(self) -> None:
        """Refuse verbs that nobody knows, and words of modules that are not played."""
        if self.verb in LATER_VERBS and not self.scope.has(LATER_VERBS[self.verb]):
            need_module(self.verb, LATER_VERBS[self.verb], ())
        if self.verb not in USAGE:
            fail(f"unknown verb {shown(self.verb)}", hint=near(self.verb, filter(self._known, USAGE)))
        if self.verb in BY_LOCATION:
            need_locations(self.verb, self.scope, ())
        for word in self.rest:
            if word in LATER_WORDS and not self.scope.has(LATER_WORDS[word]) and (self.verb, word) != ("fetch", "from"):
                need_module(word, LATER_WORDS[word], ())
            if word in BY_LOCATION and self.verb == "play":
                need_locations(word, self.scope, ())

    def _known(self, verb: str) -> bool:
        """Is this a verb of the game?"""
        by_location = verb in BY_LOCATION and not self.scope.locations
        return not by_location and self.scope.has(LATER_VERBS.get(verb, ("base",)))

    def _ignoring(self) -> list[Move]:
        """Take off the end of the line what Intellect ignores."""
        if "ignoring" not in self.rest:
            return []
        at = self.rest.index("ignoring")
        if self.verb not in IGNORING or at != len(self.rest) - 2:
            fail(f"cannot read {shown(self.line)}", hint="attack ANIMAL ANIMAL ignoring TRAIT")
        word = self.rest[-1]
        self.rest = self.rest[:at]
        return [(m.IGNORE, self._ignored(word))]

    def _ignored(self, word: str) -> int:
        return -1 if word == "none" else trait_number(word, (), self.modules)

    def _moves(self) -> list[Move]:
        if self.verb in _SINGLE:
            self._count(0)
            return [(_SINGLE[self.verb],)]
        if self.verb in _ANIMAL:
            self._count(1)
            return [(_ANIMAL[self.verb], self._animal(self.rest[0]))]
        if self.verb in _CHAIN:
            self._count(1, 2)
            return [(verb, self._animal(word)) for verb, word in zip(_CHAIN[self.verb], self.rest, strict=False)]
        if self.verb in _ON_CARD:
            return self._on_card(_ON_CARD[self.verb])
        return self._special()()

    def _special(self) -> Callable[[], list[Move]]:
        return {
            "play": self._play, "convert": self._convert, "mimic": self._mimic,
            "trigger": self._trigger, "roll": self._roll, "draw": self._draw, "ignore": self._ignore,
            "migrate": self._migrate, "land": self._land, "follow": self._follow, "fetch": self._fetch,
            "recombine": self._recombine, "split": self._split, "restore": self._restore,
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
        places = [i for i, word in enumerate(rest[:-1]) if word == "in"]
        where = [location_number(rest[i + 1], (), self.scope) for i in places[:1]]
        rest = [word for i, word in enumerate(rest) if i not in range(places[0], places[0] + 2)] if places else rest
        if rest and (len(rest) != 2 or rest[0] != "as"):
            hint = "play CARD in LOCATION [as NAME]" if self.scope.locations else "play CARD [as NAME]"
            fail(f"cannot read {shown(self.line)}", hint=hint)
        if name in trait_of and name not in card_of:
            cards = ", ".join(CARDS[card].name for card in cards_with(trait_of[name].index, self.modules))
            if cards:
                fail(f"{name} is a trait, not a card", hint=f"play {name} on ANIMAL; as an animal one of: {cards}")
        card = card_code(name, (), self.modules)
        new = name_of(self.seat << 8 | self.state.numbers[self.seat])
        if rest and rest[1] != new:
            fail(f"the new animal cannot be {shown(rest[1])}", hint=f"its name is {new}")
        if self.scope.locations and not where:
            fail("where does the new animal live?", hint=f"play {name} in laurasia, or in gondwana")
        return m.PLAY_ANIMAL, card, *where

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

    def _on_card(self, verb: int) -> list[Move]:
        self._count(2)
        uid = self._animal(self.rest[0])
        animal = find(self.state, uid)
        assert animal is not None
        trait, ends, copy = self._card(self.rest[1])
        if TRAITS[trait].pair:
            links = [x for x in self._links(trait, ends) if uid in x]
            if len(links) != 1:
                self._doubt(f"{name_of(uid)} has", links, trait)
            return [(verb, uid, -1, trait, *links[0])]
        return [(verb, uid, self._unpaired(animal, trait, ends, copy))]

    def _unpaired(self, animal: Animal, trait: int, ends: object, copy: int) -> int:
        if ends:
            fail(f"{TRAITS[trait].id} does not lie between animals")
        return card_place(animal, trait, copy)

    def _face(self, name: str, card: str) -> tuple[int, int]:
        """An animal and the place of one of its unpaired cards."""
        animal = find(self.state, self._animal(name))
        assert animal is not None
        trait, ends, copy = self._card(card)
        if TRAITS[trait].pair:
            fail(f"{TRAITS[trait].id} is a pair trait, an unpaired one is asked for", hint=USAGE[self.verb])
        return animal.uid, self._unpaired(animal, trait, ends, copy)

    # Time to Fly and Continents

    def _ignore(self) -> list[Move]:
        self._count(1)
        return [(m.IGNORE, self._ignored(self.rest[0]))]

    def _between(self, word: str) -> None:
        """The rest is two words, with this one between them or not."""
        self.rest = [w for i, w in enumerate(self.rest) if i != 1 or w != word]
        self._count(2)

    def _migrate(self) -> list[Move]:
        self._between("to")
        return [(m.MIGRATE, self._animal(self.rest[0]), location_number(self.rest[1], (), self.scope))]

    def _land(self) -> list[Move]:
        self._between("in")
        return [(m.LAND, self._animal(self.rest[0]), location_number(self.rest[1], (), self.scope))]

    def _follow(self) -> list[Move]:
        self._between("after")
        return [(m.FOLLOW, self._animal(self.rest[0]), self._animal(self.rest[1]))]

    def _fetch(self) -> list[Move]:
        self._between("from")
        return [(m.FETCH, self._animal(self.rest[0]), seat_number(self.rest[1], (), len(self.state.hands)))]

    def _recombine(self) -> list[Move]:
        self._count(2, 4)
        if len(self.rest) == 2:
            return [(m.RECOMBINE, *self._face(*self.rest))]
        self._count(4)
        first, second = sorted((self._face(*self.rest[:2]), self._face(*self.rest[2:])))
        return [(m.RECOMBINE, *first), (m.SPLIT, *second)]

    def _split(self) -> list[Move]:
        self._count(2)
        return [(m.SPLIT, *self._face(*self.rest))]

    def _restore(self) -> list[Move]:
        self._between("with")
        return [(m.RESTORE, self._animal(self.rest[0]), card_code(self.rest[1], (), self.modules))]

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
        if self.scope.locations and not (self.state.stack and self.state.stack[-1][0] == RUN):
            return [(m.ROLL, *self._food_dice())]
        for word in self.rest:
            if word in LOCATIONS:
                need_locations(word, self.scope, ())
                fail("only the dice for food belong to locations", hint=USAGE["roll"])
            if not re.fullmatch("[1-6]", word):
                fail(f"{shown(word)} is on no die", hint=USAGE["roll"])
        return [(m.ROLL, *sorted(map(int, self.rest)))]

    def _food_dice(self) -> list[int]:
        """The dice of each continent, sorted, Laurasia's first."""
        dice: dict[str, list[int]] = {"laurasia": [], "gondwana": []}
        wanted = {word: n for word, (n, _) in zip(dice, FOOD[len(self.state.hands)][:2], strict=True)}
        hint = "roll " + " ".join(f"{word} {' '.join('N' * n)}" for word, n in wanted.items())
        place = ""
        for word in self.rest:
            if word in dice:
                place = word
            elif not place or not re.fullmatch("[1-6]", word):
                fail(f"{shown(word)} is on no die" if place else "each continent has dice of its own", hint=hint)
            else:
                dice[place].append(int(word))
        if any(len(dice[word]) != n for word, n in wanted.items()):
            fail("another number of dice is rolled", hint=hint)
        return sorted(dice["laurasia"]) + sorted(dice["gondwana"])

    def _draw(self) -> list[Move]:
        self._count(1)
        return [(m.DRAW, card_code(self.rest[0], (), self.modules))]
