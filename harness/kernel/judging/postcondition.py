"""The postcondition oracle (field_exhaustive2016, section 6): a call is wrong that breaks what the spec promises.

A call of the mutant is wrong, in the order of checking, if

- it does not end within its step budget, or takes its process along, as under every oracle;
- it raises an exception of a class that the original does not raise on that input, which no postcondition that does
  not ask for `raised` allows;
- the state that it leaves does not satisfy rep_ok;
- its postcondition does not hold, or cannot be evaluated within the steps that it may take.

What the original returned or left is compared with nothing. The original itself has to keep all promises.
"""

from __future__ import annotations

import marshal
from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType
from typing import Any, Self, cast

from harness.errors import SpecError
from harness.kernel.inputs.describe import exception_name
from harness.kernel.judging.alike_states import AlikeStates
from harness.kernel.judging.baseline import Baseline, Expected
from harness.kernel.judging.beginnings import NOTHING, Beginnings
from harness.kernel.judging.oracle import INVALID, UNLIMITED, Kill, Oracle, OriginalFailure
from harness.kernel.judging.prepared import Prepared
from harness.kernel.judging.prepared_sequences import PreparedSequence
from harness.kernel.judging.promises import (
    NOTHING_DONE,
    NOTHING_PROMISED,
    Done,
    Promise,
    Promises,
    broken,
    raised_outcome,
    raises_otherwise,
)
from harness.kernel.judging.sequence_judge import SequenceJudge
from harness.kernel.judging.sequence_oracle import FORMAT, CallExpected, SequenceOracle, located
from harness.kernel.program.steps import StepCounter, StepLimit, budget_for
from harness.kernel.specs.spec import Spec
from harness.model.outcome import KillReason, Phase
from harness.model.routines import RoutineKind
from harness.model.sequence import Observation

_Holds = Callable[[Prepared], Any]


