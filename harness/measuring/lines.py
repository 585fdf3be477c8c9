"""Assigns lines to functions, so that counts that coverage.py makes by line can be separated by function."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping

from harness.errors import SourceError

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def own_lines(source: str, functions: Mapping[str, tuple[int, int]]) -> dict[str, frozenset[int]]:
    """Return the lines of each function's own statements, by qualified name.

    Args:
        source: the module's text.
        functions: first line (that of `def`, decorators apart) and last line by qualified name.

    A function's lines are those of its body without its docstring, because code outside the function executes its `def`
    and decorators. Functions within it have their own entries, added after it as `outer.<locals>.inner`; their `def` is
    the outer one's statement. Comprehensions and lambdas are part of the statement they stand in. So is an inner
    function written on one line, because coverage by lines cannot separate it from its definition.

    Raises:
        SourceError: the source does not parse.
        ValueError: a span is not that of a function.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise SourceError(f"the source does not parse, line {error.lineno}: {error.msg}; correct it") from None
    nodes = {(node.lineno, node.end_lineno): node for node in ast.walk(tree) if isinstance(node, _Function)}
    named: dict[_Function, str] = {}
    for name, span in functions.items():
        if span not in nodes:
            raise ValueError(f"{name}: no function stands on lines {span[0]} to {span[1]}")
        named[nodes[span]] = name
    texts = source.split("\n")
    within = {inner for function in nodes.values() for inner, _ in _inner_functions(function)}
    own: dict[str, frozenset[int]] = {}
    for outer, name in named.items():
        own[name] = _own_lines(outer, outer in within, texts)
        for inner, path in _inner_functions(outer, named):
            lines = _own_lines(inner, True, texts)
            if lines and inner not in named:
                key = f"{name}.<locals>.{path}"
                own[key] = own.get(key, frozenset()) | lines
    return own


def inline_definitions(source: str) -> frozenset[int]:
    """Return the lines of the functions and classes whose body stands after the colon.

    On these lines, coverage.py takes the end of the inner code for a second exit of the line, which is no branch.
    """
    texts = source.split("\n")
    return frozenset(
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, _Function | ast.ClassDef) and _is_inline(node, texts)
    )


def _own_lines(function: _Function, inner: bool, texts: list[str]) -> frozenset[int]:
    body = function.body[int(ast.get_docstring(function, clean=False) is not None) :]
    if _is_inline(function, texts):  # coverage.py knows one line for both, that of `def`
        return frozenset() if inner else frozenset({function.lineno})
    own = _lines(body)
    for within, _ in _inner_functions(function):
        if not _is_inline(within, texts):
            own -= _lines(within.body)
    return own


def _lines(body: list[ast.stmt]) -> frozenset[int]:
    if not body:
        return frozenset()
    start = min([body[0].lineno, *(node.lineno for node in getattr(body[0], "decorator_list", []))])
    return frozenset(range(start, (body[-1].end_lineno or body[-1].lineno) + 1))


def _is_inline(definition: _Function | ast.ClassDef, texts: list[str]) -> bool:
    """Return whether the body stands after the colon, on the same line."""
    first = definition.body[0]
    return bool(texts[first.lineno - 1].encode()[: first.col_offset].strip())


def _inner_functions(outer: _Function, stop: Container[_Function] = ()) -> Iterator[tuple[_Function, str]]:
    """Yield the functions below `outer` at any depth, but not below those in `stop`, with qualified names."""
    work: list[tuple[ast.AST, str]] = [(node, "") for node in reversed(outer.body)]
    while work:
        node, prefix = work.pop()
        if isinstance(node, _Function):
            yield node, f"{prefix}{node.name}"
            if node in stop:
                continue
            prefix = f"{prefix}{node.name}.<locals>."
        elif isinstance(node, ast.ClassDef):
            prefix = f"{prefix}{node.name}."
        work.extend((child, prefix) for child in reversed(list(ast.iter_child_nodes(node))))
