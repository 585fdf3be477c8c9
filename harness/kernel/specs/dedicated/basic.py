"""Basic dedicated generators and combinators (exhaustive2003, section 5).

Operands are plain values, objects, or fields that have not been read. `field(node, "left")` is such a field, as are
`length(values)` and, for a list's element, `field(values, 0)` itself. A field that is read before it is passed
(`node.left`) is checked like any value; there is nothing left to narrow then.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeAlias

from harness.kernel.specs.dedicated.condition import ATOMS, LENGTH, UNKNOWN, Condition, Field, Knowledge, Procedure

Operand: TypeAlias = Any
"""A value, or a Field that stands for its value."""


def field(owner: Any, name: str | int) -> Field:
    """Return the field `name` of an object, or the element at position `name`, from 0, of a list; not read yet."""
    if isinstance(name, int) and name < 0:
        raise ValueError(f"elements of a list are numbered from 0, not {name}")
    return Field(owner, name)


def length(items: list[Any]) -> Field:
    """Return the length of a list; not read yet."""
    return Field(items, LENGTH)


def is_in(operand: Operand, values: Iterable[Any]) -> Condition:
    """Return the condition that the operand is (or equals) one of `values`."""
    return _IsIn(operand, values)


def equal(left: Operand, right: Operand) -> Condition:
    """Return the condition `left == right`."""
    return _Equal(left, right)


def less(left: Operand, right: Operand) -> Condition:
    """Return the condition `left < right`; `less(b, a)` is greater, `not_(less(b, a))` less or equal."""
    return _Less(left, right)


def instance_of(operand: Operand, *classes: type | str) -> Condition:
    """Return the condition that the operand is an instance of one of `classes`, given as types or names (`"Node"`)."""
    return _InstanceOf(operand, classes)


def not_(condition: Condition) -> Condition:
    """Return the condition that `condition` does not hold."""
    return _Not(condition)


def and_(*conditions: Condition) -> Condition:
    """Return the condition that all `conditions` hold."""
    return _Several(False, conditions)


def or_(*conditions: Condition) -> Condition:
    """Return the condition that one of `conditions` holds."""
    return _Several(True, conditions)


class Basic(Condition):
    """A condition on the values of its operands."""

    __slots__ = ("_at", "_operands", "sole_field")
    sole_field: Field | None

    def __init__(self, *operands: Operand) -> None:
        self._operands = operands
        self._at = 0
        self.sole_field = None
        for position, operand in enumerate(operands):
            if isinstance(operand, Field):
                if self.sole_field is not None:
                    self.sole_field = None
                    break
                self._at, self.sole_field = position, operand

    def _holds(self, values: list[Any]) -> bool:
        """Return whether the condition holds for these values of the operands."""
        raise NotImplementedError

    def _is_inert(self, values: list[Any]) -> bool:
        return all(map(_inert, values))

    def test(self, value: Any) -> bool:
        return self._holds(self._with(value))

    def is_inert(self, value: Any) -> bool:
        return self._is_inert(self._with(value))

    def _with(self, value: Any) -> list[Any]:
        values = list(self._operands)
        values[self._at] = value
        return values

    def outcome(self, knowledge: Knowledge) -> bool | None:
        """Return None if an operand is unknown, or if comparing an assumed one could run the program's own code."""
        values = [knowledge.value(operand) for operand in self._operands]
        if any(value is UNKNOWN for value in values):
            return None
        if knowledge.assumes and not self._is_inert(values):
            return None
        return self._holds(values)

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        """Return the first unknown operand."""
        unknown_operand = next(operand for operand in self._operands if knowledge.value(operand) is UNKNOWN)
        assert isinstance(unknown_operand, Field)
        return unknown_operand


class _Equal(Basic):
    __slots__ = ()

    def test(self, value: Any) -> bool:
        left, right = self._operands
        return bool(left == value if self._at else value == right)

    def _holds(self, values: list[Any]) -> bool:
        return bool(values[0] == values[1])


