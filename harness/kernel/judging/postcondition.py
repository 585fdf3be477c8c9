"""The postcondition oracle (field_exhaustive2016, section 6): a call that violates its contract is wrong.

A call of the mutant is wrong, in the order of checking, if

- it does not end within its step budget, or ends its process, as under every oracle;
- it raises an exception of a class that the original does not raise on that input, unless its postcondition has a
  `raised` parameter, and so decides;
- its post-state does not satisfy rep_ok;
- its postcondition does not hold, or cannot be evaluated within the steps that it may take.

Results and post-states of the original are not compared with anything. The original itself has to satisfy all
contracts.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import SpecError
from harness.kernel.inputs.describe import exception_name
from harness.kernel.judging.baseline import CallExpected
from harness.kernel.judging.endless import LoopDetector
from harness.kernel.judging.oracle import (
    INVALID,
    POST_STATE,
    UNLIMITED,
    Kill,
    Oracle,
    OriginalFailure,
    Rule,
    failed_check,
    too_many_steps,
)
from harness.kernel.judging.prepared import PreparedInput, ReturnedOrRaised
from harness.kernel.objects.content import check_answer
from harness.kernel.objects.reading import ATOMS, opaque_as_it_is
from harness.kernel.program.loader import StepCounter, StepLimit, budget_for
from harness.kernel.specs.contracts import Postcondition, postconditions
from harness.kernel.specs.spec import Spec
from harness.model.outcome import KillReason, Phase
from harness.model.sequence import Observation

BROKEN = Kill(KillReason.POSTCONDITION, Phase.POSTCONDITION, "the postcondition does not hold")


def raised_outcome(error: BaseException | None) -> bytes:
    """Return the outcome that says whether a call raised, and an exception of which class."""
    return b"R" if error is None else b"E" + exception_name(error).encode()


@dataclass(frozen=True)
class CallPostcondition:
    """A call's postcondition, if it has one, with the pre-state values that it gets."""

    post: Postcondition | None
    before: Any = None
    arguments: Sequence[Any] = ()


NOTHING_PROMISED = CallPostcondition(None)


