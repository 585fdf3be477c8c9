"""Writes calls of special methods with operators: `cache[1]` for `cache.__getitem__(1)`."""

from __future__ import annotations

import ast

_FORMS = {
    "__getitem__": "{held}[{0}]",
    "__setitem__": "{held}[{0}] = {1}",
    "__delitem__": "del {held}[{0}]",
    "__contains__": "{0} in {held}",
    "__len__": "len({held})",
}


def as_operators(expression: str) -> str:
    """Return the expression, or an equivalent statement with operators; `[]` for `list()`."""
    tree = ast.parse(expression, mode="eval").body
    if expression == "list()":
        return "[]"
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Attribute) or tree.keywords:
        return expression
    form = _FORMS.get(tree.func.attr)
    if form is None or len(tree.args) != form.count("{0}") + form.count("{1}"):
        return expression
    arguments = [ast.get_source_segment(expression, argument) for argument in tree.args]
    return form.format(*arguments, held=ast.get_source_segment(expression, tree.func.value))
