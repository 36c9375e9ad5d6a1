"""Pictures and tables of food flow: sources on the left, what moved the food in the middle, animals on the right."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from evotutor.core.flow import BEFORE, SINKS, SOURCES, Graph, Place, Row, inflow, is_bank, outflow, rows, totals
from evotutor.drawing.flow_layout import DIRECT, GROUPS, Layout, Slot, layout
from evotutor.drawing.palette import Palette, name_of_cause, palette, text
from evotutor.drawing.scene import SHAPE_OF, Band, Box, Label, Mark, Scene, Shape, width_of
from evotutor.games.evolution.locations import LOCATIONS

if TYPE_CHECKING:
    from evotutor.drawing.canvas import Picture

MARGIN, SPACE, SIDE = 16.0, 80.0, 62.0
HEAD = 44.0


def flow_figure(graph: Graph, lang: str = "en", theme: str = "light") -> Picture:
    """The flow as a matplotlib figure (it shows itself in a notebook; `alt` says it in words)."""
    from evotutor.drawing.canvas import figure

    return figure(flow_scene(graph, lang, theme))


def flow_svg(graph: Graph, lang: str = "en", theme: str = "light") -> str:
    """The same picture as SVG text, made without matplotlib."""
    return flow_scene(graph, lang, theme).svg()


def flow_scene(graph: Graph, lang: str, theme: str) -> Scene:
    """The picture as shapes."""
    colours, plan = palette(theme), layout(graph)
    sums = sum_line(graph, lang)
    if not plan.ribbons and not plan.columns[2]:
        return _empty(colours, lang)
    widths = [max((width_of(label(s, graph, lang)) + 26 for s in column), default=60.0) for column in plan.columns]
    x0 = MARGIN
    x1 = x0 + widths[0] + SPACE
    x2 = x1 + widths[1] + SPACE
    width = x2 + widths[2] + SIDE + MARGIN + (18 if lang == "ru" else 0)
    lefts = (x0, x1, x2)
    shapes: list[Shape] = [Label(MARGIN, 22, text("title", lang), colours.text, 14, bold=True)]
    shapes += _bands(plan, lefts, widths, colours, graph, lang)
    for column, left, wide in zip(plan.columns, lefts, widths, strict=True):
        for s in column:
            shapes += _box(s, left, wide, graph, colours, lang)
    bottom = HEAD + plan.height + 30
    lines = _wrap(_sum_parts(graph, lang), width - 2 * MARGIN)
    for i, line in enumerate(lines):
        shapes += _sum_shapes(line, MARGIN, bottom + 20 * i, colours)
    return Scene(width, bottom + 20 * len(lines), colours.page, tuple(shapes), text("title", lang), sums)


def _empty(colours: Palette, lang: str) -> Scene:
    words = text("nothing", lang)
    shapes = (
        Label(MARGIN, 22, text("title", lang), colours.text, 14, bold=True),
        Label(MARGIN, 54, words, colours.muted),
    )
    return Scene(320, 80, colours.page, shapes, text("title", lang), words)


def _bands(
    plan: Layout, lefts: tuple[float, ...], widths: list[float], colours: Palette, graph: Graph, lang: str
) -> list[Shape]:
    shapes: list[Shape] = []
    for r in sorted(plan.ribbons, key=lambda r: -r.faint):
        first = r.start.key[0] == "from"
        x0 = lefts[0] + widths[0] if first else lefts[1] + (widths[1] if r.start.key[0] == "by" else widths[1] / 2)
        x1 = (lefts[1] + (0 if r.end.key[0] == "by" else widths[1] / 2)) if first else lefts[2]
        words = f"{_title(r.start, graph, lang)} → {_title(r.end, graph, lang)}: {r.n} {text(r.colour, lang)}"
        band = Band(x0, HEAD + r.y0, x1, HEAD + r.y1, r.n * 6.0, colours(r.colour), 0.35 if r.faint else 0.75, words)
        shapes.append(band)
    return shapes


def _title(s: Slot, graph: Graph, lang: str) -> str:
    if s.key[0] == "by":
        return name_of_cause(s.key[1], lang)
    return place_name(s.key[-1] if s.key[0] == "past" else s.key[1], graph, lang)


def place_name(place: Place, graph: Graph, lang: str) -> str:
    """What a place of tokens is called: the animal's name, "bank", "fat of a1"."""
    if isinstance(place, tuple) and is_bank(place):
        return text(f"bank-{LOCATIONS[place[1]]}", lang)
    if isinstance(place, tuple):
        animal = graph.nodes[place[1]]["name"] if place[1] in graph else graph.nodes[place]["name"].split()[-1]
        return text("fat-of", lang, animal)
    if isinstance(place, str) and place in (*SOURCES, *SINKS, BEFORE, *GROUPS.values()):
        return text(place, lang)
    return str(graph.nodes[place]["name"]) if place in graph else str(place)


