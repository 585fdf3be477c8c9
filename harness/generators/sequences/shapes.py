"""Learns the classes and fields of the states of a program as they appear, to compile functions for them."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from harness.generators.sequences.namespaces import Namespaces
from harness.generators.sequences.unseen_changes import NotCompilable, check_class, check_module
from harness.kernel.objects.encoding import KEYS, PLAIN, EncodedClass, HeldKinds
from harness.kernel.objects.reading import is_of_c, reader_of, stored_fields, walked
from harness.kernel.specs.tokens import Token

CONTAINERS: tuple[type, ...] = (list, dict, deque)
CONSTANTS = (Token, Enum, type)
"""Types of objects that are the same in every state."""


class Shapes:
    """The kinds of objects that are known; `learn` adds to them.

    Attributes:
        constants: the code of each constant, by its id; `constant_objects` has the constants by index.
    """

    def __init__(self, omits: Callable[[str], bool] | None, namespaces: Namespaces) -> None:
        self.omits = omits
        self.namespaces = namespaces
        self.kinds: dict[type, EncodedClass] = {}
        self.constants: dict[int, tuple[int]] = {}
        self.constant_objects: list[Any] = []

    def learn(self, root: Any) -> bool:
        """Learn the objects below a root. Return whether there was anything new.

        Raises:
            NotCompilable: an object is of a kind that needs the general path.
        """
        before = self._extent()
        for _ in walked([root], lambda value: filter(self._is_object, self._visit(value))):
            pass
        return self._extent() != before

    def _extent(self) -> tuple[int, ...]:
        places = [place for kind in self.kinds.values() for place in _places(kind)]
        return (
            len(self.kinds),
            len(self.constants),
            len(places),
            *(place.plain * 2 + place.objects for place in places),
        )

    def _visit(self, value: Any) -> Iterable[Any]:
        cls = type(value)
        kind = self.kinds.get(cls)
        if kind is None:
            kind = self._new_kind(value)
        if kind.elements is not None:
            if cls is dict and not KEYS.issuperset(map(type, value)):
                raise NotCompilable("a dict with keys that are no plain values")
            held = list(value.values()) if cls is dict else list(value)
            for one in held:
                self._note(kind.elements, one)
            return held
        fields = stored_fields(value)
        if fields.keys() != kind.fields.keys():
            raise NotCompilable(f"objects of class {cls.__qualname__} have different fields")
        for name, one in fields.items():
            if isinstance(one, dict) and name in getattr(self.omits, "unordered", ()):
                raise NotCompilable("a dict without an order")
            self._note(kind.fields[name], one)
        return fields.values()

    def _note(self, place: HeldKinds, value: Any) -> None:
        if value is None:
            return
        if self._is_object(value):
            place.objects = True
        else:
            place.plain = True
            if isinstance(value, CONSTANTS) and id(value) not in self.constants:
                self.constants[id(value)] = (len(self.constant_objects),)
                self.constant_objects.append(value)

    @staticmethod
    def _is_object(value: Any) -> bool:
        return type(value) not in PLAIN and not isinstance(value, CONSTANTS)

    def _new_kind(self, value: Any) -> EncodedClass:
        cls = type(value)
        kind = EncodedClass(cls, len(self.kinds))
        if cls in CONTAINERS:
            if cls is deque and value.maxlen is not None:
                raise NotCompilable("a deque of bounded length")
            kind.elements = HeldKinds()
        else:
            self._check(cls)
            kind.slotted = not cls.__dictoffset__
            kind.fields = {name: HeldKinds() for name in sorted(stored_fields(value))}
        self.kinds[cls] = kind
        return kind

    def _check(self, cls: Any) -> None:
        """Refuse a class whose instances are more than their fields, or could be changed unseen."""
        name = cls.__qualname__
        if cls is object:
            raise NotCompilable("an object() without fields, that is nothing but itself")
        if any(map(is_of_c, cls.__mro__)):
            raise NotCompilable(f"{name} is, or derives from, a class of C")
        slots = reader_of(cls).members
        if slots and cls.__dictoffset__:
            raise NotCompilable(f"{name} has both slots and a __dict__")
        if any(not isinstance(getattr(cls, slot), MemberDescriptorType) for slot in slots):
            raise NotCompilable(f"{name} hides a slot")
        dicts = [vars(base)["__dict__"] for base in cls.__mro__ if "__dict__" in vars(base)]
        if not all(isinstance(one, GetSetDescriptorType) for one in dicts):
            raise NotCompilable(f"{name} has a __dict__ of its own making")
        for method in ("__getattribute__", "__del__", *(("__setattr__", "__getattr__") if slots else ())):
            if getattr(cls, method, None) is not getattr(object, method, None):
                raise NotCompilable(f"{name} has a {method} of its own")
        for base in cls.__mro__[:-1]:
            check_module(sys.modules.get(base.__module__))
            check_class(base)
            self.namespaces.add(base)


def _places(kind: EncodedClass) -> list[HeldKinds]:
    return list(kind.fields.values()) if kind.elements is None else [kind.elements]
