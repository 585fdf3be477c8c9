"""Decides whether an input distinguishes a mutant from the original, call by call: the hot path of every run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import accumulate

from harness.kernel.judging.baseline import Baseline, CallExpected, trace_of
from harness.kernel.judging.endless import LoopDetector
from harness.kernel.judging.oracle import Kill, Oracle
from harness.kernel.judging.prefix_cache import JudgedPrefix, PrefixCache
from harness.kernel.judging.prepared import PreparedInput, PreparedSequence
from harness.kernel.judging.propagation import PropagationFilter
from harness.kernel.program.steps import LOAD_BUDGET
from harness.model.routines import RoutineKind

_MOST_TRACES = 4096


class StateJudge:
    """Runs one mutant on states and compares it with the original.

    Args:
        prepare: makes an input of the mutant ready.
        baseline: the original's outcomes on the inputs.
        watch: ends calls that would never return; None where such calls cannot be detected.

    Attributes:
        surplus: the steps of all calls, whatever their outcomes, less those that the original took.
    """

    def __init__(
        self,
        oracle: Oracle,
        prepare: Callable[[int], PreparedInput],
        baseline: Baseline,
        watch: LoopDetector | None = None,
    ) -> None:
        self._oracle = oracle
        self._prepare = prepare
        self._baseline = baseline
        self._watch = watch
        self.surplus = 0

    def is_known_survivor(self, number: int) -> bool:
        """Return whether input `number` is known not to kill the mutant, without running it; its steps are counted."""
        return False

    def judge(self, number: int) -> Kill | None:
        """Run the mutant on input `number`. Return the kill; None if its outcome is the original's."""
        watch, expected = self._watch, self._baseline.last_call(number)
        self._oracle.counter.start(LOAD_BUDGET)
        kill, steps = self._oracle.judge(self._prepare(number), expected, watch)
        self.surplus += steps - expected.steps
        if watch is not None and watch.looked:
            watch.forget()
            if not watch.pays:
                self._watch = None
        return kill


class SequenceJudge:
    """Runs one mutant on sequences, as `StateJudge` on states, each call with its own step budget.

    Args:
        prepare: makes an input of the mutant ready.
        prefix_cache: remembers calls that need not be judged again.
        propagation: knows inputs that need not be run; None: all are.
    """

    def __init__(
        self,
        oracle: Oracle,
        prepare: Callable[[int], PreparedSequence],
        baseline: Baseline,
        prefix_cache: PrefixCache,
        propagation: PropagationFilter | None = None,
    ) -> None:
        self._oracle = oracle
        self._baseline = baseline
        self.surplus = 0
        self._prepare = prepare
        self._propagation = propagation
        self._prefix_cache = prefix_cache
        self._trace = lru_cache(_MOST_TRACES)(lambda number: trace_of(baseline.values[number]))

    def is_known_survivor(self, number: int) -> bool:
        surplus = None if self._propagation is None or not self._oracle.is_apart else self._propagation.surplus(number)
        if surplus is None:
            return False
        self.surplus += surplus
        return True

    def judge(self, number: int) -> Kill | None:
        prepared = self._prepare(number)
        self.surplus -= self._baseline.steps[number - self._baseline.first]
        # Here, as a judged call is as far above the program.
        prefix = self._prefix_cache.repeat(number, prepared, partial(self._is_same, number))
        spent = prefix.steps
        marks = [spent]
        for expected in self._expected(number, prefix, len(prepared.calls)):
            self._look(number, prepared, spent)
            at = len(prepared.results) + 1
            kill, steps = self._oracle.judge(prepared, expected)
            spent += steps
            marks.append(spent)
            if kill is not None:
                self.surplus += spent
                return _located(kill, prepared, at)
        self.surplus += spent
        if self._oracle.is_apart:
            self._learn(number, prefix, marks)
            self._look(number, prepared, spent)
        return None

    def _look(self, number: int, sequence: PreparedSequence, spent: int) -> None:
        """Compare the state before or after the last call, to which `spent` steps have led, with the original's."""
        propagation, left = self._propagation, len(sequence.calls) - len(sequence.results)
        if propagation is None or left > 1:
            return
        state = propagation.before(number) if left else propagation.behind(number)
        if state is not None and self._oracle.is_apart:
            all_steps = self._baseline.steps[number - self._baseline.first]
            original = sum(call.steps for call in self._before(number)) if left else all_steps
            propagation.look(state, sequence.results, spent - original)

    def _learn(self, number: int, known: JudgedPrefix, marks: Sequence[int]) -> None:
        """Remember the calls before the last one, and their prefixes.

        Args:
            marks: the mutant's steps after the known calls, and after each of the others.
        """
        if not self._prefix_cache.is_new(number):
            return
        did = self._baseline.befores[number - self._baseline.first]
        original = [0, *accumulate(call.steps for call in self._before(number))]
        lengths = range(len(original) - 1, known.calls, -1)
        self._prefix_cache.learn(
            number, [JudgedPrefix(length, marks[length - known.calls], original[length], did) for length in lengths]
        )

    def _is_same(self, number: int, known: JudgedPrefix) -> bool:
        """Return whether the original had the same outcomes in known calls as in those of input `number`."""
        did = self._baseline.befores[number - self._baseline.first]
        return known.did == did or self._trace(known.did)[: known.calls] == self._trace(did)[: known.calls]

    def _before(self, number: int) -> tuple[CallExpected, ...]:
        """Return the original's outcomes in all calls of a sequence but the last."""
        return self._trace(self._baseline.befores[number - self._baseline.first])

    def _expected(self, number: int, known: JudgedPrefix, calls: int) -> tuple[CallExpected, ...]:
        """Return the original's outcomes in each of the calls, of so many, that are run and judged."""
        before = self._before(number)[known.calls :] if known.calls < calls - 1 else ()
        original = known.original + sum(call.steps for call in before)
        return (*before, self._baseline.last_call(number, original))


def _located(kill: Kill, sequence: PreparedSequence, at: int) -> Kill:
    """Return the kill with the call that killed the mutant, number `at` from 1."""
    routine = sequence.routines.routines[sequence.calls[at - 1].target]
    owner = f"{sequence.routines.scope.root}." * (routine.kind is RoutineKind.METHOD)
    return Kill(kill.reason, kill.phase, f"call {at} of {len(sequence.calls)}, {owner}{routine.name}: {kill.detail}")


Judge = StateJudge | SequenceJudge
