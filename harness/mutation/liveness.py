"""Decides whether a variable's value is ever read again after one of its uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from harness.kernel.program.builtin_effects import LOOKING_AT_VARIABLES
from harness.mutation.bindings import Place, bound_names
from harness.mutation.program import FunctionNode

_INNER = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_last_use(function: FunctionNode, name: str, place: Place) -> bool:
    """Return whether `function` surely never reads the variable `name` again after it has read it at `place`.

    The answer is cautious. It is True only if the use lies in no loop, all other uses stand before the statement that
    holds it, and no scope within the function knows the name. Without a loop around them, statements are never followed
    by earlier ones.
    """
    if name not in bound_names(function):
        return False
    for node in ast.walk(function):
        if node is not function and isinstance(node, _INNER) and name in _names(node):
            return False
    if not LOOKING_AT_VARIABLES.isdisjoint(_names(function)):
        return False
    statement: ast.stmt | None = None
    for outer in _around(function, place):
        if isinstance(outer, _LOOPS):
            return False
        statement = outer
    if statement is None:
        return False
    start = statement.lineno, statement.col_offset
    return all(at == place or at < start for at in _uses(function, name))


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _around(function: FunctionNode, place: Place) -> Iterator[ast.stmt]:
    """Yield the statements that hold the place, outer ones first."""
    for node in ast.walk(function):  # level by level
        if isinstance(node, ast.stmt) and node is not function:
            end = node.end_lineno or node.lineno, node.end_col_offset or 0
            if (node.lineno, node.col_offset) <= place < end:
                yield node


def _uses(function: FunctionNode, name: str) -> Iterator[Place]:
    """Yield the places where the variable is read, augmented or deleted."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Store):
            yield node.lineno, node.col_offset
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield node.target.lineno, node.target.col_offset
