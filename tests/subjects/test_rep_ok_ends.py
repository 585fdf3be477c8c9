"""The judge ends with a verdict, whatever a mutant left behind."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subject_samples import NAMES, loaded

from harness.kernel.inputs.state_space import Decoder, StateSpace

FIELDS = ("field_sorted_list", "field_search_tree", "field_tree_set", "field_binomial_heap")
"""The subjects of field_exhaustive2016."""


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
