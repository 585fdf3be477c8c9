"""First kills of a suite, scored as a kill matrix would be."""

import numpy as np
import pytest
from support.compared_samples import FIRST, SECOND, THIRD, store_matrix
from support.store_samples import MUTANTS, trial

from harness.analysis.first_kills import FirstKills
from harness.analysis.kill_matrix import KillMatrix
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
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
        assert (first.reached_by_mask(mask) == matrix.reached_by_mask(mask)).all()


def first_kills_of(folder, phase, number):
    """First kills of a suite of 10 inputs; the second mutant survives."""
    with RunStore.open(folder) as store:
        key = store.trials.add(trial(store.mutants.add(MUTANTS[:2]), inputs=10, mode=ExecutionMode.FIRST_KILL))
        died = MutantResult(FIRST, Verdict.KILLED, 0, None, KillReason.CRASH, phase, number)
        for result in (died, MutantResult(SECOND, Verdict.SURVIVED, 10, 10)):
            store.results.add(key, result)
        store.finished.add(key)
        return FirstKills.load(store, key)


def test_a_mutant_that_died_at_an_unknown_input_is_killed_by_the_whole_suite_and_prefixes_are_refused(tmp_path):
    first = first_kills_of(tmp_path, Phase.CALL, None)
    assert first.reached_by_mask(np.arange(10) < 10).sum() == 1
    with pytest.raises(StoreError, match=f"tree korat scope 2: {FIRST} died at an unknown input"):
        first.reached_by_mask(np.arange(10) < 9)


def test_a_mutant_that_died_while_it_was_loaded_is_killed_by_the_first_input(tmp_path):
    assert first_kills_of(tmp_path, Phase.LOAD, None).reached_by_mask(np.arange(10) < 1).sum() == 1


def test_other_inputs_than_the_first_ones_are_not_told_of():
    first = FirstKills(("a", "b"), np.array([0, 3]), 3)
    with pytest.raises(ValueError, match="beginnings"):
        first.reached_by_mask(np.array([False, True, True]))
