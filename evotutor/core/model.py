"""What every game shares: decisions, reasons, events and the protocol they travel by.

Nothing here knows a game.  Moves are plain tuples of small integers so that search stays fast; a game prints and parses
them (`Game.show`, `Game.line`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

Move = tuple[int, ...]
"""One decision.  The first number is the verb, the rest are its arguments; only the game that made it can read it."""

Param = str | int


class Reason(NamedTuple):
    """Why a move is refused: the id of a rule and the names that its text needs."""

    rule: str
    params: tuple[tuple[str, Param], ...] = ()


class Decision(NamedTuple):
    """What is asked now.

    `kind` is the game's word for the question ("own-feeding-phase", "reaction", "roll", ...); `player` is the seat that
    answers, or None for chance and when the game is over.
    """

    kind: str
    player: int | None
    chance: bool = False
    over: bool = False


class Event(NamedTuple):
    """One thing that happened, dressed for people (`dress`); the rules emit plain tuples of the same shape.

    `rule` says why; `parent` is the index of the event in the same list that caused this one, or -1 for the decision
    itself.  `data` depends on `kind`:

    * ``move``      player (or -1 for chance), move
    * ``transfer``  source, sink, colour, n, card -- tokens; see `TOKENS`
    * ``card``      card code, source, sink       -- cards; places are ("hand", p) ("discard", p) ("deck",)
      ("animal", uid) ("link", kind, uid, uid)
    * ``born`` uid / ``die`` uid
    * ``state``     uid, word, value              -- a condition that begins (value 1) or ends (0); the word "used" is
      followed by the trait's id as value, "ready" likewise
    * ``attack``    hunter uid, prey uid / ``escape`` hunter uid, prey uid / ``redirect`` hunter, old prey, new prey
    * ``roll``      tuple of dice
    * ``phase``     name / ``pass`` player / ``end`` player / ``turn`` number, first player / ``over``
    """

    kind: str
    rule: str
    parent: int
    data: tuple[Any, ...]


def dress(raw: Sequence[Any]) -> Event:
    """Turn a raw event tuple into an `Event`."""
    return Event(raw[0], raw[1], raw[2], tuple(raw[3:]))


TOKENS = """Places a token can be: "bank", "stock" (blue tokens beside the table), an animal's uid, ("fat", uid), and
the sinks "grazed", "wasted", "lost" (with the dead), "leftover" (bank at the end of the phase), "cleared" (red and
blue of survivors at the end of the turn).  `colour` is the colour at the sink: red, blue or yellow."""


class Item(NamedTuple):
    """One line of a score: how many points, for which animal and which rule, with the trait where it is one."""

    points: int
    rule: str
    uid: int
    trait: str = ""


class ScoreLine(NamedTuple):
    """A player's score: total, items, size of the discard for ties, place (1 is best, shared places possible)."""

    player: int
    total: int
    items: tuple[Item, ...]
    tie: int
    place: int


class NotationError(ValueError):
    """A position, move or file that cannot be read.

    `path` names the place inside the position, as a tuple of keys; `rule` is the rule that forbids it, if one does;
    `hint` is what to write instead.
    """

    def __init__(self, message: str, *, path: tuple[str | int, ...] = (), rule: str = "", hint: str = "") -> None:
        super().__init__(message + (f" ({hint})" if hint else ""))
        self.message, self.path, self.rule, self.hint = message, path, rule, hint


class IllegalMove(ValueError):
    """A move that the rules refuse here; `reasons` is never empty."""

    def __init__(self, text: str, reasons: Sequence[Reason]) -> None:
        super().__init__(f"{text}: {', '.join(r.rule for r in reasons)}")
        self.text, self.reasons = text, tuple(reasons)


S = TypeVar("S")


class Game(Protocol[S]):
    """What panels, cases, lessons, solvers and bots are written against."""

    name: str

    def new(self, players: int, seed: int) -> S: ...
    def position(self, data: Mapping[str, Any]) -> S: ...
    def to_data(self, state: S) -> dict[str, Any]: ...
    def text(self, state: S) -> str: ...
    def decision(self, state: S) -> Decision: ...
    def moves(self, state: S) -> list[Move]: ...
    def outcomes(self, state: S) -> list[tuple[Move, float]]: ...
    def sample(self, state: S, rng: Random) -> Move: ...
    def apply(self, state: S, move: Move, events: list[tuple[Any, ...]] | None = None) -> S: ...
    def why_not(self, state: S, move: Move) -> list[Reason]: ...
    def show(self, state: S, move: Move) -> str: ...
    def line(self, state: S, text: str) -> list[Move]: ...
    def why_not_line(self, state: S, text: str) -> list[Reason]: ...
    def observe(self, state: S, player: int) -> S: ...
    def resample(self, state: S, player: int, rng: Random) -> S: ...
    def search_key(self, state: S) -> Any: ...
    def score(self, state: S) -> list[ScoreLine]: ...
