"""The differential oracle on sequences: what each call did, and the state of all objects of the sequence.

A call is told by its exception's type, or by what it returned: an object of the sequence by the number of the call
that gave it, an object of the root's class by the subject's equality, others by value; of what a constructor made,
the class alone, as its state is told later. A state is told receiver first, then the other objects in the order in
which calls gave them, then what else the last call could change.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Self, cast

from harness.errors import SpecError
from harness.kernel.judging.baseline import Expected
from harness.kernel.judging.canon import canonical, concrete
from harness.kernel.judging.oracle import UNLIMITED, Kill, Oracle, OriginalFailure
from harness.kernel.judging.prepared import Prepared
from harness.kernel.judging.prepared_sequences import PreparedSequence
from harness.kernel.judging.vacuous import tells_nothing
from harness.kernel.program.steps import StepCounter
from harness.kernel.specs.spec import Spec
from harness.model.routines import RoutineKind
from harness.model.sequence import Observation

FORMAT = 2
"""Of marshal: equal values give equal bytes."""


class CallExpected(NamedTuple):
    """What the original did in one call; `state` is None where nobody looked at it."""

    outcome: bytes
    steps: int
    state: bytes | None
    judge_steps: int


def trace_of(data: bytes) -> tuple[CallExpected, ...]:
    """The calls before the last one, from `Expected.before` of a sequence that is run whole."""
    return tuple(CallExpected(*call) for call in marshal.loads(data))  # noqa: S302 (our own process wrote it)


class SequenceOracle(Oracle):
    """Observes executions of sequences."""

    def __init__(
        self, spec: Spec, counter: StepCounter, concrete_state: bool = False, observed: Observation = Observation.END
    ) -> None:
        super().__init__(spec, counter, concrete_state)
        self.looks_at_all = observed is Observation.EVERY_CALL
        self.is_apart = True
        """Whether judging has run nothing of the program so far, as far as can be seen from its steps."""

    @classmethod
    def for_run(cls, spec: Spec, counter: StepCounter, concrete: bool, observed: Observation) -> Self:
        return cls(spec, counter, concrete, observed)

    def observe(self, prepared: Prepared, known: Sequence[CallExpected] = ()) -> Expected | OriginalFailure:
        """Runs the original on all calls that are left, without limits; `Expected.before` is for `trace_of`.

        Args:
            known: what the calls did that were run already.
        """
        sequence = cast(PreparedSequence, prepared)
        counter = self.counter
        trace: list[CallExpected] = [*known]
        while True:
            returned: list[Any] = []
            counter.start(UNLIMITED)
            if sequence.before_each is not None:
                sequence.before_each(sequence)
                counter.start(UNLIMITED)
            outcome, _ = self.call(prepared, returned)
            steps = counter.spent()
            where = f"call {len(sequence.results)} of {len(sequence.calls)}: "
            if any(map(tells_nothing, returned)):
                return OriginalFailure(
                    f"{where}its return value cannot be compared: a {type(returned[0]).__name__} tells nothing"
                )
            if outcome[:1] == b"U":
                return OriginalFailure(f"{where}its return value cannot be compared: {outcome[1:].decode()}")
            state, judge_steps = None, 0
            if sequence.is_over or self.looks_at_all:
                counter.start(UNLIMITED)
                found = self._original_state(sequence)
                if isinstance(found, OriginalFailure):
                    return OriginalFailure(where + found.detail)
                state, judge_steps = found, counter.spent()
                self.is_apart = self.is_apart and not counter.spent_by_others()
            if sequence.is_over:
                break
            trace.append(CallExpected(outcome, steps, state, judge_steps))
        steps += sum(call.steps for call in trace)
        return Expected(outcome, state or b"", steps, judge_steps, marshal.dumps(tuple(map(tuple, trace)), FORMAT))

    def _original_state(self, sequence: PreparedSequence) -> bytes | OriginalFailure:
        try:
            holds = self._holds(sequence)
            if not holds:
                return OriginalFailure("its post-state does not satisfy rep_ok")
            self.check_answer(holds)
            return self._state(sequence, self.check_told)
        except SpecError:
            raise
        except Exception as error:
            return OriginalFailure(f"checking its post-state raised {type(error).__name__}: {error}")

    def _holds(self, prepared: Prepared) -> Any:
        """What rep_ok says of the last call's receiver, or of what it made."""
        sequence = cast(PreparedSequence, prepared)
        return not is_of(sequence.root, sequence.routines.root_class) or self._spec.rep_ok(sequence.root)

    def _value(self, value: Any, prepared: Prepared) -> bytes:
        """Bytes of what a call returned."""
        sequence = cast(PreparedSequence, prepared)
        for number in sorted(sequence.objects):
            if sequence.objects[number] is value:
                return b"call %d" % number
        self.is_apart = self.is_apart and not is_of(value, sequence.routines.root_class)
        return self._told(value, sequence)

    def _told(self, value: Any, sequence: PreparedSequence) -> bytes:
        """Bytes of a value, or of an object's state."""
        if not is_of(value, sequence.routines.root_class):
            return canonical(value, sequence.routines.omits)
        if not self._spec.rep_ok(value):
            return b"invalid" + _concrete(sequence, value)
        abstraction = self._spec.abstraction
        if abstraction is None:
            return b"concrete" + _concrete(sequence, value)
        return b"abstract" + canonical(abstraction(value))

    def _state(self, prepared: Prepared, check: Callable[[Any], None] | None = None) -> bytes:
        sequence = cast(PreparedSequence, prepared)
        root, objects = sequence.root, sequence.objects
        parts = [self._root_state(root, sequence, check)]
        others = [objects[number] for number in sorted(objects) if objects[number] is not root]
        parts.extend(self._told(held, sequence) for held in (*others, *sequence.changeable))
        if self._concrete:
            parts.append(_concrete(sequence, root, *others, *sequence.changeable))
        return parts[0] if len(parts) == 1 else canonical(tuple(parts))

    def _root_state(self, root: Any, sequence: PreparedSequence, check: Callable[[Any], None] | None) -> bytes:
        abstraction = self._spec.abstraction
        if abstraction is None or not is_of(root, sequence.routines.root_class):
            return _concrete(sequence, root)
        abstract = abstraction(root)
        if check is not None:
            check(abstract)
        return canonical(abstract)


def _concrete(sequence: PreparedSequence, *roots: Any) -> bytes:
    """States without omitted fields; a program that derives from dict is not asked for its items."""
    return concrete(*roots, omits=sequence.routines.omits, past_methods=True)


def is_of(value: Any, cls: type | None) -> bool:
    """Return True if the class of `value` derives from `cls`."""
    return cls is not None and cls in type(value).__mro__


def located(kill: Kill, sequence: PreparedSequence, at: int = 0) -> Kill:
    """The kill, with the call at which the sequence told the mutant: number `at` from 1, by default the last one."""
    at = at or len(sequence.results)
    routine = sequence.routines.routines[sequence.calls[at - 1].target]
    owner = f"{sequence.routines.scope.root}." * (routine.kind is RoutineKind.METHOD)
    return Kill(kill.reason, kill.phase, f"call {at} of {len(sequence.calls)}, {owner}{routine.name}: {kill.detail}")
