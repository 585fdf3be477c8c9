"""The nouns that a store adds to the model: a trial as stored, its proofs, coverage rows and kill rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, get_type_hints

from harness import __version__
from harness.model.coverage import CoverageCounts
from harness.model.details import Detail
from harness.model.experiment import Approach, ExecutionMode
from harness.model.outcome import KillReason, Mutant, OracleName, Phase
from harness.model.sequence import Observation
from harness.model.stop_reason import suite_remarks


class CoverageKind(Enum):
    """The kind of code whose lines were counted."""

    CODE = "code"
    """Target and helper methods while the suite ran (exhaustive2003, section 8.3)."""
    SPEC = "spec"
    """The predicate while the generator ran."""


@dataclass(frozen=True)
class FunctionCoverage:
    """Counts of one function, by qualified name."""

    kind: CoverageKind
    function: str
    counts: CoverageCounts


@dataclass(frozen=True)
class InstrumentProof:
    """The self-checks of a trial (law 3), as facts.

    The original passed `original_inputs`; the planted mutant was killed for `planted_reason` in
    `planted_phase`; the no-op mutant survived `no_op_inputs` with `no_op_steps` in sum.
    """

    original_inputs: int
    planted_reason: KillReason
    planted_phase: Phase
    no_op_inputs: int
    no_op_steps: int


@dataclass(frozen=True)
class KillRow:
    """One mutant's row of the kill matrix: bit `i % 8` of byte `i // 8` is set if input `i` kills.

    `inputs` are the inputs that were run: all of the suite, or its first ones, where those decide
    what was asked (`ExecutionMode.SELECTIONS`).
    """

    mutant: str
    inputs: int
    bits: bytes

    def __post_init__(self) -> None:
        if len(self.bits) != (self.inputs + 7) // 8:
            raise ValueError(f"{self.mutant}: {len(self.bits)} bytes cannot hold exactly {self.inputs} bits")
        if self.inputs % 8 and self.bits[-1] >> (self.inputs % 8):
            raise ValueError(f"{self.mutant}: bits are set beyond input {self.inputs - 1}")

    @classmethod
    def of_kills(cls, mutant: str, inputs: int, kills: Iterable[int]) -> KillRow:
        """Return the row in which exactly the inputs numbered `kills` are set."""
        bits = bytearray((inputs + 7) // 8)
        for number in kills:
            bits[number >> 3] |= 1 << (number & 7)
        return cls(mutant, inputs, bytes(bits))

    @classmethod
    def full(cls, mutant: str, inputs: int) -> KillRow:
        """Return the row in which every input is set."""
        return cls(mutant, inputs, ((1 << inputs) - 1).to_bytes((inputs + 7) // 8, "little"))


@dataclass(frozen=True)
class ProbeRow:
    """The inputs that reach and infect a mutant, among those of its `KillRow`, as bits in the same order."""

    mutant: str
    reached: bytes
    infected: bytes

    def __post_init__(self) -> None:
        if len(self.reached) != len(self.infected):
            raise ValueError(f"{self.mutant}: {len(self.reached)} and {len(self.infected)} bytes for the same inputs")


@dataclass(frozen=True)
class Timing:
    """Seconds of one activity: `generate`, `coverage`, `baseline`, or a mutant's id. Never a fact.

    `origin` says where, how and when the seconds were measured, if this run did not measure them but took the suite
    from the cache.
    """

    what: str
    seconds: float
    origin: str | None = None


SUITE = ("subject", "generator", "suite", "scope", "seed")
"""Fields that say which suite a trial is of."""
SETTINGS = ("mode", "operator_set", "sequences", "observed", "oracle")
"""Fields of the experiment's settings for the suite. With `SUITE` they distinguish the trials of one experiment."""
EXECUTED = ("approach", "concrete")
"""Fields that say how mutants were executed and compared."""
NOT_OF_SEED = (*(name for name in SUITE if name != "seed"), *SETTINGS, *EXECUTED, "mutant_set")
"""Fields in which trials agree that are run alike, on suites that differ in their seeds alone."""
CONDITIONS = ("operator_set", "observed", "concrete")
"""Fields under which one suite has different scores: which mutants are run, and how inputs are run and compared."""
SOURCES = ("subject_hash", "source_hash", "generator_version", "version")
"""Fields that say which texts took part: those of the subject, of the generator and of Mutascope."""
KEY = (
    "version", "subject", "subject_hash", "generator", "generator_version", "scope", "seed", "suite_digest",
    "operator_set", "mutant_set", "mode", "approach", "concrete", "sequences", "observed", "oracle",
)  # fmt: skip
"""Fields that determine a trial's results, in the order in which its key hashes them."""
REPORTED = ("details", "ended", "notices")
"""Fields that a generator may report. A trial that was begun before they were stored continues without them."""
LATER = ("subject_hash", "suite", "mutant_set", "sequences", "observed", "oracle", *REPORTED)
"""Fields that stores or frozen runs of before lack; one with a default stands for that where it is missing."""


