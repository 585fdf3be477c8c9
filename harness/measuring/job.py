"""What a measuring process is told at its start, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.kernel.program.loader import ModuleText
from harness.model.sequence import SequencePolicy
from harness.model.subject import Subject

PREDICATE = "rep_ok"
"""What is measured of a spec, with the preconditions of targets."""


@dataclass(frozen=True)
class CoverageJob:
    """What to execute and whose lines to count.

    `lines` are the functions' own lines, as from `own_lines`, of the implementation or of the spec;
    `folder` is where the measured text is written; `suite` is the suite's folder (code coverage only), and
    `sequences` the policy under which sequences run: which of their calls count.
    """

    implementation: ModuleText
    spec_source: str
    spec_filename: str
    scope: int
    lines: dict[str, frozenset[int]]
    folder: str
    suite: str = ""
    sequences: str = SequencePolicy.ON_MUTANT.value
    chosen: Sequence[Sequence[int]] = ()
    """Inputs of sub-suites by their numbers, each of which is measured alone; without any, the whole suite is."""

    @classmethod
    def of(
        cls,
        subject: Subject,
        scope: int,
        lines: Mapping[str, frozenset[int]],
        folder: Path,
        suite: Path | None = None,
        sequences: SequencePolicy = SequencePolicy.ON_MUTANT,
        chosen: Sequence[Sequence[int]] = (),
    ) -> CoverageJob:
        """The job that measures `subject`."""
        return cls(
            implementation=ModuleText.of(subject),
            spec_source=subject.spec_source,
            spec_filename=str(subject.spec_path),
            scope=scope,
            lines=dict(lines),
            folder=str(folder),
            suite=str(suite.resolve()) if suite else "",
            sequences=sequences.value,
            chosen=chosen,
        )

    def write(self, path: Path) -> None:
        """As a JSON file."""
        lines = {name: sorted(numbers) for name, numbers in self.lines.items()}
        path.write_text(json.dumps({**asdict(self), "lines": lines}), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> CoverageJob:
        """From a JSON file written by `write`."""
        fields = json.loads(path.read_text(encoding="utf-8"))
        implementation = ModuleText.of_data(fields.pop("implementation"))
        lines = {name: frozenset(numbers) for name, numbers in fields.pop("lines").items()}
        return cls(implementation=implementation, lines=lines, **fields)
