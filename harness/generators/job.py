"""A generation as a job for a child process, written as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from harness.errors import UsageError
from harness.kernel.program.loader import ModuleText
from harness.model.subject import Subject
from harness.resources import CANDIDATE_SECONDS, cache_folder, candidate_seconds


def no_room(folder: Path, generator: str, scope: int, error: OSError) -> str:
    """The text for users about a disk that is full while a suite is made in a folder of the cache."""
    what = f"{folder}: no room for the suite of {generator} at scope {scope} ({error.strerror})"
    return f"{what}; make room, or set MUTASCOPE_CACHE to a folder with more"


@dataclass(frozen=True)
class GenerationJob:
    """Everything that `harness.generators.child` needs; text, not paths, of what is executed.

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
    def of(cls, subject: Subject, generator: str, scope: int, seed: int, folder: Path, jobs: int = 1) -> GenerationJob:
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

    def to_json(self) -> str:
        """One JSON object."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> GenerationJob:
        """Reads what `to_json` wrote.

        Raises:
            UsageError: the text is something else.
        """
        try:
            values = json.loads(text)
            known = {field.name for field in fields(cls)}
            if set(values) != known:
                raise ValueError(f"fields {sorted(set(values) ^ known)}")
            companions = tuple(ModuleText.of_data(companion) for companion in values["companions"])
            return cls(**{**values, "blocked": tuple(values["blocked"]), "companions": companions})
        except (ValueError, TypeError) as error:
            raise UsageError(f"not a generation job ({error}); write it with GenerationJob.to_json") from None
