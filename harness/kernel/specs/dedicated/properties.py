"""Provides dedicated generators for whole structures: trees, acyclicity, order, difference, and own requirements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import Any, ParamSpec

from harness.kernel.specs.dedicated.condition import Condition, Evaluation, Field, Procedure, field, is_in, less, not_

P = ParamSpec("P")


def is_tree(root: Any, fields: Sequence[str]) -> Condition:
    """Return the condition that the objects reachable from `root` along `fields` form a tree: none is met twice.

    It goes level by level from the root, each object's fields in the order given. None is an empty tree.
    """
    return _IsTree(root, fields)


def is_acyclic(root: Any, fields: Sequence[str]) -> Condition:
    """Return the condition that no object reachable from `root` along `fields` leads back to itself.

    An object may be met on several ways. It goes depth first, each object's fields in the order given. None is acyclic.
    """
    return _IsAcyclic(root, fields)


def is_sorted(items: Iterable[Any], *, strict: bool = False) -> Condition:
    """Return the condition that no item is smaller than the one before; with `strict`, nor equal to it.

    Args:
        items: a list, or values and fields that are made one by one, by a generator.
    """
    return _Each(_sorted_steps, items, strict)


def all_different(items: Iterable[Any]) -> Condition:
    """Return the condition that no two items are equal; `items` as for `is_sorted`."""
    return _Each(_different_steps, items)


def requirements(function: Callable[P, Iterator[Condition | bool]]) -> Callable[P, Condition]:
    """Decorate a generator of conditions, so that it returns the condition that every one it yields holds, one by one.

        @requirements
        def rep_ok(tree):
            yield is_tree(tree.root, ("left", "right"))
            yield equal(field(tree, "size"), count(tree.root))

    Such a predicate promises the search that each yielded condition is required; nothing else has to be found out.
    """

    @wraps(function)
    def condition(*arguments: P.args, **named: P.kwargs) -> Condition:
        return _Each(function, *arguments, **named)

    return condition


class _Walk(Procedure):
    """A check of the objects that are reachable from a root along some fields."""

    __slots__ = ("_fields", "_root")

    def __init__(self, root: Any, fields: Sequence[str]) -> None:
        if isinstance(fields, str) or not all(isinstance(name, str) for name in fields):
            raise TypeError(f"fields are given as a sequence of names, as in ('left', 'right'), not {fields!r}")
        self._root = root
        self._fields = tuple(fields)


class _IsTree(_Walk):
    __slots__ = ()

    def run(self, evaluation: Evaluation) -> bool:
        if self._root is None:
            return True
        node = self._root
        known_ids = {id(node)}
        agenda = [node]

        def is_new(value: Any) -> bool:
            return id(value) not in known_ids

        # Only a field of the present node counts: a wrapper's property may read fields of others.
        with evaluation.announced(lambda owner, _: is_new if owner is node else None):
            for node in agenda:  # grows while it is walked
                for name in self._fields:
                    child = getattr(node, name)
                    if child is not None:
                        if id(child) in known_ids:
                            return False
                        known_ids.add(id(child))
                        agenda.append(child)
        return True


class _IsAcyclic(_Walk):
    __slots__ = ()

    def run(self, evaluation: Evaluation) -> bool:
        if self._root is None:
            return True
        node = self._root
        done: set[int] = set()
        path = {id(node)}
        above = [(node, iter(self._fields))]

        def is_off_path(value: Any) -> bool:
            return id(value) not in path

        with evaluation.announced(lambda owner, _: is_off_path if owner is node else None):
            while above:
                node, names = above[-1]
                name = next(names, None)
                if name is None:
                    above.pop()
                    path.discard(id(node))
                    done.add(id(node))
                    continue
                child = getattr(node, name)
                if id(child) in path:
                    return False
                if child is not None and id(child) not in done:
                    path.add(id(child))
                    above.append((child, iter(self._fields)))
        return True


class _Each(Procedure):
    """A condition that all of several conditions, made one by one, hold."""

    __slots__ = ("_arguments", "_function", "_named")

    def __init__(self, function: Callable[..., Iterator[Condition | bool]], *arguments: Any, **named: Any) -> None:
        self._function = function
        self._arguments = arguments
        self._named = named

    def run(self, evaluation: Evaluation) -> bool:
        return all(map(evaluation.holds, self._function(*self._arguments, **self._named)))


def _sorted_steps(items: Iterable[Any], strict: bool) -> Iterator[Condition]:
    operands = _operands(items)
    last = next(operands, None)
    for item in operands:
        last = _value(last)
        yield less(last, item) if strict else not_(less(item, last))
        last = item


def _different_steps(items: Iterable[Any]) -> Iterator[Condition]:
    earlier_values: list[Any] = []
    for item in _operands(items):
        yield not_(is_in(item, earlier_values))
        earlier_values.append(_value(item))


def _operands(items: Iterable[Any]) -> Iterator[Any]:
    if isinstance(items, list):
        return (field(items, position) for position in range(len(items)))
    return iter(items)


def _value(operand: Any) -> Any:
    return operand.read() if isinstance(operand, Field) else operand
