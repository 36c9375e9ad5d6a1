"""Run a case: play its lines on the engine and hold the outcome against what it expects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evotutor.cases.expectations import Checker
from evotutor.cases.model import Case, CaseError, Result
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
        raise CaseError(str(error), case.file, case.line_of(["rulings"] if "ruling" in str(error) else ["position"])) from error


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
    checker = Checker(game, result, events)
    for index, entry in enumerate(case.play):
        if isinstance(entry, Mapping):
            state = settle(game, state, events)
            checker.check(state, entry["expect"], case.line_of(["play", index]))
            continue
        state = _play(game, state, str(entry), events, result, case.line_of(["play", index]))
        if state is None:
            break
    if state is not None:
        state = settle(game, state, events)
        checker.check(state, case.data.get("expect", {}), case.line_of(["expect"]))
    result.events = [dress(event) for event in events]
    result.fired |= {event.rule for event in result.events}
    return result


def _play(game: Game[Any], state: Any, line: str, events: list[Any], result: Result, number: int) -> Any:
    try:
        return play_line(game, state, line, events)
    except IllegalMove as error:
        result.fired |= {reason.rule for reason in error.reasons}
        why = ", ".join(reason.rule for reason in error.reasons) or "not asked here"
        result.failures.append(f"line {number}: {line!r} cannot be played: {why}")
    except NotationError as error:
        result.failures.append(f"line {number}: {error}")
    return None


def ask(case: Case, line: str, rulings: Mapping[str, str] | None = None, after: bool = False) -> list[Reason]:
    """Reasons against a line in the position of a case (`after`: once its play is over); [] when it may be played.

    Forced steps are taken first where the line cannot be answered otherwise.
    """
    game = load_game(case, rulings)
    state = start(case, game)
    for entry in case.play if after else ():
        if isinstance(entry, str):
            state = play_line(game, state, entry)
    reasons = game.why_not_line(state, line)
    settled = settle(game, state)
    if reasons and settled != state:
        reasons = game.why_not_line(settled, line)
    return list(reasons)
