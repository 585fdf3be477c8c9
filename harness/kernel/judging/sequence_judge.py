"""Whether a mutant can be told from the original by a sequence: call by call, each with a step budget of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from harness.kernel.inputs.describe import exception_name
from harness.kernel.inputs.restoring import NotRestorable
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.oracle import DIFFERENT, Kill, differs
from harness.kernel.judging.prefix_states import steps_of
from harness.kernel.judging.prepared_sequences import PreparedSequence
from harness.kernel.judging.sequence_oracle import CallExpected, SequenceOracle, located, trace_of
from harness.kernel.program.steps import StepLimit, budget_for
from harness.model.outcome import KillReason, Phase

_MOST_TRACES = 4096
_LONGEST = 200
_MAKING = "making the state before its last call"


class SequenceJudge:
    """Runs one mutant on sequences and compares it with the original, as `Judge` does on states.

    Args:
        prepare: makes an input of the mutant ready.
        baseline: what the original did on the inputs.
        whole: all calls of a sequence are run, not the last one alone.
    """

    def __init__(
        self, oracle: SequenceOracle, prepare: Callable[[int], PreparedSequence], baseline: Baseline, whole: bool
    ) -> None:
        self._oracle = oracle
        self._prepare = prepare
        self._baseline = baseline
        self._whole = whole
        self._trace = lru_cache(_MOST_TRACES)(lambda number: trace_of(baseline.values[number]))
        self.surplus = 0
        """Steps of all calls, whatever came of them, less those that the original took."""

    def judge(self, number: int) -> Kill | None:
        """Runs the mutant on input `number`; None where it cannot be told from the original."""
        oracle, counter = self._oracle, self._oracle.counter
        prepared = self._ready(number)
        spent = 0
        kill: Kill | None = None
        if isinstance(prepared, Kill):
            self.surplus -= self._baseline.steps[number - self._baseline.first]
            return prepared
        for outcome, steps, state, judge_steps in self._expected(number):
            budget = budget_for(steps)
            counter.start(budget)
            try:
                did, raised = oracle.call(prepared)
            except StepLimit:
                did, raised = b"", ""
            taken = counter.spent()
            spent += taken
            if taken > budget:  # asked of the counter: the program may have caught StepLimit
                kill = Kill(KillReason.STEP_LIMIT, Phase.CALL, f"more than {budget} steps")
            elif did != outcome:
                kill = differs(did, outcome, raised)
            elif state is not None:
                counter.start(budget_for(judge_steps))
                found = oracle.state_of(prepared)
                kill = found if isinstance(found, Kill) else None if found == state else DIFFERENT
            if kill is not None:
                kill = located(kill, prepared) if self._whole else kill
                break
        self.surplus += spent - self._baseline.steps[number - self._baseline.first]
        return kill

    def _ready(self, number: int) -> PreparedSequence | Kill:
        """The input made ready, which runs `__hash__` and `__eq__` of the mutant where it puts a state before it.

        A Kill where the mutant cannot have the state that the original has; its calls have then taken no steps.
        """
        counter = self._oracle.counter
        budget = budget_for(0 if self._whole else steps_of(self._baseline.before(number)))
        too_long = Kill(KillReason.STEP_LIMIT, Phase.CALL, f"{_MAKING} takes more than {budget} steps")
        counter.start(budget)
        ready: PreparedSequence | Kill
        try:
            ready = self._prepare(number)
        except StepLimit:
            ready = too_long
        except MemoryError:
            ready = Kill(KillReason.MEMORY_LIMIT, Phase.CALL, f"{_MAKING} ran out of memory")
        except NotRestorable as error:
            ready = Kill(KillReason.EXCEPTION, Phase.CALL, f"{_MAKING} is impossible: {str(error)[:_LONGEST]}")
        except BaseException as error:
            ready = Kill(KillReason.EXCEPTION, Phase.CALL, f"{_MAKING} raised {exception_name(error)}")
        return ready if counter.spent() <= budget else too_long  # it may have caught StepLimit

    def _expected(self, number: int) -> tuple[CallExpected, ...]:
        """What the original did in each of the calls that are run."""
        baseline = self._baseline
        at = number - baseline.first
        before = self._trace(baseline.befores[at]) if self._whole else ()
        last = CallExpected(
            baseline.values[baseline.outcomes[at]],
            baseline.steps[at] - sum(call.steps for call in before),
            baseline.values[baseline.states[at]],
            baseline.judge_steps[at],
        )
        return (*before, last)
