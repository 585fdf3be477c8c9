"""Checks that inputs behave on plain integers as their paths predict, by running the unchanged implementation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from harness.errors import SpecError
from harness.generators.sampled import SEQUENCE_SAMPLE
from harness.generators.sequences.plain_execution import carried_out
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.sequences.replay import UNSTEADY
from harness.generators.symbolic.blame import Predicted, difference_text, different
from harness.generators.symbolic.heap import Painter
from harness.generators.symbolic.plain_results import ResultComparison, compared, plain_encoding
from harness.generators.symbolic.rewriting import is_risky
from harness.generators.symbolic.runs import ConcreteRun
from harness.generators.symbolic.symbolic_call import SymbolicCall
from harness.generators.symbolic.values import DECIDING
from harness.kernel.inputs.call_source import show_sequence
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.module_state import state_of


class PlainReplay:
    """Executes a sample of solved inputs, and each one that raises, on plain integers.

    If a program passes its integers to functions of other modules, or catches exceptions, all its inputs are executed.
    A result that differs each time, such as an address, is not compared.

    Attributes:
        passing: by routine, the number of inputs whose results differ when they are executed again.
    """

    def __init__(self, task: SequenceTask) -> None:
        self._where = task.module.__file__
        self._bounds = task.bounds
        self._plain = Routines(task.module, task.bounds, state_of(task.module))
        self._omits = task.bounds.omission()
        self._painter = Painter()
        self._looks_at_all = task.text is not None and is_risky(task.text)
        self._looked = 0
        self.passing: Counter[str] = Counter()

    def _is_chosen(self, outcome: Predicted) -> bool:
        """Count an input. Return True if it is to be executed on plain integers."""
        number = self._looked
        self._looked += 1
        return SEQUENCE_SAMPLE.has(number) or self._looks_at_all or bool(outcome.raised)

    def _results(self, symbolic: Sequence[SymbolicCall], calls: Sequence[Call], outcome: Predicted) -> list[Any]:
        """Execute the calls and return their results, after a comparison of the exception with the predicted one."""
        results, raised = carried_out(self._plain, calls)
        if raised != outcome.raised or len(results) != len(calls) - bool(raised):
            difference = f"raises {raised or 'nothing'} on plain integers, not {outcome.raised or 'nothing'}"
            self._differs(symbolic, calls, difference_text(outcome, raised), difference)
        return results

    def _compare_result(
        self,
        symbolic: Sequence[SymbolicCall],
        calls: Sequence[Call],
        predicted: Any,
        values: Sequence[int],
        results: Sequence[Any],
    ) -> None:
        """Check that the last call returns the result that its path predicts, if results can be compared."""

        def again() -> Any:
            repeated, _ = carried_out(self._plain, calls)
            return repeated[-1] if len(repeated) == len(results) else None

        comparison = compared(predicted, values, results[-1], again)
        if comparison is ResultComparison.DIFFERENT:
            difference = f"returns {results[-1]!r} on plain integers"
            self._differs(symbolic, calls, "it returns something else on plain integers", difference)
        self.passing[self._plain.routines[calls[-1].target].name] += comparison is ResultComparison.PASSING

    def _compare_state(
        self, symbolic: Sequence[SymbolicCall], calls: Sequence[Call], expected: list[Any] | None, root: Any
    ) -> None:
        """Check that the state below an object is the expected one."""
        if self._encoded_state(root, ()) != expected:
            difference = "leads to another state on plain integers"
            self._differs(symbolic, calls, f"it {difference}", difference)

    def _encoded_state(self, root: Any, values: Sequence[int]) -> list[Any] | None:
        """Return the state below an object, with values for symbolic integers; None if it cannot be encoded."""
        run = DECIDING.run = ConcreteRun(values)
        try:
            return plain_encoding(self._painter.picture(root, self._omits), run.values)
        except SpecError:  # it holds an object of C, or a set of objects
            return None

    def _differs(self, symbolic: Sequence[SymbolicCall], calls: Sequence[Call], why: str, difference: str) -> None:
        """End the run: it begins again without symbolic integers if there are any, else it fails."""
        restart = different(symbolic, why)
        if restart is not None:
            raise restart
        self._fail(calls, difference)

    def _fail(self, calls: Sequence[Call], difference: str) -> None:
        raise SpecError(f"{self._where}: {show_sequence(self._bounds, calls)} {difference}: {UNSTEADY}")
