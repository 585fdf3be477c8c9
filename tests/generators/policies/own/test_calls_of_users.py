"""Calls that users write are encoded for suites, and what is wrong with them is said in one line."""

from ast import literal_eval
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.generators.policies.own.runs import WrongInput
from harness.generators.policies.own.subject import CallEncoder, Result
from harness.kernel.inputs.suites import Call
from harness.model.literals import NotLiteral, literal_of
from harness.model.routines import NONE, Fixed
from harness.model.sequence import SequenceScope

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
NESTED = st.recursive(
    PLAIN | st.binary(),
    lambda inner: (
        st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.integers(), inner) | st.sets(PLAIN, min_size=1)
    ),
    max_leaves=8,
)


def bag() -> SequenceScope:
    scope = SequenceScope("Bag")
    scope.constructor()
    scope.method("put", (0, 1, None))
    scope.method("join", scope.earlier("Bag"))
    scope.method("fill", scope.fixed([1, 2]))
    scope.length(4)
    scope.method("mark", (0, 1), weight=(1, 2))
    scope.method("swap", (0, 1), (0, 1))
    scope.method("tag", (0, 1), marks=scope.fixed({"marks": 1}))
    return scope


def encoded(*calls: Any) -> tuple[tuple[Call, ...], dict[str, list[str]], bool]:
    """Encode one sequence. Return its calls, the values beyond the bounds, and whether it is beyond them."""
    encoder = CallEncoder(bag())
    sequence = encoder.sequence(list(calls))
    return encoder.calls(sequence), encoder.outside.literals, encoder.is_beyond(sequence)


@given(NESTED)
def test_a_plain_value_is_the_value_of_its_literal(value):
    again = literal_eval(literal_of(value))
    assert (again, type(again), literal_of(again)) == (value, type(value), literal_of(value))


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), object(), [object()], frozenset(), set()])
def test_a_value_without_a_literal_is_refused(value):
    with pytest.raises(NotLiteral):
        literal_of(value)


def test_values_within_the_bounds_are_their_indices():
    calls, outside, beyond = encoded(("Bag",), ("put", 1), ["put", None], ("fill", [1, 2]))
    assert calls == (Call(0, ()), Call(1, (0, 1)), Call(1, (0, 2)), Call(3, (0, 0)))
    assert (outside, beyond) == ({}, False)


def test_values_beyond_the_bounds_come_behind_them_and_results_behind_all_values():
    calls, outside, beyond = encoded(("Bag",), ("put", "x"), ("put", [3]), ("put", "x"))
    assert calls[1:] == (Call(1, (0, 3)), Call(1, (0, 4)), Call(1, (0, 3)))
    assert (outside, beyond) == ({"1:0": ["'x'", "[3]"]}, True)
    routine = bag().extended(outside).routines[1]
    assert routine.parameters[0].values == (0, 1, None, "x", Fixed([3]))
    join, outside, _ = encoded(("Bag",), ("Bag",), {"call": "join", "on": 1, "args": [Result(0)]}, ("join", 5))
    assert outside == {"2:0": ["5"]}
    assert join[2:] == (Call(2, (1, 1)), Call(2, (0, 0)))


def test_none_and_results_need_no_further_value():
    calls, outside, beyond = encoded(("Bag",), ("join", None), ("join", {"result": 0}))
    assert calls[1:] == (Call(2, (0, NONE)), Call(2, (0, 0)))
    assert (outside, beyond) == ({}, False)


def test_a_sequence_that_is_too_long_is_beyond_the_bounds():
    assert [encoded(("Bag",), *[("put", 0)] * count)[2] for count in (3, 4)] == [False, True]


@pytest.mark.parametrize(
    ("calls", "message"),
    [
        ("Bag", r"'Bag' is no list of calls; give one for each input, such as \[\('Bag',\), ...\]"),
        ([], r"\[\] is no list of calls"),
        ([("put", 1)], "call 0 is put, not a constructor"),
        (
            [("Bag",), ("pot", 1)],
            "call 1 is pot, which the spec does not declare; there are Bag, put, join, fill, mark, swap, tag",
        ),
        ([("Bag",), ("put",)], "call 1: put gets 0 arguments; the spec declares 1$"),
        ([("Bag", 1)], "call 0: Bag gets 1 argument; the spec declares 0$"),
        ([("Bag",), ("swap", 1, 2, 3)], "call 1: swap gets 3 arguments; the spec declares 2$"),
        ([("Bag",), 7], r"call 1 is 7, not a name with arguments, such as \('put', 0\); of a state"),
        ([("Bag",), {"call": "put", "arguments": [1]}], "call 1 has 'arguments'; a call has call, on and args"),
        (
            [("Bag",), {"call": "put", "on": 1, "args": [1]}],
            "call 1, put, is made on call 1, which does not come before",
        ),
        ([("Bag",), ("put", Result(1))], "call 1 takes the result of call 1, which is not before it"),
        ([("Bag",), ("put", object())], "call 1 takes a value of type object; give plain values"),
    ],
)
def test_what_is_no_sequence_of_calls_is_named_in_one_line(calls, message):
    with pytest.raises(WrongInput, match=message) as refused:
        CallEncoder(bag()).sequence(calls)
    assert "\n" not in str(refused.value)


def test_a_dict_is_a_value_where_the_spec_has_dicts_or_another_key():
    calls, outside, _ = encoded(("Bag",), ("tag", 1, {"marks": 1}), ("mark", 0, {"mass": 1}))
    assert calls[1:] == (Call(6, (0, 1, 0)), Call(4, (0, 0, 2)))
    assert outside == {"4:1": ["{'mass': 1}"]}
