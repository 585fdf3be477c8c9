"""Makes a suite of states and calls from live objects that a user's generator yields, or from calls of functions.

A state with the arguments of a call is encoded as candidate vectors of the finitization. Isomorphic inputs have one
encoding: objects are numbered in the order in which they are met. Arguments may be plain values beyond the bounds
(`Finitization.extended`), states may not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.errors import MutascopeError, UsageError
from harness.generators.policies.own.runs import (
    Outside,
    OwnRun,
    WrongInput,
    is_state_with_call,
    short_text,
    wrong_number,
)
from harness.generators.protocol import Group, StateCheck, Task
from harness.generators.states.inputs import structure_parameters
from harness.kernel.inputs.describe import show_call
from harness.kernel.inputs.state_space import PLAIN, Decoder, FieldDomain, SpaceObject, StateSpace
from harness.kernel.inputs.suites import Call, SuiteWriter, structure_key
from harness.kernel.judging.prepared import StateTarget
from harness.kernel.objects.equality import NotCanonical, concrete
from harness.kernel.objects.reading import factory_object, held_contents, stored_fields
from harness.kernel.program.loader import resolve
from harness.kernel.specs.spec import exception_summary
from harness.kernel.specs.tokens import Token
from harness.model.domains import ABSENT, CONTAINERS, CONTENTS, SEQUENCES, ClassDomain, DomainKind
from harness.model.finitization import Finitization, Structures
from harness.model.literals import NotLiteral, literal_of

if TYPE_CHECKING:
    from harness.generators.policies.own.generator import Chosen


Vector = tuple[int, ...]
_CONTAINERS: dict[type, DomainKind] = {
    list: DomainKind.LIST,
    deque: DomainKind.DEQUE,
    set: DomainKind.SET,
    dict: DomainKind.DICT,
}
_PLAIN = (type(None), bool, int, float, str, bytes, tuple)


class EncodedInput(NamedTuple):
    """A state with the arguments of a call: the index of each among the values of its parameter, or its own vector."""

    vector: Vector
    arguments: tuple[int | Vector, ...]
    is_beyond: bool


class StateEncoder:
    """Encodes the inputs of one finitization, and collects the arguments that are beyond the bounds."""

    def __init__(self, bounds: Finitization, module: ModuleType) -> None:
        self.space = StateSpace(bounds)
        self.module = module
        self.classes = {
            domain.number: resolve(module, domain.class_name)
            for domain in bounds.domains
            if domain.kind is DomainKind.OBJECT
        }
        self._bounds = bounds
        self.outside = Outside()
        self._values: dict[int, _Values] = {}
        self._structures: dict[int, StateEncoder] = {}

    def state(self, root: Any) -> Vector:
        """Encode a state.

        Raises:
            WrongInput: it holds what the finitization does not declare.
        """
        return _Work(self, root).vector()

    def input(self, root: Any, target: int, arguments: Sequence[Any]) -> EncodedInput:
        """Encode a state, with the arguments of a target.

        Raises:
            WrongInput: the input holds what the finitization does not declare.
        """
        work, is_beyond = _Work(self, root), False
        encoded: list[int | Vector] = []
        parameters = self._bounds.targets[target].parameters
        for position, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True)):
            if isinstance(parameter, Structures):
                encoded.append(self._structure(parameter).state(argument))
                continue
            values = self.values(self.space.field_domain(parameter))
            literal = work.literal_beyond(argument, values)
            if literal is None:
                encoded.append(work.index(argument, values, f"argument {position + 1}"))
                continue
            encoded.append(values.count + self.outside.number(target, position, literal))
            is_beyond = True
        return EncodedInput(work.vector(), tuple(encoded), is_beyond)

    def values(self, domain: FieldDomain) -> _Values:
        """Return the values of a field or parameter, made once."""
        if id(domain) not in self._values:
            self._values[id(domain)] = _Values(domain, self.space)
        return self._values[id(domain)]

    def _structure(self, parameter: Structures) -> StateEncoder:
        if id(parameter) not in self._structures:
            self._structures[id(parameter)] = StateEncoder(parameter.finitization, self.module)
        return self._structures[id(parameter)]


class _Values:
    """The indices of a field domain: by literal, and by the number of the object."""

    def __init__(self, domain: FieldDomain, space: StateSpace) -> None:
        self.count = len(domain)
        self.objects = [space.objects[number] for number in domain.objects if number != PLAIN]
        self.by_number = {number: index for index, number in enumerate(domain.objects) if number != PLAIN}
        self.literals: dict[str, int] = {}
        self.absent = 0
        """The index of ABSENT, and of False for a set."""
        for index, (plain, number) in enumerate(zip(domain.plain, domain.objects, strict=True)):
            if number == PLAIN and plain is not ABSENT:
                self.literals.setdefault(literal_of(plain), index)
        for one in self.objects:
            if one.domain.kind is DomainKind.TOKEN and one.domain.elements:  # texts stand for themselves
                self.literals[literal_of(one.domain.elements[one.index])] = self.by_number[one.number]

    def index(self, value: Any) -> int | None:
        """Return the index of a plain value; None if it is not there."""
        try:
            return self.literals.get(literal_of(value))
        except NotLiteral:
            return None

    def stands_for(self, one: SpaceObject, value: Any, encoder: StateEncoder) -> bool:
        """Return True if an object of the finitization can stand for a value."""
        domain = one.domain
        if domain.kind is DomainKind.OBJECT:
            return type(value) is encoder.classes[domain.number]
        if domain.kind is DomainKind.TOKEN:
            return isinstance(value, Token) and not domain.elements and value.domain == domain.class_name
        if domain.kind is DomainKind.MADE:
            return _is_made_by(domain, value, encoder.module)
        kind = _CONTAINERS.get(type(value))
        return kind is domain.kind and (kind is not DomainKind.DEQUE or value.maxlen == domain.maxlen)


def _is_made_by(domain: ClassDomain, value: Any, module: ModuleType) -> bool:
    """Return True if the function of the spec makes such an object."""
    instance = factory_object(domain, module)
    if type(instance) is not type(value):
        return False
    try:
        return not domain.compared or concrete(instance) == concrete(value)
    except (NotCanonical, RecursionError):
        return False


class _Work:
    """One input that is being encoded.

    Raises:
        WrongInput: the root is of another class, or holds what the finitization does not declare.
    """

    def __init__(self, encoder: StateEncoder, root: Any = None) -> None:
        self._encoder = encoder
        self._space = encoder.space
        self._vector = [0] * encoder.space.width
        self._met: dict[int, tuple[int, Any]] = {}
        self._numbers: set[int] = set()
        self._waiting: deque[tuple[SpaceObject, Any]] = deque()
        first = self._space.objects[0]
        if root is None or first.domain.kind is DomainKind.NOTHING:
            return
        expected = encoder.classes.get(0, list)
        if type(root) is not expected:
            name = expected.__qualname__
            origin = "" if expected is list else f" made by subject.module.{name}"
            raise WrongInput(f"the state is a {type(root).__qualname__}, not a {name}{origin}")
        self._meet(first, root)
        self._encode_waiting()

    def vector(self) -> Vector:
        """Encode the fields of all objects that were met.

        Raises:
            WrongInput: a field holds what the finitization does not declare.
        """
        self._encode_waiting()
        return tuple(self._vector)

    def index(self, value: Any, values: _Values, where: str) -> int:
        """Return the index of what a field, element or parameter holds.

        Raises:
            WrongInput: the finitization does not declare it there.
        """
        if type(value) in _PLAIN:
            index = values.index(value)
            if index is None:
                raise _undeclared(where, value)
            return index
        if id(value) not in self._met:
            free = (one for one in values.objects if one.number not in self._numbers)
            one = next((one for one in free if values.stands_for(one, value, self._encoder)), None)
            if one is None:
                raise _undeclared(where, value)
            self._meet(one, value)
        number, _ = self._met[id(value)]
        if number not in values.by_number:
            raise WrongInput(f"{where} holds {short_text(value)}, which another field holds, too")
        return values.by_number[number]

    def literal_beyond(self, argument: Any, values: _Values) -> str | None:
        """Return the literal of an argument that is beyond the bounds; None for one within, and for objects."""
        if type(argument) not in (*_PLAIN, list, set, dict) or id(argument) in self._met:
            return None
        try:
            literal = literal_of(argument)
        except NotLiteral:
            return None
        if type(argument) in _PLAIN:
            return None if literal in values.literals else literal
        try:
            alone = _Work(self._encoder)
            alone.index(argument, values, "")
            alone.vector()
            return None
        except WrongInput:
            self._met[id(argument)] = PLAIN, argument
            return literal

    def _meet(self, one: SpaceObject, value: Any) -> None:
        """Give an object that is met for the first time its number."""
        self._met[id(value)] = one.number, value
        self._numbers.add(one.number)
        self._waiting.append((one, value))

    def _encode_waiting(self) -> None:
        while self._waiting:
            one, value = self._waiting.popleft()
            for at, index in enumerate(self._indices(one, value), start=one.first):
                self._vector[at] = index

    def _indices(self, one: SpaceObject, value: Any) -> list[int]:
        """Encode what an object holds."""
        kind = one.domain.kind
        fields = self._space.fields[one.first : one.first + len(one.names)]
        values = [self._encoder.values(field.domain) for field in fields]
        if kind is DomainKind.OBJECT:
            held = _fields(one, value)
            return [
                self.index(held[name], of, f"{one.domain.class_name}.{name}")
                for name, of in zip(one.names, values, strict=True)
            ]
        if kind in SEQUENCES:
            length = self.index(len(value), values[0], f"the length of a {kind.value}")
            where = f"an element of a {kind.value}"
            return [length, *(self.index(item, of, where) for item, of in zip(value, values[1:], strict=False))]
        if kind in CONTAINERS:
            held = _by_keys(one.domain, value)
            return [
                self.index(held[key], of, f"a value of a {kind.value}") if key in held else of.absent
                for key, of in zip(map(literal_of, one.domain.keys), values, strict=True)
            ]
        return []


def _undeclared(where: str, value: Any) -> WrongInput:
    return WrongInput(f"{where} holds {short_text(value)}, which finitization does not declare at this scope")


def _fields(one: SpaceObject, value: Any) -> dict[str, Any]:
    """Return what the declared fields of an object hold.

    Raises:
        WrongInput: it has other fields.
    """
    held, name_of_class = dict(stored_fields(value)), one.domain.class_name
    unknown = sorted(held.keys() - set(one.names))
    if unknown:
        raise WrongInput(f"{name_of_class}.{unknown[0]} is no field of finitization; declare it there by f.set")
    for name in one.names:
        if name == CONTENTS:
            held[name] = held_contents(value)
        elif name not in held:
            try:
                held[name] = getattr(value, name)
            except AttributeError:
                raise WrongInput(f"{name_of_class}.{name} is not there, but finitization declares it") from None
    return held


def _by_keys(domain: ClassDomain, value: Any) -> dict[str, Any]:
    """Return the values of a dict, or True for the members of a set, by the literals of the keys.

    Raises:
        WrongInput: there are other keys than those of the finitization, or in another order.
    """
    try:
        held = {literal_of(key): value[key] if domain.kind is DomainKind.DICT else True for key in value}
    except NotLiteral as error:
        raise WrongInput(f"a {domain.kind.value} has a key of type {error}") from None
    declared = [literal for literal in map(literal_of, domain.keys) if literal in held]
    if len(declared) < len(held) or (domain.kind is DomainKind.DICT and declared != list(held)):
        keys = ", ".join(held)
        raise WrongInput(
            f"a {domain.kind.value} has the keys {keys}, which finitization does not declare at this scope"
        )
    return held


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
