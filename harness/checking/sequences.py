"""Sequences of API calls that construct failing inputs, found breadth first with state matching (section 6.3).

Constructed are the pre-state, and each object that the method takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from types import ModuleType
from typing import Any

from harness.checking.inputs import is_object, objects_below
from harness.checking.judge import CallChecker
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.suites import Call
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.module_state import state_of
from harness.kernel.objects.reading import ATOMS
from harness.kernel.specs.spec import Spec
from harness.model.routines import Routine
from harness.model.sequence import SequenceScope

MOST_STATES = 2_000
"""The number of different states that are visited at most; after that, a structure counts as not found."""
MOST_CALLS = 50_000
"""The number of calls that are executed at most in one visit, which bounds it where calls return ever more objects."""


@dataclass(frozen=True)
class SequenceStep:
    """One call, with its arguments; the first step of a sequence makes the object, the others are made on it."""

    routine: Routine
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Visited:
    """A sequence, and the results of its calls."""

    calls: tuple[Call, ...]
    results: Sequence[Any]

    @property
    def root(self) -> Any:
        """The object that the calls are made on."""
        return self.results[0]


class Sequences:
    """Visits the states that calls of the routines lead to, shortest sequences first.

    The search starts from the objects that the constructors make. It makes all calls whose arguments are values, and
    none with an earlier result. Calls that raise, do not end, break rep_ok or violate their precondition lead nowhere.
    The bounds' objects, elements and length are not checked, because the wanted structure is within them.
    """

    def __init__(self, spec: Spec, module: ModuleType, bounds: SequenceScope, judge: CallChecker) -> None:
        self._spec = spec
        self._judge = judge
        self._omits = bounds.omission()
        self._routines = Routines(module, bounds, state_of(module))
        calls = [call for number, routine in enumerate(bounds.routines) for call in _calls(number, routine)]
        self._first = [call for call in calls if not bounds.routines[call.target].has_receiver]
        self._further = [call for call in calls if bounds.routines[call.target].has_receiver]

    def visit(self, with_results: bool = False) -> Iterator[Visited]:
        """Yield the states, each with the first shortest sequence to it.

        Args:
            with_results: whether states also differ by the objects that calls have returned.
        """
        seen: set[bytes] = set()
        agenda: list[tuple[Call, ...]] = [(call,) for call in self._first]
        executed = 0
        for calls in agenda:  # grows while it is walked
            executed += len(calls)
            if executed > MOST_CALLS:
                return
            visited = self.replay(calls)
            if visited is None:
                continue
            roots = objects_of(visited.results) if with_results else [visited.root]
            try:
                key = concrete(*roots, omits=self._omits)
            except NotCanonical:
                continue
            if key in seen:
                continue
            seen.add(key)
            yield visited
            if len(seen) >= MOST_STATES:
                return
            agenda.extend((*calls, call) for call in self._further)

    def replay(self, calls: tuple[Call, ...]) -> Visited | None:
        """Execute a sequence whose other calls are known to be valid; return None if the last call leads nowhere."""
        results: list[Any] = []
        try:
            for call in calls:
                ready = self._routines.ready(call, results)
                requires = ready.routine.requires
                if requires is not None and not requires(ready.receiver, *ready.arguments):
                    return None
                results.append(self._judge.limited(ready.function, *ready.passed))
            return None if self.is_root(results[0]) and not self._spec.rep_ok(results[0]) else Visited(calls, results)
        except BaseException:  # of the program, or the step limit
            return None

    def is_root(self, value: Any) -> bool:
        """Return whether an object is of the class whose states the sequences build."""
        return self._routines.root_class is None or self._routines.is_of_root(value)

    def steps(self, calls: Sequence[Call]) -> tuple[SequenceStep, ...]:
        """Return the calls with their arguments."""
        return tuple(map(self._step, calls))

    def _step(self, call: Call) -> SequenceStep:
        routine = self._routines.routines[call.target]
        indices = call.arguments[routine.has_receiver :]
        arguments = [
            self._routines.argument(p, index, ()) for p, index in zip(routine.parameters, indices, strict=True)
        ]
        return SequenceStep(routine, tuple(arguments))


def objects_of(results: Sequence[Any]) -> list[Any]:
    """Return the results that are no plain values, each once."""
    return list({id(result): result for result in results if type(result) not in ATOMS}.values())


def _calls(number: int, routine: Routine) -> Iterator[Call]:
    """Yield all calls of a routine with values, on the object that the first call made."""
    receiver = (0,) * routine.has_receiver
    for indices in product(*(range(len(parameter.values)) for parameter in routine.parameters)):
        yield Call(number, (*receiver, *indices))


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
