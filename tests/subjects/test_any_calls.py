"""Any sequence of calls does what a plain sorted tuple would do."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from models import MODELS
from subject_samples import loaded

Values = tuple[Any, ...]
KEYS = st.integers(0, 6)
NOTHING: st.SearchStrategy[Any] = st.just([])
MAP_KEYS = range(24)


def one_of(methods: list[str], *arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Values]:
    """Calls of any of the methods, with these arguments."""
    return st.tuples(st.sampled_from(methods), *arguments)


def of_inserted(name: str) -> Callable[[ModuleType, list[int]], Any]:
    """Return a function that makes an object by inserting elements; in Fibonacci heaps, it also puts nodes below
    others.
    """

    def constructed(module: ModuleType, elements: list[int]) -> Any:
        tree = getattr(module, name)()
        for element in elements:
            tree.insert(element)
        if elements:
            tree.insert(min(elements) - 1)
            tree.extract_min()
        return tree

    return constructed


def contains(keys: Iterable[int | None]) -> Callable[[Any, Values], bool]:
    """Return a check that an object contains exactly those of the keys that are among its values."""
    return lambda made, values: all(made.contains(key) is (key in values) for key in keys)


def is_heap_of(heap: Any, values: Values) -> bool:
    least = heap.find_min() if hasattr(heap, "find_min") else heap.min_node
    return contains(range(7))(heap, values) and (least is None if not values else least.key == values[0])


def is_map_of(tree: Any, values: Values) -> bool:
    model = dict(values)
    answers = [(tree.get(key), tree.contains_key(key)) for key in MAP_KEYS]
    return answers == [(model.get(key), key in model) for key in MAP_KEYS]


def represents(sets: Any, labels: Values) -> bool:
    return all(labels[sets.find(element)] == label for element, label in enumerate(labels))


@dataclass(frozen=True)
class Drawn:
    """A constructor with its drawn arguments, calls on the made object, and checks of its observers."""

    construct: Callable[[ModuleType, Any], Any]
    calls: st.SearchStrategy[Values]
    agrees: Callable[[Any, Values], bool] = lambda made, values: True
    start: st.SearchStrategy[Any] = NOTHING


MERGING = st.one_of(
    one_of(["insert", "delete"], KEYS), one_of(["extract_min"]), one_of(["union"], st.lists(KEYS, max_size=9))
)
ELEMENTS = st.one_of(st.none(), st.integers(0, 4))
MAPPING = Drawn(
    lambda module, _: module.TreeMap(),
    st.one_of(one_of(["put"], st.sampled_from(MAP_KEYS), KEYS), one_of(["remove"], st.sampled_from(MAP_KEYS))),
    is_map_of,
)
DRAWN = {
    "search_tree": Drawn(
        lambda module, _: module.SearchTree(), one_of(["add", "remove"], st.integers(0, 7)), contains(range(8))
    ),
    "disj_set": Drawn(
        lambda module, size: module.DisjSet(size),
        st.one_of(one_of(["find"], st.integers(0, 9)), one_of(["union"], st.integers(0, 9), st.integers(0, 9))),
        represents,
        st.integers(1, 9),
    ),
    "heap_array": Drawn(
        lambda module, capacity: module.HeapArray(capacity),
        st.one_of(one_of(["insert"], KEYS), one_of(["extract_max"])),
        start=st.integers(0, 5),
    ),
    "binomial_heap": Drawn(of_inserted("BinomialHeap"), MERGING, is_heap_of),
    "fibonacci_heap": Drawn(of_inserted("FibonacciHeap"), MERGING, is_heap_of),
    "linked_list": Drawn(
        lambda module, _: module.LinkedList(),
        st.one_of(one_of(["add", "remove"], ELEMENTS), one_of(["reverse"])),
        contains([None, 0, 1]),
    ),
    "heapq": Drawn(
        lambda module, _: [],
        st.one_of(one_of(["heappush", "heapreplace", "heappushpop"], KEYS), one_of(["heappop", "heapify"])),
    ),
    "tree_map": MAPPING,
    "tree_map_black_root": MAPPING,
}


def test_every_model_but_that_of_sorted_lists_whose_sort_needs_others_is_drawn_for():
    assert {*DRAWN, "sorted_list"} == {*MODELS}


@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
@settings(max_examples=200, derandomize=True, deadline=None)
@given(data=st.data())
def test_any_sequence_of_calls_does_what_the_model_does(name, data):
    subject, drawn = loaded(name), DRAWN[name]
    targets = {target.name: target for target in subject.spec.finitization(1).targets}
    state = drawn.construct(subject.module, data.draw(drawn.start))
    values = subject.abstract(state)
    for method, *arguments in data.draw(st.lists(drawn.calls, max_size=60)):
        real_arguments = [
            drawn.construct(subject.module, each) if isinstance(each, list) else each for each in arguments
        ]
        expected, values = MODELS[name][method](values, *arguments)
        result = subject.invoke(targets[method], state, real_arguments)
        assert result == expected
        assert isinstance(result, bool) is isinstance(expected, bool)
        assert subject.abstract(state) == values
        assert all(subject.abstract(other) == () for other in real_arguments if type(other) is type(state))
        assert drawn.agrees(state, values)
