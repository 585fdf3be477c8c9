"""Checks that inputs behave on plain integers as their paths predict, and tells of paths that were given up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from harness.errors import SpecError
from harness.generators.protocol import NotSymbolic, SequenceTask
from harness.generators.sampled import SEQUENCE_SAMPLE
from harness.generators.sequences.replay import UNSTEADY
from harness.generators.symbolic import formulas
from harness.generators.symbolic.caller import (
    MOST_STEPS,
    Ending,
    PathResult,
    SymbolicCall,
    symbolic_values,
    targets_of,
    tried_values,
)
from harness.generators.symbolic.heap import MARK, Painter, StatePicture
from harness.generators.symbolic.rewriting import is_risky
from harness.generators.symbolic.values import DECIDING, MOST_FORKS, ConcreteRun
from harness.kernel.inputs.describe import show_sequence
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.module_state import state_of
from harness.kernel.program.loader import RECURSION_LIMIT, recursion_limited

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class PlainReplay:
    """Executes a sample of solved inputs, and each one that raises, on plain integers.

    If a program passes its integers to functions of other modules, or catches exceptions, all its inputs are executed.
    A result that differs each time, such as an address, is not compared.

    Attributes:
        passing: by routine, the number of inputs whose results differ when they are executed again.
    """

    def __init__(self, task: SequenceTask) -> None:
        self._task = task
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

    def look(
        self,
        symbolic: Sequence[SymbolicCall],
        calls: Sequence[Call],
        outcome: PathResult,
        values: Sequence[int],
        objects: Mapping[int, Any],
    ) -> None:
        """Execute one input, if it is to be checked.

        Args:
            outcome: the predicted outcome of the last call.
            values: the values of the variables.
            objects: the predicted results of calls, by their numbers, whose states are compared.

        Raises:
            SpecError: the input does not behave as predicted.
            NotSymbolic: the same, and it has symbolic integers.
        """
        if not self._is_chosen(outcome):
            return
        results = self._results(symbolic, calls, outcome)
        if outcome.ending is Ending.RETURNED:
            self._compare_result(symbolic, calls, outcome.result, values, results[-1])
        for number, predicted in objects.items():
            if self._encoded_state(results[number], ()) != self._encoded_state(predicted, values):
                difference = "leads to another state on plain integers"
                self._differs(symbolic, calls, f"it {difference}", difference)

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
        returned: Any,
    ) -> None:
        """Check that the last call returns the result that its path predicts, if results can be compared."""
        mine, theirs = value_text(predicted, values), value_text(returned, ())
        if mine is None or theirs is None or mine == theirs:
            return
        is_address = _ADDRESS.sub("", mine) == _ADDRESS.sub("", theirs)
        repeated = [] if is_address else carried_out(self._plain, calls)[0]  # `returned` is alive: addresses differ
        if is_address or len(repeated) < len(calls) or value_text(repeated[-1], ()) != theirs:
            self.passing[self._plain.routines[calls[-1].target].name] += 1
            return
        difference = f"returns {returned!r} on plain integers"
        self._differs(symbolic, calls, "it returns something else on plain integers", difference)

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
        self.fail(calls, difference)

    def fail(self, calls: Sequence[Call], difference: str) -> None:
        """Raise the error for an input that does not behave as predicted."""
        raise SpecError(f"{self._where}: {show_sequence(self._bounds, calls)} {difference}: {UNSTEADY}")

    def tell(self, pinned: Mapping[tuple[str, str], int], timed_out: int, endless: int, option: str = "") -> None:
        """Report notices about the paths of the run to the user, each in one line.

        Args:
            pinned: by routine and reason, the number of paths on which a symbolic integer was pinned to one value.
            timed_out: the number of paths on which the solver reached its limit, or was missing.
            endless: the number of paths that used up their steps, forks or frames.
            option: the option that raises the solver's limit, if there is one.
        """
        task, where, notice = self._task, self._where, self._task.notice
        for target, why in sorted(task.concrete.items()):
            routine = task.bounds.routines[target]
            values = [(len(tried_values(p)), len(p.values)) for p in routine.parameters if symbolic_values(p)]
            counts = ", ".join(f"{tried} of {there}" for tried, there in values)
            notice(f"{where}: {routine.name} was made concrete, its integers tried one by one ({counts}): {why}")
        for (name, reason), count in sorted(pinned.items()):
            notice(f"{where}: {name} pinned a symbolic integer to one value, for {reason} (paths: {count})")
        for name, count in sorted(self.passing.items()):
            notice(
                f"{where}: {name} returns something else each time, as an address would be, so what it returns was not "
                f"compared (inputs: {count}); no mutant can be run with that"
            )
        if timed_out:
            limit = f"the solver came to its limit{f' ({option})' if option else ''}"
            why = limit if formulas.is_installed() else "z3 is missing (mutascope[symbolic])"
            notice(f"{where}: {why}, so paths were given up: {timed_out}")
        if endless:
            limits = f"{MOST_STEPS} steps, {MOST_FORKS} forks or {RECURSION_LIMIT} frames"
            notice(f"{where}: paths that used up their {limits}, which are no tests: {endless}")


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
