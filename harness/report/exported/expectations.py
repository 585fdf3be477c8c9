"""Runs the original on a suite, and writes each input with its outcome as source text.

State inputs become tuples; call sequences become readable test functions that expect the outcome of each call.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.errors import UsageError
from harness.kernel.inputs.describe import CallWriter, WrittenCall
from harness.kernel.judging.prepared import PreparedInput, PreparedSequence, is_object, outcome_of
from harness.kernel.process.talk import Headway
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_suite import LoadedSuite, observed_suite
from harness.kernel.specs.spec import always
from harness.model.finitization import CallKind, DomainKind
from harness.model.literals import displayed
from harness.report.exported.literals import RESERVED, Literals, NoLiteral
from harness.report.python_files import failing, is_found, telling

_PLAIN = (type(None), bool, int, float, str)


@dataclass(frozen=True)
class ExpectedRequest:
    """Run the original on each input of a suite."""

    job: RunJob


@dataclass(frozen=True)
class FileFacts:
    """Facts that a file of pytest needs besides its cases.

    Attributes:
        classes: by class name, its builder in the file.
        functions: the targets that are functions.
        abstract: whether the spec has an abstraction.
        keywords: by target, the parameters that are passed by name.
        has_state: whether there is a pre-state.
        omitted: a pattern of the fields that are not compared.
        unordered: the fields whose dicts are compared without an order.
        keeps_state: whether inputs leave something in the module, which is to be loaded afresh for each.
    """

    classes: Mapping[str, str]
    functions: tuple[str, ...] = ()
    abstract: bool = False
    keywords: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    has_state: bool = True
    omitted: str = ""
    unordered: tuple[str, ...] = ()
    keeps_state: bool = False


@dataclass(frozen=True)
class ExportedCases:
    """The cases, each a target's number and source text, and what the file needs besides."""

    cases: tuple[tuple[int, str], ...]
    facts: FileFacts


class _Invalid(Exception):
    """The last call of an input leaves its object invalid."""


def expect(request: ExpectedRequest, headway: Headway) -> ExportedCases:
    """Run the original on each input, and write what it does as source text.

    Raises:
        BaselineError: the original fails on an input, so there is nothing to expect.
        UsageError: a value cannot be written as source.
        MutascopeError: as `observed_suite`.
    """
    loaded = observed_suite(request.job, headway)
    suite = loaded.suite
    expectations = SequenceExpectations(loaded) if suite.holds_sequences else StateExpectations(loaded)
    cases = []

    def where(number: int) -> str:
        return f"input {number}, {loaded.inputs.show(number)}"

    for number in headway.each(range(len(suite))):
        with telling(where, number):
            try:
                cases.append((suite.calls[suite.input(number)[1]].target, expectations.case(number)))
            except NoLiteral as error:
                omitting = "omit fields that tell nothing, " * suite.holds_sequences
                raise UsageError(
                    f"{where(number)}: a {error} cannot be written into a test file; use plain values and objects of "
                    f"the implementation's own classes, {omitting}or evaluate the suite with mutascope run"
                ) from None
            except _Invalid:
                raise failing(where(number), "its post-state does not satisfy rep_ok") from None
    return ExportedCases(tuple(cases), expectations.facts())


class StateExpectations:
    """State inputs with their outcomes, each as the source of a tuple."""

    def __init__(self, loaded: LoadedSuite) -> None:
        self._spec, self._program = loaded.spec, loaded.states
        self._bounds = loaded.states.space.finitization
        self._unordered = loaded.spec.finitization(loaded.suite.header.scope).unordered_fields
        self._literals = Literals(loaded.module)

    def facts(self) -> FileFacts:
        """Return what the file needs besides the cases, once all are made."""
        targets = self._bounds.targets
        return FileFacts(
            classes=self._literals.classes,
            functions=tuple(target.name for target in targets if target.kind is CallKind.FUNCTION),
            abstract=self._spec.abstraction is not None,
            keywords={target.name: target.keywords for target in targets if target.keywords},
            keeps_state=self._program.keeps_state,
            has_state=self._bounds.domains[0].kind is not DomainKind.NOTHING,
            unordered=self._unordered,
        )

    def case(self, number: int) -> str:
        """Return `(input, pre-state, arguments, outcome, post-state[, arguments after])`.

        Raises:
            _Invalid: the post-state does not satisfy rep_ok.
            NoLiteral: a value cannot be written as source.
        """
        prepared = self._program.prepare(number)
        before = self._literals.write(prepared.root, *prepared.arguments)
        outcome = self._outcome(prepared)
        if not self._spec.rep_ok(prepared.root):
            raise _Invalid
        state = self._spec.abstraction(prepared.root) if self._spec.abstraction else prepared.root
        parts = [str(number), before[0], _tuple(before[1:]), outcome, *self._literals.write(state)]
        if any(not isinstance(argument, _PLAIN) for argument in prepared.arguments):
            parts.append(_tuple([self._view(argument, prepared.root) for argument in prepared.arguments]))
        return _tuple(parts)

    def _outcome(self, prepared: PreparedInput) -> str:
        returned, raised = outcome_of(prepared.invoke)
        if raised is not None:
            return f'Raises("{type(raised).__qualname__}")'
        return self._view(returned, prepared.root)

    def _view(self, value: Any, root: Any) -> str:
        """Return a value as the oracle compares it; states of the root's class have the subject's equality."""
        if value is root:
            return "Self()"
        abstraction = self._spec.abstraction
        if abstraction is not None and type(value) is type(root) and self._spec.rep_ok(value):
            return f"Abstract({self._literals.write(abstraction(value))[0]})"
        return self._literals.write(value)[0]


