"""Canonical bytes of values and object graphs: equal bytes if and only if equal, types included.

Comparing an original with a mutant made of other classes, in another module or process, comes
down to comparing bytes; nothing of the subject's own `__eq__` is trusted.
"""

from __future__ import annotations

import marshal
from operator import itemgetter
from types import MemberDescriptorType
from typing import Any

from harness.kernel.decode import Token

_ATOMS = frozenset({type(None), bool, int, float, str, bytes})
# Of subclasses of these (named tuples, IntEnum) attributes alone do not tell the value.
_IMMUTABLE = (int, float, complex, str, bytes, tuple)
# Version 2 of marshal's format has no references: equal values give equal bytes.
_FORMAT = 2


class NotCanonical(Exception):
    """A value has no canonical form: too deep, or a container within itself."""


def canonical(value: Any) -> bytes:
    """Bytes of `value` by value: containers by their contents, objects by class name and fields.

    Sets and dicts are put in order by their members' bytes. An object met again is written as
    its number in order of first visit, so cycles end. Lists met again are written again.

    Raises:
        NotCanonical: a list or dict that contains itself, or a value too deep to write.
    """
    if type(value) in _ATOMS:
        return marshal.dumps(value, _FORMAT)
    if type(value) is tuple and _ATOMS.issuperset(map(type, value)):
        return marshal.dumps(value, _FORMAT)
    return _dump(_Writer(identity=False).write(value))


def concrete(*roots: Any) -> bytes:
    """Bytes of the object graph below `roots`: objects, lists and dicts by identity, in order of first visit.

    Two graphs have the same bytes exactly when they are isomorphic as rooted graphs.
    """
    return _dump(_Writer(identity=True).write(roots))


def _dump(tree: Any) -> bytes:
    try:
        return marshal.dumps(tree, _FORMAT)
    except ValueError as error:
        raise NotCanonical(str(error)) from None


class _Writer:
    """Turns a value into nested tuples of atoms, each container marked by its kind."""

    def __init__(self, identity: bool) -> None:
        self._identity = identity
        self._numbers: dict[int, int] = {}
        self._keep: list[Any] = []  # what was visited stays alive, so that no id is used twice
        self._path: set[int] = set()

    def write(self, value: Any) -> Any:
        kind = type(value)
        if kind in _ATOMS:
            return value
        if kind is tuple:
            return ("t", *map(self.write, value))
        if isinstance(value, Token):
            return ("token", value.domain, value.index)
        if isinstance(value, type):
            return ("class", value.__qualname__)
        if isinstance(value, (frozenset, set)):
            return (kind.__name__, *sorted(marshal.dumps(self.write(item), _FORMAT) for item in value))
        if isinstance(value, (list, dict)):
            return self._container(value)
        return self._object(value)

    def _container(self, value: list[Any] | dict[Any, Any]) -> Any:
        key = id(value)
        if self._identity:
            if key in self._numbers:
                return ("again", self._numbers[key])
            self._number(value)
        elif key in self._path:
            raise NotCanonical(f"a {type(value).__name__} contains itself")
        self._path.add(key)
        try:
            return self._contents(value)
        finally:
            self._path.discard(key)

    def _contents(self, value: list[Any] | dict[Any, Any]) -> Any:
        if isinstance(value, list):
            return (type(value).__name__, *map(self.write, value))
        # In order before the items are written: an object is numbered where it is met first.
        keyed = [(marshal.dumps(self.write(key), _FORMAT), item) for key, item in value.items()]
        keyed.sort(key=itemgetter(0))
        return (type(value).__name__, *((key, self.write(item)) for key, item in keyed))

    def _object(self, value: Any) -> Any:
        if id(value) in self._numbers:
            return ("again", self._numbers[id(value)])
        self._number(value)
        fields = _fields(value)
        name = type(value).__qualname__
        written = ((field, self.write(content)) for field, content in sorted((fields or {}).items()))
        if fields is not None and not isinstance(value, _IMMUTABLE):
            return (name, *written)
        parts = _parts(value)
        return ("opaque", name) if parts is None else ("value", name, self.write(parts), *written)

    def _number(self, value: Any) -> None:
        self._numbers[id(value)] = len(self._numbers)
        self._keep.append(value)


def _fields(value: Any) -> dict[str, Any] | None:
    """Instance attributes, slots included; None for values that have neither."""
    found: dict[str, Any] = dict(getattr(value, "__dict__", {}))
    known = hasattr(value, "__dict__")
    for cls in type(value).__mro__:
        if "__slots__" not in cls.__dict__:
            continue
        # Not the names in __slots__ themselves: a private one is stored under another name.
        for slot, member in cls.__dict__.items():
            if isinstance(member, MemberDescriptorType):
                known = True
                if hasattr(value, slot):
                    found[slot] = getattr(value, slot)
    return found if known else None


def _parts(value: Any) -> tuple[Any, ...] | None:
    """What a value without attributes (`1j`, a deque, a named tuple) is made of, as pickle has it; None: a function."""
    try:
        reduced = value.__reduce_ex__(2)
    except (TypeError, ValueError):
        return None  # a generator, a lock: nothing to tell it by
    if not isinstance(reduced, tuple):
        return None
    return tuple(list(part) if at in (3, 4) and part is not None else part for at, part in enumerate(reduced))
