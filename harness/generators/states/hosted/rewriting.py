"""Functions' texts, and code made of texts that were changed, which stands for the function's own."""

from __future__ import annotations

import ast
import inspect
import sys
import warnings
from collections.abc import Callable, Iterator
from copy import deepcopy
from types import CodeType, FunctionType
from typing import Any

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.sources import function_tree

_INTROSPECTIVE = frozenset({"locals", "vars", "dir", "eval", "exec"})


def text_of(function: FunctionType) -> ast.FunctionDef | None:
    """A copy of the definition, to be changed; None where it cannot be found, or other code would show."""
    code = function.__code__
    if code.co_freevars or _INTROSPECTIVE.intersection(code.co_names):
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
    """What a changed definition compiles to, in the place of `code`."""
    tree = ast.fix_missing_locations(ast.Module([node], []))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # that literals are compared and called: they will be none
        whole = compile(tree, code.co_filename, "exec", dont_inherit=True)
    made = next(part for part in whole.co_consts if isinstance(part, CodeType) and part.co_name == code.co_name)
    return made.replace(co_qualname=code.co_qualname, co_firstlineno=code.co_firstlineno)


def is_watched() -> bool:
    """Whether somebody watches code run (a debugger, coverage): that is to see what is written."""
    monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on
    tools = [monitoring.get_tool(number) for number in range(6)] if monitoring else []
    return any(watcher is not None for watcher in (sys.gettrace(), sys.getprofile(), *tools))


def functions_reached(rep_ok: Callable[..., Any]) -> list[FunctionType]:
    """rep_ok and the functions of its module that it or another of them names."""
    start = inspect.unwrap(rep_ok)  # a precondition
    found = [start] if isinstance(start, FunctionType) else []
    for function in found:  # grows while it is walked
        for name in names_in(function.__code__):
            value = function.__globals__.get(name)
            if isinstance(value, FunctionType) and value.__globals__ is function.__globals__ and value not in found:
                found.append(value)
    return found


def names_in(code: CodeType) -> Iterator[str]:
    """Every name that is not local, attributes among them."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def uses_dedicated(rep_ok: Callable[..., Any]) -> bool:
    """Whether rep_ok, or a function of its module that it reaches by name, names something for dedicated generators."""
    functions = functions_reached(rep_ok)
    named = [function.__globals__.get(name) for function in functions for name in names_in(function.__code__)]
    return any(map(_is_dedicated, [rep_ok, *functions, *named]))


def _is_dedicated(value: Any) -> bool:
    module = vars(value).get("__module__") if isinstance(value, type) else getattr(value, "__module__", None)
    own = value.__globals__.get("__name__") if isinstance(value, FunctionType) else None
    return any(str(name).startswith("harness.kernel.specs.dedicated") for name in (module, own))
