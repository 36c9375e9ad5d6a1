"""Read a position (`docs/cases.md`) into a state.  Data from strangers: everything is checked, nothing is half read.

A `NotationError` names the place (a path of keys), the rule that a contradiction breaks, and the nearest valid word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from evotutor.core.model import NotationError
from evotutor.games.evolution import state as st
from evotutor.games.evolution.catalog import (
    CARDS,
    GENERIC,
    MODULES,
    TRAIT_OF_FACE,
    TRAITS,
    UNKNOWN,
    bit,
    card_of,
    face_of_trait,
    trait_of,
)
from evotutor.games.evolution.move_text import nearest
from evotutor.games.evolution.pending_reader import read_pending
from evotutor.games.evolution.state import FLAGS, PHASES, Animal, Link, State, Topology, derive

if TYPE_CHECKING:
    from evotutor.games.evolution.game import EvolutionGame

Path = tuple[str | int, ...]
KEYS: Final = (
    "modules", "scenario", "phase", "at", "turn", "round", "bank", "deck", "first", "to_move", "acted", "passed", "idle",
    "shells", "players", "links", "pending",
)  # fmt: skip
PLAYER_KEYS: Final = ("hand", "discard", "animals", "next")
ANIMAL_KEYS: Final = ("traits", "red", "blue", "food", "body", "known_to", "location", "void", "used", *FLAGS)
ACTS: Final = {"main": st.TOOK, "took": st.TOOK, "hunted": st.HUNTED, "converted": st.CONVERTED, "side": st.SIDE}
BASE_CONDITIONS: Final = ("hibernating", "resting", "poisoned")
MAX_ANIMALS, MAX_CARDS, MAX_NUMBER, MAX_TEXT, DEFAULT_DECK = 60, 400, 999, 2000, 20
_TOKEN = re.compile(r"^(?P<name>[a-z?/:-]+)(?P<used>\*?)(?:\((?P<inside>[a-z0-9/]*)\))?(?P<late>\*?)$")


def fail(message: str, path: Path, hint: str = "", rule: str = "") -> NotationError:
    """A NotationError at this place."""
    return NotationError(message, path=path, hint=hint, rule=rule)


def check_keys(data: Mapping[Any, Any], known: Iterable[str], path: Path) -> None:
    """Refuse keys that are not known."""
    known = tuple(known)
    for key in data:
        if key not in known:
            raise fail(f"{str(key)[:40]!r} is not known here", (*path, str(key)[:40]), nearest(str(key)[:40], known))


def number(value: Any, path: Path, low: int = 0, high: int = MAX_NUMBER) -> int:
    """A whole number within limits."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise fail(f"a number from {low} to {high} is expected, found {_brief(value)}", path)
    return int(value)


def word(value: Any, known: Iterable[str], path: Path) -> str:
    """One of the known words."""
    known = tuple(known)
    if not isinstance(value, str) or value not in known:
        raise fail(f"{_brief(value)} is not one of {', '.join(known)}", path, nearest(str(value)[:40], known))
    return str(value)


def mapping(value: Any, path: Path) -> Mapping[str, Any]:
    """A mapping of keys to values."""
    if not isinstance(value, Mapping):
        raise fail(f"a mapping of keys is expected, found {_brief(value)}", path)
    return value


def sequence(value: Any, path: Path, most: int = MAX_CARDS) -> Sequence[Any]:
    """A list of limited length."""
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > most:
        raise fail(f"a list of at most {most} is expected, found {_brief(value)}", path)
    return value


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def card(value: Any, path: Path, modules: Sequence[str]) -> int:
    """A card by name; "?" is one that nobody told us."""
    if value == "?":
        return UNKNOWN
    if not isinstance(value, str) or value not in card_of:
        fitting = [c.name for c in CARDS if isinstance(value, str) and value in [TRAITS[t].id for t in c.traits]]
        hint = f"write one of {', '.join(fitting)}" if fitting else nearest(str(value)[:40], card_of)
        raise fail(f"{_brief(value)} is no card", path, hint)
    found = card_of[value]
    if found.module not in modules:
        raise fail(f"the card {value} needs the module {found.module}", path, f"add {found.module} to modules")
    return found.index


def cards(value: Any, path: Path, modules: Sequence[str]) -> bytes:
    """A pile: a number of unknown cards, or a list."""
    if isinstance(value, int):
        return bytes((UNKNOWN,)) * number(value, path, 0, MAX_CARDS)
    pile = sequence(value, path)
    return bytes(sorted(card(item, (*path, i), modules) for i, item in enumerate(pile)))


