"""A test that passes on the original, and is skipped, xfails or is missing on a mutant, does not let it survive."""

import pytest
from support.own_project import own_project
from support.own_runs import judged, results_of, rows_of, run_on, verified

from harness import api
from harness.model.outcome import KillReason, Phase, Verdict

pytestmark = pytest.mark.slow

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


@pytest.mark.parametrize("matrix", [False, True])
@pytest.mark.parametrize(
    ("core", "tests", "inputs", "detail"),
    [(SKIPS, TESTS, 2, "skipped"), (SKIPS.replace("skip(", "xfail("), XFAILING_TESTS, 5, "xfailed")],
    ids=["skipped", "xfailed"],
)
def test_a_mutant_on_which_a_test_is_skipped_or_xfails_is_killed_for_this_reason(
    tmp_path, core, tests, inputs, detail, matrix
):
    trial, results = judged(tmp_path, core, tests, matrix=matrix)
    assert trial.inputs == inputs
    result_of = {mutant.replacement: result for mutant, result in results}
    silent = result_of["value >= 3"]
    assert (silent.verdict, silent.reason, silent.phase) == (Verdict.KILLED, KillReason.SKIPPED, Phase.CALL)
    assert (silent.input, silent.detail) == (1, detail)
    rows = [row.bits for row in rows_of(tmp_path / "out", trial) if row.mutant == silent.mutant]
    assert [int.from_bytes(row, "little") & 0b111 for row in rows] == [0b010] * matrix
    assert verified(tmp_path / "out", None, 0, 1) == (len(results), [])
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
    assert verified(tmp_path / "out", None, 0, 1)[1] == []


@pytest.mark.parametrize("matrix", [False, True])
def test_a_mutant_on_which_a_test_is_not_collected_is_killed_for_this_reason(tmp_path, matrix):
    trial, results = judged(tmp_path, CASES, TESTS_OF_CASES, matrix=matrix)
    fewer = [result for mutant, result in results if mutant.function == "cases" and result.detail == "not collected"]
    assert fewer
    assert {(one.verdict, one.reason, one.phase, one.input) for one in fewer} == {
        (Verdict.KILLED, KillReason.SKIPPED, Phase.CALL, 0)
    }
    assert not [mutant for mutant, result in results if mutant.function == "cases" and result.executed == 0]
    rows = {row.mutant: row.bits for row in rows_of(tmp_path / "out", trial)}
    assert not matrix or {rows[one.mutant] for one in fewer} == {b"\x01"}
    assert verified(tmp_path / "out", None, 0, 1) == (len(results), [])
