"""Constructs failing inputs by calls only: the pre-state, and each object that the method takes (section 6.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, product
from typing import Any

from harness.checking.judge import CallChecker
from harness.checking.sequences import MOST_STATES, Sequences, SequenceStep, Visited, objects_of
from harness.checking.source import is_object, objects_below
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.equality import NotCanonical, canonical, concrete
from harness.kernel.specs.contracts import Property
from harness.kernel.specs.spec import Spec
from harness.model.finitization import Target


@dataclass(frozen=True)
class Construction:
    """Calls that make objects of an input; `returned_objects` has the objects that they return, by number of call."""

    steps: tuple[SequenceStep, ...]
    returned_objects: Mapping[int, Any]


@dataclass(frozen=True)
class _Way:
    """A sequence, and the numbers of the calls that return the wanted objects."""

    calls: tuple[Call, ...]
    numbers: tuple[int, ...]


class Constructions:
    """Find the calls that make an input."""

    def __init__(self, sequences: Sequences, spec: Spec, judge: CallChecker) -> None:
        self._sequences = sequences
        self._abstraction = spec.abstraction
        self._judge = judge

    def find(
        self, checked: Property, target: Target, this: Any, arguments: Sequence[Any]
    ) -> tuple[list[Construction], bool] | None:
        """Find the shortest sequences that make the objects of a failing input, or equal objects that fail, too.

        Objects that hold others in common are made by one sequence; otherwise each object has its own sequence.

        Returns:
            the constructions, beginning with the pre-state's, and whether they make the same objects rather than equal
            ones; None if no such input was visited.
        """
        groups = _connected([this, *filter(is_object, arguments)])
        same_ways = [self._same(group) for group in groups]
        exact = [way for way in same_ways if way is not None]
        if len(exact) == len(groups):
            return self._constructions(groups, exact), True
        ways = [[way] if way is not None else self._equal(group) for way, group in zip(same_ways, groups, strict=True)]
        for chosen in islice(product(*ways), MOST_STATES):
            if self._fails(checked, target, [this, *arguments], groups, chosen):
                return self._constructions(groups, chosen), False
        return None

    def _constructions(self, groups: Sequence[Sequence[Any]], ways: Sequence[_Way]) -> list[Construction]:
        return [
            Construction(self._sequences.steps(way.calls), dict(zip(way.numbers, group, strict=True)))
            for group, way in zip(groups, ways, strict=True)
        ]

    def _same(self, group: Sequence[Any]) -> _Way | None:
        """Find the first sequence that makes the same objects as a group."""
        form = _form(group)
        if form is None:
            return None
        for with_results in (False, True) if len(group) == 1 else (True,):
            for visited in self._sequences.visit(with_results):
                for numbers in _choices(visited, group) if with_results else [(0,)]:
                    if _form([visited.results[number] for number in numbers]) == form:
                        return _Way(visited.calls, numbers)
        return None

    def _equal(self, group: Sequence[Any]) -> list[_Way]:
        """Find the sequences that lead to states of equal abstract value."""
        wanted_value = self._abstract(group[0]) if len(group) == 1 else None
        if wanted_value is None:
            return []
        return [_Way(v.calls, (0,)) for v in self._sequences.visit() if self._abstract(v.root) == wanted_value]

    def _abstract(self, value: Any) -> bytes | None:
        abstraction = self._abstraction
        if abstraction is None or not self._sequences.is_root(value):
            return None
        try:
            return canonical(abstraction(value))
        except NotCanonical:
            return None

    def _fails(
        self,
        checked: Property,
        target: Target,
        values: Sequence[Any],
        groups: Sequence[Sequence[Any]],
        ways: Sequence[_Way],
    ) -> bool:
        """Return whether the property still fails if objects made by the sequences replace the objects of the input."""
        instead: dict[int, Any] = {}
        for group, way in zip(groups, ways, strict=True):
            visited = self._sequences.replay(way.calls)
            if visited is None:
                return False
            instead.update((id(one), visited.results[number]) for one, number in zip(group, way.numbers, strict=True))
        this, *arguments = [instead.get(id(value), value) for value in values]
        return self._judge.check(checked, target, this, arguments).violation is not None


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
