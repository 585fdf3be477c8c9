"""Normal forms of integer expressions: equal forms have equal values and raise alike."""

import ast
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sweeps import examples

from harness.mutation.integers import Form, Normaliser


def is_integer(node: ast.expr) -> bool:
    return not (isinstance(node, ast.Name) and node.id in ("n", "text"))


def may_raise(node: ast.expr) -> bool:
    return not isinstance(node, ast.Name)


def form(expression: str) -> Form:
    return Normaliser(is_integer, may_raise).form(ast.parse(expression, mode="eval").body)


def outcome(expression: str, names: dict[str, Any]) -> object:
    try:
        value = eval(expression, {"len": len}, names)
    except Exception as error:
        return type(error)
    return type(value), value


_LEAF = st.sampled_from(["a", "b", "a", "0", "1", "2", "-1", "n.x", "m.x", "len(c)"])
_NUMBER = st.recursive(
    _LEAF,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner),
        st.builds("({}{})".format, st.sampled_from(["-", "+", "~"]), inner),
    ),
    max_leaves=4,
)
_RELATIONS = ["<", "<=", ">", ">=", "==", "!="]
_TEST = st.builds("{} {} {}".format, _NUMBER, st.sampled_from(_RELATIONS), _NUMBER)
_EXPRESSION = st.one_of(_NUMBER, _TEST, _TEST.map("not ({})".format))
_VALUES = st.integers(-3, 3)
_OBJECTS = st.one_of(st.none(), st.builds(SimpleNamespace, x=_VALUES))
_NAMES = st.fixed_dictionaries(
    {"a": _VALUES, "b": _VALUES, "n": _OBJECTS, "m": _OBJECTS, "c": st.lists(st.none(), max_size=3)}
)


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=examples(60))
@given(st.lists(_EXPRESSION, min_size=40, max_size=40, unique=True), st.lists(_NAMES, min_size=8, max_size=8))
def test_expressions_of_one_form_do_the_same(expressions, every):
    by_form: dict[Form, list[object]] = {}
    for expression in expressions:
        outcomes = [outcome(expression, names) for names in every]
        assert by_form.setdefault(form(expression), outcomes) == outcomes


@settings(derandomize=True, deadline=None, max_examples=examples(150))
@given(
    _NUMBER, _NUMBER, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), st.lists(_NAMES, min_size=12, max_size=12)
)
def test_a_rewritten_comparison_has_the_same_form_and_does_the_same(left, right, operator, every):
    opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}[operator]
    one = f"{left} {operator} {right}"
    for other in (
        f"{left} + 1 {operator} {right} - -1",
        f"{left} * 2 {operator} {right} * 2",
        f"{left} - {right} {operator} 0",
        f"not ({left} {opposite} {right})",
    ):
        assert form(one) == form(other)
        assert [outcome(one, names) for names in every] == [outcome(other, names) for names in every]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a + 1 < b", "a < b - 1"),
        ("a < b", "a <= b - 1"),
        ("a > b", "not a <= b"),
        ("a == b", "b == a"),
        ("a * 1", "a // 1"),
        ("a + 0", "a"),
        ("a - -1", "a + 1"),
        ("~a", "-a - 1"),
        ("7 // 2", "3"),
        ("2 * a < 7", "a <= 3"),
        ("2 * a == 7", "3 * a == 7"),
        ("len(c) <= 0", "len(c) == 0"),
        ("len(c) > 0", "len(c) != 0"),
        ("text[a + 1 - 1]", "text[a]"),
    ],
)
def test_these_are_equal(one, other):
    assert form(one) == form(other)
    every = [{"a": a, "b": b, "c": [None] * abs(b), "text": "abcdefg"} for a in range(-3, 4) for b in range(-3, 4)]
    assert [outcome(one, names) for names in every] == [outcome(other, names) for names in every]


@pytest.mark.parametrize(
    ("one", "other"),
    [("a + 1 < b", "a < b"), ("n.x * 0", "0"), ("n.x - m.x < 0", "m.x - n.x > 0"), ("a % b", "a % -b"), ("n", "n + 0")],
)
def test_these_are_told_apart(one, other):
    """Check expressions that differ in value or in the exceptions that may be raised first, or are no integers."""
    assert form(one) != form(other)


def test_an_augmented_assignment_is_the_assignment_that_it_stands_for():
    def statement(text: str) -> Form:
        return Normaliser(is_integer, may_raise).form(ast.parse(text).body[0])

    assert statement("a += 1") == statement("a = a + 1") == statement("a -= -1")
    assert statement("a *= 1") == statement("a //= 1")
    assert statement("n.x += 0") == statement("n.x -= 0")
    assert statement("n += 1") != statement("n = n + 1")


def test_the_form_of_a_deep_expression_is_found_in_one_pass():
    """Check that forms are computed once: computed again on each level, the first would take 2 ** 60 steps."""
    assert form("not " * 60 + "n") == form("not " * 60 + "n") != form("not " * 61 + "n")
    assert form("n" + " + n" * 200) != form("n" + " + n" * 201)
