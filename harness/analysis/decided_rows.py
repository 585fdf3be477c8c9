"""Stores rows of a kill matrix that end where the random selections of their suite are decided."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.analysis.kill_matrix import Flags, Numbers, viable_rows
from harness.errors import IncompleteRowsError
from harness.model.experiment import ExecutionMode
from harness.store import KillRow, RunStore


class DecidedRows:
    """The kills of mutants by selections of a suite's inputs, from a run in mode `selections`.

    It scores the selections that the rows decide, as the full `KillMatrix` would, and reports which ones they do not
    decide. `inputs` is the number of inputs in the suite.
    """

    def __init__(self, rows: Sequence[KillRow], inputs: int) -> None:
        self.inputs = inputs
        self._rows = [(row.mutant, row.inputs, np.frombuffer(row.bits, dtype=np.uint8)) for row in rows]

    @classmethod
    def load(cls, store: RunStore, trial: str) -> DecidedRows:
        """Load the rows of a finished trial that was run in mode `selections`.

        Raises:
            StoreError: the trial is unfinished or in another mode.
            IncompleteRowsError: it lacks the row of a viable mutant.
        """
        return cls(viable_rows(store, trial, ExecutionMode.SELECTIONS), store.trials.find(trial).inputs)

    def reaching_inputs(self) -> Numbers:
        """Return, for each mutant, how many inputs kill it, of those in its row."""
        return np.array([np.bitwise_count(bits).sum(dtype=np.int64) for _, _, bits in self._rows])

    def reached_by_mask(self, mask: Flags) -> Flags:
        """Return, for each mutant, whether the inputs at which `mask` is set, one flag per input, kill it.

        Raises:
            IncompleteRowsError: a row ends before the selection is decided.
        """
        packed = np.packbits(mask, bitorder="little")
        killed = np.zeros(len(self._rows), dtype=np.bool_)
        for number, (mutant, inputs, bits) in enumerate(self._rows):
            killed[number] = (bits & packed[: len(bits)]).any()
            if not killed[number] and inputs < self.inputs:
                raise IncompleteRowsError(
                    f"{mutant} was run on the first {inputs} of {self.inputs} inputs, which do not decide this "
                    "selection; run the trial in mode matrix"
                )
        return killed
