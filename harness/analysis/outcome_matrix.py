"""Stores condition outcomes x inputs in packed bits, from which selections by coverage are made by indexing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.analysis.kill_matrix import BitMatrix, Flags, transposed
from harness.errors import StoreError
from harness.measuring.condition_outcomes import RecordingProgram
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

    def selected(self, rows: Flags | None = None, order: Sequence[int] | None = None) -> list[int]:
        """Return the inputs that reach an outcome which no earlier input reaches, as the paper's tools select tests.

        Args:
            rows: the outcomes that count; default: those of the class itself.
            order: the order of the inputs; default: that of the suite.
        """
        row_flags = self.of_class if rows is None else rows
        if order is None:
            return sorted({int(found[0]) for row in np.flatnonzero(row_flags) if len(found := self.reaching(int(row)))})
        places = np.empty(self.inputs, dtype=np.int64)
        places[:] = self.inputs
        places[np.asarray(order, dtype=np.int64)] = np.arange(len(order))
        first = [int(places[found].min()) for row in np.flatnonzero(row_flags) if len(found := self.reaching(int(row)))]
        return [int(order[place]) for place in sorted(set(first)) if place < self.inputs]
