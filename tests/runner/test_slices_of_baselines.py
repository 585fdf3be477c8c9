"""The original runs in slices of inputs; those that an interrupted run has made are reused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import counter
from support.own_subject import write_subject
from support.subjects import load_subject

from harness import api
from harness.errors import StoreError
from harness.kernel.judging.baseline import Baseline, ExpectedOutcome
from harness.kernel.running.baseline_slices import read_baseline, write_slice
from harness.model.experiment import Experiment
from harness.model.interface import Interface
from harness.runner import probing
from harness.runner.mutant_stages import Execution
from harness.runner.probing import LEAST_SLICE, PIECES, SLICE, slices
from harness.runner.zygotes import zygote_executor
from harness.store.run_store import export_facts

SOURCE = "5" * 64


def baseline(first: int, last: int) -> Baseline:
    slice_of_inputs = Baseline(first)
    for number in range(first, last):
        slice_of_inputs.add(ExpectedOutcome(b"R%d" % (number % 3), b"state", number, 2), 0.5)
    return slice_of_inputs


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    for first, last in ((0, 4), (4, 9)):
        write_slice(folder, SOURCE, baseline(first, last), 1.5)
    return folder


def test_slices_are_read_back_as_one_baseline_and_one_that_lacks_a_slice_is_refused(written):
    whole, read = baseline(0, 9), read_baseline(written, SOURCE, 9, lambda: None)
    assert (len(read), read.all_seconds) == (len(whole), whole.all_seconds)
    assert [read.values[number] for number in read.outcomes] == [whole.values[number] for number in whole.outcomes]
    assert (read.steps, read.judge_steps) == (whole.steps, whole.judge_steps)
    with pytest.raises(StoreError, match="No such file"):
        read_baseline(written, SOURCE, 10, lambda: None)


@pytest.mark.parametrize("is_damaged", [False, True])
def test_a_slice_that_is_damaged_or_of_other_sources_is_made_again(tmp_path, is_damaged):
    subject, spec = load_subject(write_subject(tmp_path, counter.SOURCE, counter.SPEC))
    called = Interface.of_finitization(spec.finitization(counter.SCOPE))
    suite = counter.write_suite(tmp_path / "suite")
    execution = Execution(subject, called, suite, [], Experiment("test", ()), tmp_path)
    stale = write_slice(tmp_path, SOURCE, baseline(0, counter.INPUTS), 1.5)
    if is_damaged:
        stale.write_bytes(b"")
    with zygote_executor(execution.write_job(), 1) as executor:
        made = execution.observe_original(executor)
        assert made.cpu_seconds != 1.5
        assert execution.observe_original(executor) == made, "with the same seconds, as it is used again"


@given(st.integers(0, 9_000).map(lambda number: 8 * number), st.integers(1, 400_000))
def test_slices_follow_each_other_and_begin_at_multiples_of_eight(first, count):
    pieces = slices(first, first + count)
    assert [start for start, _ in pieces] == [first, *(end for _, end in pieces[:-1])]
    assert pieces[-1][1] == first + count
    assert all(start % 8 == 0 and 0 < end - start <= SLICE for start, end in pieces)


def test_some_thousand_inputs_are_divided_between_workers():
    assert len(slices(0, LEAST_SLICE)) == 1
    assert len(slices(0, PIECES * LEAST_SLICE + 1)) == PIECES
    assert len(slices(0, 10 * SLICE)) == 10


@pytest.mark.slow
def test_facts_do_not_depend_on_the_slices(tmp_path, monkeypatch):
    experiment = api.subject_experiment("search_tree", ["korat", "beapi"], [3])
    whole = api.run(experiment, tmp_path / "whole", jobs=1)
    monkeypatch.setattr(probing, "LEAST_SLICE", 16)
    divided = api.run(experiment, tmp_path / "divided", jobs=2)
    assert export_facts(divided) == export_facts(whole)
