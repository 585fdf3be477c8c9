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

from types import ModuleType

from harness.errors import SpecError
from harness.kernel.inputs.describe import exception_name
from harness.kernel.judging.baseline import CallExpected
from harness.kernel.judging.contract_checks import (
    NOTHING_DONE,
    NOTHING_PROMISED,
    CallPostcondition,
    Contracts,
    broken,
    raised_outcome,
    raises_otherwise,
)
from harness.kernel.judging.endless import LoopDetector
from harness.kernel.judging.oracle import (
    INVALID,
    POST_STATE,
    UNLIMITED,
    Kill,
    Oracle,
    OriginalFailure,
    failed_check,
    too_many_steps,
)
from harness.kernel.judging.prepared import PreparedInput, ReturnedOrRaised
from harness.kernel.judging.rules import Rule
from harness.kernel.program.steps import StepCounter, StepLimit, budget_for
from harness.kernel.specs.spec import Spec
from harness.model.outcome import Phase
from harness.model.sequence import Observation


class PostconditionOracle(Oracle):
    """Checks every call. `judge_steps` count all steps of checking it, those for the pre-state included."""

    by_promises = True

    def __init__(self, spec: Spec, counter: StepCounter, rule: Rule, observed: Observation = Observation.END) -> None:
        super().__init__(spec, counter, rule, observed)
        self._promises = Contracts(spec)
        self._program: ModuleType | None = None

    def runs_on(self, program: ModuleType) -> None:
        """Set the module that calls run on, for postconditions with a `program` parameter."""
        self._program = program

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
            answer = self._promises.postcondition_result(
                promise, prepared.root, prepared.arguments, done, self._program
            )
            self._promises.check_answer(prepared.last_name, answer)
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
        done = NOTHING_DONE
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
                if not self._promises.postcondition_result(promise, root, arguments, done, self._program):
                    kill = broken(done, expected.outcome)
        except (StepLimit, Exception) as error:
            kill = failed_check(error, phase, doing)
        self._note_steps(program_steps)
        return kill, steps

    def _promise(self, prepared: PreparedInput) -> CallPostcondition:
        target = prepared.next_target()
        return NOTHING_PROMISED if target is None else self._promises.of(*target)
