"""Suites at equal inputs, calls and seconds: what their parts are, held to a plain second evaluation."""

from __future__ import annotations

from itertools import accumulate
from statistics import median
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.analysis.evaluated_suites import (
    AS_MANY,
    CALL_LIMITS,
    CALLS,
    INPUT_LIMITS,
    INPUTS,
    LARGEST,
    SECONDS,
    SELECTED,
    WHOLE,
    EvaluatedSuite,
    evaluated,
    one_of_each_kind,
)
from harness.analysis.first_kills import FirstKills
from harness.analysis.kill_matrix import KillMatrix
from harness.analysis.outcome_matrix import OutcomeMatrix
from harness.model.coverage import ConditionOutcome
from harness.runner.selections import random_keys
from harness.store import KillRow

Kills = list[set[int]]
"""By mutant, the inputs that kill it."""


def outcomes(reaching: list[set[int]], inputs: int) -> OutcomeMatrix:
    """An outcome of the class for each set of inputs, and one of a helper that all inputs reach."""
    rows = [*reaching, set(range(inputs))]
    told = tuple(ConditionOutcome("C.m", n, "x", True, n < len(reaching)) for n in range(len(rows)))
    bits = bytearray()
    for number in range(inputs):
        bits += bytes(number in of_row for of_row in rows)
    program: Any = SimpleNamespace(outcomes=told, bits=tuple(8 * n for n in range(len(rows))), width=len(rows))
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
    seconds: float | None = None,
) -> EvaluatedSuite:
    trial: Any = SimpleNamespace(key=f"{generator} {scope} {seed}", generator=generator, scope=scope, seed=seed)
    return EvaluatedSuite(trial, outcomes(reaching, len(calls)), np.array(calls, dtype=np.int64), kills, seconds)


def rows(*suites: EvaluatedSuite) -> dict[tuple[str, str, float], dict[str, Any]]:
    """By generator (the first word of the trial's key), basis and limit; the last scope where there are several."""
    return {(row["trial"].split()[0], row["basis"], row["limit"]): row for row in evaluated(suites)}


def test_a_suite_stands_beside_what_is_selected_by_coverage_and_as_many_at_random():
    found = rows(suite("rostra", matrix([{0}, {1}, {3}], 4), [{0, 1}, {2, 3}], [1, 2, 3, 4]))
    whole, selected, drawn = (found["rostra", basis, 0] for basis in (WHOLE, SELECTED, AS_MANY))
    assert (whole["killed_median"], whole["reached_median"], whole["outcomes"], whole["calls"]) == (3, 2, 2, 10)
    # Inputs 0 and 2 are the first to reach an outcome of the class.
    assert (selected["size"], selected["calls"], selected["killed_median"], selected["reached_median"]) == (2, 4, 1, 2)
    assert (drawn["suites"], drawn["size"], drawn["mutants"]) == (10, 2, 3)


def test_a_suite_without_mutants_is_told_by_what_it_reaches():
    found = rows(suite("rostra", None, [{0}, {9}], [2] * 10))
    assert found.keys() == {("rostra", WHOLE, 0), ("rostra", SELECTED, 0)}
    assert found["rostra", WHOLE, 0]["killed_median"] is None
    assert found["rostra", SELECTED, 0]["size"] == 2


def test_what_no_other_generator_kills_is_told_of_whole_suites():
    one = suite("symstra", matrix([{0}, {1}, set()], 2), [{0}], [1, 1])
    other = suite("rostra", matrix([{0}, set(), {2}], 3), [{0}], [1, 1, 1])
    third = suite("rostra", matrix([set(), set(), set()], 3), [{0}], [1, 1, 1], scope=2)
    found = rows(third, one, other)
    assert (found["symstra", LARGEST, 0]["alone"], found["rostra", LARGEST, 0]["alone"]) == (1, 1)
    assert found["rostra", LARGEST, 0]["trial"] == "rostra 3 0"


