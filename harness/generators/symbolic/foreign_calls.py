"""Functions without source in the program: a proxy cannot control how they use an integer.

Code in C may look at the class of an object past all proxies, and refuse it or take another branch. Modules are
harmless if they are known to use integers only by `__index__` and comparisons. If a program imports other modules, each
of its calls `f(a)` becomes `leave(f)(a)`, and functions of such modules are not called with symbolic integers.
"""

from __future__ import annotations

import ast
import builtins
import operator
import os
import sys
from collections.abc import Callable, Iterable
from types import FunctionType, MethodType, ModuleType, TracebackType
from typing import Any

from harness.generators.sequences.matching import reachable
from harness.generators.symbolic.arrays import ARRAY
from harness.generators.symbolic.rewriting import OutsideAnnotations
from harness.generators.symbolic.runs import Abandoned
from harness.generators.symbolic.values import isinstance_of
from harness.kernel.program.loader import ModuleText

LEAVE = "__mutascope_leave__"
_HARMLESS = frozenset(
    {"__future__", "_bisect", "_collections", "_collections_abc", "_functools", "_heapq", "_operator", "_queue"}
    | {"_thread", "abc", "array", "bisect", "builtins", "cmath", "collections", "contextlib", "copy", "dataclasses"}
    | {"enum", "functools", "heapq", "itertools", "math", "numbers", "operator", "queue", "sys", "threading", "types"}
    | {"typing", "typing_extensions", "warnings", "weakref"}
)
"""Modules whose functions compare their arguments, ask for their numbers, or keep them."""
_IDENTITIES = (operator.is_, operator.is_not)
_BUILT_IN = frozenset(dir(builtins))
"""The names of builtins, which need no `leave`; some of them look at the frame that they are called in."""


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
        if any(function is one for one in _IDENTITIES):
            return True
        if type(function) is MethodType:
            function = function.__func__
        if type(function) is FunctionType and ARRAY in function.__globals__:
            return False
        home = self._home(function)
        return home not in self._own and home.partition(".")[0] not in _HARMLESS

    @staticmethod
    def _home(function: Any) -> str:
        """Return the name of the module of a function, or of the class of a callable object."""
        owner = getattr(function, "__self__", None)
        if owner is not None and not isinstance(owner, ModuleType):
            function = owner if isinstance(owner, type) else type(owner)
        return str(getattr(function, "__module__", None) or "builtins")


class _Foreign:
    """A foreign function, which raises LeftSubset if it is called with symbolic integers."""

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
            raise SymbolicArgumentEscaped(variables, f"{self._home}.{name} is given it {place(sys._getframe(1))}")
        return self._function(*arguments, **named)


def place(frame: Any, line: int = 0) -> str:
    """Return the place in the program that a frame executes, as text."""
    return f"({os.path.basename(frame.f_code.co_filename)}:{line or frame.f_lineno})"


def place_of_error(traceback: TracebackType | None) -> str:
    """Return the innermost line of the program in the traceback of an exception, as text; empty if there is none."""
    text = ""
    while traceback is not None:
        if ARRAY in traceback.tb_frame.f_globals:
            text = place(traceback.tb_frame, traceback.tb_lineno)
        traceback = traceback.tb_next
    return text


def is_risky(text: ModuleText) -> bool:
    """Return whether a program may behave differently with proxies without an exception that shows it."""
    tree = ast.parse(text.source)
    return imports_foreign(tree, own_names(text)) or any(isinstance(node, ast.ExceptHandler) for node in ast.walk(tree))


def own_names(text: ModuleText) -> frozenset[str]:
    """Return the names of a program's modules."""
    return frozenset({text.name, *(companion.name for companion in text.companions)})


def imports_foreign(tree: ast.AST, own: frozenset[str]) -> bool:
    """Return whether a source imports modules whose functions may not accept symbolic integers."""
    names: list[str] = []
    identities = {function.__name__ for function in _IDENTITIES}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.append(node.module or "")
            names += identities.intersection(one.name for one in node.names)
        elif isinstance(node, ast.Attribute) and node.attr in identities:
            names.append(node.attr)
    return any(name not in own and name.partition(".")[0] not in _HARMLESS for name in names)


class Calls(OutsideAnnotations):
    """Inserts the call of `leave` around each called function except builtins."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if not (name.startswith("__mutascope_") or name in _BUILT_IN):
            function = ast.copy_location(ast.Name(LEAVE, ast.Load()), node.func)
            node.func = ast.copy_location(ast.Call(function, [node.func], []), node.func)
        return node
