"""What the original does in the calls of a sequence, and what its public API tells before and after."""

from __future__ import annotations

import builtins
import importlib
import inspect
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import FunctionType, ModuleType
from typing import Any

from harness.kernel.inputs.written_calls import CallWriter, WrittenCall, values_of, variable_name
from harness.kernel.judging.prepared_sequences import PreparedSequence
from harness.kernel.process.telling import Teller
from harness.kernel.running.job import RunJob
from harness.kernel.specs.tokens import Token, the_token
from harness.model.routines import Fixed, Routine, RoutineKind, TokenValue
from harness.report.loading import LoadedSequences
from harness.report.written_tests.last_questions import Probe, probed, probing_routines
from harness.report.written_tests.observers import Observer
from harness.report.written_tests.plain import plain_source, quoted
from harness.report.written_tests.special_calls import as_operators
from harness.report.written_tests.standing import Standing, standing_of
from harness.report.written_tests.telling import NOT_PLAIN, Asker, Told
from harness.report.written_tests.waiting import Standstill, Waits


@dataclass(frozen=True)
class Argument:
    """What a call is given in a parameter that has a choice: its name, and the value unless it is an earlier object."""

    parameter: str
    value: Any
    is_object: bool


@dataclass(frozen=True)
class Outcome:
    """A call as it is written, and what came of it.

    Attributes:
        arguments: those that the spec leaves a choice of.
        result: the source of a plain result; the name of an earlier object that it is; else NOT_PLAIN.
        is_earlier: whether the result is an earlier object.
        makes: the name of the class of a result that is neither; else empty.
        raised: the name of the exception's class, as the test knows it; empty where none was.
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
    """A sequence with what its calls did, the objects at its end, and its last call's receiver before and after.

    Attributes:
        probes: what the receiver's routines give at the end, by their names; the receiver is the first that is told of.
    """

    number: int
    tokens: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    told: tuple[Told, ...]
    before: Standing | None
    after: Standing | None
    probes: Mapping[str, Probe] = field(default_factory=dict)

    @property
    def last(self) -> Outcome:
        """The call that the test is about."""
        return self.outcomes[-1]


class Recorder:
    """Sequences of a job's suite, carried out on the original as often as something is asked about them."""

    def __init__(self, job: RunJob, teller: Teller, module: str, standstill: Standstill) -> None:
        loaded = LoadedSequences.of(job, teller)
        self._spec, self._bounds = loaded.spec, loaded.bounds
        self._module, self._program = loaded.module, loaded.program
        self._called = module
        self.imports: dict[str, set[str]] = {}
        """Names that tests import, by module."""
        self._standstill = standstill
        self._asker = Asker(self._module.__name__, self._bounds.omission(), standstill)
        self._waiting: set[str] = set()
        self.unsteady: set[str] = set()
        """Routines that told two things of one object, asked in the same way as the last thing."""
        self._probing = probing_routines(self._bounds.routines)
        self._constructors = [routine.name for routine in self._bounds.routines if not routine.has_receiver]
        taken = {name for name, value in vars(self._module).items() if isinstance(value, (type, FunctionType))}
        self._writer = CallWriter(self._bounds.root, self._bounds.routines, "", {*taken, "pytest"}, short_name)

    @property
    def changing(self) -> Collection[Observer]:
        """Observers that changed an object, or told two things of it, one after the other."""
        return self._asker.changing

    @property
    def waiting(self) -> list[str]:
        """What was asked and has waited for ever, so that it is asked no more, in order."""
        return sorted(
            {
                *self._waiting,
                *(observer.template.partition(".")[2].partition("(")[0] for observer in self._asker.waiting),
            }
        )

    def record(self, number: int) -> Record:
        """Input `number`, carried out."""
        sequence = self._program.prepare(number)
        last = len(sequence.calls) - 1
        written = self._writer.write(sequence.calls)
        tokens = {the_token(t.domain, t.index): name for t, name in self._writer.tokens(sequence.calls).items()}
        before = self._before(number)
        outcomes = tuple(self._outcome(sequence, one, tokens) for one in written)
        if outcomes[last].makes and written[last].name is None:
            written = self._writer.write(sequence.calls, [last])
            outcomes = (*outcomes[:last], replace(outcomes[last], written=written[last]))
        for call in sequence.calls:
            self._import(sequence.routines.routines[call.target])
        names = [one.name for one in written]
        told, after = self._at_the_end(number, names, outcomes, tokens)
        probes = {} if after is None else self._probes(number, _values_asked(outcomes), after.count, tokens)
        return Record(number, tuple(tokens.values()), outcomes, told, before, after, probes)

    def _before(self, number: int) -> Standing | None:
        sequence = self._program.prepare(number)
        sequence.lead_up()
        call = sequence.calls[-1]
        routine = sequence.routines.routines[call.target]
        if not routine.has_receiver:
            return None
        held = sequence.results[call.arguments[0]]
        touched = any(
            call.arguments[0] in one.earlier(sequence.routines.routines[one.target]) for one in sequence.calls[:-1]
        )
        return standing_of(held, self._spec.abstraction, sequence.routines.omits, is_new=not touched)

    def _outcome(self, sequence: PreparedSequence, written: WrittenCall, tokens: dict[Token, str]) -> Outcome:
        number = len(sequence.results)
        call = sequence.calls[number]
        routine = sequence.routines.routines[call.target]
        written = WrittenCall(written.name, as_operators(quoted(written.expression)))
        arguments = self._arguments(sequence, number)
        try:
            returned = sequence.invoke()
        except (Exception, SystemExit) as error:
            return Outcome(written, routine, arguments, raised=self._exception(type(error)))
        if routine.kind is RoutineKind.CONSTRUCTOR:
            return Outcome(written, routine, arguments)
        earlier = [n for n, held in sequence.objects.items() if held is returned and n < number]
        if earlier:
            name = str(self._writer.write(sequence.calls)[min(earlier)].name)
            return Outcome(written, routine, arguments, name, is_earlier=True)
        source = plain_source(returned, tokens)
        if source is not None:
            return Outcome(written, routine, arguments, source)
        is_told = bool(self._asker.observers(returned, tokens, {}))
        return Outcome(written, routine, arguments, makes=type(returned).__name__ if is_told else "")

    def _arguments(self, sequence: PreparedSequence, number: int) -> tuple[Argument, ...]:
        call = sequence.calls[number]
        routine = sequence.routines.routines[call.target]
        names = self._parameters(routine)
        found = []
        for position, (domain, index) in enumerate(values_of(call, routine)):
            if len(domain.values) == 1 and not domain.earlier:
                continue
            name = names[position] if position < len(names) else "value"
            given = domain.value(index) if index < len(domain.values) else None
            is_object = index >= len(domain.values) or isinstance(given, TokenValue)
            value = given.of if isinstance(given, Fixed) else given
            found.append(Argument(name, None if is_object else value, is_object))
        return tuple(found)

    def _parameters(self, routine: Routine) -> list[str]:
        """Names of what the routine takes besides its receiver, those passed by name last."""
        found: Any = self._module
        root = self._program.routines.root_class
        if routine.kind is RoutineKind.METHOD:
            found = root
        for part in routine.name.split("."):
            found = getattr(found, part, None)
        try:
            names = list(inspect.signature(found).parameters)
        except (TypeError, ValueError):
            return []
        positional = [name for name in names[routine.has_receiver :] if name not in routine.keywords]
        return [*positional[: len(routine.parameters) - len(routine.keywords)], *routine.keywords]

    def _at_the_end(
        self, number: int, names: Sequence[str | None], outcomes: Sequence[Outcome], tokens: dict[Token, str]
    ) -> tuple[tuple[Told, ...], Standing | None]:
        """What is told of the objects that have names; the calls are made again where an observer changed one."""
        asked = _values_asked(outcomes)
        while True:
            sequence = self._at_end(number)
            root, omits = sequence.root, sequence.routines.omits
            changed = len(self.changing)
            objects = _distinct(sequence, names)
            named = {id(held): str(names[at]) for at, held in objects}
            told = tuple(self._asker.told(str(names[at]), held, asked, tokens, named) for at, held in objects)
            if len(self.changing) == changed:
                abstraction = self._spec.abstraction
                return told, None if root is None else standing_of(root, abstraction, omits, is_new=False)

    def _at_end(self, number: int) -> PreparedSequence:
        """Input `number`, with all its calls made anew."""
        sequence = self._program.prepare(number)
        while not sequence.is_over:
            with suppress(Exception, SystemExit):  # what it raises is told already
                sequence.invoke()
        return sequence

    def _probes(
        self, number: int, values: Mapping[str, Any], count: int | None, tokens: dict[Token, str]
    ) -> dict[str, Probe]:
        """What each routine gives that is called on the receiver as the last thing; it is tried twice."""
        found: dict[str, Probe] = {}
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
                found[routine.name] = one
        return found

    def _exception(self, cls: type[BaseException]) -> str:
        """The name of the class, or of its nearest base that has one outside of functions, imported if need be."""
        for base in cls.__mro__:
            top = base.__qualname__.partition(".")[0]
            if getattr(builtins, base.__qualname__, None) is base:
                return str(base.__qualname__)
            home = self._module if base.__module__ == self._module.__name__ else _module(base.__module__)
            found: Any = home
            for part in base.__qualname__.split("."):
                found = getattr(found, part, None)
            if found is base:
                module = self._called if home is self._module else base.__module__
                self.imports.setdefault(module, set()).add(top)
                return str(base.__qualname__)
        return BaseException.__name__

    def _import(self, routine: Routine) -> None:
        if routine.kind is not RoutineKind.METHOD and not (
            routine.name == "list" and not hasattr(self._module, "list")
        ):
            self.imports.setdefault(self._called, set()).add(routine.name.partition(".")[0])


