"""Equality of values and object graphs, by canonical bytes: equal bytes if and only if equal, types included.

Comparing an original with a mutant made of other classes, in another module or process, comes
down to comparing bytes; nothing of the subject's own `__eq__` is trusted.

Graphs whose sets hold objects have a certificate, by refinement of colours and individualisation (McKay, Practical
graph isomorphism, 1981): plain lists, no tuning, as they are small.
"""

from __future__ import annotations

import marshal
import weakref
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from operator import itemgetter
from types import ModuleType
from typing import Any, ClassVar

from harness.kernel.objects.content import holds_more, is_untold, parts_of
from harness.kernel.objects.reading import ATOMS, NOT_COMPARED, FieldReader, Omits, contents, reader_of, remember
from harness.kernel.specs.tokens import Token

# Atoms that are the same key if they have the same bytes; of floats, nan is not.
_KEYS = ATOMS - {float}
_PROXIES = frozenset(weakref.ProxyTypes)
# Version 2 of marshal's format has no references: equal values give equal bytes.
_FORMAT = 2

UNTOLD = "\0untold"
UNTOLD_MARK = UNTOLD.encode()
"""Part of canonical bytes if a value below has no content: it is equal to any other of its type."""

Items = Callable[[dict[Any, Any]], Iterable[Any]]
"""A function that returns the items of a dict, or of an instance of a subclass."""


class NotCanonical(Exception):
    """Raised for a value without a canonical form: too deep, a container within itself, or too symmetric."""


class _Shared(Exception):
    """Raised if an object inside a member of a set is referred to from outside of that member."""


def canonical(value: Any, omits: Omits | None = None, *, ordered: bool = True) -> bytes:
    """Return bytes of `value` by value: containers by their contents, objects by class name and fields, and by what
    `content.parts_of` reads where there is more.

    Sets are put in order by their members' bytes; dicts have the order of their items, or with `ordered=False` that of
    their keys' bytes. An object that occurs again is written as its number in order of first visit, so cycles end;
    lists that occur again are written again. Other objects may refer to objects inside members of a set. Their numbers
    would then depend on the set's order, so the whole graph is labelled canonically. Fields that `omits` names are left
    out, with everything that only they refer to. A weak proxy is written as its object, or as a dead one.

    Lists and sets are read past the methods of their class, but the items of a dict are those that its `items` returns.

    Raises:
        NotCanonical: a list or dict contains itself, a value is too deep to write, or members of a set refer to each
            other so symmetrically that none is the first.
    """
    if type(value) in ATOMS:
        return marshal.dumps(value, _FORMAT)
    if type(value) is tuple and ATOMS.issuperset(map(type, value)):
        return marshal.dumps(value, _FORMAT)
    return _bytes(value, identity=False, omits=omits, ordered=ordered)


def concrete(*roots: Any, omits: Omits | None = None, past_methods: bool = False) -> bytes:
    """Return bytes of the object graph below `roots`, with objects, lists, dicts and sets by identity, in order of
    first visit.

    Two graphs have the same bytes exactly when they are isomorphic as rooted graphs. The exceptions and the effect of
    `omits` are as in `canonical`. With `past_methods`, the items of a dict are those that it holds, even if its class
    overrides `items`.
    """
    return _bytes(roots, identity=True, omits=omits, past_methods=past_methods)


def _bytes(
    value: Any, identity: bool, omits: Omits | None = None, past_methods: bool = False, ordered: bool = True
) -> bytes:
    items = _items_held if past_methods else _items_told
    try:
        return _dump(_Writer(identity, omits, items, ordered).write(value))
    except _Shared:
        return _dump(("graph", _GraphWriter(identity, omits, items, ordered).certificate(value)))