class CallOracle:
    """One call of a state input or a sequence, observed on the original or judged on a mutant.

    `program` is the module that calls run on, for postconditions that ask for it. `is_apart` tells whether judging has
    run nothing of that module so far.
    """

    def __init__(self, spec: Spec, counter: StepCounter, holds: _Holds, check: Callable[[Any], None]) -> None:
        self._promises = Promises(spec)
        self._counter = counter
        self._holds = holds
        self._check_rep_ok = check
        self.program: ModuleType | None = None
        self.is_apart = True

    def observe(self, call: Prepared) -> CallExpected | OriginalFailure:
        """Runs the original's next call without limits, and checks that it keeps what is promised."""
        counter = self._counter
        counter.start(UNLIMITED)
        promise = self._promise(call)
        telling = counter.spent()
        others = counter.spent_by_others()
        counter.start(UNLIMITED)
        try:  # here, as the program may go as deep as under the other oracle
            done = Done(call.invoke(), None)
        except BaseException as error:
            done = Done(None, error.with_traceback(None))
        steps = counter.spent()
        counter.start(UNLIMITED)
        if done.raised is not None and promise.post is not None and "raised" not in promise.post.extras:
            return OriginalFailure(
                f"it raised {exception_name(done.raised)}, which its postcondition has to ask for by raised (after *)"
            )
        try:
            holds = self._holds(call)
            if not holds:
                return OriginalFailure(INVALID.detail)
            self._check_rep_ok(holds)
            kept = self._promises.kept(promise, call.root, call.arguments, done, self.program)
            self._promises.check_answer(_name(call), kept)
        except SpecError:
            raise
        except Exception as error:
            return OriginalFailure(f"checking its post-state raised {type(error).__name__}: {error}")
        if not kept:
            return OriginalFailure("its postcondition does not hold")
        self.is_apart = self.is_apart and not others + counter.spent_by_others()
        return CallExpected(raised_outcome(done.raised), steps, None, telling + counter.spent())

    def judge(self, call: Prepared, expected: CallExpected) -> tuple[Kill | None, int]:
        """Runs a mutant's next call; why it is wrong, if it is, and the steps that it took."""
        counter = self._counter
        judging = budget_for(expected.judge_steps)
        counter.start(judging)
        promise = self._told(call)
        if isinstance(promise, Kill):
            return promise, 0
        judging -= counter.spent()
        others = counter.spent_by_others()
        budget = budget_for(expected.steps)
        counter.start(budget)
        done = NOTHING_DONE
        try:
            done = Done(call.invoke(), None)
        except StepLimit:
            pass
        except BaseException as error:
            done = Done(None, error.with_traceback(None))
        steps = counter.spent()
        if steps > budget:  # asked of the counter: the program may have caught StepLimit
            return Kill(KillReason.STEP_LIMIT, Phase.CALL, f"more than {budget} steps"), steps
        counter.start(judging)
        kill = self._judged(promise, call, done, expected.outcome)
        self.is_apart = self.is_apart and not others + counter.spent_by_others()
        return kill, steps

    def _promise(self, call: Prepared) -> Promise:
        if not isinstance(call, PreparedSequence):
            return self._promises.of(call.name, call.root, call.arguments)
        ready = call.next_call()
        if ready.routine.kind is RoutineKind.CONSTRUCTOR:
            return NOTHING_PROMISED
        return self._promises.of(ready.routine.name, ready.receiver, ready.arguments)

    def _told(self, call: Prepared) -> Promise | Kill:
        """What is promised, with what was before the call; a Kill where that cannot be told of a mutant."""
        phase = Phase.POSTCONDITION
        try:
            return self._promise(call)
        except StepLimit:
            return Kill(KillReason.STEP_LIMIT, phase, "telling the pre-state takes too many steps")
        except MemoryError:
            return Kill(KillReason.MEMORY_LIMIT, phase, "telling the pre-state ran out of memory")
        except Exception as error:
            return Kill(KillReason.POSTCONDITION, phase, f"telling the pre-state raised {exception_name(error)}")

    def _judged(self, promise: Promise, call: Prepared, done: Done, expected: bytes) -> Kill | None:
        wrong = raises_otherwise(promise, done, expected)
        if wrong is not None:
            return wrong
        phase, reason, what = Phase.REP_OK, KillReason.REP_INVARIANT, "post-state"
        try:
            if not self._holds(call):
                return INVALID
            phase, reason, what = Phase.POSTCONDITION, KillReason.POSTCONDITION, "postcondition"
            return (
                None
                if self._promises.kept(promise, call.root, call.arguments, done, self.program)
                else broken(done, expected)
            )
        except StepLimit:
            return Kill(KillReason.STEP_LIMIT, phase, f"checking the {what} takes too many steps")
        except MemoryError:
            return Kill(KillReason.MEMORY_LIMIT, phase, f"checking the {what} ran out of memory")
        except Exception as error:
            return Kill(reason, phase, f"checking the {what} raised {exception_name(error)}")


class PostconditionOracle(Oracle):
    """Observes the original on state inputs; `Expected.judge_steps` are of all that checks it, pre-state included."""

    def __init__(self, spec: Spec, counter: StepCounter) -> None:
        super().__init__(spec, counter)
        self.calls = CallOracle(spec, counter, self._holds, self.check_answer)

    @classmethod
    def for_run(cls, spec: Spec, counter: StepCounter, concrete: bool, observed: Observation) -> Self:
        return cls(spec, counter)

    def runs_on(self, program: ModuleType) -> None:
        self.calls.program = program

    def observe(self, prepared: Prepared) -> Expected | OriginalFailure:
        found = self.calls.observe(prepared)
        if isinstance(found, OriginalFailure):
            return found
        return Expected(found.outcome, b"", found.steps, found.judge_steps)


