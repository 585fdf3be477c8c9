"""Reads compiled code: the code objects within one, their instructions, and the names that these use."""

from __future__ import annotations

import ast
import dis
from collections.abc import Iterable, Iterator
from inspect import CO_OPTIMIZED
from types import CodeType

_LOAD_GLOBAL, _EXTENDED = dis.opmap["LOAD_GLOBAL"], dis.EXTENDED_ARG
_IS_CALLED = 1
"""The bit in the argument of LOAD_GLOBAL that says that the global is called, so nothing else is done with it."""
_ASSIGNS = frozenset(dis.opmap[name] for name in ("STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "DELETE_GLOBAL"))
_HANDLES = dis.opmap["PUSH_EXC_INFO"]
"""The first instruction of the code by which `except`, `finally` and `with` handle an exception."""


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """Yield the code and every code object that is defined within it, outer ones first."""
    yield code
    yield from codes_within(code)


def codes_within(code: CodeType) -> Iterator[CodeType]:
    """Yield every code object that is defined within the code, outer ones first."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_of(constant)


def is_of_function(code: CodeType) -> bool:
    """Return whether code is a function's, not a module's or a class's."""
    return bool(code.co_flags & CO_OPTIMIZED)


def operations(code: CodeType) -> bytes:
    """Return the numbers of the code's own instructions, as in `dis.opmap`, in their order."""
    return code.co_code[::2]


def names_of(code: CodeType) -> Iterator[str]:
    """Yield every name in the code, and in the code within it, that is not local, including attributes."""
    for one in codes_of(code):
        yield from one.co_names


def stored_attributes(code: CodeType) -> Iterator[str]:
    """Yield the attributes that the code's own instructions assign, in their order."""
    for instruction in dis.get_instructions(code):
        if instruction.opname == "STORE_ATTR":
            yield instruction.argval


def assigned_names(code: CodeType) -> set[str]:
    """Return the attributes and globals that the code's own instructions assign or delete."""
    assigned: set[str] = set()
    if _ASSIGNS.isdisjoint(operations(code)):
        return assigned
    raw, more = code.co_code, 0
    for at in range(0, len(raw), 2):
        argument = more | raw[at + 1]
        if raw[at] in _ASSIGNS:
            assigned.add(code.co_names[argument])
        more = argument << 8 if raw[at] == _EXTENDED else 0
    return assigned


def global_loads(code: CodeType) -> set[tuple[str, bool]]:
    """Return the globals that the code's own instructions load, each with whether it is called at once."""
    loads: set[tuple[str, bool]] = set()
    raw, names, more = code.co_code, code.co_names, 0
    for at in range(0, len(raw), 2):
        instruction = raw[at]
        argument = more | raw[at + 1]
        if instruction == _LOAD_GLOBAL:
            loads.add((names[argument >> 1], bool(argument & _IS_CALLED)))
        more = argument << 8 if instruction == _EXTENDED else 0
    return loads


def handles_exceptions(code: CodeType) -> bool:
    """Return True if the code's own instructions may catch an exception.

    From Python 3.12 on, a comprehension is part of the function's code. It has an entry in the table of exceptions,
    which puts back a variable and raises the exception again.
    """
    return bool(code.co_exceptiontable) and _HANDLES in operations(code)


INNER_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes below the statements of a function, but nothing within its functions, classes and lambdas."""
    for node in body:
        yield node
        if not isinstance(node, INNER_SCOPES):
            yield from own_nodes(ast.iter_child_nodes(node))
