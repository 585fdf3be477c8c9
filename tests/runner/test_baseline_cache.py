"""The partial baseline of an interrupted run is reused if it was made from the same sources."""

import pytest
from support import counter
from support.own_subject import write_subject
from support.subjects import load_subject

from harness.errors import StoreError
from harness.kernel.judging.baseline import Baseline, ExpectedOutcome
from harness.kernel.running.baseline_slices import read_baseline, write_slice
from harness.model.experiment import Experiment
from harness.model.interface import Interface
from harness.runner.mutant_stages import Execution
from harness.runner.zygotes import zygote_executor

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
    assert read.facts == whole.facts
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
