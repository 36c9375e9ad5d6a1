"""Charts of simulated games: points by source, survival by trait, win rate by seat.

matplotlib is imported when a chart is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from evotutor.analysis.evolution_record import ANIMAL, card_kind, card_title
from evotutor.analysis.rates import wilson
from evotutor.core.text import Text

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAGE, INK, MUTED, LINE = "#FFFFFF", "#22292F", "#5C6670", "#D9D2C3"
HEAD = 0.65
"""Inches that the title and the line below it take."""
SOURCES: Final = {
    "points_animals": (Text("animals", "животные"), "#2E6B3F"),
    "points_traits": (Text("traits", "свойства"), "#1F5FA8"),
    "points_need": (Text("extra need of traits", "надбавка за прожорливость"), "#B4531A"),
    "points_pairs": (Text("pair traits", "парные свойства"), "#8A5A00"),
}  # fmt: skip
KINDS: Final = {
    "hunting": (Text("hunting", "охота"), "#B3261E"),
    "defence": (Text("defence", "защита"), "#2E6B3F"),
    "feeding": (Text("feeding", "питание"), "#1F5FA8"),
    "burden": (Text("burden", "обуза"), "#6B4E9B"),
    "pair": (Text("pair", "парное"), "#8A5A00"),
    "": (Text("animal card", "карта животного"), "#5C6670"),
}  # fmt: skip
WORDS: Final = {
    "points": Text("Where the points come from", "Откуда берутся очки"),
    "mean": Text("points on average", "очков в среднем"),
    "winners": Text("winners", "победители"),
    "others": Text("others", "остальные"),
    "survival": Text("How many cards are still on the table at the end", "Какая доля карт остаётся на столе до конца"),
    "share": Text(
        "share of the cards played (their number in brackets), 95 % interval",
        "доля сыгранных карт (в скобках их число), интервал 95 %",
    ),
    "of": Text("{name} ({n})", "{name} ({n})"),
    "seats": Text("Who wins, by the order of the first turn", "Кто побеждает, по очерёдности первого хода"),
    "seat": Text("place in the order of the first turn", "очередь в первом ходу"),
    "wins": Text("share of wins, 95 % interval", "доля побед, интервал 95 %"),
    "equal": Text("equal chances", "равные шансы"),
    "about": Text(
        "{games} {games|game|games}, {players} players, bots: {bots}",
        "{games} {games|партия|партии|партий}, игроков: {players}, боты: {bots}",
    ),
}  # fmt: skip


def charts(frame: pd.DataFrame, cards: pd.DataFrame | None = None, *, lang: str = "en") -> dict[str, Figure]:
    """Figures by name: "points", "seats", and with a table of cards "survival".

    `frame` is what `simulate` returns, `cards` the second table of `tables`.  ValueError for an empty table or a
    language that there is not.
    """
    WORDS["points"].to(lang)
    if frame.empty:
        raise ValueError("no games: nothing to draw")
    found = {"points": points(frame, lang), "seats": seats(frame, lang)}
    if cards is not None and not cards.empty:
        found["survival"] = survival(cards, frame, lang)
    return found


def save(figures: Mapping[str, Figure], folder: Path) -> list[Path]:
    """Write the figures as PNG; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, figure in figures.items():
        files.append(folder / f"{name}.png")
        figure.savefig(files[-1], dpi=150, facecolor=PAGE)
    return files


def _figure(width: float, height: float, title: str, frame: pd.DataFrame, lang: str) -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from evotutor.core.text import fill

    figure = Figure(figsize=(width, height), facecolor=PAGE)
    figure.set_layout_engine("constrained", rect=(0, 0, 1, 1 - HEAD / height))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    names = ", ".join(sorted(map(str, frame["bot"].unique())))
    counts = {"games": int(frame["game"].nunique()), "players": int(frame["players"].iloc[0]), "bots": names}
    figure.text(0.015, 1 - 0.1 / height, title, va="top", fontsize=13, color=INK, fontweight="bold")
    figure.text(0.015, 1 - 0.4 / height, fill(WORDS["about"].to(lang), counts), va="top", fontsize=9, color=MUTED)
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(colors=INK, length=0, labelsize=9)
    axes.set_axisbelow(True)
    return figure, axes


