"""That an input does on plain integers what its path says: carried out by the implementation as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from harness.errors import SpecError
from harness.generators.policies.css.exploration import Path
from harness.generators.policies.css.references import resolved
from harness.generators.policies.symstra.blame import different, told
from harness.generators.policies.symstra.plain import CHECKED_EVERY, CHECKED_FIRST, Found, compared, told_plainly
from harness.generators.sequences.anew import UNSTEADY
from harness.generators.sequences.plainly import carried_out
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.symbolic.heap import Painter
from harness.generators.symbolic.leaving import is_risky
from harness.generators.symbolic.runs import GivenRun
from harness.generators.symbolic.values import DECIDING
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.inputs.written_calls import show_sequence


class Witness:
    """Carries out the first 32 inputs, every 1024th and all that raise; of some programs all, as Symstra's witness.

    What the last call did must be the same, what it returned where that can be told, and the states of all objects that
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
        self._looks_at_all = task.text is not None and is_risky(task.text)
        self._looked = 0
        self.passing: Counter[str] = Counter()

    def look(self, path: Path, calls: Sequence[Call]) -> None:
        """Carries out one input, if it is one of those.

        Raises:
            SpecError: it is not as predicted.
            NotSymbolic: and it has symbolic integers.
        """
        self._looked += 1
        is_chosen = self._looked <= CHECKED_FIRST or self._looked % CHECKED_EVERY == 0
        if not (is_chosen or self._looks_at_all or path.outcome.raised):
            return
        results, raised = carried_out(self._plain, calls)
        if raised != path.outcome.raised or len(results) != len(calls) - bool(raised):
            what = f"raises {raised or 'nothing'} on plain integers, not {path.outcome.raised or 'nothing'}"
            self._differs(path, calls, told(path.outcome, raised), what)
        assert path.executed is not None
        for mine, theirs, names in zip(path.executed.results, results, path.names, strict=True):
            if names and self._told(mine, path.values) != self._told(theirs, ()):
                what = "leads to another state on plain integers"
                self._differs(path, calls, f"it {what}", what)
        if not raised:
            self._compare(path, calls, results)

    def _compare(self, path: Path, calls: Sequence[Call], results: Sequence[Any]) -> None:
        """That the last call returns what its path says, where that can be told."""
        assert path.executed is not None

        def again() -> Any:
            found = carried_out(self._plain, calls)[0]
            return found[-1] if len(found) == len(results) else None

        found = compared(resolved(path.executed.results[-1]), path.values, results[-1], again)
        if found is Found.DIFFERENT:
            what = f"returns {results[-1]!r} on plain integers"
            self._differs(path, calls, "it returns something else on plain integers", what)
        self.passing[self._plain.routines[calls[-1].target].name] += found is Found.PASSING

    def _told(self, root: Any, values: Sequence[int]) -> list[Any] | None:
        """The state below an object, with values for what is symbolic; None where it cannot be told."""
        run = DECIDING.run = GivenRun(values)
        try:
            return told_plainly(Painter().picture(root, self._omits), run.values)
        except SpecError:  # it holds an object of C, or a set of objects
            return None

    def _differs(self, path: Path, calls: Sequence[Call], why: str, what: str) -> None:
        """Ends the run: to begin it anew without symbolic integers where there are any, else for good."""
        found = different([made.of_integers() for made in path.calls], why)
        if found is not None:
            raise found
        self._fail(calls, what)

    def _fail(self, calls: Sequence[Call], what: str) -> None:
        raise SpecError(f"{self._where}: {show_sequence(self._bounds, calls)} {what}: {UNSTEADY}")
