"""The differential oracle: observes the original's outcome on an input, and compares a mutant's outcome with it.

The order of checking is that of exhaustive2003, section 7.2. The return value or the exception type is first. The
post-state is next, by representation invariant first, then by the subject's equality together with the arguments after
the call; then, on request, by concrete structure. The spec's functions run unmutated. Each call of a sequence is
checked so, with the state where states are observed.

A rule encodes what a call returned and the state behind it: one for states, one for sequences of calls. Equal bytes
mean equal values. A state begins with the root; other objects that the call can change follow. Some objects are encoded
by their identity. Structures under test are encoded by the subject's own equality, and all other values by their
content.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, cast

from harness.errors import SpecError
from harness.kernel.inputs.describe import exception_name
from harness.kernel.judging.baseline import CallExpected, ExpectedOutcome, trace_bytes
from harness.kernel.judging.endless import LoopDetector
from harness.kernel.judging.prepared import PreparedInput, PreparedSequence, is_object
from harness.kernel.objects.content import STILL_TO_RUN, check_answer, untold
from harness.kernel.objects.equality import UNTOLD_MARK, canonical, concrete
from harness.kernel.objects.reading import Omits
from harness.kernel.program.loader import StepCounter, StepLimit, budget_for
from harness.kernel.specs.spec import Spec
from harness.model.outcome import KillReason, Phase
from harness.model.sequence import Observation

UNLIMITED = 1 << 62


@dataclass(frozen=True)
class Kill:
    """The reason why one input kills a mutant."""

    reason: KillReason
    phase: Phase
    detail: str


OTHER_VALUE = Kill(KillReason.OUTPUT, Phase.CALL, "returned another value")
INVALID = Kill(KillReason.REP_INVARIANT, Phase.REP_OK, "the post-state does not satisfy rep_ok")
DIFFERENT = Kill(KillReason.STATE, Phase.EQUALITY, "the post-state differs")

RETURN, EXCEPTION, CONSTRUCTION, UNCLEAR = b"R", b"E", b"M", b"U"
"""The first byte of an outcome. An outcome is UNCLEAR if the value that a call returned cannot be compared."""
RETURNED_NONE = RETURN + canonical(None)


@dataclass(frozen=True)
class OriginalFailure:
    """The original's own post-state is not acceptable."""

    detail: str


