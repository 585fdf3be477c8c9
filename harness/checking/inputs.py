"""Makes the objects of a property's inputs, finds those below others, and orders inputs by size."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.generators.states.layout import Layout
from harness.kernel.inputs.state_space import PLAIN, Decoder, StateSpace
from harness.kernel.inputs.suites import Call, structure_key
from harness.kernel.judging.prepared import StateTarget
from harness.kernel.objects.reading import NOT_COMPARED, held_contents, held_fields, stored_fields
from harness.kernel.specs.tokens import Token
from harness.model.finitization import Finitization, Structures

CONTAINERS = (list, OrderedDict, dict, set, deque)
Vectors = Mapping[str, Sequence[Sequence[int]]]
"""The vectors that the indices of `Structures` parameters refer to, by `structure_key`."""


@dataclass(frozen=True, order=True)
class Input:
    """A pre-state and a call on it; ordered by size, then in the order of Korat's search."""

    objects: int
    """The number of objects of the pre-state and the arguments."""
    fields: int
    vector: tuple[int, ...]
    arguments: tuple[int, ...]


class CheckedInputs:
    """Makes the inputs of a finitization's targets with the classes of one module."""

    def __init__(self, finitization: Finitization, module: ModuleType) -> None:
        self.finitization = finitization
        self._module = module
        self._space = StateSpace(finitization)
        self._layout = Layout(self._space)
        self._decoder = Decoder(self._space, module)

    def input(self, vector: Sequence[int], call: Call, structures: Vectors) -> Input:
        """Return the input with its size."""
        starts, sizes = [0], []
        for position, (parameter, index) in enumerate(self._parameters(call)):
            if isinstance(parameter, Structures):
                layout = Layout(StateSpace(parameter.finitization))
                sizes.append(layout.reachable(structures[structure_key(call.target, position)][index]))
            elif (number := self._space.field_domain(parameter).objects[index]) != PLAIN and number not in starts:
                starts.append(number)
        sizes.append(self._layout.reachable(vector, starts))
        fields, objects = (sum(map(len, parts)) for parts in zip(*sizes, strict=True))
        return Input(objects, fields, tuple(vector), call.arguments)

    def make(self, vector: Sequence[int], call: Call, structures: Vectors) -> tuple[Any, list[Any]]:
        """Return the pre-state and the arguments, as fresh objects."""
        state = self._decoder.decode(vector)
        target = StateTarget(self._space, self._module, structures, call.target)
        return state.root, target.arguments(state, call.arguments)

    def _parameters(self, call: Call) -> list[tuple[Any, int]]:
        return list(zip(self.finitization.targets[call.target].parameters, call.arguments, strict=True))


def is_object(value: Any) -> bool:
    """Return whether a value has fields, or holds a value that has, so that no literal can be written for it."""
    return any(type(one) not in CONTAINERS for one in objects_below([value]))


def objects_below(values: Iterable[Any]) -> Iterator[Any]:
    """Yield all objects below `values` that have an identity of their own, breadth first, each once, without tokens."""
    seen: set[int] = set()
    agenda = list(values)
    for value in agenda:  # grows while it is walked
        if type(value) in NOT_COMPARED:
            inner: list[Any] = []
        elif isinstance(value, (Token, str, int, float, type(None), type)):
            continue
        elif type(value) is tuple:
            agenda.extend(value)
            continue
        elif isinstance(value, CONTAINERS) or held_fields(value) is not None:
            inner = [*held_in(value), *stored_fields(value).values()]
        else:
            continue
        if id(value) not in seen:
            seen.add(id(value))
            agenda.extend(inner)
            yield value


def held_in(value: Any) -> list[Any]:
    """Return the contents of a container, each key before its value; nothing for other values."""
    held = held_contents(value)
    return [part for item in held.items() for part in item] if isinstance(held, dict) else held or []
