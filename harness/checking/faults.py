"""Finds a program's own faults with the inputs of any suite (field_exhaustive2016, section 6, Table 2)."""

from __future__ import annotations

from harness.checking.faults_job import FaultsJob
from harness.checking.found_faults import FoundFault, FoundFaults
from harness.errors import BaselineError, UsageError
from harness.generators.job import patience
from harness.kernel.program.loader import ModuleText
from harness.model.experiment import Trial
from harness.runner.making import Making
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite
from harness.sandbox.folders import own_folder
from harness.sandbox.listening import Listener, death_remedy
from harness.sandbox.process import SandboxedProcess, WorkerDied


def find_faults(trial: Trial) -> FoundFaults:
    """Runs the original once on each input of the trial's suite; the spec's `fault` tells what it shows.

    Raises:
        UsageError: the inputs are sequences of calls.
        SpecError: the spec tells no faults, or what tells them raises.
        BaselineError: the process died of what it executed, or was stuck in it.
    """
    subject = load_subject(trial.subject)
    now = Making.now(jobs=1)
    suite = ensure_suite(subject, trial)
    if suite.holds_sequences:
        raise UsageError(f"{trial}: faults are told of states with a call each; take another generator: korat")
    job = FaultsJob(ModuleText.of(subject), subject.spec_source, str(subject.spec_path), str(suite.folder), trial.scope)
    with own_folder() as folder:
        path = folder / "job.json"
        job.write(path)
        try:
            readable = [path, suite.folder]
            with SandboxedProcess("harness.checking.faults_child", str(path), readable=readable) as child:
                fact = Listener(child, patience()).fact()
        except WorkerDied as death:
            how, remedy = " ".join(death.how.split()), death_remedy(death)
            raise BaselineError(f"{trial}: running its suite failed {how}; {remedy}") from None
    return FoundFaults(
        subject=trial.subject,
        title=subject.title,
        generator=trial.generator,
        scope=trial.scope,
        seed=trial.seed,
        inputs=len(suite),
        generating=suite.header.seconds,
        origin=now.origin_of(suite.header),
        testing=float(fact["seconds"]),
        faults=tuple(FoundFault(**{**fields, "causes": tuple(fields["causes"])}) for fields in fact["faults"]),
    )
