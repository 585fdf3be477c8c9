"""Makes the inputs of valid states: each state with every call that its target accepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from harness.generators.productions import Group
from harness.generators.states.arguments import Arguments
from harness.generators.states.describe import describe
from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.layout import Layout
from harness.generators.states.reference.failure import rep_ok_failure
from harness.kernel.inputs.decode import DecodedState, Decoder
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.inputs.suites import Call, structure_key
from harness.model.finitization import Structures
from harness.model.targets import StateBounds


class InputsOfStates:
    """The inputs on valid states: all arguments that the targets' preconditions accept.

    Args:
        structures: vectors of each `Structures` parameter, by `structure_key`.
        targets: the numbers of the targets; None: all.
    """

    def __init__(
        self,
        module: ModuleType,
        space: StateSpace,
        structures: Mapping[str, Sequence[Sequence[int]]],
        targets: Iterable[int] | None = None,
    ) -> None:
        self._module = module
        self._targets = space.finitization.targets
        self._space = space
        self._decoder = Decoder(space, module)
        self._structures = structures
        numbers = [*(range(len(self._targets)) if targets is None else targets)]
        counts = {key: len(vectors) for key, vectors in structures.items()}
        self._arguments = Arguments(Layout(space), counts, numbers)
        self.all_plain = self._arguments.all_plain
        """Whether no argument is an object."""
        self.filters = any(self._targets[number].requires is not None for number in numbers)
        """Whether a precondition decides which calls a state has."""

    def groups(self, vector: Sequence[int]) -> Iterator[Group]:
        """Yield the inputs on a state.

        Raises:
            SpecError: a precondition raises.
        """
        for extended, calls in self._arguments.of(vector):
            yield extended, [call for call in calls if self._is_allowed(extended, call)] if self.filters else calls

    def _is_allowed(self, vector: Sequence[int], call: Call) -> bool:
        requires = self._targets[call.target].requires
        if requires is None:
            return True
        state = self._decoder.decode(vector)
        values = [self._value(state, call, position) for position in range(len(call.arguments))]
        root = state.root
        numbers = {id(state.made(number)): number for number in range(len(self._space.objects))}
        try:
            return bool(requires(root, *values))
        except Exception as error:
            candidate = describe(self._space, vector)
            name = getattr(requires, "__name__", "the precondition")
            raise rep_ok_failure(error, requires, self._space, numbers, self._module, candidate, name) from error

    def _value(self, state: DecodedState, call: Call, position: int) -> Any:
        parameter = self._targets[call.target].parameters[position]
        index = call.arguments[position]
        if isinstance(parameter, Structures):
            vector = self._structures[structure_key(call.target, position)][index]
            return Decoder(StateSpace(parameter.finitization), self._module).decode(vector).root
        domain = self._space.field_domain(parameter)
        other = domain.objects[index]
        return domain.plain[index] if other == PLAIN else state.object(other)


def structures_of(
    finitization: StateBounds, module: ModuleType, workshop: Workshop | None
) -> dict[str, list[list[int]]]:
    """Search the vectors of each `Structures` parameter. Return them by `structure_key`."""
    found: dict[str, list[list[int]]] = {}
    for number, target in enumerate(finitization.targets):
        for position, parameter in enumerate(target.parameters):
            if isinstance(parameter, Structures):
                space = StateSpace(parameter.finitization)
                search = StateSearch(space, module, parameter.rep_ok, workshop)
                found[structure_key(number, position)] = [list(vector) for vector in search]
    return found
