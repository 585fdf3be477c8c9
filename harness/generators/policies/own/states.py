"""Makes a suite of states and calls from live objects that a user's generator yields, or from calls of functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from harness.errors import MutascopeError, UsageError
from harness.generators.policies.own.inputs import is_state_with_call
from harness.generators.policies.own.runs import OwnRun, WrongInput, short_text, wrong_number
from harness.generators.policies.own.state_encoding import EncodedInput, StateEncoder, Vector
from harness.generators.protocol import Group, StateCheck, Task
from harness.generators.states.inputs import structure_parameters
from harness.kernel.inputs.describe import show_call
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.inputs.suites import Call, SuiteWriter, structure_key
from harness.kernel.judging.prepared import StateTarget
from harness.kernel.specs.spec import exception_summary
from harness.model.domains import DomainKind
from harness.model.finitization import Structures

if TYPE_CHECKING:
    from harness.generators.policies.own.generator import Chosen

_SHAPE = '(state, "name", (argument, ...))'
_CALL = '[("name", argument, ...)]'


class OwnStates(OwnRun):
    """One run of a user's generator of live states, or of calls of functions."""

    def __init__(self, chosen: Chosen, task: Task) -> None:
        self._task = task
        self._bounds = task.finitization
        self._encoder = StateEncoder(task.finitization, task.module)
        super().__init__(chosen, task.scope, self._encoder.outside)
        self._targets = {target.name: number for number, target in enumerate(task.finitization.targets)}
        self._has_state = task.finitization.domains[0].kind is not DomainKind.NOTHING
        self._numbers: dict[str, dict[Vector, int]] = {}
        self.structures: dict[str, list[list[int]]] = {key: [] for key in structure_parameters(task.finitization)}

    @cached_property
    def outside(self) -> Mapping[str, Sequence[str]]:
        """The arguments beyond the bounds of the spec (`Finitization.extended`).

        Raises:
            UsageError: the generator raises, yields nothing, or an input that the finitization cannot describe.
        """
        return self._literals_outside()

    def write_states(self, writer: SuiteWriter, check: StateCheck) -> None:
        """Write the inputs in the order in which they are given, each once.

        Raises:
            UsageError: no input is valid, or there are other ones than in the first pass.
        """
        states: dict[Vector, int] = {}
        inputs: set[tuple[int, Call]] = set()
        for vector, call in self._valid():
            state = states.get(vector)
            if state is None:
                state = states[vector] = writer.add_state(vector)
                if call.target in check.by_rep_ok:
                    check.look(vector)
            if (state, call) not in inputs:
                inputs.add((state, call))
                writer.add_input(state, call)
        self._counts.stored = len(inputs)
        self._counts.check_valid()

    def __iter__(self) -> Iterator[Group]:
        """Yield the valid inputs one by one."""
        for vector, call in self._valid():
            yield vector, [call]

    def _valid(self) -> Iterator[tuple[Vector, Call]]:
        space = StateSpace(self._bounds.extended(self.outside))
        decoder = Decoder(space, self._task.module)
        numbers = range(len(self._bounds.targets))
        targets = [StateTarget(space, self._task.module, self.structures, number) for number in numbers]
        for (encoded, target), place in self._again():
            call = Call(target, tuple(self._index(target, *part) for part in enumerate(encoded.arguments)))
            state = decoder.decode(encoded.vector)
            root, values = state.root, targets[target].arguments(state, call.arguments)
            if self._encoder.input(root, target, values) != encoded:
                raise MutascopeError(
                    f"{place}: what is made from the encoded state is another state; please report this"
                )
            name = targets[target].name
            self.current = show_call(root, name, values)
            try:
                is_valid = self._holds(root, values, target)
            except MutascopeError:
                raise
            except Exception as error:
                raise UsageError(
                    f"{place}: rep_ok, or what {name} requires, raised {exception_summary(error)} on {self.current}; "
                    "correct the state or the spec"
                ) from None
            if is_valid:
                yield encoded.vector, call
            else:
                self._counts.add_invalid(place, self.current)

    def _holds(self, root: Any, values: Sequence[Any], target: int) -> bool:
        """Return True if an input is valid: by rep_ok of all structures, and by the precondition of the target."""
        declared = self._bounds.targets[target]
        if not (declared.any_state or self._task.spec.rep_ok(root)):
            return False
        if declared.requires is not None and not declared.requires(root, *values):
            return False
        return all(
            parameter.rep_ok(value)
            for parameter, value in zip(declared.parameters, values, strict=True)
            if isinstance(parameter, Structures)
        )

    def _index(self, target: int, position: int, part: int | Vector) -> int:
        """Return the index of an argument; a structure gets a number when it is met for the first time."""
        if isinstance(part, int):
            return part
        key = structure_key(target, position)
        known = self._numbers.setdefault(key, {})
        if part not in known:
            known[part] = len(known)
            self.structures[key].append(list(part))
        return known[part]

    def _encode(self, item: Any) -> tuple[tuple[EncodedInput, int], bool]:
        state, name, arguments = self._parts(item)
        target = self._target(name, arguments)
        encoded = self._encoder.input(state, target, arguments)
        return (encoded, target), encoded.is_beyond

    def _parts(self, item: Any) -> tuple[Any, str, Sequence[Any]]:
        """Return the state of an input, the name of its target and the arguments."""
        if self._has_state:
            if is_state_with_call(item):
                return item  # type: ignore[no-any-return]
            raise WrongInput(f"{short_text(item)} is no state with a call; yield {_SHAPE} each time")
        calls = item if isinstance(item, (tuple, list)) and len(item) == 1 else [None]
        call = calls[0]
        if isinstance(call, (tuple, list)) and call and type(call[0]) is str:
            return None, call[0], call[1:]
        raise WrongInput(f"{short_text(item)} is no call of a function; yield a list of one call, {_CALL}")

    def _target(self, name: str, arguments: Sequence[Any]) -> int:
        target = self._targets.get(name)
        if target is None:
            raise WrongInput(f"{name} is no target of finitization; there are {', '.join(self._targets)}")
        declared = self._bounds.targets[target]
        if len(arguments) != len(declared.parameters):
            raise WrongInput(wrong_number(name, len(arguments), [declared]))
        return target
