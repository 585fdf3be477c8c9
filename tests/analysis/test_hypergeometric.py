"""Expected kills of random draws, held to the mean over all draws that there are."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from harness.analysis.hypergeometric import chances_of_reaching, expected_reached


@given(st.lists(st.sets(st.integers(0, 6)), max_size=4), st.integers(1, 7))
def test_the_expectation_is_the_mean_over_all_draws(killers: list[set[int]], size: int) -> None:
    draws = [set(draw) for draw in combinations(range(7), size)]
    killed = sum(bool(draw & of_mutant) for draw in draws for of_mutant in killers)
    assert expected_reached(map(len, killers), 7, size) == Fraction(killed, len(draws))


@given(st.lists(st.sets(st.integers(0, 6)), max_size=4), st.integers(1, 7))
def test_a_chance_is_the_part_of_all_draws_that_kill(killers: list[set[int]], size: int) -> None:
    draws = [set(draw) for draw in combinations(range(7), size)]
    expected = [Fraction(sum(bool(draw & of_mutant) for draw in draws), len(draws)) for of_mutant in killers]
    assert chances_of_reaching([len(of_mutant) for of_mutant in killers], 7, size) == expected


def test_the_expectation_of_a_large_suite_is_exact() -> None:
    # One killing input of 54,754 is drawn by 10,000 with a chance of 10,000 / 54,754.
    assert expected_reached([1, 0, 54_754], 54_754, 10_000) == 1 + Fraction(10_000, 54_754)
