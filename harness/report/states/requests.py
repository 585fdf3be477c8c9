"""The requests to `harness.observing.process`, and its answers."""

from __future__ import annotations

from dataclasses import dataclass

from harness.kernel.running.job import RunJob
from harness.report.states.graph import GraphNode

GraphNodes = tuple[GraphNode, ...]
"""The objects of a state, the root first."""


@dataclass(frozen=True)
class StatesRequest:
    """Carry out the sequences to the first `count` different states of a suite."""

    job: RunJob
    count: int


@dataclass(frozen=True)
class ReachedState:
    """A state with the numbers of the first and the last state, from 1, that look the same behind each other."""

    first: int
    last: int
    nodes: GraphNodes


@dataclass(frozen=True)
class ReachedStates:
    """The states, in the order of the suite."""

    states: tuple[ReachedState, ...]


@dataclass(frozen=True)
class LastCallsRequest:
    """Carry out the first `count` inputs of a suite."""

    job: RunJob
    count: int


@dataclass(frozen=True)
class AroundCall:
    """The states before and after a last call, and the name of the exception that it raises; else an empty one."""

    before: GraphNodes | None
    after: GraphNodes | None
    raised: str


@dataclass(frozen=True)
class LastCallList:
    """The last calls, in the order of the suite."""

    calls: tuple[AroundCall, ...]
