"""The process that carries out sequences of a suite on the original and tells the states that they lead to.

`main` is called by `kernel.process.containment.launch` with JOB and the pipe ends ORDERS and FACTS.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.kernel.inputs.describe import exception_name
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call, SuiteReader
from harness.kernel.judging.prepared_sequences import PreparedSequence
from harness.kernel.process.confinement import end_with_parent
from harness.kernel.process.telling import Beats, Teller, telling
from harness.kernel.program.recursion import limit_recursion
from harness.kernel.running.job import RunJob
from harness.kernel.specs.spec import load_spec
from harness.report.loading import load
from harness.report.states.graph import StateGraph
from harness.report.states.object_graph import graph_of


class Reaching:
    """The states of a job's suite, and those around the last calls of its inputs."""

    def __init__(self, job: RunJob, teller: Teller) -> None:
        self.made = 0
        """Sequences carried out so far."""
        teller.begins(f"executing sequences({job.scope}) of {job.spec_filename}")
        spec = load_spec(job.spec_source, job.spec_filename)
        bounds = spec.sequences(job.scope, job.implementation.source)
        self._suite = SuiteReader(Path(job.suite))
        teller.begins(f"loading {job.implementation.filename}")
        self._routines = Routines(load(job.implementation), bounds)
        teller.begins(f"executing calls of {job.implementation.filename}")

    def states(self, count: int) -> Iterator[dict[str, Any]]:
        """The first `count` states, those that follow one another and look the same as one: first, last, graph."""
        found: list[tuple[int, int, StateGraph]] = []
        for number in range(self._suite.header.states):
            graph = self._around([self._suite.calls[at] for at in self._suite.prefix(number)])[1]
            if graph is None:
                continue
            if found and found[-1][2] == graph:
                found[-1] = (found[-1][0], number + 1, graph)
            elif len(found) == count:
                break
            else:
                found.append((number + 1, number + 1, graph))
        yield from ({"first": first, "last": last, "graph": _data(graph)} for first, last, graph in found)

    def inputs(self, count: int) -> Iterator[dict[str, Any]]:
        """Of the first `count` inputs: the states before and after the last call, and what that raises, if it does."""
        for number in range(min(count, len(self._suite))):
            before, after, raised = self._around(self._suite.sequence(number))
            yield {"before": _data(before), "after": _data(after), "raised": raised}

    def _around(self, calls: Sequence[Call]) -> tuple[StateGraph | None, StateGraph | None, str]:
        """The state of the last call's receiver, or of what it makes, before and after that call."""
        self.made += 1
        sequence = PreparedSequence(self._routines, calls, [])
        sequence.lead_up()
        last = calls[-1]
        before = None
        if self._routines.routines[last.target].has_receiver:
            before = graph_of(sequence.results[last.arguments[0]], self._routines.omits)
        raised = ""
        try:
            sequence.invoke()
        except (Exception, SystemExit) as error:
            raised = exception_name(error)
        after = None if sequence.root is None else graph_of(sequence.root, self._routines.omits)
        return before, after, raised


def _data(graph: StateGraph | None) -> list[dict[str, Any]] | None:
    return None if graph is None else [asdict(thing) for thing in graph.things.values()]


def main(arguments: list[str]) -> int:
    """Tells `{"reached": {...}}` for each of the COUNT first states or inputs, at last `{"reached": null}`.

    Args:
        arguments: the job's file, "states" or "inputs", and COUNT; the numbers of the pipes.
    """
    end_with_parent(signal.SIGKILL)
    job_path, what, count, _, facts_end = arguments

    def work(teller: Teller, beats: Beats) -> None:
        reaching = Reaching(RunJob.read(Path(job_path)), teller)
        limit_recursion()
        beats.reached = lambda: reaching.made
        for one in (reaching.states if what == "states" else reaching.inputs)(int(count)):
            teller.tell({"reached": one})
        teller.tell({"reached": None})

    return telling(facts_end, work)
