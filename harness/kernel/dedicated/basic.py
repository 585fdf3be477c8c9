"""Basic dedicated generators and combinators (exhaustive2003, section 5).

Operands are plain values, objects, or fields that have not been read: `field(node, "left")`,
`field(values, 0)` for a list's element, `length(values)`. A field that is read before it is handed
over (`node.left`) is checked like any value; there is nothing left to narrow then.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, TypeAlias

from harness.kernel.dedicated.condition import LENGTH, UNKNOWN, Condition, Field, Knowledge, Procedure

Operand: TypeAlias = Any
"""A value, or a Field that stands for its own."""


def field(owner: Any, name: str | int) -> Field:
    """The field `name` of an object, or the element at position `name`, from 0, of a list; not read yet."""
    if isinstance(name, int) and name < 0:
        raise ValueError(f"elements of a list are numbered from 0, not {name}")
    return Field(owner, name)


def length(items: list[Any]) -> Field:
    """The length of a list; not read yet."""
    return Field(items, LENGTH)


def is_in(operand: Operand, values: Iterable[Any]) -> Condition:
    """Whether the operand is (or equals) one of `values`."""
    return _IsIn(operand, values)


def equal(left: Operand, right: Operand) -> Condition:
    """Whether `left == right`."""
    return _Equal(left, right)


def less(left: Operand, right: Operand) -> Condition:
    """Whether `left < right`; `less(b, a)` is greater, `not_(less(b, a))` less or equal."""
    return _Less(left, right)


def instance_of(operand: Operand, *classes: type | str) -> Condition:
    """Whether the operand is an instance of one of `classes`, given as types or by name (`"Node"`)."""
    return _InstanceOf(operand, classes)


def not_(condition: Condition) -> Condition:
    """Whether `condition` does not hold."""
    return _Not(condition)


def and_(*conditions: Condition) -> Condition:
    """Whether all `conditions` hold."""
    return _Several(False, conditions)


def or_(*conditions: Condition) -> Condition:
    """Whether one of `conditions` holds."""
    return _Several(True, conditions)


class Basic(Condition):
    """A condition on the values of its operands."""

    __slots__ = ("_operands",)
    _operands: tuple[Operand, ...]

    @abstractmethod
    def _holds(self, values: list[Any]) -> bool:
        """Whether it holds for these values of the operands."""

    def known(self, knowledge: Knowledge) -> bool | None:
        """None while an operand is unknown, or if comparing a merely assumed one could run the program's own code."""
        values = [knowledge.value(operand) for operand in self._operands]
        if any(value is UNKNOWN for value in values):
            return None
        if knowledge.assumes and not self._is_inert(values):
            return None
        return self._holds(values)

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """Its first unknown operand."""
        return next(operand for operand in self._operands if knowledge.value(operand) is UNKNOWN)

    def _is_inert(self, values: list[Any]) -> bool:
        return all(map(_inert, values))


class _Equal(Basic):
    __slots__ = ()

    def __init__(self, left: Operand, right: Operand) -> None:
        self._operands = left, right

    def _holds(self, values: list[Any]) -> bool:
        left, right = values
        return bool(left == right)


class _Less(Basic):
    __slots__ = ()

    def __init__(self, left: Operand, right: Operand) -> None:
        self._operands = left, right

    def _holds(self, values: list[Any]) -> bool:
        left, right = values
        return bool(left < right)


class _IsIn(Basic):
    __slots__ = ("_values",)

    def __init__(self, operand: Operand, values: Iterable[Any]) -> None:
        self._operands = (operand,)
        self._values = tuple(values)

    def _holds(self, values: list[Any]) -> bool:
        return values[0] in self._values

    def _is_inert(self, values: list[Any]) -> bool:
        return all(map(_inert, (*values, *self._values)))


class _InstanceOf(Basic):
    __slots__ = ("_names",)

    def __init__(self, operand: Operand, classes: tuple[type | str, ...]) -> None:
        self._operands = (operand,)
        self._names = classes

    def _holds(self, values: list[Any]) -> bool:
        classes = type(values[0]).__mro__
        return any(name in (cls, cls.__name__, cls.__qualname__) for cls in classes for name in self._names)

    def _is_inert(self, values: list[Any]) -> bool:
        return True


class IsNew(Basic):
    """Whether the operand is None or an object that is not among `known` ones, told by identity."""

    __slots__ = ("_known",)

    def __init__(self, operand: Operand, known: frozenset[int] | set[int]) -> None:
        self._operands = (operand,)
        self._known = known

    def _holds(self, values: list[Any]) -> bool:
        return values[0] is None or id(values[0]) not in self._known

    def _is_inert(self, values: list[Any]) -> bool:
        return True


class _Not(Condition):
    __slots__ = ("_inner",)

    def __init__(self, inner: Condition) -> None:
        self._inner = inner

    def known(self, knowledge: Knowledge) -> bool | None:
        inner = self._inner.known(knowledge)
        return None if inner is None else not inner

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        return self._inner.first_unknown(knowledge)


class _Several(Condition):
    """Conditions of which the first to be `decisive` decides; if none is, the whole is the opposite."""

    __slots__ = ("_decisive", "_parts")

    def __init__(self, decisive: bool, parts: tuple[Condition, ...]) -> None:
        self._decisive = decisive
        self._parts = parts

    def known(self, knowledge: Knowledge) -> bool | None:
        unknown = False
        for part in self._parts:
            try:
                known = part.known(knowledge)
            except Exception:
                if not unknown:
                    raise
                known = None  # the part is for the case that the ones before did not decide
            if known is self._decisive:
                return self._decisive
            unknown = unknown or known is None
        return None if unknown else not self._decisive

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        return next(part for part in self._parts if part.known(knowledge) is None).first_unknown(knowledge)


_ATOMS = frozenset({type(None), bool, int, float, str})
_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__gt__")


def _inert(value: Any) -> bool:
    """Whether comparing the value executes no code of the program: a plain value, or told by identity."""
    kind = type(value)
    return kind in _ATOMS or all(getattr(kind, name) is getattr(object, name) for name in _COMPARISONS)
