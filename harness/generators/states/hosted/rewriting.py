"""Copies the sources of functions, and compiles changed sources to code that replaces the functions' own."""

from __future__ import annotations

import ast
import inspect
import sys
import warnings
from collections.abc import Callable
from copy import deepcopy
from types import CodeType, FunctionType
from typing import Any

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.sources import function_tree
from harness.kernel.program.builtin_effects import LOOKING_AT_VARIABLES
from harness.kernel.program.code_reading import names_of


def text_of(function: FunctionType) -> ast.FunctionDef | None:
    """Return a copy of the definition, to be changed, or None if it cannot be found or other code would be noticed."""
    code = function.__code__
    if code.co_freevars or LOOKING_AT_VARIABLES.intersection(code.co_names):
        return None
    try:
        node = deepcopy(function_tree(function))
    except Untranslatable:
        return None
    if not isinstance(node, ast.FunctionDef):
        return None
    node.decorator_list = []
    return node


def code_of(node: ast.FunctionDef, code: CodeType) -> CodeType:
    """Return the code of a changed definition, as a replacement for `code`."""
    tree = ast.fix_missing_locations(ast.Module([node], []))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # literals are compared and called, but will be replaced
        whole = compile(tree, code.co_filename, "exec", dont_inherit=True)
    definition = next(part for part in whole.co_consts if isinstance(part, CodeType) and part.co_name == code.co_name)
    return definition.replace(co_qualname=code.co_qualname, co_firstlineno=code.co_firstlineno)


def is_watched() -> bool:
    """Return whether a tool (a debugger, coverage) watches code run, and so should see the code as written."""
    monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on
    tools = [monitoring.get_tool(number) for number in range(6)] if monitoring else []
    return any(watcher is not None for watcher in (sys.gettrace(), sys.getprofile(), *tools))


def functions_reached(rep_ok: Callable[..., Any]) -> list[FunctionType]:
    """Return rep_ok and the functions of its module that it or another of them names."""
    start = inspect.unwrap(rep_ok)  # a precondition
    functions = [start] if isinstance(start, FunctionType) else []
    for function in functions:  # grows while it is walked
        for name in names_of(function.__code__):
            value = function.__globals__.get(name)
            if isinstance(value, FunctionType) and value.__globals__ is function.__globals__ and value not in functions:
                functions.append(value)
    return functions


def uses_dedicated(rep_ok: Callable[..., Any]) -> bool:
    """Return whether rep_ok, or a function of its module that it reaches by name, uses a dedicated generator."""
    functions = functions_reached(rep_ok)
    named = [function.__globals__.get(name) for function in functions for name in names_of(function.__code__)]
    return any(map(_is_dedicated, [rep_ok, *functions, *named]))


def _is_dedicated(value: Any) -> bool:
    module = vars(value).get("__module__") if isinstance(value, type) else getattr(value, "__module__", None)
    own = value.__globals__.get("__name__") if isinstance(value, FunctionType) else None
    return any(str(name).startswith("harness.kernel.specs.dedicated") for name in (module, own))
