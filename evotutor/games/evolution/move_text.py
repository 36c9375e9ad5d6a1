"""Moves as text and back.  Reading never judges legality: an illegal but well-formed line is a move too."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from evotutor.core.model import Move, NotationError
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import CARDS, TRAIT_OF_FACE, TRAITS, UNKNOWN, card_name, card_of, trait_of
from evotutor.games.evolution.state import PLACE, Animal, State, find, name_of

if TYPE_CHECKING:
    from evotutor.games.evolution.game import EvolutionGame

SIMPLE: Final = {
    m.ON: "on", m.AND: "and", m.TAKE: "take", m.ATTACK: "attack", m.TARGET: "target", m.GRAZE: "graze",
    m.PIRATE: "pirate", m.VICTIM: "victim", m.HIBERNATE: "hibernate", m.RUN: "run", m.SCAVENGE: "scavenge",
}  # fmt: skip
"""Verbs with one animal."""
BARE: Final = {m.PASS: "pass", m.END: "end", m.DECLINE: "decline", m.BEGIN_STEP: "begin"}
VERBS: Final = (*SIMPLE.values(), *BARE.values(), "play", "convert", "mimic", "drop", "trigger", "roll", "draw")
MAX_LINE: Final = 200
_PLAYER = re.compile(r"^\s*([A-Za-z])\s*:\s*(.*)$", re.S)
_ANIMAL = re.compile(r"^([a-z])(\d{1,3})$")
_PAIR = re.compile(r"^([a-z-]+)\(\s*([a-z]\d+)\s*,\s*([a-z]\d+)\s*\)$")


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint "did you mean ...?" with the nearest known word, or an empty string."""
    near = get_close_matches(word, list(known), 1, 0.5)
    return f"did you mean {near[0]!r}?" if near else ""


# printing


def pair_name(trait: int, u: int, v: int) -> str:
    """A pair card by both ends: ``cooperation(a1,a3)``."""
    return f"{TRAITS[trait].id}({name_of(u)},{name_of(v)})"


def _dropped(a: Animal | None, move: Move) -> str:
    if move[2] < 0:
        return pair_name(move[3], move[4], move[5])
    if a is None or move[2] >= len(a.faces):
        return f"#{move[2] + 1}"
    traits = [TRAIT_OF_FACE[f] for f in a.faces]
    trait = traits[move[2]]
    number = f"#{traits[: move[2] + 1].count(trait)}" if traits.count(trait) > 1 else ""
    return TRAITS[trait].id + number


def _played(move: Move) -> str:
    trait = move[2] if move[1] == UNKNOWN else CARDS[move[1]].traits[move[2]]
    return f"{card_name(move[1])}:{TRAITS[trait].id}"


def body(state: State, move: Move) -> str:
    """The move without the player."""
    verb = move[0]
    if verb in SIMPLE:
        return f"{SIMPLE[verb]} {name_of(move[1])}"
    if verb in BARE:
        return BARE[verb]
    if verb == m.PLAY_ANIMAL:
        return f"play {card_name(move[1])}"
    if verb == m.PLAY_TRAIT:
        return f"play {_played(move)}"
    if verb == m.CONVERT:
        return f"convert {name_of(move[1])} {move[2]}"
    if verb == m.MIMIC:
        return f"mimic {name_of(move[1])} to {name_of(move[2])}"
    if verb == m.DROP:
        return f"drop {name_of(move[1])} {_dropped(find(state, move[1]), move)}"
    if verb == m.TRIGGER:
        return f"trigger {pair_name(move[1], move[2], move[3])} {name_of(move[4])}"
    if verb == m.ROLL:
        return "roll " + " ".join(map(str, move[1:]))
    return f"draw {card_name(move[1])}"


def show(state: State, move: Move, game: EvolutionGame) -> str:
    """The move as text, with the player who decides; chance has none."""
    player = game.decision(state).player
    text = body(state, move)
    return text if player is None else f"{chr(65 + player)}: {text}"


def join_line(text: str, part: str) -> str:
    """Append the text of a later decision of a chain: ``A: attack a1`` and ``A: target b1`` make one line."""
    word, animal = part.split(": ", 1)[-1].split(" ", 1)
    return f"{text} on {animal}" if word == "on" else f"{text} {animal}"


# reading


def player_of_line(text: str) -> str | None:
    """The player letter a line begins with, if it does."""
    match = _PLAYER.match(text)
    return match[1].upper() if match else None


