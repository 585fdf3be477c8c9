"""Finds a program's own faults with the inputs of any suite (field_exhaustive2016, section 6, Table 2)."""

from __future__ import annotations

from harness.checking.fault_report import FaultReport
from harness.checking.requests import FaultsOfSuite, FaultsRequest
from harness.errors import UsageError
from harness.model.experiment import Trial
from harness.runner.making_record import MakingRecord
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite
from harness.sandbox.ask import Question, ask


def find_faults(trial: Trial) -> FaultReport:
    """Run the original once on each input of the trial's suite, and collect the faults that the spec's `fault` reports.

    Raises:
        UsageError: the inputs are sequences of calls.
        SpecError: the spec has no function `fault`, or that function raises.
        BaselineError: the process died during the execution, or was stuck.
    """
    subject = load_subject(trial.subject)
    now = MakingRecord.now()
    suite = ensure_suite(subject, trial)
    if suite.holds_sequences:
        raise UsageError(
            f"{trial}: faults need a suite of states, not of call sequences; take another generator: korat"
        )
    result = ask(
        Question(
            process="harness.observing.process",
            request=FaultsRequest.of(subject, trial.scope, suite=str(suite.folder)),
            answer=FaultsOfSuite,
            work=f"{trial}: running its suite",
            readable=[suite.folder],
        )
    )
    return FaultReport(
        subject=trial.subject,
        title=subject.title,
        generator=trial.generator,
        scope=trial.scope,
        seed=trial.seed,
        inputs=len(suite),
        generating=suite.header.seconds,
        origin=now.origin_of(suite.header),
        testing=result.seconds,
        faults=result.faults,
    )
