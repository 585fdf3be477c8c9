"""Symbolic indices of lists: each access is compared with the bounds first, and then with each index within them.

A list written in C would ask an index for its number, which would pin it although other numbers are possible. So each
`a[i]` of a program's source becomes `array(a)[i]`, where `array` wraps a list or tuple in an `Access`.
"""

from __future__ import annotations

import ast
from typing import Any

from harness.generators.symbolic.rewriting import OutsideAnnotations
from harness.generators.symbolic.values import isinstance_of

ARRAY = "__mutascope_array__"


class Access:
    """A list or tuple that is about to be accessed."""

    __slots__ = ("_items",)

    def __init__(self, items: Any) -> None:
        self._items = items

    def __getitem__(self, index: Any) -> Any:
        return self._items[place_of(self._items, index) if isinstance_of(index) else index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self._items[place_of(self._items, index) if isinstance_of(index) else index] = value

    def __delitem__(self, index: Any) -> None:
        del self._items[place_of(self._items, index) if isinstance_of(index) else index]


def array(owner: Any) -> Any:
    """Return the object to make an access on: an `Access` for a list or tuple, else the owner itself."""
    return Access(owner) if type(owner) is list or type(owner) is tuple else owner


def place_of(items: Any, index: Any) -> int:
    """Find the number that a symbolic index has, by comparing it with the bounds and then with each index within."""
    count = len(items)
    if index >= count or index < -count:
        return count  # out of range: the list itself raises the error
    at = 0 if index >= 0 else -count
    while not index == at:  # noqa: SIM201 - the last one follows from the bounds
        at += 1
    return at


class ArrayAccesses(OutsideAnnotations):
    """Inserts the call of `array` around each owner of an access."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        name = ast.copy_location(ast.Name(ARRAY, ast.Load()), node.value)
        node.value = ast.copy_location(ast.Call(name, [node.value], []), node.value)
        return node