def test_options_of_a_generator_stand_beside_no_other_generator():
    assert one_of_each_kind(["css:paths=9", "symstra", "symstra:keep=all", "random:50", "css"]) == [
        "css", "symstra", "random:50",
    ]  # fmt: skip
    kills = matrix([{0}], 20)
    found = rows(*(suite(name, kills, [{0}], [1] * 20) for name in ("symstra", "symstra:keep=all")))
    assert ("symstra", INPUTS, 10) in found
    assert ("symstra:keep=all", INPUTS, 10) not in found
    assert ("symstra:keep=all", WHOLE, 0) in found


def test_of_suites_that_are_random_by_themselves_the_beginnings_count():
    kills = [{0}, {15}, {25}]
    seeds = [suite("random", firsts(kills, 30), [{0}, {12}], [5] * 30, seed=seed, seconds=0.5) for seed in (1, 2)]
    found = rows(*seeds)
    ten = found["random", INPUTS, 10]
    assert (ten["suites"], ten["size"], ten["killed_median"], ten["reached_median"]) == (2, 10, 1, 1)
    hundred = found["random", CALLS, 100]
    assert (hundred["size"], hundred["calls"], hundred["killed_median"]) == (20, 100, 2)
    # At an even rate, 0.3 of 0.5 seconds are 18 of 30 inputs; in one second all are made.
    assert [found["random", SECONDS, limit]["size"] for limit in (0.3, 1.0)] == [18, 30]
    assert ("random", SELECTED, 0) not in found


def test_first_kills_of_a_suite_that_is_not_random_are_beside_no_other_generator():
    found = rows(suite("rostra", firsts([{0}], 50), [{0}], [1] * 50))
    assert found.keys() == {("rostra", WHOLE, 0)}


def test_in_time_is_the_largest_suite_that_was_made_in_time():
    small = suite("rostra", matrix([{0}], 2), [{0}], [1, 1], scope=2, seconds=0.02)
    large = suite("rostra", matrix([{0}], 3), [{0}], [1, 1, 1], scope=3, seconds=0.2)
    found = rows(small, large)
    assert {limit: row["size"] for (_, basis, limit), row in found.items() if basis == SECONDS} == {
        0.03: 2, 0.1: 2, 0.3: 3, 1.0: 3,
    }  # fmt: skip


made_up = st.integers(10, 60).flatmap(
    lambda size: st.tuples(
        st.lists(st.sets(st.integers(0, size - 1), max_size=4), min_size=1, max_size=5),
        st.lists(st.sets(st.integers(0, size - 1), max_size=9), min_size=1, max_size=4),
        st.lists(st.integers(1, 9), min_size=size, max_size=size),
    )
)


@pytest.mark.end_to_end
@settings(max_examples=40, deadline=None)
@given(made_up)
@pytest.mark.parametrize(("basis", "limits"), [(INPUTS, INPUT_LIMITS), (CALLS, CALL_LIMITS)])
def test_medians_are_those_of_a_plain_evaluation(basis, limits, drawn):
    kills, reaching, calls = drawn
    inputs = len(calls)
    found = rows(suite("rostra", matrix(kills, inputs), reaching, calls))
    cost = [1] * inputs if basis == INPUTS else calls
    for limit in limits:
        row = found.get(("rostra", basis, limit))
        if sum(cost) < limit:
            assert row is None
            continue
        parts = []
        for seed in range(10):
            keys = [int(key) for key in random_keys(inputs, seed)]
            order = sorted(range(inputs), key=lambda at: keys[at])
            sums = list(accumulate(cost[at] for at in order))
            parts.append({at for at, total in zip(order, sums, strict=True) if total <= limit})
        assert row is not None
        assert row["killed_median"] == median(sum(bool(killers & part) for killers in kills) for part in parts)
        assert row["reached_median"] == median(sum(bool(hits & part) for hits in reaching) for part in parts)
        assert row["size"] == median(map(len, parts))
        assert row["calls"] == median(sum(calls[at] for at in part) for part in parts)
        often = [sum(bool(killers & part) for part in parts) >= 5 for killers in kills]
        assert row["alone"] == sum(often)
