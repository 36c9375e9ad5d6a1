"""A picture as a list of shapes, and its SVG.  `canvas` draws the same list with matplotlib."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"


class Band(NamedTuple):
    """A ribbon from left to right, `width` thick; y is the middle at either end."""

    x0: float
    y0: float
    x1: float
    y1: float
    width: float
    colour: str
    opacity: float = 0.75
    title: str = ""


class Box(NamedTuple):
    """A rounded frame."""

    x: float
    y: float
    w: float
    h: float
    frame: str
    fill: str
    dashed: bool = False
    thick: float = 1.2
    title: str = ""


class Label(NamedTuple):
    """A line of text; `anchor` is start, middle or end; y is the middle of the line."""

    x: float
    y: float
    text: str
    colour: str
    size: float = 12
    anchor: str = "start"
    bold: bool = False


class Mark(NamedTuple):
    """A token: disc (red), diamond (blue) or drop (yellow), `r` half its height; `hollow`: a place for one."""

    x: float
    y: float
    colour: str
    shape: str
    r: float = 5
    hollow: bool = False


class Line(NamedTuple):
    """A straight line with an arrow head at its end, at both ends if `heads` is 2."""

    x0: float
    y0: float
    x1: float
    y1: float
    colour: str
    heads: int = 0
    width: float = 1.6
    dashed: bool = False
    title: str = ""


class Arc(NamedTuple):
    """A curved line over the heads, `rise` high in the middle, with an arrow head at its end if `arrow`."""

    x0: float
    y0: float
    x1: float
    y1: float
    rise: float
    colour: str
    arrow: bool = False
    dashed: bool = False
    title: str = ""


Shape = Band | Box | Label | Mark | Line | Arc
SHAPE_OF = {"red": "disc", "blue": "diamond", "yellow": "drop"}


class Scene(NamedTuple):
    """A picture: size in pixels, background, shapes from back to front, and what it says in words."""

    width: float
    height: float
    page: str
    shapes: tuple[Shape, ...]
    title: str
    words: str

    def svg(self) -> str:
        """The picture as a stand-alone SVG text."""
        w, h = f"{self.width:g}", f"{self.height:g}"
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" '
            f'style="max-width:100%;height:auto" font-family="{FONT}">'
            f"<title>{escape(self.title)}</title><desc>{escape(self.words)}</desc>"
            f'<rect width="{w}" height="{h}" rx="12" fill="{self.page}"/>'
        )
        return head + "".join(_svg(shape) for shape in self.shapes) + "</svg>"


def width_of(words: str, size: float = 12, bold: bool = False) -> float:
    """About how wide a text is in pixels (the real font is not known)."""
    return len(words) * size * (0.66 if bold else 0.6)


def wrap(words: str, room: float, size: float = 12) -> list[str]:
    """The text in lines that fit, broken at spaces that may break; a word that is too long keeps its own line."""
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def band_path(b: Band) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    """The middle line of a ribbon as path commands; it is stroked, so that steep ribbons do not get thin."""
    mid = (b.x0 + b.x1) / 2
    return [("M", ((b.x0, b.y0),)), ("C", ((mid, b.y0), (mid, b.y1), (b.x1, b.y1)))]


def mark_path(m: Mark) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    """The outline of a token as path commands."""
    x, y, r = m.x, m.y, m.r
    if m.shape == "diamond":
        return [("M", ((x, y - r),)), ("L", ((x + r, y),)), ("L", ((x, y + r),)), ("L", ((x - r, y),)), ("Z", ())]
    if m.shape == "drop":
        top, low = y - r * 1.15, y + r
        return [
            ("M", ((x, top),)),
            ("C", ((x + r * 0.4, y - r * 0.3), (x + r, y), (x + r * 0.8, y + r * 0.45))),
            ("C", ((x + r * 0.6, low), (x - r * 0.6, low), (x - r * 0.8, y + r * 0.45))),
            ("C", ((x - r, y), (x - r * 0.4, y - r * 0.3), (x, top))),
            ("Z", ()),
        ]
    k = 0.5523 * r
    return [
        ("M", ((x - r, y),)),
        ("C", ((x - r, y - k), (x - k, y - r), (x, y - r))),
        ("C", ((x + k, y - r), (x + r, y - k), (x + r, y))),
        ("C", ((x + r, y + k), (x + k, y + r), (x, y + r))),
        ("C", ((x - k, y + r), (x - r, y + k), (x - r, y))),
        ("Z", ()),
    ]


def arc_path(a: Arc) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    """The line of an arc as path commands."""
    lean = (a.x1 - a.x0) * 0.18
    return [("M", ((a.x0, a.y0),)), ("C", ((a.x0 + lean, a.y0 - a.rise), (a.x1 - lean, a.y1 - a.rise), (a.x1, a.y1)))]


def line_path(a: Line) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    """A straight line as path commands."""
    return [("M", ((a.x0, a.y0),)), ("L", ((a.x1, a.y1),))]


def line_heads(a: Line) -> list[list[tuple[str, tuple[tuple[float, float], ...]]]]:
    """The arrow heads of a straight line."""
    ends = [(a.x1, a.y1, a.x0, a.y0), (a.x0, a.y0, a.x1, a.y1)]
    return [_head(*end, 6 + 1.5 * a.width) for end in ends[: a.heads]]


def head_path(a: Arc, size: float = 9) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    """The arrow head at the end of an arc."""
    return _head(a.x1, a.y1, a.x1 - (a.x1 - a.x0) * 0.18, a.y1 - a.rise, size)


def _head(
    x: float, y: float, tail_x: float, tail_y: float, size: float
) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    length = max(1e-6, ((x - tail_x) ** 2 + (y - tail_y) ** 2) ** 0.5)
    ux, uy = (x - tail_x) / length * size, (y - tail_y) / length * size
    return [
        ("M", ((x, y),)),
        ("L", ((x - ux - uy * 0.5, y - uy + ux * 0.5),)),
        ("L", ((x - ux + uy * 0.5, y - uy - ux * 0.5),)),
        ("Z", ()),
    ]


def _d(path: Iterable[tuple[str, tuple[tuple[float, float], ...]]]) -> str:
    return " ".join(command + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) for command, points in path)


def _svg(shape: Shape) -> str:
    if isinstance(shape, Label):
        weight = ' font-weight="600"' if shape.bold else ""
        return (
            f'<text x="{shape.x:.1f}" y="{shape.y:.1f}" dy="0.35em" font-size="{shape.size:g}" fill="{shape.colour}" '
            f'text-anchor="{shape.anchor}"{weight}>{escape(shape.text)}</text>'
        )
    if isinstance(shape, Mark):
        look = f'fill="{shape.colour}"'
        if shape.hollow:
            look = f'fill="none" stroke="{shape.colour}" stroke-width="1.2" stroke-dasharray="2 1.6"'
        return f'<path d="{_d(mark_path(shape))}" {look}/>'
    title = f"<title>{escape(shape.title)}</title>" if shape.title else ""
    if isinstance(shape, Band):
        stroke = f'stroke="{shape.colour}" stroke-width="{shape.width:g}" stroke-opacity="{shape.opacity}"'
        return f'<path d="{_d(band_path(shape))}" fill="none" {stroke}>{title}</path>'
    dash = ' stroke-dasharray="5 4"' if shape.dashed else ""
    if isinstance(shape, Line):
        stroke = f'stroke="{shape.colour}" stroke-width="{shape.width:g}"{dash}'
        heads = "".join(f'<path d="{_d(path)}" fill="{shape.colour}"/>' for path in line_heads(shape))
        return f'<path d="{_d(line_path(shape))}" fill="none" {stroke}>{title}</path>{heads}'
    if isinstance(shape, Arc):
        line = (
            f'<path d="{_d(arc_path(shape))}" fill="none" stroke="{shape.colour}" stroke-width="2"{dash}>{title}</path>'
        )
        head = f'<path d="{_d(head_path(shape))}" fill="{shape.colour}"/>' if shape.arrow else ""
        return line + head
    return (
        f'<rect x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.w:.1f}" height="{shape.h:.1f}" rx="7" '
        f'fill="{shape.fill}" stroke="{shape.frame}" stroke-width="{shape.thick}"{dash}>{title}</rect>'
    )
