"""LinkedList behaves as a Python list, its iterators as positions in one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from subject_samples import loaded

SUBJECT = loaded("linked_list")
ELEMENTS = st.one_of(st.none(), st.integers(0, 4))


def list_of(*elements):
    items = SUBJECT.module.LinkedList()
    for element in elements:
        items.add(element)
    return items


@pytest.mark.slow
@settings(max_examples=150, derandomize=True, deadline=None)
@given(
    st.lists(ELEMENTS, max_size=6),
    st.integers(0, 6),
    st.lists(st.one_of(st.sampled_from(["next", "previous"]), ELEMENTS), max_size=20),
)
def test_an_iterator_steps_and_sets_as_a_position_in_a_list_does(elements, start, steps):
    items, model = list_of(*elements), list(elements)
    at, last = min(start, len(model)), None
    iterator = items.list_iterator(at)
    for step in steps:
        if step == "next" and at < len(model):
            assert iterator.next() == model[at]
            last, at = at, at + 1
        elif step == "previous" and at > 0:
            at = last = at - 1
            assert iterator.previous() == model[at]
        elif step in ("next", "previous"):
            with pytest.raises(IndexError):
                getattr(iterator, step)()
        elif last is None:
            with pytest.raises(ValueError, match="before the first step"):
                iterator.set(step)
        else:
            iterator.set(step)
            model[last] = step
        assert SUBJECT.abstract(items) == tuple(model)


@pytest.mark.parametrize("index", [-1, 3])
def test_an_iterator_cannot_start_outside_the_list(index):
    with pytest.raises(IndexError, match=f"no position {index} in a list of 2"):
        list_of(1, 2).list_iterator(index)


@pytest.mark.parametrize("change", [lambda items: items.add(3), lambda items: items.remove(1)])
@pytest.mark.parametrize(
    "use", [lambda iterator: iterator.next(), lambda iterator: iterator.previous(), lambda iterator: iterator.set(0)]
)
def test_an_iterator_notices_that_the_list_has_been_changed(change, use):
    items = list_of(1, 2)
    iterator = items.list_iterator(0)
    iterator.next()
    change(items)
    with pytest.raises(SUBJECT.module.ConcurrentModificationError):
        use(iterator)
