"""The orchestrator's side of a measurement: a sandboxed process makes it, its counts come back as facts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from harness.coverage.job import CoverageJob
from harness.errors import BaselineError
from harness.generators.job import patience
from harness.model.coverage import CoverageCounts
from harness.model.sequence import SequencePolicy
from harness.model.subject import Subject
from harness.sandbox.folders import own_folder
from harness.sandbox.listening import Listener, death_remedy
from harness.sandbox.process import SandboxedProcess, WorkerDied
from harness.store.facts import CoverageKind, FunctionCoverage


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
    with own_folder() as folder:
        measured = folder / "measured"
        measured.mkdir()
        job = folder / "job.json"
        CoverageJob.of(subject, scope, lines, measured, suite, sequences).write(job)
        try:
            read = [job] if suite is None else [job, suite]
            with SandboxedProcess(module, str(job), readable=read, writable=[measured]) as child:
                counts = Listener(child, patience()).fact()["coverage"]
        except WorkerDied as death:
            how, remedy = " ".join(death.how.split()), death_remedy(death)
            raise BaselineError(
                f"{subject.title}: measuring its {kind.value} coverage at scope {scope} failed {how}; {remedy}"
            ) from None
    return [FunctionCoverage(kind, name, CoverageCounts(*counts[name])) for name in lines]
