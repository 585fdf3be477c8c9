"""Which expressions may be evaluated once more without anybody noticing; told from the text alone, cautiously."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

_BUILTINS = frozenset({"abs", "bool", "isinstance", "len", "max", "min"})
_HARMLESS_SPECIAL = frozenset({"__init__", "__post_init__", "__new__", "__repr__", "__str__"})
_HARMLESS_IMPORTS = frozenset({"__future__", "abc", "dataclasses", "enum", "typing", "typing_extensions"})
_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Attribute, ast.Subscript, ast.Call)
_LEAVES = (ast.Name, ast.Constant)


class Purity:
    """Judges expressions of one module.

    Names and constants are always pure. Operations, attributes, items and calls of a few builtins
    are pure in a module whose objects cannot have them do anything else: no special methods but
    construction and display, no decorators (properties, descriptors), no imports of classes
    that might bring such, none of those builtins redefined. Imports that are `blocked` bring nothing.
    """

    def __init__(self, tree: ast.Module, blocked: Collection[str] = ()) -> None:
        harmless = _HARMLESS_IMPORTS.union(blocked)
        self._plain = not any(_may_surprise(node, harmless) for node in ast.walk(tree))

    def pure(self, expression: ast.AST) -> bool:
        """Whether evaluating the expression has no effect but its value (or exception)."""
        return all(self._allowed(node) for node in _values(expression))

    def _allowed(self, node: ast.AST) -> bool:
        if isinstance(node, _LEAVES):
            return True
        if not (self._plain and isinstance(node, _OPERATIONS)):
            return False
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id in _BUILTINS and not node.keywords
        return not (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice))


def _values(expression: ast.AST) -> Iterator[ast.AST]:
    """The nodes below that have a value or do something: not operators and contexts."""
    for node in ast.walk(expression):
        if isinstance(node, (ast.expr, ast.stmt, ast.comprehension)):
            yield node


def _may_surprise(node: ast.AST, harmless: frozenset[str]) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        special = node.name.startswith("__") and node.name.endswith("__")
        if (special and node.name not in _HARMLESS_SPECIAL) or node.name in _BUILTINS:
            return True
        return any(not _harmless_decorator(decorator) for decorator in node.decorator_list)
    if isinstance(node, ast.Import):
        return any(alias.name not in harmless for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return node.module not in harmless
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in _BUILTINS


def _harmless_decorator(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id in {"staticmethod", "classmethod"}
