"""Panels for notebooks: ipywidgets around one board.  Nothing else of the project imports this package."""

from __future__ import annotations

from evotutor.widgets.board import Board
from evotutor.widgets.panel import TutorPanel
from evotutor.widgets.view import view

__all__ = ["Board", "TutorPanel", "view"]
