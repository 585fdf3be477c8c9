"""Reads states as graphs of objects, from which drawings are made: objects in memory, or those of a suite's vectors."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import compress
from typing import Any

from harness.generators.sequences.replay import is_counted
from harness.kernel.inputs.describe import show
from harness.kernel.inputs.state_space import PLAIN, SpaceObject, StateSpace, token
from harness.kernel.objects.reading import ATOMS, held_contents, stored_fields
from harness.kernel.specs.tokens import Token
from harness.model.finitization import ABSENT, CONTENTS, DomainKind
from harness.model.literals import displayed

_UNORDERED = (set, frozenset)
_CONTAINERS = (list, tuple, deque, dict)
_NONE = "None"
_COLLECTIONS: dict[DomainKind, Any] = {
    DomainKind.LIST: list,
    DomainKind.DEQUE: deque,
    DomainKind.SET: set,
    DomainKind.DICT: dict,
}

Omits = Callable[[str], bool] | None


@dataclass(frozen=True)
class Link:
    """A field that refers to an object; `first` where the object is met here first, from the root in field order."""

    label: str
    target: int
    first: bool


@dataclass(frozen=True)
class GraphNode:
    """An object of the state: fields with plain values as texts, and links; `labels` are all fields in order.

    `absent` are fields that could refer to an object and are None here; `contents` is the text of a container.
    """

    kind: str
    name: str
    labels: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    links: tuple[Link, ...] = ()
    absent: tuple[str, ...] = ()
    contents: str = ""
    is_container: bool = False

    @property
    def branches(self) -> tuple[Link, ...]:
        """The links by which objects are met first: the edges of a tree that spans the graph."""
        return tuple(link for link in self.links if link.first)


@dataclass(frozen=True)
class StateGraph:
    """The objects of a state. The root is first, and each comes before the objects first found from it."""

    nodes: tuple[GraphNode, ...]

    @property
    def root(self) -> GraphNode:
        """The root object."""
        return self.nodes[0]

    def depths(self) -> list[int]:
        """Return, for each object, the number of links from the root at which it is first found."""
        depths = [0] * len(self.nodes)
        for number, node in enumerate(self.nodes):
            for link in node.branches:
                depths[link.target] = depths[number] + 1
        return depths


@dataclass(frozen=True)
class NumberedState:
    """A state with its number in the suite, from 1; up to number `last`, states differ only in the objects of
    arguments.
    """

    first: int
    last: int
    graph: StateGraph

    @property
    def title(self) -> str:
        """A title such as `state 3` or `states 3-5`."""
        return f"state {self.first}" if self.first == self.last else f"states {self.first}-{self.last}"


def merged(graphs: Iterable[tuple[int, StateGraph]], count: int) -> list[NumberedState]:
    """Return the first `count` states of graphs with their numbers; successive states that look the same are merged."""
    states: list[NumberedState] = []
    for number, graph in graphs:
        if states and states[-1].graph == graph:
            states[-1] = NumberedState(states[-1].first, number, graph)
        elif len(states) == count:
            break
        else:
            states.append(NumberedState(number, number, graph))
    return states


class StateReader:
    """Reads candidate vectors of one state space as graphs, of objects that stand for those of the program.

    These have their fields and the names of their classes. What a function of the spec makes is a class of its name.
    """

    def __init__(self, space: StateSpace) -> None:
        self._space = space
        self._referring = {
            (space.objects[field.owner].domain.class_name, field.name)
            for field in space.fields
            for other in field.domain.objects
            if other != PLAIN and space.objects[other].domain.kind not in (DomainKind.TOKEN, DomainKind.MADE)
        }

    def read(self, vector: Sequence[int]) -> StateGraph:
        """Return the graph of the state that `vector` encodes."""
        if self._space.objects[0].domain.kind is DomainKind.NOTHING:
            return StateGraph((GraphNode("", "", contents="no pre-state"),))
        objects = list(map(self._empty, self._space.objects))
        for owner in sorted(self._space.objects, key=lambda one: one.domain.kind is DomainKind.OBJECT):
            held = [
                (name, plain[vector[field]] if others[vector[field]] == PLAIN else objects[others[vector[field]]])
                for name, field, plain, others in self._space.layouts[owner.number]
            ]
            _fill(objects[owner.number], owner, held, vector)
        return without_absent([graph_of(objects[0])], self._referring)[0]

    def _empty(self, owner: SpaceObject) -> Any:
        """Return the object that stands for one, still without what it holds."""
        domain = owner.domain
        if domain.kind is DomainKind.TOKEN:
            return token(domain, owner.index)
        if domain.kind is DomainKind.MADE:  # named after its function, or a collection as it is written
            return type(f"<{domain.class_name}>" if domain.class_name.isidentifier() else domain.class_name, (), {})
        if domain.kind is not DomainKind.OBJECT:
            return _COLLECTIONS[domain.kind]()
        if CONTENTS not in owner.names:
            return type(domain.class_name, (), {})()
        contents = self._space.fields[owner.first + owner.names.index(CONTENTS)].domain.objects[0]
        return type(domain.class_name, (_COLLECTIONS[self._space.objects[contents].domain.kind],), {})()


def _fill(made: Any, owner: SpaceObject, held: Sequence[tuple[str, Any]], vector: Sequence[int]) -> None:
    """Put the values of the fields into an object, those of containers first, so that contents can be copied."""
    domain, values = owner.domain, [value for _, value in held]
    if owner.is_sequence:
        made.extend(values[1 : 1 + domain.lengths[vector[owner.first]]])
    elif domain.kind is DomainKind.SET:
        made.update(compress(domain.keys, values))
    elif domain.kind is DomainKind.DICT:
        made.update((key, value) for key, value in zip(domain.keys, values, strict=True) if value is not ABSENT)
    elif domain.kind is DomainKind.OBJECT:
        for name, value in held:
            if name != CONTENTS:
                vars(made)[name] = value
            elif isinstance(made, dict):
                made.update(value)
            else:
                made.extend(value)


def graph_of(root: Any, omits: Omits = None) -> StateGraph:
    """Return the graph of the objects below a root, read without the program's own methods.

    A container that holds only values, and to which only one field refers, is shown as the value of that field. So is a
    set, since its order has no meaning.

    Args:
        omits: returns True for a field that is left out.
    """
    return _Reading(root, omits).graph()


def without_absent(graphs: Sequence[StateGraph], referring: Collection[tuple[str, str]] = ()) -> list[StateGraph]:
    """Return the graphs. A field that is None here, but refers to an object in one of them, is moved to `absent`.

    Args:
        referring: classes and fields that may refer to an object, besides those that do.
    """
    refers = {(node.kind, link.label) for graph in graphs for node in graph.nodes for link in node.links}
    refers.update(referring)
    return [StateGraph(tuple(_without_absent(node, refers) for node in graph.nodes)) for graph in graphs]


def _without_absent(node: GraphNode, referring: Collection[tuple[str, str]]) -> GraphNode:
    absent = tuple(label for label, text in node.fields if text == _NONE and (node.kind, label) in referring)
    return replace(node, absent=absent, fields=tuple(field for field in node.fields if field[0] not in absent))


class _Reading:
    """Reads one root. Objects are distinguished by their addresses, since all of them are alive."""

    def __init__(self, root: Any, omits: Omits) -> None:
        self._root = root
        self._omits = omits
        self._inline = self._inline_containers()
        self._first: dict[int, tuple[int, str]] = {id(root): (0, "")}
        self._order = self._followed_objects()
        self._numbers = {id(value): number for number, value in enumerate(self._order)}

    def graph(self) -> StateGraph:
        counts: Counter[str] = Counter()
        nodes: list[GraphNode] = []
        for value in self._order:  # the root has the name of its class, others of a class also have numbers
            name = type(value).__qualname__
            is_numbered = nodes and type(value) not in _CONTAINERS
            nodes.append(self._node(value, f"{name}{counts[name]}" if is_numbered else name))
            counts[name] += bool(nodes[1:])
        return StateGraph(tuple(nodes))

    def _inline_containers(self) -> set[int]:
        mentions: Counter[int] = Counter()
        seen = {id(self._root): self._root}
        work = [self._root]
        while work:
            for _, held in self._parts(work.pop()):
                if _is_followed(held):
                    mentions[id(held)] += 1
                    if id(held) not in seen:
                        seen[id(held)] = held
                        work.append(held)
        return {
            number
            for number, value in seen.items()
            if value is not self._root and mentions[number] == 1 and type(value) in _CONTAINERS
            if not any(_is_followed(held) for _, held in self._parts(value))
        }

    def _followed_objects(self) -> list[Any]:
        """Return the objects to follow, depth first from the root in the order of fields; record where each is first
        found.
        """
        order = [self._root]
        agenda = [(self._root, self._parts(self._root))]
        while agenda:
            owner, left = agenda[-1]
            for label, held in left:
                if _is_followed(held) and id(held) not in self._inline and id(held) not in self._first:
                    self._first[id(held)] = (id(owner), label)
                    order.append(held)
                    agenda.append((held, self._parts(held)))
                    break
            else:
                agenda.pop()
        return order

    def _node(self, value: Any, name: str) -> GraphNode:
        fields: list[tuple[str, str]] = []
        links: list[Link] = []
        labels = []
        for label, held in self._parts(value):
            labels.append(label)
            if id(held) in self._numbers and _is_followed(held):
                links.append(Link(label, self._numbers[id(held)], self._first[id(held)] == (id(value), label)))
            else:
                fields.append((label, _text(held)))
        contents = "" if _is_followed(value) else _text(value)
        is_container = isinstance(value, _CONTAINERS)
        if is_container and not any(link.label.startswith("[") for link in links):
            contents = _text(value if type(value) in _CONTAINERS else held_contents(value))
            fields = [field for field in fields if not field[0].startswith("[")]
        kind = type(value).__qualname__
        return GraphNode(kind, name, tuple(labels), tuple(fields), tuple(links), (), contents, is_container)

    def _parts(self, value: Any) -> Iterator[tuple[str, Any]]:
        """Yield the parts of a value, each with its label: items in brackets, then fields."""
        held = held_contents(value)
        if isinstance(held, dict):
            yield from ((f"[{_text(key)}]", item) for key, item in held.items())
        elif held is not None and not isinstance(value, _UNORDERED):
            yield from ((f"[{place}]", item) for place, item in enumerate(held))
        if is_counted(value):
            yield from stored_fields(value, self._omits).items()


def _is_followed(value: Any) -> bool:
    """Return whether a value is drawn with its parts, not as text."""
    return isinstance(value, _CONTAINERS) or (is_counted(value) and not isinstance(value, _UNORDERED))


def _text(value: Any) -> str:
    if type(value) in ATOMS:
        return repr(value)
    if isinstance(value, Token):
        return f"{value.domain}{value.index}"
    if isinstance(value, Enum):
        return f"{type(value).__qualname__}.{value.name}"
    if isinstance(value, type):
        return value.__qualname__
    return f"deque({_text(list(value))})" if type(value) is deque else displayed(value, _text) or show(value)
