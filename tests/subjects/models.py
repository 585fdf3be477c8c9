"""Models the effects of calls on the abstract values of subjects, as plain tuples."""

from collections.abc import Callable
from typing import Any

Model = Callable[..., tuple[Any, tuple]]


def without(values: tuple, value: Any) -> tuple:
    remaining = list(values)
    remaining.remove(value)
    return tuple(remaining)


def plus(values: tuple, *more: int) -> tuple:
    return tuple(sorted([*values, *more]))


def pop_min(values: tuple) -> tuple[Any, tuple]:
    return (values[0], values[1:]) if values else (IndexError, ())


def pop_max(values: tuple) -> tuple[Any, tuple]:
    return (values[-1], values[:-1]) if values else (IndexError, ())


class OneOf(frozenset):
    """Equal to each of its members."""

    __hash__ = frozenset.__hash__

    def __eq__(self, other: object) -> bool:
        return other in self


def find(labels: tuple, element: int) -> tuple[Any, tuple]:
    """Any member may represent a set; the labels say which is the smallest."""
    if element >= len(labels):
        return IndexError, labels
    return OneOf(e for e, label in enumerate(labels) if label == labels[element]), labels


def union(labels: tuple, first: int, second: int) -> tuple[Any, tuple]:
    if max(first, second) >= len(labels):
        return IndexError, labels
    low, high = sorted((labels[first], labels[second]))
    return low != high, tuple(low if label == high else label for label in labels)


def drop(values: tuple, value: Any) -> tuple[bool, tuple]:
    """Return the result of a list's remove, and its values afterwards."""
    return (True, without(values, value)) if value in values else (False, values)


MODELS: dict[str, dict[str, Model]] = {
    "search_tree": {
        "add": lambda values, key: (key not in values, tuple(sorted({*values, key}))),
        "remove": lambda values, key: (key in values, tuple(sorted({*values} - {key}))),
    },
    "heap_array": {
        "insert": lambda values, value: (None, plus(values, value)) if value != -1 else (ValueError, values),
        "extract_max": pop_max,
    },
    "binomial_heap": {
        "insert": lambda values, key: (None, plus(values, key)),
        "extract_min": pop_min,
        "union": lambda values, other: (None, plus(values, *other)),
        "delete": drop,
    },
    "disj_set": {"find": find, "union": union},
    "fibonacci_heap": {
        "insert": lambda values, key: (None, plus(values, key)),
        "extract_min": pop_min,
        "union": lambda values, other: (None, plus(values, *other)),
        "delete": drop,
    },
    "linked_list": {
        "add": lambda values, element: (True, (*values, element)),
        "remove": drop,
        "reverse": lambda values: (None, values[::-1]),
    },
    "sorted_list": {
        "insert": lambda values, element: (None, plus(values, element)),
        "remove": drop,
        "sort": lambda values: (None, plus(values)),
        "merge": lambda values, other: (None, plus(values, *other)),
    },
    "heapq": {
        "heappush": lambda values, item: (None, plus(values, item)),
        "heappop": pop_min,
        "heapreplace": lambda values, item: (values[0], plus(values[1:], item)) if values else (IndexError, ()),
        "heappushpop": lambda values, item: pop_min(plus(values, item)),
        "heapify": lambda values: (None, values),
    },
}


MODELS["tree_map"] = MODELS["tree_map_black_root"] = {
    "put": lambda items, key, value: (dict(items).get(key), tuple(sorted({**dict(items), key: value}.items()))),
    "remove": lambda items, key: (dict(items).get(key), tuple(item for item in items if item[0] != key)),
}

SET = {
    "add": lambda values, value: (value not in values, tuple(sorted({*values, value}))),
    "remove": drop,
    "contains": lambda values, value: (value in values, values),
}
FIELD_MODELS: dict[str, dict[str, Model]] = {
    "field_sorted_list": {
        "get": lambda values, index: (values[index] if index < len(values) else IndexError, values),
        "add": lambda values, value: (None, plus(values, value)),
        "remove": drop,
    },
    "field_search_tree": SET,
    "field_tree_set": SET,
    "field_binomial_heap": {
        "insert": lambda values, value: (None, plus(values, value)),
        "extract_min": pop_min,
        "delete": drop,
        "__init__": lambda values: (None, ()),
    },
}
"""Of the subjects of field_exhaustive2016."""
