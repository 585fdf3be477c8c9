"""Branch coverage of sub-suites of a real small run is measured once, stored, and measured again if damaged."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from harness import api
from harness.analysis.comparable_suites import load_compared
from harness.analysis.compared import SuitePart, whole_suites
from harness.measured.measured_branches import FEWEST, FILE_NAME, MOST, MeasuredBranches

pytestmark = pytest.mark.end_to_end


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """HeapArray at scope 2 with two mutants, as a full kill matrix."""
    folder = tmp_path_factory.mktemp("branches")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        api.pin("heap_array", 2)
        return api.run(api.subject_experiment("heap_array", "korat", [2], matrix=True), folder / "run", jobs=1)


@pytest.fixture
def suites(run):
    (subject,) = load_compared(run)
    return subject.suites["korat"]


def measured(run):
    return MeasuredBranches(run)


def test_whole_suites_are_facts_of_the_run_and_nothing_is_measured(run, suites):
    (run / FILE_NAME).unlink(missing_ok=True)
    (whole,) = measured(run)(whole_suites(suites))
    covered = api.load(run).coverage()
    assert whole == covered.loc[covered["kind"] == "code", "branch_coverage"].iloc[0]
    assert not (run / FILE_NAME).exists()


def test_sub_suites_are_measured_once_and_kept_beside_the_run(run, suites):
    (run / FILE_NAME).unlink(missing_ok=True)
    chosen = [SuitePart(suites[0], 3)]
    first = measured(run)(chosen)
    (whole,) = measured(run)(whole_suites(suites))
    assert Fraction(0) < first[0] < whole
    assert FEWEST <= len(json.loads((run / FILE_NAME).read_text())) <= MOST
    written = (run / FILE_NAME).stat()
    assert measured(run)(chosen) == first
    assert (run / FILE_NAME).stat() == written
    measured(run)([SuitePart(suites[0], 4)])  # not known yet
    assert (run / FILE_NAME).stat() != written


def test_of_random_prefixes_the_first_inputs_are_measured(run, suites):
    prefix = SuitePart(replace(suites[0], has_random_prefixes=True), 3)
    path = run / FILE_NAME
    path.unlink(missing_ok=True)
    (ratio,) = measured(run)([prefix])
    assert len(json.loads(path.read_text())) == 1
    assert 0 < ratio <= 1


def test_a_damaged_file_is_made_anew(run, suites):
    chosen = [SuitePart(suites[0], 2)]
    first = measured(run)(chosen)
    for damage in ("[1]", '{"x": 3}'):
        (run / FILE_NAME).write_text(damage)
        assert measured(run)(chosen) == first
    assert len((run / FILE_NAME).read_text()) > 60


def test_where_the_subject_was_changed_nothing_is_told(run, suites, caplog):
    changed = replace(suites[0], trial=replace(suites[0].trial, suite_digest="of another suite"))
    assert measured(run)([SuitePart(changed, 4)]) == []
    assert "the subject was changed, run it again" in caplog.text


def test_parts_of_a_suite_have_the_branches_of_the_whole_suite(run, suites):
    inputs = suites[0].trial.inputs
    beginnings = replace(suites[0], has_random_prefixes=True, trial=replace(suites[0].trial, inputs=inputs + 1))
    one, everything = measured(run)([SuitePart(beginnings, 1), SuitePart(beginnings, inputs)])
    assert [everything] == measured(run)(whole_suites(suites))
    assert one < everything
    assert everything.denominator % one.denominator == 0
