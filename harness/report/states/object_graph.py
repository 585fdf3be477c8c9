"""Reads objects in memory as the graph that drawings are made from, for states that no candidate vector encodes."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from enum import Enum
from typing import Any

from harness.generators.sequences.matching import is_counted
from harness.kernel.inputs.describe import show
from harness.kernel.objects.reading import ATOMS, stored_fields
from harness.kernel.specs.tokens import Token
from harness.report.states.graph import GraphNode, Link, StateGraph

_ORDERED = (list, tuple, deque)
_UNORDERED = (set, frozenset)
_CONTAINERS = (*_ORDERED, dict)
_NONE = "None"

Omits = Callable[[str], bool] | None


def graph_of(root: Any, omits: Omits = None) -> StateGraph:
    """Return the graph of the objects below a root, read without the program's own methods.

    A container that holds only values, and to which only one field refers, is shown as the value of that field. So is a
    set, since its order has no meaning.

    Args:
        omits: returns True for a field that is left out.
    """
    return _Reading(root, omits).graph()


def without_absent(graphs: Sequence[StateGraph]) -> list[StateGraph]:
    """Return the graphs. A field that is None here, but refers to an object in one of them, is moved to `absent`."""
    referring = {(node.kind, link.label) for graph in graphs for node in graph.nodes.values() for link in node.links}
    return [
        StateGraph({number: _without_absent(node, referring) for number, node in graph.nodes.items()})
        for graph in graphs
    ]


def _without_absent(node: GraphNode, referring: Set[tuple[str, str]]) -> GraphNode:
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
        self._names = self._object_names()

    def graph(self) -> StateGraph:
        return StateGraph({number: self._node(number, value) for number, value in enumerate(self._order)})

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

    def _object_names(self) -> list[str]:
        """Return the names of the objects: the root has that of its class, others of a class also have numbers."""
        counts: Counter[str] = Counter()
        names: list[str] = []
        for value in self._order:
            kind = type(value).__qualname__
            names.append(kind if not names or isinstance(value, _CONTAINERS) else f"{kind}{counts[kind]}")
            counts[kind] += bool(names[1:])
        return names

    def _node(self, number: int, value: Any) -> GraphNode:
        fields: list[tuple[str, str]] = []
        links: list[Link] = []
        labels = []
        for label, held in self._parts(value):
            labels.append(label)
            if id(held) in self._numbers and _is_followed(held):
                links.append(Link(label, self._numbers[id(held)], self._first[id(held)] == (id(value), label)))
            else:
                fields.append((label, _text(held)))
        contents = ""
        if isinstance(value, _CONTAINERS) and not links:
            contents, fields = show(value), []
        elif not _is_followed(value):
            contents = _text(value)
        kind, is_container = type(value).__qualname__, isinstance(value, _CONTAINERS)
        name, field_labels = self._names[number], tuple(labels)
        return GraphNode(number, kind, name, field_labels, tuple(fields), tuple(links), (), contents, is_container)

    def _parts(self, value: Any) -> Iterator[tuple[str, Any]]:
        """Yield the parts of a value, each with its label."""
        if isinstance(value, dict):
            yield from ((f"[{show(key)}]", held) for key, held in dict.items(value))
        base: Any = next((base for base in _ORDERED if isinstance(value, base)), None)
        if base is not None:
            yield from ((f"[{place}]", held) for place, held in enumerate(base.__iter__(value)))
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
    return value.__qualname__ if isinstance(value, type) else show(value)
