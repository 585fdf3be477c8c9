"""Reads syntax trees: the nodes of a function without those of the scopes within it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

INNER_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes below the statements of a function, but nothing within its functions, classes and lambdas."""
    for node in body:
        yield node
        if not isinstance(node, INNER_SCOPES):
            yield from own_nodes(ast.iter_child_nodes(node))