class PostconditionSequenceOracle(SequenceOracle):
    """Observes the original on sequences: every call that is run is checked."""

    def __init__(self, spec: Spec, counter: StepCounter) -> None:
        super().__init__(spec, counter)
        self.calls = CallOracle(spec, counter, self._holds, self.check_answer)

    @classmethod
    def for_run(cls, spec: Spec, counter: StepCounter, concrete: bool, observed: Observation) -> Self:
        return cls(spec, counter)

    def runs_on(self, program: ModuleType) -> None:
        self.calls.program = program

    def observe(self, prepared: Prepared, known: Sequence[CallExpected] = ()) -> Expected | OriginalFailure:
        """As that of `SequenceOracle`; `Expected.judge_steps` are of the last call, the trace has those of others."""
        sequence = cast(PreparedSequence, prepared)
        trace: list[CallExpected] = [*known]
        while not sequence.is_over:
            self.counter.start(UNLIMITED)
            if sequence.before_each is not None:
                sequence.before_each(sequence)
            where = f"call {len(sequence.results) + 1} of {len(sequence.calls)}: "
            found = self.calls.observe(sequence)
            if isinstance(found, OriginalFailure):
                return OriginalFailure(where + found.detail)
            trace.append(found)
        *before, last = trace
        self.is_apart = self.calls.is_apart
        steps = sum(call.steps for call in trace)
        return Expected(last.outcome, b"", steps, last.judge_steps, marshal.dumps(tuple(map(tuple, before)), FORMAT))


class PostconditionJudge:
    """Runs one mutant on state inputs, as `Judge` does; a Kill where it breaks a promise."""

    def __init__(self, oracle: PostconditionOracle, prepare: Callable[[int], Prepared], baseline: Baseline) -> None:
        self._calls = oracle.calls
        self._prepare = prepare
        self._baseline = baseline
        self.surplus = 0
        """Steps of all calls, whatever came of them, less those that the original took."""

    def cannot_tell(self, number: int) -> bool:
        """Whether input `number` is known not to tell the mutant, without running it: never, of states."""
        return False

    def judge(self, number: int) -> Kill | None:
        """Runs the mutant on input `number`; None where nothing that it does is wrong."""
        baseline = self._baseline
        at = number - baseline.first
        steps = baseline.steps[at]
        expected = CallExpected(baseline.values[baseline.outcomes[at]], steps, None, baseline.judge_steps[at])
        kill, taken = self._calls.judge(self._prepare(number), expected)
        self.surplus += taken - steps
        return kill


class PostconditionSequenceJudge(SequenceJudge):
    """Runs one mutant on sequences, as `SequenceJudge` does; a Kill at the first call that breaks a promise."""

    def __init__(
        self,
        oracle: PostconditionSequenceOracle,
        prepare: Callable[[int], PreparedSequence],
        baseline: Baseline,
        whole: bool,
        beginnings: Beginnings | None = None,
        alike: AlikeStates | None = None,
    ) -> None:
        super().__init__(oracle, prepare, baseline, whole, beginnings, alike)
        self._calls = oracle.calls

    @property
    def _is_apart(self) -> bool:
        return self._calls.is_apart

    def judge(self, number: int) -> Kill | None:
        """Runs the mutant on input `number`; None where nothing that it does is wrong."""
        prepared = self._ready(number)
        self.surplus -= self._baseline.steps[number - self._baseline.first]
        if isinstance(prepared, Kill):
            return prepared
        known = NOTHING
        if self._beginnings is not None:  # here, as a judged call is as far above the program
            known = self._beginnings.repeat(number, prepared, partial(self._is_same, number))
        spent = known.steps
        marks = [spent]
        for expected in self._expected(number, known):
            self._look(number, prepared, spent)
            at = len(prepared.results) + 1
            kill, taken = self._calls.judge(prepared, expected)
            spent += taken
            marks.append(spent)
            if kill is not None:
                self.surplus += spent
                return located(kill, prepared, at) if self._whole else kill
        self.surplus += spent
        if self._is_apart:
            self._learn(number, known, marks)
            self._look_behind(number, prepared, spent)
        return None


def _name(call: Prepared) -> str:
    """The name of the routine that was called last."""
    if not isinstance(call, PreparedSequence):
        return call.name
    return call.routines.routines[call.calls[len(call.results) - 1].target].name
