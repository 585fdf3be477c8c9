"""The orchestrator's side of a measurement: a sandboxed process makes it and answers with its counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
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


def measure_in_sandbox(
    request: type[CoverageRequest],
    kind: CoverageKind,
    subject: Subject,
    scope: int,
    lines: Mapping[str, frozenset[int]],
    suite: Path | None = None,
    sequences: SequencePolicy = SequencePolicy.ON_MUTANT,
) -> list[FunctionCoverage]:
    """Measure in a sandboxed process; return the counts in the order of `lines`.

    Args:
        request: one that is answered by counts.

    Raises:
        BaselineError: the process died of its work, was stuck, or counted other functions.
        MutascopeError: it reported an error of the user's making.
    """
    counts = counts_in_sandbox(request, kind, subject, scope, lines, suite, sequences)
    if counts.keys() != lines.keys():
        raise BaselineError(f"{subject.title}: the process that measures it counted other functions; measure it again")
    return [FunctionCoverage(kind, name, counts[name]) for name in lines]


def counts_in_sandbox(
    request: type[CoverageRequest],
    kind: CoverageKind,
    subject: Subject,
    scope: int,
    lines: Mapping[str, frozenset[int]],
    suite: Path | None,
    sequences: SequencePolicy,
    chosen: Sequence[Sequence[int]] = (),
) -> Mapping[str, CoverageCounts]:
    """Measure in a sandboxed process; return its counts, by names of functions or numbers of sub-suites."""
    measurement = f"its {kind.value} coverage"
    with measured(request, Counts, measurement, subject, scope, lines, suite, sequences, chosen) as (counts, _):
        return counts.by_name


@contextmanager
def measured(
    request: type[CoverageRequest],
    answer: type[Answer],
    work: str,
    subject: Subject,
    scope: int,
    lines: Mapping[str, frozenset[int]],
    suite: Path | None,
    sequences: SequencePolicy,
    chosen: Sequence[Sequence[int]] = (),
) -> Iterator[tuple[Answer, Path]]:
    """Give the answer of a sandboxed process, and the folder that it has written to; this is removed at the end.

    Args:
        work: the object of the measurement, for messages.

    Raises:
        BaselineError: the process died of its work, or was stuck.
        MutascopeError: it reported an error of the user's making.
    """
    with own_folder() as folder:
        place = str(suite.resolve()) if suite else ""
        more = {"lines": lines, "folder": str(folder), "suite": place, "sequences": sequences, "chosen": chosen}
        question = Question(
            process="harness.measuring.process",
            request=request.of(subject, scope, **more),
            answer=answer,
            work=f"{subject.title}: measuring {work} at scope {scope}",
            readable=[] if suite is None else [suite],
            writable=[folder],
        )
        yield ask(question), folder
