"""Prepares call sequences to run on one module."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from harness.kernel.inputs.routines import ABSENT, ReadyCall, Routines
from harness.kernel.inputs.suites import NO_STATE, Call, SuiteReader
from harness.kernel.judging.prepared import Inputs, PreparedInput
from harness.kernel.objects.content import drawn
from harness.kernel.objects.module_state import ModuleState
from harness.kernel.objects.reading import ATOMS
from harness.kernel.specs.tokens import Token
from harness.model.routines import RoutineKind
from harness.model.sequence import SequenceScope

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
        return len(self.results) == len(self.calls)

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

    def place(self) -> str:
        """Return `call 2 of 3: `, of the last call."""
        return f"call {len(self.results)} of {len(self.calls)}: "

    def holds(self) -> Any:
        """Return the answer of the next call's own precondition; True where it has none.

        Raises:
            LookupError: it takes a result that no earlier call returned.
        """
        ready = self.next_call()
        requires = ready.routine.requires
        return True if requires is None else requires(ready.receiver, *ready.arguments)

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
        self._suite = suite
        self._state = NO_STATE
        self._prefix: list[Call] = []

    def prepare(self, number: int) -> PreparedSequence:
        self.put_back()
        return PreparedSequence(self.routines, self.calls(number), [])

    def calls(self, number: int) -> list[Call]:
        """Return the calls of input `number`."""
        state, call = self._suite.input(number)
        if state != self._state:
            self._prefix = [self._suite.calls[at] for at in self._suite.prefix(state)]
            self._state = state
        return [*self._prefix, self._suite.calls[call]]
