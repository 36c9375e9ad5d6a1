"""Long tests: random games and random crowded tables, every state and step held against the invariants of the rules."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from itertools import combinations
from random import Random
from time import perf_counter
from typing import Any, NamedTuple

from evotutor.analysis.playout import LONGEST, choose
from evotutor.core.model import Game
from evotutor.games import load
from evotutor.games.evolution import invariants
from evotutor.games.evolution import moves as verbs
from evotutor.games.evolution.catalog import CARDS, TRAITS
from evotutor.games.evolution.dense import dense_table
from evotutor.games.evolution.game import PLAYABLE, EvolutionGame
from evotutor.games.evolution.state import State

CHUNK = 50
EVERY = 400
"""Texts and every single move are checked in one state out of so many (texts are slow)."""
SHOWN = 20
NEVER_HUNT = ("scavenger", "regeneration")
"""Traits that no carnivorous animal has."""


class Tally(NamedTuple):
    """What a stretch of testing saw."""

    counts: Counter[str]
    rules: Counter[str]
    pairs: Counter[str]
    complaints: list[str]

    def add(self, other: Tally) -> None:
        """Add another stretch."""
        self.counts.update(other.counts)
        self.rules.update(other.rules)
        self.pairs.update(other.pairs)
        self.complaints.extend(other.complaints)


def empty() -> Tally:
    """Nothing seen yet."""
    return Tally(Counter(), Counter(), Counter(), [])


def random_game(game: EvolutionGame, seed: int, tally: Tally, texts: int = EVERY, steps: int = 1) -> None:
    """One random game with all checks, on one step out of `steps`; every number of players has its turn."""
    rng = Random(seed)
    state = game.new(game.players_min + seed % (game.players_max - game.players_min + 1), seed)
    tally.counts["games"] += 1
    _play(game, state, rng, tally, LONGEST, f"game seed {seed}", texts, steps)


def random_table(game: EvolutionGame, seed: int, tally: Tally, plies: int = 12, texts: int = EVERY) -> None:
    """One crowded table played on for some decisions with all checks."""
    rng = Random(seed)
    state = dense_table(rng, game.modules, game.locations, game.box(4))
    if rng.random() < 0.5:
        state = into_a_decision(game, state, rng)
    tally.counts["tables"] += 1
    tally.counts["tables with a pending decision"] += bool(state.stack)
    _play(game, state, rng, tally, plies, f"table seed {seed}", texts)


def into_a_decision(game: Game[State], state: State, rng: Random, plies: int = 8) -> State:
    """Play on, hunting where possible, until a decision is pending: a target, an answer, an order, a card to place."""
    for _ in range(plies):
        if state.stack or game.decision(state).over:
            break
        legal, move = choose(game, state, rng)
        hunts = [m for m in legal if m[0] in (verbs.ATTACK, verbs.PIRATE, verbs.AMBUSH, verbs.MIGRATE, verbs.RECOMBINE)]
        state = game.apply(state, rng.choice(hunts) if hunts else move)
        if state.stack and rng.random() < 0.7:
            state = game.apply(state, choose(game, state, rng)[1])
    return state


def _play(
    game: Game[State], state: State, rng: Random, tally: Tally, plies: int, where: str, texts: int, steps: int = 1
) -> None:
    start = invariants.cards(state)
    for ply in range(plies):
        if game.decision(state).over:
            break
        legal, move = choose(game, state, rng)
        if legal and (hunts := [m for m in legal if m[0] in (verbs.ATTACK, verbs.AMBUSH)]) and rng.random() < 0.4:
            move = rng.choice(hunts)
        if steps > 1 and rng.random() * steps > 1:
            state = game.apply(state, move)
            continue
        events: list[tuple[Any, ...]] = []
        tally.counts["steps checked"] += 1
        try:
            after = game.apply(state, move, events)
            found = list(_checks(game, state, legal, move, events, after, bool(texts) and rng.random() < 1 / texts))
        except Exception as error:  # any failure of the rules is what this looks for
            tally.complaints.append(f"{where}, ply {ply}, move {move}: {type(error).__name__}: {error}")
            return
        tally.complaints.extend(f"{where}, ply {ply}, move {move}: {what}" for what in found)
        _watch(state, events, tally)
        state = after
    else:
        if plies == LONGEST:
            tally.complaints.append(f"{where}: no end after {LONGEST} decisions")
    tally.counts["decisions"] += ply + 1
    if invariants.cards(state) != start:
        tally.complaints.append(f"{where}: the cards at the end are not those of the beginning")
    tally.complaints.extend(f"{where}, at the end: {what}" for what in invariants.state_complaints(state))


def _checks(
    game: Game[State],
    state: State,
    legal: Sequence[Any],
    move: Any,
    events: Sequence[Sequence[Any]],
    after: State,
    thorough: bool,
) -> Iterator[str]:
    yield from invariants.state_complaints(after)
    yield from invariants.step_complaints(state, events, after)
    yield from invariants.move_complaints(game, state, legal, thorough)
    if thorough:
        yield from invariants.reason_complaints(game, state, legal)
        if game.apply(state, move) != after:
            yield "without a list of events the result is another"
        yield from invariants.flow_complaints(state, events, after)
        yield from invariants.score_complaints(game, after)
        yield from text_complaints(game, after)


def text_complaints(game: Game[State], state: State) -> Iterator[str]:
    """The text of a state is read back as the same state, and written again the same."""
    from evotutor.games.evolution.notation import read_text

    text = game.text(state)
    back = read_text(text, game)
    if back != state:
        fields = [name for name, a, b in zip(State._fields, state, back, strict=True) if a != b]
        yield f"the text is read back with other {', '.join(fields)}"
    elif game.text(back) != text:
        yield "the text is written differently the second time"


def _watch(state: State, events: Iterable[Sequence[Any]], tally: Tally) -> None:
    """Count which rules worked and which traits met in an attack."""
    masks = None
    for kind, rule, _, *data in events:
        tally.rules[rule] += 1
        if kind == "attack" or kind == "redirect":
            if masks is None:
                masks = {a.uid: a.mask for herd in state.herds for a in herd}
            hunter, prey = masks[data[0]], masks[data[-1]]
            for one in traits_of(hunter):
                for other in traits_of(prey):
                    tally.pairs[f"{one} > {other}"] += 1
            tally.counts["attacks"] += 1


def traits_of(mask: int) -> list[str]:
    """Ids of the traits in a mask."""
    return [t.id for t in TRAITS if mask >> t.index & 1]


def traits_in(modules: Iterable[str]) -> list[str]:
    """Ids of the traits that lie at animals in these modules."""
    found = {t for c in CARDS if c.module in modules for t in c.traits if TRAITS[t].place != "animal"}
    return [TRAITS[t].id for t in sorted(found)]


Setup = tuple[tuple[str, ...], str | None]
"""Modules and scenario."""


def setups() -> list[Setup]:
    """Every combination of modules, and those that Cataclysm allows."""
    expansions = PLAYABLE[1:]
    every = [("base", *some) for n in range(len(expansions) + 1) for some in combinations(expansions, n)]
    return [(some, None) for some in every] + [(some, "cataclysm") for some in every if "gift-box" not in some]


# many at once


def work(
    task: Callable[[Any, int, Tally], None], seeds: Sequence[int], choices: Sequence[Setup] = ((("base",), None),)
) -> Tally:
    """Run one task for a stretch of seeds, the setups in turn; this is what a worker process does."""
    tally = empty()
    for seed in seeds:
        modules, scenario = choices[seed % len(choices)]
        tally.counts[" ".join((*modules, scenario or ""))] += len(choices) > 1
        task(load("evolution", modules=modules, scenario=scenario), seed // len(choices), tally)
    return tally


def soak(
    task: Callable[[Any, int, Tally], None],
    seeds: range,
    workers: int = 2,
    progress: bool = True,
    executor: Executor | None = None,
    choices: Sequence[Setup] = ((("base",), None),),
) -> Tally:
    """Run a task for all seeds on several processes; any `concurrent.futures` executor will do (Dask has one)."""
    chunks = [seeds[i : i + CHUNK] for i in range(0, len(seeds), CHUNK)]
    tally = empty()
    with executor or ProcessPoolExecutor(workers) as pool:
        for part in _bar(pool.map(partial(work, task, choices=choices), chunks), len(chunks), progress):
            tally.add(part)
    return tally


def _bar(parts: Iterable[Tally], total: int, progress: bool) -> Iterable[Tally]:
    if not progress:
        return parts
    try:
        from tqdm import tqdm  # type: ignore[import-untyped]
    except ImportError:
        return parts
    bar: Iterable[Tally] = tqdm(parts, total=total, unit=f" x{CHUNK}", file=sys.stderr)
    return bar


def summary(tally: Tally, seconds: float, modules: Iterable[str] = ("base",)) -> dict[str, Any]:
    """The report: counts, complaints, how often each rule worked, which traits never met in an attack."""
    names = traits_in(modules)
    possible = [f"{one} > {other}" for one in names if one not in NEVER_HUNT for other in names]
    never = [pair for pair in possible if pair not in tally.pairs]
    return {
        **tally.counts,
        "seconds": round(seconds, 1),
        "complaints": len(tally.complaints),
        "examples": tally.complaints[:SHOWN],
        "rules": dict(sorted(tally.rules.items())),
        "attack_pairs": {
            "possible": len(possible),
            "met": len(possible) - len(never),
            "never": never,
            "rarest": dict(sorted(tally.pairs.items(), key=lambda item: item[1])[:10]),
        },
    }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor soak`."""
    parser.add_argument(
        "--modules",
        default="all",
        metavar="LIST",
        help="modules to play with, base,time-to-fly ...; all (the default): every combination in turn, Cataclysm too",
    )
    parser.add_argument("--games", type=int, default=0, help="random games, every number of players in turn")
    parser.add_argument("--dense", type=int, default=0, help="random crowded tables")
    parser.add_argument("--plies", type=int, default=12, help="decisions played on a crowded table")
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--texts", type=int, default=EVERY, help="check texts in one state out of so many, 0 for never")
    parser.add_argument("--steps", type=int, default=1, help="in games, check one step out of so many")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def run(args: argparse.Namespace) -> int:
    """`evotutor soak`: prints a summary as JSON; exit code 1 when an invariant was broken."""
    began, tally = perf_counter(), empty()
    games = args.games if args.games or args.dense else 1000
    seeds, show = partial(_seeds, args.seed), not args.quiet
    try:
        choices = _choices(args.modules)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if games:
        task = partial(random_game, texts=args.texts, steps=args.steps)
        tally.add(soak(task, seeds(games), args.workers, show, choices=choices))
    if args.dense:
        task = partial(random_table, plies=args.plies, texts=args.texts)
        tally.add(soak(task, seeds(args.dense), args.workers, show, choices=choices))
    modules = {name for some, _ in choices for name in some}
    print(json.dumps(summary(tally, perf_counter() - began, modules), indent=1))
    return 1 if tally.complaints else 0


def _choices(given: str) -> list[Setup]:
    """The setups that an option names; ValueError for a module that is not there."""
    if given == "all":
        return setups()
    modules = tuple(dict.fromkeys(("base", *filter(None, given.replace(" ", ",").split(",")))))
    return [(load("evolution", modules=modules).modules, None)]


def _seeds(first: int, n: int) -> range:
    return range(first, first + n)
