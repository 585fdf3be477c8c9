"""The requests to `harness.difference.process`."""

from __future__ import annotations

from dataclasses import dataclass

from harness.kernel.program.loader import SubjectRequest

FURTHER = 2
"""The number of larger scopes that are tried if the API lacks structures."""
ATTEMPTS = 200_000
"""Sequences that are executed at each of them at the most."""
WITNESSES = 3
"""Structures of either side that are shown."""


@dataclass(frozen=True)
class DifferenceRequest(SubjectRequest):
    """Compare the structures of an API with those of rep_ok; `subject` is the subject's name."""

    subject: str
    attempts: int = ATTEMPTS


@dataclass(frozen=True)
class InvariantRequest(SubjectRequest):
    """Compare the instances of a declarative invariant with the states of rep_ok."""

    subject: str
