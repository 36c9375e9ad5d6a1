"""The mistake finder: what each decision of a played feeding phase lost, and where it turned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from evotutor.analysis.report import best_line, question
from evotutor.analysis.solver import CLOSE, Limits, search
from evotutor.core.play import play_line


@dataclass(frozen=True)
class Judged:
    """A played line: whose, its value and the best there was, both for that player, and the best line instead."""

    number: int
    text: str
    player: int
    value: float
    best: float
    instead: str

    @property
    def lost(self) -> float:
        """Value given away, 0 for a best line."""
        return max(0.0, self.best - self.value)


@dataclass(frozen=True)
class Review:
    """All decisions that could be judged; `missing` counts those whose value was not proven within the limits."""

    decisions: tuple[Judged, ...]
    missing: int

    @property
    def turning(self) -> Judged | None:
        """The decision that lost most, None when nothing was lost."""
        worst = max(self.decisions, key=lambda judged: judged.lost, default=None)
        return worst if worst is not None and worst.lost > CLOSE else None


def review(game: Any, state: Any, lines: Sequence[str], words: str = "score", limits: Limits | None = None) -> Review:
    """Judge every line of play that a player chose; chance is played as it came.

    Raises IllegalMove or NotationError where a line cannot be played.
    """
    limits = limits or Limits()
    found: list[Judged] = []
    missing, spent = 0, 0.0
    for number, text in enumerate(lines, 1):
        steps: list[tuple[Any, Any]] = []
        after = play_line(game, state, text, None, steps)
        before = next((s for s, _ in steps if not game.decision(s).chance and len(game.moves(s)) > 1), None)
        if before is not None:
            player = game.decision(before).player
            ask = question(game, before, words, player)
            finder = search(ask, len(state.hands), replace(limits, seconds=max(0.05, limits.seconds - spent)))
            best, value = finder.bounds(before), finder.bounds(after)
            spent += finder.seconds
            if best.exact and value.exact:
                instead = best_line(finder, before) if best.low > value.low + CLOSE else text
                found.append(Judged(number, text, player, value.low, best.low, instead))
            else:
                missing += 1
        state = after
    return Review(tuple(found), missing)
