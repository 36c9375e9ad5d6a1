"""Chances in a position: whether an attack succeeds, whether the food is enough, who can hold a card.

Chances are exact fractions.  Only an attack whose tree is too large is sampled; then `exact` is False and the texts
give intervals.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Final

from evotutor.analysis import command
from evotutor.analysis import evolution_odds as evo
from evotutor.analysis.answers import Branch, Node, TooLarge, Tree, sampled
from evotutor.analysis.chance import Interval, at_least, bars, chance_text, convolved, dice_sum, mean, wilson
from evotutor.analysis.evolution_odds import Bank, Hand, Need, Result, Unseen
from evotutor.core.model import Decision, IllegalMove
from evotutor.games import load
from evotutor.games.evolution.game import EvolutionGame
from evotutor.games.evolution.state import State, name_of

ANSWERS: Final = ("best", "uniform")
LIMIT: Final = 20_000
"""Positions of an attack that are worked out exactly."""
SAMPLES: Final = 4_000
TREE_LINES: Final = 40
OUTCOMES_SHOWN: Final = 4

Results = Mapping[Result, Fraction]


def say(key: str, lang: str, /, **params: object) -> str:
    """A text of this module."""
    return command.say("odds", key, lang, **params)


# attacks


@dataclass(frozen=True)
class AttackOdds:
    """How an attack ends: chances of the results, exact or shares of `samples` plays.

    `asked` is how the answers were to be chosen, `answers` how they were: a tree too large for the best answers is
    sampled with any.
    """

    hunter: int
    prey: int
    asked: str
    answers: str
    results: Results
    samples: int = 0
    tree: Node[Result] | None = field(default=None, repr=False)

    @property
    def exact(self) -> bool:
        """Was the whole tree worked out?"""
        return not self.samples

    def chance(self, test: Callable[[Result], bool]) -> Fraction:
        """The chance of all results that pass a test."""
        return sum((p for result, p in self.results.items() if test(result)), Fraction(0))

    @property
    def survives(self) -> Fraction:
        """The chance that the animal attacked first lives."""
        return self.chance(lambda result: result.alive)

    @property
    def eats(self) -> Fraction:
        """The chance that an animal other than the hunter is eaten, be it the prey or one that Mimicry put forward."""
        return self.chance(lambda result: any(uid != self.hunter for uid in result.dead))

    @property
    def tokens(self) -> dict[int, Fraction]:
        """The chance of each number of tokens that the hunter has more when all is over."""
        numbers = sorted({result.tokens for result in self.results})
        return {n: self.chance(lambda result, n=n: result.tokens == n) for n in numbers}  # type: ignore[misc]

    @property
    def dies(self) -> dict[int, Fraction]:
        """The chance of each animal that can die."""
        uids = sorted({uid for result in self.results for uid in result.dead})
        return {uid: self.chance(lambda result, uid=uid: uid in result.dead) for uid in uids}  # type: ignore[misc]

    @property
    def marks(self) -> dict[str, Fraction]:
        """The chance of each condition that can befall the hunter."""
        words = sorted({word for result in self.results for word in result.marks})
        return {word: self.chance(lambda result, word=word: word in result.marks) for word in words}  # type: ignore[misc]

    def interval(self, p: Fraction) -> Interval | None:
        """The 95% interval of a sampled chance; None where it is exact."""
        return wilson(round(p * self.samples), self.samples) if self.samples else None

    def to_text(self, lang: str = "en") -> str:
        """Chances as lines, then the tree of the answers."""
        return "\n".join(_attack_lines(self, lang))

    def to_json(self) -> dict[str, Any]:
        """A record for machines; exact chances are fractions as text."""
        return {
            "hunter": name_of(self.hunter),
            "prey": name_of(self.prey),
            "exact": self.exact,
            "samples": self.samples,
            "answers": self.answers,
            "asked": self.asked,
            "survives": str(self.survives),
            "eats": str(self.eats),
            "interval": {"survives": self.interval(self.survives), "eats": self.interval(self.eats)},
            "tokens": command.plain(self.tokens),
            "dies": {name_of(uid): str(p) for uid, p in self.dies.items()},
            "marks": command.plain(self.marks),
        }


def attack_odds(
    game: EvolutionGame,
    state: State,
    line: str = "",
    answers: str = "best",
    samples: int = SAMPLES,
    limit: int = LIMIT,
    seed: int = 1,
) -> AttackOdds:
    """The chances of the attack that `line` declares, or of the one that waits for an answer.

    `best`: the prey's owner wants it to live, then the hunter to get little; the hunter's owner wants the opposite;
    anybody else answers anyhow.  `uniform`: every answer is as likely.  IllegalMove when the line may not be played.
    """
    if answers not in ANSWERS:
        raise ValueError(f"answers {answers!r}: one of {', '.join(ANSWERS)}")
    attack = evo.attack(game, state, line)
    choose = _best(attack.prey >> 8, attack.hunter >> 8) if answers == "best" else _uniform
    tree: Tree[Result] = Tree(game, attack.over, attack.result, choose, limit)
    try:
        root = tree.node(attack.state)
    except TooLarge:
        found = sampled(game, attack.state, attack.over, attack.result, samples, Random(seed))
        shares = {result: Fraction(n, samples) for result, n in found.items()}
        return AttackOdds(attack.hunter, attack.prey, answers, "uniform", shares, samples)
    return AttackOdds(attack.hunter, attack.prey, answers, answers, root.results, 0, root)


def _uniform(decision: Decision, behind: Sequence[Results]) -> int | None:
    return None


def _best(defender: int, hunter: int) -> Callable[[Decision, Sequence[Results]], int | None]:
    """Each side takes what is best for it; the first of equals."""

    def choose(decision: Decision, behind: Sequence[Results]) -> int | None:
        if decision.player not in (defender, hunter):
            return None
        sign = 1 if decision.player == defender else -1
        values = [tuple(sign * part for part in _for_the_prey(results)) for results in behind]
        return values.index(max(values))

    return choose


def _for_the_prey(results: Results) -> tuple[Fraction, Fraction]:
    """How good it is for the prey: the chance to live, then few tokens for the hunter."""
    alive = sum((p for result, p in results.items() if result.alive), Fraction(0))
    return alive, -sum((p * result.tokens for result, p in results.items()), Fraction(0))


def _attack_lines(odds: AttackOdds, lang: str) -> Iterator[str]:
    from evotutor.rulebook import word

    names = {"hunter": name_of(odds.hunter), "prey": name_of(odds.prey)}
    how = say("exact", lang) if odds.exact else say("sampled", lang, n=odds.samples)
    yield f"{say('attack', lang, **names)} — {how}; {say(f'answers-{odds.answers}', lang)}"
    if odds.asked != odds.answers:
        yield say("too-large", lang)
    rows = [(say("survives", lang, **names), odds.survives), (say("eats", lang), odds.eats)]
    rows += [(say("tokens", lang, n=n, **names), p) for n, p in odds.tokens.items()]
    rows += [(say("dies", lang, animal=name_of(uid)), p) for uid, p in odds.dies.items() if uid != odds.prey]
    rows += [(say("mark", lang, word=word(f"condition.{mark}", lang), **names), p) for mark, p in odds.marks.items()]
    yield command.columns([(f"  {told}", _with_interval(odds, p, lang)) for told, p in rows])
    if odds.tree is not None and odds.tree.branches:
        yield ""
        yield say("tree", lang, **names) + ":"
        lines = list(_tree_lines(odds.tree, odds, lang, 1))
        yield from lines[:TREE_LINES]
        if len(lines) > TREE_LINES:
            yield f"  {say('cut', lang)}"


def _with_interval(odds: AttackOdds, p: Fraction, lang: str) -> str:
    found = odds.interval(p)
    if found is None:
        return chance_text(p)
    low, high = (f"{float(end) * 100:.1f}%" for end in found)
    return f"{float(p) * 100:.1f}% {say('interval', lang, low=low, high=high)}"


def _tree_lines(node: Node[Result], odds: AttackOdds, lang: str, depth: int) -> Iterator[str]:
    for branch in node.branches:
        taken = "*" if not node.chance and branch.p == 1 and len(node.branches) > 1 else " "
        weight = f" ({chance_text(branch.p)})" if node.chance else ""
        yield f"{'  ' * depth}{taken}{_moves_text(branch, lang)}{weight}: {_behind(branch.node, odds, lang)}"
        yield from _tree_lines(branch.node, odds, lang, depth + 1)


def _moves_text(branch: Branch[Result], lang: str) -> str:
    """The move; several outcomes as ``roll 4, 5, 6``, many as the first and how many more."""
    first, *more = branch.moves
    if len(more) < OUTCOMES_SHOWN:
        return ", ".join([first, *(move.rpartition(" ")[2] for move in more)])
    return say("outcomes", lang, first=first, n=len(more))


def _behind(node: Node[Result], odds: AttackOdds, lang: str) -> str:
    if len(node.results) > 1:
        return chance_text(sum((p for result, p in node.results.items() if result.alive), Fraction(0)))
    result = next(iter(node.results))
    key = "end-lives" if result.alive else "end-dies"
    return say(key, lang, prey=name_of(odds.prey), hunter=name_of(odds.hunter), n=result.tokens)


# food


@dataclass(frozen=True)
class PlaceOdds:
    """The food of one location ("" without locations): where it comes from, its distribution, what is needed there.

    `added` are tokens without dice, `grown` of them come from animals; `need` is None without a position.
    """

    place: str
    dice: int
    added: int
    grown: int
    distribution: dict[int, Fraction]
    need: Need | None

    @property
    def enough(self) -> Fraction | None:
        """The chance that all animals here can be fed from this bank."""
        return None if self.need is None else at_least(self.distribution, self.need.tokens)

    @property
    def plenty(self) -> Fraction | None:
        """The chance that there is enough for empty fat cards too."""
        return None if self.need is None else at_least(self.distribution, self.need.tokens + self.need.fat)

    def to_json(self) -> dict[str, Any]:
        """A record for machines."""
        return {
            "place": self.place,
            "dice": self.dice,
            "added": self.added,
            "distribution": command.plain(self.distribution),
            "mean": str(mean(self.distribution)),
            "need": None if self.need is None else {"tokens": self.need.tokens, "fat": self.need.fat},
            "enough": None if self.enough is None else str(self.enough),
            "enough with fat": None if self.plenty is None else str(self.plenty),
        }


@dataclass(frozen=True)
class BankOdds:
    """The food bank of a turn: each location, and all together; always exact.  `rolled`: the dice lie already."""

    players: int
    rolled: bool
    places: tuple[PlaceOdds, ...]

    @property
    def distribution(self) -> dict[int, Fraction]:
        """All tokens together."""
        found = self.places[0].distribution
        for place in self.places[1:]:
            found = convolved(found, place.distribution)
        return found

    def at_least(self, n: int) -> Fraction:
        """The chance of n tokens or more, all together."""
        return at_least(self.distribution, n)

    @property
    def enough(self) -> Fraction | None:
        """The chance that every animal can be fed from the bank of its location; None without a position."""
        found = Fraction(1)
        for place in self.places:
            if place.enough is None:
                return None
            found *= place.enough
        return found

    def to_text(self, lang: str = "en", asked: int | None = None) -> str:
        """Tables with bars for each location and for all together; `asked`: a number of tokens to answer for."""
        return "\n".join(_bank_lines(self, lang, asked))

    def to_json(self, asked: int | None = None) -> dict[str, Any]:
        """A record for machines; chances are fractions as text."""
        return {
            "players": self.players,
            "rolled": self.rolled,
            "exact": True,
            "places": [place.to_json() for place in self.places],
            "distribution": command.plain(self.distribution),
            "enough": None if self.enough is None else str(self.enough),
            **({} if asked is None else {"at least": {str(asked): str(self.at_least(asked))}}),
        }


def bank_odds(game: EvolutionGame, state: State) -> BankOdds:
    """The food that the turn's dice will bring, and whether it feeds the animals that are on the table.

    In a feeding phase the bank is what lies there.  ValueError when the game is over.
    """
    rolled = evo.known_bank(game, state)
    table = evo.before_food(game, state)
    rules = [Bank(b.place, 0, n) for b, n in zip(evo.food_dice(game, len(state.hands)), state.bank, strict=True)]
    banks: Iterable[Bank] = rules if rolled else evo.food_dice(game, len(state.hands))
    rows = zip(banks, evo.grown(game, table), evo.needs(table), strict=True)
    return BankOdds(len(state.hands), rolled, tuple(_place(bank, grown, need) for bank, grown, need in rows))


def bank_of_players(game: EvolutionGame, players: int) -> BankOdds:
    """The food bank for so many players, before anything is on the table; ValueError for a wrong number."""
    return BankOdds(players, False, tuple(_place(bank, 0, None) for bank in evo.food_dice(game, players)))


def _place(bank: Bank, grown: int, need: Need | None) -> PlaceOdds:
    added = bank.added + grown
    return PlaceOdds(bank.place, bank.dice, added, grown, dice_sum(bank.dice, added), need)


def _bank_lines(odds: BankOdds, lang: str, asked: int | None) -> Iterator[str]:
    how = [say("exact", lang)] + ([say("rolled", lang)] if odds.rolled else [])
    yield f"{say('bank', lang, n=odds.players)} — {', '.join(how)}"
    for place in odds.places:
        yield from _place_lines(place, lang)
    if len(odds.places) > 1:
        yield ""
        yield f"{say('together', lang)}, {say('mean', lang, n=_number(mean(odds.distribution)))}"
        yield from _histogram(odds.distribution, lang)
    if asked is not None:
        yield ""
        yield say("at-least", lang, n=asked, p=chance_text(odds.at_least(asked)))
    if odds.enough is not None:
        yield ""
        yield from _need_lines(odds, lang)


def _place_lines(place: PlaceOdds, lang: str) -> Iterator[str]:
    source = say("dice" if place.dice else "fixed", lang, n=place.dice, added=place.added)
    source += say("of-animals", lang, n=place.grown) if place.grown else ""
    name = f"{_place_name(place.place, lang)}: " if place.place else ""
    yield ""
    if not place.dice:
        yield f"{name}{source}"
        return
    yield f"{name}{source}, {say('mean', lang, n=_number(mean(place.distribution)))}"
    yield from _histogram(place.distribution, lang)


def _histogram(distribution: Mapping[int, Fraction], lang: str) -> Iterator[str]:
    rows = [(*say("head", lang).split("|"), "")]
    drawn = bars(distribution)
    for n, p in distribution.items():
        rows.append((str(n), _percent(p), _percent(at_least(distribution, n)), drawn[n]))
    yield command.columns([(f"  {a:>6}", f"{b:>8}", f"{c:>9}", d) for a, b, c, d in rows])


def _need_lines(odds: BankOdds, lang: str) -> Iterator[str]:
    for place in odds.places:
        if place.need is None or place.enough is None or place.plenty is None:
            continue
        name = _place_name(place.place, lang)
        yield say("need", lang, place=name, n=place.need.tokens, p=chance_text(place.enough))
        if place.need.fat:
            n = place.need.tokens + place.need.fat
            yield say("need-fat", lang, place=name, n=n, p=chance_text(place.plenty))
    if len(odds.places) > 1 and odds.enough is not None:
        total = sum(place.need.tokens for place in odds.places if place.need is not None)
        yield say("need", lang, place=say("together", lang), n=total, p=chance_text(odds.enough))
    yield say("need-note", lang)


def _place_name(place: str, lang: str) -> str:
    from evotutor.rulebook import word

    return word(f"place.{place}", lang) if place else say("together", lang)


def _number(n: Fraction) -> str:
    return f"{float(n):.4g}"


def _percent(p: Fraction) -> str:
    return f"{float(p) * 100:.2f}%"


# cards


@dataclass(frozen=True)
class CardOdds:
    """How many copies of a card (or of cards with a trait) a hand holds, as another seat sees it; always exact."""

    what: str
    cards: tuple[int, ...]
    seat: int
    player: int
    hand: Hand
    unseen: Unseen
    copies: dict[int, Fraction]

    @property
    def holds(self) -> Fraction:
        """The chance of at least one copy."""
        return at_least(self.copies, 1)

    @property
    def expected(self) -> Fraction:
        """The expected number of copies."""
        return mean(self.copies)

    def to_text(self, lang: str = "en") -> str:
        """The chance, the number of copies, and what it was computed from."""
        return "\n".join(_card_lines(self, lang))

    def to_json(self) -> dict[str, Any]:
        """A record for machines; chances are fractions as text."""
        return {
            "what": self.what,
            "seat": chr(65 + self.seat),
            "player": chr(65 + self.player),
            "exact": True,
            "holds": str(self.holds),
            "expected": str(self.expected),
            "copies": command.plain(self.copies),
            "hand": self.hand.unknown,
            "unseen": self.unseen.cards,
            "wanted": str(self.unseen.wanted),
        }


def card_odds(game: EvolutionGame, state: State, what: str, seat: int, player: int) -> CardOdds:
    """The chance that `player` holds a card, or one with a trait, from what `seat` sees.

    NotationError for a name that is none, ValueError for the own hand or a player who is not there.
    """
    if not (0 <= seat < len(state.hands) and 0 <= player < len(state.hands)) or seat == player:
        raise ValueError(f"seat {seat}, player {player}: two different players of {len(state.hands)}")
    cards = evo.cards_named(what)
    seen = evo.observed(game, state, seat)
    found, hand = evo.unseen(game, seen, cards), evo.hand_seen(seen, player, cards)
    box = set(game.box(len(state.hands)))
    return CardOdds(
        what.strip().lower(), tuple(card for card in cards if card in box), seat, player, hand, found,
        evo.copies_held(found, hand),
    )  # fmt: skip


def _card_lines(odds: CardOdds, lang: str) -> Iterator[str]:
    what = evo.word_of(odds.what, lang)
    yield (
        say("holds", lang, player=chr(65 + odds.player), what=what, seat=chr(65 + odds.seat))
        + f" — {say('exact', lang)}"
    )
    yield f"  {say('holds-yes', lang, p=chance_text(odds.holds))}"
    for n, p in odds.copies.items():
        if n and p:
            yield f"  {say('holds-n', lang, n=n, p=chance_text(p))}"
    yield f"  {say('holds-mean', lang, n=_number(odds.expected))}"
    wanted = odds.unseen.wanted
    number = int(wanted) if wanted.denominator == 1 else f"≈{_number(wanted)}"
    names = evo.cards_text(odds.cards, lang)
    yield say("holds-why", lang, hand=odds.hand.unknown, cards=odds.unseen.cards, wanted=number, names=names)
    if odds.unseen.untold:
        yield say("holds-untold", lang, n=odds.unseen.untold)
    yield say("holds-note", lang)


# the command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `evotutor odds`."""
    from evotutor.core.text import default_language

    lang = default_language()
    parser.description = say("about", lang)
    command.add_position(parser, optional=True)
    add = parser.add_argument
    add("--attack", nargs="?", const="", metavar="LINE", help=say("help-attack", lang))
    add("--answers", choices=ANSWERS, default="best", help=say("help-answers", lang))
    add("--bank", nargs="?", type=int, const=-1, metavar="N", help=say("help-bank", lang))
    add("--holds", metavar="CARD", help=say("help-holds", lang))
    add("--seat", metavar="A", help=say("help-seat", lang))
    add("--player", metavar="B", help=say("help-player", lang))
    add("--players", type=int, metavar="N", help=say("help-players", lang))
    add("--modules", default="base", metavar="M,M", help=say("help-modules", lang))
    add("--scenario", metavar="NAME", help=say("help-scenario", lang))
    add("--ruling", action="append", default=[], metavar="X=Y", help=say("help-ruling", lang))
    add("--samples", type=_positive, default=SAMPLES, metavar="N", help=say("help-samples", lang))
    add("--limit", type=_positive, default=LIMIT, metavar="N", help=say("help-limit", lang))


