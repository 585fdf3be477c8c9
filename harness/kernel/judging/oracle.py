"""The differential oracle: what the original did on an input, and whether a mutant did the same.

Order of checking (exhaustive2003, section 7.2): return value or exception type; then the
post-state, by rep invariant first, then by the subject's equality together with the arguments
after the call; then, on request, by concrete structure. The spec's functions run unmutated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Self

from harness.errors import SpecError
from harness.kernel.inputs.describe import exception_name
from harness.kernel.judging.baseline import Expected
from harness.kernel.judging.canon import canonical, concrete
from harness.kernel.judging.prepared import Prepared
from harness.kernel.judging.prepared_sequences import is_object
from harness.kernel.judging.vacuous import is_always_true, tells_nothing, untold
from harness.kernel.program.steps import StepCounter, StepLimit
from harness.kernel.specs.spec import Spec
from harness.model.outcome import KillReason, Phase
from harness.model.sequence import Observation

UNLIMITED = 1 << 62


@dataclass(frozen=True)
class Kill:
    """Why a mutant is told from the original on one input."""

    reason: KillReason
    phase: Phase
    detail: str


OTHER_VALUE = Kill(KillReason.OUTPUT, Phase.CALL, "returned another value")
INVALID = Kill(KillReason.REP_INVARIANT, Phase.REP_OK, "the post-state does not satisfy rep_ok")
DIFFERENT = Kill(KillReason.STATE, Phase.EQUALITY, "the post-state differs")

RETURNED_NONE = b"R" + canonical(None)


@dataclass(frozen=True)
class OriginalFailure:
    """The original's own post-state is not acceptable."""

    detail: str


