"""The original runs in slices of inputs, which several workers share, and on which no fact depends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import api
from harness.runner import probing
from harness.runner.probing import LEAST_SLICE, PIECES, SLICE, slices
from harness.store.run_store import export_facts


@given(st.integers(0, 9_000).map(lambda number: 8 * number), st.integers(1, 400_000))
def test_slices_follow_each_other_and_begin_at_multiples_of_eight(first, count):
    pieces = slices(first, first + count)
    assert [start for start, _ in pieces] == [first, *(end for _, end in pieces[:-1])]
    assert pieces[-1][1] == first + count
    assert all(start % 8 == 0 and 0 < end - start <= SLICE for start, end in pieces)


def test_some_thousand_inputs_are_divided_between_workers():
    assert len(slices(0, LEAST_SLICE)) == 1
    assert len(slices(0, PIECES * LEAST_SLICE + 1)) == PIECES
    assert len(slices(0, 10 * SLICE)) == 10


@pytest.mark.slow
def test_facts_do_not_depend_on_the_slices(tmp_path, monkeypatch):
    experiment = api.subject_experiment("search_tree", ["korat", "beapi"], [3])
    whole = api.run(experiment, tmp_path / "whole", jobs=1)
    monkeypatch.setattr(probing, "LEAST_SLICE", 16)
    divided = api.run(experiment, tmp_path / "divided", jobs=2)
    assert export_facts(divided) == export_facts(whole)
