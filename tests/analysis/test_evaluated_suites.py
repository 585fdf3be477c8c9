"""Suites at one scope and equal inputs, calls and seconds, held to counts over all draws that there are."""

from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.analysis.compared import Basis, ComparedSuite, SubjectComparison
from harness.analysis.kill_matrix import FirstKills, KillMatrix, OutcomeMatrix
from harness.measured.evaluated_run import (
    ALL,
    AS_MANY,
    LIMITS,
    SELECTED,
    WHOLE,
    EvaluatedSuite,
    evaluated,
    one_of_each_kind,
)
from harness.model.coverage import ConditionOutcome
from harness.store import KillRow

INPUTS, CALLS, SECONDS = (basis.value for basis in Basis)

Kills = list[set[int]]
"""By mutant, the inputs that kill it."""


def outcomes(reaching: list[set[int]], inputs: int) -> OutcomeMatrix:
    """Return an outcome of the class for each set of inputs, and one of a helper that all inputs reach."""
    rows = [*reaching, set(range(inputs))]
    outcomes = tuple(ConditionOutcome("C.m", n, "x", True, n < len(reaching)) for n in range(len(rows)))
    bits = bytearray()
    for number in range(inputs):
        bits += bytes(number in of_row for of_row in rows)
    program: Any = SimpleNamespace(outcomes=outcomes, bits=tuple(8 * n for n in range(len(rows))), width=len(rows))
    return OutcomeMatrix(program, bytes(bits))


def matrix(kills: Kills, inputs: int) -> KillMatrix:
    rows = []
    for number, killers in enumerate(kills):
        flags = np.array([at in killers for at in range(inputs)], dtype=np.bool_)
        rows.append(KillRow(f"m{number}", inputs, np.packbits(flags, bitorder="little").tobytes()))
    return KillMatrix(rows, inputs)


def firsts(kills: Kills, inputs: int) -> FirstKills:
    first = np.array([min(killers, default=inputs) for killers in kills], dtype=np.int64)
    return FirstKills(tuple(f"m{n}" for n in range(len(kills))), first, inputs)


def suite(
    generator: str,
    kills: FirstKills | KillMatrix | None,
    reaching: list[set[int]],
    calls: list[int],
    scope: int = 3,
    seed: int = 0,
) -> EvaluatedSuite:
    key = f"{generator} {scope} {seed}"
    fields = {"generator": generator, "scope": scope, "inputs": len(calls), "suite_digest": key, "sequences": None}
    trial: Any = SimpleNamespace(key=key, **fields)
    return EvaluatedSuite(trial, outcomes(reaching, len(calls)), np.array(calls, dtype=np.int64), kills)


def rows(
    *suites: EvaluatedSuite, making: str = "1", running: str = "1"
) -> dict[tuple[str, str, float], dict[str, Any]]:
    """By trial, basis and limit; those with kills are compared."""
    by_scope: dict[int, dict[str, list[ComparedSuite]]] = {}
    for one in suites:
        if one.kills is not None:
            with_kills = ComparedSuite(one.trial, one.kills, Fraction(making), Fraction(running))
            by_scope.setdefault(one.trial.scope, {}).setdefault(one.trial.generator, []).append(with_kills)
    compared = [SubjectComparison("tree", "Tree", scope, of_scope, {}) for scope, of_scope in by_scope.items()]
    return {(row["trial"], row["basis"], row["limit"]): row for row in evaluated(suites, compared)}


def test_a_suite_stands_beside_what_is_selected_by_coverage_and_as_many_at_random():
    row_of = rows(suite("rostra", matrix([{0}, {1}, {3}], 4), [{0, 1}, {2, 3}], [1, 2, 3, 4]))
    whole, selected, drawn = (row_of["rostra 3 0", basis, 0] for basis in (WHOLE, SELECTED, AS_MANY))
    assert (whole["killed_median"], whole["reached_median"], whole["outcomes"], whole["calls"]) == (3, 2, 2, 10)
    # Inputs 0 and 2 are the first to reach an outcome of the class.
    assert (selected["size"], selected["calls"], selected["killed_median"], selected["reached_median"]) == (2, 4, 1, 2)
    pairs = list(combinations(range(4), 2))
    reached = sum(bool({0, 1} & {*pair}) + bool({2, 3} & {*pair}) for pair in pairs)
    killed = sum(number in pair for pair in pairs for number in (0, 1, 3))
    assert (drawn["killed_median"], drawn["reached_median"]) == pytest.approx((killed / len(pairs), reached / 6))
    assert (drawn["suites"], drawn["size"], drawn["calls"], drawn["mutants"]) == (1, 2, 5, 3)


def test_a_suite_without_mutants_is_told_by_what_it_reaches():
    row_of = rows(suite("rostra", None, [{0}, {9}], [2] * 10))
    assert row_of.keys() == {("rostra 3 0", WHOLE, 0), ("rostra 3 0", SELECTED, 0)}
    assert row_of["rostra 3 0", WHOLE, 0]["killed_median"] is None
    assert row_of["rostra 3 0", SELECTED, 0]["size"] == 2


