"""Write a state as the shortest mapping that reads back as exactly this state."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

from evotutor.games.evolution import state as st
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, UNKNOWN, card_name, face_name, trait_of
from evotutor.games.evolution.pending_reader import write_frame
from evotutor.games.evolution.state import FLAGS, PHASES, Animal, State, name_of

if TYPE_CHECKING:
    from evotutor.games.evolution.game import EvolutionGame

HIBERNATION = trait_of["hibernation"].index


def _pile(cards: bytes) -> int | list[str]:
    return len(cards) if all(c == UNKNOWN for c in cards) else [card_name(c) for c in cards]


def _traits(a: Animal) -> list[str]:
    words = []
    for place, face in enumerate(a.faces):
        trait = TRAIT_OF_FACE[face]
        word = face_name(face) if face < 128 or face_name(face) == TRAITS[trait].id else f"?:{TRAITS[trait].id}"
        if a.fat >> place & 1:
            word += "(1)"
        if trait == HIBERNATION and a.flags & st.RESTING:
            word += "(resting)"
        elif a.used >> trait & 1:
            word += "*"
        words.append(word)
    return words


def _animal(a: Animal) -> str | dict[str, Any]:
    traits = _traits(a)
    resting = any(word.endswith("(resting)") for word in traits)
    flags = [f for i, f in enumerate(FLAGS) if a.flags >> i & 1 and not (f == "resting" and resting)]
    paired = [t.id for t in TRAITS if a.used >> t.index & 1 and t.index not in [TRAIT_OF_FACE[f] for f in a.faces]]
    starred = [t for f in a.faces if (t := TRAIT_OF_FACE[f]) == HIBERNATION and a.used >> t & 1 and resting]
    if not (a.blue or paired or starred or a.body != UNKNOWN):
        food = [f"food {a.red}"] if a.red else []
        return ", ".join([*traits, *food, *flags]) or "plain"
    data: dict[str, Any] = {"traits": traits} if traits else {}
    data |= {key: n for key, n in (("red", a.red), ("blue", a.blue)) if n}
    data |= dict.fromkeys(flags, True)
    if used := [*paired, *(TRAITS[t].id for t in starred)]:
        data["used"] = used
    if a.body != UNKNOWN:
        data["body"] = card_name(a.body)
    return data


def _player(s: State, seat: int) -> dict[str, Any]:
    data: dict[str, Any] = {}
    if s.hands[seat]:
        data["hand"] = _pile(s.hands[seat])
    if s.discards[seat]:
        data["discard"] = _pile(s.discards[seat])
    if s.herds[seat]:
        data["animals"] = {name_of(a.uid): _animal(a) for a in s.herds[seat]}
    if s.numbers[seat] != max((a.uid & 255 for a in s.herds[seat]), default=0) + 1:
        data["next"] = s.numbers[seat]
    return data


def _links(s: State) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for i, (trait, u, v, face) in enumerate(s.links.links):
        name = face_name(face) + "*" * (s.spent >> i & 1)
        both = [name_of(u), name_of(v)]
        directed = TRAITS[trait].id == "symbiosis"
        rows.append({name: dict(zip(("symbiont", "protected"), both, strict=True)) if directed else both})
    return rows


def to_data(s: State, game: EvolutionGame) -> dict[str, Any]:
    """The position as a mapping; `game.position` reads it back."""
    letters = [chr(65 + i) for i in range(len(s.hands))]
    data: dict[str, Any] = {"modules": list(game.modules)}
    if game.scenario:
        data["scenario"] = game.scenario
    data["phase"] = PHASES[s.phase]
    frames = [f for f in s.stack if f[0] != st.BEGIN]
    if len(frames) < len(s.stack):
        data["at"] = "start"
    data |= {"turn": s.turn, "round": s.round, "bank": s.bank[0]}
    data["deck"] = {"top": [card_name(c) for c in s.top], "more": _pile(s.deck)} if s.top else _pile(s.deck)
    data |= {"first": letters[s.first], "to_move": letters[s.player]}
    acts = (("took", st.TOOK), ("hunted", st.HUNTED), ("converted", st.CONVERTED), ("side", st.SIDE))
    if s.acted:
        data["acted"] = {name: True for name, mask in acts if s.acted & mask}
    if s.passed:
        data["passed"] = [x for i, x in enumerate(letters) if s.passed >> i & 1]
    if s.idle:
        data["idle"] = s.idle
    data["players"] = {x: _player(s, i) for i, x in enumerate(letters)}
    if s.links.links:
        data["links"] = _links(s)
    if frames:
        data["pending"] = [write_frame(f, s) for f in frames]
    return data


def text(s: State, game: EvolutionGame) -> str:
    """The position as YAML."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = None
    yaml.width = 120
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    out = StringIO()
    yaml.dump(to_data(s, game), out)
    return out.getvalue()
