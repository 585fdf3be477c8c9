"""Constructs failing inputs by calls only: the pre-state, and each object that the method takes (section 6.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from harness.checking.sequences import Sequences, SequenceStep, Visited, objects_of
from harness.checking.source import is_object, objects_below
from harness.kernel.objects.equality import NotCanonical, concrete


@dataclass(frozen=True)
class Construction:
    """Calls that make objects of an input; `returned_objects` has the objects that they return, by number of call."""

    steps: tuple[SequenceStep, ...]
    returned_objects: Mapping[int, Any]


def find_constructions(sequences: Sequences, this: Any, arguments: Sequence[Any]) -> list[Construction] | None:
    """Find the shortest sequences that make the objects of a failing input, beginning with the pre-state's.

    Objects that hold others in common are made by one sequence; otherwise each object has its own sequence.

    Returns:
        None if an object was not visited.
    """
    groups = _connected([this, *filter(is_object, arguments)])
    ways = [way for group in groups if (way := _way(sequences, group)) is not None]
    return ways if len(ways) == len(groups) else None


def _way(sequences: Sequences, group: Sequence[Any]) -> Construction | None:
    """Find the first sequence that makes the same objects as a group."""
    form = _form(group)
    if form is None:
        return None
    for with_results in (False, True) if len(group) == 1 else (True,):
        for visited in sequences.visit(with_results):
            for numbers in _choices(visited, group) if with_results else [(0,)]:
                if _form([visited.results[number] for number in numbers]) == form:
                    return Construction(sequences.steps(visited.calls), dict(zip(numbers, group, strict=True)))
    return None


def _form(objects: Sequence[Any]) -> bytes | None:
    """Return the canonical form of objects, None if they have none."""
    try:
        return concrete(*objects)
    except NotCanonical:
        return None


def _choices(visited: Visited, group: Sequence[Any]) -> Iterator[tuple[int, ...]]:
    """Yield numbers of calls that have returned objects of the classes of a group, one for each."""
    numbers = {id(result): number for number, result in reversed(list(enumerate(visited.results)))}
    results = objects_of(visited.results)
    fitting = [[numbers[id(one)] for one in results if type(one) is type(wanted)] for wanted in group]
    return product(*fitting)


def _connected(objects: Sequence[Any]) -> list[list[Any]]:
    """Group the objects, each once: those of one group hold objects in common, those of two do not."""
    once = list({id(one): one for one in objects}.values())
    below = [set(map(id, objects_below([one]))) for one in once]
    labels = list(range(len(once)))
    for one, other in combinations(labels[:], 2):
        if not below[one].isdisjoint(below[other]):
            labels = [labels[one] if label == labels[other] else label for label in labels]
    groups: dict[int, list[Any]] = {}
    for label, each in zip(labels, once, strict=True):
        groups.setdefault(label, []).append(each)
    return list(groups.values())
