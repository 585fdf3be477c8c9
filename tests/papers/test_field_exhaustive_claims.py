"""The rules of field_exhaustive2016's claims tell every outcome, and the fitted curves find what made the numbers."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given as drawn
from hypothesis import strategies

from harness.papers.field_exhaustive2016.claims import (
    Largest,
    Reached,
    bounded,
    fewer_than_random,
    growth,
    largest_suites,
    linear,
    polynomial,
    refactoring_bugs,
    twice_the_scope,
    within,
)
from harness.tables.claims import ClaimVerdict


@drawn(strategies.floats(0.5, 4), strategies.floats(1, 100))
def test_a_power_of_the_scope_is_found_with_its_exponent(exponent, factor):
    fit = growth({scope: factor * scope**exponent for scope in range(3, 12)})
    assert float(fit.exponent) == pytest.approx(exponent)
    assert fit.is_polynomial


@drawn(strategies.floats(1.2, 9), strategies.floats(1, 100))
def test_an_exponential_is_found_with_its_base(base, factor):
    fit = growth({scope: factor * base**scope for scope in range(3, 12)})
    assert float(fit.base) == pytest.approx(base)
    assert not fit.is_polynomial


@drawn(strategies.dictionaries(strategies.integers(0, 9), strategies.integers(0, 40), min_size=4, max_size=8))
def test_the_exponent_through_powers_of_two_is_that_of_fractions(exponents):
    """Logarithms of powers of two to the base of two are whole numbers, so this slope is exact."""
    middle = Fraction(sum(exponents), len(exponents))
    slope = sum((x - middle) * y for x, y in exponents.items()) / sum((x - middle) ** 2 for x in exponents)
    fit = growth({2**x: 2**y for x, y in exponents.items()})
    assert abs(Fraction(fit.exponent) - slope) <= Fraction(1, 2 * 10**12)


@drawn(strategies.sets(strategies.integers(1, 10**6), min_size=4, max_size=30), strategies.integers(1, 10**9))
def test_what_grows_exactly_linearly_is_linear_at_whatever_scopes(scopes, factor):
    finding = linear({scope: factor * scope for scope in scopes}, {})
    assert finding.outcome is ClaimVerdict.HOLDS
    assert finding.evidence.endswith(": inputs grow as scope^1.00")


@drawn(strategies.integers(4, 30), strategies.integers(1, 10**6))
def test_one_input_more_at_the_largest_scope_is_no_longer_linear(scopes, factor):
    inputs = {scope: factor * scope for scope in range(3, 3 + scopes)}
    inputs[2 + scopes] += 1
    finding = linear(inputs, {})
    assert finding.outcome is ClaimVerdict.FAILS
    assert not finding.evidence.endswith("scope^1.00")


def test_one_input_fewer_at_the_largest_scope_is_less_than_linear():
    finding = linear({3: 3000, 4: 4000, 5: 5000, 6: 5999}, {})
    assert (finding.outcome, finding.evidence) == (ClaimVerdict.HOLDS, "scopes 3 to 6: inputs grow as scope^0.9998")


def test_numbers_that_stay_the_same_grow_neither_way():
    same = dict.fromkeys(range(3, 9), 7)
    assert polynomial({s: 4**s for s in same}, same).outcome is ClaimVerdict.FAILS
    assert polynomial(same, {s: s**2 for s in same}).outcome is ClaimVerdict.FAILS
    assert polynomial(same, same).evidence.startswith("field-exhaustive scope^0.00 as well as 1.00^scope;")


def test_three_scopes_tell_no_growth():
    assert growth({3: 1, 4: 2, 5: 3}) is None
    assert linear({3: 1, 4: 2, 5: 3}, {}).outcome is ClaimVerdict.OPEN
    assert polynomial({3: 1}, {3: 1}).outcome is ClaimVerdict.OPEN


def test_polynomial_growth_beside_exponential_growth_holds_and_the_reverse_does_not():
    power, exponential = ({s: s**2 for s in range(3, 9)}, {s: 4**s for s in range(3, 9)})
    assert polynomial(exponential, power).outcome is ClaimVerdict.HOLDS
    assert polynomial(power, power).outcome is ClaimVerdict.FAILS
    assert polynomial(exponential, exponential).outcome is ClaimVerdict.FAILS


def test_suites_are_within_two_points_from_scope_six():
    assert within({5: (90.0, 10.0)}, [5]).outcome is ClaimVerdict.OPEN
    assert within({5: (90.0, 10.0), 6: (90.0, 88.5), 7: (90.0, 91.0)}, range(5, 8)).outcome is ClaimVerdict.HOLDS
    claim = within({6: (90.0, 88.5), 8: (90.0, 88.0)}, range(3, 10))
    assert (claim.outcome, claim.evidence) == (
        ClaimVerdict.FAILS,
        "known at 2 of 4 scopes, 6, 8: at most 2.00 points apart (scope 8: 90.00 and 88.00); 2 or more at 8",
    )


def test_two_points_apart_are_two_points_where_floats_say_less():
    assert 64.02 - 62.02 < 2
    assert within({6: (Decimal("64.02"), Decimal("62.02"))}, [6]).outcome is ClaimVerdict.FAILS
    assert within({6: (Decimal("64.02"), Decimal("62.03"))}, [6]).outcome is ClaimVerdict.HOLDS


def test_the_median_of_an_even_number_of_seeds_is_told_with_its_half():
    claim = fewer_than_random(4, 50, Decimal("80.00"), [40, 61], [1000, 1000], random_scope=10)
    assert (claim.outcome, claim.evidence[-14:]) == (ClaimVerdict.HOLDS, "(median: 50.5)")


def test_a_suite_with_more_structures_than_pairs_breaks_theorem_2():
    assert bounded({}).outcome is ClaimVerdict.OPEN
    assert bounded({3: (10, 10), 4: (9, 20)}).outcome is ClaimVerdict.HOLDS
    assert bounded({3: (11, 10), 4: (9, 20)}).evidence.startswith("scope 3: 11 structures, 10 pairs; 1 of 2")
    assert bounded({3: (11, 10), 4: (9, 20)}).outcome is ClaimVerdict.FAILS


@pytest.mark.parametrize(
    ("needed", "largest", "outcome", "end"),
    [
        ([], [], ClaimVerdict.OPEN, "random (scope 10) was not run"),
        ([40], [1000], ClaimVerdict.FAILS, ""),
        ([50], [1000], ClaimVerdict.FAILS, ""),
        ([51], [1000], ClaimVerdict.HOLDS, ""),
        ([40, None, 60], [1000, 1000, 1000], ClaimVerdict.HOLDS, ""),
        ([40, 45, None], [1000, 1000, 1000], ClaimVerdict.FAILS, ""),
        ([None, None], [300, 200], ClaimVerdict.HOLDS, "random (scope 10) does not with 200 to 300 tests of 2 seeds"),
        ([None, None], [50, 50], ClaimVerdict.OPEN, "random (scope 10) suites of 2 seeds are no larger (50)"),
        ([5, None, None], [40, 40, 40], ClaimVerdict.OPEN, ""),
        ([50, None, None], [100, 20, 20], ClaimVerdict.OPEN, ""),
        ([500, None, None], [1000, 51, 1000], ClaimVerdict.HOLDS, ""),
    ],
)
def test_random_tests_are_more_where_the_median_seed_needs_more(needed, largest, outcome, end):
    finding = fewer_than_random(4, 50, 80.0, needed, largest, random_scope=10)
    assert finding.outcome is outcome
    assert finding.evidence.endswith(end)


def test_twice_the_scope_is_decided_only_where_limits_were_met():
    assert twice_the_scope(Reached(8, 9), Reached(17, None)).outcome is ClaimVerdict.HOLDS
    assert twice_the_scope(Reached(8, 9), Reached(16, None)).outcome is ClaimVerdict.OPEN
    assert twice_the_scope(Reached(8, 9), Reached(16, 17)).outcome is ClaimVerdict.FAILS
    assert twice_the_scope(Reached(8, None), Reached(30, None)).outcome is ClaimVerdict.OPEN
    assert twice_the_scope(Reached(None, None), Reached(3, None)).outcome is ClaimVerdict.OPEN


def test_largest_suites_are_compared_only_where_both_are_known():
    of_fields = Largest(9, 91.0)
    assert largest_suites(Largest(4, 91.0), of_fields).outcome is ClaimVerdict.FAILS
    assert largest_suites(Largest(4, 90.5), of_fields).outcome is ClaimVerdict.HOLDS
    assert largest_suites(Largest(None, None), of_fields).outcome is ClaimVerdict.OPEN
    assert largest_suites(Largest(4, 91.0), Largest(9, None)).outcome is ClaimVerdict.OPEN


def test_an_exhaustive_suite_kills_at_least_what_parts_of_it_kill():
    of_fields = Largest(9, 91.0)
    assert largest_suites(Largest(6, None), of_fields).outcome is ClaimVerdict.OPEN
    assert largest_suites(Largest(6, None, at_least=90.5), of_fields).outcome is ClaimVerdict.OPEN
    claim = largest_suites(Largest(6, None, at_least=91.0), of_fields)
    assert (claim.outcome, claim.evidence) == (
        ClaimVerdict.FAILS,
        "exhaustive at least 91.00 at scope 6, with which no mutant was run, field-exhaustive 91.00 at scope 9",
    )


def test_bugs_are_compared_by_number():
    assert refactoring_bugs((100, 4), (10, 4)).outcome is ClaimVerdict.HOLDS
    assert refactoring_bugs((100, 4), (10, 3)).outcome is ClaimVerdict.FAILS
    assert refactoring_bugs((100, 4), (100, 4)).outcome is ClaimVerdict.FAILS
    assert refactoring_bugs(None, (100, 4)).outcome is ClaimVerdict.OPEN
