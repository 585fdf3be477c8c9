"""Values and statements are written as source that means them."""

import ast
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.kernel.specs.tokens import the_token
from harness.report.written_tests.source import WIDTH, as_operators, laid_out, plain_source, quoted

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
def test_the_source_of_a_plain_value_means_it_also_laid_out(value):
    source = plain_source(value, {})
    assert source is not None
    assert ast.literal_eval(source) == value
    for statement in (f"assert list(stack) == {source}", f"stack.push({source})", f"stack = Stack({source}, at=1)"):
        lines = "\n".join(["if True:", *laid_out(statement)])
        assert ast.dump(ast.parse(lines)) == ast.dump(ast.parse(f"if True:\n    {statement}"))


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
        ("f('a', b'b', '')", 'f("a", b"b", "")'),
        ('f("it\'s")', 'f("it\'s")'),
        ("['say \"a\"']", "['say \"a\"']"),
        ("['it\\'s']", "['it\\'s']"),
    ],
)
def test_strings_without_quotes_and_backslashes_have_double_quotes(source, expected):
    assert quoted(source) == expected
    assert ast.dump(ast.parse(source)) == ast.dump(ast.parse(expected))


def test_a_long_statement_has_a_line_for_each_item_in_its_last_brackets():
    items = [str(number) for number in range(10**6, 10**6 + 12)]
    for statement in (f"assert list(stack) == [{', '.join(items)}]", f"stack.put({', '.join(items)})"):
        lines = laid_out(statement)
        assert [line.strip() for line in lines[1:-1]] == [f"{item}," for item in items]
        assert all(len(line) <= WIDTH for line in lines)
    assert laid_out("assert stack.size == 1") == ["    assert stack.size == 1"]
    assert laid_out(f"assert stack.text == {'x' * WIDTH!r}") == [f"    assert stack.text == {'x' * WIDTH!r}"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("cache.__getitem__((1, 2))", "cache[(1, 2)]"),
        ('cache.__setitem__("a, b", [1])', 'cache["a, b"] = [1]'),
        ("cache.__delitem__(1)", "del cache[1]"),
        ("cache.__contains__(1)", "1 in cache"),
        ("cache.__len__()", "len(cache)"),
        ("list()", "[]"),
        ("cache.pop(1)", "cache.pop(1)"),
        ("cache.__getitem__(1, 2)", "cache.__getitem__(1, 2)"),
        ("cache.__setitem__(1, value=2)", "cache.__setitem__(1, value=2)"),
        ("Cache(1)", "Cache(1)"),
    ],
)
def test_a_special_method_is_written_as_its_operator(expression, expected):
    assert as_operators(expression) == expected
