"""The functions that rewritten programs call, because a proxy cannot do or answer everything itself.

`array` compares a symbolic index with the bounds of a list first, and then with each index within them: a list written
in C would ask for its number, which would pin it although other numbers are possible. `same` and `kind` answer which
object a proxy is (`is`), and of which class (`type`).

`caught` keeps handlers from swallowing the end of a path. The number of frames before the stack ends differs between
proxies and integers, so a path on which it ends counts as endless, even if the program expects RecursionError.

`ForeignCalls` guards functions without source in the program, which a proxy cannot control. Code in C may look at the
class of an object past all proxies, and refuse it or take another branch. Modules are harmless if they are known to use
integers only by `__index__` and comparisons.
"""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from types import FunctionType, MethodType, ModuleType, TracebackType
from typing import Any

from harness.generators.sequences.matching import reachable
from harness.generators.symbolic.runs import Abandoned, EndlessPath
from harness.generators.symbolic.values import isinstance_of
from harness.kernel.program.loader import StepLimit

ARRAY, CAUGHT, LEAVE = "__mutascope_array__", "__mutascope_caught__", "__mutascope_leave__"
SAME, KIND, KIND_OF = "__mutascope_same__", "__mutascope_kind__", "__mutascope_kind_of__"
HARMLESS = frozenset(
    {"__future__", "_bisect", "_collections", "_collections_abc", "_functools", "_heapq", "_operator", "_queue"}
    | {"_thread", "abc", "array", "bisect", "builtins", "cmath", "collections", "contextlib", "copy", "dataclasses"}
    | {"enum", "functools", "heapq", "itertools", "math", "numbers", "operator", "queue", "sys", "threading", "types"}
    | {"typing", "typing_extensions", "warnings", "weakref"}
)
"""Modules whose functions compare their arguments, ask for their numbers, or keep them."""
IDENTITIES = (operator.is_, operator.is_not)
_LEAST, _GREATEST = -5, 256
"""The range of integers of which CPython has only one object each."""
_STACK_ENDS = "maximum recursion depth exceeded"


class Access:
    """A list or tuple that is about to be accessed."""

    __slots__ = ("_items",)

    def __init__(self, items: Any) -> None:
        self._items = items

    def __getitem__(self, index: Any) -> Any:
        return self._items[place_of(self._items, index) if isinstance_of(index) else index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._items[place_of(self._items, index) if isinstance_of(index) else index] = value

    def __delitem__(self, index: Any) -> None:
        del self._items[place_of(self._items, index) if isinstance_of(index) else index]


def array(owner: Any) -> Any:
    """Return the object to make an access on: an `Access` for a list or tuple, else the owner itself."""
    return Access(owner) if type(owner) is list or type(owner) is tuple else owner


def place_of(items: Any, index: Any) -> int:
    """Find the number that a symbolic index has, by comparing it with the bounds and then with each index within."""
    count = len(items)
    if index >= count or index < -count:
        return count  # out of range: the list itself raises the error
    at = 0 if index >= 0 else -count
    while not index == at:  # noqa: SIM201 - the last one follows from the bounds
        at += 1
    return at


def same(one: Any, other: Any) -> bool:
    """Return whether two values are the same object (`is`), as equal small integers are."""
    if one is other:
        return True
    if not isinstance_of(one):
        one, other = other, one
    if not isinstance_of(one) or not (type(other) is int or isinstance_of(other)):
        return False
    return bool(one == other) and bool(other >= _LEAST) and bool(other <= _GREATEST)


def kind(function: Any, value: Any) -> Any:
    """Return `type(value)`, which is int for a symbolic value, if the program's name `type` means the builtin."""
    return int if function is type and isinstance_of(value) else function(value)


def kind_of(function: Any) -> Any:
    """Return a function that calls `kind` on each value."""
    return partial(kind, type) if function is type else function


class _PathEnd:
    """The exception that has ended the current path, if a handler has caught it."""

    __slots__ = ("by",)
    by: BaseException | None


PATH_END = _PathEnd()
"""Before a call, `by` is set to None. After the call it is read, because an `__exit__` may swallow exceptions."""


def is_end_of_stack(error: BaseException | None) -> bool:
    """Return whether Python raised the error at its recursion limit; programs may raise RecursionError, too."""
    return isinstance(error, RecursionError) and str(error).startswith(_STACK_ENDS)


def caught() -> None:
    """Raise the exception that ends the path again, if a handler has caught it.

    Raises:
        EndlessPath: the stack has ended.
        Abandoned, StepLimit: this exception was caught.
    """
    error = sys.exc_info()[1]
    if is_end_of_stack(error):
        PATH_END.by = EndlessPath()
    elif isinstance(error, (Abandoned, StepLimit)):
        PATH_END.by = error
    else:
        return
    raise PATH_END.by from None


class SymbolicArgumentEscaped(Abandoned):
    """A function that is not the program's was called with symbolic integers.

    Attributes:
        variables: the variables of these integers.
    """

    def __init__(self, variables: frozenset[int], message: str) -> None:
        super().__init__(message)
        self.variables = variables


class ForeignCalls:
    """The function that `leave` refers to in the source of a program.

    Args:
        own: names of the program's modules.
    """

    def __init__(self, own: Iterable[str]) -> None:
        self._own = frozenset(own)

    def __call__(self, function: Any) -> Any:
        """Return the function, or a wrapper of a foreign function that checks for symbolic integers before the call."""
        return _Foreign(function, self._home(function)) if self._is_foreign(function) else function

    def _is_foreign(self, function: Any) -> bool:
        if any(function is one for one in IDENTITIES):
            return True
        if type(function) is MethodType:
            function = function.__func__
        if type(function) is FunctionType and ARRAY in function.__globals__:
            return False
        home = self._home(function)
        return home not in self._own and home.partition(".")[0] not in HARMLESS

    @staticmethod
    def _home(function: Any) -> str:
        """Return the name of the module of a function, or of the class of a callable object."""
        owner = getattr(function, "__self__", None)
        if owner is not None and not isinstance(owner, ModuleType):
            function = owner if isinstance(owner, type) else type(owner)
        return str(getattr(function, "__module__", None) or "builtins")


class _Foreign:
    """A foreign function, which raises SymbolicArgumentEscaped if it is called with symbolic integers."""

    __slots__ = ("_function", "_home")

    def __init__(self, function: Callable[..., Any], home: str) -> None:
        self._function = function
        self._home = home

    def __call__(self, /, *arguments: Any, **named: Any) -> Any:
        variables = frozenset(
            x for one in reachable([*arguments, *named.values()], None) if isinstance_of(one) for x, _ in one.parts()[0]
        )
        if variables:
            name = getattr(self._function, "__qualname__", type(self._function).__qualname__)
            raise SymbolicArgumentEscaped(variables, f"{self._home}.{name} is given it {_place(sys._getframe(1))}")
        return self._function(*arguments, **named)


def _place(frame: Any, line: int = 0) -> str:
    """Return the place in the program that a frame executes, as text."""
    return f"({os.path.basename(frame.f_code.co_filename)}:{line or frame.f_lineno})"


def place_of_error(traceback: TracebackType | None) -> str:
    """Return the innermost line of the program in the traceback of an exception, as text; empty if there is none."""
    text = ""
    while traceback is not None:
        if ARRAY in traceback.tb_frame.f_globals:
            text = _place(traceback.tb_frame, traceback.tb_lineno)
        traceback = traceback.tb_next
    return text
