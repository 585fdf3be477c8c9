"""Makes a suite of states and calls from live objects that a user's generator yields, or from calls of functions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from harness.errors import MutascopeError, UsageError
from harness.generators.policies.own.arguments import ArgumentChecker
from harness.generators.policies.own.calls import holds_dicts
from harness.generators.policies.own.report import NOT_THE_SAME, InputCounts, short_text
from harness.generators.policies.own.state_forms import InputForm, NotEncodable, StateEncoder
from harness.generators.policies.own.state_vectors import StateVectors, Vector
from harness.generators.productions import Group, ProductionBase, ProductionFacts, StateCheck
from harness.generators.protocol import Task
from harness.kernel.inputs.decode import Decoder
from harness.kernel.inputs.describe import show_call
from harness.kernel.inputs.state_space import PLAIN
from harness.kernel.inputs.suites import Call, SuiteWriter, structure_key
from harness.kernel.specs.spec import exception_summary
from harness.model.domains import DomainKind
from harness.model.finitization import Finitization
from harness.model.routines import domain_of_parameter
from harness.model.targets import Structures

if TYPE_CHECKING:
    from harness.generators.policies.own.generator import Chosen

_SHAPE = '(state, "name", (argument, ...))'
_CALL = '[("name", argument, ...)]'


class OwnStates(ProductionBase):
    """One run of a user's generator of live states, or of calls of functions.

    The first pass encodes the inputs and finds what is beyond the bounds. The second one writes them.
    """

    def __init__(self, chosen: Chosen, task: Task) -> None:
        self._chosen = chosen
        self._task = task
        self._bounds = task.finitization
        self._encoder = StateEncoder(task.finitization, task.module)
        self._targets = {target.name: number for number, target in enumerate(task.finitization.targets)}
        self._has_state = task.finitization.domains[0].kind is not DomainKind.NOTHING
        self._checker = ArgumentChecker(task.module, task.finitization.domains[0].class_name if self._has_state else "")
        self._first = hashlib.sha256()
        self._counts = InputCounts(chosen.file)
        self._current = ""
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
        """The values beyond the bounds of the spec (`harness.model.widened_bounds`).

        Raises:
            UsageError: the generator raises, yields nothing, or an input that the finitization cannot describe.
        """
        for form, _, _ in self._forms():
            self._first.update(repr(form).encode())
            self._counts.total += 1
            self._counts.beyond += form.is_beyond
        self._counts.check(self._task.scope)
        return {place: list(held) for place, held in self._encoder.outside.items()}

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
        vectors = StateVectors(self._bounds, self.outside)
        ends = self._encoder.ends
        numbers: dict[tuple[str, Vector], int] = {}
        check = _Check(self._task, vectors, self.structures)
        again = hashlib.sha256()
        self.explored = 0
        for form, target, place in self._forms():
            again.update(repr(form).encode())

            def structure(position: int, vector: Vector, target: int = target) -> int:
                key = structure_key(target, position)
                if (key, vector) not in numbers:
                    numbers[key, vector] = len(self.structures[key])
                    self.structures[key].append(list(vector))
                return numbers[key, vector]

            if form.is_beyond and self._encoder.ends != ends:
                break
            vector, arguments = vectors.input(form, target, structure)
            call = Call(target, arguments)
            root, values = check.objects(vector, call)
            if self._encoder.form(root, target, values) != form:
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
                yield vector, call
            else:
                self._counts.add_invalid(place, self._current)
        if again.digest() != self._first.digest():
            raise UsageError(f"{self._chosen.file}: {NOT_THE_SAME}")

    def _forms(self) -> Iterator[tuple[InputForm, int, str]]:
        """Yield the inputs encoded, each with the number of its target, and its place in the user's file."""
        inputs = self._chosen.inputs()
        for item in inputs:
            self.explored += 1
            place = inputs.place
            state, name, arguments = self._parts(item, place)
            target = self._target(name, arguments, place)
            try:
                yield self._encoder.form(state, target, arguments), target, place
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
        declared, problem = self._bounds.targets[target], ""
        if len(arguments) != len(declared.parameters):
            problem = self._checker.wrong_number(name, len(arguments), [declared])
        elif not any(_may_hold_dicts(parameter, self._bounds) for parameter in declared.parameters[-1:]):
            problem = self._checker.named_in_dict(declared, arguments)
        if problem:
            raise UsageError(f"{place}: {problem}")
        return target


def _may_hold_dicts(parameter: tuple[Any, ...] | Structures, bounds: Finitization) -> bool:
    """Return whether a dict may be among the values of a parameter."""
    domain = domain_of_parameter(parameter, bounds)
    return domain is None or holds_dicts(domain)


class _Check:
    """Makes inputs from vectors, and checks what is required of them."""

    def __init__(self, task: Task, vectors: StateVectors, structures: dict[str, list[list[int]]]) -> None:
        self._task = task
        self._vectors = vectors
        self._structures = structures
        self._decoder = Decoder(vectors.space, task.module)

    def objects(self, vector: Vector, call: Call) -> tuple[Any, list[Any]]:
        """Return the state and the arguments, as fresh objects."""
        state = self._decoder.decode(vector)
        values: list[Any] = []
        targets = self._vectors.finitization.targets
        for position, (parameter, index) in enumerate(
            zip(targets[call.target].parameters, call.arguments, strict=True)
        ):
            if isinstance(parameter, Structures):
                space = self._vectors.structures(call.target, position).space
                chosen = self._structures[structure_key(call.target, position)][index]
                values.append(Decoder(space, self._task.module).decode(chosen).root)
            else:
                domain = self._vectors.space.field_domain(parameter)
                number = domain.objects[index]
                values.append(domain.plain[index] if number == PLAIN else state.object(number))
        return state.root, values

    def holds(self, root: Any, values: Sequence[Any], target: int) -> bool:
        """Return True if an input is valid: by rep_ok of all structures, and by the precondition of the target."""
        declared = self._vectors.finitization.targets[target]
        if not (declared.any_state or self._task.spec.rep_ok(root)):
            return False
        if declared.requires is not None and not declared.requires(root, *values):
            return False
        return all(
            parameter.rep_ok(value)
            for parameter, value in zip(declared.parameters, values, strict=True)
            if isinstance(parameter, Structures)
        )
