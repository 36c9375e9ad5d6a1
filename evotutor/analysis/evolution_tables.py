"""Where puzzles are looked for: small random tables of Evolution, and random games cut off in a feeding phase."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Any, Final

from evotutor.analysis.playout import choose
from evotutor.core.play import settle
from evotutor.games import load
from evotutor.games.evolution.catalog import CARDS, TRAIT_OF_FACE, TRAITS
from evotutor.games.evolution.dense import kit
from evotutor.games.evolution.state import FEEDING, State

LONGEST: Final = 400
"""Decisions of a random game before it is given up."""
LARGEST: Final = 7
"""Most animals of a position from a random game."""
NEEDY: Final = {"parasite": 5, "high-body-weight": 5, "carnivorous": 2, "fat-tissue": 3, "piracy": 2, "grazing": 2}
OFTEN: Final = {"carnivorous": 5, "fat-tissue": 3, "high-body-weight": 2, "tail-loss": 2, "grazing": 2, "parasite": 2}
"""How much likelier than others a trait is."""
LAND: Final = ("laurasia", "gondwana")
BANKS: Final = (*LAND, "ocean")
_CARD: Final = re.compile(r"[a-z-]+/[a-z-]+:")


@dataclass(frozen=True)
class Setup:
    """What is played: modules, scenario, number of players.  `often`: its share of the seeds.

    `pairs`: so many pair traits at least, all of player A, and more animals that need much (order of Cooperation).
    """

    name: str
    modules: tuple[str, ...] = ("base",)
    scenario: str | None = None
    players: int = 2
    often: int = 1
    pairs: int = 0


FLY, LANDS, GIFT = "time-to-fly", "continents", "gift-box"
SETUPS: Final = {
    setup.name: setup
    for setup in (
        Setup("base", often=3),
        Setup("base-three", players=3),
        Setup("base-pairs", pairs=2, often=2),
        Setup(FLY, ("base", FLY), often=2),
        Setup(LANDS, ("base", LANDS), often=2),
        Setup(GIFT, ("base", GIFT), often=2),
        Setup("fly-continents", ("base", FLY, LANDS)),
        Setup("fly-gift", ("base", FLY, GIFT)),
        Setup("continents-gift", ("base", LANDS, GIFT)),
        Setup("everything", ("base", FLY, LANDS, GIFT)),
        Setup("cataclysm", scenario="cataclysm"),
        Setup("cataclysm-expansions", ("base", FLY, LANDS), "cataclysm"),
    )
}


@cache
def rules_version() -> str:
    """A short name of the rules: it changes with every change of the files that hold them."""
    digest = sha256()
    folder = files("evotutor.games.evolution")
    for place in (folder, folder / "data"):
        for entry in sorted(place.iterdir(), key=lambda entry: entry.name):
            if entry.name.endswith((".py", ".csv")):
                digest.update(entry.name.encode() + entry.read_bytes())
    return digest.hexdigest()[:12]


@cache
def game_of(setup: Setup) -> Any:
    """The game of a setup."""
    return load("evolution", modules=setup.modules, scenario=setup.scenario)


def candidate(setup: Setup, rng: Random) -> tuple[Any, Any] | None:
    """A game and a position where somebody begins an own feeding phase; None when this try gave none."""
    game = game_of(setup)
    data = random_table(setup, rng) if setup.scenario or setup.pairs or rng.random() < 0.8 else cut_game(setup, rng)
    if data is None:
        return None
    try:
        state = settle(game, game.position(data))
    except ValueError:
        return None
    decision = game.decision(state)
    return (game, state) if state.phase == FEEDING and decision.kind == "own-feeding-phase" else None


def shows(setup: Setup, state: State) -> bool:
    """Does the position show what is special in its setup: an expansion's trait, of two expansions where they meet?"""
    new = {t: module for module in setup.modules[1:] for t in _new_traits(module)}
    traits = {TRAIT_OF_FACE[face] for herd in state.herds for a in herd for face in a.faces}
    there = {new[t] for t in traits | {link[0] for link in state.links.links} if t in new}
    places = {a.loc for herd in state.herds for a in herd} | {loc for loc, n in enumerate(state.bank) if n}
    there |= {LANDS} if game_of(setup).locations and len(places) > 1 else set()
    return len(there) >= min(len(setup.modules) - 1, 1 if setup.scenario else 2)


@cache
def _new_traits(module: str) -> frozenset[int]:
    """Traits that the base game does not have."""
    old = {t for card in CARDS if card.module == "base" for t in card.traits}
    return frozenset({t for card in CARDS if card.module == module for t in card.traits} - old)


# tables


