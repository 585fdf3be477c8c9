"""Computes the median of repeated measurements, and an interval for it that assumes nothing of their distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

CONFIDENCE = Fraction(95, 100)


@dataclass(frozen=True)
class Spread:
    """The median of `count` ratios, and the bounds of an interval for the median of their distribution.

    The bounds are two of the ratios, by rank: as far inside as the binomial distribution allows at a confidence of 95
    %. Fewer than six ratios have no such bounds, so they are None; ten have the second and the ninth (97.9 %).
    """

    count: int
    median: Fraction
    low: Fraction | None
    high: Fraction | None

    @classmethod
    def of(cls, ratios: Sequence[Fraction]) -> Spread:
        """Return the spread of one or more ratios."""
        ordered, count = sorted(ratios), len(ratios)
        median = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
        rank = bound_rank(count)
        if rank is None:
            return cls(count, median, None, None)
        return cls(count, median, ordered[rank - 1], ordered[count - rank])


def bound_rank(count: int) -> int | None:
    """Return the largest rank r, from 1, whose r-th smallest and r-th largest of `count` values enclose the median.

    They do so with a probability of CONFIDENCE. Return None if even the smallest and the largest do not.
    """
    rank, tail = 0, 0
    while True:
        tail += comb(count, rank)
        if 1 - Fraction(2 * tail, 1 << count) < CONFIDENCE:
            return rank or None
        rank += 1
