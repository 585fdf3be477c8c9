"""Defines the job that a zygote gets at its start, and its orders, as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.codec.codec import Codec, codec_of
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.program.loader import ModuleText
from harness.model.outcome import OracleName
from harness.model.sequence import Observation
from harness.model.subject import Subject


@dataclass(frozen=True)
class RunJob:
    """A suite to be run on an original and, later, on mutants of it.

    `metamutant` is the text of the module with all mutants as guarded choices, where that
    approach is used. `observed` is a value of `Observation`, `oracle` one of `OracleName`.
    """

    implementation: ModuleText
    spec_source: str
    spec_filename: str
    suite: str
    scope: int
    concrete: bool = False
    metamutant: str | None = None
    observed: str = Observation.END.value
    oracle: str = OracleName.DIFFERENTIAL.value
    limits: ProcessLimits = field(default_factory=ProcessLimits)

    @classmethod
    def of(cls, subject: Subject, suite: SuiteReader, **more: Any) -> RunJob:
        """Return the job of a subject and its suite, with `more` of the other fields."""
        return cls(
            implementation=ModuleText.of(subject),
            spec_source=subject.spec_source,
            spec_filename=str(subject.spec_path),
            suite=str(suite.folder.resolve()),
            scope=suite.header.scope,
            **more,
        )

    @property
    def files(self) -> str:
        """The files of implementation and spec, one of which is to be corrected if the original fails."""
        implementation, spec = Path(self.implementation.filename), Path(self.spec_filename)
        return f"{implementation} or {spec.name if spec.parent == implementation.parent else spec}"

    def write(self, path: Path) -> None:
        """Write the job as a JSON file."""
        path.write_text(codec_of(RunJob).to_json(self), encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> RunJob:
        """Read a job from a JSON file that `write` has written."""
        return codec_of(cls).of_json(path.read_bytes())


ROWS = "probes.rows"
"""The name under which rows of probes are written to the outbox of a zygote."""


@dataclass(frozen=True)
class BaselineOrder:
    """Run the original on inputs `first` to `last - 1` and write its slice to the folder `baseline`."""

    id: str
    first: int
    last: int
    baseline: str


@dataclass(frozen=True)
class ProbeOrder:
    """Run the probed original on inputs `first` (a multiple of 8) to `last - 1`.

    `probes` is a JSON file with `text` and `sites` (see `ProbedModule`); `judged`: probe the
    checking of post-states as well, as the spec may call the implementation. Per mutant, the rows of
    reached and of infected inputs are written to `rows`.
    """

    id: str
    first: int
    last: int
    probes: str
    rows: str
    judged: bool
    apart: bool = False
    """Only for sequences: write a third set of rows, which say which inputs' last calls infect a mutant."""


@dataclass(frozen=True)
class InputMask:
    """A row of packed bits in a file: input `i` is bit `i % 8` of byte `offset + i // 8`."""

    path: str
    offset: int


@dataclass(frozen=True)
class MutantOrder:
    """One mutant to run on inputs `first` to `last - 1`: its own source text, or its number in the metamutant.

    With `input_mask`, only the inputs set there are executed; on the others the mutant is known to do
    as the original, and they count as run with the original's steps.
    """

    id: str
    baseline: str
    first: int
    last: int
    source: str | None = None
    number: int | None = None
    input_mask: InputMask | None = None
    last_calls: InputMask | None = None
    """Only for sequences: the inputs from `first` on whose last call may infect the mutant."""
    matrix: bool = False
    """Run every input, stopping at no kill."""
    most_kills: int | None = None
    """With `matrix`: run no input after the byte of eight that contains the kill of this number."""
    backwards: bool = False
    """Run inputs from the last to the first (the no-op control: reveals state kept between inputs)."""


@dataclass(frozen=True)
class BatchOrder:
    """Mutants to be run one after the other, on the same inputs, until their first kills.

    The answer has, as `batch`, the facts of the first mutants, at least of one: the others are to be ordered again.
    """

    id: str
    orders: tuple[MutantOrder, ...]


Order = BaselineOrder | ProbeOrder | MutantOrder | BatchOrder

ORDERS: Codec[Order] = codec_of(Order)
