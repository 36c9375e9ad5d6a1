"""Writes a state as the shortest mapping that `position_reader` reads back exactly, and as YAML."""

from __future__ import annotations

from io import StringIO
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq

from evotutor.games.evolution.catalog import CARDS, GENERIC, TRAIT_OF_FACE, TRAITS, UNKNOWN, bit, card_name, face_name
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.games.evolution.position_animals import ANGLERFISH, card_word, home
from evotutor.games.evolution.position_pending import REASONS, TRIED, WAYS, WORDS
from evotutor.games.evolution.position_reader import ACTED, DECK
from evotutor.games.evolution.state import (
    AMBUSH,
    ATTACK,
    BEGIN,
    CARNIVOROUS,
    DEAL,
    FAT_TISSUE,
    FOLLOW,
    FOUND,
    HIBERNATING,
    IGNORE,
    KILLED,
    MAIN,
    MOVING,
    PARTNER,
    PHASES,
    PLACE,
    POOL,
    RESTING,
    REVEALED,
    REWARD,
    RUN,
    SCAVENGE,
    SIDE,
    SWAP,
    SYMBIOSIS,
    TOOK,
    YOUNG,
    Animal,
    Frame,
    Link,
    State,
    find,
    location_acted,
    name_of,
    shells,
)
from evotutor.games.evolution.vocabulary import CONDITIONS, LONGEST, scope_of

LISTED: Final = 8
"""A longer pile with repeated cards is written as numbers of each card."""
LINE: Final = 110
"""Longest mapping or list that is written in one line."""
_HIBERNATION: Final = bit["hibernation"]
_WORD_OF: Final = {kind: word for word, kind in WORDS.items()}


def to_data(state: State, game: Any) -> dict[str, Any]:
    """The shortest mapping that is read back as this state."""
    data: dict[str, Any] = {}
    if tuple(game.modules) != ("base",):
        data["modules"] = list(game.modules)
    if game.scenario:
        data["scenario"] = game.scenario
    data["phase"] = PHASES[state.phase]
    if state.stack == ((BEGIN,),):
        data["at"] = "start"
    data |= {key: value for key, value in (("turn", state.turn), ("round", state.round)) if value != 1}
    locations = scope_of(game).locations
    data |= _bank(state.bank, locations)
    data |= {"shells": len(shells(state))} if shells(state) else {}
    data |= _deck(state, 0 if game.scenario == "cataclysm" else DECK)
    data |= {"first": _letter(state.first)} if state.first else {}
    data |= {"to_move": _letter(state.player)} if state.player != state.first else {}
    data |= {"acted": _acted(state.acted)} if state.acted else {}
    data |= {"idle": state.idle} if state.idle else {}
    data |= {"passed": [_letter(i) for i in range(len(state.hands)) if state.passed >> i & 1]} if state.passed else {}
    data["players"] = {_letter(seat): _player(state, seat, locations) for seat in range(len(state.hands))}
    if state.links.links:
        data["links"] = [_link(link, bool(state.spent >> i & 1)) for i, link in enumerate(state.links.links)]
    if state.stack and state.stack != ((BEGIN,),):
        data["pending"] = [_frame(frame, state, locations) for frame in state.stack]
    return data


def _letter(seat: int) -> str:
    return chr(65 + seat)


def _bank(bank: tuple[int, ...], locations: bool) -> dict[str, Any]:
    if not any(bank):
        return {}
    return {"bank": {word: n for word, n in zip(LOCATIONS, bank, strict=True) if n} if locations else bank[0]}


def _acted(acted: int) -> dict[str, Any]:
    place = location_acted(acted)
    where = {"location": LOCATIONS[place]} if place >= 0 else {}
    if acted & MAIN == TOOK:
        return {"main": True} | ({"side": True} if acted & SIDE else {}) | where
    return dict.fromkeys((word for word, done in ACTED.items() if acted & done), True) | where


# cards


def _pile(cards: bytes) -> Any:
    """A number of unknown cards, a list, or for a long pile how many of each card."""
    if set(cards) <= {UNKNOWN}:
        return len(cards)
    if len(cards) <= LISTED or len(set(cards)) == len(cards):
        return [card_name(card) for card in cards]
    return {card_name(card): cards.count(card) for card in sorted(set(cards))}