def _positive(text: str) -> int:
    n = int(text)
    if n < 1:
        raise argparse.ArgumentTypeError(f"{n}: must be at least 1")
    return n


def run(args: argparse.Namespace) -> int:
    """`evotutor odds`: answer every question asked; 1 when the attack may not be played, 2 for what cannot be read."""
    from evotutor.cases import CaseError
    from evotutor.cases.expectations import told

    if args.attack is None and args.bank is None and args.holds is None:
        raise CaseError(say("no-question", args.lang), args.file or "odds")
    try:
        found = list(_answers(args))
    except IllegalMove as error:
        print(say("illegal", args.lang, line=error.text, why=told(error.reasons).to(args.lang)))
        return 1
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise CaseError(str(error), args.file or "odds") from error
    if args.json:
        print(json.dumps(dict(_grouped(found)), ensure_ascii=False, indent=1))
    else:
        print("\n\n".join(text for _, text, _ in found))
    return 0


Answer = tuple[str, str, dict[str, Any]]
"""The kind of question, the answer in words, and for machines."""


def _grouped(found: Iterable[Answer]) -> Iterator[tuple[str, Any]]:
    """By kind of question: one record, or for the hands of several players a list."""
    holds = []
    for kind, _, record in found:
        if kind == "holds":
            holds.append(record)
        else:
            yield kind, record
    if holds:
        yield "holds", holds


