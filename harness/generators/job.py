"""The requests to `harness.generators.process`, its reports and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from harness.kernel.program.loader import ModuleText
from harness.model.subject import Subject
from harness.resources import CANDIDATE_SECONDS, cache_folder, candidate_seconds


def no_room(folder: Path, generator: str, scope: int, error: OSError) -> str:
    """The text for users about a disk that is full while a suite is made in a folder of the cache."""
    what = f"{folder}: no room for the suite of {generator} at scope {scope} ({error.strerror})"
    return f"{what}; make room, or set MUTASCOPE_CACHE to a folder with more"


@dataclass(frozen=True)
class GenerationJob:
    """Make a suite. Programs come as texts, since no process reads the user's files.

    `folder` is where the complete suite appears, for the parent to look at; it and what is beside it may be written to.
    """

    subject: str
    subject_hash: str
    module: str
    source: str
    source_path: str
    blocked: tuple[str, ...]
    spec_source: str
    spec_path: str
    generator: str
    scope: int
    seed: int
    folder: str
    candidate_seconds: float = CANDIDATE_SECONDS
    """Seconds of processor time for rep_ok on one candidate."""
    compiled: str = ""
    """The folder of the subject's compiled predicates, its own: its code may write there. Empty: no compiled engine."""
    jobs: int = 1
    """Processes that a long search is split over."""
    companions: tuple[ModuleText, ...] = ()
    """The other modules of a program of several files."""

    @property
    def implementation(self) -> ModuleText:
        """What is to be executed."""
        return ModuleText(self.module, self.source, self.source_path, self.blocked, self.companions)

    @classmethod
    def of(cls, subject: Subject, generator: str, scope: int, seed: int, folder: Path, jobs: int = 1) -> Self:
        """The job of making `subject`'s suite."""
        return cls(
            subject=subject.name,
            subject_hash=subject.content_hash,
            module=subject.module,
            source=subject.source,
            source_path=str(subject.source_path),
            blocked=subject.blocked,
            spec_source=subject.spec_source,
            spec_path=str(subject.spec_path),
            generator=generator,
            scope=scope,
            seed=seed,
            folder=str(folder),
            candidate_seconds=candidate_seconds(),
            compiled=str(cache_folder() / "compiled" / subject.content_hash[:32]),
            jobs=jobs,
            companions=ModuleText.of(subject).companions,
        )


@dataclass(frozen=True)
class BuildersJob(GenerationJob):
    """Find the builders of the subject's structures; nothing is written."""


@dataclass(frozen=True)
class SuiteMade:
    """The suite is in its folder, with so many inputs; its header has all else."""

    inputs: int


@dataclass(frozen=True)
class Progress:
    """Reported while the process works: candidates or sequences explored, and states and inputs written."""

    explored: int = 0
    states: int = 0
    inputs: int = 0


@dataclass(frozen=True)
class Notice:
    """One line that a person may want to know."""

    text: str


Interim = Progress | Notice
