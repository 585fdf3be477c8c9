"""Random selections agree with a plain one at a time; signs follow the stated test."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.store_samples import MUTANTS, trial

from harness.analysis.kill_matrix import KillMatrix
from harness.errors import StoreError
from harness.measured.sampling import Sign, Versus, killed_by_selections, sample_run, sign_test
from harness.model.experiment import ExecutionMode
from harness.model.outcome import KillReason, MutantResult, Phase, Verdict
from harness.selections import Selections, random_selection
from harness.store import KillRow, RunStore


@settings(derandomize=True, max_examples=30, deadline=None)
@given(st.integers(1, 40000), st.data())
def test_selections_kill_what_their_inputs_kill(inputs, data):
    kills = data.draw(st.lists(st.sets(st.integers(0, inputs - 1), max_size=5), min_size=1, max_size=5))
    size = data.draw(st.integers(1, inputs))
    matrix = KillMatrix([KillRow.of_kills(f"m{n}", inputs, k) for n, k in enumerate(kills)], inputs)
    plainly = []
    for seed in range(3):
        chosen = set(np.flatnonzero(random_selection(inputs, size, seed)).tolist())
        plainly.append(sum(bool(k & chosen) for k in kills))
    assert killed_by_selections(matrix, size, range(3)) == plainly


@settings(derandomize=True, max_examples=40, deadline=None)
@given(st.integers(1, 300), st.data())
def test_rows_cut_where_they_decide_all_selections_score_them_as_whole_ones_do(inputs, data):
    kills = data.draw(st.lists(st.sets(st.integers(0, inputs - 1)), min_size=1, max_size=5))
    size = data.draw(st.integers(1, inputs))
    selections = Selections(inputs, size, range(4))
    whole = [KillRow.of_kills(f"m{number}", inputs, k) for number, k in enumerate(kills)]
    cut = []
    for row in whole:
        ends = (end for end in range(8, inputs, 8) if selections.decided_by(row.bits[: end // 8]))
        end = next(ends, inputs)
        cut.append(KillRow(row.mutant, end, row.bits[: (end + 7) // 8]))
    expected = killed_by_selections(KillMatrix(whole, inputs), size, range(4))
    assert killed_by_selections(KillMatrix(cut, inputs), size, range(4)) == expected


def test_a_row_that_does_not_decide_a_selection_is_refused():
    rows = KillMatrix([KillRow.of_kills("m", 8, [3])], 20)
    chosen = np.zeros(20, dtype=np.bool_)
    chosen[3] = True
    assert rows.reached_by_mask(chosen).tolist() == [True]
    with pytest.raises(StoreError, match="first 8 of 20 inputs, which do not decide"):
        rows.reached_by_mask(~chosen)


def test_the_sign_test_sums_binomial_probabilities():
    assert sign_test(5, 5) == 2 / 32
    assert sign_test(0, 5) == 1
    assert sign_test(61, 100) == pytest.approx(2 * sum(comb(100, k) for k in range(61, 101)) / 2**100)


@pytest.mark.parametrize(
    ("counts", "sign"),
    [
        ((61, 39, 0), Sign.WORSE),
        ((60, 40, 0), Sign.EQUAL),  # p = 0.057
        ((0, 39, 61), Sign.BETTER),
        ((10, 90, 0), Sign.EQUAL),  # ties count against a difference
        ((50, 0, 50), Sign.EQUAL),
        ((5, 0, 0), Sign.EQUAL),  # too few seeds show nothing
        ((6, 0, 0), Sign.WORSE),
    ],
)
def test_a_difference_needs_significantly_more_than_half_of_the_selections(counts, sign):
    assert Versus(*counts).sign is sign


def test_selections_are_compared_with_the_other_suite_one_by_one():
    assert Versus.of([3, 4, 4, 5, 9], 4) == Versus(1, 2, 2)
    assert str(Versus(1, 2, 2)) == "1/2/2"


def add_trial(store, scope, inputs, killed, mode):
    """Add a finished trial in which the first `killed` mutants die, each by one input of its own."""
    mutants = store.mutants.add(MUTANTS)
    key = store.trials.add(trial(mutants, scope, inputs=inputs, mode=mode))
    for number, mutant in enumerate(MUTANTS[:3]):
        result = MutantResult(mutant.id, Verdict.SURVIVED, inputs, 1)
        row = KillRow.of_kills(mutant.id, inputs, [])
        if number < killed:
            result = MutantResult(mutant.id, Verdict.KILLED, 1, 1, KillReason.OUTPUT, Phase.CALL, number)
            row = KillRow.of_kills(mutant.id, inputs, [number])
        store.results.add(key, result, kill_row=row if mode is ExecutionMode.MATRIX else None)
    store.finished.add(key)
    return key


def test_a_run_is_sampled_where_a_matrix_has_the_scope_before_beside_it(tmp_path):
    with RunStore.open(tmp_path) as store:
        add_trial(store, 2, 5, 1, ExecutionMode.FIRST_KILL)
        key = add_trial(store, 3, 30, 2, ExecutionMode.MATRIX)
        add_trial(store, 5, 90, 2, ExecutionMode.MATRIX)  # no scope 4
    samples = sample_run(tmp_path, range(7))
    assert set(samples["trial"]) == {key}
    assert samples["size"].tolist() == [5] * 7
    assert samples["killed_before"].tolist() == [1] * 7
    assert samples["seed"].tolist() == list(range(7))
    drawn = [len({0, 1} & set(chosen)) for chosen in combinations(range(30), 5)]
    assert samples["expected"].tolist() == [pytest.approx(sum(drawn) / len(drawn), abs=1e-6)] * 7
    chosen = [np.flatnonzero(random_selection(30, 5, seed)).tolist() for seed in range(7)]
    assert samples["killed"].tolist() == [len({0, 1} & set(numbers)) for numbers in chosen]


def test_a_suite_whose_rows_do_not_decide_is_left_out_with_a_warning(tmp_path, caplog):
    with RunStore.open(tmp_path) as store:
        add_trial(store, 2, 5, 1, ExecutionMode.FIRST_KILL)
        mutants = store.mutants.add(MUTANTS)
        key = store.trials.add(trial(mutants, 3, inputs=30, mode=ExecutionMode.SELECTIONS))
        for mutant in MUTANTS[:3]:
            killed = MutantResult(mutant.id, Verdict.KILLED, 8, 1, KillReason.CRASH, Phase.CALL, 1)
            store.results.add(key, killed, kill_row=KillRow.of_kills(mutant.id, 8, [1]))
        store.finished.add(key)
    assert sample_run(tmp_path, range(7)).empty
    assert "do not decide" in caplog.text
