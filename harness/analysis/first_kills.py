"""Stores the first kill of each mutant of a suite, which scores the prefixes of the suite and is cheap to run."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from harness.analysis.kill_matrix import Flags
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.model.mutant import MutantStatus
from harness.model.outcome import Verdict
from harness.store import RunStore


class FirstKills:
    """The mutants that the prefixes of a suite kill, from a complete run that stops at first kills.

    `mutants` are like the rows of a kill matrix. `first` has the number of the first input that kills each of them, or
    `inputs` for a survivor.
    """

    def __init__(self, mutants: tuple[str, ...], first: npt.NDArray[np.int64], inputs: int) -> None:
        self.mutants = mutants
        self.inputs = inputs
        self._first = first

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
            else result.input or 0  # None: the mutant was killed while it was loaded
            for result in results
        ]
        return cls(tuple(result.mutant for result in results), np.array(first, dtype=np.int64), stored.inputs)

    def killed_by(self) -> Flags:
        """Return, for each mutant, whether the whole suite kills it."""
        return self._first < self.inputs

    def killed_by_mask(self, mask: Flags) -> Flags:
        """Return, for each mutant, whether the inputs at which `mask` is set, the first ones of the suite, kill it.

        Raises:
            ValueError: they are others.
        """
        size = int(mask.sum())
        if len(mask) != self.inputs or not mask[:size].all():
            raise ValueError("first kills tell of the beginnings of a suite only")
        return self._first < size
