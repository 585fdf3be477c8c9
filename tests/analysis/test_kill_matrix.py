"""Sub-suites scored from packed bits, or from first kills, agree with lists of kills that are walked naively."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.compared_samples import FIRST, SECOND, THIRD, store_matrix
from support.store_samples import MUTANTS, RESULTS, trial

from harness.analysis.kill_matrix import FirstKills, KillMatrix
from harness.errors import StoreError, UsageError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import KillReason, MutantResult, MutationScore, Phase, ScorePolicy, Verdict
from harness.store import KillRow, RunStore


@st.composite
def matrices(draw):
    inputs = draw(st.integers(1, 40))
    kills = draw(st.lists(st.sets(st.integers(0, inputs - 1)), max_size=8))
    chosen = draw(st.lists(st.integers(0, inputs - 1), min_size=1, max_size=10))
    return inputs, {f"m{i}": k for i, k in enumerate(kills)}, chosen


@settings(derandomize=True, max_examples=100, deadline=None)
@given(matrices())
def test_a_sub_suite_kills_what_its_inputs_kill(sample):
    inputs, kills, chosen = sample
    matrix = KillMatrix([KillRow.of_kills(m, inputs, k) for m, k in kills.items()], inputs)
    assert matrix.killed_by(chosen).tolist() == [any(i in k for i in chosen) for k in kills.values()]
    assert matrix.killed_by().tolist() == [bool(k) for k in kills.values()]
    assert [matrix.kills(m) for m in kills] == [sorted(k) for k in kills.values()]
    assert matrix.reaching_inputs().tolist() == [len(killers) for killers in kills.values()]
    naive = sum(any(i in k for i in chosen) for k in kills.values())
    assert matrix.score(chosen) == MutationScore(naive, len(kills), ScorePolicy.ALL_VIABLE)


def test_mutants_proven_equivalent_leave_the_denominator_only_if_the_policy_says_so():
    matrix = KillMatrix([KillRow.of_kills("a", 3, [1]), KillRow.of_kills("b", 3, [])], 3)
    assert matrix.score(proven_equivalent=frozenset("b")).counted == 2
    assert matrix.score([1], ScorePolicy.WITHOUT_PROVEN, frozenset("b")) == MutationScore(
        1, 1, ScorePolicy.WITHOUT_PROVEN
    )


@pytest.mark.parametrize(("ran", "inputs"), [(4, 3), (24, 20), (25, 20)])
def test_a_row_of_more_inputs_than_the_suite_has_is_refused(ran, inputs):
    with pytest.raises(StoreError, match=f"a ran {ran} inputs, not {inputs}; run it in full"):
        KillMatrix([KillRow.of_kills("a", ran, [ran - 2])], inputs)


@pytest.mark.parametrize("chosen", [[], [-1], [3]])
def test_an_empty_sub_suite_and_unknown_inputs_are_refused(chosen):
    matrix = KillMatrix([KillRow.of_kills("a", 3, [1])], 3)
    with pytest.raises(UsageError):
        matrix.killed_by(chosen)


def test_only_a_finished_trial_in_matrix_mode_has_a_matrix(tmp_path):
    with RunStore.open(tmp_path) as store:
        mutants = store.mutants.add(MUTANTS)
        key = store.trials.add(trial(mutants, mode=ExecutionMode.MATRIX))
        for result in RESULTS:
            store.results.add(key, result)
        with pytest.raises(StoreError, match="no complete rows; run it to the end in mode matrix"):
            KillMatrix.load(store, key)
        store.finished.add(key)
        for result in RESULTS[1:]:
            store.results.add(key, result, kill_row=KillRow.of_kills(result.mutant, 20, []))
        with pytest.raises(StoreError, match="no row of ROR:3:8:<="):
            KillMatrix.load(store, key)
        store.results.add(key, RESULTS[0], kill_row=KillRow.of_kills(RESULTS[0].mutant, 20, [2]))
        assert KillMatrix.load(store, key).score([2, 3]) == MutationScore(1, 3, ScorePolicy.ALL_VIABLE)


def test_a_matrix_with_a_row_that_ends_early_is_refused(tmp_path):
    with RunStore.open(tmp_path) as store:
        key = store.trials.add(trial(store.mutants.add(MUTANTS[:1]), mode=ExecutionMode.MATRIX))
        store.results.add(key, RESULTS[0], kill_row=KillRow.of_kills(RESULTS[0].mutant, 19, [2]))
        store.finished.add(key)
        with pytest.raises(StoreError, match="ROR:3:8:<= ran 19 inputs, not 20; run it in full"):
            KillMatrix.load(store, key)


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
