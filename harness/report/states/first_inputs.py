"""Finds the first states or sequences of calls of a suite; a sandboxed process executes the sequences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.kernel.inputs.describe import CallWriter, exception_name
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import Call, SuiteReader
from harness.kernel.judging.prepared import PreparedSequence, outcome_of
from harness.kernel.process.talk import Headway
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_suite import LoadedSuite, observed_suite
from harness.model.finitization import Finitization
from harness.model.sequence import SequenceScope
from harness.model.subject import Subject
from harness.report.python_files import observed
from harness.report.states.graph import NumberedState, StateGraph, StateReader, graph_of, merged, without_absent


@dataclass(frozen=True)
class StatesRequest:
    """Execute the sequences to the first `count` different states of a suite."""

    job: RunJob
    count: int


@dataclass(frozen=True)
class ReachedStates:
    """The states, in the order of the suite."""

    states: tuple[NumberedState, ...]


@dataclass(frozen=True)
class LastCallsRequest:
    """Execute the first `count` inputs of a suite."""

    job: RunJob
    count: int


@dataclass(frozen=True)
class LastCall:
    """The states around the last call of a sequence: those of its receiver, or of the object that it creates.

    `before` is None if the call creates the object, `after` if there is none; `raised` is the type of its exception.
    """

    before: StateGraph | None
    after: StateGraph | None
    raised: str


@dataclass(frozen=True)
class LastCallList:
    """The last calls, in the order of the suite."""

    calls: tuple[LastCall, ...]


def reach_states(request: StatesRequest, headway: Headway) -> ReachedStates:
    """Execute sequences up to as many different states. Those whose last call leaves no object have no state.

    Raises:
        MutascopeError: the spec cannot be used, or the implementation does not load.
    """
    loaded = observed_suite(request.job, headway)
    suite = loaded.suite
    prefixes = map(suite.prefix, headway.each(range(suite.header.states)))
    found = (_around(loaded, [suite.calls[at] for at in prefix]).after for prefix in prefixes)
    states = merged(((number, graph) for number, graph in enumerate(found, 1) if graph is not None), request.count)
    graphs = without_absent([state.graph for state in states])
    return ReachedStates(tuple(replace(state, graph=graph) for state, graph in zip(states, graphs, strict=True)))


def reach_last_calls(request: LastCallsRequest, headway: Headway) -> LastCallList:
    """Execute the first inputs.

    Raises:
        MutascopeError: as `reach_states`.
    """
    loaded = observed_suite(request.job, headway)
    numbers = headway.each(range(min(request.count, len(loaded.suite))))
    calls = [_around(loaded, loaded.suite.sequence(number)) for number in numbers]
    graphs = iter(without_absent([graph for one in calls for graph in (one.before, one.after) if graph is not None]))
    return LastCallList(
        tuple(LastCall(one.before and next(graphs), one.after and next(graphs), one.raised) for one in calls)
    )


def _around(loaded: LoadedSuite, calls: Sequence[Call]) -> LastCall:
    """Return the state of the last call's receiver or of its new object, before and after that call."""
    routines = loaded.sequences.routines
    sequence = PreparedSequence(routines, calls, [])
    sequence.lead_up()
    last = calls[-1]
    before = None
    if routines.routines[last.target].has_receiver:
        before = graph_of(sequence.results[last.arguments[0]], routines.omits)
    raised = outcome_of(sequence.invoke).raised
    after = None if sequence.root is None else graph_of(sequence.root, routines.omits)
    return LastCall(before, after, "" if raised is None else exception_name(raised))


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
