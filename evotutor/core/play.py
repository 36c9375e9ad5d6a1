"""Drivers: play lines of text, and take by itself what leaves no choice.

The rules know single decisions only.  `settle` takes answers with one possible outcome, steps nobody is asked about, an
opportunity in which nothing but ending it is possible, and chance with one outcome.
"""

from __future__ import annotations

from typing import Any

from evotutor.core.model import Game, IllegalMove, Move, NotationError, Reason

OPPORTUNITIES = ("development", "own-feeding-phase")
"""Kinds of decision that a player makes himself: never taken for him, but for an `end` that is all he can do."""
SHOWN = 8
"""Most outcomes of chance that a message lists."""
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
        state = _step(game, state, move, events, record)
    return state


def why_not_line(game: Game[Any], state: Any, text: str) -> list[Reason]:
    """Reasons against a line, [] when it may be played here; outcomes of chance are judged too.

    NotationError when the line cannot be read, or when it is a throw or a draw that cannot come up here.
    """
    if not game.decision(state).chance:
        return list(game.why_not_line(state, text))
    outcomes = [move for move, _ in game.outcomes(state)]
    chain = game.line(state, text)
    if len(chain) == 1 and chain[0] in outcomes:
        return []
    here = ", ".join(game.show(state, move) for move in outcomes[:SHOWN]) + (" ..." if len(outcomes) > SHOWN else "")
    if text.split()[0] == game.show(state, outcomes[0]).split()[0]:
        raise NotationError(f"{text!r} cannot come up here", hint=f"one of: {here}")
    return list(game.why_not_line(state, text)) or [Reason("turn.not-your-decision")]


def legal_lines(game: Any, state: Any) -> list[str]:
    """Every line that may be played here, chains written out; at chance, every outcome."""
    if game.decision(state).chance:
        return [game.show(state, move) for move, _ in game.outcomes(state)]
    return list(game.lines(state))


def play_line(
    game: Game[Any], state: Any, text: str, events: list[Any] | None = None, record: Record | None = None
) -> Any:
    """Play one line, taking forced steps before it only as far as it needs.

    Raises IllegalMove with all reasons, or NotationError when the line cannot be read.
    """
    steps: Record = []
    now, problems = state, []
    while True:
        problem = _problem(game, now, text)
        if problem is None:
            break
        mine = _asked_here(game, now, text)
        problems.append((mine, problem))
        step = forced(game, now)
        if step is None:
            raise next((p for mine, p in problems if mine), problem)
        steps.append((now, step))
        now = game.apply(now, step)
    for _, step in steps:
        state = _step(game, state, step, events, record)
    for part in _chain(game, state, text):
        state = _step(game, state, part, events, record)
    return state


def _problem(game: Game[Any], state: Any, text: str) -> IllegalMove | NotationError | None:
    try:
        step = forced(game, state)
        if step is not None and game.show(state, step) == text.strip():
            return None
        reasons = why_not_line(game, state, text)
    except NotationError as error:
        return error
    return IllegalMove(text, reasons) if reasons else None


def _asked_here(game: Game[Any], state: Any, text: str) -> bool:
    """Is this an opportunity of the player whom the line names?  Then what is said against it here says most."""
    decision = game.decision(state)
    named = text.partition(":")[0].strip().upper()
    return decision.kind in OPPORTUNITIES and decision.player is not None and named == chr(65 + decision.player)


def _chain(game: Game[Any], state: Any, text: str) -> list[Move]:
    step = forced(game, state)
    return [step] if step is not None and game.show(state, step) == text.strip() else game.line(state, text)


def _step(game: Game[Any], state: Any, move: Move, events: list[Any] | None, record: Record | None) -> Any:
    if record is not None:
        record.append((state, move))
    return game.apply(state, move, events)