@cache
def _pool(setup: Setup) -> tuple[dict[str, int], list[str], list[str]]:
    """Traits with their weights, those that only expansions have, pair traits."""
    found = kit(game_of(setup).box(setup.players))
    base = {TRAITS[t].id for t in kit(game_of(SETUPS["base"]).box(setup.players)).faces}
    own = [TRAITS[t] for t in found.own]
    often = NEEDY if setup.pairs else OFTEN
    weights = {t.id: often.get(t.id, 1) * (2 if t.id not in base else 1) for t in own if t.id != "r-strategy"}
    return weights, [name for name in weights if name not in base], [TRAITS[t].id for t in found.pairs]


def random_table(setup: Setup, rng: Random) -> dict[str, Any]:
    """A small table as position data; the rules may still refuse it."""
    weights, new, pairs = _pool(setup)
    placed = bool(game_of(setup).locations)
    rows: dict[str, dict[str, str]] = {}
    for seat in range(setup.players):
        letter = chr(97 + seat)
        number = rng.choice((2, 2, 3, 3, 4)) if setup.players == 2 else rng.choice((1, 2, 2))
        number += (setup.scenario is not None or (setup.pairs > 0 and not seat)) and rng.random() < 0.5
        rows[letter.upper()] = {f"{letter}{n}": _animal(rng, weights, new, placed) for n in range(1, number + 1)}
    data: dict[str, Any] = {"modules": list(setup.modules)}
    data |= {"scenario": setup.scenario} if setup.scenario else {"last_turn": rng.random() < 0.75}
    data["bank"] = _bank(rng, placed)
    if "shell" in weights and rng.random() < 0.15:
        data["shells"] = 1
    data["players"] = {seat: {"animals": animals} for seat, animals in rows.items()}
    owners = [list(rng.choice(list(rows.values()))) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
    if setup.pairs:
        owners = [list(rows["A"])] * (setup.pairs + rng.randrange(2))
    return data | {"links": [_link(rng, names, pairs) for names in owners]}


def _bank(rng: Random, placed: bool) -> Any:
    if not placed:
        return rng.choice((1, 1, 2, 2, 3, 3, 4))
    return {place: n for place in BANKS if (n := rng.choice((0, 1, 1, 2) if place != "ocean" else (0, 0, 1)))}


def _animal(rng: Random, weights: Mapping[str, int], new: list[str], placed: bool) -> str:
    number = rng.choice((0, 1, 1, 2, 2, 3))
    traits = list(dict.fromkeys(rng.choices(list(weights), list(weights.values()), k=number)))
    if new and traits and rng.random() < 0.35:
        traits[-1] = rng.choice([name for name in new if name not in traits] or traits[-1:])
    if "carnivorous" in traits and "scavenger" in traits:
        traits.remove("scavenger")
    words = [f"{t}(1)" if t == "fat-tissue" and rng.random() < 0.5 else t for t in traits] or ["plain"]
    if placed and "swimming" not in traits:
        words.append(rng.choice(LAND))
    return ", ".join(words + (["food 1"] if rng.random() < 0.25 else []))


def _link(rng: Random, names: list[str], pairs: list[str]) -> dict[str, Any]:
    kind, two = rng.choice(pairs), rng.sample(names, 2) if len(names) > 1 else names * 2
    return {kind: {"symbiont": two[0], "protected": two[1]} if kind == "symbiosis" else two}


# games


def cut_game(setup: Setup, rng: Random) -> dict[str, Any] | None:
    """A random game cut off in a feeding phase, without hands and discards; None when nothing small came of it."""
    game = game_of(setup)
    state = game.new(setup.players, rng.randrange(1 << 30))
    turn, plies = rng.choice((1, 2, 2, 3)), rng.randrange(6)
    for _ in range(LONGEST):
        if game.decision(state).over or state.turn > turn:
            return None
        kind = game.decision(state).kind
        if state.phase == FEEDING and state.turn == turn and kind == "own-feeding-phase":
            if plies <= 0:
                break
            plies -= 1
        state = game.apply(state, choose(game, state, rng)[1])
    animals = sum(map(len, state.herds))
    if state.phase != FEEDING or animals > LARGEST or not all(state.herds):
        return None
    return _open(game.to_data(state), rng)


def _open(data: dict[str, Any], rng: Random) -> dict[str, Any] | None:
    """The position without cards that somebody could not see."""
    for key in ("deck", "turn", "round", "first", "idle", "acted"):
        data.pop(key, None)
    for row in data["players"].values():
        row.pop("hand", None)
        row.pop("discard", None)
        for name, animal in row.get("animals", {}).items():
            if isinstance(animal, dict) and animal.pop("body", "") == "anglerfish":
                return None
            row["animals"][name] = _without_cards(animal)
    data["last_turn"] = rng.random() < 0.75
    first = data.pop("to_move", "A")
    return data | {"first": first, "to_move": first}


def _without_cards(animal: Any) -> Any:
    """An animal without the names of the cards that its traits are on."""
    if isinstance(animal, str):
        return _CARD.sub("", animal)
    return animal | {"traits": [_CARD.sub("", trait) for trait in animal.get("traits", ())]}
