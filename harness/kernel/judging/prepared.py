"""Prepares a program to run a suite's inputs: the original or one mutant, with its spec and step counter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from harness.errors import SpecError
from harness.kernel.inputs.describe import show_call, show_sequence
from harness.kernel.inputs.routines import ABSENT, ReadyCall, Routines, with_keywords
from harness.kernel.inputs.state_space import PLAIN, DecodedState, Decoder, FieldDomain, StateSpace
from harness.kernel.inputs.suites import NO_STATE, Call, SuiteReader, structure_key
from harness.kernel.objects.content import drawn
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.objects.reading import ATOMS
from harness.kernel.program.loader import CallEnd, resolve
from harness.kernel.specs.spec import Spec
from harness.kernel.specs.tokens import Token
from harness.model.finitization import CallKind, DomainKind, Finitization, Structures
from harness.model.routines import RoutineKind
from harness.model.sequence import SequenceScope


class PreparedInput:
    """One input about to run: the call, and the objects whose state is compared afterwards.

    `name` is that of the target. `requires` is its own precondition, over root and arguments, if it has one; with
    `any_state`, the root need not satisfy rep_ok.
    `changeable` are the arguments that a call can change. `constructs` is True for the call of a constructor.
    """

    __slots__ = (
        "any_state", "arguments", "changeable", "constructs", "function", "name", "passed", "requires", "root",
    )  # fmt: skip

    def __init__(
        self,
        function: Callable[..., Any],
        passed: Sequence[Any],
        root: Any,
        arguments: Sequence[Any],
        requires: Callable[..., Any] | None = None,
        name: str = "",
    ) -> None:
        self.name = name
        self.any_state = False
        self.function = function
        self.passed = passed
        self.root = root
        self.arguments = arguments
        self.changeable = [argument for argument in arguments if type(argument) not in ATOMS]
        self.requires = requires
        self.constructs = False

    @property
    def is_over(self) -> bool:
        """Whether there is no next call, once one has run."""
        return True

    @property
    def left(self) -> int:
        """The number of calls that are still to run, before the first has."""
        return 1

    def invoke(self) -> Any:
        """Run the call. Return its result, with iterators drawn."""
        return drawn(self.function(*self.passed), (self.root,), self.passed)

    def lead_up(self) -> None:
        """Run the calls before this one: there are none."""

    def precondition(self) -> Callable[[], Any] | None:
        """Return the next call's own precondition, to be asked about it; None where it has none.

        Raises:
            LookupError: the call takes a result that no earlier call returned.
        """
        return None if self.requires is None else partial(self.requires, self.root, *self.arguments)

    def next_target(self) -> tuple[str, Any, Sequence[Any]] | None:
        """Return the name of the routine that is about to be called, its receiver and its arguments.

        None for a constructor, which has no receiver yet.
        """
        return self.name, self.root, self.arguments

    @property
    def last_name(self) -> str:
        """The name of the routine that was called last."""
        return self.name

    def place(self, number: int) -> str:
        """Return the words that begin a message about call `number`, from 1: nothing, as there is one only."""
        return ""


class ReturnedOrRaised(NamedTuple):
    """The value that a call returned, or the exception that it raised."""

    returned: Any
    raised: BaseException | None


def outcome_of(call: Callable[..., Any], *arguments: Any) -> ReturnedOrRaised:
    """Run a call of a program, such as `PreparedInput.invoke`. Any exception of the program is its outcome.

    The oracles have the same `except` clauses where they run a call: each frame between would count for RecursionError.

    Raises:
        CallEnd: the harness ended the call.
    """
    try:
        return ReturnedOrRaised(call(*arguments), None)
    except CallEnd:
        raise
    except BaseException as error:
        return ReturnedOrRaised(None, error)


def run_whole(prepared: PreparedInput) -> ReturnedOrRaised:
    """Run an input from its beginning. Return the outcome of its last call.

    Raises:
        CallEnd: the harness ended the last call.
    """
    prepared.lead_up()
    return outcome_of(prepared.invoke)


class Inputs(ABC):
    """Inputs of one suite on one module, of whatever kind.

    Args:
        kept: what the module keeps, to be put back before each input; None: nothing.
    """

    def __init__(self, kept: ModuleState | None) -> None:
        self._kept = kept

    @abstractmethod
    def prepare(self, number: int) -> PreparedInput:
        """Prepare input `number`. The result of an earlier call of this method must not be used any more.

        Raises:
            SpecError: the target does not exist.
        """

    @abstractmethod
    def show(self, number: int) -> str:
        """Return input `number` as text, with a fresh pre-state."""

    @property
    def keeps_state(self) -> bool:
        """Whether inputs so far have left something in the module."""
        return self._kept is not None and (not self._kept.put_back() or self._kept.has_changed)

    def put_back(self) -> None:
        """Make the module what it was when it was loaded."""
        if self._kept is not None:
            self._kept.put_back()


class StateInputs(Inputs):
    """State inputs of one suite on one module.

    Args:
        module: the original or a mutant, executed.
        spec: the judge's functions.
        space: the state space of the suite's finitization.
        suite: the inputs.
        kept: what the module keeps, to be put back before each input; None: nothing.
    """

    def __init__(
        self, module: ModuleType, spec: Spec, space: StateSpace, suite: SuiteReader, kept: ModuleState | None = None
    ) -> None:
        super().__init__(kept)
        self._suite = suite
        self.space = space
        self._decoder = Decoder(space, module)
        self._targets = [
            StateTarget(space, module, suite.header.structures, number)
            for number in range(len(space.finitization.targets))
        ]
        self._calls: list[_Call | None] = [None] * len(suite.calls)
        self.module = module
        self.spec = spec

    def prepare(self, number: int) -> PreparedInput:
        self.put_back()
        state_number, call_number = self._suite.input(number)
        state = self._decoder.decode(self._suite.vector(state_number))
        call = self._calls[call_number]
        if call is None:
            suite_call = self._suite.calls[call_number]
            call = self._calls[call_number] = _Call(self._targets[suite_call.target], suite_call)
        return call.on(state)

    def show(self, number: int) -> str:
        prepared = self.prepare(number)
        return show_call(prepared.root, prepared.name, prepared.arguments)


class _Call:
    """A call of the suite, prepared on one state after the other."""

    def __init__(self, target: StateTarget, call: Call) -> None:
        self._target = target
        self._indices = call.arguments
        plain = target.plain_arguments(call.arguments)
        self._plain = plain is not None
        # It is used again and again: making objects for every input costs as much as running some of them.
        self._prepared = PreparedInput(target.call, plain or (), None, plain or (), target.requires, target.name)
        self._prepared.any_state = target.any_state

    def on(self, state: DecodedState) -> PreparedInput:
        prepared = self._prepared
        prepared.root = root = state.root
        target = self._target
        if not self._plain:
            prepared.passed = prepared.arguments = arguments = target.arguments(state, self._indices)
            prepared.changeable = [argument for argument in arguments if type(argument) not in ATOMS]
        if target.is_function:
            prepared.passed = (root, *prepared.arguments) if target.takes_state else prepared.arguments
        else:
            prepared.function = target.method(root)
        return prepared


class StateTarget:
    """A target of the finitization with everything needed to call it on a state.

    Args:
        structures: the vectors of `Structures` parameters, by `structure_key`.
    """

    def __init__(
        self, space: StateSpace, module: ModuleType, structures: Mapping[str, Sequence[Sequence[int]]], number: int
    ) -> None:
        target = space.finitization.targets[number]
        self.name = target.name
        self.requires = target.requires
        self.any_state = target.any_state
        self._parameters: list[FieldDomain | Callable[[int], Any]] = []
        for position, parameter in enumerate(target.parameters):
            if isinstance(parameter, Structures):
                vectors = structures[structure_key(number, position)]
                self._parameters.append(structure_maker(parameter.finitization, module, vectors))
            else:
                self._parameters.append(space.field_domain(parameter))
        self.is_function = target.kind is CallKind.FUNCTION
        self.takes_state = space.finitization.domains[0].kind is not DomainKind.NOTHING
        self._keywords = target.keywords
        self.call: Callable[..., Any] = self.method
        if self.is_function:
            self.call = with_keywords(resolve(module, target.name), target.keywords)

    def plain_arguments(self, indices: Sequence[int]) -> tuple[Any, ...] | None:
        """Return the arguments if all are plain values, the same on every state; else None."""
        values = []
        for parameter, index in zip(self._parameters, indices, strict=True):
            if not isinstance(parameter, FieldDomain) or parameter.objects[index] != PLAIN:
                return None
            values.append(parameter.plain[index])
        return tuple(values)

    def arguments(self, state: DecodedState, indices: Sequence[int]) -> list[Any]:
        """Return the call's arguments."""
        values: list[Any] = []
        for parameter, index in zip(self._parameters, indices, strict=True):
            if not isinstance(parameter, FieldDomain):
                values.append(parameter(index))
            else:
                number = parameter.objects[index]
                values.append(parameter.plain[index] if number == PLAIN else state.object(number))
        return values

    def method(self, root: Any) -> Any:
        """Return the target as a method of `root`."""
        try:
            return with_keywords(getattr(root, self.name), self._keywords)
        except AttributeError:
            raise SpecError(
                f"the finitization names target {self.name!r}, but {type(root).__name__} has no such method"
            ) from None


