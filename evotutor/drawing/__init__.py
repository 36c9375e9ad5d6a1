"""Pictures: food flow and pair traits.  matplotlib is imported only when a figure is made; SVG needs nothing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evotutor.drawing.flow import flow_figure, flow_svg, flow_table, sum_line
    from evotutor.drawing.links import links_figure, links_svg, links_text

__all__ = ["flow_figure", "flow_svg", "flow_table", "links_figure", "links_svg", "links_text", "sum_line"]

_HOME = {name: "links" if name.startswith("links") else "flow" for name in __all__}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
