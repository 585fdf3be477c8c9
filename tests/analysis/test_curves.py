"""Curves by budget: the points have the scores and the costs that `compare` gives to the same parts of suites."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.compared_samples import write_run

from harness.analysis.comparable_suites import ComparedSuite, load_compared
from harness.analysis.compared import Basis, points
from harness.analysis.curves import curves, sizes_of
from harness.analysis.hypergeometric import expected_reached, nearly_expected_reached
from harness.model.experiment import ExecutionMode


def three_calls(suite: ComparedSuite) -> np.ndarray:
    return np.full(suite.trial.inputs, 3, dtype=np.int64)


@pytest.mark.parametrize("mode", [ExecutionMode.MATRIX, ExecutionMode.FIRST_KILL])
def test_each_point_has_the_score_that_compare_gives_for_as_many_inputs(tmp_path: Path, mode: ExecutionMode) -> None:
    compared = load_compared(write_run(tmp_path, random=mode))
    drawn = list(curves(compared, lambda parts: (), three_calls))
    assert [(curve.scope, curve.generator) for curve in drawn] == [
        (2, "beapi"), (2, "korat"), (2, "random"), (3, "korat"),
    ]  # fmt: skip
    for curve in drawn:
        for point in curve.points:
            (expected,) = (
                one
                for one in points(compared, [point.size])
                if (one.scope, one.generator, one.limit) == (curve.scope, curve.generator, point.size)
            )
            assert point.killed == pytest.approx([float(score) for score in expected.killed])
            assert (point.budgets[Basis.INPUTS], point.budgets[Basis.CALLS]) == (point.size, 3 * point.size)


def test_sizes_rise_by_steps_of_about_two_and_end_with_the_whole_suite() -> None:
    assert sizes_of(1) == [1]
    assert sizes_of(20) == [1, 2, 5, 10, 20]
    assert sizes_of(396) == [1, 2, 5, 10, 20, 50, 100, 200, 396]


def test_seconds_are_those_at_which_compare_allows_so_many_inputs(tmp_path: Path) -> None:
    compared = [
        replace(
            one,
            suites={
                name: [replace(suite, making=Fraction(1), running=Fraction(2)) for suite in suites]
                for name, suites in one.suites.items()
            },
        )
        for one in load_compared(write_run(tmp_path))
    ]
    for curve in curves(compared, lambda parts: (), three_calls):
        for point in curve.points:
            seconds = Fraction(point.budgets[Basis.SECONDS]).limit_denominator(10_000)
            (at,) = (
                one.inputs[0]
                for one in points(compared, [seconds], basis=Basis.SECONDS)
                if (one.scope, one.generator, one.limit) == (curve.scope, curve.generator, seconds)
            )
            assert at == point.size


def test_branches_that_cannot_be_measured_are_requests_for_once(tmp_path: Path) -> None:
    requests = []
    drawn = list(curves(load_compared(write_run(tmp_path)), lambda parts: requests.append(parts) or (), three_calls))
    assert len(requests) == len(drawn) == 4
    assert not any(point.branches for curve in drawn for point in curve.points)


@given(st.data())
def test_the_mean_that_is_drawn_is_the_exact_one_to_six_digits(data: st.DataObject) -> None:
    inputs = data.draw(st.integers(1, 400))
    hits = data.draw(st.lists(st.integers(0, inputs), min_size=1, max_size=20))
    size = data.draw(st.integers(1, inputs))
    exact = float(expected_reached(hits, inputs, size))
    assert nearly_expected_reached(hits, inputs, size) == pytest.approx(exact, abs=1e-6)


def test_the_mean_of_a_million_inputs_is_drawn_at_once() -> None:
    half = nearly_expected_reached([1, 0, 1_000_000], 1_000_000, 500_000)
    assert half == pytest.approx(1.5, abs=1e-6)
