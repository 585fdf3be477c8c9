"""SortedList behaves as a multiset in order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subject_samples import loaded

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
