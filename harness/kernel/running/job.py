"""Defines the job that a zygote gets at its start, its orders and its answers, and the request to observe types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from harness.codec.codec import Bound, Codec, Count, codec_of
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.process.confinement import ProcessLimits
from harness.kernel.program.loader import SuiteJob
from harness.model.outcome import KillReason, OracleName, Phase
from harness.model.sequence import Observation
from harness.model.subject import Subject


@dataclass(frozen=True)
class RunJob(SuiteJob):
    """A suite to be run on an original and, later, on mutants of it.

    `metamutant` is the text of the module with all mutants as guarded choices, where that
    approach is used. `observed` is a value of `Observation`, `oracle` one of `OracleName`.
    """

    concrete: bool = False
    metamutant: str | None = None
    observed: str = Observation.END.value
    oracle: str = OracleName.DIFFERENTIAL.value
    limits: ProcessLimits = field(default_factory=ProcessLimits)

    @classmethod
    def of_suite(cls, subject: Subject, suite: SuiteReader, **more: Any) -> RunJob:
        """Return the job of a subject and its suite, with `more` of the other fields."""
        return cls.of(subject, suite.header.scope, suite=str(suite.folder.resolve()), **more)

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


LONGEST_DETAIL = 4000

Detail = Annotated[str, Bound(LONGEST_DETAIL, storable=True)]


@dataclass(frozen=True, kw_only=True)
class MutantRun:
    """A run of a mutant on inputs.

    Attributes:
        reason: why the first input that kills it does; None if none does.
        phase: when that was seen.
        detail: words about it.
        input: the number of that input; None if there is none, if the mutant died while it was loaded, or if nobody
            knows at which input it died.
        inputs_run: how many inputs were run, those included that need no execution.
        executed: how many of them were executed.
        steps: what they took; None if the process died, which takes along what it has counted.
        died: whether the process died.
        left: whether the mutant left something in its module. Nothing else that is told is of use then.
    """

    reason: KillReason | None
    phase: Phase | None
    detail: Detail
    input: Count | None
    inputs_run: Count
    executed: Count
    steps: Count | None
    died: bool = False
    left: bool = False


@dataclass(frozen=True, kw_only=True)
class MutantFacts(MutantRun):
    """The facts of one mutant, as a zygote tells them.

    Attributes:
        id: of the order.
        bits: the row of kills, if one is wanted and known.
        input_text: the input that kills it first, in words.
        seconds: how long it took, if a zygote has told it.
    """

    id: str
    bits: bytes | None = None
    input_text: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class HarnessFault:
    """A fault of the harness: an order could not be carried out, and that is not its mutant's doing."""

    id: str
    fault: str
    seconds: float | None = None


@dataclass(frozen=True)
class BaselineFacts:
    """Totals of the original on the inputs of a slice, which is written."""

    id: str
    inputs: Count
    steps: Count
    raised: Count
    cpu_seconds: float
    lost: str = ""
    """The place that keeps something which cannot be put back before each input; empty if there is none."""


@dataclass(frozen=True)
class ProbeFacts:
    """The hash of the rows that are written, and whether the original leaves something to later inputs."""

    id: str
    digest: str
    left: bool


@dataclass(frozen=True)
class BatchFacts:
    """The facts of the first orders of a batch, at least of one."""

    id: str
    facts: tuple[MutantFacts | HarnessFault, ...]


@dataclass(frozen=True)
class Ready:
    """The original is loaded, and orders are waited for."""


@dataclass(frozen=True)
class Alive:
    """The zygote works on its order."""


Answer = BaselineFacts | ProbeFacts | MutantFacts | BatchFacts | HarnessFault
WORDS: Codec[Answer | Ready | Alive] = codec_of(Answer | Ready | Alive)
"""The words that a zygote says; errors of the user's making are reported besides."""


TypeTable = Mapping[str, tuple[str, ...]]
"""Names of types, sorted, by the name of a variable or an attribute."""


@dataclass(frozen=True)
class FunctionTypes:
    """The types of a function's variables and of its results."""

    variables: TypeTable
    returns: tuple[str, ...]


@dataclass(frozen=True)
class ObservedTypes:
    """Types by the qualified names of functions, and of classes."""

    functions: Mapping[str, FunctionTypes]
    classes: Mapping[str, TypeTable]


@dataclass(frozen=True)
class TypeObservation:
    """The types; and, for each target whose every input raised TypeError, the message of the first one."""

    profile: ObservedTypes
    refused: Mapping[str, str]


@dataclass(frozen=True)
class InputsObserved:
    """The number of inputs that were run so far, and the number of all inputs to be run."""

    observed: int
    chosen: int
