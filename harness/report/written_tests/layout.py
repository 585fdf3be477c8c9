"""Lays statements out like a formatter: no line is too long, and the items of long brackets have a line each."""

from __future__ import annotations

import ast

WIDTH = 88
"""Letters of a line, as formatters have it where nothing else is said."""

INDENT = "    "


def laid_out(statement: str, depth: int = 1) -> list[str]:
    """Return the lines of a statement that was written in one line; of a `for`, only those of its head.

    A statement that is too long is broken up in its last brackets. A comma follows each item, so that formatters with
    longer lines keep the layout. A statement without such brackets is put into parentheses if that is enough.
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
    """Return the collection or call at the end of a statement if it has items, else None."""
    expression = tree
    if isinstance(expression, ast.For):
        expression = expression.iter
    elif isinstance(expression, ast.Assert):
        expression = expression.test
    elif isinstance(expression, (ast.Expr, ast.Assign)):
        expression = expression.value
    if isinstance(expression, ast.Compare):
        expression = expression.comparators[-1]
    if isinstance(expression, (ast.List, ast.Tuple, ast.Set)) and expression.elts:
        return expression
    if isinstance(expression, ast.Dict) and expression.keys:
        return expression
    if isinstance(expression, ast.Call) and (expression.args or expression.keywords):
        return expression
    return None


def _extent(text: str, inner: ast.expr) -> tuple[int, int, list[str]]:
    """Return where the items in the brackets begin and end, and their sources. The text need not be ASCII."""
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
    """Return the index of a column in the text; Python counts columns in bytes."""
    assert line == 1
    return len(text.encode()[:column].decode())
