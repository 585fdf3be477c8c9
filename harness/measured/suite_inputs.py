"""Reads the inputs of compared suites again: their calls, which suites have the same inputs, and their branches."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from harness.analysis.compared import ComparedSuite, SubjectComparison
from harness.analysis.kill_matrix import BitMatrix, Numbers, transposed
from harness.checksums import kept_rows
from harness.errors import MutascopeError
from harness.kernel.inputs.suites import NO_STATE, SuiteReader
from harness.measured.scored_criteria import suite_of
from harness.measuring.measurement import measured_branches
from harness.model.pytest_suite import PYTEST
from harness.runner.logs import LOGGER
from harness.runner.mutant_set import mutated_functions
from harness.runner.subjects import load_subject
from harness.store import RunStore

FOLDER = "branches"
"""Within the run's."""


def with_inputs(compared: Iterable[SubjectComparison]) -> list[SubjectComparison]:
    """Return the comparisons with `calls` and `inputs_digest` of their suites, unless a suite cannot be read any more.

    Pytest suites have neither.
    """

    def read(suite: ComparedSuite) -> ComparedSuite:
        if suite.trial.generator == PYTEST:
            return suite
        try:
            inputs = suite_of(load_subject(suite.trial.subject), suite.trial)
        except MutascopeError as error:
            LOGGER.warning("%s: its calls are not known: %s", suite.trial, error)
            return suite
        return replace(suite, calls=calls_of(inputs), inputs_digest=inputs_digest(inputs))

    return [one.with_each(read) for one in compared]


def with_branches(folder: Path, compared: Iterable[SubjectComparison]) -> list[SubjectComparison]:
    """Return the comparisons of the run in `folder` with the `branches` of their suites.

    They are measured once, and stored with the run. Suites whose coverage the run has not measured have none, and
    neither have those that cannot be read any more.
    """

    def measured(suite: ComparedSuite) -> ComparedSuite:
        try:
            return replace(suite, branches=_branches(folder, suite))
        except MutascopeError as error:
            LOGGER.warning("%s: its branches are not known: %s", suite.trial, error)
            return suite

    return [one.with_each(measured) for one in compared]


def calls_of(suite: SuiteReader) -> Numbers:
    """Return the number of calls in each input: constructors included; 1 for a state with a call."""
    if not suite.holds_sequences:
        return np.ones(len(suite), dtype=np.int64)
    depths: list[int] = []
    for state in range(suite.header.states):
        before = suite.before(state)
        depths.append(1 + (0 if before == NO_STATE else depths[before]))
    states = (suite.input(number)[0] for number in range(len(suite)))
    return np.array([1 + (0 if state == NO_STATE else depths[state]) for state in states], dtype=np.int64)


def inputs_digest(suite: SuiteReader) -> str:
    """Return a digest that two suites of one subject, scope and kind share if they have the same inputs."""
    calls = [_digest(call.target, *call.arguments) for call in suite.calls]
    states = {NO_STATE: b""}
    for state, vector in enumerate(suite.vectors()):
        is_made = suite.holds_sequences
        states[state] = _digest(states[vector[0]], calls[vector[1]]) if is_made else _digest(*vector)
    places = (suite.input(number) for number in range(len(suite)))
    inputs = sorted(_digest(states[state], calls[call]) for state, call in places)
    return hashlib.sha256(b"".join(inputs)).hexdigest()


def _digest(*parts: object) -> bytes:
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).digest()


def _branches(folder: Path, suite: ComparedSuite) -> BitMatrix | None:
    trial = suite.trial
    with RunStore.open_existing(folder) as store:
        names = {one.function for one in store.coverage.of(trial.key)}
    if trial.generator == PYTEST or not names:
        return None
    subject = load_subject(trial.subject)
    inputs = suite_of(subject, trial)
    extents = {name: at for name, at in mutated_functions(subject).items() if name in names}
    functions = {name: (at.first_line, at.last_line) for name, at in extents.items()}
    identity = [subject.content_hash, trial.suite_digest, sorted(functions.items())]
    name = f"{subject.name}-{trial.scope}"
    branches, rows = kept_rows(folder / FOLDER, name, identity, lambda: measured_branches(subject, inputs, functions))
    by_input = np.frombuffer(rows, dtype=np.uint8).reshape(len(inputs), (branches + 7) // 8)
    return BitMatrix(transposed(by_input, range(branches)), len(inputs))