class _Draft:
    """An animal as it is read, before links are known."""

    def __init__(self, uid: int) -> None:
        self.uid, self.body, self.red, self.blue, self.used, self.flags, self.fat = uid, UNKNOWN, 0, 0, 0, 0, 0
        self.faces: list[int] = []


class _Reader:
    """Reads one position."""

    def __init__(self, data: Mapping[str, Any], game: EvolutionGame) -> None:
        self.data, self.game = mapping(data, ()), game
        self.modules = game.modules

    def read(self) -> State:
        data = self.data
        check_keys(data, KEYS, ())
        self._modules()
        phase = PHASES.index(word(data.get("phase", "feeding"), PHASES, ("phase",)))
        players = mapping(data.get("players", {}), ("players",))
        letters = [chr(65 + i) for i in range(len(players))]
        if list(players) != letters or not 2 <= len(letters) <= 8:
            raise fail("players are called A, B, C ... in seat order, 2 to 8 of them", ("players",))
        if len(letters) > self.game.players_max:
            raise fail(f"this scenario is for at most {self.game.players_max} players", ("players",))
        self.letters, self.seats = letters, {name: i for i, name in enumerate(letters)}
        drafts, hands, discards, numbers = [], [], [], []
        for seat, (name, entry) in enumerate(players.items()):
            path: Path = ("players", name)
            entry = mapping({} if entry is None else entry, path)
            check_keys(entry, PLAYER_KEYS, path)
            hands.append(cards(entry.get("hand", 0), (*path, "hand"), self.modules))
            discards.append(cards(entry.get("discard", 0), (*path, "discard"), self.modules))
            row = self._animals(seat, entry.get("animals", {}), (*path, "animals"))
            drafts.append(row)
            lowest = max((d.uid & 255 for d in row), default=0) + 1
            numbers.append(number(entry.get("next", lowest), (*path, "next"), lowest, 256))
        topology, spent = self._links(data.get("links", []), drafts)
        herds = tuple(tuple(self._animal(d, topology) for d in row) for row in drafts)
        first = self._seat(data.get("first", "A"), ("first",))
        deck, top = self._deck(data.get("deck", b"" if self.game.cataclysm else DEFAULT_DECK))
        state = State(
            phase, number(data.get("turn", 1), ("turn",), 1), number(data.get("round", 1), ("round",), 1), first,
            self._seat(data.get("to_move", letters[first]), ("to_move",)), self._acted(data.get("acted", {})),
            number(data.get("idle", 0), ("idle",), 0, len(letters)), self._passed(data.get("passed", [])),
            (number(data.get("bank", 0), ("bank",)),), deck, top, tuple(hands), tuple(discards), herds, tuple(numbers),
            topology, spent, (), (),
        )  # fmt: skip
        if data.get("shells", 0) != 0:
            raise fail("shells need the module time-to-fly", ("shells",))
        stack = read_pending(data.get("pending", []), state, self.modules)
        if word(data.get("at", "running"), ("running", "start"), ("at",)) == "start":
            stack = (*stack, (st.BEGIN,))
        elif phase == st.EXTINCTION and not stack:
            stack = ((st.BEGIN,),)
        return state._replace(stack=stack)

    def _modules(self) -> None:
        for i, name in enumerate(sequence(self.data.get("modules", []), ("modules",), 10)):
            word(name, MODULES, ("modules", i))
            if name not in self.modules:
                raise fail(f"the module {name} is not loaded", ("modules", i))
        if self.data.get("scenario") is not None and self.data["scenario"] != self.game.scenario:
            raise fail(f"the scenario {_brief(self.data['scenario'])} is not loaded", ("scenario",), "cataclysm")

    # small fields

    def _seat(self, value: Any, path: Path) -> int:
        return self.seats[word(value, self.letters, path)]

    def _passed(self, value: Any) -> int:
        return sum(1 << seat for seat in {self._seat(v, ("passed", i)) for i, v in enumerate(sequence(value, ("passed",), 8))})

    def _acted(self, value: Any) -> int:
        acts = 0
        for name, done in mapping(value, ("acted",)).items():
            word(name, ACTS, ("acted", str(name)[:40]))
            if not isinstance(done, bool):
                raise fail("true or false is expected", ("acted", name))
            acts |= ACTS[name] * done
        return acts

    def _deck(self, value: Any) -> tuple[bytes, bytes]:
        if isinstance(value, bytes):
            return value, b""
        if isinstance(value, Mapping):
            check_keys(value, ("top", "more"), ("deck",))
            top = sequence(value.get("top", []), ("deck", "top"))
            known = bytes(card(c, ("deck", "top", i), self.modules) for i, c in enumerate(top))
            return cards(value.get("more", 0), ("deck", "more"), self.modules), known
        return cards(value, ("deck",), self.modules), b""

    # animals

    def _animals(self, seat: int, value: Any, path: Path) -> list[_Draft]:
        value = mapping(value if value is not None else {}, path)
        if len(value) > MAX_ANIMALS:
            raise fail(f"at most {MAX_ANIMALS} animals", path)
        row = []
        for name, entry in value.items():
            here = (*path, str(name)[:20])
            match = re.fullmatch(rf"{chr(97 + seat)}([1-9]\d{{0,2}})", str(name))
            if not match or int(match[1]) > 255:
                raise fail(f"{_brief(name)} is no animal of this player", here, f"names are {chr(97 + seat)}1, {chr(97 + seat)}2, ...")
            draft = _Draft(seat << 8 | int(match[1]))
            if entry is None or isinstance(entry, str):
                self._short(draft, entry or "plain", here)
            else:
                self._long(draft, mapping(entry, here), here)
            self._check_stack(draft, here)
            row.append(draft)
        return row

    def _short(self, draft: _Draft, text: str, path: Path) -> None:
        if len(text) > MAX_TEXT:
            raise fail("the text is too long", path)
        for part in (p.strip() for p in text.split(",")):
            if part == "plain" or not part:
                continue
            if match := re.fullmatch(r"food (\d{1,3})", part):
                draft.red += int(match[1])
            elif part in FLAGS:
                self._flag(draft, part, path)
            elif part.startswith(("mark ", "anglerfish?")) or part == "remains":
                raise fail(f"{part!r} needs a module that is not loaded", path)
            else:
                self._trait(draft, part, path)

    def _long(self, draft: _Draft, entry: Mapping[str, Any], path: Path) -> None:
        check_keys(entry, ANIMAL_KEYS, path)
        traits = entry.get("traits", [])
        for i, part in enumerate(sequence([traits] if isinstance(traits, str) else traits, (*path, "traits"), 60)):
            if not isinstance(part, str):
                raise fail(f"{_brief(part)} is no trait", (*path, "traits", i))
            if part != "plain":
                self._trait(draft, part.strip(), (*path, "traits", i))
        draft.red = number(entry.get("red", 0), (*path, "red")) + number(entry.get("food", 0), (*path, "food"))
        draft.blue = number(entry.get("blue", 0), (*path, "blue"))
        if "body" in entry:
            draft.body = card(entry["body"], (*path, "body"), self.modules)
        for key in ("known_to", "location", "void"):
            if key in entry:
                raise fail(f"{key!r} needs a module that is not loaded", (*path, key))
        for i, name in enumerate(sequence(entry.get("used", []), (*path, "used"), 60)):
            draft.used |= bit[word(name, bit, (*path, "used", i))]
        for name in FLAGS:
            if entry.get(name, False):
                self._flag(draft, name, (*path, name))

    def _flag(self, draft: _Draft, name: str, path: Path) -> None:
        if name not in BASE_CONDITIONS:
            raise fail(f"{name!r} needs a module that is not loaded", path)
        draft.flags |= 1 << FLAGS.index(name)

    def _trait(self, draft: _Draft, text: str, path: Path) -> None:
        match = _TOKEN.match(text)
        if not match:
            raise fail(f"{text[:40]!r} cannot be read", path, "a trait, 'food 1', 'hibernating' or 'plain'")
        face = self._face(match["name"], path)
        trait = TRAITS[TRAIT_OF_FACE[face]]
        if trait.pair:
            raise fail(f"{trait.id} lies on two animals", path, f"write it under links: - {trait.id}: [a1, a2]")
        if match["used"] or match["late"]:
            draft.used |= 1 << trait.index
        if (inside := match["inside"]) is not None:
            self._inside(draft, trait.id, inside, face, path)
            return
        draft.faces.append(face)

    def _inside(self, draft: _Draft, trait: str, inside: str, face: int, path: Path) -> None:
        place = len(draft.faces)
        if trait == "hibernation" and inside == "resting":
            draft.flags |= st.RESTING
            draft.faces.append(face)
        elif trait == "fat-tissue" and (match := re.fullmatch(r"(\d)(?:/([1-9]))?", inside)):
            filled, copies = int(match[1]), int(match[2] or 1)
            if filled > copies:
                raise fail("one yellow token lies on a Fat Tissue card", path, rule="fat-tissue.one-per-card")
            draft.faces += [face] * copies
            draft.fat |= ((1 << filled) - 1) << (place + copies - filled)
        else:
            raise fail(f"{trait}({inside[:20]}) is not known", path, "fat-tissue(1) or hibernation(resting)")

    def _face(self, name: str, path: Path) -> int:
        of_card, colon, side = name.rpartition(":")
        if side not in trait_of:
            words = (*trait_of, *BASE_CONDITIONS, "plain")
            raise fail(f"{side[:40]!r} is no trait", path, nearest(side, words))
        trait = trait_of[side]
        modules = {c.module for c in CARDS if trait.index in c.traits}
        if not modules & set(self.modules):
            raise fail(f"{side} needs the module {sorted(modules)[0]}", path)
        if not colon:
            return face_of_trait(trait.index)
        if of_card == "?":
            return GENERIC + trait.index
        index = card(of_card, path, self.modules)
        if trait.index not in CARDS[index].traits:
            raise fail(f"the card {of_card} has no {side}", path)
        return 2 * index + CARDS[index].traits.index(trait.index)

    @staticmethod
    def _check_stack(draft: _Draft, path: Path) -> None:
        traits = [TRAITS[TRAIT_OF_FACE[f]].id for f in draft.faces]
        for name in traits:
            if traits.count(name) > 1 and name != "fat-tissue":
                rule = "parasite.one" if name == "parasite" else "development.no-duplicate"
                raise fail(f"{name} stands twice on one animal", path, rule=rule)
        if "carnivorous" in traits and "scavenger" in traits:
            raise fail("Carnivorous and Scavenger exclude each other", path, rule="scavenger.not-with-carnivorous")
        if draft.flags & (st.HIBERNATING | st.RESTING) == st.HIBERNATING | st.RESTING:
            raise fail("an animal hibernates or rests, not both", path, rule="hibernation.not-twice")

    def _animal(self, d: _Draft, topology: Topology) -> Animal:
        mask, need, fatcards = derive(d.uid, bytes(d.faces), topology)
        path = ("players", self.letters[d.uid >> 8], "animals", st.name_of(d.uid))
        if d.used & ~mask:
            names = ", ".join(t.id for t in TRAITS if d.used >> t.index & 1 and not mask >> t.index & 1)
            raise fail(f"{names} is marked as used, but the animal has it not", path)
        if d.red + d.blue > MAX_NUMBER:
            raise fail("too many tokens", path)
        return Animal(d.uid, d.body, bytes(d.faces), mask, need, d.red, d.blue, d.fat, fatcards, d.used, d.flags, 0, ())

    # links

    def _links(self, value: Any, drafts: list[list[_Draft]]) -> tuple[Topology, int]:
        names = {st.name_of(d.uid): d.uid for row in drafts for d in row}
        links: list[Link] = []
        used: list[tuple[int, int, int]] = []
        for i, entry in enumerate(sequence([] if value is None else value, ("links",))):
            path: Path = ("links", i)
            entry = mapping(entry, path)
            if len(entry) != 1:
                raise fail("one pair card per entry, like - cooperation: [a1, a2]", path)
            key, ends = next(iter(entry.items()))
            link, star = self._link(str(key)[:80], ends, names, path)
            for other in links:
                if other[0] == link[0] and set(other[1:3]) == set(link[1:3]):
                    raise fail("these two animals have that pair trait already", path, rule="development.pair-once-per-pair")
            links.append(link)
            if star:
                used.append(link[:3])
        topology = Topology(links)
        return topology, sum(1 << i for i, link in enumerate(topology.links) if link[:3] in used)

    def _link(self, key: str, ends: Any, names: dict[str, int], path: Path) -> tuple[Link, bool]:
        star = key.endswith("*")
        face = self._face(key.rstrip("*"), path)
        trait = TRAITS[TRAIT_OF_FACE[face]]
        if not trait.pair:
            raise fail(f"{trait.id} is no pair trait", path, "symbiosis, cooperation, communication")
        directed = trait.id == "symbiosis"
        if isinstance(ends, Mapping):
            check_keys(ends, ("symbiont", "protected"), (*path, key))
            ends = [ends.get("symbiont"), ends.get("protected")]
        pair = sequence(ends, (*path, key), 2)
        if len(pair) != 2:
            raise fail("a pair card joins two animals", path, rule="development.pair-two-animals")
        u, v = (names[word(name, names, (*path, key))] for name in pair)
        if u == v:
            raise fail("a pair card joins two different animals", path, rule="development.pair-two-animals")
        if u >> 8 != v >> 8:
            raise fail("both animals of a pair belong to one player", path, rule="development.pair-same-owner")
        if not directed and u > v:
            u, v = v, u
        return (trait.index, u, v, face), star


def read_position(data: Mapping[str, Any], game: EvolutionGame) -> State:
    """Read a position for a game whose modules and scenario fit it; NotationError otherwise."""
    return _Reader(data, game).read()
