"""Compute exactly what random draws of a suite reach on average. No draw is made.

Of `inputs` inputs, `hits` reach a target (kill a mutant, execute a condition outcome). A draw of `size` inputs without
replacement misses all of them with the probability C(inputs - hits, size) / C(inputs, size): the hypergeometric
distribution at zero (Feller 1968, II.6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb, exp, lgamma


def expected_reached(hits: Iterable[int], inputs: int, size: int) -> Fraction:
    """Return how many targets a random draw reaches on average, given how many inputs reach each target."""
    by_hits = Counter(hits)
    missed = sum(times * comb(inputs - number, size) for number, times in by_hits.items())
    return by_hits.total() - Fraction(missed, comb(inputs, size))


def nearly_expected_reached(hits: Iterable[int], inputs: int, size: int) -> float:
    """Return `expected_reached` to six digits, by logarithms: exact fractions of a million inputs take minutes."""
    by_hits = Counter(hits)
    draws = _log_comb(inputs, size)
    return sum(
        times * (1 - (exp(_log_comb(inputs - number, size) - draws) if inputs - number >= size else 0))
        for number, times in by_hits.items()
    )


def _log_comb(inputs: int, size: int) -> float:
    return lgamma(inputs + 1) - lgamma(size + 1) - lgamma(inputs - size + 1)


def chances_of_reaching(hits: Sequence[int], inputs: int, size: int) -> list[Fraction]:
    """Return for each target the chance that a random draw reaches it, given how many inputs reach it."""
    draws = comb(inputs, size)
    by_hits = {number: 1 - Fraction(comb(inputs - number, size), draws) for number in set(hits)}
    return [by_hits[number] for number in hits]
