"""Makes a suite of states and calls from live objects that a user's generator yields, or from calls of functions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from harness.errors import MutascopeError, UsageError
from harness.generators.policies.own.report import NOT_THE_SAME, InputCounts, short_text, wrong_number
from harness.generators.policies.own.state_encoding import EncodedInput, NotEncodable, StateEncoder, Vector
from harness.generators.protocol import Group, ProductionBase, ProductionFacts, StateCheck, Task
from harness.kernel.inputs.decode import Decoder
from harness.kernel.inputs.describe import show_call
from harness.kernel.inputs.state_space import PLAIN, StateSpace
from harness.kernel.inputs.suites import Call, SuiteWriter, structure_key
from harness.kernel.specs.spec import exception_summary
from harness.model.domains import DomainKind
from harness.model.finitization import Finitization, Structures

if TYPE_CHECKING:
    from harness.generators.policies.own.generator import Chosen

_SHAPE = '(state, "name", (argument, ...))'
_CALL = '[("name", argument, ...)]'


class OwnStates(ProductionBase):
    """One run of a user's generator of live states, or of calls of functions.

    The first pass encodes the inputs and finds arguments beyond the bounds. The second one writes them.
    """

    def __init__(self, chosen: Chosen, task: Task) -> None:
        self._chosen = chosen
        self._task = task
        self._bounds = task.finitization
        self._encoder = StateEncoder(task.finitization, task.module)
        self._targets = {target.name: number for number, target in enumerate(task.finitization.targets)}
        self._has_state = task.finitization.domains[0].kind is not DomainKind.NOTHING
        self._first = hashlib.sha256()
        self._counts = InputCounts(chosen.file)
        self._current = ""
        self._numbers: dict[str, dict[Vector, int]] = {}
        self.explored = 0
        self.structures: dict[str, list[list[int]]] = {
            structure_key(number, position): []
            for number, target in enumerate(task.finitization.targets)
            for position, parameter in enumerate(target.parameters)
            if isinstance(parameter, Structures)
        }

    @property
    def current(self) -> str:
        """The input that is being checked, as short text."""
        return self._current

    @cached_property
    def outside(self) -> Mapping[str, Sequence[str]]:
        """The arguments beyond the bounds of the spec (`Finitization.extended`).

        Raises:
            UsageError: the generator raises, yields nothing, or an input that the finitization cannot describe.
        """
        for encoded, _, _ in self._encoded():
            self._first.update(repr(encoded).encode())
            self._counts.total += 1
            self._counts.beyond += encoded.is_beyond
        self._counts.check(self._task.scope)
        return self._encoder.outside

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

    def facts(self) -> ProductionFacts:
        """Return the numbers of inputs that are invalid, repeated or beyond the bounds."""
        return ProductionFacts(notices=self._counts.lines(), details=self._counts.details(), searchable=False)

    def _valid(self) -> Iterator[tuple[Vector, Call]]:
        check = _Check(self._task, self._bounds.extended(self.outside))
        count = self._encoder.outside_count
        again = hashlib.sha256()
        self.explored = 0
        for encoded, target, place in self._encoded():
            again.update(repr(encoded).encode())
            if encoded.is_beyond and self._encoder.outside_count != count:
                break
            call = Call(target, tuple(self._index(target, *part) for part in enumerate(encoded.arguments)))
            root, values = check.objects(encoded, target)
            if self._encoder.input(root, target, values) != encoded:
                raise MutascopeError(
                    f"{place}: what is made from the encoded state is another state; please report this"
                )
            self._current = show_call(root, self._bounds.targets[target].name, values)
            try:
                is_valid = check.holds(root, values, target)
            except MutascopeError:
                raise
            except Exception as error:
                raise UsageError(
                    f"{place}: rep_ok, or what {self._bounds.targets[target].name} requires, raised "
                    f"{exception_summary(error)} on {self._current}; correct the state or the spec"
                ) from None
            if is_valid:
                yield encoded.vector, call
            else:
                self._counts.add_invalid(place, self._current)
        if again.digest() != self._first.digest():
            raise UsageError(f"{self._chosen.file}: {NOT_THE_SAME}")

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

    def _encoded(self) -> Iterator[tuple[EncodedInput, int, str]]:
        """Yield the inputs encoded, each with the number of its target, and its place in the user's file."""
        inputs = self._chosen.inputs()
        for item in inputs:
            self.explored += 1
            place = inputs.place
            state, name, arguments = self._parts(item, place)
            target = self._target(name, arguments, place)
            try:
                yield self._encoder.input(state, target, arguments), target, place
            except NotEncodable as error:
                raise UsageError(f"{place}: {error}") from None

    def _parts(self, item: Any, place: str) -> tuple[Any, str, Sequence[Any]]:
        """Return the state of an input, the name of its target and the arguments."""
        if self._has_state:
            if type(item) is tuple and len(item) == 3 and type(item[1]) is str and isinstance(item[2], (tuple, list)):
                return item
            raise UsageError(f"{place}: {short_text(item)} is no state with a call; yield {_SHAPE} each time")
        calls = item if isinstance(item, (tuple, list)) and len(item) == 1 else [None]
        call = calls[0]
        if isinstance(call, (tuple, list)) and call and type(call[0]) is str:
            return None, call[0], call[1:]
        raise UsageError(f"{place}: {short_text(item)} is no call of a function; yield a list of one call, {_CALL}")

    def _target(self, name: str, arguments: Sequence[Any], place: str) -> int:
        target = self._targets.get(name)
        if target is None:
            raise UsageError(f"{place}: {name} is no target of finitization; there are {', '.join(self._targets)}")
        declared = self._bounds.targets[target]
        if len(arguments) != len(declared.parameters):
            raise UsageError(f"{place}: {wrong_number(name, len(arguments), [declared])}")
        return target


class _Check:
    """Makes inputs from vectors, and checks what is required of them."""

    def __init__(self, task: Task, finitization: Finitization) -> None:
        self._task = task
        self._targets = finitization.targets
        self._space = StateSpace(finitization)
        self._decoder = Decoder(self._space, task.module)

    def objects(self, encoded: EncodedInput, target: int) -> tuple[Any, list[Any]]:
        """Return the state and the arguments, as fresh objects."""
        state = self._decoder.decode(encoded.vector)
        values: list[Any] = []
        for parameter, part in zip(self._targets[target].parameters, encoded.arguments, strict=True):
            if isinstance(parameter, Structures):
                assert isinstance(part, tuple)
                values.append(Decoder(StateSpace(parameter.finitization), self._task.module).decode(part).root)
            else:
                assert isinstance(part, int)
                domain = self._space.field_domain(parameter)
                number = domain.objects[part]
                values.append(domain.plain[part] if number == PLAIN else state.object(number))
        return state.root, values

    def holds(self, root: Any, values: Sequence[Any], target: int) -> bool:
        """Return True if an input is valid: by rep_ok of all structures, and by the precondition of the target."""
        declared = self._targets[target]
        if not (declared.any_state or self._task.spec.rep_ok(root)):
            return False
        if declared.requires is not None and not declared.requires(root, *values):
            return False
        return all(
            parameter.rep_ok(value)
            for parameter, value in zip(declared.parameters, values, strict=True)
            if isinstance(parameter, Structures)
        )
