"""Statements laid out as a formatter would: none longer than a line, with what is in brackets one below another."""

from __future__ import annotations

import ast

WIDTH = 88
"""Letters of a line, as formatters have it where nothing else is said."""

INDENT = "    "


def laid_out(statement: str, depth: int = 1) -> list[str]:
    """The lines of a statement of one line; of a `for`, of its head alone.

    What is too long is broken up in its last brackets, with a comma behind each item, so that formatters with longer
    lines leave it as it is, too. What has no such brackets is put into parentheses if that is enough.
    """
    indent = INDENT * depth
    if len(indent) + len(statement) <= WIDTH:
        return [indent + statement]
    is_head = statement.endswith(":")
    tree = ast.parse(statement + (" pass" if is_head else "")).body[0]
    inner = _last_brackets(tree)
    if inner is None:
        return _parenthesised(statement, indent)
    start, end, items = _extent(statement, inner)
    lines = [indent + statement[:start]]
    for item in items:
        lines += _item(item, depth + 1)
    return [*lines, indent + statement[end:]]


def _item(text: str, depth: int) -> list[str]:
    indent = INDENT * depth
    if len(indent) + len(text) + 1 <= WIDTH:
        return [f"{indent}{text},"]
    expression, key = text, ""
    try:
        tree: ast.AST = ast.parse(text).body[0]
    except SyntaxError:
        key, _, expression = text.partition(": ")  # of a dict
        tree, key = ast.parse(expression).body[0], f"{key}: "
    inner = _last_brackets(tree)
    if inner is None:
        return [f"{indent}{text},"]
    start, end, items = _extent(expression, inner)
    lines = [indent + key + expression[:start]]
    for item in items:
        lines += _item(item, depth + 1)
    return [*lines, f"{indent}{expression[end:]},"]


def _parenthesised(statement: str, indent: str) -> list[str]:
    keyword, _, expression = statement.partition(" ")
    if keyword != "assert":
        return [indent + statement]
    inner = indent + INDENT
    if len(inner) + len(expression) <= WIDTH:
        return [f"{indent}assert (", inner + expression, f"{indent})"]
    tree = ast.parse(expression, mode="eval").body
    if not isinstance(tree, ast.Compare):
        return [indent + statement]
    left = _source(expression, tree.left)
    return [f"{indent}assert (", inner + left, inner + expression[len(left) :].strip(), f"{indent})"]


def _last_brackets(tree: ast.AST) -> ast.expr | None:
    """The collection or call that a statement ends with, if it has items."""
    found = tree
    if isinstance(found, ast.For):
        found = found.iter
    elif isinstance(found, ast.Assert):
        found = found.test
    elif isinstance(found, (ast.Expr, ast.Assign)):
        found = found.value
    if isinstance(found, ast.Compare):
        found = found.comparators[-1]
    if isinstance(found, (ast.List, ast.Tuple, ast.Set)) and found.elts:
        return found
    if isinstance(found, ast.Dict) and found.keys:
        return found
    if isinstance(found, ast.Call) and (found.args or found.keywords):
        return found
    return None


def _extent(text: str, inner: ast.expr) -> tuple[int, int, list[str]]:
    """Where the items in the brackets begin and end, and their sources; of text in ASCII or not."""
    parts: list[ast.expr | ast.keyword]
    if isinstance(inner, ast.Dict):
        pairs = [(key, value) for key, value in zip(inner.keys, inner.values, strict=True) if key is not None]
        items = [f"{_source(text, key)}: {_source(text, value)}" for key, value in pairs]
        parts = [pairs[0][0], pairs[-1][1]]
    else:
        assert isinstance(inner, (ast.Call, ast.List, ast.Tuple, ast.Set))
        parts = [*inner.args, *inner.keywords] if isinstance(inner, ast.Call) else [*inner.elts]
        items = [_source(text, part) for part in parts]
    end = _at(text, parts[-1].end_lineno, parts[-1].end_col_offset)
    return _at(text, parts[0].lineno, parts[0].col_offset), end + text[end:].startswith(","), items


def _source(text: str, node: ast.AST) -> str:
    return ast.get_source_segment(text, node) or ""


def _at(text: str, line: int | None, column: int | None) -> int:
    """The place of a column, which Python counts in bytes."""
    assert line == 1
    return len(text.encode()[:column].decode())
