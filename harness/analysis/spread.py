"""Computes an interval for the median of repeated measurements that assumes nothing of their distribution."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

CONFIDENCE = Fraction(95, 100)


def median_bounds(ratios: Sequence[Fraction]) -> tuple[Fraction, Fraction] | None:
    """Return the bounds of an interval for the median of the distribution of ratios.

    The bounds are two of the ratios, by rank: as far inside as the binomial distribution allows at a confidence of 95
    %. Fewer than six ratios have no such bounds, so they are None; ten have the second and the ninth (97.9 %).
    """
    ordered, rank = sorted(ratios), bound_rank(len(ratios))
    return None if rank is None else (ordered[rank - 1], ordered[-rank])


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
