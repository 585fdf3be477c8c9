"""The requests to `harness.generators.process`, its reports and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from harness.kernel.program.loader import SubjectRequest
from harness.model.subject import Subject
from harness.resources import CANDIDATE_SECONDS, cache_folder, candidate_seconds


def no_room(folder: Path, generator: str, scope: int, error: OSError) -> str:
    """Return the message about a disk that is full while a suite is made in a folder of the cache."""
    problem = f"{folder}: no room for the suite of {generator} at scope {scope} ({error.strerror})"
    return f"{problem}; make room, or set MUTASCOPE_CACHE to a folder with more"


@dataclass(frozen=True)
class SuiteRequest(SubjectRequest):
    """A request to make a suite. It has programs as text, because no process reads the user's files.

    Attributes:
        folder: where the complete suite appears, for validation by the parent. The process may write to it and its
            neighbours.
        candidate_seconds: the limit, in seconds of processor time, for rep_ok on one candidate.
        compiled: the folder of the subject's compiled predicates, used by no other subject, since its code may write
            there. Empty: no compiled engine.
        own_text: the text of the file that the generator is in, if it is a user's; empty otherwise.
    """

    subject: str
    subject_hash: str
    generator: str
    seed: int
    folder: str
    candidate_seconds: float = CANDIDATE_SECONDS
    compiled: str = ""
    own_text: str = ""

    @classmethod
    def by(cls, generator: str, subject: Subject, scope: int, seed: int, folder: Path) -> Self:
        """Make the request for a suite of `subject` by a generator."""
        return cls.of(
            subject,
            scope,
            subject=subject.name,
            subject_hash=subject.content_hash,
            generator=generator,
            seed=seed,
            folder=str(folder),
            candidate_seconds=candidate_seconds(),
            compiled=str(cache_folder() / "compiled" / subject.content_hash[:32]),
        )


@dataclass(frozen=True)
class BuildersRequest(SuiteRequest):
    """A request to find the builders of the subject's structures; nothing is written."""


@dataclass(frozen=True)
class SuiteReport:
    """The report that the suite is in its folder, with the number of its inputs; its header has all other facts."""

    inputs: int


@dataclass(frozen=True)
class GenerationProgress:
    """The numbers of explored candidates or sequences, and of written states and inputs, while the process works."""

    explored: int = 0
    states: int = 0
    inputs: int = 0


@dataclass(frozen=True)
class Notice:
    """One line of information for the user."""

    text: str


Interim = GenerationProgress | Notice
