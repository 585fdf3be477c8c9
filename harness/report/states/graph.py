"""A state of a suite as the graph of objects that it is: what drawings are made of. Nothing is executed for it."""

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
class Thing:
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
    """The objects of a state by number, the root's first, each before those that are met from it."""

    things: dict[int, Thing]

    @property
    def root(self) -> Thing:
        """The root object."""
        return next(iter(self.things.values()))

    def depths(self) -> dict[int, int]:
        """By object, how many links from the root it is met first."""
        found = {self.root.number: 0}
        for thing in self.things.values():
            found.update((link.target, found[thing.number] + 1) for link in thing.branches)
        return found


@dataclass(frozen=True)
class NumberedState:
    """A state with its number in the suite, from 1; up to number `last`, they differ in arguments' objects only."""

    first: int
    last: int
    graph: StateGraph

    @property
    def title(self) -> str:
        """As `state 3`, or `states 3-5`."""
        return f"state {self.first}" if self.first == self.last else f"states {self.first}-{self.last}"


def first_states(space: StateSpace, vectors: Iterable[Sequence[int]], count: int) -> list[NumberedState]:
    """The first `count` states among `vectors`; those that follow one another and look the same are one."""
    reader = StateReader(space)
    found: list[NumberedState] = []
    for number, vector in enumerate(vectors, start=1):
        graph = reader.read(vector)
        if found and found[-1].graph == graph:
            found[-1] = NumberedState(found[-1].first, number, graph)
        elif len(found) == count:
            break
        else:
            found.append(NumberedState(number, number, graph))
    return found


def object_names(space: StateSpace) -> list[str]:
    """How the objects are called in drawings, by number: `Node0`, and `Node` where it is the only one."""
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

    A container that holds plain values, and that one field alone refers to, is the value of that field.
    """

    def __init__(self, space: StateSpace) -> None:
        self._space = space
        self._names = object_names(space)

    def read(self, vector: Sequence[int]) -> StateGraph:
        """The graph of the state that `vector` describes."""
        inline = self._inline(vector)
        first, order = {0: (-1, "")}, [0]
        """By object, where it is met first, depth first from the root; and the order in which they are met."""
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
        return StateGraph({number: self._thing(number, vector, inline, first) for number in order})

    def _thing(
        self, number: int, vector: Sequence[int], inline: set[int], first: Mapping[int, tuple[int, str]]
    ) -> Thing:
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
        return Thing(number, kind, name, labels, tuple(fields), tuple(links), tuple(absent), contents, is_container)

    def _inline(self, vector: Sequence[int]) -> set[int]:
        """Objects shown as values: those without fields, and containers of values that are referred to once."""
        mentions: Counter[int] = Counter()
        plain: set[int] = set()
        agenda, met = [0], {0}
        while agenda:
            number = agenda.pop()
            targets = [self._target(field, vector) for _, field in self._fields(number, vector)]
            mentions.update(targets)
            if self._is_container(number) and all(t == PLAIN or self._is_value(t) for t in targets):
                plain.add(number)
            agenda.extend(new := [t for t in dict.fromkeys(targets) if t != PLAIN and t not in met])
            met.update(new)
        return set(filter(self._is_value, met)) | {number for number in plain if number and mentions[number] == 1}

    def _fields(self, number: int, vector: Sequence[int]) -> Iterator[tuple[str, int]]:
        """Labels and numbers of an object's fields; of a container, what it holds."""
        owner = self._space.objects[number]
        if owner.is_sequence:
            length = owner.domain.lengths[vector[owner.first]]
            yield from ((f"[{position}]", owner.first + 1 + position) for position in range(length))
            return
        named = zip(owner.names, range(owner.first, owner.first + len(owner.names)), strict=True)
        if owner.domain.kind in CONTAINERS:  # of a set or dict, the index of what is not there is 0
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
        """A container of values, as it is written."""
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
        """Whether it has neither fields nor anything else to be shown but its name."""
        return self._space.objects[number].domain.kind in (DomainKind.TOKEN, DomainKind.MADE)

    def _could_refer(self, field: int) -> bool:
        owner = self._space.objects[self._space.fields[field].owner]
        others = self._space.fields[field].domain.objects
        return owner.domain.kind is DomainKind.OBJECT and any(
            other != PLAIN and not self._is_value(other) for other in others
        )

    def _is_none(self, field: int, vector: Sequence[int]) -> bool:
        return self._target(field, vector) == PLAIN and self._space.fields[field].domain.plain[vector[field]] is None