def _without_order(items: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Return items of a dict whose order does not count, nor that of the dicts among its values."""
    return [(key, _Unordered(held) if isinstance(held, dict) else held) for key, held in items]


def _items_told(value: dict[Any, Any]) -> Iterable[Any]:
    return value.items()


def _items_held(value: dict[Any, Any]) -> Iterable[Any]:
    return OrderedDict.items(value) if isinstance(value, OrderedDict) else dict.items(value)


def _dump(tree: Any) -> bytes:
    try:
        return marshal.dumps(tree, _FORMAT)
    except ValueError as error:
        raise NotCanonical(str(error)) from None


class _Unordered:
    """A dict whose items have no order."""

    def __init__(self, of: dict[Any, Any]) -> None:
        self.of = of


_VISITS: tuple[tuple[tuple[type, ...], str], ...] = (
    ((Token,), "_token"),
    ((type,), "_class"),
    ((_Unordered,), "_items_of"),
    ((ModuleType,), "_module"),
    ((Enum,), "_member_of_enum"),
    ((frozenset, set), "_set"),
    ((list, dict), "_container"),
)


class _Writer:
    """Turns a value into nested tuples of atoms, each container marked by its kind.

    Each value is written by the method for its kind. That is the kind of its class, whatever the object's own
    `__class__` says. A weak proxy is written as its object.
    """

    _visits: ClassVar[dict[int, str]] = {}

    def __init__(self, identity: bool, omits: Omits | None, items: Items, ordered: bool) -> None:
        self._ordered = ordered
        self._identity = identity
        self._omits = omits
        self._unordered: frozenset[str] = getattr(omits, "unordered", frozenset())
        self._items = items
        self._numbers: dict[int, int] = {}
        self._keep: list[Any] = []  # what was visited stays alive, so that no id is used twice
        self._path: set[int] = set()
        self._slotted: dict[type, FieldReader] = {}
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

    def _visit(self, value: Any) -> Any:
        cls = kind = type(value)
        if cls in _PROXIES:
            if _is_dead(value):
                return "dead proxy", cls.__qualname__  # no class has this name
            kind = value.__class__
        by_fields = "_value" if holds_more(kind) else "_object"
        visit = next((visit for base, visit in _VISITS if issubclass(kind, base)), by_fields)
        if cls not in _PROXIES:
            remember(self._visits, cls, visit)
        return getattr(self, visit)(value)

    def _token(self, token: Token) -> Any:
        return "token", token.domain, token.index

    def _class(self, cls: type) -> Any:
        return "class", cls.__qualname__

    def _module(self, module: ModuleType) -> Any:
        return "module", module.__name__

    def _member_of_enum(self, member: Enum) -> Any:
        return "enum", type(member).__qualname__, member._name_, self.write(member._value_)

    def _remember(self, value: Any) -> None:
        self._numbers[id(value)] = len(self._numbers)
        self._keep.append(value)

    def _set(self, value: frozenset[Any] | set[Any]) -> Any:
        if id(value) in self._numbers:
            return self._again(id(value))
        if self._identity and isinstance(value, set):
            self._remember(value)
        return (type(value).__qualname__, *self._apart(contents(value)))

    def _items_of(self, value: _Unordered) -> Any:
        return ("unordered", type(value.of).__qualname__, *self._items_apart(value.of, unordered=True))

    def _container(self, value: list[Any] | dict[Any, Any]) -> Any:
        key = id(value)
        if self._identity:
            if key in self._numbers:
                return self._again(key)
            self._remember(value)
            return self._contents(value)
        if key in self._path:
            raise NotCanonical(f"a {type(value).__name__} contains itself")
        self._path.add(key)
        try:
            return self._contents(value)
        finally:
            self._path.discard(key)

    def _contents(self, value: list[Any] | dict[Any, Any]) -> Any:
        if type(value) is list:
            return ("list", *map(self.write, value))
        held = self._held(value)
        fields = self._fields_of_container(value)
        return (*held, (".", *self._written(fields))) if fields else held  # no class has this name

    def _held(self, value: list[Any] | dict[Any, Any]) -> tuple[Any, ...]:
        name = type(value).__qualname__
        if isinstance(value, list):
            return (name, *map(self.write, contents(value)))
        if not (self._ordered or isinstance(value, OrderedDict)):
            return (name, *self._items_apart(value))
        if type(value) is dict and _KEYS.issuperset(map(type, value)):
            return (name, *value, *[held if type(held) in ATOMS else self.write(held) for held in value.values()])
        return (name, *map(self.write, self._items(value)))

    def _items_apart(self, value: dict[Any, Any], unordered: bool = False) -> list[Any]:
        keys = dict.keys(value) if self._items is _items_held else value
        items = _without_order(self._items(value)) if unordered else self._items(value)
        if not _KEYS.issuperset(map(type, keys)):
            return self._apart(items)
        # Sort before the items are written: an object is numbered where it is met first.
        keyed = [(marshal.dumps(key, _FORMAT), item) for key, item in items]
        keyed.sort(key=itemgetter(0))
        return self._written(keyed)

    def _apart(self, members: Iterable[Any]) -> list[Any]:
        """Write members that have no order in the order of their bytes."""
        return sorted(map(self._member, members))

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

    def _written(self, pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        """Write the second part of each pair."""
        write = self.write
        written = []
        for name, held in pairs:
            written.append((name, held if type(held) in ATOMS else write(held)))
        return written

    def _object(self, value: Any, more: bool = False) -> Any:
        if id(value) in self._numbers:
            return self._again(id(value))
        self._remember(value)
        name = type(value).__qualname__
        if type(value) in NOT_COMPARED:
            return ("not compared", name)  # no class has this name
        fields = self._fields(value)
        if fields is not None and not more:
            return (name, *self._written(fields))
        parts = parts_of(value)
        mark = UNTOLD if parts is None and is_untold(type(value), fields) else "value"
        return (mark, name, self.write(parts), *self._written(fields or ()))

    def _value(self, value: Any) -> Any:
        return self._object(value, more=True)

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
        kept = fields.items() if omits is None else [field for field in fields.items() if not omits(field[0])]
        if not self._unordered:
            return sorted(kept)
        return sorted(
            (name, _Unordered(held) if name in self._unordered and isinstance(held, dict) else held)
            for name, held in kept
        )

    def _fields_of_container(self, value: list[Any] | dict[Any, Any]) -> list[tuple[str, Any]]:
        """Return the attributes of an instance of a subclass."""
        if type(value) in (list, dict):
            return []
        factory = [("default_factory", value.default_factory)] if isinstance(value, defaultdict) else []
        return factory + (self._fields(value) or [])


@dataclass(frozen=True)
class _Node:
    """Stands for a node of a graph in what is written of another one."""

    number: int


class _GraphWriter(_Writer):
    """Writes a value as a graph, with nodes for objects, for what has no order, and for the members of that."""

    def __init__(self, identity: bool, omits: Omits | None, items: Items, ordered: bool) -> None:
        super().__init__(identity, omits, items, ordered)
        self._graph = Graph()

    def certificate(self, value: Any) -> bytes:
        root = self._graph.node(b"root")
        self._graph.ordered[root].append(self._node_of(self.write(value)))
        try:
            return certificate(self._graph)
        except TooSymmetric:
            raise NotCanonical("members of a set refer to each other in too many like ways to have an order") from None

    def write(self, value: Any) -> Any:
        written = super().write(value)
        number = self._numbers.get(id(value))
        if number is None or type(written) is _Node:
            return written
        self._label(number, written)
        return _Node(number)

    def _remember(self, value: Any) -> None:
        super()._remember(value)
        self._numbers[id(value)] = self._graph.node(b"")

    def _again(self, key: int) -> Any:
        return _Node(self._numbers[key])

    def _apart(self, members: Iterable[Any]) -> list[Any]:
        node = self._graph.node(b"apart")
        for member in members:
            self._graph.unordered[node].append(self._node_of(self.write(member)))
        return [_Node(node)]

    def _node_of(self, written: Any) -> int:
        if type(written) is _Node:
            return written.number
        number = self._graph.node(b"")
        self._label(number, written)
        return number

    def _label(self, number: int, written: Any) -> None:
        """Label a node by what is written of it; the nodes in that are its children."""
        children = self._graph.ordered[number]

        def without_nodes(part: Any) -> Any:
            if type(part) is _Node:
                children.append(part.number)
                return ...
            return tuple(map(without_nodes, part)) if type(part) is tuple else part

        self._graph.labels[number] = _dump(without_nodes(written))


def _is_dead(proxy: Any) -> bool:
    """Return whether the object behind a weak proxy is gone."""
    try:
        proxy.__class__  # noqa: B018
    except ReferenceError:
        return True
    return False


MOST_VISITS = 5_000_000
"""The limit on visits of nodes and edges: some seconds; forty objects that all refer to each other take fewer."""

Colours = list[int]


class TooSymmetric(Exception):
    """Raised if more than MOST_VISITS do not put the nodes in order."""


@dataclass
class Graph:
    """Nodes by number: labels, and the numbers of children in order and of those without an order."""

    labels: list[bytes] = field(default_factory=list)
    ordered: list[list[int]] = field(default_factory=list)
    unordered: list[list[int]] = field(default_factory=list)

    def node(self, label: bytes) -> int:
        """Add a node without children. Return its number."""
        self.labels.append(label)
        self.ordered.append([])
        self.unordered.append([])
        return len(self.labels) - 1


def certificate(graph: Graph) -> bytes:
    """Return the least description of the graph in an order of its nodes that refinement allows.

    Raises:
        TooSymmetric: the search for it takes too long.
    """
    return min(_Search(graph).below([0] * len(graph.labels)).descriptions)


@dataclass
class _Below:
    """The results of a part of the search: descriptions, each with an order of nodes that gives it; symmetries."""

    descriptions: dict[bytes, list[int]]
    symmetries: list[list[tuple[int, int]]]

    def add(self, other: _Below) -> None:
        self.descriptions |= other.descriptions
        self.symmetries += other.symmetries

    def images(self, node: int) -> set[int]:
        """Return the images of a node under the symmetries, itself included."""
        images, work = {node}, [node]
        while work:
            reached = work.pop()
            for symmetry in self.symmetries:
                for pair in symmetry:
                    if reached in pair:
                        new = {*pair} - images
                        images |= new
                        work += new
        return images


class _Search:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._size = len(graph.labels) + sum(map(len, graph.ordered)) + sum(map(len, graph.unordered))
        self._visits = 0
        self._chosen = False
        self._parents: list[list[tuple[int, int]]] = [[] for _ in graph.labels]
        for parent, children in enumerate(graph.ordered):
            for position, child in enumerate(children):
                self._parents[child].append((position, parent))
        for parent, children in enumerate(graph.unordered):
            for child in children:
                self._parents[child].append((-1, parent))

    def below(self, colours: Colours) -> _Below:
        """Return all descriptions below these colours.

        Two orders of the same description are a symmetry, which keeps the nodes that were individualised before both:
        below a node that is another one's image there is nothing new.
        """
        colours = self._refined(colours)
        cell = _first_cell(colours)
        if not cell:
            return _Below(dict([self._leaf(colours)]), [])
        results = _Below({}, [])
        explored: set[int] = set()
        for node in cell:
            if not explored.isdisjoint(results.images(node)):
                continue
            self._chosen = True
            individual = _individualised(colours, node)
            if explored:
                description, order = self._first_leaf(individual)
                if description in results.descriptions:
                    results.symmetries.append(_moved(results.descriptions[description], order))
                    continue
            results.add(self.below(individual))
            explored.add(node)
        return results

    def _first_leaf(self, colours: Colours) -> tuple[bytes, list[int]]:
        while cell := _first_cell(colours := self._refined(colours)):
            colours = _individualised(colours, cell[0])
        return self._leaf(colours)

    def _refined(self, colours: Colours) -> Colours:
        """Return the coarsest colours, finer than these, by which nodes of a colour have like children and parents."""
        graph, count = self._graph, 0
        while True:
            seen = [
                (
                    colours[node],
                    graph.labels[node],
                    [colours[child] for child in graph.ordered[node]],
                    sorted(colours[child] for child in graph.unordered[node]),
                    sorted((position, colours[parent]) for position, parent in self._parents[node]),
                )
                for node in range(len(colours))
            ]
            refined, colour, previous = [0] * len(seen), -1, None
            for node in sorted(range(len(seen)), key=seen.__getitem__):
                if seen[node] != previous:
                    previous, colour = seen[node], colour + 1
                refined[node] = colour
            if colour + 1 == count:
                return refined
            self._visits += self._size * self._chosen
            if self._visits > MOST_VISITS:
                raise TooSymmetric
            colours, count = refined, colour + 1

    def _leaf(self, colours: Colours) -> tuple[bytes, list[int]]:
        """Return the graph with its nodes in the order of their colours, which are all different; and this order."""
        graph = self._graph
        order = sorted(range(len(colours)), key=colours.__getitem__)
        description = marshal.dumps(
            tuple(
                (
                    graph.labels[node],
                    tuple(colours[child] for child in graph.ordered[node]),
                    tuple(sorted(colours[child] for child in graph.unordered[node])),
                )
                for node in order
            ),
            _FORMAT,
        )
        return description, order


def _first_cell(colours: Colours) -> list[int]:
    """Return the nodes of the first colour that several have."""
    cells: dict[int, list[int]] = {}
    for node, colour in enumerate(colours):
        cells.setdefault(colour, []).append(node)
    shared = [colour for colour, nodes in cells.items() if len(nodes) > 1]
    return cells[min(shared)] if shared else []


def _moved(order: list[int], image: list[int]) -> list[tuple[int, int]]:
    """Return the symmetry between two orders, without the nodes that it keeps."""
    return [(node, other) for node, other in zip(order, image, strict=True) if node != other]


def _individualised(colours: Colours, node: int) -> Colours:
    """Return colours that put `node` before all others of its colour."""
    split = [2 * colour + 1 for colour in colours]
    split[node] -= 1
    return split
