"""Questions of legality and the prohibitions that answer them.

A `Ban` is one printed prohibition: a cheap test and the names its reason needs.  A `Question` is a list of bans.
`moves` asks a question with `allows`, which stops at the first ban; `why_not` asks the same object with `reasons`,
which runs them all.  There is no other check of legality anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from evotutor.core.model import Param, Reason

Test = Callable[..., Any]
Names = Callable[..., dict[str, Param]]


class Ban(NamedTuple):
    """One prohibition: rule id, test (truthy = forbidden), and the names its reason needs, from the same arguments."""

    rule: str
    forbids: Test
    names: Names


class Question:
    """A yes-or-no question of legality: allowed unless one of its bans forbids it."""

    __slots__ = ("bans", "tests")

    def __init__(self, bans: Iterable[Ban], off: frozenset[str] = frozenset()) -> None:
        self.bans = tuple(ban for ban in bans if ban.rule not in off)
        self.tests = tuple(ban.forbids for ban in self.bans)

    def allows(self, *args: Any) -> bool:
        """True when no ban forbids it."""
        for forbids in self.tests:  # noqa: SIM110 - a plain loop is twice as fast here
            if forbids(*args):
                return False
        return True

    def reasons(self, *args: Any) -> list[Reason]:
        """All bans that forbid it, each as a reason."""
        return [Reason(ban.rule, tuple(ban.names(*args).items())) for ban in self.bans if ban.forbids(*args)]
