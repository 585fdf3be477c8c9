"""Writes values and statements as source: plain values, special methods with operators, and long lines broken up."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from harness.kernel.specs.tokens import Token
from harness.model.literals import displayed, value_source

WIDTH = 88
"""The greatest length of a line whose brackets can be broken up."""

INDENT = "    "

_ATOMS = (type(None), bool, int, float, str, bytes, complex)
_OPERATORS = {
    "__getitem__": "{held}[{0}]",
    "__setitem__": "{held}[{0}] = {1}",
    "__delitem__": "del {held}[{0}]",
    "__contains__": "{0} in {held}",
    "__len__": "len({held})",
}


def plain_source(value: Any, tokens: Mapping[Token, str]) -> str | None:
    """Return the source of an atom, a named token, or a collection of these; None for other values, including nan.

    Equal values have the same source, since members of sets are ordered by their sources.
    """
    kind = type(value)
    if kind in _ATOMS:
        return None if value != value else quoted(value_source(value))
    if isinstance(value, Token):
        return tokens.get(value)
    if kind not in (list, tuple, dict, set, frozenset):
        return None
    items = [*value, *value.values()] if kind is dict else value
    if any(plain_source(item, tokens) is None for item in items):
        return None
    return displayed(value, lambda item: str(plain_source(item, tokens)))


def quoted(source: str) -> str:
    """Return the same source with double quotes around strings, unless one of them has a quote or a backslash in it."""
    return source if '"' in source or "\\" in source else source.replace("'", '"')


def as_operators(expression: str) -> str:
    """Return the call of a special method with operators: `cache[1]` for `cache.__getitem__(1)`; `[]` for `list()`."""
    if expression == "list()":
        return "[]"
    tree = ast.parse(expression, mode="eval").body
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Attribute) or tree.keywords:
        return expression
    form = _OPERATORS.get(tree.func.attr)
    if form is None or len(tree.args) != form.count("{0}") + form.count("{1}"):
        return expression
    arguments = [ast.get_source_segment(expression, argument) for argument in tree.args]
    return form.format(*arguments, held=ast.get_source_segment(expression, tree.func.value))


def laid_out(statement: str, depth: int = 1) -> list[str]:
    """Return the lines of a statement. If it is too long and ends with brackets, each item in them has its own line."""
    indent = INDENT * depth
    items = _last_items(statement) if len(indent) + len(statement) > WIDTH else []
    if not items:
        return [indent + statement]
    start, _, end = statement.rpartition(", ".join(items))
    return [indent + start, *(f"{indent}{INDENT}{item}," for item in items), indent + end.lstrip(",")]


def _last_items(statement: str) -> list[str]:
    """Return the sources of the items in the list, tuple, set, dict or call that ends a statement; none without one."""

    def segment(part: Any) -> str:
        return str(ast.get_source_segment(statement, part))

    tree: Any = ast.parse(statement).body[0]
    tree = tree.test if isinstance(tree, ast.Assert) else getattr(tree, "value", None)
    if isinstance(tree, ast.Compare):
        tree = tree.comparators[-1]
    if isinstance(tree, ast.Dict):
        pairs = zip(tree.keys, tree.values, strict=True)
        return [": ".join(map(segment, pair)) for pair in pairs]
    items = [*tree.args, *tree.keywords] if isinstance(tree, ast.Call) else getattr(tree, "elts", [])
    return list(map(segment, items))
