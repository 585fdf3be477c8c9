"""Checks that an input behaves on plain integers as its path predicts, by running the unchanged implementation."""

from __future__ import annotations

from collections.abc import Sequence

from harness.generators.policies.css.exploration import CandidatePath
from harness.generators.policies.css.references import resolved
from harness.generators.symbolic.plain_replay import PlainReplay
from harness.kernel.inputs.suites import Call


class ConcreteReplay(PlainReplay):
    """Compares the outcome of the last call, the states of all created objects, and the result if it can be compared.

    Whether each input takes the path that it was solved for is checked earlier, by concolic execution.
    """

    def look(self, path: CandidatePath, calls: Sequence[Call]) -> None:
        """Execute one input, if it is to be checked.

        Raises:
            SpecError: the input does not behave as predicted.
            NotSymbolic: the same, and it has symbolic integers.
        """
        if not self._is_chosen(path.outcome):
            return
        symbolic = [made.of_integers() for made in path.calls]
        results = self._results(symbolic, calls, path.outcome)
        assert path.executed is not None
        for mine, theirs, names in zip(path.executed.results, results, path.names, strict=True):
            if names:
                self._compare_state(symbolic, calls, self._encoded_state(mine, path.values), theirs)
        if not path.outcome.raised:
            predicted = resolved(path.executed.results[-1])
            self._compare_result(symbolic, calls, predicted, path.values, results)
