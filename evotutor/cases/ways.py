"""The ways that leave the script of a scenario: what a choice plays must be playable (`docs/scenarios.md`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evotutor.cases.expectations import told
from evotutor.cases.model import Case, Result, failure
from evotutor.core.model import Game, IllegalMove, NotationError
from evotutor.core.play import play_line

Path = tuple[str | int, ...]


def check_ways(case: Case, game: Game[Any], state: Any, result: Result) -> None:
    """Play every way of the questions of a case; what cannot be played is a failure.

    A move without a way of its own may be one that the rules refuse: that is what it is there to show.
    """
    _script(case.data, (), game, state, [], result)


def _script(
    node: Mapping[str, Any], path: Path, game: Game[Any], state: Any, before: list[str], result: Result
) -> None:
    """Follow one script from its first line; failures on the main script are noted by the runner already."""
    lines = [*before, *(line for line in node.get("play", ()) if isinstance(line, str))]
    asks = node.get("ask", {})
    for number, line in enumerate([*lines, None]):
        for place, choice in _choices(asks.get(number)):
            _choice(choice, (*path, "ask", number, *place), game, state, result)
        if line is None:
            break
        where = (*path, "move") if number < len(before) else (*path, "play", number - len(before))
        state = _play(game, state, line, where, result if path else None)
        if state is None:
            break


def _choices(ask: Any) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    choices = ask.get("choices", ()) if isinstance(ask, Mapping) else ()
    for i, choice in enumerate(choices if isinstance(choices, Sequence) else ()):
        if isinstance(choice, Mapping):
            yield ("choices", i), choice


def _choice(choice: Mapping[str, Any], path: Path, game: Game[Any], state: Any, result: Result) -> None:
    move = choice.get("move")
    if isinstance(move, str) and "play" in choice:
        _script(choice, path, game, state, [move], result)
    elif isinstance(move, str):
        _play(game, state, move, (*path, "move"), result, may_be_refused=True)


def _play(
    game: Game[Any], state: Any, line: str, path: Path, result: Result | None, may_be_refused: bool = False
) -> Any:
    """The state after the line, or None; the failure is noted where there is a result to note it in."""
    try:
        return play_line(game, state, line)
    except IllegalMove as error:
        if result is not None:
            result.fired |= {reason.rule for reason in error.reasons}
            if not may_be_refused:
                number = result.case.line_of(path)
                result.failures.append(failure(number, "not-played", line=line, why=told(error.reasons)))
    except NotationError as error:
        if result is not None:
            result.failures.append(failure(result.case.line_of(path), "unreadable", line=line, why=error))
    return None
