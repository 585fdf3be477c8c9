"""Mutants, what runs find out about them, and the score; the oracles that judge.

A mutant is an identity (operator, site, replacement) valid for one source hash, re-made where it runs. Score policies
are named rules from facts to a score (laws 1 and 7). Each oracle is implemented twice, in modules that share nothing:
in `harness.kernel.judging` for runs, and in `harness.kernel.naive` for `verify`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction


class OracleName(Enum):
    """The rule that decides whether a run of a mutant kills it."""

    DIFFERENTIAL = "differential"
    """The mutant does something else than the original, or leaves another state (exhaustive2003, section 7.2)."""
    POSTCONDITION = "postcondition"
    """Its result or state violates the spec's postcondition or rep_ok (field_exhaustive2016, section 6)."""
    PUBLIC = "public"
    """A call returns or raises something else than the original's; states are not compared."""
    OBSERVERS = "observers"
    """Like PUBLIC; or an observer of the spec, called after the call, returns or raises something else."""


class KillReason(Enum):
    """The criterion that distinguished the mutant from the original."""

    OUTPUT = "output"
    """Another return value."""
    STATE = "state"
    """Another post-state (or argument after the call) by the subject's equality."""
    REP_INVARIANT = "rep_invariant"
    """The post-state does not satisfy rep_ok."""
    POSTCONDITION = "postcondition"
    """The postcondition does not hold, or cannot be evaluated (of `OracleName.POSTCONDITION` only)."""
    EXCEPTION = "exception"
    """An exception where the original returned, none where it raised, or one of another type."""
    STEP_LIMIT = "step_limit"
    """More steps than 10 x the original's + a constant: deterministic."""
    WALL_LIMIT = "wall_limit"
    """More time than `harness.kernel.process.limits` allows: the only reason that depends on a clock."""
    MEMORY_LIMIT = "memory_limit"
    """MemoryError under the address-space limit."""
    CRASH = "crash"
    """The process died by a signal or left by itself."""
    ASSERTION = "assertion"
    """An assertion of a test fails (of pytest suites only)."""
    SKIPPED = "skipped"
    """A test that passes on the original is skipped, xfails or is not collected (of pytest suites only)."""


class Phase(Enum):
    """The phase of the execution of one input in which the kill was detected, in the order of checking."""

    LOAD = "load"
    """While the mutant's module was being executed."""
    CALL = "call"
    """In the call of the target, or on its return value or exception type."""
    REP_OK = "rep_ok"
    """While the post-state was checked against the representation invariant."""
    EQUALITY = "equality"
    """While the post-state and the arguments were compared with the original's."""
    POSTCONDITION = "postcondition"
    """While the postcondition was evaluated, or what it gets of the pre-state was."""


class Verdict(Enum):
    """The result of running a mutant on a suite."""

    KILLED = "killed"
    SURVIVED = "survived"
    STILLBORN = "stillborn"
    INCONCLUSIVE = "inconclusive"
    """The harness is at fault; blocks scoring."""


@dataclass(frozen=True)
class MutantResult:
    """The facts of one mutant's run on one suite; judgement (a score) is derived elsewhere.

    `steps` sums the steps of all inputs run, the killing one included. It is None if the process died before it could
    report them, or if inputs were left out that are known to break no promise. A survivor's `inputs_run` is the amount
    of evidence for its survival.
    """

    mutant: str
    verdict: Verdict
    inputs_run: int
    steps: int | None
    reason: KillReason | None = None
    phase: Phase | None = None
    input: int | None = None
    """Index in the suite of the first killing input."""
    detail: str = ""
    """Short and deterministic, for people: `returned False, not True`, `SIGSEGV`."""
    executed: int | None = None
    """The number of `inputs_run` that were executed; on the others the mutant is known to do as the original."""
    reached: int | None = None
    """Inputs of the suite on which the original reaches the mutated place; None where not probed."""
    infected: int | None = None
    """Inputs of the suite on which the mutated expression's value differs at least once, or may (side effects)."""

    def __post_init__(self) -> None:
        killed = self.verdict is Verdict.KILLED
        if killed and (self.reason is None or self.phase is None):
            raise ValueError(f"{self.mutant}: a kill names its reason and phase")
        if not killed and self.reason is not None:
            raise ValueError(f"{self.mutant}: only a kill has a reason")
        if self.verdict is Verdict.SURVIVED and self.inputs_run < 1:
            raise ValueError(f"{self.mutant}: no input ran, so nothing was survived")


@dataclass(frozen=True, order=True)
class Location:
    """A half-open span of source text: lines from 1, columns from 0, counted in characters."""

    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


@dataclass(frozen=True)
class OperatorSet:
    """A named set of mutation operators; its name is recorded with every score."""

    name: str
    operators: tuple[str, ...]
    """Codes, in the order in which their mutants stand where they begin at one place."""
    about: str


