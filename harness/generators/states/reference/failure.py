"""Writes the error message for a rep_ok that raised: the place, the candidate, and what to correct."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

from harness.errors import SpecError
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.code_reading import codes_of, stored_attributes
from harness.model.finitization import DomainKind


def rep_ok_failure(  # noqa: PLR0913 (the parts of one message)
    error: BaseException,
    rep_ok: Callable[..., Any],
    space: StateSpace,
    numbers: Mapping[int, int],
    module: ModuleType,
    candidate: str,
    predicate_name: str = "rep_ok",
    expected_values: str = "True or False",
) -> SpecError:
    """Return the one-line error for `error`, raised by rep_ok on `candidate`; `numbers` maps ids to object numbers.

    A predicate that wraps another one (`__wrapped__`) is a target's precondition, and called by its name.
    `expected_values` names the values that it should return.
    """
    if hasattr(rep_ok, "__wrapped__"):
        rep_ok = rep_ok.__wrapped__
        predicate_name = getattr(rep_ok, "__name__", "the precondition")
    where = _where(error, rep_ok)
    if isinstance(error, AttributeError):
        number = numbers.get(id(error.obj))
        owner = None if number is None else space.objects[number]
        if owner is not None and owner.domain.kind is DomainKind.OBJECT and error.name is not None:
            field = f"{owner.domain.class_name}.{error.name}"
            if error.name in owner.names:
                return SpecError(
                    f"{predicate_name} deletes {field} and then reads it ({where}), on {candidate}; "
                    f"correct {predicate_name}"
                )
            if error.name in set(_assigned(module)):
                return SpecError(
                    f"{field} has no field domain, but {predicate_name} reads it ({where}); "
                    f'add f.set("{field}", ...) to finitization'
                )
            return SpecError(
                f"{predicate_name} reads {field} ({where}), which no code of the implementation assigns; "
                f"correct the name (fields set in finitization: {', '.join(owner.names) or 'none'})"
            )
    return SpecError(
        f"{predicate_name} raised {type(error).__name__}: {' '.join(str(error).split())} ({where}) "
        f"on candidate {candidate}; make it return {expected_values} there"
    )


def _where(error: BaseException, rep_ok: Callable[..., Any]) -> str:
    """Return the deepest line in rep_ok's own file, and the line that raised if that is in another file."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(_OWN_FOLDER)]
    code = getattr(rep_ok, "__code__", None)
    own = [frame for frame in frames if code is not None and frame.filename == code.co_filename]
    if not frames:
        return "in code written in C"
    last = frames[-1]
    at = f"{last.filename}:{last.lineno}"
    return at if not own or own[-1] is last else f"{own[-1].filename}:{own[-1].lineno}, in {at}"


_OWN_FOLDER = __file__.removesuffix("failure.py")


def _assigned(module: ModuleType) -> Iterator[str]:
    """Yield every name that some code of the module assigns as an attribute."""
    for value in list(vars(module).values()):
        if isinstance(value, FunctionType):
            yield from _assigned_by(value)
        elif isinstance(value, type) and value.__module__ == module.__name__:
            yield from _assigned_in(value)


def _assigned_in(cls: type) -> Iterator[str]:
    for value in list(vars(cls).values()):
        function = getattr(value, "__func__", getattr(value, "fget", value))
        if isinstance(function, FunctionType):
            yield from _assigned_by(function)
        elif isinstance(value, type) and value.__qualname__.startswith(f"{cls.__qualname__}."):
            yield from _assigned_in(value)


def _assigned_by(function: FunctionType) -> Iterator[str]:
    for code in codes_of(function.__code__):
        yield from stored_attributes(code)