def structure_maker(
    finitization: Finitization, module: ModuleType, vectors: Sequence[Sequence[int]]
) -> Callable[[int], Any]:
    """Return a function that makes the structure of an index into vectors."""
    decoder = Decoder(StateSpace(finitization), module)
    return lambda index: decoder.decode(vectors[index]).root


_VALUES = (*ATOMS, complex, tuple, frozenset, Token, type)
"""Types whose instances are distinguished by value, not by identity."""


class PreparedSequence(PreparedInput):
    """A sequence about to run, call by call; call number `len(results)` is the next one.

    `results` are those of the calls before, ABSENT where one raised. `objects` are the results that are compared as
    objects, by the number of the call: objects that constructors made or some call takes. `root` is the last call's
    receiver, or the object that it constructed. `arguments` are all its other arguments; `changeable` are those that it
    can change and that are no objects. `constructs` is True if the last call was a constructor's.
    """

    __slots__ = ("calls", "objects", "results", "routines")

    def __init__(self, routines: Routines, calls: Sequence[Call], results: list[Any]) -> None:
        super().__init__(self.invoke, (), None, ())
        self.routines = routines
        self.calls = calls
        self.results = results
        self.objects = {
            number: result for number, result in enumerate(results) if result is not ABSENT and is_object(result)
        }

    @property
    def is_over(self) -> bool:
        """Whether there is no next call."""
        return not self.left

    @property
    def left(self) -> int:
        return len(self.calls) - len(self.results)

    @property
    def other_objects(self) -> list[Any]:
        """The objects besides the root, in the order in which calls gave them."""
        objects, root = self.objects, self.root
        return [objects[number] for number in sorted(objects) if objects[number] is not root]

    def invoke(self) -> Any:
        """Run the next call."""
        results = self.results
        number = len(results)
        call = self.calls[number]
        self.root, self.changeable, self.constructs = None, [], False
        try:
            for earlier in call.earlier(self.routines.routines[call.target]):
                self._note(earlier, results[earlier])
            ready = self.routines.ready(call, results)
            self.root, self.arguments = ready.receiver, ready.arguments
            self.constructs = ready.routine.kind is RoutineKind.CONSTRUCTOR
            ids = {id(held) for held in self.objects.values()}
            self.changeable = [held for held in ready.arguments if is_object(held) and id(held) not in ids]
            result = drawn(ready.function(*ready.passed), self.objects.values(), ready.passed)
        except BaseException:
            results.append(ABSENT)
            raise
        results.append(result)
        if self.constructs:
            self.root = result
            self._note(number, result)
        return result

    def lead_up(self) -> None:
        """Run all calls but the last; an exception of one is an outcome."""
        self.repeat(len(self.calls) - 1 - len(self.results))

    def repeat(self, count: int) -> None:
        """Run so many calls like `invoke`, but without its notes on the last call; an exception is an outcome."""
        results, routines, objects = self.results, self.routines, self.objects
        for number in range(len(results), len(results) + count):
            call = self.calls[number]
            plain = routines.plain(call)
            try:
                if plain is not None:
                    name, receiver, arguments = plain
                    held = results[receiver]
                    if held is ABSENT:
                        results.append(ABSENT)
                        continue
                    if receiver not in objects:
                        self._note(receiver, held)
                    result = drawn(getattr(held, name)(*arguments), objects.values(), arguments)
                else:
                    for earlier in call.earlier(routines.routines[call.target]):
                        self._note(earlier, results[earlier])
                    ready = routines.ready(call, results)
                    result = drawn(ready.function(*ready.passed), objects.values(), ready.passed)
                    if ready.routine.kind is RoutineKind.CONSTRUCTOR:
                        self._note(number, result)
            except BaseException:
                result = ABSENT
            results.append(result)

    def restart(self) -> None:
        """Take the sequence back to before its first call."""
        self.results.clear()
        self.objects.clear()

    def next_call(self) -> ReadyCall:
        """Return the next call, with values of its own.

        Raises:
            LookupError: it takes a result that no earlier call returned.
        """
        return self.routines.ready(self.calls[len(self.results)], self.results)

    def next_target(self) -> tuple[str, Any, Sequence[Any]] | None:
        ready = self.next_call()
        if ready.routine.kind is RoutineKind.CONSTRUCTOR:
            return None
        return ready.routine.name, ready.receiver, ready.arguments

    @property
    def last_name(self) -> str:
        return self.routines.routines[self.calls[len(self.results) - 1].target].name

    def place(self, number: int) -> str:
        """Return such as `call 2 of 3, Box.put: `."""
        routine = self.routines.routines[self.calls[number - 1].target]
        owner = f"{self.routines.scope.root}." * (routine.kind is RoutineKind.METHOD)
        return f"call {number} of {len(self.calls)}, {owner}{routine.name}: "

    def precondition(self) -> Callable[[], Any] | None:
        ready = self.next_call()
        requires = ready.routine.requires
        return None if requires is None else partial(requires, ready.receiver, *ready.arguments)

    def _note(self, number: int, result: Any) -> None:
        if number not in self.objects and result is not ABSENT and is_object(result):
            self.objects[number] = result


def is_object(value: Any) -> bool:
    """Return whether a value's identity matters, and calls can change it."""
    return type(value) not in ATOMS and not isinstance(value, _VALUES)


class SequenceProgram(Inputs):
    """Sequences of one suite on one module.

    Args:
        kept: what the module keeps, to be put back before each sequence; None: nothing.
    """

    def __init__(
        self, module: ModuleType, bounds: SequenceScope, suite: SuiteReader, kept: ModuleState | None = None
    ) -> None:
        super().__init__(kept)
        self.routines = Routines(module, bounds)
        self.module = module
        self._suite = suite
        self._state = NO_STATE
        self._prefix: list[Call] = []

    def prepare(self, number: int) -> PreparedSequence:
        self.put_back()
        return PreparedSequence(self.routines, self.calls(number), [])

    def show(self, number: int) -> str:
        return show_sequence(self.routines.scope, self.calls(number))

    def calls(self, number: int) -> list[Call]:
        """Return the calls of input `number`."""
        state, call = self._suite.input(number)
        if state != self._state:
            self._prefix = [self._suite.calls[at] for at in self._suite.prefix(state)]
            self._state = state
        return [*self._prefix, self._suite.calls[call]]
