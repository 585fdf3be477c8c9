"""Stores the first kill of each mutant of a suite, which scores the prefixes of the suite and is cheap to run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from harness.analysis.kill_matrix import Flags
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import MutantStatus, Phase, Verdict
from harness.store import RunStore

UNKNOWN = -1
"""The number of a killing input that is not known, as the mutant's death destroyed its records (`first_killing`)."""


def first_killing(number: int | None, phase: str | None) -> int:
    """Return the number of the first input that kills a mutant, from the facts of its kill.

    It is 0 if the mutant died while it was loaded, which the first input demands. It is `UNKNOWN` if it died at an
    unknown input: then the whole suite kills it, and of a prefix nothing is known.
    """
    if number is not None:
        return number
    return 0 if phase == Phase.LOAD.value else UNKNOWN


def refuse_unknown_inputs(first: Mapping[str, int | None], trial: object) -> None:
    """Refuse to score a prefix of a suite if a mutant died at an unknown input.

    Args:
        first: the results of `first_killing` by mutant; None for survivors.

    Raises:
        StoreError: there is such a mutant.
    """
    unknown = [mutant for mutant, number in first.items() if number == UNKNOWN]
    if unknown:
        raise StoreError(
            f"{trial}: {unknown[0]} died at an unknown input, so prefixes have no score; run it with fewer inputs"
        )


class FirstKills:
    """The mutants that the prefixes of a suite kill, from a complete run that stops at first kills.

    `mutants` are like the rows of a kill matrix. `first` has the number of the first input that kills each of them, or
    `inputs` for a survivor. `trial` names the suite in messages.
    """

    def __init__(
        self, mutants: tuple[str, ...], first: npt.NDArray[np.int64], inputs: int, trial: str = "a suite"
    ) -> None:
        self.mutants = mutants
        self.inputs = inputs
        self._first = first
        self._trial = trial

    @classmethod
    def load(cls, store: RunStore, trial: str) -> FirstKills:
        """Load the first kills of a finished trial that was run in mode first-kill.

        Raises:
            StoreError: the trial is unfinished or in another mode, or the result of a mutant is missing.
        """
        stored = store.trials.find(trial)
        if stored.mode is not ExecutionMode.FIRST_KILL or not store.finished.has(trial):
            raise StoreError(f"{store.path}: {stored} has no first kills; run it to the end in mode first-kill")
        viable = {m.id for m in store.mutants.of(stored.mutant_set) if m.status is MutantStatus.VIABLE}
        results = [result for result in store.results.of(trial) if result.mutant in viable]
        decided = {result.mutant for result in results if result.verdict in (Verdict.KILLED, Verdict.SURVIVED)}
        if viable - decided:
            raise StoreError(f"{store.path}: {stored}: no result of {min(viable - decided)}; run it again")
        first = [
            stored.inputs
            if result.verdict is Verdict.SURVIVED
            else first_killing(result.input, result.phase and result.phase.value)
            for result in results
        ]
        return cls(
            tuple(result.mutant for result in results), np.array(first, dtype=np.int64), stored.inputs, str(stored)
        )

    def reached_by_mask(self, mask: Flags) -> Flags:
        """Return, for each mutant, whether the inputs at which `mask` is set, the first ones of the suite, kill it.

        Raises:
            ValueError: they are others.
            StoreError: they are not all of them, and a mutant died at an unknown input.
        """
        size = int(mask.sum())
        if len(mask) != self.inputs or not mask[:size].all():
            raise ValueError("first kills tell of the beginnings of a suite only")
        if size < self.inputs:
            refuse_unknown_inputs(dict(zip(self.mutants, self._first, strict=True)), self._trial)
        return self._first < size
