"""Equality of values and object graphs, by canonical bytes: equal bytes if and only if equal, types included.

Comparing an original with a mutant made of other classes, in another module or process, comes
down to comparing bytes; nothing of the subject's own `__eq__` is trusted.
"""

from __future__ import annotations

import marshal
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any, ClassVar

from harness.kernel.objects.labelling import Graph, TooSymmetric, certificate
from harness.kernel.objects.object_creation import NOT_COMPARED
from harness.kernel.objects.reading import ATOMS, FieldReader, Omits, contents, reader_of, remember
from harness.kernel.specs.tokens import Token

# The attributes of an instance of a subclass of these (a named tuple, an IntEnum) do not determine its value.
_MORE_THAN_FIELDS = (int, float, complex, str, bytes, tuple, deque)
# Atoms that are the same key if they have the same bytes; of floats, nan is not.
_KEYS = ATOMS - {float}
_PROXIES = frozenset(weakref.ProxyTypes)
# Version 2 of marshal's format has no references: equal values give equal bytes.
_FORMAT = 2

Items = Callable[[dict[Any, Any]], Iterable[Any]]
"""A function that returns the items of a dict, or of an instance of a subclass."""


class NotCanonical(Exception):
    """Raised for a value without a canonical form: too deep, a container within itself, or too symmetric."""


class _Shared(Exception):
    """Raised if an object inside a member of a set is referred to from outside of that member."""


def canonical(value: Any, omits: Omits | None = None) -> bytes:
    """Return bytes of `value` by value: containers by their contents, objects by class name and fields.

    Sets and dicts are put in order by their members' bytes. An object that occurs again is written as its number in
    order of first visit, so cycles end; lists that occur again are written again. Other objects may refer to objects
    inside members of a set (or keys of a dict). Their numbers would then depend on the set's order, so the whole graph
    is labelled canonically. Fields that `omits` names are left out, with everything that only they refer to. A weak
    proxy is written as its object, or as a dead one.

    Lists and sets are read past the methods of their class, but the items of a dict are those that its `items` returns.

    Raises:
        NotCanonical: a list or dict contains itself, a value is too deep to write, or members of a set refer to each
            other so symmetrically that none is the first.
    """
    if type(value) in ATOMS:
        return marshal.dumps(value, _FORMAT)
    if type(value) is tuple and ATOMS.issuperset(map(type, value)):
        return marshal.dumps(value, _FORMAT)
    return _bytes(value, identity=False, omits=omits)


def concrete(*roots: Any, omits: Omits | None = None, past_methods: bool = False) -> bytes:
    """Return bytes of the object graph below `roots`, with objects, lists, dicts and sets by identity, in order of
    first visit.

    Two graphs have the same bytes exactly when they are isomorphic as rooted graphs. The exceptions and the effect of
    `omits` are as in `canonical`. With `past_methods`, the items of a dict are those that it holds, even if its class
    overrides `items`.
    """
    return _bytes(roots, identity=True, omits=omits, past_methods=past_methods)


def _bytes(value: Any, identity: bool, omits: Omits | None = None, past_methods: bool = False) -> bytes:
    items = _items_held if past_methods else _items_told
    try:
        return _dump(_Writer(identity, omits, items).write(value))
    except _Shared:
        return _dump(("graph", _GraphWriter(identity, omits, items).certificate(value)))


def _items_told(value: dict[Any, Any]) -> Iterable[Any]:
    return value.items()


def _items_held(value: dict[Any, Any]) -> Iterable[Any]:
    return OrderedDict.items(value) if isinstance(value, OrderedDict) else dict.items(value)


def _dump(tree: Any) -> bytes:
    try:
        return marshal.dumps(tree, _FORMAT)
    except ValueError as error:
        raise NotCanonical(str(error)) from None


