"""Records the original's behaviour in the calls of a sequence, and its observable state before and after them."""

from __future__ import annotations

import builtins
import importlib
import inspect
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import FunctionType, ModuleType
from typing import Any

from harness.errors import UsageError
from harness.kernel.inputs.call_source import CallWriter, WrittenCall, values_of, variable_name
from harness.kernel.judging.prepared import PreparedSequence, outcome_of
from harness.kernel.process.talk import Headway
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_suite import observed_suite
from harness.kernel.specs.tokens import Token, the_token
from harness.model.routines import Fixed, Made, Routine, RoutineKind, TokenValue, Value
from harness.report.written_tests.object_facts import ObjectFacts, facts_of_object
from harness.report.written_tests.observations import NOT_PLAIN, Asker, ObjectObservations
from harness.report.written_tests.observers import Observer
from harness.report.written_tests.plain import plain_source, quoted
from harness.report.written_tests.probes import Probe, probed, probing_routines
from harness.report.written_tests.special_calls import as_operators
from harness.report.written_tests.waiting import Standstill, Waits


@dataclass(frozen=True)
class Argument:
    """An argument for a parameter that has a choice: the parameter's name, and the value unless it is an earlier
    object.
    """

    parameter: str
    value: Any
    is_object: bool


@dataclass(frozen=True)
class RecordedCall:
    """A written call and its outcome.

    Attributes:
        arguments: the arguments for which the spec leaves a choice.
        result: the source of a plain result; the name of the earlier object that was returned; else NOT_PLAIN.
        is_earlier: whether the result is an earlier object.
        makes: the name of the class of any other result; else empty.
        raised: the name of the exception's class, as the test knows it; empty if the call returned.
    """

    written: WrittenCall
    routine: Routine
    arguments: tuple[Argument, ...]
    result: str = NOT_PLAIN
    is_earlier: bool = False
    makes: str = ""
    raised: str = ""


@dataclass(frozen=True)
class Record:
    """A sequence with the outcomes of its calls, the objects at its end, and the last call's receiver before and after
    it.

    Attributes:
        probes: the receiver's probes at the end, by routine; the receiver is the first of the described objects.
    """

    number: int
    tokens: tuple[str, ...]
    outcomes: tuple[RecordedCall, ...]
    observations: tuple[ObjectObservations, ...]
    before: ObjectFacts | None
    after: ObjectFacts | None
    probes: Mapping[str, Probe] = field(default_factory=dict)

    @property
    def last(self) -> RecordedCall:
        """The call that the test is about."""
        return self.outcomes[-1]


