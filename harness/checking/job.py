"""A check as a job for a child process, written as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.kernel.program.loader import ModuleText


@dataclass(frozen=True)
class CheckJob:
    """Everything that `harness.checking.child` needs.

    `folder` is the spec's, as the printed programs are to name it.
    """

    implementation: ModuleText
    spec_source: str
    spec_filename: str
    folder: str
    scope: int
    mode: str

    def write(self, path: Path) -> None:
        """As a JSON file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> CheckJob:
        """From a JSON file written by `write`."""
        fields = json.loads(path.read_text(encoding="utf-8"))
        implementation = ModuleText.of_data(fields.pop("implementation"))
        return cls(implementation=implementation, **fields)
