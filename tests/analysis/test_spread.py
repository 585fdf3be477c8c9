"""The interval of a median is the one that the binomial distribution gives, and no tighter."""

from fractions import Fraction
from itertools import product
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.analysis.spread import CONFIDENCE, bound_rank, median_bounds


def holds(count: int, rank: int) -> Fraction:
    """Return how often a median lies between two ranks, over all ways in which values fall below (0) and above it
    (1).
    """
    inside = sum(rank <= sum(signs) <= count - rank for signs in product((0, 1), repeat=count))
    return Fraction(inside, 2**count)


@pytest.mark.parametrize("count", range(1, 13))
def test_the_rank_is_the_largest_that_holds_the_median_often_enough(count):
    rank = bound_rank(count)
    if rank is None:
        assert holds(count, 1) < CONFIDENCE
    else:
        assert holds(count, rank) >= CONFIDENCE > holds(count, rank + 1)


def test_ten_values_give_the_second_and_the_ninth_and_five_give_nothing():
    assert median_bounds([Fraction(n, 10) for n in range(10)]) == (Fraction(1, 10), Fraction(8, 10))
    assert median_bounds([Fraction(1, 2)] * 5) is None


@pytest.mark.slow
@given(st.lists(st.fractions(0, 1), min_size=6, max_size=30))
def test_the_median_lies_within_and_the_order_does_not_count(ratios):
    low, high = median_bounds(ratios)
    assert min(ratios) <= low <= median(ratios) <= high <= max(ratios)
    assert median_bounds(ratios[::-1]) == (low, high)
