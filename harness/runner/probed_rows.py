"""The inputs that reach and infect each mutant: the rows of all slices of a stage, in one file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from harness.errors import StoreError
from harness.kernel.running.job import InputMask, ProbeOrder
from harness.runner.probed_facts import MutantReach


class ProbedRows:
    """The inputs that reach and infect each mutant, from all slices: two rows per mutant in one file.

    If the orders ask for last calls, a third row has the inputs whose last calls infect the mutant. If rows are
    narrowed, another row has the inputs that are executed.

    Attributes:
        left: whether inputs depend on earlier ones, or probes change what the original does: then all inputs may kill.
    """

    def __init__(
        self,
        work: Path,
        orders: Sequence[ProbeOrder],
        digests: Mapping[str, str],
        mutants: int,
        infected: bool,
        left: bool = False,
    ) -> None:
        self.left = left
        self._sets = 3 if orders[0].apart else 2
        self._path = (work / "probed.rows").resolve()
        self._infected = infected
        self._length = (orders[-1].last + 7) // 8
        with self._path.open("wb") as file:
            file.truncate(self._length * mutants * self._sets)
            for order in orders:
                data = Path(order.rows).read_bytes()
                width = (order.last - order.first + 7) // 8
                if len(data) != self._sets * mutants * width or hashlib.sha256(data).hexdigest() != digests[order.id]:
                    raise StoreError(f"{order.rows}: not what was written there; run the same command again")
                if width == self._length:  # of all inputs: the rows stand there as they are here
                    file.write(data)
                for row in range(self._sets * mutants) if width < self._length else ():
                    file.seek(row * self._length + order.first // 8)
                    file.write(data[row * width : (row + 1) * width])
                Path(order.rows).unlink()
        self._mutants = mutants
        self._narrowed = False

    def narrow(self, first: int, rows: Iterable[bytes]) -> None:
        """Restrict each mutant to the inputs of its row, which begins at input `first`, a multiple of 8."""
        with self._path.open("r+b") as file:
            file.truncate(self._length * self._mutants * (self._sets + 1))
            for number, bits in enumerate(rows):
                file.seek(self._row(number) * self._length + first // 8)
                both = int.from_bytes(file.read(len(bits))) & int.from_bytes(bits)
                file.seek((number + self._sets * self._mutants) * self._length + first // 8)
                file.write(both.to_bytes(len(bits)))
        self._narrowed = True

    def _row(self, number: int) -> int:
        return number + self._mutants * (self._sets if self._narrowed else self._infected)

    def input_mask(self, number: int) -> InputMask:
        """Return the inputs that may kill mutant `number`."""
        return InputMask(str(self._path), self._row(number) * self._length)

    def last_calls(self, number: int) -> InputMask | None:
        """Return the inputs whose last call may infect mutant `number`, or None if that is not recorded."""
        if self._sets == 2:
            return None
        return InputMask(str(self._path), (number + 2 * self._mutants) * self._length)

    def reach(self, number: int, first: int, end: int, with_bits: bool) -> MutantReach:
        """Return how many inputs from `first` to `end - 1` reach and infect a mutant; their rows, too, `with_bits`."""
        rows: list[bytes] = []
        with self._path.open("rb") as file:
            for row in (number, self._mutants + number):
                file.seek(row * self._length + first // 8)
                rows.append(file.read((end + 7) // 8 - first // 8))
        reached, infected = (int.from_bytes(bits).bit_count() for bits in rows)
        return MutantReach(reached, infected, *rows) if with_bits else MutantReach(reached, infected)
