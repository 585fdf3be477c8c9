"""Answers what a proxy cannot answer itself: which object it is (`is`), and of which class it is (`type`).

So `a is b` in a program's source becomes `same(a, b)`, and `type(a)` becomes `kind(type, a)`.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

from harness.generators.symbolic.rewriting import OutsideAnnotations
from harness.generators.symbolic.values import isinstance_of

SAME, KIND, KIND_OF = "__mutascope_same__", "__mutascope_kind__", "__mutascope_kind_of__"
_LEAST, _GREATEST = -5, 256
"""The range of integers of which CPython has only one object each."""


def same(one: Any, other: Any) -> bool:
    """Return whether two values are the same object (`is`), as equal small integers are."""
    if one is other:
        return True
    if not isinstance_of(one):
        one, other = other, one
    if not isinstance_of(one) or not (type(other) is int or isinstance_of(other)):
        return False
    return bool(one == other) and bool(other >= _LEAST) and bool(other <= _GREATEST)


def kind(function: Any, value: Any) -> Any:
    """Return `type(value)`, which is int for a symbolic value, if the program's name `type` means the builtin."""
    return int if function is type and isinstance_of(value) else function(value)


def kind_of(function: Any) -> Any:
    """Return a function that calls `kind` on each value."""
    return partial(kind, type) if function is type else function


class Identities(OutsideAnnotations):
    """Replaces `is` by `same` if both sides may be integers, and `type` by `kind`."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            return node
        sides = [node.left, node.comparators[0]]
        if any(isinstance(side, ast.Constant) and type(side.value) is not int for side in sides):
            return node
        called: ast.expr = _call(node, SAME, *sides)
        return called if isinstance(node.ops[0], ast.Is) else ast.copy_location(ast.UnaryOp(ast.Not(), called), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if _is_name(node.func, "type"):
            if len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred):
                return _call(node, KIND, node.func, node.args[0])
        elif _is_name(node.func, "map") and node.args:
            node.args[0] = _applied(node.args[0])
        for keyword in node.keywords:
            if keyword.arg == "key":
                keyword.value = _applied(keyword.value)
        return node


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _applied(function: ast.expr) -> ast.expr:
    """Return a function in a form that can be applied to symbolic values."""
    return _call(function, KIND_OF, function) if _is_name(function, "type") else function


def _call(at: ast.AST, name: str, *arguments: ast.expr) -> ast.Call:
    function = ast.copy_location(ast.Name(name, ast.Load()), at)
    return ast.copy_location(ast.Call(function, list(arguments), []), at)