class Contracts:
    """The postconditions of a spec, for one call after the other; the caller starts the step counter."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._posts = postconditions(spec.module)

    def of(self, name: str, root: Any, arguments: Sequence[Any]) -> CallPostcondition:
        """Return the postcondition and the pre-state values of the call of the routine `name` that is about to run.

        Raises:
            SpecError: a pre-state value can be neither abstracted nor copied.
        """
        post = self._posts.get(name.replace(".", "_"))
        if post is None:
            return NOTHING_PROMISED
        return CallPostcondition(
            post, self._stable_value(root, root), [self._stable_value(argument, root) for argument in arguments]
        )

    def postcondition_result(
        self, promise: CallPostcondition, root: Any, arguments: Sequence[Any], done: ReturnedOrRaised, program: Any
    ) -> Any:
        """Return the postcondition's answer on a call that is over; True where there is none.

        Args:
            root: the structure as it is now, like `arguments`, those of the call.
        """
        post = promise.post
        if post is None:
            return True
        values: dict[str, Any] = {"raised": done.raised, "program": program}
        if "arguments_after" in post.extras:
            values["arguments_after"] = [self._seen(argument, root) for argument in arguments]
        extras = {name: values[name] for name in post.extras}
        states = () if root is None else (promise.before, self._seen(root, root))
        return post.holds(*states, done.returned, *promise.arguments, **extras)

    def _stable_value(self, value: Any, root: Any) -> Any:
        """Return the abstract value, or a copy that the call cannot change."""
        if type(value) in ATOMS:
            return value
        if self._is_structure(value, root):
            return self._seen(value, root)
        try:
            with opaque_as_it_is():
                return copy.deepcopy(value)
        except Exception as error:
            raise SpecError(
                f"{self._spec.module.__file__}: postconditions get copies of the values before a call, and a "
                f"{type(value).__name__} cannot be copied ({exception_name(error)}); define abstraction(state), which "
                "tells it"
            ) from None

    def _seen(self, value: Any, root: Any) -> Any:
        abstraction = self._spec.abstraction
        return abstraction(value) if abstraction is not None and self._is_structure(value, root) else value

    def _is_structure(self, value: Any, root: Any) -> bool:
        """Return whether a postcondition gets the abstract value: of the receiver, and of objects of exactly its class.

        This is the rule of states, in sequences too: the abstract value of a derived class may lack what it adds.
        """
        return self._spec.abstraction is not None and (value is root or type(value) is type(root))


class PostconditionOracle(Oracle):
    """Checks every call. `judge_steps` count all steps of checking it, those for the pre-state included."""

    by_promises = True

    def __init__(self, spec: Spec, counter: StepCounter, rule: Rule, observed: Observation = Observation.END) -> None:
        super().__init__(spec, counter, rule, observed)
        self._promises = Contracts(spec)

    @property
    def is_apart(self) -> bool:
        return not self._has_run_program

    def _observe_call(self, prepared: PreparedInput) -> CallExpected | OriginalFailure:
        counter = self.counter
        counter.start(UNLIMITED)
        promise = self._promise(prepared)
        telling = counter.spent()
        program_steps = counter.spent_by_others()
        counter.start(UNLIMITED)
        try:  # here, as the program may go as deep as under the other oracle
            done = ReturnedOrRaised(prepared.invoke(), None)
        except BaseException as error:
            done = ReturnedOrRaised(None, error.with_traceback(None))
        steps = counter.spent()
        counter.start(UNLIMITED)
        if done.raised is not None and promise.post is not None and "raised" not in promise.post.extras:
            return OriginalFailure(
                f"it raised {exception_name(done.raised)}, which its postcondition has to ask for by raised (after *)"
            )
        try:
            holds = self._holds(prepared)
            if not holds:
                return OriginalFailure(INVALID.detail)
            self.check_answer(holds)
            answer = self._promises.postcondition_result(promise, prepared.root, prepared.arguments, done, self.program)
            name = f"{self._spec.module.__file__}: the postcondition of {prepared.last_name}"
            check_answer(answer, name, "call")
        except SpecError:
            raise
        except Exception as error:
            return OriginalFailure(f"checking its post-state raised {type(error).__name__}: {error}")
        if not answer:
            return OriginalFailure("its postcondition does not hold")
        self._note_steps(program_steps)
        return CallExpected(raised_outcome(done.raised), steps, None, telling + counter.spent())

    def judge(
        self, prepared: PreparedInput, expected: CallExpected, watch: LoopDetector | None = None
    ) -> tuple[Kill | None, int]:
        """Run a mutant's next call. Return why it is wrong, or None, and the steps that it took."""
        counter = self.counter
        judging = budget_for(expected.judge_steps)
        counter.start(judging)
        try:  # here and below, as the original's promise is read and checked in as many frames
            promise = self._promise(prepared)
        except (StepLimit, Exception) as error:
            return failed_check(error, Phase.POSTCONDITION, "telling the pre-state"), 0
        judging -= counter.spent()
        program_steps = counter.spent_by_others()
        budget = budget_for(expected.steps)
        counter.start(budget)
        done = ReturnedOrRaised(None, None)
        try:
            done = ReturnedOrRaised(prepared.invoke(), None)
        except StepLimit:
            pass
        except BaseException as error:
            done = ReturnedOrRaised(None, error.with_traceback(None))
        steps = counter.spent()
        if steps > budget:  # asked of the counter: the program may have caught StepLimit
            return too_many_steps(budget), steps
        counter.start(judging)
        kill = raises_otherwise(promise, done, expected.outcome)
        phase, doing = Phase.REP_OK, POST_STATE
        try:
            if kill is None and not self._holds(prepared):
                kill = INVALID
            if kill is None:
                phase, doing = Phase.POSTCONDITION, "checking the postcondition"
                root, arguments = prepared.root, prepared.arguments
                if not self._promises.postcondition_result(promise, root, arguments, done, self.program):
                    kill = broken(done, expected.outcome)
        except (StepLimit, Exception) as error:
            kill = failed_check(error, phase, doing)
        self._note_steps(program_steps)
        return kill, steps

    def _promise(self, prepared: PreparedInput) -> CallPostcondition:
        target = prepared.next_target()
        return NOTHING_PROMISED if target is None else self._promises.of(*target)


def raises_otherwise(promise: CallPostcondition, done: ReturnedOrRaised, expected: bytes) -> Kill | None:
    """Return the kill for a call whose exception neither the original raises nor a postcondition allows."""
    if done.raised is None or raised_outcome(done.raised) == expected:
        return None
    name = exception_name(done.raised)
    if name == MemoryError.__qualname__:
        return Kill(KillReason.MEMORY_LIMIT, Phase.CALL, "raised MemoryError")
    if promise.post is None or "raised" not in promise.post.extras:
        return Kill(KillReason.EXCEPTION, Phase.CALL, f"raised {name}")
    return None


def broken(done: ReturnedOrRaised, expected: bytes) -> Kill:
    """Return the kill for a call that violates its postcondition: the exception, if the original raises another."""
    if done.raised is not None and raised_outcome(done.raised) != expected:
        return Kill(KillReason.EXCEPTION, Phase.CALL, f"raised {exception_name(done.raised)}")
    return BROKEN
