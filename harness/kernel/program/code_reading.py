"""Reads compiled code: the code objects within one, their instructions and names, and whether it hangs on its text."""

from __future__ import annotations
import __future__

import ast
import dis
import warnings
from collections.abc import Iterable, Iterator
from inspect import CO_OPTIMIZED
from itertools import pairwise
from types import CodeType

_LOAD_GLOBAL, _STORE_ATTR, _EXTENDED = dis.opmap["LOAD_GLOBAL"], dis.opmap["STORE_ATTR"], dis.EXTENDED_ARG
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


def _instructions(code: CodeType) -> Iterator[tuple[int, int]]:
    """Yield the code's own instructions by number, each with its argument."""
    raw, more = code.co_code, 0
    for at in range(0, len(raw), 2):
        argument = more | raw[at + 1]
        yield raw[at], argument
        more = argument << 8 if raw[at] == _EXTENDED else 0


def stored_attributes(code: CodeType) -> Iterator[str]:
    """Yield the attributes that the code's own instructions assign, in their order."""
    return (code.co_names[argument] for instruction, argument in _instructions(code) if instruction == _STORE_ATTR)


def assigned_names(code: CodeType) -> set[str]:
    """Return the attributes and globals that the code's own instructions assign or delete."""
    if _ASSIGNS.isdisjoint(operations(code)):
        return set()
    return {code.co_names[argument] for instruction, argument in _instructions(code) if instruction in _ASSIGNS}


def global_loads(code: CodeType) -> set[tuple[str, bool]]:
    """Return the globals that the code's own instructions load, each with whether it is called at once."""
    return {
        (code.co_names[argument >> 1], bool(argument & _IS_CALLED))
        for instruction, argument in _instructions(code)
        if instruction == _LOAD_GLOBAL
    }


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


_TELLING = frozenset(
    {
        *("__code__", "f_code", "gi_code", "cr_code", "ag_code", "f_lineno", "f_lasti", "tb_lineno", "tb_lasti"),
        *("settrace", "setprofile", "inspect", "dis", "linecache", "getsource", "getsourcelines", "getframeinfo"),
        *("extract_stack", "extract_tb", "walk_stack", "walk_tb", "format_stack", "format_tb", "format_exc"),
        *("format_exception", "TracebackException", "StackSummary", "FrameSummary"),
    }
)
"""Names by which a program gets its lines or code."""
_DIALECT = __future__.barry_as_FLUFL.compiler_flag


def hangs_on_text(source: str) -> bool:
    """Return whether a program can read its own lines or code by a name, or depends on the order of a constant set.

    A source that does not compile depends on nothing.
    """
    try:
        tree = ast.parse(source)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # whoever executes it is warned
            code = compile(source, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not _TELLING.isdisjoint(_names(tree)) or bool(code.co_flags & _DIALECT) or orders_a_constant(code)


def orders_a_constant(code: CodeType) -> bool:
    """Return whether code, or code within it, uses a constant set of several elements for more than membership tests.

    One compilation has equal ones in one object, so that the order of the first is that of all.
    """
    return any(map(_orders_a_constant, codes_of(code)))


def _orders_a_constant(code: CodeType) -> bool:
    if not any(isinstance(constant, frozenset) and len(constant) > 1 for constant in code.co_consts):
        return False
    instructions = [one for one in dis.get_instructions(code) if one.opname != "EXTENDED_ARG"]
    return any(
        isinstance(one.argval, frozenset) and len(one.argval) > 1 and then.opname != "CONTAINS_OP"
        for one, then in pairwise(instructions)
    )


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                yield name
            case ast.alias(name=name):
                yield from name.split(".")
            case ast.ImportFrom(module=str(name)):
                yield from name.split(".")
