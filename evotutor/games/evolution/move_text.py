"""Writes moves as text (`show`).  `move_reader` reads the same texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from evotutor.core.model import Move, NotationError
from evotutor.games.evolution import moves as m
from evotutor.games.evolution.catalog import TRAITS, card_name
from evotutor.games.evolution.locations import FOOD, LOCATIONS
from evotutor.games.evolution.position_animals import card_word
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
    >>> join_line("A: attack a1 b1", "A: ignore camouflage")
    'A: attack a1 b1 ignoring camouflage'
    """
    words = part.partition(": ")[2] or part
    verb, _, rest = words.partition(" ")
    if verb == "ignore":
        return f"{line} ignoring {rest}"
    return f"{line} {rest if verb in ('and', 'target', 'victim', 'split') else words}"


def pair_name(trait: int, u: int, v: int) -> str:
    """A pair card named by its ends."""
    return f"{TRAITS[trait].id}({name_of(u)},{name_of(v)})"


def _named(verb: str) -> Callable[[State, Move], str]:
    return lambda state, move: f"{verb} {name_of(move[1])}"


def _plain(verb: str) -> Callable[[State, Move], str]:
    return lambda state, move: verb


def _card(verb: str) -> Callable[[State, Move], str]:
    """A verb about one card of an animal, unpaired or between two."""

    def write(state: State, move: Move) -> str:
        name = name_of(move[1])
        if move[2] < 0:
            return f"{verb} {name} {pair_name(move[3], move[4], move[5])}"
        animal = find(state, move[1])
        return f"{verb} {name} {card_word(animal.faces if animal is not None else b'', move[2])}"

    return write


def _animal_card(state: State, move: Move) -> str:
    return f"play {card_name(move[1])}" + (f" in {LOCATIONS[move[2]]}" if len(move) > 2 else "")


def _roll(state: State, move: Move) -> str:
    """The dice; for the food of locations those of each continent behind its name."""
    dice = list(map(str, move[1:]))
    if len(state.bank) > 1 and len(dice) > 1:
        n = FOOD[len(state.hands)][0][0]
        dice = ["laurasia", *dice[:n], "gondwana", *dice[n:]]
    return " ".join(["roll", *dice])


_WRITE: Final[dict[int, Callable[[State, Move], str]]] = {
    m.PASS: _plain("pass"),
    m.PLAY_ANIMAL: _animal_card,
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
    m.DROP: _card("drop"),
    m.DECLINE: _plain("decline"),
    m.TRIGGER: lambda state, move: f"trigger {pair_name(move[1], move[2], move[3])} {name_of(move[4])}",
    m.SCAVENGE: _named("scavenge"),
    m.ROLL: _roll,
    m.DRAW: lambda state, move: f"draw {card_name(move[1])}",
    m.BEGIN_STEP: _plain("begin"),
    m.AMBUSH: _named("ambush"),
    m.IGNORE: lambda state, move: f"ignore {TRAITS[move[1]].id if move[1] >= 0 else 'none'}",
    m.HIDE: _named("hide"),
    m.INK: _named("ink"),
    m.REVEAL: _named("reveal"),
    m.METAMORPHOSE: _card("metamorphose"),
    m.SPECIALIZE: _named("specialize"),
    m.SETTLE: _named("settle"),
    m.MIGRATE: lambda state, move: f"migrate {name_of(move[1])} to {LOCATIONS[move[2]]}",
    m.DONE: _plain("done"),
    m.FOLLOW: lambda state, move: f"follow {name_of(move[1])} after {name_of(move[2])}",
    m.LAND: lambda state, move: f"land {name_of(move[1])} in {LOCATIONS[move[2]]}",
    m.FETCH: lambda state, move: f"fetch {name_of(move[1])} from {chr(65 + move[2])}",
    m.RECOMBINE: _card("recombine"),
    m.SPLIT: _card("split"),
    m.RESTORE: lambda state, move: f"restore {name_of(move[1])} with {card_name(move[2])}",
    m.WARM: _named("warm"),
}
