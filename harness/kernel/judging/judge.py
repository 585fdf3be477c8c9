"""Decides whether an input distinguishes a mutant from the original, call by call: the hot path of every run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from operator import attrgetter

from harness.kernel.judging.baseline import Baseline, CallExpected, trace_of
from harness.kernel.judging.endless import LoopDetector
from harness.kernel.judging.oracle import Kill, Oracle
from harness.kernel.judging.prefix_cache import JudgedPrefix, PrefixCache
from harness.kernel.judging.prepared import PreparedInput, PreparedSequence
from harness.kernel.judging.propagation import PropagationFilter
from harness.kernel.program.steps import LOAD_BUDGET

_MOST_TRACES = 4096
_STEPS = attrgetter("steps")


class Judge:
    """Runs one mutant on inputs and compares it with the original, each call with its own step budget.

    Sequences have a prefix cache; states have none, and may be watched. `judge` is the method of the kind, without a
    frame between: what only sequences need takes 5 % of the time of states.

    Args:
        prepare: makes an input of the mutant ready.
        baseline: the original's outcomes on the inputs.
        watch: ends calls that would never return; None where such calls cannot be detected.
        prefix_cache: remembers calls that need not be judged again.
        propagation: knows inputs that need not be run; None: all are.

    Attributes:
        surplus: the steps of all calls, whatever their outcomes, less those that the original took.
    """

    def __init__(
        self,
        oracle: Oracle,
        prepare: Callable[[int], PreparedInput],
        baseline: Baseline,
        watch: LoopDetector | None = None,
        prefix_cache: PrefixCache | None = None,
        propagation: PropagationFilter | None = None,
    ) -> None:
        self._oracle = oracle
        self._prepare = prepare
        self._baseline = baseline
        self._watch = watch
        self._prefix_cache = prefix_cache
        self._propagation = propagation
        self._trace = lru_cache(_MOST_TRACES)(lambda number: trace_of(baseline.values[number]))
        self.surplus = 0
        self.judge: Callable[[int], Kill | None] = self._judge_state if prefix_cache is None else self._judge_sequence
        """Runs the mutant on the input of a number; returns the kill, or None if its outcome is the original's."""

    def is_known_survivor(self, number: int) -> bool:
        """Return whether input `number` is known not to kill the mutant, without running it; its steps are counted."""
        surplus = None if self._propagation is None or not self._oracle.is_apart else self._propagation.surplus(number)
        if surplus is None:
            return False
        self.surplus += surplus
        return True

    def _judge_state(self, number: int) -> Kill | None:
        baseline, watch = self._baseline, self._watch
        at = number - baseline.first
        outcome, state = baseline.values[baseline.outcomes[at]], baseline.values[baseline.states[at]]
        expected = CallExpected(outcome, baseline.steps[at], state, baseline.judge_steps[at])
        self._oracle.counter.start(LOAD_BUDGET)
        kill, steps = self._oracle.judge(self._prepare(number), expected, watch)
        self.surplus += steps - expected.steps
        if watch is not None and watch.looked:
            watch.forget()
            if not watch.pays:
                self._watch = None
        return kill

    def _judge_sequence(self, number: int) -> Kill | None:
        oracle, baseline, cache, propagation = self._oracle, self._baseline, self._prefix_cache, self._propagation
        oracle.counter.start(LOAD_BUDGET)
        prepared = self._prepare(number)
        assert cache is not None
        assert isinstance(prepared, PreparedSequence)
        # Here, as a judged call is as far above the program.
        prefix = cache.repeat(number, prepared, partial(self._is_same, number))
        spent = prefix.steps
        marks = [spent]
        at = number - baseline.first
        before = self._before(number)[prefix.calls :] if prepared.left > 1 else ()
        outcome, state = baseline.values[baseline.outcomes[at]], baseline.values[baseline.states[at]]
        steps = baseline.steps[at] - prefix.original - sum(map(_STEPS, before))
        for expected in (*before, CallExpected(outcome, steps, state, baseline.judge_steps[at])):
            if propagation is not None:
                self._look(propagation, number, prepared, spent)
            kill, steps = oracle.judge(prepared, expected)
            spent += steps
            marks.append(spent)
            if kill is not None:
                place = prepared.place(prefix.calls + len(marks) - 1)
                kill = Kill(kill.reason, kill.phase, place + kill.detail)
                break
        self.surplus += spent - baseline.steps[at]
        if kill is None and oracle.is_apart:
            self._learn(cache, number, prefix, marks)
            if propagation is not None:
                self._look(propagation, number, prepared, spent)
        return kill

    def _look(self, propagation: PropagationFilter, number: int, prepared: PreparedSequence, spent: int) -> None:
        """Compare the state before or after the last call, to which `spent` steps have led, with the original's."""
        if prepared.left > 1:
            return
        state = propagation.before(number) if prepared.left else propagation.behind(number)
        if state is not None and self._oracle.is_apart:
            all_steps = self._baseline.steps[number - self._baseline.first]
            original = sum(map(_STEPS, self._before(number))) if prepared.left else all_steps
            propagation.look(state, prepared.results, spent - original)

    def _learn(self, cache: PrefixCache, number: int, known: JudgedPrefix, marks: Sequence[int]) -> None:
        """Remember the calls before the last one, and their prefixes.

        Args:
            marks: the mutant's steps after the known calls, and after each of the others.
        """
        if not cache.is_new(number):
            return
        did = self._baseline.befores[number - self._baseline.first]
        original = [0, *accumulate(map(_STEPS, self._before(number)))]
        lengths = range(len(original) - 1, known.calls, -1)
        cache.learn(
            number, [JudgedPrefix(length, marks[length - known.calls], original[length], did) for length in lengths]
        )

    def _is_same(self, number: int, known: JudgedPrefix) -> bool:
        """Return whether the original had the same outcomes in known calls as in those of input `number`."""
        did = self._baseline.befores[number - self._baseline.first]
        return known.did == did or self._trace(known.did)[: known.calls] == self._trace(did)[: known.calls]

    def _before(self, number: int) -> tuple[CallExpected, ...]:
        """Return the original's outcomes in all calls of a sequence but the last."""
        return self._trace(self._baseline.befores[number - self._baseline.first])
