"""Decides from the source alone, and cautiously, which expressions may be evaluated again without a visible effect."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import cast

from harness.kernel.program.builtin_effects import (
    ITERATOR_MAKERS,
    REFLECTIVE_BUILTINS,
    RUNNING_TEXT,
    CallEffects,
    named,
)
from harness.mutation.trees import below, children

_BUILTINS = frozenset({"abs", "bool", "isinstance", "len", "max", "min"})
_HARMLESS_SPECIAL = frozenset({"__all__", "__init__", "__post_init__", "__repr__", "__slots__", "__str__"})
_HARMLESS_IMPORTS = frozenset(
    {"__future__", "abc", "collections.abc", "dataclasses", "enum", "typing", "typing_extensions"}
)
_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Attribute, ast.Subscript, ast.Call)
_LEAVES = (ast.Name, ast.Constant)
# With these, attributes and operations can be given a meaning without a `def` or decorator that shows it.
_DYNAMIC = RUNNING_TEXT | named(REFLECTIVE_BUILTINS, CallEffects.SETS_FIELDS) | {"__import__", "globals", "property"}


class Purity:
    """Decides which expressions of one module are pure.

    Names and constants are always pure. Operations, attributes, items and calls of a few builtins are pure unless the
    module could give them another meaning. It could by special methods other than those for construction and display,
    by decorators (properties, descriptors), by imports of classes that may bring such, or by redefining those builtins.
    Imports that are `blocked` bring nothing, and code that is executed only if the module is the main program is
    ignored.
    """

    def __init__(self, tree: ast.Module, blocked: Collection[str] = ()) -> None:
        harmless = _HARMLESS_IMPORTS.union(blocked)
        nodes = list(_executed(tree))
        self._plain = not any(_may_surprise(node, harmless) for node in nodes)
        self._iterators = any(_makes_iterator(node) for node in nodes)
        self._shows = any(isinstance(node, ast.FunctionDef) and node.name in ("__repr__", "__str__") for node in nodes)

    def pure(self, expression: ast.AST) -> bool:
        """Return whether evaluating the expression has no effect but its value (or exception)."""
        return all(self._allowed(node) for node in _values(expression))

    def _allowed(self, node: ast.AST) -> bool:
        if isinstance(node, _LEAVES):
            return True
        if not (self._plain and isinstance(node, _OPERATIONS)):
            return False
        if isinstance(node, ast.Call):
            return self._harmless_call(node)
        if isinstance(node, ast.Compare):  # `in` takes from an iterator
            return not (self._iterators and any(isinstance(operator, ast.In | ast.NotIn) for operator in node.ops))
        if isinstance(node, ast.BinOp):  # "%s" % value
            return not (self._shows and isinstance(node.op, ast.Mod))
        return not (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice))

    def _harmless_call(self, call: ast.Call) -> bool:
        if not (isinstance(call.func, ast.Name) and call.func.id in _BUILTINS) or call.keywords:
            return False
        return not (self._iterators and call.func.id in ("max", "min") and len(call.args) == 1)


def _values(expression: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below that have a value or do something, so not operators and contexts."""
    for node in below(expression):
        if isinstance(node, (ast.expr, ast.stmt, ast.comprehension)):
            yield node


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the node and those below, without code that is executed only if the module is the main program."""
    work = [node]
    while work:
        current = work.pop()
        yield current
        for child in children(current):
            if isinstance(child, ast.If) and _is_program(child.test):
                work += child.orelse
            else:
                work.append(child)


def _is_program(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and ast.unparse(test) == "__name__ == '__main__'"


def _may_surprise(node: ast.AST, harmless: frozenset[str]) -> bool:
    if not isinstance(node, ast.Name) and any(_is_special(name) for name in _bound(node)):
        return True
    if not isinstance(node, ast.Attribute) and not _BUILTINS.isdisjoint(_bound(node)):
        return True
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return any(not _harmless_decorator(decorator) for decorator in node.decorator_list)
    if isinstance(node, ast.ClassDef):
        # A metaclass; a special method that is assigned.
        return bool(node.keywords) or any(
            _is_special(name) for inner in ast.walk(node) if isinstance(inner, ast.Name) for name in _bound(inner)
        )
    if isinstance(node, ast.Import):
        return any(alias.name not in harmless for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return node.module not in harmless
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "type":
        return len(node.args) != 1
    return isinstance(node, ast.Name) and node.id in _DYNAMIC


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names and attributes that the node itself binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield node.asname or node.name
    elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
        yield node.attr
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and name not in _HARMLESS_SPECIAL


def _makes_iterator(node: ast.AST) -> bool:
    if isinstance(node, ast.Name):
        return node.id in ITERATOR_MAKERS
    if isinstance(node, ast.Attribute):
        return _is_special(node.attr)
    return isinstance(node, (ast.GeneratorExp, ast.Yield, ast.YieldFrom, ast.Await))


def _harmless_decorator(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id in {"staticmethod", "classmethod"}


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


def _is_boolean(node: ast.expr) -> bool:
    """Return whether the value, if there is one, is True or False in a module without special methods."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_boolean, node.values))
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
