"""Stores the mutants, branches or condition outcomes that inputs reach, which scores any sub-suite by indexing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from harness.errors import IncompleteRowsError, StoreError, UsageError
from harness.measuring.outcomes import RecordingProgram
from harness.model.coverage import ConditionOutcome
from harness.model.experiment import ExecutionMode
from harness.model.outcome import MutantStatus, MutationScore, Phase, ScorePolicy, Verdict
from harness.store import KillRow, RunStore

Bits = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]

_BLOCK = 4096
"""Bytes of a row looked at before the targets reached so far are left out: most are in the first block."""


class BitMatrix:
    """The targets that each input of a suite reaches: mutants, branches or condition outcomes.

    Memory: one bit per target and input.

    Args:
        bits: a row for each target, with the lowest bit of its first byte for input 0.
        inputs: the number of columns.
    """

    def __init__(self, bits: Bits, inputs: int) -> None:
        self.inputs = inputs
        self.targets = len(bits)
        self.bits = bits
        self._ever_reached: Flags = np.asarray(bits.any(axis=1))

    def reached_by_mask(self, mask: Flags) -> Flags:
        """Return, for each target, whether the inputs at which `mask`, one flag per input, is set reach it."""
        packed = np.packbits(mask, bitorder="little")
        reached = np.zeros(len(self.bits), dtype=np.bool_)
        missed = np.flatnonzero(self._ever_reached)
        for start in range(0, len(packed), _BLOCK):
            if not len(missed):
                break
            hit = (self.bits[missed, start : start + _BLOCK] & packed[start : start + _BLOCK]).any(axis=1)
            reached[missed[hit]] = True
            missed = missed[~hit]
        return reached

    def reached_by(self, inputs: Iterable[int] | None = None) -> Flags:
        """Return, for each target, whether the sub-suite of the numbered inputs (None: all) reaches it.

        Raises:
            UsageError: an empty sub-suite, or an input that is not in the suite.
        """
        if inputs is None:
            return self.reached_by_mask(np.ones(self.inputs, dtype=np.bool_))
        chosen = np.fromiter(inputs, dtype=np.int64)
        if not len(chosen):
            raise UsageError("a sub-suite of no inputs kills nothing and proves nothing; choose at least one input")
        if chosen.min() < 0 or chosen.max() >= self.inputs:
            raise UsageError(f"the suite's inputs are numbered 0 to {self.inputs - 1}; the sub-suite leaves that range")
        mask = np.zeros(self.inputs, dtype=np.bool_)
        mask[chosen] = True
        return self.reached_by_mask(mask)

    def reaching(self, row: int) -> Numbers:
        """Return the numbers of the inputs that reach the target of a row, in ascending order."""
        return np.flatnonzero(np.unpackbits(self.bits[row], count=self.inputs, bitorder="little"))

    def reaching_inputs(self) -> Numbers:
        """Return for each target how many inputs reach it."""
        return np.asarray(np.bitwise_count(self.bits).sum(axis=1, dtype=np.int64))


def transposed(rows: Bits, targets: Sequence[int]) -> Bits:
    """Return the bits of a `BitMatrix` from rows of inputs.

    Args:
        rows: for each input its targets in bytes, low bits first.
        targets: the position of each target in a row, in bits.
    """
    packed = [np.packbits(rows[:, bit // 8] >> bit % 8 & 1, bitorder="little") for bit in targets]
    return np.array(packed, dtype=np.uint8).reshape(len(packed), (len(rows) + 7) // 8)


class KillMatrix(BitMatrix):
    """The kills of a run, by mutant and input.

    A row may end where the random selections of the suite are decided (mode `selections`). It does not decide whether
    inputs behind its end kill the mutant: `reaching_inputs` and `kills` tell of the inputs that were run only.

    `mutants` are the row labels.

    Raises:
        StoreError: a mutant occurs twice, or was run on more inputs than there are.
    """

    def __init__(self, rows: Sequence[KillRow], inputs: int) -> None:
        self.mutants = tuple(row.mutant for row in rows)
        if len(set(self.mutants)) != len(rows):
            raise StoreError("kill matrix: a mutant has two rows")
        for row in rows:
            if row.inputs > inputs:
                raise StoreError(f"kill matrix: {row.mutant} ran {row.inputs} inputs, not {inputs}; run it in full")
        width = (inputs + 7) // 8
        packed = np.frombuffer(b"".join(row.bits.ljust(width, b"\0") for row in rows), dtype=np.uint8)
        super().__init__(packed.reshape(len(rows), width), inputs)
        self._ran = np.array([row.inputs for row in rows], dtype=np.int64)

    def reached_by_mask(self, mask: Flags) -> Flags:
        """Return, for each mutant, whether the inputs at which `mask`, one flag per input, is set kill it.

        Raises:
            IncompleteRowsError: a row ends before the selection is decided.
        """
        killed = super().reached_by_mask(mask)
        undecided = np.flatnonzero(~killed & (self._ran < self.inputs))
        if len(undecided):
            raise IncompleteRowsError(
                f"{self.mutants[undecided[0]]} was run on the first {self._ran[undecided[0]]} of {self.inputs} inputs, "
                "which do not decide this selection; run the trial in mode matrix"
            )
        return killed

    killed_by = BitMatrix.reached_by

    @classmethod
    def load(cls, store: RunStore, trial: str, mode: ExecutionMode = ExecutionMode.MATRIX) -> KillMatrix:
        """Load the matrix of a finished trial that was run in `mode`, which is `matrix` or `selections`.

        Raises:
            StoreError: the trial is unfinished or in another mode.
            IncompleteRowsError: it lacks the row of a viable mutant, or in mode `matrix` that ends early.
        """
        stored = store.trials.find(trial)
        if stored.mode is not mode or not store.finished.has(trial):
            raise StoreError(f"{store.path}: {stored} has no complete rows; run it to the end in mode {mode.value}")
        rows = store.results.kill_rows(trial)
        viable = {m.id for m in store.mutants.of(stored.mutant_set) if m.status is MutantStatus.VIABLE}
        missing = viable - {row.mutant for row in rows}
        if missing:
            raise IncompleteRowsError(
                f"{store.path}: {stored}: no row of {min(missing)}; run it again in mode {mode.value}"
            )
        for row in rows:
            if mode is ExecutionMode.MATRIX and row.inputs != stored.inputs:
                raise IncompleteRowsError(
                    f"kill matrix: {row.mutant} ran {row.inputs} inputs, not {stored.inputs}; run it in full"
                )
        return cls([row for row in rows if row.mutant in viable], stored.inputs)

    def score(
        self,
        inputs: Iterable[int] | None = None,
        policy: ScorePolicy = ScorePolicy.ALL_VIABLE,
        proven_equivalent: frozenset[str] = frozenset(),
    ) -> MutationScore:
        """Return the score of a sub-suite (None: all inputs) under `policy`."""
        killed = self.reached_by(inputs)
        excluded = proven_equivalent if policy is ScorePolicy.WITHOUT_PROVEN else frozenset()
        counts = np.fromiter((mutant not in excluded for mutant in self.mutants), np.bool_, len(self.mutants))
        return MutationScore(int((killed & counts).sum()), int(counts.sum()), policy)

    def kills(self, mutant: str) -> list[int]:
        """Return the numbers of the inputs that kill `mutant`, in ascending order."""
        return [int(number) for number in self.reaching(self.mutants.index(mutant))]


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
