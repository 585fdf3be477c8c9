"""The orchestrator's side of a measurement: a sandboxed process makes it and answers with its counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from harness.errors import BaselineError
from harness.measuring.job import Counts, CoverageRequest
from harness.model.coverage import CoverageCounts
from harness.model.sequence import SequencePolicy
from harness.model.subject import Subject
from harness.sandbox.ask import Question, ask
from harness.sandbox.folders import own_folder
from harness.store.facts import CoverageKind, FunctionCoverage

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Measurement:
    """What is executed, and whose lines are counted.

    Attributes:
        subject: the program; it is executed in a process of its own.
        scope: the scope at which the suite was made.
        lines: the functions' own lines, by qualified name, as from `own_lines`.
        suite: the folder of the suite; None: no suite is executed.
        sequences: the policy under which sequences run.
        chosen: inputs of sub-suites by their numbers.
    """

    subject: Subject
    scope: int
    lines: Mapping[str, frozenset[int]]
    suite: Path | None = None
    sequences: SequencePolicy = SequencePolicy.ON_MUTANT
    chosen: Sequence[Sequence[int]] = ()

    def request(self, kind: type[CoverageRequest], folder: Path) -> CoverageRequest:
        """Return the request of this kind, whose process may write to the folder."""
        return kind.of(
            self.subject,
            self.scope,
            lines=self.lines,
            folder=str(folder),
            suite=str(self.suite.resolve()) if self.suite else "",
            sequences=self.sequences,
            chosen=self.chosen,
        )


def measure_in_sandbox(
    request: type[CoverageRequest], kind: CoverageKind, measurement: Measurement
) -> list[FunctionCoverage]:
    """Measure in a sandboxed process; return the counts in the order of `lines`.

    Args:
        request: a class of requests that are answered by counts.
        kind: the kind of coverage.
        measurement: the program and its lines.

    Raises:
        BaselineError: the process died of its work, was stuck, or counted other functions.
        MutascopeError: it reported an error of the user's making.
    """
    counts, lines = counts_in_sandbox(request, kind, measurement), measurement.lines
    if counts.keys() != lines.keys():
        title = measurement.subject.title
        raise BaselineError(f"{title}: the process that measures it counted other functions; measure it again")
    return [FunctionCoverage(kind, name, counts[name]) for name in lines]


def counts_in_sandbox(
    request: type[CoverageRequest], kind: CoverageKind, measurement: Measurement
) -> Mapping[str, CoverageCounts]:
    """Measure in a sandboxed process; return its counts, by names of functions or numbers of sub-suites."""
    with measured(request, Counts, f"its {kind.value} coverage", measurement) as (counts, _):
        return counts.by_name


@contextmanager
def measured(
    request: type[CoverageRequest], answer: type[Answer], work: str, measurement: Measurement
) -> Iterator[tuple[Answer, Path]]:
    """Give the answer of a sandboxed process, and the folder that it has written to; this is removed at the end.

    Args:
        request: the class of the request.
        answer: the class of the answer.
        work: the object of the measurement, for messages.
        measurement: the program and its lines.

    Raises:
        BaselineError: the process died of its work, or was stuck.
        MutascopeError: it reported an error of the user's making.
    """
    subject, suite = measurement.subject, measurement.suite
    with own_folder() as folder:
        question = Question(
            process="harness.measuring.process",
            request=measurement.request(request, folder),
            answer=answer,
            work=f"{subject.title}: measuring {work} at scope {measurement.scope}",
            readable=[] if suite is None else [suite],
            writable=[folder],
        )
        yield ask(question), folder