def label(s: Slot, graph: Graph, lang: str) -> str:
    """The words in a box: what it is, and how many tokens or have/need."""
    kind, place = s.key[0], s.key[1]
    if kind == "past":
        return ""
    if kind == "by":
        return f"{name_of_cause(place, lang)} {s.tokens}"
    name = place_name(place, graph, lang)
    data = graph.nodes[place] if place in graph else {}
    if kind == "to" and "have" in data:
        return f"{name} {data['have']}/{data['need']}"
    if kind == "to" and data.get("kind") == "animal" and not s.tokens:
        return name
    return f"{name} {s.tokens}"


def _box(s: Slot, left: float, wide: float, graph: Graph, colours: Palette, lang: str) -> list[Shape]:
    kind, place = s.key[0], s.key[1]
    if kind == "past":
        return []
    data = graph.nodes[place] if place in graph else {}
    hungry, dead = kind == "to" and data.get("hungry", False), kind == "to" and data.get("dead", False)
    y = HEAD + s.top
    words = label(s, graph, lang)
    fill = colours.card if kind != "by" else colours.lane
    frame = _frame(s, data, colours)
    shapes: list[Shape] = [Box(left, y, wide, s.height, frame, fill, dead, 1.8 if hungry else 1.2, words)]
    ink = colours.hunting if hungry else colours.muted if dead or place in DIRECT or place == BEFORE else colours.text
    shapes.append(Label(left + wide / 2, y + s.height / 2, words, ink, anchor="middle", bold=hungry))
    right = left + wide + 10
    for tokens, word in (("hungry", hungry), ("dead", dead)):
        if word:
            shapes.append(Label(right, y + s.height / 2, text(tokens, lang), ink, 11))
            right += width_of(text(tokens, lang), 11) + 4
    if kind == "to" and data.get("fat") and not hungry:
        shapes.append(Mark(right + 4, y + s.height / 2, colours.yellow, "drop", 5.5))
        shapes.append(Label(right + 14, y + s.height / 2, text("fat", lang, data["fat"]), colours.muted, 11))
    return shapes


def _frame(s: Slot, data: dict[str, Any], colours: Palette) -> str:
    kind, place = s.key[0], s.key[1]
    if kind == "by":
        from evotutor.games.evolution.catalog import trait_of

        return colours(trait_of[place].kind) if place in trait_of else colours.muted
    if kind == "from":
        if is_bank(place):
            return colours.red
        if isinstance(place, tuple):
            return colours.yellow
        return {"stock": colours.blue}.get(place, colours.muted)
    if data.get("hungry"):
        return colours.hunting
    return colours.defence if "have" in data else colours.muted


# the sum below


