"""The base of all rewriting of a program's source, which leaves annotations and base classes unchanged."""

from __future__ import annotations

import ast


class OutsideAnnotations(ast.NodeTransformer):
    """Changes code, and leaves annotations and the bases of classes as they are."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Leave the annotation as it is."""
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        bases, node.bases = node.bases, []
        self.generic_visit(node)
        node.bases = bases
        return node
