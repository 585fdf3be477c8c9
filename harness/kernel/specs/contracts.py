"""Collects the contracts of a spec: postconditions by name, and axioms (exhaustive2003, section 6).

A postcondition is a function `post_<target>` of the abstract values before and after the call, the
result, and the arguments::

    def post_remove(before, after, result, key):
        return result == (key in before) and after == tuple(k for k in before if k != key)

An axiom is a function of a pre-state and arguments, those of a target, that may call anything::

    @axiom("add")
    def what_was_added_can_be_removed(tree, key):
        before = abstraction(tree)
        tree.add(key)
        return tree.remove(key) and abstraction(tree) == tuple(k for k in before if k != key)

Further values are passed as keyword-only parameters. A postcondition may have `raised`, the exception or None (without
it, any exception is a failure), and `arguments_after`, the arguments after the call (others are as they were before
it). Both may have `program`, the module under test, whose functions an axiom calls.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeVar

from harness.did_you_mean import suggestion
from harness.errors import SpecError
from harness.model.finitization import Finitization

PREFIX = "post_"
EXTRAS = ("raised", "arguments_after", "program")
"""The keyword-only parameters that a postcondition may have; an axiom may have the last one."""

_MARK = "__mutascope_axiom_of__"
_Function = TypeVar("_Function", bound=Callable[..., Any])


def axiom(target: str) -> Callable[[_Function], _Function]:
    """Mark a function of a spec as an axiom: true for every input of `target`, given as pre-state and arguments."""

    def mark(function: _Function) -> _Function:
        setattr(function, _MARK, target)
        return function

    return mark


@dataclass(frozen=True)
class Property:
    """A property to be checked on every input of a target: the behaviour of its call, or an axiom.

    `extras` are those of EXTRAS that the postcondition or axiom has as parameters. A target without postcondition is
    checked to preserve rep_ok and to raise nothing but misuse; its result is then not checked.
    """

    name: str
    target: int
    postcondition: Callable[..., Any] | None = None
    axiom: Callable[..., Any] | None = None
    extras: frozenset[str] = frozenset()


def properties(spec: ModuleType, finitization: Finitization) -> list[Property]:
    """Return a spec's properties: of each target in order, then its axioms in the order of their definition.

    Raises:
        SpecError: a postcondition or axiom names no target, or has an unknown keyword-only parameter.
    """
    numbers = {target.name: number for number, target in enumerate(finitization.targets)}
    conditions = {PREFIX + name.replace(".", "_"): number for name, number in numbers.items()}
    functions = {name: value for name, value in vars(spec).items() if inspect.isfunction(value)}
    for name in functions:
        if name.startswith(PREFIX) and name not in conditions:
            raise SpecError(_no_target(spec, name, name.removeprefix(PREFIX), numbers))
    collected = []
    for name, number in conditions.items():
        post = functions.get(name)
        extras = frozenset() if post is None else _extras(spec, post, EXTRAS)
        collected.append(Property(finitization.targets[number].name, number, postcondition=post, extras=extras))
    for name, function in functions.items():
        of = getattr(function, _MARK, None)
        if of is not None:
            if of not in numbers:
                raise SpecError(_no_target(spec, name, of, numbers))
            extras = _extras(spec, function, EXTRAS[-1:])
            collected.append(Property(name, numbers[of], axiom=function, extras=extras))
    return collected


@dataclass(frozen=True)
class Postcondition:
    """The postcondition of a routine in a spec; `extras` are those of EXTRAS that it has as parameters."""

    holds: Callable[..., Any]
    extras: frozenset[str]


def postconditions(spec: ModuleType) -> dict[str, Postcondition]:
    """Return a spec's postconditions, by the name of the routine with "_" for ".".

    Raises:
        SpecError: one has an unknown keyword-only parameter.
    """
    return {
        name.removeprefix(PREFIX): Postcondition(value, _extras(spec, value, EXTRAS))
        for name, value in vars(spec).items()
        if name.startswith(PREFIX) and inspect.isfunction(value)
    }


def _extras(spec: ModuleType, function: Callable[..., Any], allowed_names: tuple[str, ...]) -> frozenset[str]:
    parameters = inspect.signature(function).parameters.values()
    extras = frozenset(parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY)
    if not extras <= set(allowed_names):
        unknown = ", ".join(sorted(extras - set(allowed_names)))
        raise SpecError(
            f"{spec.__file__}: {function.__name__} asks for {unknown}, which nobody gives it; it may ask for "
            f"{', '.join(allowed_names)} behind the *"
        )
    return extras


def _no_target(spec: ModuleType, name: str, target: str, targets: dict[str, int]) -> str:
    return f"{spec.__file__}: {name} is about {target!r}, which is no target; {suggestion(target, targets)}"