class Oracle:
    """Observes executions of one subject, and judges them.

    Args:
        spec: the judge's functions.
        counter: counts the steps of program and spec.
        rule: how states, or sequences, are read.
        observed: after which calls of a sequence states are compared.
    """

    looks_at_states = True
    """Whether it compares post-states, besides return values and exceptions."""

    by_promises = False
    """Whether the postconditions of the spec judge calls, without comparing anything."""

    def __init__(self, spec: Spec, counter: StepCounter, rule: Rule, observed: Observation = Observation.END) -> None:
        self._spec = spec
        self._rule = rule
        self._holds, self._state = rule.holds, rule.state
        self._looks_at_all = observed is Observation.EVERY_CALL
        self._has_run_program = False
        self.program: ModuleType | None = None
        """The module that inputs run on."""
        self.counter = counter
        self.untold: Counter[str] = Counter()
        """What the original gave or left without content, by place and type, with the number of calls."""

    @property
    def is_apart(self) -> bool:
        """True if judging has executed no code of the program so far, as far as that is observed."""
        return self._rule.is_apart and not self._has_run_program

    def _note_steps(self, steps: int = 0) -> None:
        """Note whether judging has executed the program: it spent `steps`, or others, that are not the spec's."""
        self._has_run_program = self._has_run_program or bool(steps + self.counter.spent_by_others())

    def observe(
        self, prepared: PreparedInput, before_each: Callable[[PreparedInput], None] = lambda _: None
    ) -> ExpectedOutcome | OriginalFailure:
        """Run the original on all calls, without limits (it is assumed to terminate: section 7.2)."""
        trace: list[CallExpected] = []
        while True:
            self.counter.start(UNLIMITED)
            before_each(prepared)
            call = self._observe_call(prepared)
            if isinstance(call, OriginalFailure):
                return OriginalFailure(prepared.place(len(trace) + 1) + call.detail)
            trace.append(call)
            if prepared.is_over:
                break
        *earlier, last = trace
        steps = sum(call.steps for call in trace)
        return ExpectedOutcome(last.outcome, last.state or b"", steps, last.judge_steps, self._rule.before(earlier))

    def _observe_call(self, prepared: PreparedInput) -> CallExpected | OriginalFailure:
        counter = self.counter
        counter.start(UNLIMITED)
        returned: Any = None
        try:  # here, as the original may go as deep as mutants
            returned = prepared.invoke()
        except StepLimit:
            raise
        except BaseException as error:
            outcome, _ = self.raised(error)
        else:
            outcome = self._returned(returned, prepared)
        steps = counter.spent()
        problem = self._unclear(outcome, returned, prepared.last_name)
        if problem:  # else every mutant that fails to be compared likewise would be equal
            return OriginalFailure(f"its return value cannot be compared: {problem}")
        if not prepared.is_over and not self._looks_at_all:
            return CallExpected(outcome, steps, None, 0)
        counter.start(UNLIMITED)
        try:
            holds = self._holds(prepared)
            if not holds:
                return OriginalFailure("its post-state does not satisfy rep_ok")
            self.check_answer(holds)
            state = self._state(prepared, self.check_encodable)
        except SpecError:
            raise
        except Exception as error:
            return OriginalFailure(f"checking its post-state raised {type(error).__name__}: {error}")
        self._note_steps()
        judge_steps = counter.spent()
        if UNTOLD_MARK in state:
            self.untold.update({f"{place} ({kind})" for place, kind in self._rule.untold(prepared)})
        return CallExpected(outcome, steps, state, judge_steps)

    def _unclear(self, outcome: bytes, returned: Any, name: str) -> str:
        """Return why the result of a routine cannot be compared, or ""; note its parts without content."""
        if outcome[:1] == UNCLEAR:
            return outcome[1:].decode()
        found = untold([returned]) if UNTOLD_MARK in outcome else ()
        kind = type(returned).__qualname__
        if [*found] == [("", kind)]:
            return f"a {kind} tells nothing"
        self.untold.update({f"{place or f'result of {name}'} ({kind})" for place, kind in found})
        return ""

    def check_answer(self, holds: Any) -> None:
        """Refuse an answer of rep_ok, or of a precondition, as `content.check_answer` does."""
        check_answer(holds, f"{self._spec.module.__file__}: rep_ok (or a precondition)", "state")

    def check_encodable(self, abstract: Any) -> None:
        """Refuse a value of abstraction that has a part which is equal to any other.

        Raises:
            SpecError: it has such a part.
        """
        for _, kind in untold([abstract], refused=STILL_TO_RUN):
            raise SpecError(
                f"{self._spec.module.__file__}: what abstraction returned holds a {kind}, which is equal to any "
                "other; return plain values, or tuples, lists, sets or dicts of them"
            )

    def judge(
        self, prepared: PreparedInput, expected: CallExpected, watch: LoopDetector | None = None
    ) -> tuple[Kill | None, int]:
        """Run a mutant's next call; return why it kills the mutant, or None, and the steps that the call took.

        Args:
            watch: ends a call that would never return; None where such calls cannot be detected.
        """
        counter = self.counter
        budget = budget_for(expected.steps)
        counter.start(budget, *(() if watch is None else watch.looking(prepared, expected.steps)))
        outcome, raised = b"", ""
        try:
            try:
                returned = prepared.invoke()
            except StepLimit:
                raise
            except BaseException as error:
                outcome, raised = self.raised(error)
            else:
                outcome = self._returned(returned, prepared)
        except StepLimit:
            pass
        steps = counter.spent()
        if steps > budget:  # asked of the counter: the program may have caught StepLimit
            return too_many_steps(budget), steps
        if outcome != expected.outcome:
            return differs(outcome, expected.outcome, raised), steps
        if expected.state is None:
            return None, steps
        counter.start(budget_for(expected.judge_steps))
        phase, kill = Phase.REP_OK, None
        try:  # here, as the original's state is read in as many frames
            if self._holds(prepared):
                phase = Phase.EQUALITY
                kill = None if self._state(prepared) == expected.state else DIFFERENT
            else:
                kill = INVALID
        except (StepLimit, Exception) as error:
            kill = failed_check(error, phase, POST_STATE)
        self._note_steps()
        return kill, steps

    def raised(self, error: BaseException) -> tuple[bytes, str]:
        """Encode an exception that a call raised; return its type in words, too."""
        name = exception_name(error)
        return EXCEPTION + name.encode(), name

    def _returned(self, returned: Any, prepared: PreparedInput) -> bytes:
        """Encode a value that a call returned. StepLimit passes."""
        if returned is None:  # what most calls return
            return RETURNED_NONE
        if prepared.constructs and is_object(returned):  # its state is encoded with the states
            return CONSTRUCTION + type(returned).__qualname__.encode(errors="backslashreplace")
        try:
            return RETURN + self._rule.value(returned, prepared)
        except StepLimit:
            raise
        except Exception as error:
            return UNCLEAR + exception_name(error).encode()


