"""What a zygote is told at its start, as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.kernel.loader import ModuleText


@dataclass(frozen=True)
class Limits:
    """Backstops behind the step budget: bytes of address space beyond the zygote's, bytes per file, open files."""

    memory: int = 1 << 30
    file_size: int = 1 << 20
    open_files: int = 64


@dataclass(frozen=True)
class RunJob:
    """A suite to be run on an original and, later, on mutants of it.

    `metamutant` is the text of the module with all mutants as guarded choices, where that
    approach is used.
    """

    implementation: ModuleText
    spec_source: str
    spec_filename: str
    suite: str
    scope: int
    concrete: bool = False
    metamutant: str | None = None
    limits: Limits = Limits()

    def write(self, path: Path) -> None:
        """As a JSON file."""
        path.write_text(json.dumps(asdict(self)))

    @classmethod
    def read(cls, path: Path) -> RunJob:
        """From a JSON file written by `write`."""
        fields = json.loads(path.read_text())
        implementation = fields.pop("implementation")
        implementation["blocked"] = tuple(implementation["blocked"])
        limits = Limits(**fields.pop("limits"))
        return cls(implementation=ModuleText(**implementation), limits=limits, **fields)


@dataclass(frozen=True)
class MutantOrder:
    """One mutant to run: its own source text, or its number in the metamutant."""

    id: str
    source: str | None = None
    number: int | None = None
    matrix: bool = False
    """Run every input, stopping at no kill."""
    backwards: bool = False
    """Run inputs from the last to the first (the no-op control: reveals state kept between inputs)."""
