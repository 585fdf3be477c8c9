"""HashSet behaves as a set."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subject_samples import inputs, loaded

SUBJECT = loaded("hash_set")
HashSet, Element = SUBJECT.module.HashSet, SUBJECT.module.Element
ELEMENTS = [None, *(Element(code) for code in (0, 0, 0, 1, 5, 11, 22, 23, 40, 40))]


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["add", "add", "remove"]), st.sampled_from(ELEMENTS)), max_size=60))
def test_any_sequence_of_calls_does_what_a_set_does(calls):
    hash_set, model = HashSet(), set()
    hash_set.map = SUBJECT.module.HashMap(1)
    for method, element in calls:
        present = element in model
        if method == "add":
            assert hash_set.add(element) is not present
            model.add(element)
        else:
            assert hash_set.remove(element) is present
            model.discard(element)
        assert SUBJECT.abstract(hash_set) == abstract(model)
    assert [hash_set.contains(element) for element in ELEMENTS] == [element in model for element in ELEMENTS]


def abstract(elements: set[Any]) -> tuple[int, ...]:
    return tuple(sorted(-1 if element is None else element.hash_code for element in elements))


def contents(hash_set: Any) -> set[Any]:
    """Return the elements, found without any of the methods under test."""
    elements = set()
    for entry in hash_set.map.table:
        while entry is not None:
            elements.add(entry.key)
            entry = entry.next
    return elements


@pytest.mark.parametrize("scope", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_every_input_does_what_a_set_does(scope):
    for one in inputs(SUBJECT, scope):
        hash_set, (element,) = one.make()
        model = contents(hash_set)
        present = element in model
        if one.target.name == "add":
            assert hash_set.add(element) is not present
            model.add(element)
        else:
            assert hash_set.remove(element) is present
            model.discard(element)
        assert contents(hash_set) == model
        assert SUBJECT.abstract(hash_set) == abstract(model)
