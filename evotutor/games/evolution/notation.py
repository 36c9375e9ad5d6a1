"""Positions and moves as text: what the game and its users need of the readers and writers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from evotutor.core.model import NotationError
from evotutor.games.evolution.move_reader import parse_line, player_of_line
from evotutor.games.evolution.move_text import join_line, show
from evotutor.games.evolution.position_reader import PositionReader
from evotutor.games.evolution.position_writer import text, to_data
from evotutor.games.evolution.state import State

LONGEST_TEXT: Final = 200_000
"""Most characters of a position's YAML."""


def read_position(data: Mapping[str, Any], game: Any) -> State:
    """Read the `position:` of a case into a state; NotationError names the place, the rule and the nearest word."""
    return PositionReader(data, game).read()


def read_text(source: str, game: Any) -> State:
    """Read a position written as YAML, as `text` writes it."""
    if not isinstance(source, str) or len(source) > LONGEST_TEXT:
        raise NotationError(f"a position is a text of at most {LONGEST_TEXT} characters")
    try:
        data = YAML(typ="safe", pure=True).load(source)
    except (YAMLError, ValueError, RecursionError, OverflowError, AttributeError) as error:
        first = str(error).strip().splitlines()
        raise NotationError(f"this is not YAML: {first[0] if first else type(error).__name__}") from error
    return read_position(data, game)


__all__ = ["join_line", "parse_line", "player_of_line", "read_position", "read_text", "show", "text", "to_data"]
