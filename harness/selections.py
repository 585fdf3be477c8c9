"""Random selections of a suite (exhaustive2003, section 8.5), and a test that a kill row has decided all of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from harness.errors import UsageError

SEEDS = range(100)

MOST_EXPECTED_KILLS = 16
"""Expected kills in a selection with which it has none by a chance of e ** -16."""

_WORD = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15
_FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def random_selection(inputs: int, size: int, seed: int) -> npt.NDArray[np.bool_]:
    """Return `size` of the inputs 0..`inputs`-1 without replacement, as one flag per input.

    These are the inputs with the `size` smallest of `random_keys`.

    Raises:
        UsageError: no input is to be chosen, or more than there are.
    """
    if not 0 < size <= inputs:
        raise UsageError(f"a random selection takes between 1 and all {inputs} inputs, not {size}")
    keys = random_keys(inputs, seed)
    return np.asarray(keys <= np.partition(keys, size - 1)[size - 1])


def random_keys(count: int, seed: int) -> npt.NDArray[np.uint64]:
    """Return a random number for each of 0..`count`-1: number i of the SplitMix64 sequence from a mixed `seed`.

    Keys of one seed are all different, as the mixing is one to one. So a selection by them has the exact size, and is
    the same under every version of Python and numpy.
    """
    start = int(_mixed(np.array([seed & _WORD], dtype=np.uint64))[0])
    counted = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_GAMMA)
    return _mixed(counted + np.uint64(start))


def _mixed(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Apply SplitMix64's output function to each word; it is one to one."""
    for shift, factor in zip((30, 27), _FACTORS, strict=True):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return words ^ (words >> np.uint64(31))


class Selections:
    """The random selections of `size` out of `inputs` inputs, one per seed; a bit per input and seed is kept.

    `enough` kills decide all of them but for one chance in some hundred thousand.
    """

    def __init__(self, inputs: int, size: int, seeds: Sequence[int] = SEEDS) -> None:
        self.enough = -(-MOST_EXPECTED_KILLS * inputs // size)
        self._masks = np.stack([np.packbits(random_selection(inputs, size, seed), bitorder="little") for seed in seeds])

    def decided_by(self, bits: bytes) -> bool:
        """Return whether each selection has an input set in `bits`, a row of kills on the suite's first inputs."""
        row = np.frombuffer(bits, dtype=np.uint8)
        return bool((self._masks[:, : len(row)] & row).any(axis=1).all())
