"""Measures the condition outcomes that the inputs of a suite reach once, and stores them with the run."""

from __future__ import annotations

from pathlib import Path

from harness.analysis.kill_matrix import OutcomeMatrix
from harness.checksums import kept_rows
from harness.errors import MutascopeError, StoreError
from harness.kernel.inputs.suites import SuiteReader
from harness.measured.scored_criteria import suite_of
from harness.measuring.measurement import OUTCOME_VERSION, measured_outcomes
from harness.measuring.outcomes import RecordingProgram, Spans, telling_outcomes
from harness.model.experiment import ExecutionMode
from harness.model.outcome import OracleName
from harness.model.sequence import ON_MUTANT
from harness.model.subject import Subject
from harness.mutation.reach import reachable
from harness.runner.logs import LOGGER
from harness.runner.mutant_set import mutated_functions
from harness.runner.subjects import interface_of, load_subject
from harness.store import RunStore, StoredTrial

FOLDER = "outcomes"
"""Within the run's."""


def telling_program(subject: Subject) -> tuple[RecordingProgram, Spans]:
    """Return the conditions of the functions that are counted, and the spans of these functions.

    They are targets and helpers, as of branch coverage, and the constructor of the class under test. Inputs that begin
    with a state do not reach the constructor; its outcomes count nevertheless, so that all suites of a subject have one
    denominator.

    Raises:
        MutascopeError: the spec does not load, or what helpers there are takes a run that fails.
    """
    root = interface_of(subject, subject.profile_scope or 1).root
    spans = {name: (extent.first_line, extent.last_line) for name, extent in mutated_functions(subject).items()}
    spans = _constructor(subject, root) | spans
    return telling_outcomes(subject.source, str(subject.source_path), spans, root), spans


def outcomes_of_suite(subject: Subject, suite: SuiteReader) -> OutcomeMatrix:
    """Return the condition outcomes that each input of a suite reaches; each is run once, in the sandbox.

    Raises:
        MutascopeError: as `telling_program` and `measured_outcomes`.
    """
    program, spans = telling_program(subject)
    return OutcomeMatrix(program, measured_outcomes(subject, suite, spans))


def cached_condition_outcomes(folder: Path, trial: StoredTrial) -> OutcomeMatrix:
    """Return the outcomes of a trial's suite, from the run in `folder`; measure them if they are missing.

    Raises:
        MutascopeError: as `suite_of` and `outcomes_of_suite`, or the run's folder cannot be written.
    """
    subject = load_subject(trial.subject)
    suite = suite_of(subject, trial)
    program, spans = telling_program(subject)
    identity = [OUTCOME_VERSION, subject.content_hash, suite.header.digest, ON_MUTANT, *sorted(spans)]
    name = f"{subject.name}-{trial.scope}"
    _, rows = kept_rows(
        folder / FOLDER, name, identity, lambda: (program.width, measured_outcomes(subject, suite, spans))
    )
    return OutcomeMatrix(program, rows)


def trials_with_outcomes(folder: Path) -> list[tuple[StoredTrial, OutcomeMatrix]]:
    """Return the finished trials of a run with their outcomes, each suite once.

    Trials that cannot be measured any more are left out, with a warning.

    Raises:
        StoreError: no trial can be measured; or see `RunStore.open_existing`.
    """
    measured = []
    for trial in _finished(folder):
        try:
            measured.append((trial, cached_condition_outcomes(folder, trial)))
        except MutascopeError as error:
            LOGGER.warning("%s: no condition outcomes: %s", trial, error)
    if not measured:
        raise StoreError(
            f"{folder}: the condition outcomes of no trial are known; run it again with its subjects as now"
        )
    return measured


def outcomes_at(folder: Path, subject: str, scope: int, generator: str | None = None) -> OutcomeMatrix:
    """Return the outcomes of a subject's last finished trial at a scope, of the named generator or of any.

    Raises:
        StoreError: there is no such trial, or the subject was changed since.
        MutascopeError: as `cached_condition_outcomes`.
    """
    trials = [
        trial
        for trial in _finished(folder)
        if (trial.subject, trial.scope) == (subject, scope) and generator in (None, trial.generator)
    ]
    if not trials:
        raise StoreError(f"{folder}: {subject} has no finished trial at scope {scope}; run it there")
    return cached_condition_outcomes(folder, trials[-1])


def _finished(folder: Path) -> list[StoredTrial]:
    """Return the finished trials; of several on one suite, the one with the most detailed results."""
    with RunStore.open_existing(folder) as store:
        trials = store.finished_under(OracleName.DIFFERENTIAL)
    by_suite: dict[tuple[object, ...], StoredTrial] = {}
    for trial in trials:
        identity = trial.subject, trial.generator, trial.suite_digest, trial.sequences
        if identity not in by_suite or _MODES.index(trial.mode) > _MODES.index(by_suite[identity].mode):
            by_suite[identity] = trial
    return list(by_suite.values())


_MODES = (ExecutionMode.GENERATE, ExecutionMode.SELECTIONS, ExecutionMode.FIRST_KILL, ExecutionMode.MATRIX)
"""From those that say least of a suite."""


def _constructor(subject: Subject, root: str) -> dict[str, tuple[int, int]]:
    """Return the lines of the constructor of the class under test, if it has its own."""
    name = f"{root}.__init__"
    try:
        extents = reachable(subject.source, [root], subject.helpers)
    except MutascopeError:
        return {}
    return {one: (extent.first_line, extent.last_line) for one, extent in extents.items() if one == name}
