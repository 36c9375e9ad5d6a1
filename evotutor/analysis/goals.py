"""What a solver plays for: goals as numbers for every seat, with the bounds that make a search short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Protocol

from evotutor.core.model import Game

Values = tuple[float, ...]
"""One number per seat; every seat wants its own to be large."""


class Goal(Protocol):
    """A goal in words that people use.  `values` is asked at the end of the search, `early` on the way there."""

    name: str
    least: float
    most: float
    sudden: bool
    """Can the value be certain before the end, so that `early` has to be asked?"""

    def values(self, game: Game[Any], state: Any) -> Values:
        """The value for each seat of a finished position."""
        ...

    def early(self, state: Any) -> Values | None:
        """The value for each seat, if it is certain already."""
        ...

    def window(self, state: Any, seat: int) -> tuple[float, float]:
        """Bounds of the value for a seat, whatever is played from here."""
        ...


@dataclass(frozen=True)
class Words:
    """How a goal is written: its word, and whether it names an animal."""

    word: str
    animal: bool = False


GOALS: Final = (
    Words("score"), Words("win"), Words("most-animals"), Words("feed-all"), Words("survive", True), Words("kill", True),
)  # fmt: skip


class GoalError(ValueError):
    """A goal that cannot be read; the message names the right words."""


def parse(text: str) -> tuple[str, str]:
    """Split ``survive a1`` or ``survive(a1)`` into word and animal; GoalError names the goals there are."""
    word, _, rest = text.strip().lower().replace("(", " ").replace(")", " ").partition(" ")
    known = {goal.word: goal for goal in GOALS}
    if word not in known:
        near = get_close_matches(word, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"goals: {', '.join(known)}"
        raise GoalError(f"no goal {text!r}; {hint}")
    animal = rest.strip()
    if known[word].animal and not animal:
        raise GoalError(f"whose? write: {word} a1")
    if animal and not known[word].animal:
        raise GoalError(f"{word} names no animal")
    return word, animal


def against_the_best(totals: Sequence[float]) -> Values:
    """Every seat's total less the best of the others; 0 where there are none."""
    return tuple(
        total - max((other for k, other in enumerate(totals) if k != seat), default=0)
        for seat, total in enumerate(totals)
    )