def short_name(class_name: str) -> str:
    """`stack` for `IntStack`: the last word of a class's name, all of them where that is a word of Python's own."""
    name = variable_name(class_name)
    last = name.rpartition("_")[2]
    return last if last.isidentifier() and last not in dir(builtins) and len(last) > 2 else name


def _values_asked(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """The plain values that calls were given, each once, by source."""
    found: dict[str, Any] = {}
    for outcome in outcomes:
        for argument in outcome.arguments:
            source = None if argument.is_object else plain_source(argument.value, {})
            if source is not None and type(argument.value) in (int, str, float):
                found.setdefault(source, argument.value)
    return dict(sorted(found.items(), key=lambda item: (str(type(item[1])), item[1])))


def _distinct(sequence: PreparedSequence, names: Sequence[str | None]) -> list[tuple[int, Any]]:
    """The objects with names at the end, each once, the last call's receiver first."""
    found: dict[int, tuple[int, Any]] = {}
    for number, held in sorted(sequence.objects.items()):
        found.setdefault(id(held), (number, held))
    last = len(names) - 1
    if names[last] is not None and len(sequence.results) > last and type(sequence.results[last]).__name__ != "Absent":
        found.setdefault(id(sequence.results[last]), (last, sequence.results[last]))
    objects = [(number, held) for number, held in found.values() if names[number] is not None]
    return sorted(objects, key=lambda one: one[1] is not sequence.root)


def _module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
