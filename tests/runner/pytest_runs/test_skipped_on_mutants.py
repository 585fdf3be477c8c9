"""A test that passes on the original and is skipped on a mutant is no evidence that the mutant survives."""

from __future__ import annotations

import pytest
from support.own_project import own_project
from support.own_runs import results_of, rows_of, run_on

from harness import api
from harness.model.outcome import KillReason, Phase, Verdict
from harness.runner.pytest_runs.verify import verify_suites

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow]

SKIPS = """\
import pytest


def bounded(value):
    if value > 3:
        pytest.skip("not here")
    return value
"""
TESTS = """\
import unittest

from till.core import bounded


class Bounded(unittest.TestCase):
    def test_two(self):
        bounded(2)


def test_three():
    bounded(3)
"""
SKIPS_A_FILE = """\
import pytest

from till.core import less

if less(4) > 3:
    pytest.skip("not here", allow_module_level=True)


def test_one():
    pass


def test_two():
    pass
"""


@pytest.mark.parametrize("matrix", [False, True])
def test_a_mutant_on_which_tests_are_skipped_is_killed_for_this_reason(tmp_path, matrix):
    run_on(own_project(tmp_path / "own", core=SKIPS, tests=TESTS), tmp_path / "out", matrix=matrix)
    trial, results = results_of(tmp_path / "out")
    result_of = {mutant.replacement: result for mutant, result in results}
    skipped = result_of["value >= 3"]
    assert (skipped.verdict, skipped.reason, skipped.phase) == (Verdict.KILLED, KillReason.SKIPPED, Phase.CALL)
    assert (skipped.input, skipped.detail) == (1, "skipped")
    assert {row.bits for row in rows_of(tmp_path / "out", trial) if row.mutant == skipped.mutant} == (
        {b"\x02"} if matrix else set()
    )
    assert verify_suites(tmp_path / "out", None, 0, 1)[1] == []
    (record,) = api.tables(folder=tmp_path / "out", table="outcomes")["outcomes"].records()
    assert record["killed as tests are skipped"] == sum(r.reason is KillReason.SKIPPED for _, r in results)


@pytest.mark.parametrize("has_other_tests", [False, True])
def test_a_mutant_on_which_a_file_of_tests_is_skipped_is_killed_by_all_of_its_tests(tmp_path, has_other_tests):
    folder = own_project(tmp_path / "own", core="def less(value):\n    return value - 1\n", tests=SKIPS_A_FILE)
    if has_other_tests:
        (folder / "tests" / "test_others.py").write_text("def test_other():\n    pass\n")
    run_on(folder, tmp_path / "out", matrix=True)
    trial, results = results_of(tmp_path / "out")
    skipped = {result.mutant for _, result in results if result.reason is KillReason.SKIPPED}
    assert skipped
    assert {row.bits for row in rows_of(tmp_path / "out", trial) if row.mutant in skipped} == {b"\x03"}
    assert {result.input for _, result in results if result.mutant in skipped} == {0}
    assert verify_suites(tmp_path / "out", None, 0, 1)[1] == []
