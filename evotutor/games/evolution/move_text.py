"""Writes moves as text (`show`).  `move_reader` reads the same texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from evotutor.core.model import Move, NotationError
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import TRAIT_OF_FACE, TRAITS, card_name
from evotutor.games.evolution.position_writer import played
from evotutor.games.evolution.state import State, find, name_of

CHANCE: Final = (m.ROLL, m.DRAW, m.BEGIN_STEP)
"""Verbs that no player says."""


def show(state: State, move: Move, game: Any) -> str:
    """The move as text, with the letter of the player who decides."""
    try:
        words = _WRITE[move[0]](state, move)
    except (IndexError, KeyError) as error:
        raise NotationError(f"{move!r} is no move of this position") from error
    player = None if move[0] in CHANCE else game.decision(state).player
    return words if player is None else f"{chr(65 + player)}: {words}"


def join_line(line: str, part: str) -> str:
    """One line from the text of a move and the text of the next part of its chain.

    >>> join_line("A: play symbiosis:symbiosis on a1", "A: and a2")
    'A: play symbiosis:symbiosis on a1 a2'
    >>> join_line("A: attack a1", "A: target b1")
    'A: attack a1 b1'
    """
    words = part.partition(": ")[2] or part
    verb, _, rest = words.partition(" ")
    return f"{line} {rest if verb in ('and', 'target', 'victim') else words}"


def pair_name(trait: int, u: int, v: int) -> str:
    """A pair card named by its ends."""
    return f"{TRAITS[trait].id}({name_of(u)},{name_of(v)})"


def trait_places(faces: bytes, trait: int) -> list[int]:
    """Places of a trait in the stack, bottom up."""
    return [place for place, face in enumerate(faces) if TRAIT_OF_FACE[face] == trait]


def _named(verb: str) -> Callable[[State, Move], str]:
    return lambda state, move: f"{verb} {name_of(move[1])}"


def _plain(verb: str) -> Callable[[State, Move], str]:
    return lambda state, move: verb


def _drop(state: State, move: Move) -> str:
    name = name_of(move[1])
    if move[2] < 0:
        return f"drop {name} {pair_name(move[3], move[4], move[5])}"
    animal = find(state, move[1])
    faces = animal.faces if animal is not None else b""
    trait = TRAIT_OF_FACE[faces[move[2]]]
    places = trait_places(faces, trait)
    copy = f"#{places.index(move[2]) + 1}" if len(places) > 1 else ""
    return f"drop {name} {TRAITS[trait].id}{copy}"


_WRITE: Final[dict[int, Callable[[State, Move], str]]] = {
    m.PASS: _plain("pass"),
    m.PLAY_ANIMAL: lambda state, move: f"play {card_name(move[1])}",
    m.PLAY_TRAIT: lambda state, move: f"play {played(move[1], move[2])}",
    m.ON: _named("on"),
    m.AND: _named("and"),
    m.TAKE: _named("take"),
    m.ATTACK: _named("attack"),
    m.TARGET: _named("target"),
    m.CONVERT: lambda state, move: f"convert {name_of(move[1])} {move[2]}",
    m.GRAZE: _named("graze"),
    m.PIRATE: _named("pirate"),
    m.VICTIM: _named("victim"),
    m.HIBERNATE: _named("hibernate"),
    m.END: _plain("end"),
    m.RUN: _named("run"),
    m.MIMIC: lambda state, move: f"mimic {name_of(move[1])} to {name_of(move[2])}",
    m.DROP: _drop,
    m.DECLINE: _plain("decline"),
    m.TRIGGER: lambda state, move: f"trigger {pair_name(move[1], move[2], move[3])} {name_of(move[4])}",
    m.SCAVENGE: _named("scavenge"),
    m.ROLL: lambda state, move: " ".join(["roll", *map(str, move[1:])]),
    m.DRAW: lambda state, move: f"draw {card_name(move[1])}",
    m.BEGIN_STEP: _plain("begin"),
}
