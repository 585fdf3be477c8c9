"""First kills of a suite, scored as a kill matrix would be."""

import numpy as np
import pytest
from support.compared_samples import FIRST, SECOND, THIRD, store_matrix

from harness.analysis.first_kills import FirstKills
from harness.analysis.kill_matrix import KillMatrix
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.store import RunStore


def test_beginnings_kill_what_the_matrix_says(tmp_path):
    kills = {FIRST: [0, 5], SECOND: [7]}
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 10, kills, suite_digest="m")
        store_matrix(store, 10, kills, ExecutionMode.FIRST_KILL, suite_digest="f")
        of_mode = {trial.mode: trial.key for trial in store.trials.all()}
        matrix = KillMatrix.load(store, of_mode[ExecutionMode.MATRIX])
        first = FirstKills.load(store, of_mode[ExecutionMode.FIRST_KILL])
        with pytest.raises(StoreError, match="run it to the end in mode first-kill"):
            FirstKills.load(store, of_mode[ExecutionMode.MATRIX])
    assert first.mutants == matrix.mutants
    assert {FIRST, SECOND, THIRD} <= set(first.mutants)
    for size in range(11):
        mask = np.arange(10) < size
        assert (first.killed_by_mask(mask) == matrix.killed_by_mask(mask)).all()
    assert (first.killed_by() == matrix.killed_by()).all()


def test_other_inputs_than_the_first_ones_are_not_told_of():
    first = FirstKills(("a", "b"), np.array([0, 3]), 3)
    with pytest.raises(ValueError, match="beginnings"):
        first.killed_by_mask(np.array([False, True, True]))
