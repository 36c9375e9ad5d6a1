"""Pictures: food flow, pair traits, the continents.  matplotlib is imported only for a figure; SVG needs nothing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evotutor.drawing.continents import continents_figure, continents_svg, continents_text, has_locations
    from evotutor.drawing.flow import flow_figure, flow_svg, flow_table, sum_line
    from evotutor.drawing.links import links_figure, links_svg, links_text

__all__ = [
    "continents_figure",
    "continents_svg",
    "continents_text",
    "flow_figure",
    "flow_svg",
    "flow_table",
    "has_locations",
    "links_figure",
    "links_svg",
    "links_text",
    "sum_line",
]

_HOME = {"has_locations": "continents", "sum_line": "flow"}


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module(f"{__name__}.{_HOME.get(name, name.partition('_')[0])}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
