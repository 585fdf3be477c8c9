"""Trials on suites of sequences that a test has made itself."""

from pathlib import Path

from support.naive_sequences import write_suite

from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import load_spec
from harness.model.experiment import Approach, ExecutionMode, Experiment, Trial
from harness.model.outcome import Mutant
from harness.model.sequence import Observation
from harness.model.subject import Subject
from harness.runner.mutant_set import derive_mutants
from harness.runner.subjects import interface_of, load_subject
from harness.runner.trial import PreparedTrial, run_trial
from harness.runner.verify import Verification, verify_run
from harness.store.run_store import RunStore


def suite_of(subject: Subject, folder: Path, scope: int) -> SuiteReader:
    """Write a suite of every structure within the scope with every call."""
    spec = load_spec(subject.spec_source, str(subject.spec_path))
    write_suite(folder, execute(ModuleText.of(subject)), spec.sequences(scope, subject.source), scope, subject.name)
    return SuiteReader(folder)


def prepared(
    name: str, folder: Path, scope: int, most: int | None = None, suite: SuiteReader | None = None
) -> PreparedTrial:
    """Return a trial on a suite of sequences, with every `most`-th of its mutants."""
    subject = load_subject(name)
    mutants: list[Mutant] = derive_mutants(subject)
    mutants = mutants[:: max(1, len(mutants) // most)] if most else mutants
    made_suite = suite or suite_of(subject, folder / f"suite-{subject.name}-{scope}", scope)
    return PreparedTrial(
        Trial(name, "naive-beapi", scope), subject, interface_of(subject, scope), made_suite, mutants, scope
    )


def ran(
    trial: PreparedTrial,
    folder: Path,
    *,
    observed: Observation = Observation.END,
    approach: Approach = Approach.SEPARATE,
    mode: ExecutionMode = ExecutionMode.FIRST_KILL,
    concrete: bool = False,
    jobs: int = 1,
) -> str:
    """Runs the trial into `folder`; its key."""
    experiment = Experiment(
        "of-sequences", (trial.trial,), mode, approach=approach, concrete=concrete,
        observed=observed,
    )  # fmt: skip
    with RunStore.open(folder) as store:
        return run_trial(trial, experiment, store, jobs)


def confirmed(trial: PreparedTrial, folder: Path) -> bool:
    """Return whether the naive path comes to the same verdict on each mutant of the trial."""
    verification = verified(trial, folder)
    return (verification.checked, verification.disagreements) == (len(trial.mutants), ())


def verified(trial: PreparedTrial, folder: Path) -> Verification:
    """Verify all verdicts of the folder by executing them again."""
    return verify_run(folder, suite_of=lambda _: trial.suite.folder, mutants_of=lambda subject, stored: trial.mutants)
