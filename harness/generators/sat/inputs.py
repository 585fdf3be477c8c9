"""Makes the inputs of instances: each state with every call that Korat makes on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from harness.generators.productions import Group
from harness.generators.protocol import Task
from harness.generators.states.arguments import Arguments
from harness.generators.states.describe import describe
from harness.generators.states.engine import StateSearch
from harness.generators.states.layout import Layout
from harness.generators.states.reference.failure import rep_ok_failure
from harness.kernel.inputs.decode import DecodedState, Decoder
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.inputs.suites import Call, structure_key
from harness.model.finitization import Structures


class InputsOfInstances:
    """Adds arguments to states like `korat`.

    A target with its own precondition gets the arguments that this precondition accepts. Its pre-states are still
    instances of the invariant, because the solver finds no others.
    """

    def __init__(self, task: Task, space: StateSpace) -> None:
        self._task = task
        self._space = space
        self._decoder = Decoder(space, task.module)
        self.structures: dict[str, list[list[int]]] = {}
        for key, parameter in self._structured():
            search = StateSearch(StateSpace(parameter.finitization), task.module, parameter.rep_ok, task.workshop)
            self.structures[key] = [list(vector) for vector in search]
        plain = task.finitization.requiring(lambda requires: None)  # type: ignore[arg-type, return-value]
        counts = {key: len(vectors) for key, vectors in self.structures.items()}
        self._arguments = Arguments(Layout(StateSpace(plain)), counts)
        self._filters = any(target.requires is not None for target in task.finitization.targets)

    def groups(self, vector: Sequence[int]) -> Iterator[Group]:
        """Yield the inputs on a state.

        Raises:
            SpecError: a precondition raises.
        """
        for extended, calls in self._arguments.of(vector):
            yield extended, [call for call in calls if self._is_allowed(extended, call)] if self._filters else calls

    def _structured(self) -> Iterator[tuple[str, Structures]]:
        for number, target in enumerate(self._task.finitization.targets):
            for position, parameter in enumerate(target.parameters):
                if isinstance(parameter, Structures):
                    yield structure_key(number, position), parameter

    def _is_allowed(self, vector: Sequence[int], call: Call) -> bool:
        requires = self._task.finitization.targets[call.target].requires
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
            raise rep_ok_failure(error, requires, self._space, numbers, self._task.module, candidate, name) from error

    def _value(self, state: DecodedState, call: Call, position: int) -> Any:
        parameter = self._task.finitization.targets[call.target].parameters[position]
        index = call.arguments[position]
        if isinstance(parameter, Structures):
            vector = self.structures[structure_key(call.target, position)][index]
            return Decoder(StateSpace(parameter.finitization), self._task.module).decode(vector).root
        domain = self._space.field_domain(parameter)
        other = domain.objects[index]
        return domain.plain[index] if other == PLAIN else state.object(other)
