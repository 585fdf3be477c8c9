"""Makes the objects of a property's inputs, and orders inputs by size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from harness.generators.states.layout import Layout
from harness.kernel.inputs.decode import Decoder
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.inputs.suites import Call, structure_key
from harness.model.finitization import Structures
from harness.model.targets import StateBounds

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

    def __init__(self, finitization: StateBounds, module: ModuleType) -> None:
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
        arguments: list[Any] = []
        for position, (parameter, index) in enumerate(self._parameters(call)):
            if isinstance(parameter, Structures):
                chosen = structures[structure_key(call.target, position)][index]
                arguments.append(Decoder(StateSpace(parameter.finitization), self._module).decode(chosen).root)
            else:
                domain = self._space.field_domain(parameter)
                number = domain.objects[index]
                arguments.append(domain.plain[index] if number == PLAIN else state.object(number))
        return state.root, arguments

    def _parameters(self, call: Call) -> list[tuple[Any, int]]:
        return list(zip(self.finitization.targets[call.target].parameters, call.arguments, strict=True))
