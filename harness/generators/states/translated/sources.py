"""Finds the syntax tree of a function object, and proves that it is the code that the object executes."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Callable
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from harness.generators.states.native.untranslatable import Untranslatable
from harness.kernel.program.code_reading import codes_within, names_of

FunctionNode = ast.FunctionDef | ast.Lambda


def keep_source(filename: str, text: str) -> None:
    """Keep a file's source for `function_tree` and tracebacks: sandboxed processes cannot read the file."""
    linecache.cache[filename] = len(text), None, text.splitlines(True), filename


def function_tree(function: FunctionType) -> FunctionNode:
    """Return the definition of `function`, found in the file that its code names.

    The source there is compiled again and must give the same code. Otherwise, after a change of the file, or if
    instrumentation rewrites code, a different program would be translated.

    Raises:
        Untranslatable: the source is not to be found, or is not that of the function.
    """
    code = function.__code__
    name, line = code.co_filename, code.co_firstlineno
    linecache.checkcache(name)
    text = "".join(linecache.getlines(name, function.__globals__))
    tree, compiled = _read(text, name)
    same = [found for found in compiled if found.co_firstlineno == line and same_code(found, code)]
    nodes = [node for node in ast.walk(tree) if isinstance(node, FunctionNode) and _matches(node, code)]
    if not same or len(nodes) != 1:
        raise Untranslatable(f"the source of {function.__qualname__} cannot be found", name, line)
    return nodes[0]


@lru_cache(maxsize=16)
def _read(text: str, name: str) -> tuple[ast.Module, tuple[CodeType, ...]]:
    try:
        whole = compile(text, name, "exec", dont_inherit=True)
        return ast.parse(text), tuple(codes_within(whole))
    except (SyntaxError, ValueError):
        return ast.Module([], []), ()


def nested_code(code: CodeType, node: FunctionNode) -> CodeType | None:
    """Return the code, within another, of a function defined there, or None if it cannot be identified."""
    codes = [made for made in codes_within(code) if _matches(node, made)]
    return codes[0] if len(codes) == 1 else None


def _matches(node: FunctionNode, code: CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and node.lineno == code.co_firstlineno
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return node.name == code.co_name and first == code.co_firstlineno


def same_code(left: CodeType, right: CodeType) -> bool:
    """Return whether two code objects are the same in instructions, names, lines and constants (with types)."""
    if (left.co_code, left.co_names, left.co_varnames, left.co_freevars, left.co_flags, left.co_firstlineno) != (
        right.co_code,
        right.co_names,
        right.co_varnames,
        right.co_freevars,
        right.co_flags,
        right.co_firstlineno,
    ):
        return False
    return len(left.co_consts) == len(right.co_consts) and all(
        same_code(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else type(a) is type(b) and a == b
        for a, b in zip(left.co_consts, right.co_consts, strict=True)
    )


def _functions_reached(rep_ok: Callable[..., Any]) -> list[FunctionType]:
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
    functions = _functions_reached(rep_ok)
    named = [function.__globals__.get(name) for function in functions for name in names_of(function.__code__)]
    return any(map(_is_dedicated, [rep_ok, *functions, *named]))


def _is_dedicated(value: Any) -> bool:
    module = vars(value).get("__module__") if isinstance(value, type) else getattr(value, "__module__", None)
    own = value.__globals__.get("__name__") if isinstance(value, FunctionType) else None
    return any(str(name).startswith("harness.kernel.specs.dedicated") for name in (module, own))
