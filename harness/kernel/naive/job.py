"""Defines the job of a verification: a subject with a suite and one stored mutant of it."""

from __future__ import annotations

from dataclasses import dataclass

from harness.kernel.program.loader import ModuleText
from harness.model.mutant import Location
from harness.model.outcome import OracleName
from harness.model.sequence import Observation


@dataclass(frozen=True)
class SubjectJob:
    """The original with its spec and a suite's folder; this is enough for a judge, and contains nothing of a mutant."""

    module: str
    filename: str
    source: str
    blocked: tuple[str, ...]
    spec_source: str
    spec_filename: str
    suite: str
    scope: int
    concrete: bool
    companions: tuple[ModuleText, ...] = ()
    observed: str = Observation.END.value
    oracle: str = OracleName.DIFFERENTIAL.value

    def text(self, source: str) -> ModuleText:
        """Return the module with `source` instead of the original's source."""
        return ModuleText(self.module, source, self.filename, self.blocked, self.companions)


@dataclass(frozen=True)
class NaiveJob:
    """A mutant as stored (`replacement` for the text `original` at `location`) and its subject.

    Inputs are run from the first to number `last - 1`, and if not `every_input`, to the first kill.
    """

    subject: SubjectJob
    location: Location
    original: str
    replacement: str
    every_input: bool
    last: int


def mutated(job: NaiveJob) -> str:
    """Return the source with the replacement in place.

    Raises:
        ValueError: the source has another text there.
    """
    at, source = job.location, job.subject.source
    lines = source.split("\n")
    if max(at.line, at.end_line) > len(lines):
        raise ValueError(f"the source has no line {max(at.line, at.end_line)}")
    before = "\n".join([*lines[: at.line - 1], lines[at.line - 1][: at.column]])
    after = "\n".join([lines[at.end_line - 1][at.end_column :], *lines[at.end_line :]])
    if before + job.original + after != source:
        raise ValueError(f"the source does not have {job.original!r} at {at}")
    return before + job.replacement + after
