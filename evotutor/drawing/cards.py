"""Animals as small cards: name and state in a word, sockets for tokens, traits as chips or as a number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from evotutor.drawing.palette import Palette, text
from evotutor.drawing.scene import SHAPE_OF, Box, Label, Mark, Shape, width_of, wrap
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, trait_of
from evotutor.games.evolution.state import (
    ASIDE,
    FLAGS,
    REMAINS,
    RESTING,
    REVEALED,
    Animal,
    is_fed,
    name_of,
    off_below,
)
from evotutor.rulebook import word

WIDE: Final = {"en": 132.0, "ru": 146.0}
NARROW: Final = {"en": 108.0, "ru": 114.0}
"""Width of a card with its traits, and of one that only counts them."""
MOST = 6
"""Most traits that a card lists."""
_CHIP, _LINE, _PITCH = 19.0, 13.0, 10.5


class Chip(NamedTuple):
    """A trait on a card: its words, the role of its colour, and whether it does not work now."""

    words: str
    role: str
    off: bool = False


class Tag(NamedTuple):
    """A line below an animal's traits, in the colour of a role: where it came from, a partner elsewhere."""

    words: str
    role: str


class Card(NamedTuple):
    """An animal prepared for drawing: the words beside its tokens, its traits where they are listed, lines below."""

    animal: Animal
    beside: str
    chips: tuple[Chip, ...]
    lines: tuple[Tag, ...]
    height: float


def status_of(animal: Animal, lang: str) -> str:
    """Fed, hungry or remains, in a word."""
    if animal.flags & REMAINS:
        return text("remains", lang)
    return text("fed" if is_fed(animal) else "hungry", lang)


def frame_of(animal: Animal, colours: Palette) -> tuple[str, bool]:
    """The colour of an animal's frame, and whether it is dashed: hungry animals and remains."""
    if animal.flags & REMAINS:
        return colours.muted, True
    return (colours.defence, False) if is_fed(animal) else (colours.hunting, True)


def conditions(animal: Animal, lang: str) -> list[str]:
    """The conditions of an animal in words, without those that `status_of` tells."""
    found = [word(f"condition.{flag}", lang) for i, flag in enumerate(FLAGS) if animal.flags & ~RESTING & 1 << i]
    for hunter, number in animal.more:
        found.append(f"{_name(number, lang)}: {word('condition.void', lang, animal=name_of(hunter))}")
    below = off_below(animal.faces)
    return [*found, text("traits-off", lang, below)] if below and not animal.flags & ASIDE else found


def chips_of(animal: Animal, lang: str) -> list[Chip]:
    """The unpaired traits from the bottom up; equal ones together, used ones with a turned arrow."""
    aside, below = bool(animal.flags & ASIDE), off_below(animal.faces)
    found: dict[tuple[int, bool], int] = {}
    for place, face in enumerate(animal.faces):
        key = TRAIT_OF_FACE[face], aside or place < below
        found[key] = found.get(key, 0) + 1
    if animal.flags & REVEALED:
        key = trait_of["carnivorous"].index, aside
        found[key] = found.get(key, 0) + 1
    chips = []
    for (number, off), n in found.items():
        words, used = _name(number, lang) + (f" ×{n}" if n > 1 else ""), bool(animal.used >> number & 1)
        chips.append(Chip(words + " ↻" * used, "muted" if off or used else TRAITS[number].kind, off))
    return chips


def _name(number: int, lang: str) -> str:
    return TRAITS[number].ru if lang == "ru" else TRAITS[number].en


def animal_words(animal: Animal, lang: str) -> str:
    """Everything a card says, as one line: state, tokens, traits, conditions."""
    parts = [status_of(animal, lang) + ("" if animal.flags & REMAINS else f", {_have(animal, lang)}")]
    if animal.fatcards:
        parts.append(word("condition.fat", lang, n=animal.fat.bit_count(), m=animal.fatcards.bit_count()))
    names = [
        chip.words.replace("↻", f"({word('condition.used', lang)})")
        + (f" ({word('condition.off', lang)})" if chip.off else "")
        for chip in chips_of(animal, lang)
    ]
    return "; ".join([*parts, ", ".join(names) or word("condition.plain", lang), *conditions(animal, lang)])


