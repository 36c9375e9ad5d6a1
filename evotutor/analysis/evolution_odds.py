"""What questions about chances have to be told about Evolution: attacks, food, and cards that nobody sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Final, NamedTuple

from evotutor.analysis.chance import hypergeometric, mixed
from evotutor.core.model import NotationError
from evotutor.core.play import play_line
from evotutor.games.evolution import hidden
from evotutor.games.evolution.catalog import CARDS, UNKNOWN, card_of, trait_of
from evotutor.games.evolution.game import EvolutionGame
from evotutor.games.evolution.locations import FOOD as FOOD_BY_LOCATION
from evotutor.games.evolution.locations import LOCATIONS
from evotutor.games.evolution.state import (
    ATTACK,
    DEVELOPMENT,
    FEEDING,
    FLAGS,
    FOOD,
    OVER,
    REMAINS,
    Animal,
    State,
    find,
    is_fed,
)
from evotutor.games.evolution.table import Table
from evotutor.games.evolution.turn import FOOD_DICE

MARKS: Final = ("poisoned", "paralysed", "inked")
"""Conditions that an attack can leave on its hunter."""


# an attack


class Result(NamedTuple):
    """How an attack ended: is the prey alive, the tokens the hunter has more, who died, what became of the hunter."""

    alive: bool
    tokens: int
    dead: tuple[int, ...]
    marks: tuple[str, ...]


@dataclass(frozen=True)
class Attack:
    """An attack under way: `before` is the table when it was declared, `depth` the frames that lie under it."""

    before: State
    state: State
    hunter: int
    prey: int
    depth: int

    def over(self, state: State) -> bool:
        """Is everything that the attack set off over?"""
        return len(state.stack) <= self.depth or state.phase != FEEDING

    def result(self, state: State) -> Result:
        """What this end of the attack means."""
        hunter = find(state, self.hunter)
        was = find(self.before, self.hunter)
        tokens = _tokens(hunter) - _tokens(was)
        dead = tuple(a.uid for herd in self.before.herds for a in herd if _lives(a) and not _lives(find(state, a.uid)))
        fresh = (hunter.flags if hunter else 0) & ~(was.flags if was else 0)
        marks = tuple(word for word in MARKS if fresh >> FLAGS.index(word) & 1)
        return Result(self.prey not in dead, tokens, dead, marks)


def _lives(animal: Animal | None) -> bool:
    return animal is not None and not animal.flags & REMAINS


def _tokens(animal: Animal | None) -> int:
    return 0 if animal is None else animal.red + animal.blue + animal.fat.bit_count()


def attack(game: EvolutionGame, state: State, line: str = "") -> Attack:
    """The attack that a line declares, or without a line the one that waits for an answer.

    IllegalMove with all reasons when the line may not be played, NotationError when there is no attack.
    """
    if not line:
        return _waiting(state)
    record: list[Any] = []
    events: list[Any] = []
    after = play_line(game, state, line, events, record)
    declared = next((event for event in events if event[0] == "attack"), None)
    if declared is None:
        raise NotationError(f"{line!r} is no attack", hint="write it as 'A: attack a1 b1'")
    before = record[0][0]
    frames = [i for i, frame in enumerate(after.stack) if frame[0] == ATTACK]
    return Attack(state, after, declared[3], declared[4], frames[-1] if frames else max(0, len(before.stack) - 1))


def _waiting(state: State) -> Attack:
    frames = [i for i, frame in enumerate(state.stack) if frame[0] == ATTACK]
    if not frames:
        raise NotationError("no attack waits for an answer here", hint="declare one: --attack 'A: attack a1 b1'")
    _, hunter, prey, _ = state.stack[frames[-1]]
    return Attack(state, state, hunter, prey, frames[-1])


# food


class Bank(NamedTuple):
    """How the food of one location comes about: its name ("" without locations), dice, and tokens added."""

    place: str
    dice: int
    added: int


class Need(NamedTuple):
    """What the animals of one location lack: tokens to be fed, and beyond that tokens for empty fat cards."""

    place: str
    tokens: int
    fat: int


def food_dice(game: EvolutionGame, players: int) -> tuple[Bank, ...]:
    """Dice and added tokens for so many players; ValueError for a number that the rules do not allow."""
    if not game.players_min <= players <= game.players_max:
        raise ValueError(f"{players} players: this game is for {game.players_min}-{game.players_max}")
    if game.locations:
        laurasia, gondwana, ocean = FOOD_BY_LOCATION[players]
        return tuple(Bank(place, *row) for place, row in zip(LOCATIONS, (laurasia, gondwana, (0, ocean)), strict=True))
    if game.cataclysm:
        return (Bank("", 2, players),)
    return (Bank("", *FOOD_DICE[players]),)


def known_bank(game: EvolutionGame, state: State) -> bool:
    """Has the food of this turn been rolled?"""
    return state.phase == FEEDING or (game.cataclysm and state.phase == DEVELOPMENT)


def before_food(game: EvolutionGame, state: State) -> State:
    """The table on which the dice will be rolled, if nobody plays another card; ValueError when the game is over."""
    if state.phase == OVER:
        raise ValueError("the game is over: no food comes any more")
    if known_bank(game, state) or state.phase == FOOD:
        return state
    table = Table(state._replace(stack=()), None)
    game.start_food(table)
    return table.freeze()


def grown(game: EvolutionGame, state: State) -> tuple[int, ...]:
    """Tokens that animals themselves add to each bank when feeding begins (Aedificator)."""
    if state.phase == FEEDING:
        return (0,) * len(state.bank)
    table = Table(state, None)
    game.grow_food(table)
    return tuple(after - before for after, before in zip(table.bank, state.bank, strict=True))


def needs(state: State) -> tuple[Need, ...]:
    """What all animals together lack, for each bank."""
    places = LOCATIONS if len(state.bank) > 1 else ("",)
    found = []
    for loc, place in enumerate(places):
        here = [a for herd in state.herds for a in herd if _lives(a) and (len(places) == 1 or a.loc == loc)]
        tokens = sum(a.need - a.red - a.blue for a in here if not is_fed(a))
        found.append(Need(place, tokens, sum((a.fatcards & ~a.fat).bit_count() for a in here)))
    return tuple(found)


# unseen cards


def cards_named(name: str) -> tuple[int, ...]:
    """The cards that a name means: one card, or every card with this trait; NotationError with the nearest name."""
    word = name.strip().lower()
    if word in trait_of:
        return tuple(card.index for card in CARDS if trait_of[word].index in card.traits)
    if word in card_of:
        return (card_of[word].index,)
    near = get_close_matches(word, [*trait_of, *card_of], 1)
    raise NotationError(f"{name!r} is no card and no trait", hint=f"did you mean {near[0]!r}?" if near else "")


@dataclass(frozen=True)
class Unseen:
    """The unseen cards of the box: chances of (how many, how many of them wanted); traits whose card nobody told."""

    parts: dict[tuple[int, int], Fraction]
    untold: int

    @property
    def cards(self) -> int:
        """How many cards of the box nobody showed."""
        return max(cards for cards, _ in self.parts)

    @property
    def wanted(self) -> Fraction:
        """How many of them are wanted, on average."""
        return sum((wanted * p for (_, wanted), p in self.parts.items()), Fraction(0))


def unseen(game: EvolutionGame, seen: State, wanted: Collection[int]) -> Unseen:
    """Count the cards of the box that this (observed) position does not show.

    A trait that only its name tells is a random one of the copies that carry it, hence a distribution.
    """
    left = Counter(game.box(len(seen.hands)))
    known, traits = hidden.told(seen)
    left.subtract(known)
    relevant = frozenset(traits)
    classes: Counter[tuple[frozenset[int], bool]] = Counter()
    for card, n in left.items():
        classes[relevant & frozenset(CARDS[card].traits), card in wanted] += max(0, n)
    kinds = sorted(classes, key=lambda kind: (sorted(kind[0]), kind[1]))
    parts = {tuple(classes[kind] for kind in kinds): Fraction(1)}
    for trait in sorted(traits):
        parts = mixed(parts, _taking([trait in carried for carried, _ in kinds]))
    return Unseen(mixed(parts, lambda counts: {(sum(counts), _wanted(kinds, counts)): Fraction(1)}), len(traits))


def _taking(fits: list[bool]) -> Callable[[tuple[int, ...]], dict[tuple[int, ...], Fraction]]:
    """One copy of a fitting kind leaves, each copy as likely; nothing leaves when none is left."""

    def take(counts: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
        total = sum(n for n, fit in zip(counts, fits, strict=True) if fit)
        if not total:
            return {counts: Fraction(1)}
        return {
            (*counts[:i], n - 1, *counts[i + 1 :]): Fraction(n, total) for i, n in enumerate(counts) if fits[i] and n
        }

    return take


def _wanted(kinds: Iterable[tuple[frozenset[int], bool]], counts: Iterable[int]) -> int:
    return sum(n for (_, wanted), n in zip(kinds, counts, strict=True) if wanted)


class Hand(NamedTuple):
    """A hand as another seat sees it: cards nobody showed, and wanted ones that did show."""

    unknown: int
    certain: int


def hand_seen(seen: State, player: int, wanted: Collection[int]) -> Hand:
    """The hand of a player in an observed position."""
    hand = seen.hands[player]
    return Hand(hand.count(UNKNOWN), sum(card in wanted for card in hand))


def copies_held(found: Unseen, hand: Hand) -> dict[int, Fraction]:
    """How many wanted cards the hand holds; NotationError when the box has too few cards for it."""
    least = min(cards for cards, _ in found.parts)
    if hand.unknown > least:
        raise NotationError(f"{hand.unknown} cards in that hand, but only {least} of the box are unseen")
    inside = mixed(found.parts, lambda part: hypergeometric(*part, hand.unknown))
    return {hand.certain + k: p for k, p in sorted(inside.items())}


def observed(game: EvolutionGame, state: State, seat: int) -> State:
    """What this seat sees."""
    return game.observe(state, seat)


def word_of(name: str, lang: str) -> str:
    """A card or trait in the reader's language."""
    from evotutor.rulebook import card_text, trait_text

    word = name.strip().lower()
    return trait_text(word, lang) if word in trait_of else card_text(word, lang)


def cards_text(cards: Iterable[int], lang: str) -> str:
    """Names of cards in the reader's language."""
    from evotutor.rulebook import card_text

    return ", ".join(card_text(card, lang) for card in cards)