class MutantStatus(Enum):
    """The status of a mutant before any run."""

    VIABLE = "viable"
    STILLBORN = "stillborn"
    """Does not compile."""
    EQUIVALENT = "equivalent"
    """Compiles to the original's code objects (names and constants included), or equals it by `Mutant.rule`."""
    DUPLICATE = "duplicate"
    """Compiles to the code objects of an earlier mutant, named in `Mutant.same_as`, or equals it by `Mutant.rule`."""


@dataclass(frozen=True)
class Mutant:
    """One syntactic change: the text at `location` (`original`) becomes `replacement`.

    `id` is `operator:line:column:replacement` (shortened by a digest where long), so adding an
    operator renumbers nothing. `source_hash` is the sha256 of the implementation's source text;
    the mutant means nothing for any other source.
    """

    id: str
    operator: str
    function: str
    """Qualified name of the mutated function, as in `SearchTree.remove`."""
    location: Location
    original: str
    replacement: str
    source_hash: str
    status: MutantStatus = MutantStatus.VIABLE
    same_as: str | None = None
    rule: str | None = None
    """The rule by which it is EQUIVALENT or a DUPLICATE; None if the code objects show it."""


class Equivalence(Enum):
    """Whether a mutant is semantically equivalent: a property of the mutant, never set by a run."""

    UNKNOWN = "unknown"
    SUSPECTED = "suspected"
    PROVEN = "proven"


@dataclass(frozen=True)
class EquivalenceArgument:
    """The argument why a mutant is held to be equivalent, written by hand in `mutants/<name>/equivalence.toml`."""

    mutant: str
    equivalence: Equivalence
    argument: str


class ScorePolicy(Enum):
    """The rule for which mutants count in the denominator."""

    ALL_VIABLE = "killed / all viable mutants"
    """The paper's rate: stillborn mutants never count, and equivalent mutants count like others."""
    WITHOUT_PROVEN = "killed / viable mutants not proven equivalent"


@dataclass(frozen=True)
class MutationScore:
    """The counts of a score; `ratio` is None if no mutant counts."""

    killed: int
    counted: int
    policy: ScorePolicy

    @property
    def ratio(self) -> Fraction | None:
        """Killed / counted, exactly."""
        return Fraction(self.killed, self.counted) if self.counted else None


def mutation_score(
    results: Iterable[MutantResult],
    policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
    proven_equivalent: frozenset[str] = frozenset(),
) -> MutationScore:
    """Return the score of `results` under `policy`.

    Raises:
        ValueError: an INCONCLUSIVE result (the harness is at fault) blocks scoring, and so does a
            killed mutant that is said to be proven equivalent.
    """
    killed = counted = 0
    for result in results:
        if result.verdict is Verdict.INCONCLUSIVE:
            raise ValueError(f"{result.mutant} is inconclusive ({result.detail}); no score without it")
        if result.verdict is Verdict.STILLBORN:
            continue
        if result.mutant in proven_equivalent:
            if result.verdict is Verdict.KILLED:
                raise ValueError(f"{result.mutant} was killed, so it cannot be equivalent; correct its argument")
            if policy is ScorePolicy.WITHOUT_PROVEN:
                continue
        counted += 1
        killed += result.verdict is Verdict.KILLED
    return MutationScore(killed, counted, policy)


class Proof(Enum):
    """The control mutants that an oracle has to kill in each trial (law 3)."""

    STATES = "states"
    """Mutants that return something else, and mutants that leave another state."""
    RESULTS = "results"
    """Mutants that return something else."""
    NOTHING = "nothing"
    """None, as a spec may promise less than the original does."""


@dataclass(frozen=True)
class OracleKind:
    """One oracle; a place is `module:name`.

    Attributes:
        judging: the place in `harness.kernel.judging` of the subclass of `harness.kernel.judging.oracle.Oracle`.
        naive: the place in `harness.kernel.naive` of the subclass of `harness.kernel.naive.oracle.Oracle`.
        proof: the planted mutants that it has to tell.
        asks_program: whether judging calls methods of the program under test, which may be mutated themselves.
        is_weaker: whether it kills on no input on which the differential oracle, looking at the same, does not. Of
            such an oracle only inputs are run that kill there.
    """

    judging: str
    naive: str
    proof: Proof
    asks_program: bool = False
    is_weaker: bool = False


ORACLES: Mapping[OracleName, OracleKind] = {
    OracleName.DIFFERENTIAL: OracleKind(
        "oracle:Oracle",
        "oracle:Oracle",
        Proof.STATES,
    ),
    OracleName.POSTCONDITION: OracleKind(
        "postcondition:PostconditionOracle",
        "oracle:PostconditionOracle",
        Proof.NOTHING,
        is_weaker=True,
    ),
    OracleName.PUBLIC: OracleKind(
        "oracle:PublicOracle",
        "oracle:PublicOracle",
        Proof.RESULTS,
        is_weaker=True,
    ),
    OracleName.OBSERVERS: OracleKind(
        "oracle:ObserversOracle",
        "oracle:ObserversOracle",
        Proof.RESULTS,
        asks_program=True,
    ),
}
"""A further oracle is a name in `OracleName`, and a row here."""
