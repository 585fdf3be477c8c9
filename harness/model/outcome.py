"""Facts of running a mutant, and what a mutant's run amounts to (exhaustive2003, section 7.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


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
