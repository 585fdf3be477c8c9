"""Checks whether a program's behaviour may depend on its own text and on how that is compiled, which probes change."""

from __future__ import annotations
import __future__

import ast
import dis
import warnings
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType

from harness.kernel.program.code_reading import codes_of

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
