"""Executes sequences of a suite on the original, and reads the states to which they lead as graphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.kernel.inputs.describe import exception_name
from harness.kernel.inputs.suites import Call
from harness.kernel.judging.prepared import PreparedSequence, outcome_of
from harness.kernel.process.talk import Headway
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_suite import LoadedSuite, observed_suite
from harness.report.states.graph import NumberedState, StateGraph, graph_of, merged, without_absent


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