class _Less(Basic):
    __slots__ = ()

    def test(self, value: Any) -> bool:
        left, right = self._operands
        return bool(left < value if self._at else value < right)

    def _holds(self, values: list[Any]) -> bool:
        return bool(values[0] < values[1])


class _IsIn(Basic):
    __slots__ = ("_are_inert", "_values")

    def __init__(self, operand: Operand, values: Iterable[Any]) -> None:
        super().__init__(operand)
        self._values = tuple(values)
        self._are_inert: bool | None = None

    def _holds(self, values: list[Any]) -> bool:
        return values[0] in self._values

    def _is_inert(self, values: list[Any]) -> bool:
        if self._are_inert is None:
            self._are_inert = all(map(_inert, self._values))
        return self._are_inert and all(map(_inert, values))


class _InstanceOf(Basic):
    __slots__ = ("_names",)

    def __init__(self, operand: Operand, classes: tuple[type | str, ...]) -> None:
        super().__init__(operand)
        self._names = classes

    def _holds(self, values: list[Any]) -> bool:
        classes = type(values[0]).__mro__
        return any(name in (cls, cls.__name__, cls.__qualname__) for cls in classes for name in self._names)

    def _is_inert(self, values: list[Any]) -> bool:
        return True


class _Not(Condition):
    __slots__ = ("_inner",)

    def __init__(self, inner: Condition) -> None:
        self._inner = inner

    @property
    def sole_field(self) -> Field | None:
        return self._inner.sole_field

    def test(self, value: Any) -> bool:
        return not self._inner.test(value)

    def is_inert(self, value: Any) -> bool:
        return self._inner.is_inert(value)

    def outcome(self, knowledge: Knowledge) -> bool | None:
        inner = self._inner.outcome(knowledge)
        return None if inner is None else not inner

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        return self._inner.first_unknown(knowledge)


class _Several(Condition):
    """Conditions of which the first to be `decisive` decides; if none is, the whole is the opposite."""

    __slots__ = ("_decisive", "_parts", "sole_field")

    def __init__(self, decisive: bool, parts: tuple[Condition, ...]) -> None:
        self._decisive = decisive
        self._parts = parts
        fields = [part.sole_field for part in parts]
        first = fields[0] if fields else None
        same = all(first is not None and field is not None and first.is_same(field) for field in fields)
        self.sole_field: Field | None = first if same else None

    def test(self, value: Any) -> bool:
        for part in self._parts:
            if part.test(value) is self._decisive:
                return self._decisive
        return not self._decisive

    def is_inert(self, value: Any) -> bool:
        return all(part.is_inert(value) for part in self._parts)

    def outcome(self, knowledge: Knowledge) -> bool | None:
        unknown = False
        for part in self._parts:
            try:
                part_outcome = part.outcome(knowledge)
            except Exception:
                if not unknown:
                    raise
                part_outcome = None  # the part is for the case that the ones before did not decide
            if part_outcome is self._decisive:
                return self._decisive
            unknown = unknown or part_outcome is None
        return None if unknown else not self._decisive

    def first_unknown(self, knowledge: Knowledge) -> Field | Procedure:
        return next(part for part in self._parts if part.outcome(knowledge) is None).first_unknown(knowledge)


_COMPARISONS = ("__eq__", "__ne__", "__lt__", "__gt__")


def _inert(value: Any) -> bool:
    """Return whether comparing the value executes no code of the program: it is plain, or compared by identity."""
    kind = type(value)
    return kind in ATOMS or _is_told_by_identity(kind)  # type: ignore[arg-type]  # a metaclass may have no hash


@lru_cache(maxsize=64)
def _is_told_by_identity(kind: type) -> bool:
    """Return whether a class compares as `object` does; called for every value of every field."""
    return all(getattr(kind, name) is getattr(object, name) for name in _COMPARISONS)
