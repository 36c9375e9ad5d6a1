"""Certificates: a solved position as data that anyone can prove again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from evotutor.analysis.report import Solution, question, solve
from evotutor.analysis.solver import CLOSE, Limits, Question
from evotutor.games import load

FORMAT: Final = 1
KEYS: Final = (
    "certificate",
    "evotutor",
    "game",
    "position",
    "goal",
    "seat",
    "forced",
    "chance",
    "value",
    "best",
    "only",
)


class CertificateError(ValueError):
    """A certificate that cannot be read; the message names what is wrong."""


def certificate(ask: Question, state: Any, answer: Solution) -> dict[str, Any]:
    """What was proven of a position; ValueError while the value is not exact."""
    from evotutor import __version__

    if not answer.bounds.exact:
        raise ValueError("the value is not proven, so nothing can be certified")
    game: Any = ask.game
    rulings = {name: option for name, option in game.rulings.items() if not game.ruled(name)}
    return {
        "certificate": FORMAT,
        "evotutor": __version__,
        "game": {"name": game.name, "modules": list(game.modules), "scenario": game.scenario, "rulings": rulings},
        "position": game.to_data(state),
        "goal": ask.goal.name,
        "seat": chr(65 + ask.seat),
        "forced": ask.forced,
        "chance": ask.chance,
        "value": answer.bounds.low,
        "best": [line.text for line in answer.lines if line.bounds.low >= answer.bounds.low - CLOSE],
        "only": answer.only,
    }


def verify(data: Mapping[str, Any], limits: Limits | None = None) -> list[str]:
    """Prove a certificate again: what does not hold, [] when all does; CertificateError when it cannot be read."""
    for key in KEYS:
        if key not in data:
            raise CertificateError(f"no certificate: {key!r} is missing")
    if data["certificate"] != FORMAT:
        raise CertificateError(f"certificate format {data['certificate']!r}; this version reads {FORMAT}")
    try:
        about = data["game"]
        game: Any = load(
            about["name"], modules=tuple(about["modules"]), rulings=about["rulings"], scenario=about["scenario"]
        )
        state = game.position(data["position"])
        ask = question(game, state, data["goal"], ord(data["seat"]) - 65, data["forced"], data["chance"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise CertificateError(f"the certificate cannot be read: {error}") from error
    answer = solve(ask, state, limits, replies=False)
    if not answer.bounds.exact:
        return [f"not proven within the limits: {answer.bounds}"]
    found = certificate(ask, state, answer)
    return [
        f"{key}: {found[key]!r}, the certificate says {data[key]!r}"
        for key in ("value", "best", "only")
        if not _same(found[key], data[key])
    ]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        return bool(abs(one - other) <= CLOSE)
    return bool(sorted(one) == sorted(other)) if isinstance(one, list) else bool(one == other)
