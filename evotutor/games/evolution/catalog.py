"""The printed cards and traits of every Evolution module, read from `data/`.

A *card* is a number below `UNKNOWN`; a *face* is a trait on the table: ``2 * card + side`` when the card is known,
``GENERIC + trait`` when only the trait's name was told.  Traits are numbered in the order of `data/traits.csv`, and
`bit[name]` is ``1 << number``.  Numbers never leave the engine: texts use names.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

UNKNOWN: Final = 255
"""Card code of a card nobody told us ("?")."""
GENERIC: Final = 128
"""Faces from here on are a trait whose physical card is not known."""

MODULES: Final = ("base", "time-to-fly", "continents", "gift-box", "grass-and-mushrooms")


class Trait(NamedTuple):
    """A trait as printed: `need` is the "+n" in the corner, `points` what the card scores on a survivor.

    `kind` groups traits for display (hunting, defence, feeding, burden, pair); `place` says where the card may go:
    own, opponent, any, pair, opponent-pair, or animal (never as a trait).
    """

    index: int  # type: ignore[assignment]  # shadows a method of tuple that nobody needs here
    id: str
    en: str
    ru: str
    need: int
    points: int
    kind: str
    place: str

    @property
    def pair(self) -> bool:
        """Does the card lie between two animals?"""
        return self.place.endswith("pair")


class Card(NamedTuple):
    """A printed card: its module, how many copies the box holds, and its one or two traits (numbers)."""

    index: int  # type: ignore[assignment]
    module: str
    copies: int
    traits: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name used in texts: ``high-body-weight/fat-tissue``."""
        return "/".join(TRAITS[t].id for t in self.traits)


def _rows(name: str) -> list[dict[str, str]]:
    with files(__package__).joinpath("data", name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


TRAITS: Final = tuple(
    Trait(i, r["id"], r["en"], r["ru"], int(r["need"]), int(r["points"]), r["kind"], r["place"])
    for i, r in enumerate(_rows("traits.csv"))
)
trait_of: Final = {t.id: t for t in TRAITS}
bit: Final = {t.id: 1 << t.index for t in TRAITS}
CARDS: Final = tuple(
    Card(i, r["module"], int(r["copies"]), tuple(trait_of[r[side]].index for side in ("first", "second") if r[side]))
    for i, r in enumerate(_rows("cards.csv"))
)
card_of: Final = {c.name: c for c in CARDS}

TRAIT_OF_FACE: Final[tuple[int, ...]] = tuple(
    CARDS[f >> 1].traits[f & 1]
    if f < GENERIC and f >> 1 < len(CARDS) and (f & 1) < len(CARDS[f >> 1].traits)
    else (f - GENERIC if GENERIC <= f < GENERIC + len(TRAITS) else -1)
    for f in range(256)
)
"""Trait number of each face, -1 where there is no such face."""
CARD_OF_FACE: Final[tuple[int, ...]] = tuple(
    f >> 1 if f < GENERIC and TRAIT_OF_FACE[f] >= 0 else UNKNOWN for f in range(256)
)
"""Card that goes to the discard when this face leaves the table."""


@cache
def face_of_trait(trait: int) -> int:
    """Face to use when only the trait's name is known: the card itself if just one printed card carries the trait."""
    faces = [2 * c.index + s for c in CARDS for s, t in enumerate(c.traits) if t == trait]
    return faces[0] if len(faces) == 1 else GENERIC + trait


def face_name(face: int) -> str:
    """How a face is written in a position: the trait, or ``card:trait`` where the trait alone would lose the card."""
    trait = TRAIT_OF_FACE[face]
    name = TRAITS[trait].id
    return name if face_of_trait(trait) == face else f"{CARDS[face >> 1].name}:{name}"


def card_name(card: int) -> str:
    """How a card is written in a hand or discard; "?" when it is not known."""
    return "?" if card == UNKNOWN else CARDS[card].name


@cache
def deck(modules: tuple[str, ...], copies_of_set: int = 1) -> bytes:
    """All cards of the given modules, sorted: a full deck (`copies_of_set` = 2 from five players on)."""
    return bytes(c.index for c in CARDS if c.module in modules for _ in range(c.copies * copies_of_set))
