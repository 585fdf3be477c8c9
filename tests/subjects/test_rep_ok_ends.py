"""The judge ends with a verdict, whatever a mutant left behind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subject_samples import NAMES, loaded

from harness.kernel.inputs.decode import Decoder
from harness.kernel.inputs.state_space import StateSpace

FIELDS = ("field_sorted_list", "field_search_tree", "field_tree_set", "field_binomial_heap")
"""The subjects of field_exhaustive2016."""


@pytest.mark.sweep
@pytest.mark.parametrize("name", [*NAMES, *FIELDS])
def test_rep_ok_ends_with_a_verdict_on_any_object_graph(name):
    subject = loaded(name)
    space = StateSpace(subject.spec.finitization(6))
    decoder = Decoder(space, subject.module)

    @settings(max_examples=200, derandomize=True, deadline=None)
    @given(st.tuples(*(st.integers(0, len(field.domain) - 1) for field in space.fields)))
    def check(vector):
        assert subject.spec.rep_ok(decoder.decode(vector).root) in (True, False)

    check()


def objects_below(root: object) -> list[object]:
    """Return every object with fields that can be reached from `root`."""
    objects, work = [], [root]
    while work:
        value = work.pop()
        if hasattr(value, "__dict__") and all(value is not other for other in objects):
            objects.append(value)
            work += vars(value).values()
    return objects


@pytest.mark.parametrize(
    ("name", "root", "method"),
    [
        ("search_tree", "SearchTree", "add"),
        ("heap_array", "HeapArray", "insert"),
        ("binomial_heap", "BinomialHeap", "insert"),
        ("fibonacci_heap", "FibonacciHeap", "insert"),
        ("linked_list", "LinkedList", "add"),
        ("sorted_list", "SortedList", "insert"),
    ],
)
def test_rep_ok_ends_on_a_valid_structure_with_any_one_field_gone_wild(name, root, method):
    subject = loaded(name)
    state = getattr(subject.module, root)()
    for key in (4, 2, 5, 1, 3):
        getattr(state, method)(key)
    for owner in objects_below(state):
        for field, right in list(vars(owner).items()):
            for wild in (None, -1, 10**12, "", [], state, owner):
                setattr(owner, field, wild)
                try:
                    assert subject.spec.rep_ok(state) in (True, False)
                except (TypeError, AttributeError):
                    pass  # a raising invariant counts as a violated one
            setattr(owner, field, right)
    assert subject.spec.rep_ok(state) is True
