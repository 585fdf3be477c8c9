"""The states that sequences of a suite lead to, as graphs: the sequences are carried out in a sandboxed process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import BaselineError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.running.job import RunJob
from harness.model.subject import Subject
from harness.report.states.graph import Link, NumberedState, StateGraph, Thing
from harness.report.states.object_graph import without_absent
from harness.sandbox.ask import patience
from harness.sandbox.folders import own_folder
from harness.sandbox.listening import Listener, death_remedy
from harness.sandbox.process import SandboxedProcess, WorkerDied


@dataclass(frozen=True)
class LastCall:
    """What the last call of a sequence does to its receiver, or makes: the states around it.

    `before` is None of what makes an object, `after` of what made none; `raised` is the type of its exception.
    """

    before: StateGraph | None
    after: StateGraph | None
    raised: str


def reached_states(subject: Subject, suite: SuiteReader, count: int) -> list[NumberedState]:
    """The first `count` states of a suite of sequences, each of the object that its last call had to do with.

    Raises:
        SpecError: the bounds of the sequences are unusable.
        SourceError: the implementation does not load.
        BaselineError: the process died of what it executed, or was stuck in it.
    """
    found = list(_reached(subject, suite, "states", count))
    graphs = without_absent([_graph(one["graph"]) for one in found])
    return [NumberedState(one["first"], one["last"], graph) for one, graph in zip(found, graphs, strict=True)]


def last_calls(subject: Subject, suite: SuiteReader, count: int) -> list[LastCall]:
    """What the last calls of the first `count` inputs of a suite of sequences do.

    Raises:
        MutascopeError: as `reached_states`.
    """
    found = list(_reached(subject, suite, "inputs", count))
    told = [one[at] for one in found for at in ("before", "after")]
    graphs = iter(without_absent([_graph(things) for things in told if things is not None]))
    around = [None if things is None else next(graphs) for things in told]
    return [
        LastCall(before, after, one["raised"])
        for one, before, after in zip(found, around[::2], around[1::2], strict=True)
    ]


def _reached(subject: Subject, suite: SuiteReader, what: str, count: int) -> Iterator[dict[str, Any]]:
    job = RunJob.of(subject, suite)
    with own_folder() as folder:
        path = folder / "job.json"
        job.write(path)
        read = [path, suite.folder]
        try:
            with SandboxedProcess("harness.report.states.reached", str(path), what, str(count), readable=read) as child:
                listener = Listener(child, patience())
                while (one := listener.fact()["reached"]) is not None:
                    yield one
        except WorkerDied as death:
            how, remedy = " ".join(death.how.split()), death_remedy(death)
            raise BaselineError(f"{subject.name}: carrying out its sequences failed {how}; {remedy}") from None


def _graph(things: Sequence[dict[str, Any]]) -> StateGraph:
    return StateGraph({one["number"]: _thing(one) for one in things})


def _thing(fields: dict[str, Any]) -> Thing:
    return Thing(
        number=fields["number"],
        kind=fields["kind"],
        name=fields["name"],
        labels=tuple(fields["labels"]),
        fields=tuple((label, text) for label, text in fields["fields"]),
        links=tuple(Link(**link) for link in fields["links"]),
        absent=tuple(fields["absent"]),
        contents=fields["contents"],
        is_container=fields["is_container"],
    )
