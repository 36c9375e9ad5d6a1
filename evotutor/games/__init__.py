"""The games.  `load` is the one way to get one."""

from __future__ import annotations

from typing import Any


def load(name: str = "evolution", **options: Any) -> Any:
    """Load a game by name with its modules, rulings, scenario; ValueError for a name that is not known.

    >>> load("evolution", modules=("base",)).name
    'evolution'
    """
    if name == "evolution":
        from evotutor.games.evolution.game import load as load_evolution

        return load_evolution(**options)
    raise ValueError(f"no game {name!r}; known: evolution")
