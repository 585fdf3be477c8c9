"""That an input does on plain integers what its path says: carried out by the implementation as it is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from harness.errors import SpecError
from harness.generators.css.exploration import Path
from harness.generators.css.references import resolved
from harness.generators.css.watching import number_of
from harness.generators.sequences.anew import UNSTEADY
from harness.generators.sequences.plainly import carried_out
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic.heap import Painter
from harness.generators.symbolic.runs import GivenRun
from harness.generators.symbolic.values import DECIDING
from harness.generators.symstra.witness import told_plainly
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.inputs.written_calls import show_sequence
from harness.kernel.judging.canon import ATOMS

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")

_CHECKED_FIRST, _CHECKED_EVERY = 32, 1024
"""Which inputs are carried out on plain integers."""


class Witness:
    """Carries out the first 32 inputs and every 1024th.

    What the last call did must be the same, what it returned where that is an atom, and the states of all objects that
    have been made. That each input takes the path that it was solved for is seen before, when it is carried out on
    values that answer for themselves. A result that is another one each time, as an address is, says nothing.

    Attributes:
        passing: by routine, inputs whose results are others when they are carried out again.
    """

    def __init__(self, task: SequenceTask) -> None:
        self._bounds = task.bounds
        self._where = task.module.__file__
        self._plain = Routines(task.module, task.bounds)
        self._omits = task.bounds.omission()
        self._looked = 0
        self.passing: Counter[str] = Counter()

    def look(self, path: Path, calls: Sequence[Call]) -> None:
        """Carries out one input, if it is one of those.

        Raises:
            SpecError: it is not as predicted.
        """
        self._looked += 1
        if self._looked > _CHECKED_FIRST and self._looked % _CHECKED_EVERY:
            return
        results, raised = carried_out(self._plain, calls)
        if raised != path.outcome.raised or len(results) != len(calls) - bool(raised):
            self._fail(calls, f"raises {raised or 'nothing'} on plain integers, not {path.outcome.raised or 'nothing'}")
        assert path.executed is not None
        for mine, theirs, names in zip(path.executed.results, results, path.names, strict=True):
            if names and self._told(mine, path.values) != self._told(theirs, ()):
                self._fail(calls, "leads to another state on plain integers")
        if not raised:
            self._compare(path, calls, path.executed.results[-1], results)

    def _compare(self, path: Path, calls: Sequence[Call], predicted: Any, results: Sequence[Any]) -> None:
        """That the last call returns what its path says, where that is an atom."""
        returned = results[-1]
        DECIDING.run = GivenRun(path.values)
        predicted = number_of(resolved(predicted), "a result")
        atoms = type(predicted) in ATOMS or type(returned) in ATOMS
        if not atoms or _shown(predicted) == _shown(returned):
            return
        again = carried_out(self._plain, calls)[0]  # while all of `results` is there, so that addresses are others
        without = [_ADDRESS.sub("", shown) for _, shown in map(_shown, (predicted, returned))]
        if len(again) == len(results) and (_shown(again[-1]) != _shown(returned) or without[0] == without[1]):
            self.passing[self._plain.routines[calls[-1].target].name] += 1
        else:
            self._fail(calls, f"returns {returned!r} on plain integers, not {predicted!r}")

    def _told(self, root: Any, values: Sequence[int]) -> list[Any] | None:
        """The state below an object, with values for what is symbolic; None where it cannot be told."""
        run = DECIDING.run = GivenRun(values)
        try:
            return told_plainly(Painter().picture(root, self._omits), run.values)
        except SpecError:  # it holds an object of C, or a set of objects
            return None

    def _fail(self, calls: Sequence[Call], what: str) -> None:
        raise SpecError(f"{self._where}: {show_sequence(self._bounds, calls)} {what}: {UNSTEADY}")


def _shown(value: Any) -> tuple[type, str]:
    return type(value), repr(value)
