"""Records the original's behaviour in the calls of a sequence, and its observable state after them."""

from __future__ import annotations

import builtins
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any

from harness.errors import UsageError
from harness.kernel.inputs.describe import CallWriter, WrittenCall, values_of, variable_name
from harness.kernel.inputs.routines import ABSENT
from harness.kernel.judging.prepared import PreparedSequence, outcome_of
from harness.kernel.process.talk import Headway
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_suite import observed_suite
from harness.kernel.specs.tokens import Token, the_token
from harness.model.routines import Fixed, Made, Routine, RoutineKind, TokenValue, Value
from harness.report.python_files import is_found
from harness.report.written_tests.observers import NOT_PLAIN, Asker, ObjectObservations, Standstill, Waits, state_of
from harness.report.written_tests.source import as_operators, plain_source, quoted

MOST_CALLS = 20
"""The greatest number of calls of a routine."""


@dataclass(frozen=True)
class Probe:
    """A routine called again and again on the object at the end of a test.

    Attributes:
        routine: its name.
        calls: the sources of the arguments and of the result of each call; the arguments are empty if it takes none.
    """

    routine: str
    calls: tuple[tuple[str, str], ...]

    @property
    def takes_nothing(self) -> bool:
        """Whether the calls have no argument."""
        return not self.calls[0][0]

    @property
    def named(self) -> set[str]:
        """The sources of the values that the calls name: results, or arguments that were accepted."""
        return {argument or result for argument, result in self.calls if result not in ("None", "False")}


def probing_routines(routines: Sequence[Routine]) -> list[Routine]:
    """Return the routines that may serve as probes: public methods with no argument, or with one plain value."""
    return [
        routine
        for routine in routines
        if routine.kind is RoutineKind.METHOD
        and not routine.name.startswith("_")
        and routine.requires is None
        and not routine.keywords
        and len(routine.parameters) <= 1
        and not any(parameter.earlier for parameter in routine.parameters)
    ]


def probed(
    routine: Routine, held: Any, values: Mapping[str, Any], count: int, tokens: dict[Token, str]
) -> Probe | None:
    """Call the routine on the object, which it may change, and return its results up to the first call that raises.

    Args:
        values: the arguments for a routine with one parameter, by source, if they are in its domain.
        count: how often a routine without arguments is called.

    Returns:
        None if there are no values to ask about, or if a result cannot be written as source.
    """
    arguments: list[tuple[str, tuple[Any, ...]]] = [("", ())] * count
    if routine.parameters:
        domain = [(type(value), value) for value in routine.parameters[0].values if type(value) in (int, str, float)]
        arguments = [(source, (value,)) for source, value in values.items() if (type(value), value) in domain]
    calls: list[tuple[str, str]] = []
    for source, passed in arguments[:MOST_CALLS]:
        returned, raised = outcome_of(getattr(held, routine.name), *passed)
        if raised is not None:
            break
        result = plain_source(returned, tokens)
        if result is None:
            return None
        calls.append((source, result))
    return Probe(routine.name, tuple(calls)) if calls else None


@dataclass(frozen=True)
class RecordedCall:
    """A written call and its outcome.

    Attributes:
        arguments: the values for which the spec leaves a choice.
        result: the source of a plain result; the name of the earlier object that was returned; else NOT_PLAIN.
        makes: the name of the class of any other result; else empty.
        raised: the name of the exception's class, as the test knows it; empty if the call returned.
    """

    written: WrittenCall
    routine: Routine
    arguments: tuple[Any, ...]
    result: str = NOT_PLAIN
    makes: str = ""
    raised: str = ""


@dataclass(frozen=True)
class Record:
    """A sequence with the outcomes of its calls, and the objects at its end, the last call's receiver first.

    Attributes:
        count: how many values the receiver says it has before the last call; None if it does not say.
        is_unchanged: whether the last call leaves its receiver as it was.
        probes: the receiver's probes at the end, by routine.
    """

    tokens: tuple[str, ...]
    outcomes: tuple[RecordedCall, ...]
    observations: tuple[ObjectObservations, ...]
    count: int | None = None
    is_unchanged: bool = False
    probes: Mapping[str, Probe] = field(default_factory=dict)

    @property
    def last(self) -> RecordedCall:
        """The call that the test is about."""
        return self.outcomes[-1]