POST_STATE = "checking the post-state"

_REASONS = {
    Phase.REP_OK: KillReason.REP_INVARIANT,
    Phase.EQUALITY: KillReason.STATE,
    Phase.POSTCONDITION: KillReason.POSTCONDITION,
}
"""The reason of a kill by an exception in a check of that phase."""


def failed_check(error: BaseException, phase: Phase, doing: str) -> Kill:
    """Return the kill by an exception that ended a check of a mutant, in words that begin with `doing`."""
    if isinstance(error, StepLimit):
        return Kill(KillReason.STEP_LIMIT, phase, f"{doing} takes too many steps")
    if isinstance(error, MemoryError):
        return Kill(KillReason.MEMORY_LIMIT, phase, f"{doing} ran out of memory")
    return Kill(_REASONS[phase], phase, f"{doing} raised {exception_name(error)}")


def too_many_steps(budget: int) -> Kill:
    """Return the kill for a call that takes more steps than its budget."""
    return Kill(KillReason.STEP_LIMIT, Phase.CALL, f"more than {budget} steps")


def differs(outcome: bytes, expected: bytes, raised: str) -> Kill:
    """Return the kill for a call with another outcome than the original's; `raised`: the type of its exception."""
    if outcome[:1] == EXCEPTION:
        if raised == MemoryError.__qualname__:
            return Kill(KillReason.MEMORY_LIMIT, Phase.CALL, "raised MemoryError")
        return Kill(KillReason.EXCEPTION, Phase.CALL, f"raised {raised}")
    if expected[:1] == EXCEPTION:
        return Kill(KillReason.EXCEPTION, Phase.CALL, f"did not raise {expected[1:].decode()}")
    return OTHER_VALUE


class PublicOracle(Oracle):
    """Compares what calls return or raise. All states are valid and equal."""

    looks_at_states = False

    def __init__(self, spec: Spec, counter: StepCounter, rule: Rule, observed: Observation = Observation.END) -> None:
        super().__init__(spec, counter, rule, observed)
        self._holds = lambda prepared: True
        self._state = self._told

    def _told(self, prepared: PreparedInput, check: Check | None = None) -> bytes:
        return b""


class ObserversOracle(PublicOracle):
    """Compares what calls return or raise, and what the observers of structures answer behind them.

    Raises (on making):
        SpecError: the spec has no observers.
    """

    def __init__(self, spec: Spec, counter: StepCounter, rule: Rule, observed: Observation = Observation.END) -> None:
        super().__init__(spec, counter, rule, observed)
        self._names = spec.observers
        self._file = spec.module.__file__
        if not self._names:
            raise SpecError(
                f'{self._file}: there is no observer to ask; write observers = ["size"], say: methods without '
                "arguments that leave the object as it is"
            )

    @property
    def is_apart(self) -> bool:
        """False, as observers are the program's, whether or not they spend steps."""
        return False

    def _told(self, prepared: PreparedInput, check: Check | None = None) -> bytes:
        roots = self._rule.structures(prepared)
        return canonical(
            tuple(self._answer(root, name, prepared, check is not None) for root in roots for name in self._names)
        )

    def _answer(self, root: Any, name: str, prepared: PreparedInput, is_original: bool) -> tuple[str, Any]:
        before = concrete(root) if is_original else b""
        if is_original and not callable(getattr(root, name, None)):
            raise SpecError(f"{self._file}: the observer {name!r} is no method of {type(root).__qualname__}")
        try:
            returned = getattr(root, name)()
        except StepLimit:
            raise
        except Exception as error:
            answer = "raised", exception_name(error).encode()
        else:
            if is_original and untold([returned], refused=STILL_TO_RUN):
                raise SpecError(f"{self._file}: what the observer {name!r} returns cannot be compared")
            answer = "returned", self._rule.value(returned, prepared)
        if is_original and concrete(root) != before:
            raise SpecError(f"{self._file}: the observer {name!r} changes the object; leave it out of observers")
        return answer


Check = Callable[[Any], None]
"""Refuses an abstract state of the original that is equal to any other."""


