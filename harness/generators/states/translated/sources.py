"""The syntax tree of a function object, proven to be the code that the object executes."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, FunctionType

from harness.generators.states.native.untranslatable import Untranslatable

FunctionNode = ast.FunctionDef | ast.Lambda


def keep_source(filename: str, text: str) -> None:
    """Keeps the text of a file, for `function_tree` and tracebacks: a sandboxed process cannot read the file itself."""
    linecache.cache[filename] = len(text), None, text.splitlines(True), filename


def function_tree(function: FunctionType) -> FunctionNode:
    """The definition of `function`, found in the file that its code names.

    The text there is compiled again and must give the same code: a file that has changed since,
    or instrumentation that rewrites code, would otherwise have something else translated.

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
        return ast.parse(text), tuple(_nested(whole))
    except (SyntaxError, ValueError):
        return ast.Module([], []), ()


def nested_code(code: CodeType, node: FunctionNode) -> CodeType | None:
    """The code, within another, of a function defined there; None where it cannot be told from others."""
    found = [made for made in _nested(code) if _matches(node, made)]
    return found[0] if len(found) == 1 else None


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def _matches(node: FunctionNode, code: CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and node.lineno == code.co_firstlineno
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return node.name == code.co_name and first == code.co_firstlineno


def same_code(left: CodeType, right: CodeType) -> bool:
    """Whether two code objects do the same: instructions, names and constants (of the same types), line by line."""
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