class Oracle:
    """Observes executions of one subject; `concrete_state` compares post-states by structure, too."""

    looks_at_states = True
    """Whether it compares what calls leave, besides what they return or raise."""

    def __init__(self, spec: Spec, counter: StepCounter, concrete_state: bool = False) -> None:
        self._spec = spec
        self.counter = counter
        self._concrete = concrete_state

    @classmethod
    def for_run(cls, spec: Spec, counter: StepCounter, concrete: bool, observed: Observation) -> Self:
        """The oracle of a run that says how states are compared (`Experiment.concrete`), and when they are looked at.

        Raises:
            SpecError: the spec lacks what the oracle asks for.
        """
        return cls(spec, counter, concrete)

    def runs_on(self, program: ModuleType) -> None:
        """Tells on which module inputs are made ready from now on; nothing that this oracle asks for."""

    def observe(self, prepared: Prepared) -> Expected | OriginalFailure:
        """Runs the original on an input, without limits (it is assumed to terminate: section 7.2)."""
        counter = self.counter
        counter.start(UNLIMITED)
        returned: list[Any] = []
        outcome, _ = self.call(prepared, returned)
        steps = counter.spent()
        if any(map(tells_nothing, returned)):
            return OriginalFailure(f"its return value cannot be compared: a {type(returned[0]).__name__} tells nothing")
        if outcome[:1] == b"U":  # else every mutant that fails to be compared likewise would be equal
            return OriginalFailure(f"its return value cannot be compared: {outcome[1:].decode()}")
        counter.start(UNLIMITED)
        try:
            holds = self._holds(prepared)
            if not holds:
                return OriginalFailure("its post-state does not satisfy rep_ok")
            self.check_answer(holds)
            state = self._state(prepared, self.check_told)
        except SpecError:
            raise
        except Exception as error:
            return OriginalFailure(f"checking its post-state raised {type(error).__name__}: {error}")
        return Expected(outcome, state, steps, counter.spent())

    def check_answer(self, holds: Any) -> None:
        """Refuses an answer of rep_ok, or of a precondition, that is true of every state.

        Raises:
            SpecError: it is a function, or something still to be run.
        """
        if holds is not True and is_always_true(holds):
            raise SpecError(
                f"{self._spec.module.__file__}: rep_ok (or a precondition) returned a {type(holds).__name__}, which is "
                "true of every state; return True or False"
            )

    def check_told(self, abstract: Any) -> None:
        """Refuses what an abstraction returned, if a part of it is equal to any other.

        Raises:
            SpecError: it is.
        """
        what = untold(abstract)
        if what is not None:
            raise SpecError(
                f"{self._spec.module.__file__}: what abstraction returned holds a {what}, which is equal to any "
                "other; return plain values, or tuples, lists, sets or dicts of them"
            )

    def state_of(self, prepared: Prepared) -> bytes | Kill:
        """Canonical bytes of a mutant's post-state; a Kill where it has none."""
        phase = Phase.REP_OK
        try:
            if not self._holds(prepared):
                return INVALID
            phase = Phase.EQUALITY
            return self._state(prepared)
        except StepLimit:
            return Kill(KillReason.STEP_LIMIT, phase, "checking the post-state takes too many steps")
        except MemoryError:
            return Kill(KillReason.MEMORY_LIMIT, phase, "checking the post-state ran out of memory")
        except Exception as error:
            reason = KillReason.REP_INVARIANT if phase is Phase.REP_OK else KillReason.STATE
            return Kill(reason, phase, f"checking the post-state raised {exception_name(error)}")

    def _holds(self, prepared: Prepared) -> Any:
        """What rep_ok says of the post-state."""
        return self._spec.rep_ok(prepared.root)

    def call(self, prepared: Prepared, seen: list[Any] | None = None) -> tuple[bytes, str]:
        """Canonical bytes of what the call did, and a word on it; `seen` gets what it returned. StepLimit passes."""
        try:
            returned = prepared.invoke()
        except StepLimit:
            raise
        except BaseException as error:
            name = exception_name(error)
            return b"E" + name.encode(), name
        if returned is None:  # what most calls return
            return RETURNED_NONE, ""
        if prepared.constructs and is_object(returned):  # its state is told with the states
            return b"M" + type(returned).__qualname__.encode(errors="backslashreplace"), ""
        if seen is not None:
            seen.append(returned)
        try:
            return b"R" + self._value(returned, prepared), ""
        except StepLimit:
            raise
        except Exception as error:
            return b"U" + exception_name(error).encode(), ""

    def _value(self, value: Any, prepared: Prepared) -> bytes:
        """Bytes of a returned value or argument: structures of the root's class by the subject's equality."""
        if value is prepared.root:
            return b"self"
        abstraction = self._spec.abstraction
        if abstraction is None or type(value) is not type(prepared.root):
            return canonical(value)
        if self._spec.rep_ok(value):
            return b"abstract" + canonical(abstraction(value))
        return b"concrete" + concrete(value)

    def _state(self, prepared: Prepared, check: Callable[[Any], None] | None = None) -> bytes:
        root = prepared.root
        abstraction: Callable[[Any], Any] | None = self._spec.abstraction
        if abstraction is None:
            parts = [concrete(root)]
        else:
            abstract = abstraction(root)
            if check is not None:
                check(abstract)
            parts = [canonical(abstract)]
        parts.extend(self._value(argument, prepared) for argument in prepared.changeable)
        if self._concrete:
            parts.append(concrete(root, *prepared.changeable))
        return parts[0] if len(parts) == 1 else canonical(tuple(parts))


def differs(outcome: bytes, expected: bytes, raised: str) -> Kill:
    """Why a mutant is killed whose call ended otherwise than the original's; `raised`: the type of its exception."""
    if outcome[:1] == b"E":
        if raised == MemoryError.__qualname__:
            return Kill(KillReason.MEMORY_LIMIT, Phase.CALL, "raised MemoryError")
        return Kill(KillReason.EXCEPTION, Phase.CALL, f"raised {raised}")
    if expected[:1] == b"E":
        return Kill(KillReason.EXCEPTION, Phase.CALL, f"did not raise {expected[1:].decode()}")
    return OTHER_VALUE
