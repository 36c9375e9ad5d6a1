"""Positions and moves as text: the functions that the game re-exports."""

from __future__ import annotations

from evotutor.games.evolution.move_text import join_line, parse_line, player_of_line, show
from evotutor.games.evolution.position_reader import read_position, read_text
from evotutor.games.evolution.position_writer import text, to_data

__all__ = ["join_line", "parse_line", "player_of_line", "read_position", "read_text", "show", "text", "to_data"]
