"""Bots against bots: the same deals with the seats exchanged, and win rates with their intervals.

Each game is appended to a file as one line of JSON, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from evotutor.analysis import bots as players
from evotutor.analysis.command import columns, say
from evotutor.analysis.long_run import add_game, add_talk, options_of, spread
from evotutor.analysis.match import play
from evotutor.analysis.rates import Rate, wilson
from evotutor.core.text import default_language
from evotutor.games import load


class Meeting(NamedTuple):
    """One game to play: the deal, and by how many seats the bots have moved on."""

    deal: int
    turn: int


class Setting(NamedTuple):
    """What all games of a tournament share; `bots` are texts as `evotutor.analysis.bots.parse` reads them."""

    bots: tuple[str, ...]
    players: int
    options: tuple[tuple[str, Any], ...]

    @property
    def rounds(self) -> int:
        """Games per deal: every bot plays every part of the table once."""
        return self.players if self.players % len(self.bots) else len(self.bots)

    def seats(self, turn: int) -> list[int]:
        """Which bot (its place in `bots`) sits at each seat."""
        return [(seat + turn) % self.players % len(self.bots) for seat in range(self.players)]

    def head(self) -> dict[str, Any]:
        """What the first line of a file says."""
        return {"bots": list(self.bots), "players": self.players, **_plain(dict(self.options))}


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def setting(bots: Sequence[str], count: int, options: dict[str, Any]) -> Setting:
    """Check and pack; ValueError for unknown bots, fewer than two, more than seats, or a game that there is not."""
    if not 2 <= len(bots) <= count:
        raise ValueError(f"{len(bots)} bots at a table of {count}: give two or more, and no more than there are seats")
    for text in bots:
        players.parse(text)
    load("evolution", **options).new(count, 0)
    return Setting(tuple(bots), count, tuple(sorted(options.items())))


def meet(where: Setting, meeting: Meeting) -> dict[str, Any]:
    """Play one game and tell what came out, as JSON takes it."""
    game = load("evolution", **dict(where.options))
    seats = where.seats(meeting.turn)
    played = play(game, [players.parse(where.bots[i]) for i in seats], meeting.deal, meeting.turn)
    return {
        "deal": meeting.deal,
        "round": meeting.turn,
        "seats": seats,
        "wins": played.wins,
        "points": [line.total for line in played.score],
        "decisions": played.decisions,
        "seconds": [round(s, 3) for s in played.seconds],
        "turns": played.end.turn,
        "first": played.start.first,
    }


class Standing(NamedTuple):
    """How one bot did: wins (shared ones in parts) out of games, with the interval; means of points and milliseconds.

    At a table where a bot has several seats a win of any of them counts; `fair` is what an equal bot would win.
    """

    bot: str
    games: int
    wins: float
    rate: Rate
    fair: float
    points: float
    milliseconds: float


def standings(where: Setting, games: Iterable[dict[str, Any]]) -> list[Standing]:
    """Each bot over all games."""
    games = list(games)
    found = []
    for index, text in enumerate(where.bots):
        wins = points = seconds = 0.0
        seats = decisions = 0
        for game in games:
            mine = [seat for seat, bot in enumerate(game["seats"]) if bot == index]
            seats += len(mine)
            wins += sum(game["wins"][seat] for seat in mine)
            points += sum(game["points"][seat] for seat in mine)
            seconds += sum(game["seconds"][seat] for seat in mine)
            decisions += sum(game["decisions"][seat] for seat in mine)
        rate = wilson(wins, len(games))
        fair = seats / (where.players * max(1, len(games)))
        found.append(
            Standing(text, len(games), wins, rate, fair, points / max(1, seats), 1000 * seconds / max(1, decisions))
        )
    return found


def tournament(
    where: Setting, games: int, *, seed: int = 0, workers: int = 1, out: Path | None = None, progress: bool = False
) -> list[dict[str, Any]]:
    """Play (or go on with) a tournament; the records of all its games in the order of the deals.

    Whole deals are played: `games` is rounded up to a multiple of `where.rounds`.  ValueError when the file belongs to
    another tournament.
    """
    deals = -(-games // where.rounds)
    wanted = [Meeting(seed + deal, turn) for deal in range(deals) for turn in range(where.rounds)]
    done = {(game["deal"], game["round"]): game for game in _stored(where, out)}
    left = [meeting for meeting in wanted if meeting not in done]
    if left:
        for game in spread(partial(meet, where), left, workers, progress, "game"):
            done[game["deal"], game["round"]] = game
            if out is not None:
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(game) + "\n")
    return [done[meeting] for meeting in wanted]


def _stored(where: Setting, out: Path | None) -> list[dict[str, Any]]:
    """Games that a file holds already; a new file gets its first line.  A line cut off by a crash is dropped."""
    if out is None:
        return []
    if not out.exists() or not out.read_text(encoding="utf-8").strip():
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(where.head()) + "\n", encoding="utf-8")
        return []
    head, *lines = out.read_text(encoding="utf-8").splitlines(keepends=True)
    if json.loads(head) != where.head():
        raise ValueError(f"{out} holds another tournament: {head.strip()}")
    if lines and not lines[-1].endswith("\n"):
        lines.pop()
        out.write_text("".join((head, *lines)), encoding="utf-8")
    return [json.loads(line) for line in lines]


# command line

EXAMPLE = "evotutor arena --bots monte-carlo:0.1 greedy --games 40 --out arena.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor arena`, explained in the reader's language."""
    lang = default_language()

    def told(key: str) -> str:
        return say("arena", f"help-{key}", lang)

    parser.description = say("arena", "about", lang)
    parser.epilog = f"{say('long_run', 'example', lang)}  {EXAMPLE}"
    parser.add_argument("--bots", nargs="+", default=["greedy", "random"], metavar="BOT", help=told("bots"))
    parser.add_argument("--games", type=int, default=200, help=told("games"))
    add_game(parser)
    parser.add_argument("--seed", type=int, default=0, help=told("seed"))
    parser.add_argument("--workers", type=int, default=1, help=told("workers"))
    parser.add_argument("--out", metavar="FILE", help=told("out"))
    parser.add_argument("--json", action="store_true", help=told("json"))
    add_talk(parser)