class Recorder:
    """Executes sequences of a job's suite on the original, as often as their records need."""

    def __init__(self, job: RunJob, headway: Headway, module: str, standstill: Standstill) -> None:
        loaded = observed_suite(job, headway)
        self._module, self._program = loaded.module, loaded.sequences
        self._bounds = self._program.routines.scope
        self._called = module
        self.imports: dict[str, set[str]] = {}
        """Names that tests import, by module."""
        self._standstill = standstill
        self._asker = Asker(self._module.__name__, self._bounds.omission(), standstill)
        self._waiting: set[str] = set()
        self.unsteady: set[str] = set()
        """Routines that answered differently when they were called last on the same object in the same way."""
        self._probing = probing_routines(self._bounds.routines)
        module_names = {name for name, value in vars(self._module).items() if isinstance(value, (type, FunctionType))}
        self._writer = CallWriter(self._bounds.root, self._bounds.routines, "", {*module_names, "pytest"}, short_name)

    @property
    def changing(self) -> set[str]:
        """Families of observers that changed an object, or gave two successive values for it."""
        return self._asker.changing

    @property
    def waiting(self) -> list[str]:
        """The names of routines and observers that waited for ever and are therefore not called again, in order."""
        observers = {family.partition(".")[2].partition("(")[0] for family in self._asker.waiting}
        return sorted(self._waiting | observers)

    @property
    def keeps_state(self) -> bool:
        """Whether sequences have left something in the module."""
        return self._program.keeps_state

    def record(self, number: int) -> Record:
        """Execute input `number` and return its record. Execute it again whenever an observer changed an object."""
        while True:
            changing = len(self.changing)
            record = self._executed(number)
            if len(self.changing) == changing:
                return record

    def _executed(self, number: int) -> Record:
        sequence = self._program.prepare(number)
        omits, last = sequence.routines.omits, sequence.calls[-1]
        written = self._writer.write(sequence.calls)
        tokens = {the_token(t.domain, t.index): name for t, name in self._writer.tokens(sequence.calls).items()}
        outcomes = [self._outcome(sequence, call, tokens) for call in written[:-1]]
        has_receiver = sequence.routines.routines[last.target].has_receiver
        receiver = sequence.results[last.arguments[0]] if has_receiver else None
        before = state_of(receiver, omits)
        outcomes.append(self._outcome(sequence, written[-1], tokens))
        is_unchanged = has_receiver and before is not None and before == state_of(receiver, omits)
        if outcomes[-1].makes and written[-1].name is None:
            written = self._writer.write(sequence.calls, [len(written) - 1])
            outcomes[-1] = replace(outcomes[-1], written=written[-1])
        for call in sequence.calls:
            self._import(sequence.routines.routines[call.target])
        objects = _named_objects(sequence, written)
        named = {id(held): name for name, held in objects}
        values = _argument_values(outcomes)
        observations = tuple(self._asker.observe(name, held, values, tokens, named) for name, held in objects)
        probes = {} if sequence.root is None else self._probes(number, values, tokens)
        count = self._count(number, len(written) - 1, last.arguments[0]) if has_receiver else None
        return Record(tuple(tokens.values()), tuple(outcomes), observations, count, is_unchanged, probes)

    def _count(self, number: int, calls: int, result: int | None = None) -> int | None:
        """Return how many values a result of the first calls says it has, by default the root; ask a copy, as that may
        change it.
        """
        sequence = self._program.prepare(number)
        while len(sequence.results) < calls:
            outcome_of(sequence.invoke)
        return value_count(sequence.root if result is None else sequence.results[result])

    def _outcome(self, sequence: PreparedSequence, written: WrittenCall, tokens: dict[Token, str]) -> RecordedCall:
        number = len(sequence.results)
        call = sequence.calls[number]
        routine = sequence.routines.routines[call.target]
        written = WrittenCall(written.name, as_operators(quoted(written.expression)))
        arguments = self._arguments(sequence, number)
        returned, raised = outcome_of(sequence.invoke)
        if raised is not None:
            return RecordedCall(written, routine, arguments, raised=self._exception(type(raised)))
        if routine.kind is RoutineKind.CONSTRUCTOR:
            return RecordedCall(written, routine, arguments)
        earlier = [n for n, held in sequence.objects.items() if held is returned and n < number]
        if earlier:
            return RecordedCall(written, routine, arguments, str(self._writer.write(sequence.calls)[min(earlier)].name))
        source = plain_source(returned, tokens)
        if source is not None:
            return RecordedCall(written, routine, arguments, source)
        has_observers = bool(self._asker.observers(returned, {}, tokens, {}))
        return RecordedCall(written, routine, arguments, makes=type(returned).__name__ if has_observers else "")

    def _arguments(self, sequence: PreparedSequence, number: int) -> tuple[Any, ...]:
        call = sequence.calls[number]
        routine = sequence.routines.routines[call.target]
        arguments = []
        for domain, index in values_of(call, routine):
            choice = domain.value(index) if index < len(domain.values) else None
            self._import_argument(routine, choice)
            has_choice = len(domain.values) > 1 or domain.earlier
            if has_choice and index < len(domain.values) and not isinstance(choice, TokenValue):
                arguments.append(choice.of if isinstance(choice, Fixed) else choice)
        return tuple(arguments)

    def _probes(self, number: int, values: Mapping[str, Any], tokens: dict[Token, str]) -> dict[str, Probe]:
        """Return the probe of each routine that can be called last on the receiver; each is called on two copies."""
        probes: dict[str, Probe] = {}
        calls = len(self._program.prepare(number).calls)
        count = self._count(number, calls)
        times = calls if count is None else count
        for routine in self._probing:
            if routine.name in self._waiting:
                continue
            try:
                with self._standstill.watched():
                    one, again = (self._probe(number, routine, values, times, tokens) for _ in range(2))
            except Waits:
                self._waiting.add(routine.name)
                continue
            if one != again:
                self.unsteady.add(routine.name)
            elif one is not None:
                probes[routine.name] = one
        return probes

    def _probe(
        self, number: int, routine: Routine, values: Mapping[str, Any], times: int, tokens: dict[Token, str]
    ) -> Probe | None:
        sequence = self._program.prepare(number)
        while not sequence.is_over:
            outcome_of(sequence.invoke)
        return probed(routine, sequence.root, values, times, tokens)

    def _exception(self, cls: type[BaseException]) -> str:
        """Return the name of the exception's class, or of its nearest importable base, and record the import."""
        for base in cls.__mro__:
            name = base.__qualname__
            if getattr(builtins, name, None) is base:
                return name
            is_own = base.__module__ == self._module.__name__
            module = self._module if is_own else sys.modules.get(base.__module__)
            if module is not None and is_found(base, module):
                self.imports.setdefault(self._called if is_own else base.__module__, set()).add(name.partition(".")[0])
                return name
        return BaseException.__name__

    def _import_argument(self, routine: Routine, choice: Value) -> None:
        if isinstance(choice, Fixed) and isinstance(choice.of, deque):
            self.imports.setdefault("collections", set()).add("deque")
        elif isinstance(choice, Made):
            enumeration, dot, _ = choice.domain.class_name.rpartition(".")
            if not dot:
                raise UsageError(
                    f"{routine.name} takes what {choice!r} of the spec makes, which a test by hand cannot write; give "
                    "members of an enumeration by f.members(...), or use --export pytest"
                )
            self.imports.setdefault(self._called, set()).add(enumeration.partition(".")[0])

    def _import(self, routine: Routine) -> None:
        if routine.kind is not RoutineKind.METHOD and not (
            routine.name == "list" and not hasattr(self._module, "list")
        ):
            self.imports.setdefault(self._called, set()).add(routine.name.partition(".")[0])


