"""heapq is taken in pure Python and behaves as a sorted list does."""

import heapq as installed

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subject_samples import loaded

SUBJECT = loaded("heapq")
CALLS = st.tuples(st.sampled_from(["heappush", "heappop", "heapreplace", "heappushpop", "heapify"]), st.integers(0, 6))


def test_its_functions_are_the_python_ones_and_the_interpreter_keeps_the_c_ones():
    for target in SUBJECT.spec.finitization(1).targets:
        assert hasattr(getattr(SUBJECT.module, target.name), "__code__")
        assert not hasattr(getattr(installed, target.name), "__code__")


@pytest.mark.sweep
@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.lists(CALLS, max_size=40))
def test_any_sequence_of_calls_does_what_a_sorted_list_does(calls):
    heap, model = [], []
    for name, item in calls:
        function = getattr(SUBJECT.module, name)
        if name == "heappush":
            function(heap, item)
            model = sorted([*model, item])
        elif name == "heapify":
            function(heap)
        elif name == "heappushpop":
            smallest, *model = sorted([*model, item])
            assert function(heap, item) == smallest
        elif not model:
            with pytest.raises(IndexError):
                function(*([heap] if name == "heappop" else [heap, item]))
        elif name == "heappop":
            assert function(heap) == model.pop(0)
        else:
            smallest, *rest = model
            model = sorted([*rest, item])
            assert function(heap, item) == smallest
        assert SUBJECT.abstract(heap) == tuple(model)


def test_rep_ok_refuses_an_element_below_its_parent():
    assert SUBJECT.spec.rep_ok([1, 1, 2, 1])
    assert not SUBJECT.spec.rep_ok([1, 2, 1, 1])