class SequenceExpectations:
    """Call sequences, each as the source of a test function."""

    def __init__(self, loaded: LoadedSuite) -> None:
        self._spec, self._module, self._program = loaded.spec, loaded.module, loaded.sequences
        self._bounds = self._program.routines.scope
        self._literals = Literals(self._module, self._bounds.omission())
        class_names = {name for name, value in vars(self._module).items() if isinstance(value, type)}
        self._writer = CallWriter(self._bounds.root, self._bounds.routines, "impl", {*RESERVED, *class_names})

    def facts(self) -> FileFacts:
        """Return what the file needs besides the tests, once all are made."""
        return FileFacts(
            classes=self._literals.classes,
            keeps_state=self._program.keeps_state,
            omitted="|".join(f"(?:{pattern})" for pattern in self._bounds.omitted),
            unordered=self._bounds.unordered_fields,
        )

    def case(self, number: int) -> str:
        """Return an input as the source of a test function.

        Raises:
            _Invalid: the last call leaves its object invalid.
            NoLiteral: a value cannot be written as source.
        """
        sequence = self._program.prepare(number)
        written = self._writer.write(sequence.calls)
        tokens = self._writer.tokens(sequence.calls)
        lines = [f'{name} = Token("{token.domain}", {token.index})' for token, name in tokens.items()]
        for call in written:
            lines += self._call(call, sequence, written)
        lines += self._states(sequence, written)
        routine = self._bounds.routines[sequence.calls[-1].target].name.replace(".", "_")
        return "\n    ".join([f"def test_{routine}_{number}():", *lines])

    def _call(self, call: WrittenCall, sequence: PreparedSequence, written: list[WrittenCall]) -> list[str]:
        """Execute a call and return its lines with the result: `assert tree.remove(1) is True`."""
        returned, raised = outcome_of(sequence.invoke)
        if raised is not None:
            return [f"with raises({self._exception(type(raised))}):", f"    {call.expression}"]
        earlier = [n for n, held in sequence.objects.items() if held is returned and n < len(sequence.results) - 1]
        name = written[min(earlier)].name if earlier else None
        if call.name is None:
            return [self._asserted(call.expression, returned, name)]
        lines = [str(call)]
        if name is not None or not is_object(returned):
            lines.append(self._asserted(call.name, returned, name))
        return lines

    def _asserted(self, expression: str, value: Any, name: str | None) -> str:
        """Return the assertion on a call's result: the object of that name, or a value."""
        if name is not None:
            return f"assert {expression} is {name}"
        if value is None or isinstance(value, bool):
            return f"assert {expression} is {value}"
        abstraction = self._spec.abstraction
        if abstraction is not None and self._program.routines.is_of_root(value) and self._spec.rep_ok(value):
            return self._same_mapping(expression, abstraction(value))
        return f"assert same({expression}, {self._literal(value)})"

    def _states(self, sequence: PreparedSequence, written: list[WrittenCall]) -> list[str]:
        """Return the state of each object of the sequence at its end, the last call's receiver first."""
        lines: list[str] = []
        objects = dict(sorted(sequence.objects.items()))
        for number in sorted(objects, key=lambda at: objects[at] is not sequence.root):
            held = objects[number]
            first = next(at for at in objects if objects[at] is held)
            if number == first:
                lines += self._state(str(written[number].name), held, must_hold=held is sequence.root)
        return lines

    def _state(self, name: str, held: Any, must_hold: bool) -> list[str]:
        lines: list[str] = []
        is_valid = self._program.routines.is_of_root(held) and bool(self._spec.rep_ok(held))
        if must_hold and self._program.routines.is_of_root(held) and not is_valid:
            raise _Invalid
        if is_valid and self._spec.rep_ok is not always:
            lines.append(f"assert spec.rep_ok({name})")
        if is_valid and self._spec.abstraction is not None:
            lines.append(self._same_mapping(name, self._spec.abstraction(held)))
        else:
            lines.append(f"assert same_structure({name}, {self._literal(held)})")
        return lines

    def _same_mapping(self, expression: str, abstract: Any) -> str:
        """Return the assertion of an abstract value, in which dicts have no order."""
        literal = self._literal(abstract)
        return f"assert same(spec.abstraction({expression}), {literal}{', mapping=True' * ('{' in literal)})"

    def _literal(self, value: Any) -> str:
        return self._literals.write(value)[0]

    def _exception(self, cls: type[BaseException]) -> str:
        name = cls.__qualname__
        if is_found(cls, builtins):
            return name
        return f"impl.{name}" if is_found(cls, self._module) else f'"{name}"'


def _tuple(parts: list[str]) -> str:
    return str(displayed(tuple(parts), str))