class Recorder:
    """Executes sequences of a job's suite on the original, as often as their records need."""

    def __init__(self, job: RunJob, headway: Headway, module: str, standstill: Standstill) -> None:
        loaded = observed_suite(job, headway)
        self._spec, self._module, self._program = loaded.spec, loaded.module, loaded.sequences
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
        self._constructors = [routine.name for routine in self._bounds.routines if not routine.has_receiver]
        module_names = {name for name, value in vars(self._module).items() if isinstance(value, (type, FunctionType))}
        self._writer = CallWriter(self._bounds.root, self._bounds.routines, "", {*module_names, "pytest"}, short_name)

    @property
    def changing(self) -> Collection[Observer]:
        """Observers that changed an object, or told two things of it, one after the other."""
        return self._asker.changing

    @property
    def waiting(self) -> list[str]:
        """The names of routines and observers that waited for ever and are therefore not called again, in order."""
        return sorted(
            {
                *self._waiting,
                *(observer.template.partition(".")[2].partition("(")[0] for observer in self._asker.waiting),
            }
        )

    @property
    def keeps_state(self) -> bool:
        """Whether sequences have left something in the module."""
        return self._program.keeps_state

    def record(self, number: int) -> Record:
        """Execute input `number` and return its record."""
        before = self._before(number)
        sequence = self._program.prepare(number)
        last = len(sequence.calls) - 1
        written = self._writer.write(sequence.calls)
        tokens = {the_token(t.domain, t.index): name for t, name in self._writer.tokens(sequence.calls).items()}
        outcomes = tuple(self._outcome(sequence, one, tokens) for one in written)
        if outcomes[last].makes and written[last].name is None:
            written = self._writer.write(sequence.calls, [last])
            outcomes = (*outcomes[:last], replace(outcomes[last], written=written[last]))
        for call in sequence.calls:
            self._import(sequence.routines.routines[call.target])
        names = [one.name for one in written]
        observations, after = self._at_the_end(number, names, outcomes, tokens)
        probes = {} if after is None else self._probes(number, _argument_values(outcomes), after.count, tokens)
        return Record(number, tuple(tokens.values()), outcomes, observations, before, after, probes)

    def _before(self, number: int) -> ObjectFacts | None:
        sequence = self._program.prepare(number)
        sequence.lead_up()
        call = sequence.calls[-1]
        routine = sequence.routines.routines[call.target]
        if not routine.has_receiver:
            return None
        return facts_of_object(sequence.results[call.arguments[0]], self._spec.abstraction, sequence.routines.omits)

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
            name = str(self._writer.write(sequence.calls)[min(earlier)].name)
            return RecordedCall(written, routine, arguments, name, is_earlier=True)
        source = plain_source(returned, tokens)
        if source is not None:
            return RecordedCall(written, routine, arguments, source)
        is_told = bool(self._asker.observers(returned, tokens, {}))
        return RecordedCall(written, routine, arguments, makes=type(returned).__name__ if is_told else "")

    def _arguments(self, sequence: PreparedSequence, number: int) -> tuple[Argument, ...]:
        call = sequence.calls[number]
        routine = sequence.routines.routines[call.target]
        names = self._parameters(routine)
        arguments = []
        for position, (domain, index) in enumerate(values_of(call, routine)):
            choice = domain.value(index) if index < len(domain.values) else None
            self._import_argument(routine, choice)
            if len(domain.values) == 1 and not domain.earlier:
                continue
            name = names[position] if position < len(names) else "value"
            is_object = index >= len(domain.values) or isinstance(choice, TokenValue)
            value = choice.of if isinstance(choice, Fixed) else choice
            arguments.append(Argument(name, None if is_object else value, is_object))
        return tuple(arguments)

    def _parameters(self, routine: Routine) -> list[str]:
        """Return the names of a routine's parameters without its receiver, those passed by name last."""
        function: Any = self._module
        root = self._program.routines.root_class
        if routine.kind is RoutineKind.METHOD:
            function = root
        for part in routine.name.split("."):
            function = getattr(function, part, None)
        try:
            names = list(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            return []
        positional = [name for name in names[routine.has_receiver :] if name not in routine.keywords]
        return [*positional[: len(routine.parameters) - len(routine.keywords)], *routine.keywords]

    def _at_the_end(
        self, number: int, names: Sequence[str | None], outcomes: Sequence[RecordedCall], tokens: dict[Token, str]
    ) -> tuple[tuple[ObjectObservations, ...], ObjectFacts | None]:
        """Return the observations of named objects; the calls are made again whenever an observer changed an object."""
        argument_values = _argument_values(outcomes)
        while True:
            sequence = self._at_end(number)
            root, omits = sequence.root, sequence.routines.omits
            changed = len(self.changing)
            objects = _distinct(sequence, names)
            named = {id(held): str(names[at]) for at, held in objects}
            observations = tuple(
                self._asker.observe(str(names[at]), held, argument_values, tokens, named) for at, held in objects
            )
            if len(self.changing) == changed:
                abstraction = self._spec.abstraction
                return observations, None if root is None else facts_of_object(root, abstraction, omits)

    def _at_end(self, number: int) -> PreparedSequence:
        """Return input `number` after executing all its calls on new objects."""
        sequence = self._program.prepare(number)
        while not sequence.is_over:
            outcome_of(sequence.invoke)
        return sequence

    def _probes(
        self, number: int, values: Mapping[str, Any], count: int | None, tokens: dict[Token, str]
    ) -> dict[str, Probe]:
        """Return the probe of each routine that can be called last on the receiver; each is called on two copies."""
        probes: dict[str, Probe] = {}
        for routine in self._probing:
            if routine.name in self._waiting:
                continue
            try:
                with self._standstill.watched():
                    one, again = (
                        probed(routine, sequence.root, values, count, tokens, sequence.routines.omits)
                        for sequence in (self._at_end(number), self._at_end(number))
                    )
            except Waits:
                self._waiting.add(routine.name)
                continue
            if one != again:
                self.unsteady.add(routine.name)
            elif one is not None:
                probes[routine.name] = one
        return probes

    def _exception(self, cls: type[BaseException]) -> str:
        """Return the name of the exception's class, or of its nearest importable base, and record the import."""
        for base in cls.__mro__:
            top = base.__qualname__.partition(".")[0]
            if getattr(builtins, base.__qualname__, None) is base:
                return str(base.__qualname__)
            home = self._module if base.__module__ == self._module.__name__ else _module(base.__module__)
            candidate: Any = home
            for part in base.__qualname__.split("."):
                candidate = getattr(candidate, part, None)
            if candidate is base:
                module = self._called if home is self._module else base.__module__
                self.imports.setdefault(module, set()).add(top)
                return str(base.__qualname__)
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


def _argument_values(outcomes: Sequence[RecordedCall]) -> dict[str, Any]:
    """Return the plain values that calls received as arguments, each once, by source."""
    values: dict[str, Any] = {}
    for outcome in outcomes:
        for argument in outcome.arguments:
            source = None if argument.is_object else plain_source(argument.value, {})
            if source is not None and type(argument.value) in (int, str, float):
                values.setdefault(source, argument.value)
    return dict(sorted(values.items(), key=lambda item: (str(type(item[1])), item[1])))


def _distinct(sequence: PreparedSequence, names: Sequence[str | None]) -> list[tuple[int, Any]]:
    """Return the objects with names at the end, each once, with the last call's receiver first."""
    distinct_objects: dict[int, tuple[int, Any]] = {}
    for number, held in sorted(sequence.objects.items()):
        distinct_objects.setdefault(id(held), (number, held))
    last = len(names) - 1
    if names[last] is not None and len(sequence.results) > last and type(sequence.results[last]).__name__ != "Absent":
        distinct_objects.setdefault(id(sequence.results[last]), (last, sequence.results[last]))
    objects = [(number, held) for number, held in distinct_objects.values() if names[number] is not None]
    return sorted(objects, key=lambda one: one[1] is not sequence.root)


def _module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
