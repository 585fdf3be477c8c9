"""Random selections of a suite, scored by indexing one kill matrix (exhaustive2003, section 8.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from harness.analysis.frames import SAMPLES, samples_frame
from harness.analysis.kill_matrix import Flags, KillMatrix
from harness.errors import UsageError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import Verdict
from harness.store import RunStore, StoredTrial

SEEDS = range(100)
ALPHA = 0.05

_WORD = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


class Sign(Enum):
    """Random selections beside an exhaustive suite, with the paper's signs."""

    WORSE = "<"
    EQUAL = "="
    BETTER = ">"


@dataclass(frozen=True)
class Versus:
    """How many random selections kill fewer mutants than another suite, as many, and more."""

    below: int
    equal: int
    above: int

    @classmethod
    def of(cls, killed: Iterable[int], reference: int) -> Versus:
        """Of the mutants killed by each selection, beside the `reference` killed by the other suite."""
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


def sign_test(hits: int, trials: int) -> float:
    """Twice the probability of at least `hits` of `trials` where each is as likely as not; at most 1."""
    tail = sum(comb(trials, k) for k in range(hits, trials + 1))
    return min(1.0, 2 * tail / (1 << trials))


def random_selection(inputs: int, size: int, seed: int) -> Flags:
    """`size` of the inputs 0..`inputs`-1 without replacement, as one flag per input.

    Those with the `size` smallest keys, input i's key being number i of the SplitMix64 sequence that
    starts at a mixed `seed`. Keys of one seed are all different (the mixing is one to one), so the
    selection is exact, and the same under every version of Python and numpy.

    Raises:
        UsageError: no input is to be chosen, or more than there are.
    """
    if not 0 < size <= inputs:
        raise UsageError(f"a random selection takes between 1 and all {inputs} inputs, not {size}")
    start = int(_mixed(np.array([seed & _WORD], dtype=np.uint64))[0])
    counted = np.arange(1, inputs + 1, dtype=np.uint64) * np.uint64(_GAMMA)
    keys = _mixed(counted + np.uint64(start))
    return np.asarray(keys <= np.partition(keys, size - 1)[size - 1])


def killed_by_selections(matrix: KillMatrix, size: int, seeds: Sequence[int]) -> list[int]:
    """For each seed, how many mutants a random selection of `size` inputs kills; nothing is run."""
    return [int(matrix.killed_by_mask(random_selection(matrix.inputs, size, seed)).sum()) for seed in seeds]


def sample_run(folder: Path, seeds: Sequence[int] = SEEDS) -> pd.DataFrame:
    """Selections R(s) of |T(s-1)| inputs from every complete kill matrix at a scope s; a frame of SAMPLES.

    T(s-1) is the suite of a finished trial in the same run, of the same mutants; a matrix without
    one is left out.

    Raises:
        StoreError: see `RunStore.open_existing` and `KillMatrix.load`.
    """
    rows: list[dict[str, Any]] = []
    with RunStore.open_existing(folder) as store:
        finished = store.finished_trials()
        trials = [trial for trial in store.trials() if trial.key in finished]
        smaller = {_identity(trial): trial for trial in trials}
        matrices = {_identity(trial): trial for trial in trials if trial.mode is ExecutionMode.MATRIX}
        for trial in matrices.values():
            before = smaller.get(_identity(trial, trial.scope - 1))
            if before is None or before.inputs > trial.inputs:
                continue
            killed_before = sum(result.verdict is Verdict.KILLED for result in store.results(before.key))
            matrix = KillMatrix.load(store, trial.key)
            for seed, killed in zip(seeds, killed_by_selections(matrix, before.inputs, seeds), strict=True):
                rows.append({
                    "trial": trial.key, "size": before.inputs, "killed_before": killed_before, "seed": seed,
                    "killed": killed,
                })  # fmt: skip
    return samples_frame(pd.DataFrame(rows, columns=list(SAMPLES)))


def _identity(trial: StoredTrial, scope: int | None = None) -> tuple[object, ...]:
    """What two trials have to share for one to be the other at another scope."""
    at = trial.scope if scope is None else scope
    return trial.subject, trial.subject_hash, trial.generator, trial.seed, trial.mutant_set, trial.concrete, at


def _mixed(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """SplitMix64's output function, on each word; one to one."""
    for shift, factor in zip((30, 27), _FACTORS, strict=True):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return words ^ (words >> np.uint64(31))
