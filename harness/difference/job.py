"""A comparison of an API with an invariant as a job for a child process, written as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.kernel.program.loader import ModuleText

FURTHER = 2
"""How many larger scopes of the API are tried where it lacks structures."""
ATTEMPTS = 200_000
"""Sequences that are executed at each of them at the most."""
WITNESSES = 3
"""Structures of either side that are shown."""


@dataclass(frozen=True)
class DifferenceJob:
    """Everything that `harness.difference.child` needs; text, not paths, of what is executed."""

    implementation: ModuleText
    spec_source: str
    spec_filename: str
    scope: int
    of_invariant: bool = False
    """Whether the spec's declarative invariant is compared with its rep_ok, not the calls of its API."""
    further: int = FURTHER
    attempts: int = ATTEMPTS
    witnesses: int = WITNESSES

    def write(self, path: Path) -> None:
        """As a JSON file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> DifferenceJob:
        """From a JSON file written by `write`."""
        fields = json.loads(path.read_text(encoding="utf-8"))
        implementation = ModuleText.of_data(fields.pop("implementation"))
        return cls(implementation=implementation, **fields)