def points(frame: pd.DataFrame, lang: str) -> Figure:
    """Average points by source, for each bot, or for winners and others when all are the same bot."""
    from matplotlib.ticker import MaxNLocator

    rows: dict[str, Any] = {}
    if frame["bot"].nunique() > 1:
        rows = {str(bot): mine for bot, mine in frame.groupby("bot")}
    else:
        rows = {
            WORDS["winners"].to(lang): frame[frame["place"] == 1], WORDS["others"].to(lang): frame[frame["place"] > 1]
        }  # fmt: skip
        rows = {name: mine for name, mine in rows.items() if len(mine)}
    figure, axes = _figure(8, 1.9 + 0.55 * len(rows), WORDS["points"].to(lang), frame, lang)
    left = [0.0] * len(rows)
    for column, (text, colour) in SOURCES.items():
        means = [float(mine[column].mean()) for mine in rows.values()]
        axes.barh(list(rows), means, left=left, color=colour, height=0.6, label=text.to(lang), edgecolor=PAGE)
        for y, (start, mean) in enumerate(zip(left, means, strict=True)):
            if mean > 0.045 * float(frame["points"].max()):
                axes.text(start + mean / 2, y, f"{mean:.1f}", ha="center", va="center", color="white", fontsize=9)
        left = [a + b for a, b in zip(left, means, strict=True)]
    for y, total in enumerate(left):
        axes.text(total, y, f"  {total:.1f}", va="center", color=INK, fontsize=9, fontweight="bold")
    axes.set_xlim(0, max(left) * 1.1 or 1)
    axes.invert_yaxis()
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.set_xlabel(WORDS["mean"].to(lang), color=MUTED, fontsize=9)
    axes.grid(axis="x", color=LINE, linewidth=0.6)
    figure.legend(loc="outside lower left", ncols=4, frameon=False, fontsize=9, labelcolor=INK)
    return figure


def survival(cards: pd.DataFrame, frame: pd.DataFrame, lang: str) -> Figure:
    """For each trait the share of its cards that are on the table at the end, with the interval."""
    rows = []
    for card, mine in cards.groupby("card"):
        rate = wilson(float((mine["fate"] == "survived").sum()), len(mine))
        rows.append((rate, str(card), len(mine)))
    rows.sort(key=lambda row: row[0].share)
    figure, axes = _figure(8, 1.7 + 0.26 * len(rows), WORDS["survival"].to(lang), frame, lang)
    for y, (rate, card, _) in enumerate(rows):
        colour = KINDS[card_kind(card)][1]
        axes.plot([rate.low, rate.high], [y, y], color=colour, linewidth=2, solid_capstyle="round", alpha=0.55)
        axes.plot([rate.share], [y], "o", color=colour, markersize=6)
    names = [WORDS["of"].to(lang).format(name=card_title(card, lang), n=n) for _, card, n in rows]
    axes.set_yticks(range(len(rows)), names)
    for label, (_, card, _) in zip(axes.get_yticklabels(), rows, strict=True):
        label.set_fontweight("bold" if card == ANIMAL else "normal")
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlim(0, min(1.0, max(rate.high for rate, _, _ in rows) * 1.05))
    _percent(axes.xaxis)
    axes.set_xlabel(WORDS["share"].to(lang), color=MUTED, fontsize=9)
    axes.grid(axis="x", color=LINE, linewidth=0.6)
    present = {card_kind(card) for _, card, _ in rows}
    from matplotlib.lines import Line2D

    marks = [
        Line2D([], [], color=colour, marker="o", linewidth=0, label=text.to(lang))
        for kind, (text, colour) in KINDS.items()
        if kind in present
    ]
    figure.legend(handles=marks, loc="outside lower left", ncols=6, frameon=False, fontsize=9, labelcolor=INK)
    return figure


def seats(frame: pd.DataFrame, lang: str) -> Figure:
    """The share of wins by the order of the first turn, with intervals and the line of equal chances."""
    players = int(frame["players"].iloc[0])
    figure, axes = _figure(max(5.5, 1.5 + 0.8 * players), 4, WORDS["seats"].to(lang), frame, lang)
    highest = 0.0
    for order, mine in frame.groupby("order"):
        rate = wilson(float(mine["win"].sum()), len(mine))
        highest = max(highest, rate.high)
        ends = [rate.low, rate.high]
        axes.plot([order, order], ends, color="#1F5FA8", linewidth=3, alpha=0.45, solid_capstyle="round")
        axes.plot([order], [rate.share], "o", color="#1F5FA8", markersize=8)
        back = {"facecolor": PAGE, "edgecolor": "none", "pad": 1.5}
        axes.annotate(
            f"{rate.share:.0%}", (order, rate.share), (9, 0), textcoords="offset points", va="center", color=INK,
            fontsize=9, bbox=back,
        )  # fmt: skip
    axes.axhline(1 / players, color="#B4531A", linewidth=1, linestyle="--")
    axes.text(players + 0.55, 1 / players, WORDS["equal"].to(lang), color="#B4531A", fontsize=9, va="center")
    axes.set_xlim(0.5, players + 0.5)
    axes.set_ylim(0, min(1.0, highest * 1.15))
    axes.set_xticks(range(1, players + 1))
    _percent(axes.yaxis)
    axes.set_xlabel(WORDS["seat"].to(lang), color=MUTED, fontsize=9)
    axes.set_ylabel(WORDS["wins"].to(lang), color=MUTED, fontsize=9)
    axes.grid(axis="y", color=LINE, linewidth=0.6)
    return figure


def _percent(axis: Any) -> None:
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
