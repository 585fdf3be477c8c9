"""Executes sequences of a suite on the original, and sends the states to which they lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.kernel.inputs.describe import exception_name
from harness.kernel.inputs.suites import Call
from harness.kernel.judging.prepared import PreparedSequence, outcome_of
from harness.kernel.process.talk import Headway
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_suite import observed_suite
from harness.report.states.graph import StateGraph, merged
from harness.report.states.object_graph import graph_of
from harness.report.states.requests import (
    AroundCall,
    GraphNodes,
    LastCallList,
    LastCallsRequest,
    ReachedState,
    ReachedStates,
    StatesRequest,
)


class StateReplayer:
    """Executes a job's suite to find its states, and those around the last calls of its inputs."""

    def __init__(self, job: RunJob, headway: Headway) -> None:
        loaded = observed_suite(job, headway)
        self._suite, self._routines = loaded.suite, loaded.sequences.routines
        self._headway = headway

    def states(self, count: int) -> Iterator[ReachedState]:
        """Yield the first `count` states; successive states that look the same are merged."""
        for state in merged(self._graphs(), count):
            yield ReachedState(state.first, state.last, tuple(state.graph.nodes.values()))

    def _graphs(self) -> Iterator[tuple[int, StateGraph]]:
        """Yield the states of the suite with their numbers, from 1, without those whose last call leaves no object."""
        for number in self._headway.each(range(self._suite.header.states)):
            graph = self._around([self._suite.calls[at] for at in self._suite.prefix(number)])[1]
            if graph is not None:
                yield number + 1, graph

    def inputs(self, count: int) -> Iterator[AroundCall]:
        """Yield, for the first `count` inputs, the states before and after the last call, and its exception if it
        raises.
        """
        for number in self._headway.each(range(min(count, len(self._suite)))):
            before, after, raised = self._around(self._suite.sequence(number))
            yield AroundCall(_nodes(before), _nodes(after), raised)

    def _around(self, calls: Sequence[Call]) -> tuple[StateGraph | None, StateGraph | None, str]:
        """Return the state of the last call's receiver or of its new object, before and after that call, and its
        exception.
        """
        sequence = PreparedSequence(self._routines, calls, [])
        sequence.lead_up()
        last = calls[-1]
        before = None
        if self._routines.routines[last.target].has_receiver:
            before = graph_of(sequence.results[last.arguments[0]], self._routines.omits)
        raised = outcome_of(sequence.invoke).raised
        after = None if sequence.root is None else graph_of(sequence.root, self._routines.omits)
        return before, after, "" if raised is None else exception_name(raised)


def _nodes(graph: StateGraph | None) -> GraphNodes | None:
    return None if graph is None else tuple(graph.nodes.values())


def reach_states(request: StatesRequest, headway: Headway) -> ReachedStates:
    """Execute sequences up to as many different states.

    Raises:
        MutascopeError: the spec cannot be used, or the implementation does not load.
    """
    return ReachedStates(tuple(StateReplayer(request.job, headway).states(request.count)))


def reach_last_calls(request: LastCallsRequest, headway: Headway) -> LastCallList:
    """Execute the first inputs.

    Raises:
        MutascopeError: as `reach_states`.
    """
    return LastCallList(tuple(StateReplayer(request.job, headway).inputs(request.count)))
