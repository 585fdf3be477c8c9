"""A child is believed only if its words fit the order and the position in shared memory."""

from dataclasses import replace

import pytest

from harness.kernel.process.child_process import Broken
from harness.kernel.process.progress import Progress
from harness.kernel.process.talk import ReportedError
from harness.kernel.running.fact_validation import NO_RUN, validated_facts
from harness.kernel.running.job import HarnessFault, MutantOrder, MutantRun
from harness.model.outcome import KillReason, Phase

ORDER = MutantOrder("m", "baseline", 4, 12, source="")
KILLED = MutantRun(
    reason=KillReason.OUTPUT, phase=Phase.CALL, detail="another value", input=6, inputs_run=3, executed=3, steps=30
)
SURVIVED = replace(KILLED, reason=None, phase=None, detail="", input=None, inputs_run=8)
NOT_LOADED = replace(KILLED, phase=Phase.LOAD, input=None, inputs_run=0)


@pytest.fixture
def progress():
    """Of a child that has executed two inputs and is at the third."""
    progress = Progress(4, 12)
    progress.set(6, 2, 0)
    return progress


@pytest.mark.parametrize("run", [KILLED, SURVIVED, NOT_LOADED], ids=["killed", "survived", "not-loaded"])
def test_what_fits_is_believed(run, progress):
    assert validated_facts(run, ORDER, progress) is run


@pytest.mark.parametrize(
    "run",
    [
        replace(KILLED, died=True),
        replace(KILLED, steps=None),
        replace(KILLED, inputs_run=9),
        replace(KILLED, executed=2),
        replace(KILLED, executed=4),
        replace(KILLED, input=3),
        replace(KILLED, input=12),
        replace(KILLED, input=None),
        replace(KILLED, phase=None),
        replace(SURVIVED, phase=Phase.CALL),
        replace(SURVIVED, input=6),
    ],
    ids=str,
)
def test_what_does_not_fit_is_a_crash_that_is_tried_once_more(run, progress):
    assert validated_facts(run, ORDER, progress) == NO_RUN
    assert (NO_RUN.reason, NO_RUN.outside) == (KillReason.CRASH, True)


def test_an_error_of_the_users_making_is_nothing_that_a_mutant_has(progress):
    assert validated_facts(ReportedError("SpecError", "forged"), ORDER, progress) == NO_RUN


def test_what_fails_in_the_harness_s_code_is_the_mutant_s_doing_unless_the_machine_is_at_fault(progress):
    broken = validated_facts(Broken(f"TypeError: \ud800{'x' * 5000}", of_machine=False), ORDER, progress)
    assert broken.detail == f"what watches it broke: TypeError: \\ud800{'x' * 3988}"
    assert validated_facts(Broken("OSError: no room", of_machine=True), ORDER, progress) == HarnessFault(
        "m", "OSError: no room"
    )
