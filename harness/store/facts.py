"""The nouns that a store adds to the model: a trial as stored, its proofs, coverage rows and kill rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import Enum

from harness import __version__
from harness.model.coverage import CoverageCounts
from harness.model.ended import suite_remarks
from harness.model.experiment import Approach, ExecutionMode
from harness.model.mutant import Mutant
from harness.model.outcome import KillReason, OracleName, Phase
from harness.model.sequence import Observation, SequencePolicy


class CoverageKind(Enum):
    """Whose lines were counted."""

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
        """The row in which exactly the inputs numbered `kills` are set."""
        bits = bytearray((inputs + 7) // 8)
        for number in kills:
            bits[number >> 3] |= 1 << (number & 7)
        return cls(mutant, inputs, bytes(bits))

    @classmethod
    def full(cls, mutant: str, inputs: int) -> KillRow:
        """The row in which every input is set."""
        return cls(mutant, inputs, ((1 << inputs) - 1).to_bytes((inputs + 7) // 8, "little"))


@dataclass(frozen=True)
class ProbeRow:
    """Which of the inputs that a mutant's `KillRow` is of reach it, and infect it; bits as there."""

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


def trial_key(
    *,
    subject: str,
    subject_hash: str,
    generator: str,
    generator_version: str,
    scope: int,
    seed: int,
    suite_digest: str,
    operator_set: str,
    mutant_set: str,
    mode: ExecutionMode,
    approach: Approach,
    concrete: bool,
    sequences: SequencePolicy | None = None,
    observed: Observation | None = None,
    oracle: OracleName = OracleName.DIFFERENTIAL,
    version: str = __version__,
) -> str:
    """A content hash (32 hex digits) over all that determines a trial's results (law 8)."""
    parts = [
        version, subject, subject_hash, generator, generator_version, scope, seed,
        suite_digest, operator_set, mutant_set, mode.value, approach.value, concrete,
    ]  # fmt: skip
    parts += [asked.value for asked in (sequences, observed) if asked is not None]
    parts += [oracle.value] if oracle is not OracleName.DIFFERENTIAL else []
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class StoredTrial:
    """A trial with what it ran on and the original's facts.

    `subject_hash` covers implementation and spec (`Subject.content_hash`), `source_hash` the
    implementation alone; `operator_set` names the set whose mutants ran, and `mutant_set` is their
    `mutant_set_hash`; `original_steps` is the original's steps summed over all inputs, `original_raised`
    the number of inputs on which it raised; both None where it was not run (`ExecutionMode.GENERATE`).
    `version` is the mutascope that ran it. `sequences` and `observed` say how sequences were run, and are None of
    state inputs. `oracle` decided whether a run kills: each has a trial of its own. `extension` is the sum of the
    feasible pairs of the fields that the suite was to cover; None where it was to cover none. `suite` is the name of a
    suite of pytest, which its record has (`SuiteRecord`); empty of suites that a generator made. `ended` is what ended
    the suite and `notices` what qualifies it, one line each, as its generator told; None and empty where it told
    nothing, or the trial was stored before they were kept.
    """

    subject: str
    title: str
    generator: str
    generator_version: str
    scope: int
    seed: int
    subject_hash: str
    source_hash: str
    suite_digest: str
    inputs: int
    states: int
    explored: int
    inputs_by_target: dict[str, int]
    operator_set: str
    mutant_set: str
    mode: ExecutionMode
    approach: Approach
    concrete: bool
    original_steps: int | None = None
    original_raised: int | None = None
    sequences: SequencePolicy | None = None
    observed: Observation | None = None
    oracle: OracleName = OracleName.DIFFERENTIAL
    extension: int | None = None
    ended: str | None = None
    notices: tuple[str, ...] = ()
    suite: str = ""
    version: str = __version__

    @property
    def key(self) -> str:
        """The trial's identity; see `trial_key`."""
        return trial_key(
            subject=self.subject,
            subject_hash=self.subject_hash,
            generator=self.generator,
            generator_version=self.generator_version,
            scope=self.scope,
            seed=self.seed,
            suite_digest=self.suite_digest,
            operator_set=self.operator_set,
            mutant_set=self.mutant_set,
            mode=self.mode,
            approach=self.approach,
            concrete=self.concrete,
            sequences=self.sequences,
            observed=self.observed,
            oracle=self.oracle,
            version=self.version,
        )

    @property
    def remarks(self) -> list[str]:
        """What is to be told of the suite: that it ended early, and what qualifies it."""
        return suite_remarks(self.generator, self.inputs, self.ended, self.notices)

    def __str__(self) -> str:
        judged = "" if self.oracle is OracleName.DIFFERENTIAL else f", {self.oracle.value} oracle"
        named = f" {self.suite}" if self.suite else ""
        return f"{self.subject} {self.generator}{named} scope {self.scope}{judged}"


def mutant_set_hash(mutants: Iterable[Mutant]) -> str:
    """sha256 over all fields of the mutants, in whatever order they come."""
    digest = hashlib.sha256()
    for mutant in sorted(mutants, key=lambda m: m.id):
        fields = asdict(mutant) | {"status": mutant.status.value}
        digest.update(json.dumps(fields, sort_keys=True).encode() + b"\n")
    return digest.hexdigest()


def latest_trials(trials: Iterable[StoredTrial]) -> list[StoredTrial]:
    """Of trials that differ only in what was run, the last one."""
    latest: dict[tuple[object, ...], StoredTrial] = {}
    for trial in trials:
        asked = (
            trial.mode, trial.approach, trial.concrete, trial.operator_set, trial.sequences, trial.observed,
            trial.oracle,
        )  # fmt: skip
        identity = (trial.subject, trial.generator, trial.suite, trial.scope, trial.seed, *asked)
        latest[identity] = trial
    return list(latest.values())