def test_what_no_other_generator_kills_is_told_of_whole_suites_at_one_scope():
    one = suite("symstra", matrix([{0}, {1}, set()], 2), [{0}], [1, 1])
    other = suite("rostra", matrix([{0}, set(), {2}], 3), [{0}], [1, 1, 1])
    smaller = suite("rostra", matrix([set(), {0}, set()], 3), [{0}], [1, 1, 1], scope=2)
    row_of = rows(smaller, one, other)
    kills_alone = {trial: row["alone"] for (trial, basis, _), row in row_of.items() if basis == ALL}
    assert kills_alone == {"symstra 3 0": 1, "rostra 3 0": 1, "rostra 2 0": 1}


def test_options_of_a_generator_stand_beside_no_other_generator():
    assert one_of_each_kind(["css:paths=9", "symstra", "symstra:keep=all", "random:50", "css"]) == [
        "css", "symstra", "random:50",
    ]  # fmt: skip
    kills = matrix([{0}], 20)
    row_of = rows(*(suite(name, kills, [{0}], [1] * 20) for name in ("symstra", "symstra:keep=all")))
    assert ("symstra 3 0", INPUTS, 10) in row_of
    assert ("symstra:keep=all 3 0", INPUTS, 10) not in row_of
    assert ("symstra:keep=all 3 0", WHOLE, 0) in row_of


def test_of_all_generators_inputs_are_drawn_and_seeds_have_one_mean():
    seeds = [suite("random", matrix([{19 * seed}], 20), [{0, seed}], [1] * 20, seed=seed) for seed in (0, 1)]
    ten = rows(*seeds, making="0.3", running="0.2")["random 3 0", INPUTS, 10]
    assert (ten["suites"], ten["taken"], ten["killed_median"], ten["alone"]) == (2, "drawn at random", 0.5, 1)
    assert ten["reached_median"] == pytest.approx((1 / 2 + 1 - 9 / 38) / 2)


def test_first_kills_stand_beside_others_as_whole_suites_alone():
    first = suite("rostra", firsts([{0}], 50), [{0}], [1] * 50)
    row_of = rows(first, suite("korat", matrix([set()], 50), [{0}], [1] * 50))
    assert {basis for trial, basis, _ in row_of if trial == "rostra 3 0"} == {WHOLE, ALL}
    assert row_of["rostra 3 0", ALL, 0]["alone"] == 1


def test_each_scope_has_rows_of_its_own():
    small, large = (suite("rostra", matrix([{0}], size), [{0}], [1] * size, scope=size // 10) for size in (20, 40))
    row_of = rows(small, large)
    sizes = {key: row["size"] for key, row in row_of.items() if key[1] == INPUTS}
    assert sizes == {("rostra 2 0", INPUTS, 10): 10, ("rostra 4 0", INPUTS, 10): 10, ("rostra 4 0", INPUTS, 30): 30}
    assert row_of["rostra 2 0", INPUTS, 10]["killed_median"] == 10 / 20
    assert row_of["rostra 4 0", INPUTS, 10]["killed_median"] == 10 / 40


suites_of_one_size = st.integers(11, 13).flatmap(
    lambda size: st.tuples(
        st.lists(st.sets(st.integers(0, size - 1), max_size=4), min_size=1, max_size=5),
        st.lists(st.sets(st.integers(0, size - 1), max_size=4), min_size=1, max_size=4),
        st.lists(st.integers(10, 300), min_size=size, max_size=size),
    )
)


@settings(max_examples=30, deadline=None)
@given(suites_of_one_size)
@pytest.mark.parametrize("basis", [Basis.INPUTS, Basis.CALLS])
def test_the_means_are_those_over_all_draws(basis, drawn):
    kills, reaching, calls = drawn
    inputs, limit = len(calls), int(LIMITS[basis][0])
    evaluated_rows = rows(suite("rostra", matrix(kills, inputs), reaching, calls))
    size = limit if basis is Basis.INPUTS else limit * inputs // sum(calls)
    row = evaluated_rows.get(("rostra 3 0", basis.value, limit))
    if not size:
        assert row is None
        return
    draws = [set(draw) for draw in combinations(range(inputs), size)]

    def mean(values: list[int]) -> float:
        return float(Fraction(sum(values), len(draws)))

    assert row["killed_median"] == pytest.approx(
        mean([sum(bool(killers & draw) for killers in kills) for draw in draws])
    )
    assert row["reached_median"] == pytest.approx(mean([sum(bool(hits & draw) for hits in reaching) for draw in draws]))
    assert row["calls"] == pytest.approx(mean([sum(calls[at] for at in draw) for draw in draws]))
    assert row["size"] == size
    assert row["alone"] == sum(2 * sum(bool(killers & draw) for draw in draws) >= len(draws) for killers in kills)
