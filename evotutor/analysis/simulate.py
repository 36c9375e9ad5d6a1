"""Many games between bots, as tables: one row per player and game, and one per card that lay on the table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from evotutor.analysis import bots as players
from evotutor.analysis.command import say
from evotutor.analysis.evolution_record import Recorder, points_by_source
from evotutor.analysis.long_run import add_game, add_talk, options_of, spread
from evotutor.analysis.match import play
from evotutor.core.text import default_language
from evotutor.games import load

if TYPE_CHECKING:
    import pandas as pd

COUNTS: Final = ("born", "eaten", "starved", "poisoned", "attacks", "food_red", "food_blue")
"""What `Recorder` counts for each player."""
PLAYER_COLUMNS: Final = (
    "game", "players", "modules", "seat", "order", "bot", "points", "points_animals", "points_traits", "points_need",
    "points_pairs", "discard", "place", "win", "turns", "animals", *COUNTS, "decisions", "seconds",
)  # fmt: skip
"""One row per player and game.  `order`: 1 for the first player of the first turn; `win`: share of the first place."""
CARD_COLUMNS: Final = (
    "game", "players", "modules", "seat", "by", "bot", "animal", "card", "turn_played", "turn_lost", "fate",
)  # fmt: skip
"""One row per card on the table: `seat` owns its animal, `by` played it; `fate`: survived, eaten, starved ..."""


class Tables(NamedTuple):
    """The two tables of a simulation."""

    players: pd.DataFrame
    cards: pd.DataFrame


class Plan(NamedTuple):
    """What every game of a simulation is played with."""

    bots: tuple[str, ...]
    players: int
    options: tuple[tuple[str, Any], ...]


def one_game(plan: Plan, seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Play the game of a seed: its rows of players and of cards.  The bots move on one seat with every seed."""
    game = load("evolution", **dict(plan.options))
    seats = [plan.bots[(seat + seed) % len(plan.bots)] for seat in range(plan.players)]
    recorder = Recorder(plan.players)
    played = play(game, [players.parse(text) for text in seats], seed, watch=recorder)
    head = {"game": seed, "players": plan.players, "modules": " ".join(game.modules)}
    rows = []
    for line in played.score:
        seat, counts = line.player, recorder.counts[line.player]
        rows.append({
            **head, "seat": seat, "order": (seat - played.start.first) % plan.players + 1, "bot": seats[seat],
            "points": line.total, **points_by_source(line.items), "discard": line.tie, "place": line.place,
            "win": played.wins[seat], "turns": played.end.turn, "animals": len(played.end.herds[seat]),
            **{name: counts[name] for name in COUNTS},
            "decisions": played.decisions[seat], "seconds": round(played.seconds[seat], 4),
        })  # fmt: skip
    cards = [{**head, "bot": seats[row["by"]], **row} for row in recorder.rows]
    return rows, cards


def tables(
    games: int = 100,
    players: int = 2,
    modules: Sequence[str] = ("base",),
    bots: Sequence[str] = ("greedy",),
    *,
    seed: int = 0,
    workers: int = 1,
    scenario: str | None = None,
    rulings: dict[str, str] | None = None,
    progress: bool = False,
) -> Tables:
    """Play games with the seeds from `seed` on; both tables.

    `bots` are texts as `evotutor.analysis.bots.parse` reads them; they sit down in turn and move on with every game.
    ValueError for bots, modules or numbers of players that there are not; ImportError without pandas.
    """
    import pandas as pd

    options = {"modules": tuple(modules), "rulings": rulings or {}, "scenario": scenario}
    plan = _plan(bots, players, options)
    found = list(spread(partial(one_game, plan), range(seed, seed + games), workers, progress, "game"))
    found.sort(key=lambda rows: int(rows[0][0]["game"]))
    frame = pd.DataFrame([row for rows, _ in found for row in rows], columns=list(PLAYER_COLUMNS))
    cards = pd.DataFrame([row for _, rows in found for row in rows], columns=list(CARD_COLUMNS))
    return Tables(frame, cards.astype({"turn_lost": "Int64"}))


