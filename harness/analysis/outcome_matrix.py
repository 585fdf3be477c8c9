"""Stores condition outcomes x inputs in packed bits, from which selections by coverage are made by indexing."""

from __future__ import annotations

import numpy as np

from harness.analysis.kill_matrix import BitMatrix, Flags, transposed
from harness.errors import StoreError
from harness.measuring.outcomes import RecordingProgram
from harness.model.coverage import ConditionOutcome


class OutcomeMatrix(BitMatrix):
    """The condition outcomes of the original that each input reaches.

    `outcomes` are the row labels.

    Args:
        program: the conditions, and the positions of their outcomes in a row.
        rows: the rows of the inputs, as `measured_outcomes` returns them.

    Raises:
        StoreError: the rows are of another program.
    """

    def __init__(self, program: RecordingProgram, rows: bytes) -> None:
        if len(rows) % program.width:
            raise StoreError("condition outcomes: the rows of inputs are of another program; measure them again")
        self.outcomes: tuple[ConditionOutcome, ...] = program.outcomes
        bytes_of_inputs = np.frombuffer(rows, dtype=np.uint8).reshape(-1, program.width)
        super().__init__(transposed(bytes_of_inputs, program.bits), len(bytes_of_inputs))

    @property
    def of_class(self) -> Flags:
        """For each outcome, whether it counts as the paper counts branches."""
        return np.array([outcome.of_class for outcome in self.outcomes], dtype=np.bool_)

    def missed(self) -> list[ConditionOutcome]:
        """Return the outcomes that no input reaches."""
        return [outcome for outcome, reached in zip(self.outcomes, self.reached_by(), strict=True) if not reached]

    def selected(self) -> list[int]:
        """Return the inputs that reach an outcome of the class which no earlier input reaches."""
        rows = np.flatnonzero(self.of_class)
        return sorted({int(found[0]) for row in rows if len(found := self.reaching(int(row)))})
