"""Reads one animal of a position, in its short or its long form.

Short: ``carnivorous*, fat-tissue(1), camouflage, food 1, poisoned``; `plain` has no traits.  Long: a mapping with
`traits`, `red`, `blue` (or `food`), `surplus`, a key for each condition, and `body`.  `surplus n` says that an animal
has n tokens more than it needs, which happens only when Tail Loss dropped a card that raised its need.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, UNKNOWN, bit, trait_of
from evotutor.games.evolution.state import FAT_TISSUE, HIBERNATING, RESTING, Animal, Topology, derive
from evotutor.games.evolution.vocabulary import (
    CONDITION_MODULES,
    CONDITIONS,
    MOST_TRAITS,
    SPENDABLE,
    Modules,
    Path,
    card_code,
    check_keys,
    face_code,
    fail,
    mapping,
    near,
    need_module,
    number,
    sequence,
    shown,
    text,
    truth,
)

LATER_KEYS: Final[dict[str, Modules]] = {
    "location": ("continents",),
    "known_to": ("time-to-fly", "grass-and-mushrooms"),
    "void": ("time-to-fly", "grass-and-mushrooms"),
    "mark": ("grass-and-mushrooms",),
    "marks": ("grass-and-mushrooms",),
    **CONDITION_MODULES,
}
BASE_CONDITIONS: Final = tuple(word for word in CONDITIONS if word not in CONDITION_MODULES)
KEYS: Final = ("traits", "food", "red", "blue", "surplus", "body", *BASE_CONDITIONS)
_TRAIT: Final = re.compile(r"([^()*]+)(?:\(([^()*]*)\))?(\*)?")
_COUNT: Final = re.compile("[0-9]{1,3}")
_NUMBER: Final = re.compile(r"(food|surplus)\s+([0-9]+)")
_CARNIVOROUS, _SCAVENGER = trait_of["carnivorous"].index, trait_of["scavenger"].index
_PARASITE, _HIBERNATION = trait_of["parasite"].index, bit["hibernation"]


class Draft:
    """An animal while it is read."""

    def __init__(self, path: Path, modules: Modules) -> None:
        self.path, self.modules = path, modules
        self.faces: list[int] = []
        self.fat = self.used = self.flags = 0
        self.numbers: dict[str, int] = {}
        self.body = UNKNOWN

    # short form

    def read_short(self, value: str) -> None:
        """Read the short form."""
        items = [item.strip() for item in text(value, self.path).lower().split(",")]
        if items == [""]:
            fail("an animal without traits", self.path, hint="write plain")
        for item in items:
            self._item(item)
        if "plain" in items and self.faces:
            fail("plain means that the animal has no traits", self.path)

    def _item(self, item: str) -> None:
        if item == "plain":
            return
        if item in BASE_CONDITIONS:
            self.flags |= CONDITIONS[item]
        elif match := _NUMBER.fullmatch(item):
            self._number(match[1], int(match[2]) if len(match[2]) < 9 else 10**9, self.path)
        elif item in CONDITION_MODULES:
            need_module(item, CONDITION_MODULES[item], self.path)
        elif item.startswith("mark "):
            need_module("mark", LATER_KEYS["mark"], self.path)
        elif item == "anglerfish?":
            need_module("anglerfish?", ("time-to-fly",), self.path)
        else:
            self.trait(item, self.path)

    def _number(self, key: str, value: int, path: Path) -> None:
        if key in self.numbers:
            fail(f"{key} is given twice", path)
        self.numbers[key] = number(value, path)

    # long form

    def read_long(self, data: Mapping[str, Any]) -> None:
        """Read the long form."""
        check_keys(data, KEYS, LATER_KEYS, self.path)
        self._traits(data.get("traits", ()))
        for key in ("food", "red", "blue", "surplus"):
            if key in data:
                self._number(key, data[key], (*self.path, key))
        if "food" in data and ("red" in data or "blue" in data):
            fail("food stands for red tokens: give either food or red and blue", (*self.path, "food"))
        for key in BASE_CONDITIONS:
            if key in data and truth(data[key], (*self.path, key)):
                self.flags |= CONDITIONS[key]
        if "body" in data:
            path = (*self.path, "body")
            self.body = card_code(text(data["body"], path, "a card"), path, self.modules)

    def _traits(self, value: object) -> None:
        path = (*self.path, "traits")
        if isinstance(value, str):
            words: list[Any] = [] if text(value, path) in ("", "plain") else text(value, path).split(",")
        else:
            words = sequence(value, path, "traits", MOST_TRAITS)
        for i, word in enumerate(words):
            self.trait(text(word, (*path, i), "a trait").lower(), (*path, i))

    # traits

    def trait(self, item: str, path: Path) -> None:
        """Add one trait word with its marks."""
        match = _TRAIT.fullmatch(item)
        if match is None or not item:
            fail(f"cannot read {shown(item)}", path, hint="a trait, with (1) or (resting) and then * where they apply")
        name, inside, star = match[1].strip(), match[2], match[3]
        self._check_word(name, path)
        face = face_code(name, path, self.modules)
        trait = TRAIT_OF_FACE[face]
        if inside is not None and (trait != FAT_TISSUE or star):
            self._inside(trait, inside.strip(), path)
        elif trait == FAT_TISSUE and inside is not None:
            self._fat(face, inside.replace(" ", ""), path)
            return
        if star:
            self._star(trait, path)
        self._check(trait, path)
        self._add(face, path)

    def _check_word(self, name: str, path: Path) -> None:
        if ":" in name or name in trait_of:
            return
        if not name or name.split()[0] in KEYS:
            fail(f"cannot read {shown(name)}", path, hint="food 2, surplus 1")
        words = (*(t.id for t in TRAITS), *BASE_CONDITIONS, "plain", "food")
        fail(f"unknown trait {shown(name)}", path, hint=near(name, words))

    def _inside(self, trait: int, inside: str, path: Path) -> None:
        if 1 << trait == _HIBERNATION and inside == "resting":
            self.flags |= RESTING
            return
        hint = "hibernation(resting)" if 1 << trait == _HIBERNATION else "fat-tissue(1), hibernation(resting)"
        fail(f"({inside}) says nothing about {TRAITS[trait].id}", path, hint=hint)

    def _fat(self, face: int, inside: str, path: Path) -> None:
        """``(1)`` one filled card, ``(1/2)`` two cards, the upper one filled: tokens go there first."""
        filled, slash, cards = inside.partition("/")
        cards = cards if slash else "1"
        if not (_COUNT.fullmatch(filled) and _COUNT.fullmatch(cards)):
            hint = "fat-tissue(1), or fat-tissue(1/2) for two cards"
            fail(f"({inside}) does not say how much fat there is", path, hint=hint)
        if int(filled) > int(cards):
            rule = "fat-tissue.one-per-card"
            fail(f"{int(filled)} fat on {int(cards)} card(s)", path, rule=rule, hint="one on each card")
        for k in range(int(cards)):
            self.fat |= (k >= int(cards) - int(filled)) << len(self.faces)
            self._add(face, path)

    def _star(self, trait: int, path: Path) -> None:
        if TRAITS[trait].id not in SPENDABLE:
            fail(f"{TRAITS[trait].id} is never used up", path, hint=f"only these are: {', '.join(sorted(SPENDABLE))}")
        self.used |= 1 << trait

    def _check(self, trait: int, path: Path) -> None:
        """Refuse what the rules of playing traits never let happen."""
        name = TRAITS[trait].id
        if TRAITS[trait].pair:
            hint = f"links: [{name}: [a1, a2]]"
            fail(f"{name} lies between two animals", path, rule="development.pair-two-animals", hint=hint)
        if TRAITS[trait].place == "animal":
            fail(f"{name} is no trait of an animal", path)
        have = {TRAIT_OF_FACE[face] for face in self.faces}
        if trait in have and trait != FAT_TISSUE:
            rule = "parasite.one" if trait == _PARASITE else "development.no-duplicate"
            fail(f"{name} twice on one animal", path, rule=rule)
        if {trait} | have >= {_CARNIVOROUS, _SCAVENGER}:
            fail("a carnivorous animal cannot be a scavenger", path, rule="scavenger.not-with-carnivorous")

    def _add(self, face: int, path: Path) -> None:
        if len(self.faces) >= MOST_TRAITS:
            fail(f"more than {MOST_TRAITS} traits on one animal", path)
        self.faces.append(face)

    # the whole

    def finish(self, uid: int, links: Topology) -> Animal:
        """The animal, its tokens checked against its need."""
        faces = bytes(self.faces)
        mask, need, fatcards = derive(uid, faces, links)
        red, blue = self.numbers.get("food", self.numbers.get("red", 0)), self.numbers.get("blue", 0)
        self._check_tokens(red + blue, need)
        if self.flags & HIBERNATING:
            if self.flags & RESTING:
                fail("an animal that rests cannot hibernate", self.path, rule="hibernation.not-twice")
            self.used |= mask & _HIBERNATION
        return Animal(uid, self.body, faces, mask, need, red, blue, self.fat, fatcards, self.used, self.flags, 0, ())

    def _check_tokens(self, have: int, need: int) -> None:
        surplus = self.numbers.get("surplus", 0)
        if max(have - need, 0) == surplus:
            return
        if surplus:
            fail(f"{have} tokens for a need of {need} are no surplus of {surplus}", self.path)
        hint = f"surplus {have - need} where Tail Loss has lowered the need"
        fail(f"{have} tokens for a need of {need}", self.path, rule="feeding.fed-takes-nothing", hint=hint)


def read_animal(value: object, path: Path, modules: Modules) -> Callable[[int, Topology], Animal]:
    """Read an animal; the result completes it when its number and the links are known."""
    draft = Draft(path, modules)
    if isinstance(value, str):
        draft.read_short(value)
    elif value is None:
        fail("an animal without traits", path, hint="write plain")
    else:
        draft.read_long(mapping(value, path, "an animal"))
    return draft.finish
