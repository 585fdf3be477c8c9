"""Ways through trees of the standard library's `ast`, which its own take several times as long for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, TypeVar

_NodeT = TypeVar("_NodeT", bound=ast.AST)
_OPERATORS = frozenset({"ctx", "op", "ops"})
_FIELDS: dict[type, tuple[str, ...]] = {}
"""Those that may hold nodes, of classes that have been met."""


def children(node: ast.AST) -> list[ast.AST]:
    """As `ast.iter_child_nodes`, without operators and contexts, which hold nothing."""
    found: list[ast.AST] = []
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(name for name in kind._fields if name not in _OPERATORS)
    for name in names:
        held = getattr(node, name, None)
        if isinstance(held, ast.AST):
            found.append(held)
        elif isinstance(held, list):
            found += [item for item in held if isinstance(item, ast.AST)]
    return found


def below(node: ast.AST) -> Iterator[ast.AST]:
    """As `ast.walk`, without operators and contexts, in another order: the node itself comes first."""
    work = [node]
    while work:
        found = work.pop()
        yield found
        work += children(found)


def copied(node: _NodeT, instead: dict[int, Any]) -> _NodeT:
    """A copy of all below a node, with other trees in the place of those nodes whose `id` is in `instead`."""
    found = instead.get(id(node))
    if found is not None:
        return found  # type: ignore[no-any-return]
    made = type(node).__new__(type(node))
    for name, held in vars(node).items():
        if isinstance(held, list):
            held = [copied(item, instead) if isinstance(item, ast.AST) else item for item in held]
        elif isinstance(held, ast.AST) and name not in _OPERATORS:
            held = copied(held, instead)
        setattr(made, name, held)
    return made
