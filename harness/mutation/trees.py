"""Walks and copies trees of the standard library's `ast` several times as fast as the library's own functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, TypeVar

from harness.kernel.program.splice import line_starts
from harness.model.outcome import Location

_NodeT = TypeVar("_NodeT", bound=ast.AST)
_OPERATORS = frozenset({"ctx", "op", "ops"})
_FIELDS: dict[type, tuple[str, ...]] = {}
"""The fields that may hold nodes, by the classes seen so far."""

_DRAWING = {"all", "any", "dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple", "''.join"}


def children(node: ast.AST) -> list[ast.AST]:
    """Return the same nodes as `ast.iter_child_nodes`, without operators and contexts, which hold no other nodes."""
    nodes: list[ast.AST] = []
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _OPERATORS)
    for name in names:
        held = getattr(node, name, None)
        if isinstance(held, ast.AST):
            nodes.append(held)
        elif isinstance(held, list):
            nodes += [item for item in held if isinstance(item, ast.AST)]
    return nodes


def below(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the node and the nodes below it, like `ast.walk`, but in another order, without operators and contexts."""
    work = [node]
    while work:
        current = work.pop()
        yield current
        work += children(current)


def copied(node: _NodeT, instead: dict[int, Any]) -> _NodeT:
    """Return a copy of all nodes below a node, where nodes whose `id` is in `instead` are replaced by other trees."""
    replacement = instead.get(id(node))
    if replacement is not None:
        return replacement  # type: ignore[no-any-return]
    copy = type(node).__new__(type(node))
    for name, held in vars(node).items():
        if isinstance(held, list):
            held = [copied(item, instead) if isinstance(item, ast.AST) else item for item in held]
        elif isinstance(held, ast.AST) and name not in _OPERATORS:
            held = copied(held, instead)
        setattr(copy, name, held)
    return copy


def closures(node: ast.AST, closure: ast.AST | None = None, inner: bool = False) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield each node within a function that has no name in its module, with the outermost such function.

    Wherever such a function is compared, its code is, so it may show a mutant that no input executes. Those that are
    used up on the spot never are: sort keys, and generators that a call such as `sum` draws.
    """
    for child in ast.iter_child_nodes(node):
        if closure is not None:
            yield child, closure
        is_function = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
        is_closure = isinstance(child, (ast.Lambda, ast.GeneratorExp)) or (inner and is_function)
        begins = closure is None and is_closure and not _is_used_up(child, node)
        yield from closures(child, child if begins else closure, inner or is_function)


def _is_used_up(function: ast.AST, within: ast.AST) -> bool:
    if isinstance(within, ast.keyword):
        return within.arg == "key"
    return (
        isinstance(within, ast.Call) and isinstance(function, ast.GeneratorExp) and ast.unparse(within.func) in _DRAWING
    )


PositionedNode = ast.expr | ast.stmt


class Positions:
    """Locations of `ast` nodes of one source text; `ast` counts columns in UTF-8 bytes."""

    def __init__(self, source: str) -> None:
        starts = [*line_starts(source), len(source)]
        self._lines = [source[start:end] for start, end in pairwise(starts)]
        self._ascii = [line.isascii() for line in self._lines]

    def location(self, node: PositionedNode) -> Location:
        """Return the node's span, without parentheses around it."""
        end_line = node.end_lineno or node.lineno
        return Location(
            node.lineno,
            self._column(node.lineno, node.col_offset),
            end_line,
            self._column(end_line, node.end_col_offset or 0),
        )

    def _column(self, line: int, offset: int) -> int:
        if self._ascii[line - 1]:
            return offset
        return len(self._lines[line - 1].encode()[:offset].decode())


def contains(outer: Location, inner: Location) -> bool:
    """Return whether `inner` lies within `outer`."""
    return (outer.line, outer.column) <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= (
        outer.end_line,
        outer.end_column,
    )
