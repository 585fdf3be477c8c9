"""Provides control mutants that prove the oracle: one changes only results, others change only the state.

The text that such a mutant appends to the source calls `plant`, within the sandbox. Calls of targets by each other are
left as they are; only the outermost call, which is an input's, is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from enum import Enum
from functools import wraps
from importlib import import_module
from inspect import getattr_static
from typing import Any

from harness.kernel.objects.equality import concrete
from harness.kernel.objects.reading import filler, opaque_as_it_is, set_fields, stored_fields
from harness.kernel.program.loader import DRIVER

_Call = Callable[..., Any]
_Behaviour = Callable[[_Call, tuple[Any, ...], dict[str, Any]], Any]
_FIRST_COPIES: list[Any] = []  # the first call's own pre-state; a closure would be put back before each input


class ControlBehaviour(Enum):
    """The behaviour of a control mutant at the end of each call."""

    RESULT = "result"
    """Returns another result."""
    FOREIGN_STATE = "foreign state"
    """Leaves a foreign value in every field of the pre-state's root, or as the only element of a list."""
    OLD_STATE = "old state"
    """Puts the state back as it was before the call."""
    FIRST_STATE = "first state"
    """Leaves the state in which the first call found its own pre-state."""
    CHANGED_STATE = "changed state"
    """Raises StateChanged if the original has changed the structure of the state: no mutant, but a question."""


class StateChanged(BaseException):
    """Raised as the answer of `ControlBehaviour.CHANGED_STATE`."""


class Foreign:
    """A value that belongs to no field domain."""


def plant(kind: str, names: dict[str, Any], root: str, methods: Sequence[str], functions: Sequence[str]) -> None:
    """Make targets behave as `ControlBehaviour(kind)` says.

    Args:
        names: the module's globals; if the program has a driver, its globals are used instead.
        root: the class of the pre-state's root, dotted where it is nested.
        methods: its targets.
        functions: targets that are functions of the module.
    """
    names = _called(names)
    behave = _BEHAVIOURS[ControlBehaviour(kind)]
    outermost = _Outermost()
    for name in methods:
        owner = _resolved(names, root)
        member = getattr_static(owner, name)
        if not isinstance(member, (staticmethod, classmethod)):
            setattr(owner, name, outermost.wrapped(member, behave))
        elif ControlBehaviour(kind) is ControlBehaviour.RESULT:  # else: it does not get the state
            setattr(owner, name, type(member)(outermost.wrapped(member.__func__, behave)))
    for name in functions:
        owner_name, _, short = name.rpartition(".")
        if owner_name:
            setattr(
                _resolved(names, owner_name), short, staticmethod(outermost.wrapped(_resolved(names, name), behave))
            )
        else:
            names[name] = outermost.wrapped(names[name], behave)


def _called(names: dict[str, Any]) -> dict[str, Any]:
    """Return the globals of the module whose functions inputs call: the driver's, if the program has one."""
    try:
        return vars(import_module(DRIVER))
    except ModuleNotFoundError:
        return names


def _resolved(names: dict[str, Any], dotted: str) -> Any:
    first, *parts = dotted.split(".")
    member = names[first]
    for part in parts:
        member = getattr(member, part)
    return member


class _Outermost:
    """Distinguishes the call of an input from calls within it."""

    def __init__(self) -> None:
        self._within = False

    def wrapped(self, call: _Call, behave: _Behaviour) -> _Call:
        @wraps(call)
        def planted(*arguments: Any, **keywords: Any) -> Any:
            if self._within:
                return call(*arguments, **keywords)
            self._within = True
            try:
                return behave(call, arguments, keywords)
            finally:
                self._within = False

        return planted


def _other_result(call: _Call, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    return Foreign(), call(*arguments, **keywords)


def _ending(before: Callable[[Sequence[Any]], Any], after: Callable[[Sequence[Any], Any], object]) -> _Behaviour:
    """Return the behaviour that does something to the pre-state behind each call.

    Args:
        before: called with the pre-state before the call.
        after: called with the pre-state behind the call, and with what `before` returned.
    """

    def behave(call: _Call, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        known = before(arguments[:1])
        try:
            return call(*arguments, **keywords)
        finally:
            after(arguments[:1], known)

    return behave


def _first_copies(states: Sequence[Any]) -> list[Any]:
    if not _FIRST_COPIES:
        _FIRST_COPIES.extend(_copies(states))
    return _FIRST_COPIES


def _compare(states: Sequence[Any], before: bytes | None) -> None:
    if _structure(states) != before:
        raise StateChanged


def _corrupt(state: Any) -> None:
    if isinstance(state, list):
        list.__setitem__(state, slice(None), [Foreign()])
    if isinstance(state, dict):
        filler(type(state))(state, {Foreign(): Foreign()})
    set_fields(state, {name: Foreign() for name in stored_fields(state)})


def _transplant(source: Any, state: Any) -> None:
    """Give `state` the contents of `source`."""
    if type(source) is not type(state):
        return
    if isinstance(state, list):
        list.__setitem__(state, slice(None), source)
    if isinstance(state, dict):
        filler(type(state))(state, source)
    set_fields(state, stored_fields(source))


def _copies(states: Sequence[Any]) -> list[Any]:
    """Return deep copies; let errors pass, so that no state is taken for unchanged."""
    with opaque_as_it_is():
        return deepcopy(list(states))


def _structure(states: Sequence[Any]) -> bytes | None:
    try:
        return concrete(*states)
    except Exception:
        return None


_BEHAVIOURS: dict[ControlBehaviour, _Behaviour] = {
    ControlBehaviour.RESULT: _other_result,
    ControlBehaviour.FOREIGN_STATE: _ending(lambda states: None, lambda states, _: [*map(_corrupt, states)]),
    ControlBehaviour.OLD_STATE: _ending(_copies, lambda states, old: [*map(_transplant, old, states)]),
    ControlBehaviour.FIRST_STATE: _ending(
        _first_copies, lambda states, first: [*map(_transplant, _copies(first), states)]
    ),
    ControlBehaviour.CHANGED_STATE: _ending(_structure, _compare),
}