def _sum_parts(graph: Graph, lang: str) -> list[tuple[str, str]]:
    """(colour of a mark or "", words) for each part of the sum line."""
    sums = totals(graph)
    parts = [("red", text("sum-red", lang, sums["red"])), ("blue", text("sum-blue", lang, sums["blue"]))]
    animals = [(place, data) for place, data in graph.nodes(data=True) if data["kind"] == "animal" and "have" in data]
    hungry = [data["name"] for place, data in sorted(animals, key=lambda pair: str(pair[1]["name"])) if data["hungry"]]
    if animals:
        parts.append(("", text("sum-hungry", lang, " ".join(hungry)) if hungry else text("sum-none-hungry", lang)))
    parts += [("", text(f"sum-{sink}", lang, n)) for sink, n in sums.items() if sink not in ("red", "blue")]
    if (left := sum(inflow(graph, place) - outflow(graph, place) for place in filter(is_bank, graph))) > 0:
        parts.append(("", text("sum-bank", lang, left)))
    return parts


def sum_line(graph: Graph, lang: str = "en") -> str:
    """The sum below the picture as text: red, blue, hungry animals, what was wasted, what is left in the bank."""
    signs = {"red": "● ", "blue": "◆ ", "": ""}
    return " · ".join(signs[colour] + words for colour, words in _sum_parts(graph, lang))


def _wrap(parts: list[tuple[str, str]], room: float) -> list[list[tuple[str, str]]]:
    lines: list[list[tuple[str, str]]] = [[]]
    used = 0.0
    for part in parts:
        wide = width_of(part[1]) + 34
        if lines[-1] and used + wide > room:
            lines.append([])
            used = 0.0
        lines[-1].append(part)
        used += wide
    return lines


def _sum_shapes(parts: list[tuple[str, str]], x: float, y: float, colours: Palette) -> list[Shape]:
    shapes: list[Shape] = []
    for i, (colour, words) in enumerate(parts):
        if i:
            shapes.append(Label(x - 10, y, "·", colours.muted, anchor="middle"))
        if colour:
            shapes.append(Mark(x + 5, y, colours(colour), SHAPE_OF[colour], 5))
            x += 15
        shapes.append(Label(x, y, words, colours.muted))
        x += width_of(words, 11.5) + 18
    return shapes


# the same as a table


class FlowTable(NamedTuple):
    """The flow as a table: `html` for a notebook (it shows itself), `text` for a terminal or a screen reader."""

    html: str
    text: str

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


def flow_table(graph: Graph, lang: str = "en") -> FlowTable:
    """The flow line by line: from, to, colour, tokens, by, round."""
    heads = [text(f"col-{key}", lang) for key in ("from", "to", "colour", "n", "by", "round")]
    names = {str(data["name"]): place_name(place, graph, lang) for place, data in graph.nodes(data=True)}
    lines = [
        (
            names[row.source], names[row.sink], text(row.colour, lang), str(row.n), _cause(row, lang),
            str(row.round or ""),
        )
        for row in rows(graph)
    ]  # fmt: skip
    if not any(line[5] for line in lines):
        heads, lines = heads[:5], [line[:5] for line in lines]  # type: ignore[misc]
    return FlowTable(_html(heads, lines, sum_line(graph, lang), lang), _plain(heads, lines, sum_line(graph, lang)))


def _cause(row: Row, lang: str) -> str:
    return text("by-leftover", lang) if row.sink == "leftover" else name_of_cause(row.by, lang)


def _html(heads: list[str], lines: list[Any], sums: str, lang: str) -> str:
    head = "".join(f'<th scope="col">{escape(h)}</th>' for h in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in lines)
    return (
        f'<table class="evotutor-flow" lang="{lang}"><caption>{escape(text("title", lang))}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        f'<tfoot><tr><td colspan="{len(heads)}">{escape(sums)}</td></tr></tfoot></table>'
    )


def _plain(heads: list[str], lines: list[Any], sums: str) -> str:
    table = [heads, *lines]
    wide = [max(len(line[i]) for line in table) for i in range(len(heads))]
    out = ["  ".join(cell.ljust(w) for cell, w in zip(line, wide, strict=True)).rstrip() for line in table]
    return "\n".join([out[0], "  ".join("-" * w for w in wide), *out[1:], sums])


__all__ = ["FlowTable", "flow_figure", "flow_scene", "flow_svg", "flow_table", "sum_line"]
