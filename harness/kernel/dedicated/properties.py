"""Dedicated generators for properties of whole structures: trees, acyclicity, order, difference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from harness.kernel.dedicated.basic import IsNew, field, is_in, less, not_
from harness.kernel.dedicated.condition import Condition, Field, Procedure


def is_tree(root: Any, fields: Sequence[str]) -> Condition:
    """Whether the objects reachable from `root` along `fields` form a tree: none is met twice.

    Level by level from the root, each object's fields in the order given. None is an empty tree.
    """
    return _IsTree(root, _names(fields))


def is_acyclic(root: Any, fields: Sequence[str]) -> Condition:
    """Whether no object reachable from `root` along `fields` leads back to itself; it may be met on several ways.

    Depth first, each object's fields in the order given. None is acyclic.
    """
    return _IsAcyclic(root, _names(fields))


def is_sorted(items: Iterable[Any], *, strict: bool = False) -> Condition:
    """Whether no item is smaller than the one before; with `strict`, nor equal to it.

    Args:
        items: a list, or values and fields that are asked for one by one, as a generator makes them.
    """
    return _IsSorted(items, strict)


def all_different(items: Iterable[Any]) -> Condition:
    """Whether no two items are equal; `items` as for `is_sorted`."""
    return _AllDifferent(items)


class _IsTree(Procedure):
    __slots__ = ("_fields", "_root")

    def __init__(self, root: Any, fields: tuple[str, ...]) -> None:
        self._root = root
        self._fields = fields

    def steps(self) -> Iterator[Condition]:
        if self._root is None:
            return
        known = {id(self._root)}
        agenda = [self._root]
        for node in agenda:  # grows while it is walked
            for name in self._fields:
                link = field(node, name)
                yield IsNew(link, known)
                child = link.read()
                if child is not None:
                    known.add(id(child))
                    agenda.append(child)


class _IsAcyclic(Procedure):
    __slots__ = ("_fields", "_root")

    def __init__(self, root: Any, fields: tuple[str, ...]) -> None:
        self._root = root
        self._fields = fields

    def steps(self) -> Iterator[Condition]:
        if self._root is None:
            return
        done: set[int] = set()
        path = {id(self._root)}
        above = [(self._root, iter(self._fields))]
        while above:
            node, names = above[-1]
            name = next(names, None)
            if name is None:
                above.pop()
                path.discard(id(node))
                done.add(id(node))
                continue
            link = field(node, name)
            yield IsNew(link, path)
            child = link.read()
            if child is not None and id(child) not in done:
                path.add(id(child))
                above.append((child, iter(self._fields)))


class _IsSorted(Procedure):
    __slots__ = ("_items", "_strict")

    def __init__(self, items: Iterable[Any], strict: bool) -> None:
        self._items = items
        self._strict = strict

    def steps(self) -> Iterator[Condition]:
        operands = _operands(self._items)
        last = next(operands, None)
        for item in operands:
            yield less(last, item) if self._strict else not_(less(item, last))
            last = item


class _AllDifferent(Procedure):
    __slots__ = ("_items",)

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items

    def steps(self) -> Iterator[Condition]:
        met: list[Any] = []
        for item in _operands(self._items):
            yield not_(is_in(item, met))
            met.append(item.read() if isinstance(item, Field) else item)


def _operands(items: Iterable[Any]) -> Iterator[Any]:
    if isinstance(items, list):
        return (field(items, position) for position in range(len(items)))
    return iter(items)


def _names(fields: Sequence[str]) -> tuple[str, ...]:
    if isinstance(fields, str) or not all(isinstance(name, str) for name in fields):
        raise TypeError(f"fields are given as a sequence of names, as in ('left', 'right'), not {fields!r}")
    return tuple(fields)
