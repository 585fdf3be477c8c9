"""SortedList behaves as a multiset in order, and on every small input as a sorted tuple."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models import FIELD_MODELS, MODELS
from subject_samples import NAMES, inputs, loaded

from harness.kernel.specs.tokens import Token

SUBJECT = loaded("sorted_list")
KEYS = st.integers(0, 6)
CALLS = st.one_of(
    st.tuples(st.sampled_from(["insert", "remove"]), KEYS),
    st.tuples(st.just("sort"), st.lists(KEYS, max_size=9)),
    st.tuples(st.just("merge"), st.lists(KEYS, max_size=9)),
)


def list_of(*elements):
    """Return a list of the elements in the order given, sorted or not."""
    items = SUBJECT.module.SortedList()
    for element in sorted(elements):
        items.insert(element)
    entry = items.header
    for element in elements:
        entry = entry.next
        entry.element = element
    return items


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.lists(CALLS, max_size=30))
def test_any_sequence_of_calls_does_what_a_sorted_python_list_does(calls):
    items, model = list_of(), []
    for method, argument in calls:
        if method == "insert":
            assert items.insert(argument) is None
            model = sorted([*model, argument])
        elif method == "remove":
            assert items.remove(argument) is (argument in model)
            if argument in model:
                model.remove(argument)
        elif method == "sort":
            items, model = list_of(*argument), sorted(argument)
            assert items.sort() is None
        else:
            other = list_of(*sorted(argument))
            assert items.merge(other) is None
            assert SUBJECT.abstract(other) == ()
            model = sorted([*model, *argument])
        assert SUBJECT.abstract(items) == tuple(model)
        assert [items.contains(key) for key in range(7)] == [key in model for key in range(7)]


def test_equal_elements_keep_their_order_in_sort_and_merge():
    class Card(int):
        pass

    cards = [Card(2), Card(1), Card(2), Card(1)]
    items = list_of(*cards)
    items.sort()
    assert [id(card) for card in SUBJECT.abstract(items)] == [id(cards[at]) for at in (1, 3, 0, 2)]
    more = [Card(1), Card(2)]
    items.merge(list_of(*more))
    expected = [cards[1], cards[3], more[0], cards[0], cards[2], more[1]]
    assert [id(card) for card in SUBJECT.abstract(items)] == [id(card) for card in expected]


@pytest.mark.parametrize("how", ["", "_dedicated"])
def test_lists_that_share_their_entries_are_not_mergeable(how):
    are_mergeable = vars(SUBJECT.spec.module)["are_mergeable" + how]
    one, other = list_of(1, 2), list_of(1, 2)
    assert are_mergeable(one, other)
    other.header = one.header
    assert not are_mergeable(one, other)
    other.header = one.header.next
    assert not are_mergeable(one, other)
    assert not are_mergeable(one, list_of(2, 1))


def test_every_subject_has_a_model_or_a_test_of_its_own():
    assert {*MODELS, "hash_set", "av_tree"} == {*NAMES}


def plain(value: Any) -> Any:
    """Tokens by their name, as those of two copies of a state are different objects."""
    return repr(value) if isinstance(value, Token) else tuple(map(plain, value)) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    ("name", "scope"),
    [
        *product(MODELS, (1, 2, 3)),
        *product(FIELD_MODELS, (4,)),
        ("field_tree_set", 6),
        *(pytest.param(name, 4, marks=pytest.mark.slow) for name in MODELS),
    ],
)
def test_every_input_does_what_the_model_does(name, scope):
    subject, models = loaded(name), (MODELS | FIELD_MODELS)[name]
    for one in inputs(subject, scope):
        state, arguments = one.make()
        valid = one.target.requires(state, *arguments) if one.target.requires else subject.spec.rep_ok(state)
        assert valid is True
        before = plain(subject.spec.abstraction(state))
        other_states = [argument for argument in arguments if type(argument) is type(state)]
        values = [plain(subject.abstract(a)) if a in other_states else plain(a) for a in arguments]
        expected, after = models[one.target.name](before, *values)
        result = subject.invoke(one.target, state, arguments)
        assert result == expected, (before, one.target.name, values)
        assert isinstance(result, bool) is isinstance(expected, bool)
        assert plain(subject.abstract(state)) == after, (before, one.target.name, values)
        assert all(subject.abstract(other) == () for other in other_states)
