"""A test that passes on the original, and xfails or is missing on a mutant, is no evidence that the mutant survives."""

from __future__ import annotations

import pytest
from support.own_project import own_project
from support.own_runs import results_of, rows_of, run_on

from harness.model.outcome import KillReason, Phase, Verdict
from harness.runner.pytest_runs.verify import verify_suites

pytestmark = pytest.mark.end_to_end

XFAILS = """\
import pytest


def bounded(value):
    if value > 3:
        pytest.xfail("not here")
    return value
"""
XFAILING_TESTS = """\
import unittest

import pytest

from till.core import bounded


def test_two():
    bounded(2)


def test_three():
    bounded(3)


def test_xfails_on_the_original():
    bounded(4)


@pytest.mark.xfail
def test_is_marked():
    assert bounded(3) == 4


class Expecting(unittest.TestCase):
    @unittest.expectedFailure
    def test_expects(self):
        assert bounded(3) == 4
"""
CASES = "def cases():\n    return list(range(2 - 1))\n\n\ndef more(value):\n    return value + 1\n"
TESTS_OF_CASES = """\
import pytest

from till.core import cases, more


@pytest.mark.parametrize("case", cases())
def test_case(case):
    pass


def test_more():
    assert more(1) == 2
"""


@pytest.mark.slow
@pytest.mark.parametrize("matrix", [False, True])
def test_a_mutant_on_which_a_test_xfails_is_killed_for_this_reason(tmp_path, matrix):
    run_on(own_project(tmp_path / "own", core=XFAILS, tests=XFAILING_TESTS), tmp_path / "out", matrix=matrix)
    trial, results = results_of(tmp_path / "out")
    assert trial.inputs == 5
    result_of = {mutant.replacement: result for mutant, result in results}
    xfailed = result_of["value >= 3"]
    assert (xfailed.verdict, xfailed.reason, xfailed.phase) == (Verdict.KILLED, KillReason.SKIPPED, Phase.CALL)
    assert (xfailed.input, xfailed.detail) == (1, "xfailed")
    rows = [row.bits for row in rows_of(tmp_path / "out", trial) if row.mutant == xfailed.mutant]
    assert not matrix or int.from_bytes(rows[0], "little") & 0b111 == 0b010
    assert verify_suites(tmp_path / "out", None, 0, 1) == (len(results), [])


@pytest.mark.slow
@pytest.mark.parametrize("matrix", [False, True])
def test_a_mutant_on_which_a_test_is_not_collected_is_killed_for_this_reason(tmp_path, matrix):
    run_on(own_project(tmp_path / "own", core=CASES, tests=TESTS_OF_CASES), tmp_path / "out", matrix=matrix)
    trial, results = results_of(tmp_path / "out")
    fewer = [result for mutant, result in results if mutant.function == "cases" and result.detail == "not collected"]
    assert fewer
    assert {(one.verdict, one.reason, one.phase, one.input) for one in fewer} == {
        (Verdict.KILLED, KillReason.SKIPPED, Phase.CALL, 0)
    }
    assert not [mutant for mutant, result in results if mutant.function == "cases" and result.executed == 0]
    rows = {row.mutant: row.bits for row in rows_of(tmp_path / "out", trial)}
    assert not matrix or {rows[one.mutant] for one in fewer} == {b"\x01"}
    assert verify_suites(tmp_path / "out", None, 0, 1) == (len(results), [])