def _deck(state: State, default: int) -> dict[str, Any]:
    deck = _pile(state.deck)
    if state.top:
        return {"deck": {"top": [card_name(card) for card in state.top]} | ({"more": deck} if deck else {})}
    return {} if isinstance(deck, int) and deck == default else {"deck": deck}


# players


def _player(state: State, seat: int, locations: bool) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, pile in (("hand", state.hands[seat]), ("discard", state.discards[seat])):
        if pile:
            data[key] = _pile(pile)
    herd = state.herds[seat]
    if state.numbers[seat] != max((a.uid & 255 for a in herd), default=0) + 1:
        data["next"] = state.numbers[seat]
    if herd:
        data["animals"] = {name_of(a.uid): animal_data(a, locations) for a in herd}
    return data


def animal_data(animal: Animal, locations: bool = False) -> str | dict[str, Any]:
    """An animal in its short form where that is exact, else in the long one."""
    traits = [_trait(animal, place) for place in range(len(animal.faces))]
    surplus = animal.red + animal.blue - animal.need
    flags = animal.flags & ~RESTING if _told(animal) else animal.flags
    words = [word for word, flag in CONDITIONS.items() if flags & flag]
    if animal.flags & REVEALED and animal.used & CARNIVOROUS:
        words.append("spent")
    place = LOCATIONS[animal.loc] if locations and animal.loc != home(animal.faces, animal.flags) else ""
    body = animal.body if animal.body != ANGLERFISH or not animal.flags & REVEALED else UNKNOWN
    if not animal.blue and not animal.more and body in (UNKNOWN, ANGLERFISH):
        hidden = ["anglerfish?"] if body == ANGLERFISH else []
        numbers = [f"{key} {n}" for key, n in (("food", animal.red), ("surplus", surplus)) if n > 0]
        named = traits or ([] if hidden else ["plain"])
        short = ", ".join([*named, *hidden, *([place] if place else []), *numbers, *words])
        if len(short) <= LONGEST:
            return short
    data: dict[str, Any] = {"traits": traits} if traits else {}
    data |= {"location": place} if place else {}
    data |= {key: n for key, n in (("red", animal.red), ("blue", animal.blue), ("surplus", surplus)) if n > 0}
    data |= dict.fromkeys(words, True)
    data |= {"void": _void(animal)} if animal.more else {}
    return data | ({"body": card_name(body)} if body != UNKNOWN else {})


def _void(animal: Animal) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for hunter, trait in animal.more:
        found.setdefault(name_of(hunter), []).append(TRAITS[trait].id)
    return {name: traits[0] if len(traits) == 1 else traits for name, traits in found.items()}


def _told(animal: Animal) -> bool:
    """Does a Hibernation card say that the animal rests?"""
    return any(1 << TRAIT_OF_FACE[face] == _HIBERNATION for face in animal.faces)


def _trait(animal: Animal, place: int) -> str:
    face = animal.faces[place]
    trait, word = TRAIT_OF_FACE[face], _face(face)
    if trait == FAT_TISSUE:
        return word + "(1)" * (animal.fat >> place & 1)
    if 1 << trait == _HIBERNATION:
        word += "(resting)" if animal.flags & RESTING else ""
        return word + "*" * bool(animal.used & _HIBERNATION and not animal.flags & HIBERNATING)
    return word + "*" * (animal.used >> trait & 1)


def _face(face: int) -> str:
    return TRAITS[TRAIT_OF_FACE[face]].id if face >= GENERIC else face_name(face)


# links and pending decisions


def _link(link: Link, spent: bool) -> dict[str, Any]:
    trait, u, v, face = link
    word = _face(face) + "*" * spent
    if 1 << trait == SYMBIOSIS:
        return {word: {"symbiont": name_of(u), "protected": name_of(v)}}
    return {word: [name_of(u), name_of(v)]}


def played(card: int, side: int) -> str:
    """``card:trait`` of a card that is played as a trait."""
    trait = side if card == UNKNOWN else CARDS[card].traits[side]
    return f"{card_name(card)}:{TRAITS[trait].id}"