def _answers(args: argparse.Namespace) -> Iterator[Answer]:
    from evotutor.cases import CaseError, table

    asked = None if args.bank in (None, -1) else args.bank
    if args.file is None:
        if args.players is None or args.attack is not None or args.holds is not None:
            raise CaseError(say("no-file", args.lang), "odds")
        modules = [name.strip() for name in args.modules.split(",")]
        rulings = command.rulings(args.ruling, "odds")
        bank = bank_of_players(
            load("evolution", modules=tuple(modules), rulings=rulings, scenario=args.scenario), args.players
        )
        yield "bank", bank.to_text(args.lang, asked), bank.to_json(asked)
        return
    game, state = table(command.chosen(args), command.rulings(args.ruling, args.file), args.after)
    if args.attack is not None:
        attack = attack_odds(game, state, args.attack, args.answers, args.samples, args.limit)
        yield "attack", attack.to_text(args.lang), attack.to_json()
    if args.bank is not None:
        bank = bank_odds(game, state)
        yield "bank", bank.to_text(args.lang, asked), bank.to_json(asked)
    if args.holds is not None:
        for seat, player in _seats(game, state, args):
            cards = card_odds(game, state, args.holds, seat, player)
            yield "holds", cards.to_text(args.lang), cards.to_json()


def _seats(game: EvolutionGame, state: State, args: argparse.Namespace) -> list[tuple[int, int]]:
    """Who asks, and about whose hand."""
    asking = game.decision(state).player
    seat = (asking or 0) if args.seat is None else _seat(args.seat, state, args)
    if args.player is None:
        return [(seat, other) for other in range(len(state.hands)) if other != seat]
    player = _seat(args.player, state, args)
    if player == seat:
        raise ValueError(say("own-hand", args.lang, player=chr(65 + seat)))
    return [(seat, player)]


def _seat(name: str, state: State, args: argparse.Namespace) -> int:
    known = [chr(65 + seat) for seat in range(len(state.hands))]
    if name.strip().upper() not in known:
        raise ValueError(say("no-player", args.lang, player=name, known=", ".join(known)))
    return known.index(name.strip().upper())
