"""Decides which statements can be left out of a function so that Java's compiler would still accept it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from harness.mutation.bindings import Place, bound_names, values_lost
from harness.mutation.program import Function, FunctionNode

_Scope = FunctionNode | ast.Lambda
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def can_do_without(function: Function, place: Place) -> bool:
    """Return whether the statement that begins at `place` in `function` can be left out.

    A variable that surely has a value where it is used must still have one there. The same holds for the fields at the
    end of `__init__`. The variables of each scope stay the same, generators stay generators, and no definition is left
    out.
    """
    statement = next(n for n in ast.walk(function.node) if isinstance(n, ast.stmt) and _place(n) == place)
    if any(isinstance(node, _DEFINITIONS) for node in ast.walk(statement)):
        return False
    nothing = ast.copy_location(ast.Pass(), statement)
    changed: FunctionNode = copy.deepcopy(function.node, {id(statement): nothing})
    before = {_place(scope): _kind(scope) for scope in _scopes(function.node)}
    if any(before[_place(scope)] != _kind(scope) for scope in _scopes(changed)):
        return False
    return not values_lost(function.node, changed, function.constructed)


def _place(node: ast.stmt | ast.Lambda) -> Place:
    return node.lineno, node.col_offset


def _scopes(function: FunctionNode) -> Iterator[_Scope]:
    """Return the function, and the functions and lambdas within it."""
    return (node for node in ast.walk(function) if isinstance(node, _SCOPES))


def _kind(scope: _Scope) -> tuple[frozenset[str], bool]:
    """Return the variables of a scope, and whether calling it makes a generator."""
    return bound_names(scope), any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own(scope))


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, _SCOPES):
            yield child
            yield from _own(child)
