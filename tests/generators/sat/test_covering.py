"""Covers have all elements; none of an irredundant one can be left out, and none is smaller than a minimal one."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.generators.sat.covering import greedy, irredundant, minimal

families = st.lists(st.frozensets(st.integers(0, 9), min_size=1, max_size=4), max_size=9)


def union(sets):
    return frozenset().union(*sets)


def smallest(sets):
    """Return the size of a smallest cover, by trying all."""
    return next(
        size for size in range(len(sets) + 1) if any(union(some) == union(sets) for some in combinations(sets, size))
    )


@settings(deadline=None, derandomize=True)
@given(families)
def test_of_an_irredundant_cover_no_set_can_be_left_out(sets):
    cover = [sets[position] for position in irredundant(sets)]
    assert union(cover) == union(sets)
    assert all(union(cover[:at] + cover[at + 1 :]) != union(sets) for at in range(len(cover)))


@settings(deadline=None, derandomize=True)
@given(families)
def test_a_minimal_cover_is_as_small_as_the_smallest_of_all(sets):
    cover = minimal(sets)
    assert union([sets[position] for position in cover.chosen]) == union(sets)
    assert list(cover.chosen) == sorted(cover.chosen)
    assert (len(cover.chosen), cover.proven) == (smallest(sets), True)


def test_the_solver_finds_what_greed_does_not():
    rows = [frozenset(range(7)), frozenset(range(7, 14))]
    columns = [frozenset({0, 1, 2, 3, 7, 8, 9, 10}), frozenset({4, 5, 11, 12}), frozenset({6, 13})]
    assert minimal([*columns, *rows]).chosen == (3, 4)


def test_a_cover_that_takes_too_many_conflicts_is_told_not_to_be_proven():
    triples = [frozenset(some) for some in combinations(range(12), 3) if sum(some) % 3 == 0]
    thorough, hasty = minimal(triples), minimal(triples, conflicts=1)
    assert thorough.proven
    assert not hasty.proven
    assert union([triples[position] for position in hasty.chosen]) == frozenset(range(12))
    assert len(hasty.chosen) >= len(thorough.chosen)


@settings(deadline=None, derandomize=True)
@given(families)
def test_a_greedy_cover_takes_the_first_of_the_largest_again_and_again(sets):
    missing, naive = union(sets), []
    while missing:
        naive.append(max(range(len(sets)), key=lambda position: (len(sets[position] & missing), -position)))
        missing -= sets[naive[-1]]
    assert greedy(dict(enumerate(sets))) == naive
