"""The orchestrator's side of a measurement: a sandboxed process makes it, its counts come back as facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from harness.errors import BaselineError
from harness.generators.job import patience
from harness.measuring.job import CoverageJob
from harness.model.coverage import CoverageCounts
from harness.model.sequence import SequencePolicy
from harness.model.subject import Subject
from harness.sandbox.folders import own_folder
from harness.sandbox.listening import Listener, death_remedy
from harness.sandbox.process import SandboxedProcess, WorkerDied
from harness.store.facts import CoverageKind, FunctionCoverage

Told = TypeVar("Told")


def measure_in_sandbox(
    module: str,
    kind: CoverageKind,
    subject: Subject,
    scope: int,
    lines: Mapping[str, frozenset[int]],
    suite: Path | None = None,
    sequences: SequencePolicy = SequencePolicy.ON_MUTANT,
) -> list[FunctionCoverage]:
    """Runs `module`, one of this package's children, in a sandboxed process; its counts in the order of `lines`.

    Raises:
        BaselineError: the process died of what it executed, or was stuck in it.
        MutascopeError: it reported an error of the user's making.
    """
    counts = counts_in_sandbox(module, kind, subject, scope, lines, suite, sequences)
    return [FunctionCoverage(kind, name, counts[name]) for name in lines]


def counts_in_sandbox(
    module: str,
    kind: CoverageKind,
    subject: Subject,
    scope: int,
    lines: Mapping[str, frozenset[int]],
    suite: Path | None,
    sequences: SequencePolicy,
    chosen: Sequence[Sequence[int]] = (),
) -> dict[str, CoverageCounts]:
    """As `measure_in_sandbox`, whatever the child counts by."""

    def counts(facts: dict[str, Any], _: Path) -> dict[str, CoverageCounts]:
        return {name: CoverageCounts(*count) for name, count in facts["coverage"].items()}

    return told_in_sandbox(
        module, f"its {kind.value} coverage", subject, scope, lines, suite, sequences, chosen, read=counts
    )


def told_in_sandbox(
    module: str,
    what: str,
    subject: Subject,
    scope: int,
    lines: Mapping[str, frozenset[int]],
    suite: Path | None,
    sequences: SequencePolicy,
    chosen: Sequence[Sequence[int]] = (),
    *,
    read: Callable[[dict[str, Any], Path], Told],
) -> Told:
    """What `read` makes of the facts that `module` tells, and of the folder that it may write to.

    Args:
        what: is measured, for messages.

    Raises:
        BaselineError: the process died of what it executed, or was stuck in it.
        MutascopeError: it reported an error of the user's making.
    """
    with own_folder() as folder:
        measured = folder / "measured"
        measured.mkdir()
        job = folder / "job.json"
        CoverageJob.of(subject, scope, lines, measured, suite, sequences, chosen).write(job)
        try:
            readable = [job] if suite is None else [job, suite]
            with SandboxedProcess(module, str(job), readable=readable, writable=[measured]) as child:
                facts = Listener(child, patience()).fact()
                return read(facts, measured)
        except WorkerDied as death:
            how, remedy = " ".join(death.how.split()), death_remedy(death)
            raise BaselineError(f"{subject.title}: measuring {what} at scope {scope} failed {how}; {remedy}") from None
