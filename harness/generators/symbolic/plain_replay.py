"""Checks that inputs behave on plain integers as their paths predict, by running the unchanged implementation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from harness.errors import SpecError
from harness.generators.protocol import NotSymbolic, SequenceTask
from harness.generators.sampled import SEQUENCE_SAMPLE
from harness.generators.sequences.replay import UNSTEADY
from harness.generators.symbolic.caller import PathResult, SymbolicCall, targets_of
from harness.generators.symbolic.heap import MARK, Painter, StatePicture
from harness.generators.symbolic.rewriting import is_risky
from harness.generators.symbolic.runs import ConcreteRun
from harness.generators.symbolic.values import DECIDING
from harness.kernel.inputs.call_source import show_sequence
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.module_state import state_of
from harness.kernel.program.steps import recursion_limited

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class ResultComparison(Enum):
    """The outcome of a comparison of results."""

    SAME = "same"
    """The results are equal or cannot be compared."""
    PASSING = "passing"
    """The result differs each time, like an address."""
    DIFFERENT = "different"
    """The result differs on plain integers."""


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

    def _is_chosen(self, outcome: PathResult) -> bool:
        """Count an input. Return True if it is to be executed on plain integers."""
        number = self._looked
        self._looked += 1
        return SEQUENCE_SAMPLE.has(number) or self._looks_at_all or bool(outcome.raised)

    def _results(self, symbolic: Sequence[SymbolicCall], calls: Sequence[Call], outcome: PathResult) -> list[Any]:
        """Execute the calls and return their results, after a comparison of the exception with the predicted one."""
        results, raised = carried_out(self._plain, calls)
        if raised != outcome.raised or len(results) != len(calls) - bool(raised):
            mine = f"raises {outcome.raised} {outcome.place}".rstrip() if outcome.raised else "raises nothing"
            why = f"it {mine} on symbolic integers, and {raised or 'nothing'} on plain ones"
            difference = f"raises {raised or 'nothing'} on plain integers, not {outcome.raised or 'nothing'}"
            self._differs(symbolic, calls, why, difference)
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
        """End the run, which begins again without the symbolic integers of some calls, or fails if there are none.

        These are the last call's, or if it has none, those of all calls before, whose state makes the last one differ.
        """
        targets = targets_of(symbolic[-1:]) or targets_of(symbolic)
        if targets:
            raise NotSymbolic(targets, why)
        self._fail(calls, difference)

    def _fail(self, calls: Sequence[Call], difference: str) -> None:
        raise SpecError(f"{self._where}: {show_sequence(self._bounds, calls)} {difference}: {UNSTEADY}")


def carried_out(routines: Routines, calls: Sequence[Call]) -> tuple[list[Any], str]:
    """Return the results of calls up to the first that raises, and the name of its exception, or "".

    Raises:
        SpecError: a call cannot be made.
    """
    results: list[Any] = []
    try:
        with recursion_limited():
            for call in calls:
                ready = routines.ready(call, results)
                results.append(ready.function(*ready.passed))
    except SpecError:
        raise
    except Exception as error:
        return results, type(error).__qualname__
    return results, ""


def compared(predicted: Any, values: Sequence[int], returned: Any, again: Callable[[], Any]) -> ResultComparison:
    """Compare results.

    Args:
        predicted: the result on symbolic integers, which have these `values`.
        returned: the result on plain integers.
        again: a function that returns the result on plain integers once more; `returned` is still alive then, so
            addresses differ.
    """
    mine, theirs = value_text(predicted, values), value_text(returned, ())
    if mine is None or theirs is None or mine == theirs:
        return ResultComparison.SAME
    is_address = _ADDRESS.sub("", mine) == _ADDRESS.sub("", theirs)
    return ResultComparison.PASSING if is_address or value_text(again(), ()) != theirs else ResultComparison.DIFFERENT


def value_text(value: Any, values: Sequence[int]) -> str | None:
    """Return a value as text, with values for symbolic integers; None if a shape cannot represent it."""
    run = DECIDING.run = ConcreteRun(values)
    try:
        return repr(plain_encoding(Painter().picture([value]), run.values))
    except SpecError:
        return None


def plain_encoding(picture: StatePicture, values: Sequence[int]) -> list[Any]:
    """Return a picture with values for its marks, and with names for classes, which differ between executions."""
    slots = iter(picture.slots)
    encoded: list[Any] = []
    for kind, names, *held in picture.shape:
        encoded.append([kind.__qualname__, names])
        for one in held:
            if one is MARK:
                x, added = next(slots)
                encoded.append(values[x] + added)
            else:
                encoded.append(repr(one[1]) if type(one) is tuple else getattr(one, "__qualname__", one))
    return encoded
