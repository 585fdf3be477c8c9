"""Source of values: evaluated, it gives the value again."""

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from harness.report.displays import displayed

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner) | st.tuples(inner) | st.tuples(inner, inner) | st.dictionaries(PLAIN, inner),
    max_leaves=8,
)


def write(value: object) -> str:
    return displayed(value, write) or repr(value)


@given(VALUES)
def test_the_source_of_a_value_gives_it_again(value):
    assert repr(eval(write(value))) == repr(value)


def test_infinities_are_written_without_a_name_to_be_imported():
    assert eval(write([inf, -inf])) == [inf, -inf]


def test_members_of_a_set_are_written_in_one_order():
    assert write({"b", "a", "c"}) == "set(['a', 'b', 'c'])"
    assert eval(write(frozenset({(1, 2)}))) == frozenset({(1, 2)})