def parse_line(state: State, text: str, game: EvolutionGame) -> list[Move]:
    """Parse a line into its decisions; NotationError says what cannot be read and what would be."""
    if not isinstance(text, str) or len(text) > MAX_LINE:
        raise NotationError(f"a move is a text of at most {MAX_LINE} characters")
    match = _PLAYER.match(text)
    words = (match[2] if match else text).lower().split()
    if not words:
        raise NotationError("an empty move", hint="for example 'A: take a1'")
    verb, args = words[0], words[1:]
    if verb not in VERBS:
        raise NotationError(f"no move begins with {verb!r}", hint=nearest(verb, VERBS) or ", ".join(VERBS))
    seat = ord(match[1].upper()) - 65 if match else (game.decision(state).player or 0)
    return _Reader(state, text.strip(), seat).read(verb, args)


class _Reader:
    """Reads the arguments of one line."""

    def __init__(self, state: State, text: str, seat: int) -> None:
        self.state, self.text, self.seat = state, text, seat

    def fail(self, message: str, hint: str = "") -> NotationError:
        return NotationError(f"{self.text!r}: {message}", hint=hint)

    def read(self, verb: str, args: list[str]) -> list[Move]:
        if verb in ("attack", "pirate"):
            first, second = (m.ATTACK, m.TARGET) if verb == "attack" else (m.PIRATE, m.VICTIM)
            self.count(args, 1, 2)
            return [(code, self.animal(word).uid) for code, word in zip((first, second), args, strict=False)]
        for code, word in SIMPLE.items():
            if verb == word:
                self.count(args, 1, 1)
                return [(code, self.animal(args[0]).uid)]
        for code, word in BARE.items():
            if verb == word:
                self.count(args, 0, 0)
                return [(code,)]
        return list(getattr(self, verb)(args))

    def count(self, args: list[str], low: int, high: int) -> None:
        if not low <= len(args) <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            raise self.fail(f"{wanted} word(s) expected after the verb, {len(args)} found")

    def animal(self, word: str) -> Animal:
        names = [name_of(a.uid) for herd in self.state.herds for a in herd]
        match = _ANIMAL.match(word)
        found = find(self.state, (ord(match[1]) - 97) << 8 | int(match[2])) if match and int(match[2]) < 256 else None
        if found is None:
            raise self.fail(f"no animal {word!r} is on the table", nearest(word, names) or ", ".join(names[:20]))
        return found

    def number(self, word: str, low: int, high: int) -> int:
        if not word.isdecimal() or not low <= int(word[:6]) <= high or len(word) > 6:
            raise self.fail(f"{word!r} is no number from {low} to {high}")
        return int(word)

    def convert(self, args: list[str]) -> list[Move]:
        self.count(args, 2, 2)
        return [(m.CONVERT, self.animal(args[0]).uid, self.number(args[1], 1, 99))]

    def mimic(self, args: list[str]) -> list[Move]:
        args = [a for a in args if a != "to"]
        self.count(args, 2, 2)
        return [(m.MIMIC, self.animal(args[0]).uid, self.animal(args[1]).uid)]

    def roll(self, args: list[str]) -> list[Move]:
        self.count(args, 1, 4)
        return [(m.ROLL, *sorted(self.number(word, 1, 6) for word in args))]

    def draw(self, args: list[str]) -> list[Move]:
        self.count(args, 1, 1)
        return [(m.DRAW, self.card(args[0]))]

    def drop(self, args: list[str]) -> list[Move]:
        self.count(args, 2, 2)
        a, card = self.animal(args[0]), args[1]
        if "(" in card:
            return [(m.DROP, a.uid, -1, *self.pair(card))]
        name, _, number = card.partition("#")
        trait = self.trait(name)
        places = [i for i, face in enumerate(a.faces) if TRAIT_OF_FACE[face] == trait]
        if not places:
            links = [x for x in self.state.links.links if x[0] == trait and a.uid in x[1:3]]
            if len(links) == 1:
                return [(m.DROP, a.uid, -1, *links[0][:3])]
            ways = ", ".join(pair_name(*x[:3]) for x in links)
            raise self.fail(f"which {name}?" if links else f"{args[0]} has no {name}", ways)
        alike = len({(a.faces[i], a.fat >> i & 1) for i in places}) == 1
        if not number and not alike:
            raise self.fail(f"{args[0]} has several {name}", " or ".join(f"{name}#{i + 1}" for i in range(len(places))))
        return [(m.DROP, a.uid, places[self.number(number or "1", 1, len(places)) - 1])]

    def pair(self, word: str) -> tuple[int, int, int]:
        match = _PAIR.match(word)
        if not match:
            raise self.fail(f"{word!r} is no pair card", "write it as cooperation(a1,a2)")
        trait = self.trait(match[1])
        u, v = self.animal(match[2]).uid, self.animal(match[3]).uid
        for link in self.state.links.links:
            if link[0] == trait and {u, v} == set(link[1:3]):
                return link[:3]
        known = ", ".join(pair_name(*x[:3]) for x in self.state.links.links)
        raise self.fail(f"there is no {word}", known)

    def trigger(self, args: list[str]) -> list[Move]:
        if len(args) > 1 and args[0].endswith(","):
            args = ["".join(args[:2]), *args[2:]]
        self.count(args, 1, 2)
        trait, u, v = self.pair(args[0])
        if len(args) == 2:
            receiver = self.animal(args[1]).uid
        else:
            armed = self.state.stack[-1][2] if self.state.stack and isinstance(self.state.stack[-1][2:], tuple) else ()
            ends = [e[3] for e in armed if isinstance(e, tuple) and e[:3] == (trait, u, v)]
            if len(ends) != 1:
                raise self.fail("say which animal gets the token", f"{args[0]} {name_of(u)} or {name_of(v)}")
            receiver = ends[0]
        return [(m.TRIGGER, trait, u, v, receiver)]

    # cards

    def card(self, word: str) -> int:
        if word == "?":
            return UNKNOWN
        if word in card_of:
            return card_of[word].index
        raise self.fail(f"no card is called {word!r}", nearest(word, card_of))

    def trait(self, word: str) -> int:
        if word in trait_of:
            return trait_of[word].index
        raise self.fail(f"no trait is called {word!r}", nearest(word, trait_of))

    def play(self, args: list[str]) -> list[Move]:
        if len(args) > 2 and args[-2] == "as":
            args = self.named(args)
        if not args:
            raise self.fail("which card?")
        if len(args) == 1 and ":" not in args[0]:
            return [(m.PLAY_ANIMAL, self.animal_card(args[0]))]
        rest = [a for a in args[1:] if a not in ("on", "and")]
        self.count(rest, 0, 2)
        play = self.trait_card(args[0])
        chain: list[Move] = [play]
        for verb, word in zip((m.ON, m.AND), rest, strict=False):
            chain.append((verb, self.animal(word).uid))
        return chain

    def named(self, args: list[str]) -> list[str]:
        expected = name_of(self.seat << 8 | self.state.numbers[self.seat])
        if args[-1] != expected:
            raise self.fail(f"the new animal will be called {expected}", f"write 'as {expected}' or leave it out")
        return args[:-2]

    def animal_card(self, word: str) -> int:
        if word in card_of or word == "?":
            return self.card(word)
        hand = sorted({c for c in self.hand() if c != UNKNOWN})
        fitting = [c for c in hand if any(TRAITS[t].id == word for t in CARDS[c].traits)]
        if len(fitting) != 1:
            self.trait(word)
            ways = ", ".join(card_name(c) for c in fitting or hand)
            raise self.fail(f"which card with {word!r}?", ways)
        return fitting[0]

    def hand(self) -> bytes:
        return self.state.hands[self.seat] if self.seat < len(self.state.hands) else b""

    def trait_card(self, word: str) -> Move:
        name, colon, side = word.partition(":")
        if colon:
            card, trait = self.card(name), self.trait(side)
            if card == UNKNOWN:
                return (m.PLAY_TRAIT, card, trait)
            if trait not in CARDS[card].traits:
                raise self.fail(f"the card {name} has no {side}", " or ".join(TRAITS[t].id for t in CARDS[card].traits))
            return (m.PLAY_TRAIT, card, CARDS[card].traits.index(trait))
        if name in card_of and len(card_of[name].traits) == 1:
            return (m.PLAY_TRAIT, card_of[name].index, 0)
        if name in card_of:
            sides = " or ".join(f"{name}:{TRAITS[t].id}" for t in card_of[name].traits)
            raise self.fail(f"{name} has two traits", sides)
        trait = self.trait(name)
        fitting = sorted({c for c in self.hand() if c != UNKNOWN and trait in CARDS[c].traits})
        if not fitting:
            fitting = [c.index for c in CARDS if trait in c.traits]
        elif len(fitting) > 1:
            ways = ", ".join(f"{card_name(c)}:{name}" for c in fitting)
            raise self.fail(f"several cards of the hand carry {name}", ways)
        return (m.PLAY_TRAIT, fitting[0], CARDS[fitting[0]].traits.index(trait))


__all__ = ["PLACE", "body", "join_line", "nearest", "pair_name", "parse_line", "player_of_line", "show"]
