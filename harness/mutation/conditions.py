"""Finds the comparisons and conditions around an expression, through which alone its value has an effect."""

from __future__ import annotations

import ast
from typing import cast

from harness.mutation.purity import Purity
from harness.mutation.trees import below, children, copied


class Conditions:
    """The comparisons and conditions of one module."""

    def __init__(self, tree: ast.Module, purity: Purity) -> None:
        self._purity = purity
        self._parents = {child: node for node in below(tree) for child in children(node)}

    def around(self, node: ast.AST) -> ast.AST:
        """Return the largest comparison or condition without side effects that holds `node`, or else `node` itself.

        Its value is True or False, or only its truth is used. So the value is the same wherever `node` has the same
        value, and often where `node` has another value.
        """
        largest = node
        while isinstance(node, ast.expr) and self._purity.pure(node):
            if _is_boolean(node) or self.only_truth_counts(node):
                largest = node
            node = self._parents[node]
        return largest

    def only_truth_counts(self, node: ast.AST) -> bool:
        """Return whether only the truth of the expression is used, and testing its truth has no side effect."""
        negation = ast.UnaryOp(ast.Not(), cast(ast.expr, node))
        return isinstance(node, ast.expr) and self._is_condition(node) and self._purity.pure(negation)

    def _is_condition(self, node: ast.expr) -> bool:
        parent = self._parents[node]
        if isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            return parent.test is node
        if isinstance(parent, ast.BoolOp):
            return self._is_condition(parent)
        return isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)


def with_variant(around: ast.AST, node: ast.AST, variant: ast.AST) -> ast.AST:
    """Return a copy of `around` with `variant` instead of `node`."""
    return copied(around, {id(node): variant})


def _is_boolean(node: ast.expr) -> bool:
    """Return whether the value, if there is one, is True or False in a module without special methods."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_boolean, node.values))
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
