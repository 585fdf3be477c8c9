"""Checks that an input behaves on plain integers as its path predicts, by running the unchanged implementation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from harness.errors import SpecError
from harness.generators.policies.css.exploration import CandidatePath
from harness.generators.policies.css.references import resolved
from harness.generators.policies.symstra.blame import difference_text, different
from harness.generators.policies.symstra.plain import ResultComparison, compared, plain_encoding
from harness.generators.sampled import SEQUENCE_SAMPLE
from harness.generators.sequences.plainly import carried_out
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.sequences.replay import UNSTEADY
from harness.generators.symbolic.foreign_calls import is_risky
from harness.generators.symbolic.heap import Painter
from harness.generators.symbolic.runs import ConcreteRun
from harness.generators.symbolic.values import DECIDING
from harness.kernel.inputs.call_source import show_sequence
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call


class ConcreteReplay:
    """Executes the first 32 inputs, every 1024th and each one that raises; for some programs all, as in Symstra.

    The outcome of the last call and the states of all created objects must be the same, and also the result if it can
    be compared. Whether each input takes the path that it was solved for is checked earlier, by concolic execution.
    A result that differs each time, such as an address, is not compared.

    Attributes:
        passing: by routine, the number of inputs whose results differ when they are executed again.
    """

    def __init__(self, task: SequenceTask) -> None:
        self._bounds = task.bounds
        self._where = task.module.__file__
        self._plain = Routines(task.module, task.bounds)
        self._omits = task.bounds.omission()
        self._looks_at_all = task.text is not None and is_risky(task.text)
        self._looked = 0
        self.passing: Counter[str] = Counter()

    def look(self, path: CandidatePath, calls: Sequence[Call]) -> None:
        """Execute one input, if it is to be checked.

        Raises:
            SpecError: the input does not behave as predicted.
            NotSymbolic: the same, and it has symbolic integers.
        """
        is_chosen = SEQUENCE_SAMPLE.has(self._looked)
        self._looked += 1
        if not (is_chosen or self._looks_at_all or path.outcome.raised):
            return
        results, raised = carried_out(self._plain, calls)
        if raised != path.outcome.raised or len(results) != len(calls) - bool(raised):
            difference = f"raises {raised or 'nothing'} on plain integers, not {path.outcome.raised or 'nothing'}"
            self._differs(path, calls, difference_text(path.outcome, raised), difference)
        assert path.executed is not None
        for mine, theirs, names in zip(path.executed.results, results, path.names, strict=True):
            if names and self._encoded_state(mine, path.values) != self._encoded_state(theirs, ()):
                difference = "leads to another state on plain integers"
                self._differs(path, calls, f"it {difference}", difference)
        if not raised:
            self._compare(path, calls, results)

    def _compare(self, path: CandidatePath, calls: Sequence[Call], results: Sequence[Any]) -> None:
        """Check that the last call returns the result that its path predicts, if results can be compared."""
        assert path.executed is not None

        def again() -> Any:
            comparison = carried_out(self._plain, calls)[0]
            return comparison[-1] if len(comparison) == len(results) else None

        comparison = compared(resolved(path.executed.results[-1]), path.values, results[-1], again)
        if comparison is ResultComparison.DIFFERENT:
            difference = f"returns {results[-1]!r} on plain integers"
            self._differs(path, calls, "it returns something else on plain integers", difference)
        self.passing[self._plain.routines[calls[-1].target].name] += comparison is ResultComparison.PASSING

    def _encoded_state(self, root: Any, values: Sequence[int]) -> list[Any] | None:
        """Return the state below an object, with values for symbolic integers; None if it cannot be encoded."""
        run = DECIDING.run = ConcreteRun(values)
        try:
            return plain_encoding(Painter().picture(root, self._omits), run.values)
        except SpecError:  # it holds an object of C, or a set of objects
            return None

    def _differs(self, path: CandidatePath, calls: Sequence[Call], why: str, difference: str) -> None:
        """End the run: it begins again without symbolic integers if there are any, else it fails."""
        restart = different([made.of_integers() for made in path.calls], why)
        if restart is not None:
            raise restart
        self._fail(calls, difference)

    def _fail(self, calls: Sequence[Call], difference: str) -> None:
        raise SpecError(f"{self._where}: {show_sequence(self._bounds, calls)} {difference}: {UNSTEADY}")
