"""Plain values are written as source that means them; what is not plain has no source."""

import ast
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.specs.tokens import the_token
from harness.report.written_tests.plain import plain_source, quoted

pytestmark = pytest.mark.end_to_end

atoms = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=6), st.floats(allow_nan=False, allow_infinity=False)
)
plain = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.tuples(inner, inner), st.dictionaries(atoms, inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(plain)
def test_the_source_of_a_plain_value_means_it(value):
    source = plain_source(value, {})
    assert source is not None
    assert ast.literal_eval(source) == value


def test_equal_sets_have_one_source_whatever_their_order():
    assert plain_source({"b", "a"}, {}) == plain_source({"a", "b"}, {}) == '{"a", "b"}'
    assert (plain_source(set(), {}), plain_source(frozenset({1}), {})) == ("set()", "frozenset({1})")


def test_tokens_are_written_by_their_names():
    token = the_token("Book", 0)
    assert plain_source([token, 1], {token: "book0"}) == "[book0, 1]"
    assert plain_source(token, {}) is None


@pytest.mark.parametrize("value", [object(), float("nan"), [float("nan")], {1: object()}, deque([1]), (object(),), len])
def test_what_is_not_plain_or_not_equal_to_itself_has_no_source(value):
    assert plain_source(value, {}) is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f('a', b'b')", 'f("a", b"b")'),
        ('f("it\'s")', 'f("it\'s")'),
        ("['say \"a\"']", "['say \"a\"']"),
        ("['it\\'s \"']", '["it\'s \\""]'),
        ("1 + 2", "1 + 2"),
    ],
)
def test_strings_have_double_quotes_where_that_takes_no_more_backslashes(source, expected):
    assert quoted(source) == expected
    assert ast.dump(ast.parse(source)) == ast.dump(ast.parse(expected))
