"""Scenes drawn with matplotlib.  Importing this module imports matplotlib; nothing else in `drawing` does."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch
from matplotlib.path import Path

from evotutor.drawing.scene import (
    Arc,
    Band,
    Box,
    Label,
    Line,
    Mark,
    Scene,
    Shape,
    arc_path,
    band_path,
    head_path,
    line_heads,
    line_path,
    mark_path,
)

DPI = 100
_CODES = {"M": Path.MOVETO, "L": Path.LINETO, "C": Path.CURVE4}
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


class Picture(Figure):
    """A matplotlib figure that shows itself in a notebook whatever the backend, and carries its words as `alt`."""

    alt = ""

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=2 * DPI, facecolor=self.get_facecolor())
        return buffer.getvalue()


def figure(scene: Scene) -> Picture:
    """Draw a scene; one pixel of the scene is one pixel at 100 dpi."""
    picture = Picture(figsize=(scene.width / DPI, scene.height / DPI), dpi=DPI, facecolor=scene.page)
    FigureCanvasAgg(picture)
    picture.alt = f"{scene.title}. {scene.words}"
    axes = picture.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.set_axis_off()
    for order, shape in enumerate(scene.shapes):
        _draw(axes, shape, 2 + order * 0.001)
    return picture


def _path(commands: list[tuple[str, tuple[tuple[float, float], ...]]]) -> Path:
    points: list[tuple[float, float]] = []
    codes: list[Any] = []
    for command, args in commands:
        if command == "Z":
            points.append(points[0])
            codes.append(Path.CLOSEPOLY)
        else:
            points += args
            codes += [_CODES[command]] * len(args)
    return Path(points, codes)


def _draw(axes: Any, shape: Shape, z: float) -> None:
    if isinstance(shape, Label):
        axes.text(
            shape.x, shape.y, shape.text, color=shape.colour, fontsize=shape.size * 72 / DPI, zorder=z,
            ha=_ANCHORS[shape.anchor], va="center_baseline", fontweight="bold" if shape.bold else "normal",
            family="DejaVu Sans",
        )  # fmt: skip
    elif isinstance(shape, Band):
        axes.add_patch(
            PathPatch(
                _path(band_path(shape)),
                facecolor="none",
                edgecolor=shape.colour,
                alpha=shape.opacity,
                lw=shape.width * 72 / DPI,
                capstyle="butt",
                zorder=z,
            )
        )
    elif isinstance(shape, Mark):
        look: dict[str, Any] = {"facecolor": shape.colour, "lw": 0}
        if shape.hollow:
            look = {"facecolor": "none", "edgecolor": shape.colour, "lw": 0.9, "ls": (0, (2, 1.6))}
        axes.add_patch(PathPatch(_path(mark_path(shape)), zorder=z, **look))
    elif isinstance(shape, Line):
        axes.add_patch(
            PathPatch(
                _path(line_path(shape)),
                facecolor="none",
                edgecolor=shape.colour,
                lw=shape.width * 72 / DPI,
                ls=(0, (3, 2.4)) if shape.dashed else "solid",
                capstyle="butt",
                zorder=z,
            )
        )
        for path in line_heads(shape):
            axes.add_patch(PathPatch(_path(path), facecolor=shape.colour, lw=0, zorder=z))
    elif isinstance(shape, Arc):
        style = (0, (2.6, 2)) if shape.dashed else "solid"
        axes.add_patch(
            PathPatch(_path(arc_path(shape)), facecolor="none", edgecolor=shape.colour, lw=1.5, ls=style, zorder=z)
        )
        if shape.arrow:
            axes.add_patch(PathPatch(_path(head_path(shape)), facecolor=shape.colour, lw=0, zorder=z))
    elif isinstance(shape, Box):
        style = (0, (4, 3)) if shape.dashed else "solid"
        axes.add_patch(
            FancyBboxPatch(
                (shape.x, shape.y),
                shape.w,
                shape.h,
                boxstyle="round,pad=0,rounding_size=7",
                facecolor=shape.fill,
                edgecolor=shape.frame,
                lw=shape.thick * 72 / DPI,
                ls=style,
                zorder=z,
            )
        )