class Rule:
    """Encodes calls on states. With an abstraction, an object of the root's own class is a structure.

    Args:
        spec: rep_ok and abstraction.
        concrete_state: whether states are compared by structure, too.
        omits: says which fields are left out, and which dicts have no order.

    Attributes:
        is_apart: True if encoding values has executed no code of the program so far, as far as that is observed.
    """

    _past_methods = False

    def __init__(self, spec: Spec, concrete_state: bool = False, omits: Omits | None = None) -> None:
        self._spec = spec
        self._abstraction = spec.abstraction
        self._concrete_state = concrete_state
        self._omits = omits
        self.is_apart = False

    def holds(self, prepared: PreparedInput) -> Any:
        """Return what rep_ok says of the post-state."""
        return self._spec.rep_ok(prepared.root)

    def value(self, value: Any, prepared: PreparedInput) -> bytes:
        """Encode a value that a call returned."""
        return b"self" if value is prepared.root else self._content(value, prepared)

    def structures(self, prepared: PreparedInput) -> list[Any]:
        """Return the objects of the structure under test, that of the last call first."""
        return [] if prepared.root is None else [prepared.root]

    def state(self, prepared: PreparedInput, check: Check | None = None) -> bytes:
        """Encode the state behind a call; `check` is called with the abstract state of the original."""
        root, others, abstraction = prepared.root, self._others(prepared), self._abstraction
        if abstraction is None or not self._is_structure(root, prepared):
            parts = [self._concrete(root)]
        else:
            abstract = abstraction(root)
            if check is not None:
                check(abstract)
            parts = [canonical(abstract, ordered=False)]
        parts.extend(b"self" if held is root else self._content(held, prepared) for held in others)
        if self._concrete_state:
            parts.append(self._concrete(root, *others))
        return parts[0] if len(parts) == 1 else canonical(tuple(parts))

    def untold(self, prepared: PreparedInput) -> Counter[tuple[str, str]]:
        """Count the values without content in the state behind a call, by place and type."""
        return untold([prepared.root, *self._others(prepared)], self._omits)

    def before(self, trace: list[CallExpected]) -> bytes | None:
        """Encode the original's calls before the last one; None for states, which have one call only."""
        return None

    def _is_structure(self, value: Any, prepared: PreparedInput) -> bool:
        """Return whether a value is a structure under test."""
        return self._abstraction is not None and type(value) is type(prepared.root)

    def _others(self, prepared: PreparedInput) -> Sequence[Any]:
        """Return the objects besides the root that the call can have changed."""
        return prepared.changeable

    def _content(self, value: Any, prepared: PreparedInput) -> bytes:
        """Encode a value, or the state of an object."""
        if not self._is_structure(value, prepared):
            return canonical(value, self._omits)
        if not self._spec.rep_ok(value):
            return b"invalid" + self._concrete(value)
        if self._abstraction is None:
            return b"concrete" + self._concrete(value)
        return b"abstract" + canonical(self._abstraction(value), ordered=False)

    def _concrete(self, *roots: Any) -> bytes:
        return concrete(*roots, omits=self._omits, past_methods=self._past_methods)


class SequenceRule(Rule):
    """Encodes the calls of sequences. A structure is an object whose class derives from the root's class.

    An object of the sequence is encoded by the number of the call that made it. A state begins with the receiver. The
    other objects follow in the order of the calls that made them, then the arguments that the last call could change.
    The items of a subclass of dict are read without its own methods.
    """

    _past_methods = True

    def __init__(self, spec: Spec, concrete_state: bool = False, omits: Omits | None = None) -> None:
        super().__init__(spec, concrete_state, omits)
        self.is_apart = True

    def holds(self, prepared: PreparedInput) -> Any:
        return not self._is_structure(prepared.root, prepared) or self._spec.rep_ok(prepared.root)

    def value(self, value: Any, prepared: PreparedInput) -> bytes:
        objects = cast(PreparedSequence, prepared).objects
        for number in sorted(objects):
            if objects[number] is value:
                return b"call %d" % number
        self.is_apart = self.is_apart and not self._is_structure(value, prepared)
        return self._content(value, prepared)

    def structures(self, prepared: PreparedInput) -> list[Any]:
        others = cast(PreparedSequence, prepared).other_objects
        return [held for held in (prepared.root, *others) if self._is_structure(held, prepared)]

    def before(self, trace: list[CallExpected]) -> bytes | None:
        return trace_bytes(trace)

    def _is_structure(self, value: Any, prepared: PreparedInput) -> bool:
        return cast(PreparedSequence, prepared).routines.is_of_root(value)

    def _others(self, prepared: PreparedInput) -> Sequence[Any]:
        return *cast(PreparedSequence, prepared).other_objects, *prepared.changeable
