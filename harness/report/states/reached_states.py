"""Finds the states to which sequences of a suite lead, as graphs; a sandboxed process executes the sequences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.running.job import RunJob
from harness.model.subject import Subject
from harness.report.states.graph import NumberedState, StateGraph
from harness.report.states.object_graph import without_absent
from harness.report.states.requests import GraphNodes, LastCallList, LastCallsRequest, ReachedStates, StatesRequest
from harness.sandbox.ask import Question, ask

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class LastCall:
    """The states around the last call of a sequence: those of its receiver, or of the object that it creates.

    `before` is None if the call creates the object, `after` if there is none; `raised` is the type of its exception.
    """

    before: StateGraph | None
    after: StateGraph | None
    raised: str


def reached_states(subject: Subject, suite: SuiteReader, count: int) -> list[NumberedState]:
    """Return the first `count` states of a suite of sequences, each that of its last call's receiver or new object.

    Raises:
        SpecError: the bounds of the sequences are unusable.
        SourceError: the implementation does not load.
        BaselineError: the process died of the executed code, or was stuck in it.
    """
    request = StatesRequest(RunJob.of_suite(subject, suite), count)
    states = ask(_question(subject, suite, request, ReachedStates)).states
    graphs = without_absent([_graph(one.nodes) for one in states])
    return [NumberedState(one.first, one.last, graph) for one, graph in zip(states, graphs, strict=True)]


def last_calls(subject: Subject, suite: SuiteReader, count: int) -> list[LastCall]:
    """Return the states around the last calls of the first `count` inputs of a suite of sequences.

    Raises:
        MutascopeError: as `reached_states`.
    """
    request = LastCallsRequest(RunJob.of_suite(subject, suite), count)
    calls = ask(_question(subject, suite, request, LastCallList)).calls
    states = [nodes for one in calls for nodes in (one.before, one.after)]
    graphs = iter(without_absent([_graph(nodes) for nodes in states if nodes is not None]))
    around = [None if nodes is None else next(graphs) for nodes in states]
    return [
        LastCall(before, after, one.raised) for one, before, after in zip(calls, around[::2], around[1::2], strict=True)
    ]


def _question(subject: Subject, suite: SuiteReader, request: object, answer: type[Answer]) -> Question[Answer]:
    return Question(
        process="harness.observing.process",
        request=request,
        answer=answer,
        work=f"{subject.name}: carrying out its sequences",
        readable=[suite.folder],
    )


def _graph(nodes: GraphNodes) -> StateGraph:
    return StateGraph({node.number: node for node in nodes})
