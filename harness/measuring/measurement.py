"""The orchestrator's side of a measurement: a sandboxed process makes it and answers with its counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from harness.errors import BaselineError
from harness.measuring.job import CodeRequest, CoverageRequest, FunctionCounts, FunctionsRequest, SpecificationRequest
from harness.model.subject import Subject
from harness.sandbox.ask import Question, ask
from harness.sandbox.folders import locked_folder
from harness.store.facts import CoverageKind, FunctionCoverage

Answer = TypeVar("Answer")
Request = TypeVar("Request", bound=CoverageRequest)


@dataclass(frozen=True)
class Measurement:
    """The program to execute, and the lines to count.

    Attributes:
        subject: the program; it is executed in a process of its own.
        scope: the scope at which the suite was made.
        lines: the functions' own lines, by qualified name, as from `own_lines`.
        suite: the folder of the suite; None: no suite is executed.
    """

    subject: Subject
    scope: int
    lines: Mapping[str, frozenset[int]]
    suite: Path | None = None

    def title_of(self, work: str) -> str:
        """Return the words for messages: `sorted_list: measuring its code coverage at scope 3`."""
        return f"{self.subject.title}: measuring {work} at scope {self.scope}"

    def request(self, kind: type[Request], folder: Path) -> Request:
        """Return the request of this kind, whose process may write to the folder."""
        return kind.of(
            self.subject,
            self.scope,
            lines=self.lines,
            folder=str(folder),
            suite=str(self.suite.resolve()) if self.suite else "",
        )


def coverage_by_function(measurements: Mapping[CoverageKind, Measurement]) -> list[FunctionCoverage]:
    """Measure coverage in one sandboxed process; return the counts by function, in the order of `lines`.

    Args:
        measurements: what is measured of each kind of coverage.

    Raises:
        BaselineError: the process died of its work, was stuck, or counted other functions.
        MutascopeError: it reported an error of the user's making, as that a suite is empty or unreadable, that spec or
            implementation do not load, or that rep_ok raises.
    """
    if not measurements:
        return []
    first = next(iter(measurements.values()))
    work = f"its {' and '.join(kind.value for kind in measurements)} coverage"
    with locked_folder() as folder:
        request = FunctionsRequest(tuple(_part(kind, one, folder) for kind, one in measurements.items()))
        readable = [one.suite for one in measurements.values() if one.suite is not None]
        counts = ask(_question(request, FunctionCounts, first.title_of(work), readable, folder))
    functions: list[FunctionCoverage] = []
    for (kind, measurement), part in zip(measurements.items(), counts.parts, strict=False):
        if part.by_name.keys() == measurement.lines.keys():
            functions += [FunctionCoverage(kind, name, part.by_name[name]) for name in measurement.lines]
    if len(functions) != sum(len(measurement.lines) for measurement in measurements.values()):
        title = first.subject.title
        raise BaselineError(f"{title}: the process that measures it counted other functions; measure it again")
    return functions


def _part(kind: CoverageKind, measurement: Measurement, folder: Path) -> CodeRequest | SpecificationRequest:
    own = folder / kind.value
    own.mkdir()
    if kind is CoverageKind.CODE:
        return measurement.request(CodeRequest, own)
    return measurement.request(SpecificationRequest, own)


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
    with locked_folder() as folder:
        readable = [] if measurement.suite is None else [measurement.suite]
        text = measurement.request(request, folder)
        yield ask(_question(text, answer, measurement.title_of(work), readable, folder)), folder


def _question(
    request: object, answer: type[Answer], work: str, readable: Sequence[Path], folder: Path
) -> Question[Answer]:
    return Question(
        process="harness.observing.process",
        request=request,
        answer=answer,
        work=work,
        readable=readable,
        writable=[folder],
    )
