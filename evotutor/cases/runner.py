"""Run a case: play its lines on the engine and hold the outcome against what it expects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evotutor.cases.expectations import Checker, Path, told
from evotutor.cases.model import Case, CaseError, Result, failure
from evotutor.cases.ways import check_ways
from evotutor.core.model import Game, IllegalMove, NotationError, Reason, dress
from evotutor.core.play import play_line, settle
from evotutor.games import load


def load_game(case: Case, rulings: Mapping[str, str] | None = None, disabled: tuple[str, ...] = ()) -> Game[Any]:
    """The game that a case needs; CaseError for modules or rulings that do not exist.

    `rulings` replace those of the case one by one.
    """
    position = case.position
    chosen = dict(case.data.get("rulings", {}))
    preset = chosen.pop("preset", None) or case.data.get("preset")
    try:
        game: Game[Any] = load(
            str(case.data.get("game", "evolution")),
            modules=tuple(position.get("modules", ("base",))),
            rulings={**chosen, **(rulings or {})},
            scenario=position.get("scenario"),
            preset=preset,
            disabled=disabled,
        )
        return game
    except (ValueError, TypeError) as error:
        raise CaseError(str(error), case.file, _line_of_option(case, str(error))) from error


def _line_of_option(case: Case, message: str) -> int:
    """The line of what the game could not be loaded with."""
    for path in (["preset"], ["rulings"], ["position", "modules"], ["position", "scenario"]):
        if path[-1].removesuffix("s") in message and path[0] in case.data:
            return case.line_of([*path, "preset"] if path[0] == "rulings" and "preset" in message else path)
    return case.line_of(["rulings"] if "rulings" in case.data else ["position"])


def start(case: Case, game: Game[Any]) -> Any:
    """The state of the case's position; CaseError with the line of what is wrong."""
    try:
        return game.position(case.position)
    except NotationError as error:
        rule = f" [{error.rule}]" if error.rule else ""
        where = ".".join(map(str, error.path))
        text = f"position{'.' + where if where else ''}: {error}{rule}"
        raise CaseError(text, case.file, case.line_of(["position", *error.path])) from error


def run_case(case: Case, disabled: tuple[str, ...] = ()) -> Result:
    """Run one case.  CaseError when it cannot be read; anything that is not as expected is a failure in words."""
    result = Result(case)
    game = load_game(case, disabled=disabled)
    state = start(case, game)
    events: list[Any] = []
    checker = Checker(game, result, {animal.uid for herd in state.herds for animal in herd})
    for index, entry in enumerate(case.play):
        if isinstance(entry, Mapping):
            _check(checker, state, entry["expect"], ("play", index, "expect"), events)
            continue
        state = _play(game, state, str(entry), events, result, case.line_of(["play", index]))
        if state is None:
            break
    else:
        _check(checker, state, case.data.get("expect", {}), ("expect",), events)
    if "ask" in case.data:
        check_ways(case, game, start(case, game), result)
    result.events = [dress(event) for event in events]
    result.fired |= {event.rule for event in result.events}
    return result


def _check(checker: Checker, state: Any, expect: Mapping[str, Any], path: Path, events: list[Any]) -> None:
    """Look at the table once everything forced has happened; the script goes on before it, and may write it out."""
    seen = list(events)
    settled = settle(checker.game, state, seen)
    checker.check(settled, expect, path, seen)
    checker.result.fired |= {event[1] for event in seen}
    if path == ("expect",):
        events[:] = seen


def _play(game: Game[Any], state: Any, line: str, events: list[Any], result: Result, number: int) -> Any:
    try:
        return play_line(game, state, line, events)
    except IllegalMove as error:
        result.fired |= {reason.rule for reason in error.reasons}
        result.failures.append(failure(number, "not-played", line=line, why=told(error.reasons)))
    except NotationError as error:
        result.failures.append(failure(number, "unreadable", line=line, why=error))
    return None


def table(case: Case, rulings: Mapping[str, str] | None = None, after: bool = False) -> tuple[Any, Any]:
    """The game and the state of a case, in its position or `after` its play.

    CaseError when a line of the play cannot be played.
    """
    game = load_game(case, rulings)
    state = start(case, game)
    for index, entry in enumerate(case.play if after else ()):
        if isinstance(entry, str):
            try:
                state = play_line(game, state, entry)
            except (IllegalMove, NotationError) as error:
                raise CaseError(f"play.{index}: {error}", case.file, case.line_of(["play", index])) from error
    return game, state


def ask(case: Case, line: str, rulings: Mapping[str, str] | None = None, after: bool = False) -> list[Reason]:
    """Reasons against a line in the position of a case (`after`: once its play is over); [] when it may be played.

    Forced steps are taken first where the line cannot be answered otherwise.
    """
    game, state = table(case, rulings, after)
    try:
        play_line(game, state, line)
    except IllegalMove as error:
        return list(error.reasons)
    return []