class _Visitor:
    """Visits each value by the method for its kind.

    A kind is that of the class, whatever the object's own `__class__` says. A weak proxy is visited as its object.
    """

    _visits: ClassVar[dict[int, str]] = {}

    def __init__(self, identity: bool, omits: Omits | None, items: Items) -> None:
        self._identity = identity
        self._omits = omits
        self._items = items
        self._numbers: dict[int, int] = {}
        self._keep: list[Any] = []  # what was visited stays alive, so that no id is used twice
        self._path: set[int] = set()
        self._slotted: dict[type, FieldReader] = {}

    def _visit(self, value: Any) -> Any:
        cls = kind = type(value)
        if cls in _PROXIES:
            if _is_dead(value):
                return self._leaf("dead proxy", cls.__qualname__)  # no class has this name
            kind = value.__class__
        visit = next((visit for base, visit in _VISITS if issubclass(kind, base)), "_object")
        if cls not in _PROXIES:
            remember(self._visits, cls, visit)
        return getattr(self, visit)(value)

    def _leaf(self, *label: Any) -> Any:
        raise NotImplementedError

    def _again(self, key: int) -> Any:
        raise NotImplementedError

    def _members(self, value: Any) -> Any:
        raise NotImplementedError

    def _contents(self, value: Any) -> Any:
        raise NotImplementedError

    def _remember(self, value: Any, number: int) -> None:
        self._numbers[id(value)] = number
        self._keep.append(value)

    def _set(self, value: frozenset[Any] | set[Any]) -> Any:
        return self._again(id(value)) if id(value) in self._numbers else self._members(value)

    def _container(self, value: list[Any] | dict[Any, Any]) -> Any:
        key = id(value)
        if self._identity:
            return self._again(key) if key in self._numbers else self._contents(value)
        if key in self._path:
            raise NotCanonical(f"a {type(value).__name__} contains itself")
        self._path.add(key)
        try:
            return self._contents(value)
        finally:
            self._path.discard(key)

    def _token(self, token: Token) -> Any:
        return self._leaf("token", token.domain, token.index)

    def _class(self, cls: type) -> Any:
        return self._leaf("class", cls.__qualname__)

    def _fields(self, value: Any) -> list[tuple[str, Any]] | None:
        """Return the fields that are not omitted, in order of their names; None for a value that can have none."""
        cls = type(value)
        reader = self._slotted.get(cls)
        if reader is None:
            reader = reader_of(cls)
            if reader.slots:
                self._slotted[cls] = reader
        fields, omits = reader.fields(value), self._omits
        if fields is None:
            return None
        return sorted(fields.items() if omits is None else [field for field in fields.items() if not omits(field[0])])

    def _fields_of_container(self, value: list[Any] | dict[Any, Any]) -> list[tuple[str, Any]]:
        """Return the attributes of an instance of a subclass."""
        return [] if type(value) in (list, dict) else self._fields(value) or []


_VISITS: tuple[tuple[tuple[type, ...], str], ...] = (
    ((Token,), "_token"),
    ((type,), "_class"),
    ((frozenset, set), "_set"),
    ((list, dict), "_container"),
)


