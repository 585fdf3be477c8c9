"""States with symbolic integers: their shape, their symbolic values in order, and copies made of both.

A shape is the graph of objects below a root, in breadth-first order, with a mark for each symbolic integer. States of
one shape differ only in the constraints on these integers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, TypeAlias

from harness.errors import SpecError
from harness.generators.symbolic.terms import Slot
from harness.generators.symbolic.values import Integer, concrete, isinstance_of, slot_of
from harness.kernel.objects.object_creation import set_fields
from harness.kernel.objects.reading import ATOMS, FieldReader, is_of_c, reader_of
from harness.kernel.specs.tokens import Token

_CONSTANTS = (type, Token, ModuleType, FunctionType, BuiltinFunctionType)
_LISTS = (list, tuple, deque)


class _Mark:
    """Marks the place of a symbolic integer in a shape."""

    def __repr__(self) -> str:
        return "?"


MARK = _Mark()


class ObjectPlace:
    """Refers to the object of that number in a shape; each number has one place."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


_PLACES: list[ObjectPlace] = []

Node: TypeAlias = tuple[Any, ...]
"""A class, the names of its fields (None for a container), and its contents; for a dict, keys and values in turn."""
Shape: TypeAlias = tuple[Node, ...]


class NotHeld(Exception):
    """A state whose copy would behave differently from the state that its calls make.

    The state holds an object that the program's namespaces hold as well, keys that are no plain values, or a sum. In a
    copy, a sum would become a variable of its own.
    """


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
    """Describes states.

    Args:
        held: ids of objects of the program itself, on which NotHeld is raised; None if the described states are not
            copied.
    """

    def __init__(self, held: Collection[int] | None = None) -> None:
        self._held = held
        self._names: dict[type, tuple[str, ...]] = {}
        self._readers: dict[type, FieldReader] = {}

    def picture(self, root: Any, omits: Callable[[str], bool] | None = None) -> StatePicture:
        """Return the state below a root, without fields that are omitted.

        Raises:
            SpecError: it holds an object that a shape cannot represent.
            NotHeld: see the class.
        """
        objects = [root]
        numbers = {id(root): 0}
        nodes: list[Node] = []
        slots: list[Slot] = []
        for value in objects:  # grows while it is walked
            self._check_copied(self._held is None or id(value) not in self._held)
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
                    self._check_copied(False)
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
                    node.append(_place(number))
            nodes.append(tuple(node))
        return StatePicture(tuple(nodes), tuple(slots))

    def _contents(
        self, value: Any, kind: type, omits: Callable[[str], bool] | None
    ) -> tuple[tuple[str, ...] | None, Sequence[Any]]:
        if kind in _LISTS:
            return None, value
        if kind is dict or kind is set or kind is frozenset:
            self._check_copied(all(type(one) in ATOMS for one in value))
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

    def _check_copied(self, is_same: bool) -> None:
        """Raise NotHeld if the copy would differ from the state."""
        if self._held is not None and not is_same:
            raise NotHeld


class Copy:
    """A state made from its picture; `restore` fills it, and resets it after calls have changed it."""

    def __init__(self, picture: StatePicture) -> None:
        slots = iter(picture.slots)
        self._objects: list[Any] = []
        for kind, names, *_ in picture.shape:
            if kind is tuple or kind is frozenset:
                self._objects.append(None)
            else:
                self._objects.append(kind() if names is None else object.__new__(kind))
        values = [[_value(one, slots) for one in held] for _, _, *held in picture.shape]
        for number in range(len(self._objects)):
            self._freeze(number, picture.shape, values)
        self._fields: list[tuple[dict[str, Any], dict[str, Any]]] = []
        self._other_contents: list[tuple[Any, tuple[str, ...] | None, list[Any]]] = []
        for copy, (kind, names, *_), held in zip(self._objects, picture.shape, values, strict=True):
            if kind is tuple or kind is frozenset:
                continue
            if names is not None and not reader_of(kind).members:
                self._fields.append((vars(copy), dict(zip(names, self._resolved(held), strict=True))))
            else:
                self._other_contents.append((copy, names, self._resolved(held)))

    @property
    def root(self) -> Any:
        """The object that is the state's root."""
        return self._objects[0]

    def restore(self) -> None:
        """Reset the contents of all objects."""
        for fields, before in self._fields:
            fields.update(before)
            if len(fields) != len(before):
                fields.clear()
                fields.update(before)
        for copy, names, held in self._other_contents:
            if names is not None:
                set_fields(copy, dict(zip(names, held, strict=True)))
            elif type(copy) is list:
                copy[:] = held
            else:
                copy.clear()
                copy.extend(held) if type(copy) is deque else copy.update(
                    zip(held[::2], held[1::2], strict=True) if type(copy) is dict else held
                )

    def _freeze(self, number: int, shape: Shape, values: Sequence[Sequence[Any]]) -> None:
        """Make a tuple or frozenset, which cannot be filled later, after its parts."""
        kind = shape[number][0]
        if self._objects[number] is None:
            for one in values[number]:
                if type(one) is ObjectPlace:
                    self._freeze(one.number, shape, values)
            self._objects[number] = kind(self._resolved(values[number]))

    def _resolved(self, held: Sequence[Any]) -> list[Any]:
        return [self._objects[one.number] if type(one) is ObjectPlace else one for one in held]


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


def _value(one: Any, slots: Any) -> Any:
    if one is MARK:
        return Integer(*next(slots))
    return one[2] if type(one) is tuple else one


def _place(number: int) -> ObjectPlace:
    while number >= len(_PLACES):
        _PLACES.append(ObjectPlace(len(_PLACES)))
    return _PLACES[number]


def _key(key: Any) -> Any:
    """Return a key of a dict or an element of a set as a number, because it has been hashed and so pinned."""
    return concrete(key, "a hash") if isinstance_of(key) else key


def _ordered(values: Collection[Any]) -> list[Any]:
    if not all(isinstance_of(one) or type(one) in ATOMS for one in values):
        raise SpecError(
            "symstra cannot keep a set of objects, whose order depends on their addresses; use a list or dict"
        )
    return sorted((_key(one) for one in values), key=lambda one: (type(one).__name__, repr(one)))
