"""The base of requests to sandboxed processes: a subject as text, since no process reads a user's folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from harness.kernel.program.loader import ModuleText
from harness.model.subject import Subject


@dataclass(frozen=True)
class SubjectRequest:
    """A request about a subject at a scope; subclasses add what they ask for."""

    implementation: ModuleText
    spec_source: str
    spec_filename: str
    scope: int

    @classmethod
    def of(cls, subject: Subject, scope: int, /, **more: Any) -> Self:
        """Return the request about `subject`, with `more` for the other fields."""
        return cls(ModuleText.of(subject), subject.spec_source, str(subject.spec_path), scope, **more)