class _Writer(_Visitor):
    """Turns a value into nested tuples of atoms, each container marked by its kind."""

    def __init__(self, identity: bool, omits: Omits | None, items: Items) -> None:
        super().__init__(identity, omits, items)
        self._first = 0  # the number of the first object of the member that is being written
        self._closed: set[int] = set()  # numbers of objects inside members already written

    def write(self, value: Any) -> Any:
        kind = type(value)
        if kind in ATOMS:
            return value
        if kind is tuple:
            return ("t", *map(self.write, value))
        visit = self._visits.get(id(kind))
        return self._visit(value) if visit is None else getattr(self, visit)(value)

    def _leaf(self, *label: Any) -> Any:
        return label

    def _members(self, value: frozenset[Any] | set[Any]) -> Any:
        if self._identity and isinstance(value, set):
            self._remember(value, len(self._numbers))
        return (type(value).__qualname__, *sorted(map(self._member, contents(value))))

    def _contents(self, value: list[Any] | dict[Any, Any]) -> Any:
        if self._identity:
            self._remember(value, len(self._numbers))
        if type(value) is list:
            return ("list", *map(self.write, value))
        held = self._held(value)
        fields = self._fields_of_container(value)
        return (*held, (".", *self._written(fields))) if fields else held  # no class has this name

    def _held(self, value: list[Any] | dict[Any, Any]) -> tuple[Any, ...]:
        name = type(value).__qualname__
        if isinstance(value, list):
            return (name, *map(self.write, contents(value)))
        if isinstance(value, OrderedDict):
            return (name, *map(self.write, self._items(value)))
        keys = dict.keys(value) if self._items is _items_held else value
        if not _KEYS.issuperset(map(type, keys)):
            return (name, *sorted(map(self._member, self._items(value))))
        # Sort before the items are written: an object is numbered where it is met first.
        keyed = [(marshal.dumps(key, _FORMAT), item) for key, item in self._items(value)]
        keyed.sort(key=itemgetter(0))
        return (name, *self._written(keyed))

    def _written(self, pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Write the second part of each pair."""
        write = self.write
        written = []
        for name, held in pairs:
            written.append((name, held if type(held) in ATOMS else write(held)))
        return written

    def _member(self, value: Any) -> bytes:
        """Write a member of a set by itself: its objects are numbered apart from those of other members."""
        if type(value) in ATOMS:
            return marshal.dumps(value, _FORMAT)
        outside, self._first = self._first, len(self._numbers)
        written = _dump(self.write(value))
        self._closed.update(range(self._first, len(self._numbers)))
        self._first = outside
        return written

    def _again(self, key: int) -> Any:
        number = self._numbers[key]
        if number < self._first or number in self._closed:
            raise _Shared
        return ("again", number - self._first)

    def _object(self, value: Any) -> Any:
        if id(value) in self._numbers:
            return self._again(id(value))
        self._remember(value, len(self._numbers))
        name = type(value).__qualname__
        if type(value) in NOT_COMPARED:
            return ("opaque", name)
        fields = self._fields(value)
        if fields is not None and not isinstance(value, _MORE_THAN_FIELDS):
            return (name, *self._written(fields))
        parts = _parts(value)
        return ("opaque", name) if parts is None else ("value", name, self.write(parts), *self._written(fields or ()))


class _GraphWriter(_Visitor):
    """Writes a value as a graph: with one node for each object, and one for each occurrence of any other value."""

    def __init__(self, identity: bool, omits: Omits | None, items: Items) -> None:
        super().__init__(identity, omits, items)
        self._graph = Graph()

    def certificate(self, value: Any) -> bytes:
        root = self._graph.node(b"root")
        self._graph.ordered[root].append(self._write(value))
        try:
            return certificate(self._graph)
        except TooSymmetric:
            raise NotCanonical("members of a set refer to each other in too many like ways to have an order") from None

    def _write(self, value: Any) -> int:
        kind = type(value)
        if kind in ATOMS:
            return self._leaf("atom", marshal.dumps(value, _FORMAT))
        if kind is tuple:
            return self._inner(self._leaf("t"), value)
        node: int = getattr(self, self._visits.get(id(kind), "_visit"))(value)
        return node

    def _again(self, key: int) -> int:
        return self._numbers[key]

    def _members(self, value: frozenset[Any] | set[Any]) -> int:
        node = self._leaf("set", type(value).__qualname__)
        if self._identity and isinstance(value, set):
            self._remember(value, node)
        return self._unordered(node, contents(value))

    def _contents(self, value: list[Any] | dict[Any, Any]) -> int:
        node = self._leaf("container", type(value).__qualname__)
        if self._identity:
            self._remember(value, node)
        if isinstance(value, (list, OrderedDict)):
            self._inner(node, contents(value) if isinstance(value, list) else self._items(value))
        else:
            self._unordered(node, self._items(value))
        for name, held in self._fields_of_container(value):
            self._inner(node, [name, held])
        return node

    def _object(self, value: Any) -> int:
        if id(value) in self._numbers:
            return self._numbers[id(value)]
        is_compared = type(value) not in NOT_COMPARED
        fields = self._fields(value) if is_compared else None
        plain = fields is not None and not isinstance(value, _MORE_THAN_FIELDS)
        parts = _parts(value) if is_compared and not plain else None
        names = [name for name, _ in fields or ()]
        node = self._leaf("object", type(value).__qualname__, plain, parts is None, *names)
        self._remember(value, node)
        self._inner(node, [held for _, held in fields or ()])
        return node if parts is None else self._inner(node, [parts])

    def _inner(self, node: int, values: Iterable[Any]) -> int:
        for value in values:
            self._graph.ordered[node].append(self._write(value))
        return node

    def _unordered(self, node: int, values: Iterable[Any]) -> int:
        for value in values:
            self._graph.unordered[node].append(self._write(value))
        return node

    def _leaf(self, *label: Any) -> int:
        return self._graph.node(marshal.dumps(label, _FORMAT))


def _is_dead(proxy: Any) -> bool:
    """Return whether the object behind a weak proxy is gone."""
    try:
        proxy.__class__  # noqa: B018
    except ReferenceError:
        return True
    return False


def _parts(value: Any) -> tuple[Any, ...] | None:
    """Return pickle's parts of a value without attributes (`1j`, a deque, a named tuple); None for a function."""
    try:
        reduced = value.__reduce_ex__(2)
    except (TypeError, ValueError):
        return None  # a generator, a lock: nothing to tell it by
    if not isinstance(reduced, tuple):
        return None
    return tuple(list(part) if at in (3, 4) and part is not None else part for at, part in enumerate(reduced))