def _plan(bots: Sequence[str], count: int, options: dict[str, Any]) -> Plan:
    for text in bots:
        players.parse(text)
    if not bots:
        raise ValueError("no bots: give at least one")
    load("evolution", **options).new(count, 0)
    return Plan(tuple(bots), count, tuple(sorted(options.items())))


def simulate(games: int = 100, players: int = 2, *args: Any, **options: Any) -> pd.DataFrame:
    """One row per player and game (`PLAYER_COLUMNS`); arguments as in `tables`."""
    return tables(games, players, *args, **options).players


def write(frame: pd.DataFrame, file: Path) -> None:
    """Write a table as Parquet or CSV, by the ending of the file; ValueError for any other ending."""
    kind = file.suffix.lower()
    if kind not in (".parquet", ".csv"):
        raise ValueError(f"{file}: tables are written as .parquet or .csv")
    file.parent.mkdir(parents=True, exist_ok=True)
    if kind == ".csv":
        frame.to_csv(file, index=False)
    else:
        frame.to_parquet(file, index=False)


def cards_file(file: Path) -> Path:
    """Where the table of cards goes: beside the other one."""
    return file.with_name(f"{file.stem}-cards{file.suffix}")


# command line

EXAMPLE = "evotutor simulate --games 500 --workers 2 --out games.parquet --charts charts"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor simulate`, explained in the reader's language."""
    lang = default_language()

    def told(key: str) -> str:
        return say("simulate", f"help-{key}", lang)

    parser.description = say("simulate", "about", lang)
    parser.epilog = f"{say('long_run', 'example', lang)}  {EXAMPLE}"
    parser.add_argument("--games", type=int, default=100, help=told("games"))
    add_game(parser)
    parser.add_argument("--bots", nargs="+", default=["greedy"], metavar="BOT", help=told("bots"))
    parser.add_argument("--seed", type=int, default=0, help=told("seed"))
    parser.add_argument("--workers", type=int, default=1, help=told("workers"))
    parser.add_argument("--out", metavar="FILE", help=told("out"))
    parser.add_argument("--charts", metavar="FOLDER", help=told("charts"))
    parser.add_argument("--json", action="store_true", help=told("json"))
    add_talk(parser)


def run(args: argparse.Namespace) -> int:
    """`evotutor simulate`: writes tables and charts, prints a summary; exit code 2 for what cannot be played."""
    out = Path(args.out) if args.out else None
    try:
        if out is not None and out.suffix.lower() not in (".parquet", ".csv"):
            raise ValueError(say("simulate", "ending", args.lang, file=out))
        found = tables(
            args.games, args.players, bots=args.bots, seed=args.seed, workers=args.workers, progress=not args.quiet,
            **options_of(args),
        )  # fmt: skip
        written = _write(found, out, args)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except ImportError as error:
        print(say("simulate", "missing", args.lang, name=error.name), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(say("simulate", "stopped", args.lang), file=sys.stderr)
        return 130
    rows = summary(found.players)
    if args.json:
        print(json.dumps({"games": args.games, "bots": rows, "files": written}, indent=1, ensure_ascii=False))
        return 0
    for row in rows:
        shares = {name: f"{row[name]:.1%}" for name in ("share", "low", "high")}
        print(say("simulate", "line", args.lang, bot=row["bot"], points=f"{row['points']:.1f}", **shares))
    print("\n".join(written))
    return 0


def summary(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """For each bot its seats' wins with the interval and its points."""
    from evotutor.analysis.rates import wilson

    rows = []
    for bot, mine in frame.groupby("bot"):
        rate = wilson(float(mine["win"].sum()), len(mine))
        rows.append({
            "bot": str(bot), "seats": len(mine), "share": round(rate.share, 4), "low": round(rate.low, 4),
            "high": round(rate.high, 4), "points": round(float(mine["points"].mean()), 2),
        })  # fmt: skip
    return rows


def _write(found: Tables, out: Path | None, args: argparse.Namespace) -> list[str]:
    written = []
    if out is not None:
        for frame, file in ((found.players, out), (found.cards, cards_file(out))):
            write(frame, file)
            written.append(str(file))
    if args.charts:
        from evotutor.analysis.charts import charts, save

        written += map(str, save(charts(found.players, found.cards, lang=args.lang), Path(args.charts)))
    return written