def run(args: argparse.Namespace) -> int:
    """`evotutor arena`: prints the standings; exit code 2 for what cannot be played."""
    out = Path(args.out) if args.out else None
    try:
        where = setting(args.bots, args.players, options_of(args))
        games = tournament(
            where, args.games, seed=args.seed, workers=args.workers, out=out, progress=not args.quiet
        )  # fmt: skip
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(say("arena", "stopped", args.lang), file=sys.stderr)
        return 130
    found = standings(where, games)
    print(as_json(where, found) if args.json else as_table(where, found, args.lang))
    return 0


def as_json(where: Setting, found: Sequence[Standing]) -> str:
    """The standings for programs."""
    rows = [
        {
            "bot": s.bot, "games": s.games, "wins": s.wins, "share": round(s.rate.share, 4),
            "low": round(s.rate.low, 4), "high": round(s.rate.high, 4), "fair": round(s.fair, 4),
            "points": round(s.points, 2), "milliseconds": round(s.milliseconds, 3),
        }
        for s in found
    ]  # fmt: skip
    return json.dumps({**where.head(), "standings": rows}, indent=1, ensure_ascii=False)


def as_table(where: Setting, found: Sequence[Standing], lang: str) -> str:
    """The standings for people."""
    rows = [[say("arena", key, lang) for key in ("bot", "wins", "interval", "points", "time")]]
    for s in found:
        wins = f"{s.rate.share:.1%} ({s.wins:g})"
        rows.append([s.bot, wins, f"{s.rate.low:.1%} – {s.rate.high:.1%}", f"{s.points:.1f}", f"{s.milliseconds:.1f}"])
    modules = ", ".join(dict(where.options).get("modules", ("base",)))
    share = f"{1 / len(where.bots):.0%}"
    about = say("arena", "games", lang, n=found[0].games, players=where.players, modules=modules, share=share)
    return f"{columns(rows)}\n\n{about}"
