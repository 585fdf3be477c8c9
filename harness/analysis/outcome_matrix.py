"""Stores condition outcomes x inputs in packed bits, from which selections by coverage are made by indexing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from harness.analysis.kill_matrix import Bits, Flags, Numbers
from harness.errors import StoreError, UsageError
from harness.measuring.condition_outcomes import RecordingProgram
from harness.model.coverage import ConditionOutcome


class OutcomeMatrix:
    """The condition outcomes of the original that each input reaches.

    `outcomes` are the row labels, `inputs` is the number of columns. Memory: one bit per entry, and one per input and
    outcome while it is made.

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
        self.inputs = len(bytes_of_inputs)
        packed = [np.packbits(bytes_of_inputs[:, bit // 8] >> bit % 8 & 1, bitorder="little") for bit in program.bits]
        self._bits: Bits = np.array(packed, dtype=np.uint8).reshape(len(packed), (self.inputs + 7) // 8)

    @property
    def of_class(self) -> Flags:
        """For each outcome, whether it counts as the paper counts branches."""
        return np.array([outcome.of_class for outcome in self.outcomes], dtype=np.bool_)

    def reached_by(self, inputs: Iterable[int] | None = None) -> Flags:
        """Return, for each outcome, whether the sub-suite of the numbered inputs (None: all) reaches it.

        Raises:
            UsageError: an input that is not in the suite.
        """
        if inputs is None:
            return np.asarray(self._bits.any(axis=1))
        mask = np.zeros(self.inputs, dtype=np.bool_)
        chosen = np.fromiter(inputs, dtype=np.int64)
        if len(chosen) and (chosen.min() < 0 or chosen.max() >= self.inputs):
            raise UsageError(f"the suite's inputs are numbered 0 to {self.inputs - 1}; the sub-suite leaves that range")
        mask[chosen] = True
        return self.reached_by_mask(mask)

    def reached_by_mask(self, mask: Flags) -> Flags:
        """Return `reached_by` for the sub-suite of the inputs at which `mask`, one flag per input, is set."""
        return np.asarray((self._bits & np.packbits(mask, bitorder="little")).any(axis=1))

    def reaching(self, row: int) -> Numbers:
        """Return the numbers of the inputs that reach the outcome of a row, in ascending order."""
        return np.flatnonzero(np.unpackbits(self._bits[row], count=self.inputs, bitorder="little"))

    def reaching_inputs(self) -> Numbers:
        """Return for each outcome how many inputs reach it."""
        return np.asarray(np.bitwise_count(self._bits).sum(axis=1, dtype=np.int64))

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
