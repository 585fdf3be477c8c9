"""A search for faults as a job for a child process, written as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.kernel.program.loader import ModuleText


@dataclass(frozen=True)
class FaultsJob:
    """Everything that `harness.checking.faults_child` needs; `suite` is a folder with state inputs made at `scope`."""

    implementation: ModuleText
    spec_source: str
    spec_filename: str
    suite: str
    scope: int

    def write(self, path: Path) -> None:
        """As a JSON file."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> FaultsJob:
        """From a JSON file written by `write`."""
        fields = json.loads(path.read_text(encoding="utf-8"))
        return cls(implementation=ModuleText.of_data(fields.pop("implementation")), **fields)
