"""Rates with their uncertainty."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

Z = 1.959964
"""Standard deviations to each side of a 95 % interval."""


class Rate(NamedTuple):
    """A share with its 95 % interval."""

    share: float
    low: float
    high: float


def wilson(wins: float, n: int, z: float = Z) -> Rate:
    """Wilson's interval for `wins` out of `n` (halves for shared wins are all right); ValueError for impossible counts.

    >>> rate = wilson(8, 10)
    >>> round(rate.low, 3), round(rate.high, 3)
    (0.49, 0.943)
    """
    if n < 0 or not 0 <= wins <= n + 1e-9:
        raise ValueError(f"{wins} of {n} is no rate")
    if n == 0:
        return Rate(0.0, 0.0, 1.0)
    p = wins / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(max(0.0, p * (1 - p) / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return Rate(p, max(0.0, middle - half), min(1.0, middle + half))
