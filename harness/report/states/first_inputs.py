"""Finds the first states or sequences of calls of a suite; a sandboxed process executes the sequences."""

from __future__ import annotations

from harness.kernel.inputs.describe import CallWriter
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.running.job import RunJob
from harness.model.finitization import Finitization
from harness.model.sequence import SequenceScope
from harness.model.subject import Subject
from harness.report.python_files import observed
from harness.report.states.graph import NumberedState, StateReader, merged
from harness.report.states.reached_states import LastCall, LastCallList, LastCallsRequest, ReachedStates, StatesRequest


def sequences_of_suite(suite: SuiteReader, bounds: SequenceScope, count: int) -> list[str]:
    """Return the first inputs of a suite of call sequences, each as its calls on one line."""
    writer = CallWriter(bounds.root, bounds.routines)
    return [writer.text(suite.sequence(number)) for number in range(min(count, len(suite)))]


def states_of(suite: SuiteReader, finitization: Finitization, count: int) -> list[NumberedState]:
    """Return the first states of a suite, read by its finitization; the implementation is not executed."""
    return merged(enumerate(map(StateReader(StateSpace(finitization)).read, suite.vectors()), start=1), count)


def reached_states(subject: Subject, suite: SuiteReader, count: int) -> list[NumberedState]:
    """Return the first `count` states of a suite of sequences, each that of its last call's receiver or new object.

    Raises:
        SpecError: the bounds of the sequences are unusable.
        SourceError: the implementation does not load.
        BaselineError: the process died of the executed code, or was stuck in it.
    """
    request = StatesRequest(RunJob.of_suite(subject, suite), count)
    return list(observed(subject, suite, request, ReachedStates).states)


def last_calls(subject: Subject, suite: SuiteReader, count: int) -> list[LastCall]:
    """Return the states around the last calls of the first `count` inputs of a suite of sequences.

    Raises:
        MutascopeError: as `reached_states`.
    """
    request = LastCallsRequest(RunJob.of_suite(subject, suite), count)
    return list(observed(subject, suite, request, LastCallList).calls)