DETAIL_COLUMNS = {"sat.extension": "extension"}
"""Details with a column of their own in stores and frames, which have had it since before there were details."""


@dataclass(frozen=True, kw_only=True)
class StoredTrial:
    """A trial with its versions and hashes, and the original's facts.

    `subject_hash` covers implementation and spec (`Subject.content_hash`), `source_hash` the implementation alone.
    `operator_set` names the set whose mutants ran, and `mutant_set` is their hash (`mutant_set_hash`). The steps of the
    original, summed over all inputs, are `original_steps`. `original_raised` is the number of inputs on which it
    raised. Both are None if it was not run (`ExecutionMode.GENERATE`). `version` is the mutascope that ran the trial.
    `sequences` and `observed` say how sequences were run, and are None for state inputs. `oracle` decided whether a run
    kills: each has a trial of its own. `suite` is the name of a pytest suite, which its record has (`SuiteRecord`); it
    is empty for suites that a generator made. The other fields come from the generator: `details`, which no other
    generator has (`harness.model.details`), `ended`, the stop reason of the suite, and `notices`, remarks on it, one
    line each. They are None and empty if the generator reported none, or the trial was stored before they were kept.

    A field is declared here, with a column in `harness.store.database`: rows, frames and frozen runs follow.
    """

    subject: str
    subject_hash: str
    source_hash: str
    title: str
    generator: str
    generator_version: str
    suite: str = ""
    suite_digest: str
    scope: int
    seed: int
    inputs: int
    inputs_by_target: dict[str, int]
    states: int
    explored: int
    operator_set: str
    mutant_set: str
    mode: ExecutionMode
    approach: Approach
    concrete: bool
    sequences: str | None = None
    observed: Observation | None = None
    oracle: OracleName = OracleName.DIFFERENTIAL
    details: Mapping[str, Detail] = field(default_factory=dict)
    ended: str | None = None
    notices: tuple[str, ...] = ()
    original_steps: int | None = None
    original_raised: int | None = None
    version: str = __version__

    @property
    def key(self) -> str:
        """A content hash (32 hex digits) over what determines the trial's results (law 8).

        Fields that were added later count where they are not the default, so that keys of before stay.
        """
        parts = [plain(value) for name, value in zip(KEY, self.values(KEY), strict=True) if not is_absent(name, value)]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]

    def values(self, names: Iterable[str]) -> tuple[Any, ...]:
        """Return the fields of these names, in their order."""
        return tuple(getattr(self, name) for name in names)

    @property
    def remarks(self) -> list[str]:
        """Return the remarks on the suite: that it ended early, and its notices."""
        return suite_remarks(self.generator, self.inputs, self.ended, self.notices)

    def __str__(self) -> str:
        judged = "" if self.oracle is OracleName.DIFFERENTIAL else f", {self.oracle.value} oracle"
        named = f" {self.suite}" if self.suite else ""
        return f"{self.subject} {self.generator}{named} scope {self.scope}{judged}"


@dataclass(frozen=True)
class FailedTrial:
    """A trial that could not be run, as its subject or its generator failed, with the message of the error."""

    subject: str
    title: str
    generator: str
    scope: int
    seed: int
    reason: str


FIELDS: Mapping[str, Any] = get_type_hints(StoredTrial)
"""The types of a trial's fields by name, in their order."""
_DEFAULTS: Mapping[str, Any] = {
    one.name: {} if one.default_factory is dict else one.default for one in fields(StoredTrial)
}


def is_absent(name: str, value: object) -> bool:
    """Return True if a field of a trial says as little as a trial of before, which lacks it."""
    return name in LATER and value == _DEFAULTS[name]


def plain(value: Any) -> Any:
    """Return a field's value without its enum."""
    return value.value if isinstance(value, Enum) else value


ABSENT = {name: plain(value) for name, value in _DEFAULTS.items() if name in LATER and isinstance(plain(value), str)}
"""Texts that stand where a frozen run lacks a field: the differential oracle, and no name of a suite."""


def mutant_set_hash(mutants: Iterable[Mutant]) -> str:
    """sha256 over all fields of the mutants, in whatever order they come."""
    digest = hashlib.sha256()
    for mutant in sorted(mutants, key=lambda m: m.id):
        fields = {**vars(mutant), "location": vars(mutant.location), "status": mutant.status.value}
        digest.update(json.dumps(fields, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def latest_trials(trials: Iterable[StoredTrial]) -> list[StoredTrial]:
    """Return the last one of trials that differ only in the texts that were run."""
    return list({trial.values((*SUITE, *SETTINGS, *EXECUTED)): trial for trial in trials}.values())
