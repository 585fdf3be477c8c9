"""Scores random selections of a suite by indexing the rows of kills of one run (exhaustive2003, section 8.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pandas as pd

from harness.analysis.compared import missed
from harness.analysis.frames import checked_frame
from harness.analysis.kill_matrix import KillMatrix
from harness.errors import IncompleteRowsError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import OracleName, Verdict
from harness.runner.logs import LOGGER
from harness.selections import SEEDS, random_selection
from harness.store import RunStore, StoredTrial

ALPHA = Fraction(5, 100)


class Sign(Enum):
    """Random selections beside an exhaustive suite, with the paper's signs."""

    WORSE = "<"
    EQUAL = "="
    BETTER = ">"


@dataclass(frozen=True)
class Versus:
    """The numbers of random selections that kill fewer mutants than another suite, as many, and more."""

    below: int
    equal: int
    above: int

    @classmethod
    def of(cls, killed: Iterable[int], reference: int) -> Versus:
        """Compare the number of mutants that each selection kills with the `reference` killed by the other suite."""
        differences = [number - reference for number in killed]
        below, above = sum(d < 0 for d in differences), sum(d > 0 for d in differences)
        return cls(below, len(differences) - below - above, above)

    @property
    def seeds(self) -> int:
        """Selections compared."""
        return self.below + self.equal + self.above

    @property
    def sign(self) -> Sign:
        """`<` (`>`) where more than half of all selections are worse (better), by an exact test; else `=`.

        The test is the two-sided sign test at ALPHA for the median; a tie counts against a
        difference. So `=` says that no difference of the typical selection is shown.
        """
        if sign_test(self.below, self.seeds) <= ALPHA:
            return Sign.WORSE
        if sign_test(self.above, self.seeds) <= ALPHA:
            return Sign.BETTER
        return Sign.EQUAL

    def __str__(self) -> str:
        return f"{self.below}/{self.equal}/{self.above}"


def sign_test(hits: int, trials: int) -> Fraction:
    """Return twice the probability of at least `hits` of `trials` at equal chances, at most 1."""
    tail = sum(comb(trials, k) for k in range(hits, trials + 1))
    return min(Fraction(1), Fraction(2 * tail, 1 << trials))


def killed_by_selections(matrix: KillMatrix, size: int, seeds: Sequence[int]) -> list[int]:
    """Return, for each seed, the number of mutants that a random selection of `size` inputs kills; no mutant is run."""
    return [int(matrix.reached_by_mask(random_selection(matrix.inputs, size, seed)).sum()) for seed in seeds]


def sample_run(folder: Path, seeds: Sequence[int] = SEEDS) -> pd.DataFrame:
    """Return selections R(s) of |T(s-1)| inputs from T(s), scored by the rows of its run, as a frame of SAMPLES.

    `expected` is the mean over all selections, to six digits, from the number of inputs that kill each mutant. The run
    at scope s is one in mode `matrix` or `selections`: where a row of the latter has ended, a selection misses its
    mutant by a chance of e ** -16 (`harness.selections`). T(s-1) is the suite of a finished trial in the same run, of
    the same mutants. A scope without one is left out, and so is one whose rows do not decide a seed, with a warning.

    Raises:
        StoreError: see `RunStore.open_existing` and `KillMatrix.load`.
    """
    rows: list[dict[str, Any]] = []
    with RunStore.open_existing(folder) as store:
        finished = store.finished.keys()
        trials = [trial for trial in store.trials.under(OracleName.DIFFERENTIAL) if trial.key in finished]
        smaller = {_identity(trial): trial for trial in trials}
        # If a scope was run in both modes, the full matrix counts.
        modes = ExecutionMode.SELECTIONS, ExecutionMode.MATRIX
        with_rows = {_identity(trial): trial for mode in modes for trial in trials if trial.mode is mode}
        for trial in with_rows.values():
            before = smaller.get(_identity(trial, trial.scope - 1))
            if before is None or before.inputs > trial.inputs:
                continue
            killed_before = sum(result.verdict is Verdict.KILLED for result in store.results.of(before.key))
            try:
                matrix = KillMatrix.load(store, trial.key, trial.mode)
                counts = killed_by_selections(matrix, before.inputs, seeds)
            except IncompleteRowsError as error:
                LOGGER.warning("%s; no random selections of this suite", error)
                continue
            expected = round(float((1 - missed(matrix.reaching_inputs(), trial.inputs, before.inputs)).sum()), 6)
            for seed, killed in zip(seeds, counts, strict=True):
                rows.append({
                    "trial": trial.key, "size": before.inputs, "killed_before": killed_before, "expected": expected,
                    "seed": seed, "killed": killed,
                })  # fmt: skip
    return checked_frame("samples", rows)


def _identity(trial: StoredTrial, scope: int | None = None) -> tuple[object, ...]:
    """Return the facts that two trials must share for one to be the other at another scope."""
    at = trial.scope if scope is None else scope
    return trial.subject, trial.subject_hash, trial.generator, trial.seed, trial.mutant_set, trial.concrete, at
