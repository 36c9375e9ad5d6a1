"""Reads one animal of a position, in its short or its long form.

Short: ``carnivorous*, fat-tissue(1), camouflage, gondwana, food 1, poisoned``; `plain` has no traits.  Long: a mapping
with `traits`, `location`, `red`, `blue` (or `food`), `surplus`, a key for each condition, `void` and `body`.
`surplus n` says that an animal has n tokens more than it needs, which happens only when its need has sunk since.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, UNKNOWN, bit, card_of, trait_of
from evotutor.games.evolution.locations import LAURASIA, LOCATIONS, OCEAN
from evotutor.games.evolution.state import (
    ASIDE,
    ATTACKED,
    CARNIVOROUS,
    FAT_TISSUE,
    HIBERNATING,
    IN_SHELL,
    PARALYSED,
    REMAINS,
    RESTING,
    REVEALED,
    STRANDED,
    SWIMMING,
    Animal,
    Topology,
    derive,
    name_of,
    off_below,
    printed,
)
from evotutor.games.evolution.vocabulary import (
    CONDITION_MODULES,
    CONDITIONS,
    MOST_ANIMALS,
    MOST_TRAITS,
    SPENDABLE,
    Modules,
    Path,
    Scope,
    card_code,
    check_keys,
    face_code,
    fail,
    location_number,
    mapping,
    near,
    need_locations,
    need_module,
    number,
    sequence,
    shown,
    text,
    trait_number,
    truth,
)

LATER_KEYS: Final[dict[str, Modules]] = {
    "location": ("continents",),
    "known_to": ("grass-and-mushrooms",),
    "void": ("time-to-fly",),
    "mark": ("grass-and-mushrooms",),
    "marks": ("grass-and-mushrooms",),
    **CONDITION_MODULES,
}
KEYS: Final = ("traits", "food", "red", "blue", "surplus", "body")
ANGLERFISH: Final = card_of["anglerfish"].index
NAME: Final = re.compile(r"([a-h])([1-9][0-9]{0,2})")
"""The name of an animal."""
HIGHEST: Final = 255
_TRAIT: Final = re.compile(r"([^()*]+)(?:\(([^()*]*)\))?(\*)?")
_COUNT: Final = re.compile("[0-9]{1,3}")
_NUMBER: Final = re.compile(r"(food|red|blue|surplus)\s+([0-9]+)")
_CARNIVOROUS, _SCAVENGER = trait_of["carnivorous"].index, trait_of["scavenger"].index
_PARASITE, _HIBERNATION, _SHELL = trait_of["parasite"].index, bit["hibernation"], bit["shell"]
_REGENERATION, _SWIMMING = trait_of["regeneration"].index, trait_of["swimming"].index
_SHY, _VIVIPAROUS = bit["shy"], trait_of["viviparous"].index
_TRAVELLERS: Final = {trait_of[name].index for name in ("migration", "suckerfish", "flight")}
_SPECIALIZATIONS: Final = {trait_of["specialization-a"].index, trait_of["specialization-b"].index}


def home(faces: bytes, flags: int) -> int:
    """Where an animal lives that nobody has placed: in the Ocean if its Swimming card works, else in Laurasia."""
    if flags & ASIDE or not printed(faces[off_below(faces) :]) & SWIMMING:
        return LAURASIA
    return OCEAN


class Draft:
    """An animal while it is read."""

    def __init__(self, uid: int, path: Path, scope: Scope) -> None:
        self.uid, self.path, self.scope, self.modules = uid, path, scope, scope.modules
        self.faces: list[int] = []
        self.fat = self.used = self.flags = 0
        self.numbers: dict[str, int] = {}
        self.body: int | None = None
        self.location: int | None = None
        self.void: dict[str, Any] = {}
        self.stars: dict[int, Path] = {}
        self.spent: Path = ()
        self.conditions = tuple(word for word in CONDITIONS if scope.knows(word))

    @property
    def loc(self) -> int:
        """Where it lives, written or not."""
        if self.location is not None or not self.scope.locations:
            return self.location or LAURASIA
        return home(bytes(self.faces), self.flags)

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
        self._one_way(self.path)

    def _item(self, item: str) -> None:
        if item == "plain":
            return
        if item in CONDITIONS:
            self._condition(item, self.path)
        elif match := _NUMBER.fullmatch(item):
            self._number(match[1], int(match[2]) if len(match[2]) < 9 else 10**9, self.path)
        elif item in LOCATIONS:
            self._lives(item, self.path)
        elif item == "spent" and "time-to-fly" in self.modules:
            self._spent(self.path)
        elif item.startswith("mark "):
            need_module("mark", LATER_KEYS["mark"], self.path)
        elif item == "anglerfish?":
            if "time-to-fly" not in self.modules:
                need_module("anglerfish?", ("time-to-fly",), self.path)
            self._body(ANGLERFISH, self.path)
        else:
            self.trait(item, self.path)

    def _number(self, key: str, value: int, path: Path) -> None:
        if key in self.numbers:
            fail(f"{key} is given twice", path)
        self.numbers[key] = number(value, path)

    def _one_way(self, path: Path) -> None:
        if "food" in self.numbers and ("red" in self.numbers or "blue" in self.numbers):
            fail("food stands for red tokens: give either food or red and blue", path)

    def _condition(self, word: str, path: Path) -> None:
        if not self.scope.knows(word):
            if not self.scope.has(CONDITION_MODULES[word]):
                need_module(word, CONDITION_MODULES[word], path)
            need_locations(word, self.scope, path)
        self.flags |= CONDITIONS[word]

    def _lives(self, word: object, path: Path) -> None:
        if self.location is not None:
            fail("an animal is in one location", path)
        self.location = location_number(word, path, self.scope)

    def _spent(self, path: Path) -> None:
        self.spent = path
        self.used |= CARNIVOROUS
        self.stars[_CARNIVOROUS] = path

    def _body(self, card: int, path: Path) -> None:
        if self.body not in (None, card):
            fail("an animal has one body", path)
        self.body = card

    # long form

    def read_long(self, data: Mapping[str, Any]) -> None:
        """Read the long form."""
        check_keys(data, self._keys(), LATER_KEYS, self.path)
        self._traits(data.get("traits", ()))
        for key in ("food", "red", "blue", "surplus"):
            if key in data:
                self._number(key, data[key], (*self.path, key))
        self._one_way((*self.path, "food"))
        for key in self.conditions:
            if key in data and truth(data[key], (*self.path, key)):
                self._condition(key, (*self.path, key))
        if "location" in data:
            self._lives(data["location"], (*self.path, "location"))
        if data.get("spent") and truth(data["spent"], (*self.path, "spent")):
            self._spent((*self.path, "spent"))
        if "body" in data:
            path = (*self.path, "body")
            self._body(card_code(text(data["body"], path, "a card"), path, self.modules), path)
        if "void" in data:
            self.void = dict(mapping(data["void"], (*self.path, "void"), "void"))

    def _keys(self) -> tuple[str, ...]:
        fly = ("void", "spent") if "time-to-fly" in self.modules else ()
        return (*KEYS, *self.conditions, *(("location",) if "continents" in self.modules else ()), *fly)

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
        if not name or name.split()[0] in (*KEYS, *self.conditions):
            fail(f"cannot read {shown(name)}", path, hint="food 2, surplus 1")
        words = (*(t.id for t in TRAITS), *self.conditions, *(LOCATIONS if self.scope.locations else ()))
        fail(f"unknown trait {shown(name)}", path, hint=near(name, (*words, "plain", "food")))

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
        if not self.scope.spends(TRAITS[trait].id):
            words = ", ".join(sorted(filter(self.scope.spends, SPENDABLE)))
            fail(f"{TRAITS[trait].id} is never used up", path, hint=f"only these are: {words}")
        self.used |= 1 << trait
        self.stars[trait] = path

    def _check(self, trait: int, path: Path) -> None:
        """Refuse what the rules of playing traits never let happen."""
        name = TRAITS[trait].id
        if TRAITS[trait].pair:
            hint = f"links: [{name}: [a1, a2]]"
            fail(f"{name} lies between two animals", path, rule="development.pair-two-animals", hint=hint)
        if TRAITS[trait].place == "animal":
            fail(f"{name} is no trait of an animal", path, hint=f"{name}? or body: {name}")
        have = {TRAIT_OF_FACE[face] for face in self.faces}
        if trait in have and trait != FAT_TISSUE:
            rule = "parasite.one" if trait == _PARASITE else "development.no-duplicate"
            fail(f"{name} twice on one animal", path, rule=rule)
        if {trait} | have >= {_CARNIVOROUS, _SCAVENGER}:
            fail("a carnivorous animal cannot be a scavenger", path, rule="scavenger.not-with-carnivorous")
        if {trait} | have >= _SPECIALIZATIONS:
            fail("two types of specialization on one animal", path, rule="specialization.not-both")

    def _add(self, face: int, path: Path) -> None:
        if len(self.faces) >= MOST_TRAITS:
            fail(f"more than {MOST_TRAITS} traits on one animal", path)
        self.faces.append(face)

    # the whole

    def finish(self, links: Topology) -> Animal:
        """The animal, with its tokens and conditions checked."""
        faces = bytes(self.faces)
        if self.flags & REVEALED:
            self._check_revealed()
        elif self.spent:
            hint = "revealed, spent; of another animal its card is used: carnivorous*"
            fail("only a revealed Anglerfish is spent", self.spent, rule="anglerfish.spent", hint=hint)
        self._check_limit(links)
        mask, need, fatcards = derive(self.uid, faces, links, self.flags, self.loc, self.fat)
        red, blue = self.numbers.get("food", self.numbers.get("red", 0)), self.numbers.get("blue", 0)
        self._check_conditions(red + blue)
        self._check_tokens(red + blue, need)
        if self.fat & ~fatcards:
            fail("no fat lies on a card under Neoplasm", self.path, rule="neoplasm.swap")
        for trait, path in self.stars.items():
            if not mask >> trait & 1 and not self._born_stiff(trait):
                rule = "cnidocytes.paralyse" if self.flags & PARALYSED else "neoplasm.swap"
                hint = f"{TRAITS[trait].id} without *"
                fail(f"{TRAITS[trait].id} is off, so it is not used up", path, rule=rule, hint=hint)
        if self.flags & HIBERNATING:
            if self.flags & RESTING:
                fail("an animal that rests cannot hibernate", self.path, rule="hibernation.not-twice")
            self.used |= mask & _HIBERNATION
        body = UNKNOWN if self.body is None else self.body
        return Animal(
            self.uid, body, faces, mask, need, red, blue, self.fat, fatcards, self.used, self.flags, self.loc,
            self._voids(mask),
        )  # fmt: skip

    def _born_stiff(self, trait: int) -> bool:
        """Has a paralysed animal given birth, where the ruling lets it?"""
        birth = self.scope.rulings.get("viviparous-paralysed") == "birth"
        return birth and trait == _VIVIPAROUS and bool(self.flags & PARALYSED)

    def _check_tokens(self, have: int, need: int) -> None:
        surplus = self.numbers.get("surplus", 0)
        if max(have - need, 0) == surplus:
            return
        if surplus:
            fail(f"{have} tokens for a need of {need} are no surplus of {surplus}", self.path)
        lowered = "Tail Loss" if self.modules == ("base",) else "something"
        hint = f"surplus {have - need} where {lowered} has lowered the need"
        fail(f"{have} tokens for a need of {need}", self.path, rule="feeding.fed-takes-nothing", hint=hint)

    def _check_revealed(self) -> None:
        if self.body is None:
            self.body = ANGLERFISH
        if self.body != ANGLERFISH:
            fail("only an Anglerfish is revealed", self.path, rule="anglerfish.needed", hint="without body:")
        have = {TRAIT_OF_FACE[face] for face in self.faces}
        if _CARNIVOROUS in have:
            hint = "without the trait: it is Carnivorous by itself"
            fail("carnivorous twice on one animal", self.path, rule="development.no-duplicate", hint=hint)
        if _SCAVENGER in have:
            fail("a carnivorous animal cannot be a scavenger", self.path, rule="scavenger.not-with-carnivorous")

    def _check_limit(self, links: Topology) -> None:
        """Regeneration leaves room for one more trait, which does not raise the need.

        Who leaves the Ocean gets a Swimming card all the same.
        """
        traits = [TRAIT_OF_FACE[face] for face in self.faces]
        if _REGENERATION not in traits:
            return
        traits += [link[0] for link in links.links if self.uid in link[1:3]]
        raising = [TRAITS[trait].id for trait in traits if TRAITS[trait].need]
        if raising or self.flags & REVEALED:
            name = raising[0] if raising else "a revealed Anglerfish"
            fail(f"{name} raises the need, so regeneration is not beside it", self.path, rule="regeneration.limit")
        fetched = self.scope.locations and _SWIMMING in traits and not _TRAVELLERS.isdisjoint(traits)
        if len(traits) > 2 + fetched:
            fail("one more trait beside regeneration, not more", self.path, rule="regeneration.limit")

    def _check_conditions(self, have: int) -> None:
        if self.flags & IN_SHELL and not printed(bytes(self.faces)) & _SHELL:
            fail("an animal without a shell hides in none", self.path, rule="shell.needed")
        if self.flags & ATTACKED and not printed(bytes(self.faces)) & _SHY:
            fail("only a shy animal remembers attacks", self.path, rule="shy.already-attacked")
        if self.flags & STRANDED and not self.flags & PARALYSED:
            fail(
                "only a paralysed animal is stranded", self.path, rule="cnidocytes.paralyse", hint="paralysed, stranded"
            )
        if not self.flags & REMAINS:
            return
        if _REGENERATION not in {TRAIT_OF_FACE[face] for face in self.faces}:
            fail("only cards with regeneration remain", self.path, rule="regeneration.remains")
        parts = {
            "tokens": have or self.fat, "used traits": self.used, "body": self.body not in (None, UNKNOWN),
            "other condition": self.flags & ~REMAINS,
        }  # fmt: skip
        for what, given in parts.items():
            if given:
                fail(f"remains have no {what}: they are no animal", self.path, rule="regeneration.remains")

    def _voids(self, mask: int) -> tuple[tuple[int, int], ...]:
        """What Intellect switched off: working traits of this animal, by hunter."""
        found = set()
        for name, value in self.void.items():
            path: Path = (*self.path, "void", name)
            match = NAME.fullmatch(name.lower())
            if match is None or int(match[2]) > HIGHEST:
                fail(f"{shown(name)} is no name of an animal", path, hint="void: {b1: camouflage}")
            words = [value] if isinstance(value, str) else sequence(value, path, "void", MOST_ANIMALS)
            for i, word in enumerate(words):
                inside = path if isinstance(value, str) else (*path, i)
                trait = trait_number(text(word, inside, "a trait"), inside, self.modules)
                if not mask >> trait & 1:
                    have = [t.id for t in TRAITS if mask >> t.index & 1]
                    rule = "intellect.no-such-trait"
                    fail(f"the animal has no {TRAITS[trait].id}", inside, rule=rule, hint=near(TRAITS[trait].id, have))
                found.add((ord(match[1]) - 97 << 8 | int(match[2]), trait))
        return tuple(sorted(found))


def read_animal(value: object, uid: int, path: Path, scope: Scope) -> Draft:
    """Read an animal; the draft is finished when all links are known."""
    draft = Draft(uid, path, scope)
    if isinstance(value, str):
        draft.read_short(value)
    elif value is None:
        fail("an animal without traits", path, hint="write plain")
    else:
        draft.read_long(mapping(value, path, "an animal"))
    return draft


def trait_places(faces: bytes, trait: int) -> list[int]:
    """Places of a trait in the stack, bottom up."""
    return [place for place, face in enumerate(faces) if TRAIT_OF_FACE[face] == trait]


def card_word(faces: bytes, place: int) -> str:
    """An unpaired card named by its trait, with its number from the bottom where there are several."""
    trait = TRAIT_OF_FACE[faces[place]]
    places = trait_places(faces, trait)
    return TRAITS[trait].id + (f"#{places.index(place) + 1}" if len(places) > 1 else "")


def card_place(animal: Animal, trait: int, copy: int, path: Path = ()) -> int:
    """Place of an unpaired card; copies are counted from the bottom, and need no number where they are alike."""
    name, places = TRAITS[trait].id, trait_places(animal.faces, trait)
    if not places:
        have = sorted({TRAITS[t].id for t in range(len(TRAITS)) if trait_places(animal.faces, t)})
        fail(f"{name_of(animal.uid)} has no {name}", path, hint=near(name, have))
    if copy > len(places):
        fail(f"{name_of(animal.uid)} has {len(places)} {name}", path, hint=f"{name}#1 is the lowest")
    if copy:
        return places[copy - 1]
    if len({(animal.faces[place], animal.fat >> place & 1) for place in places}) > 1:
        copies = (f"{name}#{i + 1}" + " (filled)" * (animal.fat >> p & 1) for i, p in enumerate(places))
        fail(f"the cards {name} of {name_of(animal.uid)} differ", path, hint=f"one of: {', '.join(copies)}")
    return places[0]


def shell_cards(n: int) -> bytes:
    """So many Shell cards without an owner."""
    return bytes((card_of["shell"].index,)) * n
