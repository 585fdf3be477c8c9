"""The subject as the generator of a user sees it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.errors import SpecError
from harness.generators.policies.own.calls import Result, plain_value
from harness.kernel.specs.spec import Spec
from harness.kernel.specs.tokens import the_token
from harness.model.domains import DomainKind
from harness.model.finitization import Finitization
from harness.model.routines import ArgumentDomain, TokenValue, Value, domain_of_parameter


@dataclass(frozen=True)
class RoutineOfSubject:
    """A constructor, method or function that may be called.

    Attributes:
        name: its name, the first part of a call.
        kind: `constructor`, `method` or `function`.
        parameters: for each parameter, the values within the bounds of the scope.
        earlier: for each parameter, the names of the classes whose objects it takes.
    """

    name: str
    kind: str
    parameters: tuple[tuple[Any, ...], ...]
    earlier: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, name: str, kind: str, parameters: Iterable[ArgumentDomain]) -> RoutineOfSubject:
        """Return a routine with these domains."""
        domains = tuple(parameters)
        values = tuple(tuple(map(_value, domain.values)) for domain in domains)
        return cls(name, kind, values, tuple(domain.earlier for domain in domains))


@dataclass(frozen=True)
class SubjectOfGenerator:
    """The program under test with the bounds of its spec.

    Attributes:
        module: the implementation, executed: its classes and functions.
        root: the name of the class that inputs are about; empty for functions without a state.
        routines: what may be called.
        most_calls: the greatest number of calls in a sequence; None if the spec does not bound it.
        has_state: whether calls are made on objects.
    """

    module: ModuleType
    root: str
    routines: tuple[RoutineOfSubject, ...]
    most_calls: int | None = None
    has_state: bool = True

    @classmethod
    def of(cls, spec: Spec, module: ModuleType, scope: int, source: str) -> SubjectOfGenerator:
        """Return the subject, with the routines that the spec declares at a scope.

        Raises:
            SpecError: the spec is unusable.
        """
        states = None if spec.finitization_of is None else spec.finitization(scope)
        if states is not None and states.domains[0].kind is DomainKind.NOTHING:
            return cls(module, "", _targets(states), has_state=False)
        try:
            bounds = spec.sequences(scope, source)
        except SpecError:
            if states is None:
                raise
            return cls(module, states.domains[0].class_name, _targets(states))
        routines = (RoutineOfSubject.of(one.name, one.kind.value, one.parameters) for one in bounds.routines)
        return cls(module, bounds.root, tuple(routines), bounds.most_calls)

    def result(self, number: int) -> Result:
        """Return the result of call `number` of a sequence, from 0, for use as an argument of a later call."""
        return Result(number)


def _targets(states: Finitization) -> tuple[RoutineOfSubject, ...]:
    """Return the targets of a finitization."""
    nothing = ArgumentDomain(())
    return tuple(
        RoutineOfSubject.of(
            target.name,
            target.kind.value,
            [domain_of_parameter(parameter, states) or nothing for parameter in target.parameters],
        )
        for target in states.targets
    )


def _value(value: Value) -> Any:
    return the_token(value.domain, value.index) if isinstance(value, TokenValue) else plain_value(value)
