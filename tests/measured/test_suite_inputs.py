"""The inputs of a real small run are read again: their calls, their branches, and which suites have the same ones."""

from dataclasses import replace
from fractions import Fraction

import pytest
from support.own_runs import pinned_run

from harness import api
from harness.analysis.compared import Basis, Budget, Rule, branches_of, comparable_suites, sub_suites
from harness.measured import suite_inputs
from harness.measured.suite_inputs import FOLDER, inputs_digest, with_branches, with_inputs


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """HeapArray at scope 2 with two mutants, as a full kill matrix."""
    return pinned_run(tmp_path_factory.mktemp("branches"), "heap_array", 2, scopes=[2])


@pytest.fixture
def compared(run):
    return comparable_suites(run)


def test_the_branches_of_all_inputs_are_those_that_the_run_counted(run, compared):
    (subject,) = with_branches(run, compared)
    covered = api.load(run).coverage()
    expected = covered.loc[covered["kind"] == "code", "branch_coverage"].iloc[0]
    whole = sub_suites(subject.suites["korat"], None, Rule.DRAWN)
    assert branches_of(whole) == (expected,) * 3
    first = sub_suites(subject.suites["korat"], Budget(Basis.INPUTS, Fraction(3)), Rule.FIRST)
    assert 0 < branches_of(first).expected < expected


def test_branches_are_measured_once_and_again_where_the_file_is_damaged(run, compared, monkeypatch):
    def branches():
        return with_branches(run, compared)[0].suites["korat"][0].branches.reaching_inputs().tolist()

    measured = branches()
    (file,) = (run / FOLDER).iterdir()
    file.write_text("[")
    assert branches() == measured
    monkeypatch.setattr(suite_inputs, "measured_branches", None)
    assert branches() == measured


def test_where_the_subject_was_changed_calls_and_branches_are_not_known(run, compared, caplog):
    changed = [one.with_each(lambda one: replace(one, trial=replace(one.trial, suite_digest="x"))) for one in compared]
    (suite,) = with_branches(run, with_inputs(changed))[0].suites["korat"]
    assert (suite.calls, suite.branches, suite.inputs_digest) == (None, None, "")
    assert "its calls are not known" in caplog.text


def test_states_have_one_call_each(compared):
    (suite,) = with_inputs(compared)[0].suites["korat"]
    assert suite.calls.tolist() == [1] * suite.trial.inputs


@pytest.mark.parametrize(("generator", "are_same"), [("hypothesis:60", True), ("random:30", False)])
def test_suites_with_the_same_inputs_in_any_order_have_one_digest(generator, are_same):
    """HeapArray at scope 2 has 25 states, of which 60 are asked for: each seed finds all, in an order of its own."""
    suites = [api.generate("heap_array", generator, 2, seed) for seed in (1, 2)]
    assert suites[0].header.digest != suites[1].header.digest
    assert (len({inputs_digest(suite) for suite in suites}) == 1) is are_same
    inputs = [
        {(tuple(one.vector(state)), one.calls[call]) for state, call in map(one.input, range(len(one)))}
        for one in suites
    ]
    assert (inputs[0] == inputs[1]) is are_same
