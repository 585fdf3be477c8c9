"""Checks that a finitization's targets exist, and that they accept its arguments."""

from __future__ import annotations

import inspect
from enum import EnumType
from types import ModuleType
from typing import Any

from harness.errors import SpecError
from harness.kernel.program.loader import resolve
from harness.model.finitization import CallKind, DomainKind, Finitization, Target


def check_targets(finitization: Finitization, module: ModuleType) -> None:
    """Compare the targets with the functions of the implementation.

    Methods that a class provides by `__getattr__`, and signatures that Python does not know, are not checked.

    Raises:
        SpecError: a target is missing, is a property, makes a coroutine, or takes another number of
            arguments. Otherwise the program would never run, and its mutants would seem to survive.
    """
    check_classes(finitization, module)
    for target in finitization.targets:
        if target.kind is CallKind.FUNCTION:
            function = resolve(module, target.name)
            before = 0 if finitization.domains[0].kind is DomainKind.NOTHING else 1
        else:
            root = finitization.domains[0]
            owner = resolve(module, root.class_name) if root.kind is DomainKind.OBJECT else list
            if not hasattr(owner, target.name):
                if hasattr(owner, "__getattr__"):
                    continue
                raise SpecError(
                    f"the finitization names target {target.name!r}, but {owner.__name__} has no such method"
                )
            function = getattr(owner, target.name)
            static = inspect.getattr_static(owner, target.name)
            if not callable(function) or isinstance(static, property):
                raise SpecError(
                    f"target {target.name!r} of {owner.__name__} is not called, but of type {type(static).__name__}; "
                    "name a method, or test the function behind it"
                )
            before = 0 if isinstance(static, (staticmethod, classmethod)) else 1
        _check_runs(target, function)
        _check_arguments(target, function, before)


def check_classes(finitization: Finitization, module: ModuleType) -> None:
    """Refuse objects of an enumeration, whose members are values.

    Raises:
        SpecError: the finitization makes some.
    """
    for domain in finitization.domains:
        cls = getattr(module, domain.class_name, None)
        if domain.kind is DomainKind.OBJECT and isinstance(cls, EnumType):
            names = ", ".join(f'"{name}"' for name in cls.__members__)
            raise SpecError(
                f"the finitization makes objects of {domain.class_name}, an enumeration, which has all its members; "
                f'give them as values: f.members("{domain.class_name}", {names})'
            )


def _check_runs(target: Target, function: Any) -> None:
    """Refuse a function whose call executes nothing of its body."""
    kinds = {
        "coroutine": inspect.iscoroutinefunction,
        "asynchronous generator": inspect.isasyncgenfunction,
    }
    for kind, is_one in kinds.items():
        if is_one(function):
            raise SpecError(
                f"target {target.name!r} makes a {kind}, so that no call executes its body; test a function that "
                "runs it to its end"
            )


def _check_arguments(target: Target, function: Any, before: int) -> None:
    """Refuse a function that does not take the target's arguments after `before` other ones."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    count = len(target.parameters)
    keywords = dict.fromkeys(target.keywords)
    try:
        signature.bind(*[None] * (before + count - len(keywords)), **keywords)
    except TypeError as error:
        by_name = f" ({', '.join(keywords)} by name)" if keywords else ""
        remedy = f"give it one field domain per parameter{_by_name(signature)}"
        raise SpecError(
            f"target {target.name!r} of the finitization is given {count} arguments{by_name}, which "
            f"{target.name}{signature} cannot take ({error}); {remedy}"
        ) from None


def _by_name(signature: inspect.Signature) -> str:
    """Return advice about keyword-only parameters, if there are any."""
    named = [p.name for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
    return f", keyword-only ones by name ({', '.join(f'{name}=...' for name in named)})" if named else ""