def prepare(animal: Animal, pairs: int, tags: Sequence[Tag], lang: str, full: bool) -> Card:
    """The card of an animal with `pairs` pair cards; `full` lists its traits, else they are counted."""
    room = (WIDE if full else NARROW)[lang] - 16
    chips = chips_of(animal, lang) if full else []
    told = conditions(animal, lang)
    lines = [Tag(("· " if len(told) > 1 else "") + words, "accent") for words in told]
    beside = "" if animal.flags & REMAINS else _have(animal, lang)
    if full and len(chips) > MOST:
        hidden = len(chips) - MOST + 1
        chips = chips[:-hidden]
        lines.insert(0, Tag(text("more-traits", lang, hidden), "muted"))
    elif not full:
        count = len(animal.faces) + pairs + bool(animal.flags & REVEALED)
        beside = text("traits", lang, count) if count else word("condition.plain", lang)
    if not _fits(animal, room, beside):
        lines.insert(0, Tag(beside, "muted"))
        beside = ""
    folded = tuple(Tag(words, tag.role) for tag in [*lines, *tags] for words in wrap(tag.words, room, 10.5))
    tokens = 17.0 if beside or _sockets(animal) else 0.0
    height = 25 + tokens + len(chips) * _CHIP + len(folded) * _LINE + (6 if folded else 3)
    return Card(animal, beside, tuple(chips), folded, height)


def card_shapes(card: Card, x: float, y: float, wide: float, colours: Palette, lang: str) -> list[Shape]:
    """The card as shapes, its upper left corner at x, y."""
    animal = card.animal
    frame, dashed = frame_of(animal, colours)
    title = f"{name_of(animal.uid)}: {animal_words(animal, lang)}"
    status, room = status_of(animal, lang), wide - 23 - width_of(name_of(animal.uid), 13, True)
    shapes: list[Shape] = [
        Box(x, y, wide, card.height, frame, colours.card, dashed, title=title),
        Label(x + 9, y + 14, name_of(animal.uid), colours.text, 13, bold=True),
        Label(x + wide - 8, y + 14, status, frame, min(10.5, room / len(status) / 0.66), "end"),
    ]
    top = y + 25
    if card.beside or _sockets(animal):
        if card.beside:
            shapes.append(Label(x + wide - 8, top + 6, card.beside, colours.muted, 10.5, "end"))
        shapes += _tokens(animal, x + 13, top + 6, wide - 16, colours)
        top += 17
    for chip in card.chips:
        shapes.append(Box(x + 6, top, wide - 12, 16, colours(chip.role), colours.card, chip.off, 1))
        size = min(10.5, (wide - 26) / len(chip.words) / 0.62)
        shapes.append(Label(x + 13, top + 8, chip.words, colours.muted if chip.off else colours.text, size))
        top += _CHIP
    for tag in card.lines:
        shapes.append(Label(x + 9, top + 6, tag.words, colours(tag.role), 10.5))
        top += _LINE
    return shapes


def _have(animal: Animal, lang: str) -> str:
    return word("condition.of", lang, n=animal.red + animal.blue, m=animal.need)


def _sockets(animal: Animal) -> list[tuple[str, int, bool]]:
    """(colour, how many, empty) of an animal's places for tokens."""
    missing = 0 if animal.flags & REMAINS else max(0, animal.need - animal.red - animal.blue)
    filled = animal.fat.bit_count()
    places = [
        ("red", animal.red, False),
        ("blue", animal.blue, False),
        ("red", missing, True),
        ("yellow", filled, False),
        ("yellow", animal.fatcards.bit_count() - filled, True),
    ]
    return [place for place in places if place[1]]


def _length(animal: Animal) -> float:
    return _PITCH * sum(n for _, n, _ in _sockets(animal)) + (5 if animal.fatcards else 0)


def _fits(animal: Animal, room: float, beside: str) -> bool:
    """Is there room for all sockets singly, and for the words beside them?"""
    return _length(animal) + 4 + width_of(beside, 10.5) <= room


def _tokens(animal: Animal, x: float, y: float, room: float, colours: Palette) -> list[Shape]:
    """Sockets: red, blue, what is missing, then fat; as numbers where they do not fit."""
    shapes: list[Shape] = []
    singly, fat = _length(animal) <= room, False
    for colour, n, hollow in _sockets(animal):
        if colour == "yellow" and not fat:
            x, fat = x + 5, True
        for _ in range(n if singly else 1):
            shapes.append(Mark(x, y, colours.muted if hollow else colours(colour), SHAPE_OF[colour], 4.2, hollow))
            x += _PITCH
        if not singly:
            shapes.append(Label(x - 4, y, f"{n}", colours.muted, 10.5))
            x += width_of(f"{n}", 10.5) + 6
    return shapes


__all__ = ["NARROW", "WIDE", "Card", "Tag", "animal_words", "card_shapes", "prepare", "status_of"]
