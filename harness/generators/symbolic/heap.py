"""States with symbolic integers: their shape, and their symbolic values in order.

A shape is the graph of objects below a root, in breadth-first order, with a mark for each symbolic integer. States of
one shape differ only in the constraints on these integers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, NamedTuple, TypeAlias

from harness.errors import SpecError
from harness.generators.symbolic.formulas import Slot
from harness.generators.symbolic.values import Integer, concrete, isinstance_of, slot_of
from harness.kernel.objects.reading import ATOMS, FieldReader, is_of_c, reader_of
from harness.kernel.specs.tokens import Token

_CONSTANTS = (type, Token, ModuleType, FunctionType, BuiltinFunctionType)
_LISTS = (list, tuple, deque)


class _Mark:
    """Marks the place of a symbolic integer in a shape."""

    def __repr__(self) -> str:
        return "?"


MARK = _Mark()


class ObjectPlace(NamedTuple):
    """Refers to the object of that number in a shape."""

    number: int


Node: TypeAlias = tuple[Any, ...]
"""A class, the names of its fields (None for a container), and its contents; for a dict, keys and values in turn."""
Shape: TypeAlias = tuple[Node, ...]


@dataclass(frozen=True)
class StatePicture:
    """A state, as its shape and its symbolic integers.

    Attributes:
        shape: the graph of its objects, with marks for symbolic integers.
        slots: the symbolic integers where the shape has marks, in order.
    """

    shape: Shape
    slots: tuple[Slot, ...]


class Painter:
    """Describes states."""

    def __init__(self) -> None:
        self._names: dict[type, tuple[str, ...]] = {}
        self._readers: dict[type, FieldReader] = {}

    def picture(self, root: Any, omits: Callable[[str], bool] | None = None) -> StatePicture:
        """Return the state below a root, without fields that are omitted.

        Raises:
            SpecError: it holds an object that a shape cannot represent.
        """
        objects = [root]
        numbers = {id(root): 0}
        nodes: list[Node] = []
        slots: list[Slot] = []
        for value in objects:  # grows while it is walked
            kind = type(value)
            names, held = self._contents(value, kind, omits)
            node: list[Any] = [kind, names]
            for one in held:
                cls = type(one)
                if cls is Integer:
                    slots.append((one.variable, one.added))
                    node.append(MARK)
                elif one is None or cls is int or cls is str:
                    node.append(one)
                elif cls is bool or cls is float or cls is bytes or cls is complex:
                    node.append((cls, repr(one), one))
                elif isinstance_of(one):
                    slots.append(slot_of(one))
                    node.append(MARK)
                elif isinstance(one, Enum):
                    node.append((cls, repr(one), one))
                elif isinstance(one, _CONSTANTS):
                    node.append(one)
                else:
                    number = numbers.get(id(one))
                    if number is None:
                        number = numbers[id(one)] = len(objects)
                        objects.append(one)
                    node.append(ObjectPlace(number))
            nodes.append(tuple(node))
        return StatePicture(tuple(nodes), tuple(slots))

    def _contents(
        self, value: Any, kind: type, omits: Callable[[str], bool] | None
    ) -> tuple[tuple[str, ...] | None, Sequence[Any]]:
        if kind in _LISTS:
            return None, value
        if kind is dict:
            return None, [part for key, held in value.items() for part in (_key(key), held)]
        if kind is set or kind is frozenset:
            return None, _ordered(value)
        reader = self._readers.get(kind)
        if reader is None:
            reader = self._readers[kind] = _reader_of(kind)
        fields = reader.stored(value)
        names = self._names.get(kind)
        if names is None or len(names) != len(fields) or any(name not in fields for name in names):
            names = self._names[kind] = tuple(sorted(fields))
        if omits is not None:
            names = tuple([name for name in names if not omits(name)])
        return names, [fields[name] for name in names]


def _reader_of(kind: type) -> FieldReader:
    """Return what reads the fields of a class.

    Raises:
        SpecError: its objects have contents outside of fields, so that a shape cannot represent them.
    """
    reader = reader_of(kind)
    if is_of_c(kind) or not (kind.__dictoffset__ or reader.members):
        raise SpecError(
            f"symstra cannot keep a state that holds a {kind.__qualname__}; leave the field out by s.omit(...), or "
            "use another generator"
        )
    foreign = next((base for base in kind.__mro__ if is_of_c(base) and base is not object), None)
    if foreign is not None:
        raise SpecError(
            f"symstra cannot keep a {kind.__qualname__}, which is derived from {foreign.__qualname__}; leave the "
            "field out by s.omit(...), or use another generator"
        )
    return reader


def _key(key: Any) -> Any:
    """Return a key of a dict or an element of a set as a number, because it has been hashed and so pinned."""
    return concrete(key, "a hash") if isinstance_of(key) else key


def _ordered(values: Collection[Any]) -> list[Any]:
    if not all(isinstance_of(one) or type(one) in ATOMS for one in values):
        raise SpecError(
            "symstra cannot keep a set of objects, whose order depends on their addresses; use a list or dict"
        )
    return sorted((_key(one) for one in values), key=lambda one: (type(one).__name__, repr(one)))
