"""Rounding is exact, and the interval of a median is the one that the binomial distribution gives."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import product
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.analysis.percent import percent, percent_text, rounded
from harness.papers.field_exhaustive2016.tables import CONFIDENCE, bound_rank, median_bounds


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (None, "-"),
        (Fraction(0), "0.00"),
        (Fraction(1), "100.00"),
        (Fraction(71, 272), "26.10"),
        (Fraction(1, 1_000_000), "0.01"),
        (Fraction(999_999, 1_000_000), "99.99"),
        (Fraction(1, 20_000), "0.01"),
        (Fraction(12345, 1_000_000), "1.23"),
        (Fraction(12350, 1_000_000), "1.24"),
    ],
)
def test_percentages_are_printed_with_two_digits(ratio, text):
    assert percent_text(ratio) == text


@settings(derandomize=True, max_examples=200)
@given(st.integers(1, 10**7), st.integers(0, 10**7), st.integers(0, 3))
def test_only_nothing_is_0_and_only_everything_is_100(whole, part, digits):
    part = min(part, whole)
    value = percent(Fraction(part, whole), digits)
    assert (value == 0) == (part == 0)
    assert (value == 100) == (part == whole)
    assert abs(value - 100 * part / whole) <= 10**-digits + 1e-9


def test_more_than_the_whole_is_an_error():
    with pytest.raises(ValueError, match="no part of a whole"):
        percent(Fraction(3, 2))


@given(st.integers(-(10**9), 10**9), st.integers(0, 3))
def test_halves_are_rounded_away_from_zero_as_decimal_does(thousandths, digits):
    exact = Decimal(thousandths) / 1000
    expected = exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    assert rounded(Fraction(thousandths, 1000), digits) == expected


def test_a_half_is_rounded_up_whose_nearest_float_is_below_it():
    assert f"{346.275:.2f}" == "346.27"
    assert str(rounded(Fraction("346.275"))) == "346.28"


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