def _frame(frame: Frame, state: State, locations: bool) -> dict[str, Any]:
    kind, *rest = frame
    word = _WORD_OF[kind]
    if kind in (PLACE, PARTNER):
        data: dict[str, Any] = {word: played(rest[0], rest[1])}
        return data | ({"animal": name_of(rest[2])} if kind == PARTNER else {})
    if kind == ATTACK:
        tried = [name for name in TRIED if rest[2] & bit[name]]
        return {word: [name_of(rest[0]), name_of(rest[1])]} | ({"tried": tried} if tried else {})
    if kind in (RUN, IGNORE):
        return {word: "running" if kind == RUN else "trait"}
    if kind in (KILLED, SCAVENGE):
        return {word: _letter(rest[0])} | ({"in": LOCATIONS[rest[1]]} if locations else {})
    if kind == POOL:
        return {word: _letter(rest[0]), "armed": [_armed(*entry) for entry in rest[1]]}
    if kind == DEAL:
        return {word: {_letter(i): n for i, n in enumerate(rest[0]) if n}, "to": _letter(rest[1])}
    return _later_frame(kind, rest, state, locations)


def _later_frame(kind: int, rest: list[Any], state: State, locations: bool) -> dict[str, Any]:
    word = _WORD_OF[kind]
    if kind == AMBUSH:
        data: dict[str, Any] = {word: name_of(rest[0]), "by": WAYS[rest[1]]}
        return data | ({"ask": _letter(rest[2])} if rest[2] >= 0 else {})
    if kind == REWARD:
        return {word: name_of(rest[0]), "n": rest[1], "for": REASONS[rest[2]]}
    if kind == MOVING:
        return {word: _moves(rest[0])}
    if kind == FOLLOW:
        return {word: _letter(rest[0]), "moving": _moves(rest[1])}
    if kind == FOUND:
        return {word: _letter(rest[0]), "n": rest[1]}
    if kind == YOUNG:
        due = {_letter(i): [LOCATIONS[x] for x in n] if locations else len(n) for i, n in enumerate(rest[0]) if n}
        return {word: due, "to": _letter(rest[1])}
    data = {word: name_of(rest[0])}
    if kind == SWAP:
        animal = find(state, rest[0])
        data["card"] = card_word(animal.faces, rest[1]) if animal is not None else ""
    return data


def _moves(moves: tuple[tuple[int, int, int], ...]) -> list[dict[str, str]]:
    return [{"animal": name_of(uid), "from": LOCATIONS[old], "to": LOCATIONS[new]} for uid, old, new in moves]


def _armed(trait: int, u: int, v: int, to: int) -> dict[str, Any]:
    return {TRAITS[trait].id: [name_of(u), name_of(v)], "to": name_of(to)}


# YAML


def text(state: State, game: Any) -> str:
    """The mapping as YAML: one line for each animal, link and pending decision, unless it is long."""
    yaml = YAML(typ="rt", pure=True)
    yaml.width, yaml.default_flow_style = 10_000, False
    stream = StringIO()
    yaml.dump(_block(to_data(state, game)), stream)
    return stream.getvalue()


def _block(data: dict[str, Any]) -> CommentedMap:
    """Blocks for the table, its players and their animals; what is below stands in one line where it fits."""
    block = CommentedMap({key: _styled(value) for key, value in data.items()})
    block["players"] = CommentedMap({letter: _player_block(player) for letter, player in data["players"].items()})
    for key in ("links", "pending"):
        if key in data:
            block[key] = CommentedSeq(_styled(value) for value in data[key])
    return block


def _player_block(player: dict[str, Any]) -> CommentedMap:
    if not player:
        empty: CommentedMap = _styled(player)
        return empty
    block = CommentedMap({key: _styled(value) for key, value in player.items()})
    if "animals" in player:
        block["animals"] = CommentedMap({name: _styled(animal) for name, animal in player["animals"].items()})
    return block


def _styled(value: Any) -> Any:
    """Flow style for what fits in a line, block style for the rest."""
    if not isinstance(value, (dict, list)):
        return value
    styled: Any
    if isinstance(value, dict):
        styled = CommentedMap({key: _styled(inner) for key, inner in value.items()})
    else:
        styled = CommentedSeq(_styled(inner) for inner in value)
    if len(str(value)) <= LINE:
        styled.fa.set_flow_style()
    return styled
