"""The subject as the generator of a user sees it."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.generators.policies.own.calls import Result, plain_value
from harness.generators.sequences.protocol import SequenceTask


@dataclass(frozen=True)
class RoutineOfSubject:
    """A constructor, method or function that may be called.

    Attributes:
        name: its name, the first part of a call.
        kind: `constructor`, `method` or `function`.
        parameters: for each parameter, the values within the bounds of the scope.
        earlier: for each parameter, the names of the classes whose objects it takes from earlier calls.
    """

    name: str
    kind: str
    parameters: tuple[tuple[Any, ...], ...]
    earlier: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SubjectOfGenerator:
    """The program under test with the bounds of its spec.

    Attributes:
        module: the implementation, executed: its classes and functions.
        root: the name of the class that sequences are about.
        routines: what may be called.
        most_calls: the greatest number of calls in a sequence; None if the spec does not bound it.
    """

    module: ModuleType
    root: str
    routines: tuple[RoutineOfSubject, ...]
    most_calls: int | None

    @classmethod
    def of(cls, task: SequenceTask) -> SubjectOfGenerator:
        """Return the subject of a task."""
        routines = tuple(
            RoutineOfSubject(
                routine.name,
                routine.kind.value,
                tuple(tuple(map(plain_value, parameter.values)) for parameter in routine.parameters),
                tuple(parameter.earlier for parameter in routine.parameters),
            )
            for routine in task.bounds.routines
        )
        return cls(task.module, task.bounds.root, routines, task.bounds.most_calls)

    def result(self, number: int) -> Result:
        """Return the result of call `number` of a sequence, from 0, for use as an argument of a later call."""
        return Result(number)
