"""Exact chances of small things: sums of dice, cards in a hand, and the interval around a sampled share.

A distribution is a mapping from outcome to probability; where nothing else is said the probabilities are fractions and
their sum is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, sqrt
from typing import Final, NamedTuple, TypeVar

T = TypeVar("T")
U = TypeVar("U")

LARGEST: Final = 10**7
"""Largest denominator of one event of chance in a game: beyond nine dice floats would not say the fraction."""
NORMAL_95: Final = 1.959964


def exact(p: float) -> Fraction:
    """The fraction that a probability given as a float stands for.

    >>> exact(1 / 6)
    Fraction(1, 6)
    """
    return Fraction(p).limit_denominator(LARGEST)


def dice_sum(dice: int, added: int = 0) -> dict[int, Fraction]:
    """The sum of six-sided dice with a fixed number added, from the closed form.

    The number of ways for a sum s of n dice is ``sum((-1)**k * C(n, k) * C(s - 6k - 1, n - 1))``.

    >>> dice_sum(2)[7]
    Fraction(1, 6)
    """
    if dice == 0:
        return {added: Fraction(1)}
    return {
        added + total: Fraction(
            sum((-1) ** k * comb(dice, k) * comb(total - 6 * k - 1, dice - 1) for k in range((total - dice) // 6 + 1)),
            6**dice,
        )
        for total in range(dice, 6 * dice + 1)
    }


def hypergeometric(cards: int, wanted: int, drawn: int) -> dict[int, Fraction]:
    """How many of the `wanted` among `cards` are among so many drawn at random; ValueError for impossible numbers.

    >>> hypergeometric(4, 1, 2)
    {0: Fraction(1, 2), 1: Fraction(1, 2)}
    """
    if not (0 <= wanted <= cards and 0 <= drawn <= cards):
        raise ValueError(f"{drawn} drawn and {wanted} wanted of {cards} cards")
    ways = comb(cards, drawn)
    return {
        k: Fraction(comb(wanted, k) * comb(cards - wanted, drawn - k), ways)
        for k in range(max(0, drawn + wanted - cards), min(wanted, drawn) + 1)
    }


def at_least(distribution: Mapping[int, Fraction], least: int) -> Fraction:
    """The chance of `least` or more."""
    return sum((p for n, p in distribution.items() if n >= least), Fraction(0))


def mean(distribution: Mapping[int, Fraction]) -> Fraction:
    """The expected number."""
    return sum((n * p for n, p in distribution.items()), Fraction(0))


def mixed(parts: Mapping[T, Fraction], inside: Callable[[T], Mapping[U, Fraction]]) -> dict[U, Fraction]:
    """The distribution of what happens `inside` each part; parts without a chance are left out."""
    found: dict[U, Fraction] = {}
    for part, weight in parts.items():
        for outcome, p in inside(part).items() if weight else ():
            found[outcome] = found.get(outcome, Fraction(0)) + weight * p
    return found


def convolved(one: Mapping[int, Fraction], two: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The sum of two independent numbers."""
    found = mixed(one, lambda a: {a + b: p for b, p in two.items()})
    return dict(sorted(found.items()))


class Interval(NamedTuple):
    """Where a sampled probability lies with 95% confidence."""

    low: float
    high: float


def wilson(hits: int, samples: int) -> Interval:
    """The Wilson interval of a share; ValueError without samples."""
    if not 0 <= hits <= samples or not samples:
        raise ValueError(f"{hits} of {samples} samples")
    p, z = hits / samples, NORMAL_95**2 / samples
    centre = (p + z / 2) / (1 + z)
    half = sqrt(z * p * (1 - p) + z * z / 4) / (1 + z)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))


def chance_text(p: Fraction) -> str:
    """A probability for people: ``1/2 = 50%``; a long fraction is left out."""
    if p in (0, 1):
        return f"{int(p) * 100}%"
    percent = f"{float(p) * 100:.3g}%"
    return f"{p} = {percent}" if p.denominator < 10_000 else percent


def bars(distribution: Mapping[int, Fraction], width: int = 24) -> dict[int, str]:
    """A bar of ``#`` for every outcome; the likeliest is as long as `width`."""
    most = max(distribution.values(), default=Fraction(1)) or Fraction(1)
    return {n: "#" * max(1 if p else 0, round(width * p / most)) for n, p in distribution.items()}
