"""Drivers: play lines of text, and take by itself what leaves no choice.

The rules know single decisions only.  `settle` takes answers with one possible outcome, steps nobody is asked about, an
opportunity in which nothing but ending it is possible, and chance with one outcome.
"""

from __future__ import annotations

from typing import Any

from evotutor.core.model import Game, IllegalMove, Move, NotationError

OPPORTUNITIES = ("development", "own-feeding-phase")
"""Kinds of decision that a player makes himself: never taken for him, but for an `end` that is all he can do."""
Record = list[tuple[Any, Move]]


def forced(game: Game[Any], state: Any) -> Move | None:
    """The one move or outcome that is possible here and nobody's choice, or None."""
    decision = game.decision(state)
    if decision.over:
        return None
    if decision.chance:
        outcomes = game.outcomes(state)
        return outcomes[0][0] if len(outcomes) == 1 else None
    moves = game.moves(state)
    if len(moves) != 1:
        return None
    if decision.kind in OPPORTUNITIES and not game.show(state, moves[0]).endswith(": end"):
        return None
    return moves[0]


def settle(game: Game[Any], state: Any, events: list[Any] | None = None, record: Record | None = None) -> Any:
    """Take everything that is forced; `record` gets (state before, move) of each step."""
    while (move := forced(game, state)) is not None:
        if record is not None:
            record.append((state, move))
        state = game.apply(state, move, events)
    return state


def _refused(game: Game[Any], state: Any, text: str) -> list[Any]:
    """Reasons against the line here; [] when it can be played."""
    decision = game.decision(state)
    if decision.chance:
        chain = game.line(state, text)
        if len(chain) == 1 and any(chain[0] == move for move, _ in game.outcomes(state)):
            return []
    elif text.split()[0] in ("roll", "draw"):
        return [None]
    return list(game.why_not_line(state, text))


def play_line(
    game: Game[Any], state: Any, text: str, events: list[Any] | None = None, record: Record | None = None
) -> Any:
    """Play one line, taking forced steps before it only as far as it needs.

    Raises IllegalMove with all reasons, or NotationError when the line cannot be read.
    """
    while True:
        try:
            reasons = _refused(game, state, text)
        except NotationError:
            if (step := forced(game, state)) is None:
                raise
            reasons = [None]
        if not reasons:
            return _play(game, state, game.line(state, text), events, record)
        step = forced(game, state)
        if step is None:
            raise IllegalMove(text, [r for r in reasons if r is not None] or game.why_not_line(state, text))
        if record is not None:
            record.append((state, step))
        state = game.apply(state, step, events)


def _play(game: Game[Any], state: Any, chain: list[Move], events: list[Any] | None, record: Record | None) -> Any:
    for move in chain:
        if record is not None:
            record.append((state, move))
        state = game.apply(state, move, events)
    return state
