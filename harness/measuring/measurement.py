"""The orchestrator's side of a measurement: a sandboxed process answers with counts, or classes of inputs."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from harness.errors import SpecError
from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.job import (
    PREDICATE,
    ROWS_FILE,
    BranchesRequest,
    ClassNames,
    CodeRequest,
    ConditionOutcomesRequest,
    CoverageRequest,
    FunctionCounts,
    FunctionsRequest,
    InputClassesRequest,
    SpecificationRequest,
)
from harness.measuring.lines import own_lines
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


def code_measurement(
    subject: Subject, suite: Path, scope: int, functions: Mapping[str, tuple[int, int]]
) -> Measurement:
    """Return the measurement of what a suite executes of functions of the original (exhaustive2003, section 8.3).

    Each input is executed once, on a fresh pre-state; what it raises is an outcome. Functions within functions follow
    theirs (see `own_lines`).

    Args:
        functions: first and last line by qualified name, decorators apart.

    Raises:
        SourceError: the source does not parse.
    """
    return Measurement(subject, scope, own_lines(subject.source, functions), suite)


def specification_measurement(
    subject: Subject, scope: int, preconditions: Sequence[str], has_state: bool = True
) -> Measurement | None:
    """Return the measurement of what a Korat search executes of rep_ok and preconditions (exhaustive2003, section 8.3).

    `preconditions` are the names of the functions in spec.py that some target requires. Without a pre-state
    (`has_state`) there is no rep_ok; without either nothing can be measured, and None is returned.

    Functions in spec.py that they reach by name count as well. Functions come in source order. Functions that no
    predicate reaches (finitization, abstraction) do not count, nor do preconditions without a name of their own
    (lambdas).

    Raises:
        SpecError: spec.py has no `def rep_ok`.
    """
    from harness.mutation.reach import reachable  # by libcst, which a run that is finished has no use for

    try:
        extents = reachable(subject.spec_source, [*[PREDICATE] * has_state, *preconditions])
    except SpecError:
        raise SpecError(
            f"{subject.spec_path} defines no function {PREDICATE} itself, so its coverage cannot be measured; "
            f"write it there with `def {PREDICATE}`"
        ) from None
    if not extents:
        return None
    lines = own_lines(subject.spec_source, {name: (e.first_line, e.last_line) for name, e in extents.items()})
    return Measurement(subject, scope, lines)


def coverage_by_function(measurements: Mapping[CoverageKind, Measurement]) -> list[FunctionCoverage]:
    """Measure coverage in one sandboxed process; return the counts by function, in the order of `lines`.

    Args:
        measurements: what is measured of each kind of coverage.

    Raises:
        BaselineError: the process died of its work, or was stuck.
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
    return [
        FunctionCoverage(kind, name, part[name])
        for (kind, measurement), part in zip(measurements.items(), counts, strict=True)
        for name in measurement.lines
    ]


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


def measured_branches(
    subject: Subject,
    suite: SuiteReader,
    functions: Mapping[str, tuple[int, int]],
) -> tuple[int, bytes]:
    """Run each input of a suite once on the original under coverage.py, in a sandboxed process.

    Returns:
        The number of branches of the functions, and for each input in suite order the bits of those that it executes,
        low ones first, in as few bytes as hold all.

    Raises:
        MutascopeError: the suite is empty or unreadable, or spec or implementation do not load.
        BaselineError: the process died during the execution.
    """
    measurement = code_measurement(subject, suite.folder, suite.header.scope, functions)
    with measured(BranchesRequest, int, "the branches of its inputs", measurement) as (branches, folder):
        return branches, (folder / ROWS_FILE).read_bytes()


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


CLASS_VERSION = 1
"""The version, which changes whenever the classes of some input do."""


@dataclass(frozen=True)
class InputClasses:
    """One class number per input in suite order, and the classes' names by number, for each criterion.

    The name of a class of outcomes lists them by the numbers of the places in `places`, from 1. For example,
    `2+ 3- 5+-` means that number 2 was true, 3 false, 5 both, and all others neither.
    """

    numbers: Mapping[str, Sequence[int]]
    names: Mapping[str, Sequence[str]]
    places: Mapping[str, Sequence[str]]


def measured_classes(subject: Subject, suite: SuiteReader) -> InputClasses:
    """Run each input of a suite once on the original, in a sandboxed process, and return its classes.

    EQ_CLASS is included if the spec has an eq_class, CONDITIONS if the inputs have pre-states, and BRANCHES always.

    Raises:
        MutascopeError: the suite is empty, spec or implementation do not load, or a function of the spec raises.
        BaselineError: the process died during the execution.
    """
    measurement = Measurement(subject, suite.header.scope, {}, suite.folder)
    work = "the classes of its inputs"
    with measured(InputClassesRequest, ClassNames, work, measurement) as (classes, folder):
        numbers = {name: array("I", (folder / name).read_bytes()) for name in classes.names}
        names = {name: list(found) for name, found in classes.names.items()}
        return InputClasses(numbers, names, {name: list(found) for name, found in classes.places.items()})


OUTCOME_VERSION = 1
"""The version, which changes whenever the outcomes of some input do."""


def measured_outcomes(subject: Subject, suite: SuiteReader, functions: Mapping[str, tuple[int, int]]) -> bytes:
    """Run each input of a suite once on the original, in a sandboxed process, and return the outcomes that it reaches.

    Returns:
        For each input in suite order the bits of `ConditionOutcomes.seen`, low ones first, in `RecordingProgram.width`
        bytes.

    Raises:
        MutascopeError: the suite is empty, or spec or implementation do not load.
        BaselineError: the process died during the execution.
    """
    lines = {name: frozenset(span) for name, span in functions.items()}
    measurement = Measurement(subject, suite.header.scope, lines, suite.folder)
    work = "the outcomes of its conditions"
    with measured(ConditionOutcomesRequest, int, work, measurement) as (_, folder):
        return (folder / ROWS_FILE).read_bytes()
