"""Sequences of API calls that build objects, found breadth first with state matching (section 6.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from types import ModuleType
from typing import Any

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