def short_name(class_name: str) -> str:
    """Return `stack` for `IntStack`: the last word of a class's name, or all words if that is a Python word."""
    name = variable_name(class_name)
    last = name.rpartition("_")[2]
    return last if last.isidentifier() and last not in dir(builtins) and len(last) > 2 else name


def value_count(held: Any) -> int | None:
    """Return how many values an object says it has, by its `len`, `size`, `count` or `length`; None if by none."""
    with suppress(Exception):
        return len(held)
    for name in ("size", "count", "length"):
        with suppress(Exception):
            size = getattr(held, name, None)
            size = size() if callable(size) else size
            if type(size) is int:
                return size
    return None


def _argument_values(outcomes: Sequence[RecordedCall]) -> dict[str, Any]:
    """Return the numbers and strings that calls received as arguments, each once, by source."""
    values: dict[str, Any] = {}
    for argument in (argument for outcome in outcomes for argument in outcome.arguments):
        source = plain_source(argument, {})
        if source is not None and type(argument) in (int, str, float):
            values[source] = argument
    return dict(sorted(values.items(), key=lambda item: (str(type(item[1])), item[1])))


def _named_objects(sequence: PreparedSequence, written: Sequence[WrittenCall]) -> list[tuple[str, Any]]:
    """Return the objects at the end that have names, each once, with the last call's receiver first."""
    objects = dict(sorted(sequence.objects.items()))
    last = len(written) - 1
    if sequence.results[last] is not ABSENT:
        objects.setdefault(last, sequence.results[last])
    named: dict[int, tuple[str, Any]] = {}
    for number, held in objects.items():
        name = written[number].name
        if name is not None:
            named.setdefault(id(held), (name, held))
    return sorted(named.values(), key=lambda one: one[1] is not sequence.root)
