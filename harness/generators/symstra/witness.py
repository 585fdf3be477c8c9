"""That an input takes the path that it was solved for: its calls carried out on its values, answer by answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.errors import SpecError
from harness.generators.sequences.anew import UNSTEADY
from harness.generators.sequences.plainly import carried_out
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic.heap import MARK, Painter, Picture
from harness.generators.symbolic.runs import GivenRun
from harness.generators.symbolic.values import DECIDING, Integer
from harness.generators.symstra.calling import Caller, Ending
from harness.generators.symstra.search import Path
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call

_CHECKED_FIRST, _CHECKED_EVERY = 32, 1024
"""Which inputs are carried out on plain integers, too."""


class Witness:
    """Carries out what was solved.

    Every input is carried out on values that answer for themselves: all answers, the steps and what the last call did
    must be those of the path. The first 32 inputs, and every 1024th, are carried out on plain integers by the
    implementation as it is, too: what the last call did and the state behind it must be the same.
    """

    def __init__(self, task: SequenceTask, caller: Caller) -> None:
        self._where = task.module.__file__
        self._caller = caller
        self._plain = Routines(task.module, task.bounds)
        self._omits = task.bounds.omission()
        self._painter = Painter()
        self._looked = 0

    def look(self, path: Path, solution: Sequence[int], calls: Sequence[Call]) -> None:
        """Carries out one input.

        Raises:
            SpecError: it is not as predicted.
        """
        self._looked += 1
        if self._looked <= _CHECKED_FIRST or self._looked % _CHECKED_EVERY == 0:
            self._look_plainly(path, solution, calls)
        run = DECIDING.run = GivenRun()
        receiver: Any = None
        steps = 0
        for number, call in enumerate(path.calls):
            given = [Integer(run.add(solution[x - 1])) for x in call.variables]
            outcome = self._caller.call(call.choice, receiver, given)
            steps += outcome.steps
            receiver = outcome.result if number == 0 else receiver
        did = (bytes(run.trace), steps, outcome.ending, outcome.raised)
        if did != (path.trace, path.steps, path.outcome.ending, path.outcome.raised):
            self._fail(calls, "takes another path than the one that it was solved for")

    def _look_plainly(self, path: Path, solution: Sequence[int], calls: Sequence[Call]) -> None:
        expected = None
        if path.outcome.ending is Ending.RETURNED:
            run = DECIDING.run = GivenRun(solution)
            expected = told_plainly(self._painter.picture(path.root, self._omits), run.values)
        results, raised = carried_out(self._plain, calls)
        if raised != path.outcome.raised or len(results) != len(calls) - bool(raised):
            self._fail(calls, f"raises {raised or 'nothing'} on plain integers, not {path.outcome.raised or 'nothing'}")
        if expected is not None and told_plainly(self._painter.picture(results[0], self._omits), []) != expected:
            self._fail(calls, "leads to another state on plain integers")

    def _fail(self, calls: Sequence[Call], what: str) -> None:
        written = "; ".join(f"{self._plain.routines[call.target].name}{call.arguments}" for call in calls)
        raise SpecError(f"{self._where}: {written} {what}: {UNSTEADY}")


def told_plainly(picture: Picture, values: Sequence[int]) -> list[Any]:
    """A picture with values for its marks, and names for the classes, which are others in another execution."""
    slots = iter(picture.slots)
    told: list[Any] = []
    for kind, names, *held in picture.shape:
        told.append([kind.__qualname__, names])
        for one in held:
            if one is MARK:
                x, added = next(slots)
                told.append(values[x] + added)
            else:
                told.append(repr(one[1]) if type(one) is tuple else getattr(one, "__qualname__", one))
    return told
