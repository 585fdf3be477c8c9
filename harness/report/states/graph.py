"""Represents a state of a suite as a graph of objects, from which drawings are made. Nothing is executed for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.model.finitization import CONTAINERS, CONTENTS, DomainKind


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

    number: int
    kind: str
    name: str
    labels: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]
    links: tuple[Link, ...]
    absent: tuple[str, ...]
    contents: str = ""
    is_container: bool = False

    @property
    def branches(self) -> tuple[Link, ...]:
        """The links by which objects are met first: the edges of a tree that spans the graph."""
        return tuple(link for link in self.links if link.first)


@dataclass(frozen=True)
class StateGraph:
    """The objects of a state by number. The root's is first, and each comes before the objects first found from it."""

    nodes: dict[int, GraphNode]

    @property
    def root(self) -> GraphNode:
        """The root object."""
        return next(iter(self.nodes.values()))

    def depths(self) -> dict[int, int]:
        """Return, for each object, the number of links from the root at which it is first found."""
        depth_of = {self.root.number: 0}
        for node in self.nodes.values():
            depth_of.update((link.target, depth_of[node.number] + 1) for link in node.branches)
        return depth_of


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


def first_states(space: StateSpace, vectors: Iterable[Sequence[int]], count: int) -> list[NumberedState]:
    """Return the first `count` states among `vectors`; successive states that look the same are merged."""
    return merged(enumerate(map(StateReader(space).read, vectors), start=1), count)


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


def object_names(space: StateSpace) -> list[str]:
    """Return the names of objects in drawings, by number: `Node0`, or `Node` if it is the only one of its class."""
    classes = Counter(owner.domain.class_name for owner in space.objects)
    numbers: Counter[str] = Counter()
    names: list[str] = []
    for owner in space.objects:
        name = owner.domain.class_name
        names.append(name if classes[name] == 1 else f"{name}{numbers[name]}")
        numbers[name] += 1
    return names


class StateReader:
    """Reads candidate vectors of one state space as graphs.

    A container that holds plain values, and to which only one field refers, is shown as the value of that field.
    """

    def __init__(self, space: StateSpace) -> None:
        self._space = space
        self._names = object_names(space)

    def read(self, vector: Sequence[int]) -> StateGraph:
        """Return the graph of the state that `vector` encodes."""
        inline = self._inline(vector)
        first, order = {0: (-1, "")}, [0]
        """The owner and the label from which each object is first found, and the order of the objects, depth first."""
        agenda = [(0, iter(list(self._fields(0, vector))))]
        while agenda:
            number, fields = agenda[-1]
            for label, field in fields:
                target = self._target(field, vector)
                if target != PLAIN and target not in inline and target not in first:
                    first[target] = (number, label)
                    order.append(target)
                    agenda.append((target, iter(list(self._fields(target, vector)))))
                    break
            else:
                agenda.pop()
        return StateGraph({number: self._node(number, vector, inline, first) for number in order})

    def _node(
        self, number: int, vector: Sequence[int], inline: set[int], first: Mapping[int, tuple[int, str]]
    ) -> GraphNode:
        fields: list[tuple[str, str]] = []
        links: list[Link] = []
        absent: list[str] = []
        contents = ""
        declared = list(self._fields(number, vector))
        for label, field in declared:
            target = self._target(field, vector)
            if target != PLAIN and target not in inline:
                links.append(Link(label, target, first[target] == (number, label)))
            elif self._could_refer(field) and self._is_none(field, vector):
                absent.append(label)
            elif label == CONTENTS:
                contents = self._value(field, vector)
            else:
                fields.append((label, self._value(field, vector)))
        kind, is_container = self._space.objects[number].domain.class_name, self._is_container(number)
        if is_container and not links:
            contents, fields = self._contents(number, vector), []
        if self._space.objects[number].domain.kind is DomainKind.NOTHING:
            contents = "no pre-state"
        name, labels = self._names[number], tuple(label for label, _ in declared)
        return GraphNode(number, kind, name, labels, tuple(fields), tuple(links), tuple(absent), contents, is_container)

    def _inline(self, vector: Sequence[int]) -> set[int]:
        """Return the objects shown as values: those without fields, and containers of values with one reference."""
        mentions: Counter[int] = Counter()
        plain: set[int] = set()
        agenda, reached = [0], {0}
        while agenda:
            number = agenda.pop()
            targets = [self._target(field, vector) for _, field in self._fields(number, vector)]
            mentions.update(targets)
            if self._is_container(number) and all(t == PLAIN or self._is_value(t) for t in targets):
                plain.add(number)
            agenda.extend(new := [t for t in dict.fromkeys(targets) if t != PLAIN and t not in reached])
            reached.update(new)
        return set(filter(self._is_value, reached)) | {number for number in plain if number and mentions[number] == 1}

    def _fields(self, number: int, vector: Sequence[int]) -> Iterator[tuple[str, int]]:
        """Yield the labels and numbers of an object's fields; for a container, those of its items."""
        owner = self._space.objects[number]
        if owner.is_sequence:
            length = owner.domain.lengths[vector[owner.first]]
            yield from ((f"[{position}]", owner.first + 1 + position) for position in range(length))
            return
        named = zip(owner.names, range(owner.first, owner.first + len(owner.names)), strict=True)
        if owner.domain.kind in CONTAINERS:  # index 0 marks an absent item of a set or dict
            yield from ((f"[{name}]", field) for name, field in named if vector[field])
        else:
            yield from named

    def _value(self, field: int, vector: Sequence[int]) -> str:
        target = self._target(field, vector)
        if target == PLAIN:
            return repr(self._space.fields[field].domain.plain[vector[field]])
        owner = self._space.objects[target]
        if owner.domain.kind is DomainKind.MADE:  # named after its function, or a collection as it is written
            return f"<{owner.domain.class_name}>" if owner.domain.class_name.isidentifier() else owner.domain.class_name
        return self._names[target] if owner.domain.kind is DomainKind.TOKEN else self._contents(target, vector)

    def _contents(self, number: int, vector: Sequence[int]) -> str:
        """Return a container of values as it is written."""
        held = [(label[1:-1], field) for label, field in self._fields(number, vector)]
        kind = self._space.objects[number].domain.kind
        if kind is DomainKind.DICT:
            return f"{{{', '.join(f'{key}: {self._value(field, vector)}' for key, field in held)}}}"
        if kind is DomainKind.SET:
            return f"{{{', '.join(member for member, _ in held)}}}" if held else "set()"
        elements = f"[{', '.join(self._value(field, vector) for _, field in held)}]"
        return elements if kind is DomainKind.LIST else f"deque({elements})"

    def _target(self, field: int, vector: Sequence[int]) -> int:
        return self._space.fields[field].domain.objects[vector[field]]

    def _is_container(self, number: int) -> bool:
        return self._space.objects[number].domain.kind in CONTAINERS

    def _is_value(self, number: int) -> bool:
        """Return whether an object is shown by its name alone, since it has neither fields nor items."""
        return self._space.objects[number].domain.kind in (DomainKind.TOKEN, DomainKind.MADE)

    def _could_refer(self, field: int) -> bool:
        owner = self._space.objects[self._space.fields[field].owner]
        targets = self._space.fields[field].domain.objects
        return owner.domain.kind is DomainKind.OBJECT and any(
            other != PLAIN and not self._is_value(other) for other in targets
        )

    def _is_none(self, field: int, vector: Sequence[int]) -> bool:
        return self._target(field, vector) == PLAIN and self._space.fields[field].domain.plain[vector[field]] is None
