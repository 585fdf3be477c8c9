"""Writes call sequences as readable test functions that expect the original's outcome of each call."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from harness.errors import BaselineError, MutascopeError, UsageError
from harness.kernel.inputs.call_source import CallWriter, WrittenCall
from harness.kernel.judging.prepared import PreparedSequence, is_object, outcome_of
from harness.kernel.process.talk import Headway
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_suite import observed_suite
from harness.kernel.specs.spec import always
from harness.report.exported.literals import RESERVED, Literals, NoLiteral
from harness.report.exported.requests import FileFacts

_NAMES = frozenset({"contextmanager", "raises", "same", "same_structure"})
"""Names that the written file defines in addition to `RESERVED`."""


class _Invalid(Exception):
    """The last call of a sequence leaves its object invalid."""


class SequenceExpectations:
    """The inputs of a job's suite, each as the source of a test function."""

    def __init__(self, job: RunJob, headway: Headway) -> None:
        loaded = observed_suite(job, headway)
        self._headway = headway
        self._spec, self._suite, self._module = loaded.spec, loaded.suite, loaded.module
        self._program = loaded.sequences
        self._bounds = self._program.routines.scope
        self._literals = Literals(self._module, {}, self._bounds.omission())
        used_names = {*RESERVED, *_NAMES, *_class_names(self._module)}
        self._writer = CallWriter(self._bounds.root, self._bounds.routines, "impl", used_names)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Yield the number of the last call's routine, and the test.

        Raises:
            BaselineError: the original fails on an input, so there is nothing to expect.
            UsageError: a value cannot be written as source.
        """
        for number in self._headway.each(range(len(self._suite))):
            sequence = self._program.prepare(number)
            where = f"input {number}, {self._writer.text(sequence.calls)}"
            try:
                test = self._test(number, sequence)
            except NoLiteral as error:
                raise UsageError(
                    f"{where}: a {error} cannot be written into a test file; use plain values and "
                    "objects of the implementation's own classes, omit fields that tell nothing, or evaluate the "
                    "suite with mutascope run"
                ) from None
            except _Invalid:
                raise _failure(where, "its post-state does not satisfy rep_ok") from None
            except MutascopeError:
                raise
            except Exception as error:
                raise _failure(where, f"checking what it did raised {type(error).__name__}: {error}") from None
            yield sequence.calls[-1].target, test

    def facts(self) -> FileFacts:
        """Return what the file needs besides the tests, once all are made."""
        return FileFacts(
            classes={name: (is_made, ()) for name, is_made in self._literals.classes.items()},
            keeps_state=self._program.keeps_state,
            omitted="|".join(f"(?:{pattern})" for pattern in self._bounds.omitted),
            unordered=self._bounds.unordered_fields,
        )

    def _test(self, number: int, sequence: PreparedSequence) -> str:
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
        if getattr(builtins, name, None) is cls:
            return name
        candidate: Any = self._module
        for part in name.split("."):
            candidate = getattr(candidate, part, None)
        return f"impl.{name}" if candidate is cls else f'"{name}"'


def _failure(where: str, failure: str) -> BaselineError:
    return BaselineError(f"the original fails on {where}: {failure}; correct the implementation or the spec")


def _class_names(module: ModuleType) -> set[str]:
    return {name for name, value in vars(module).items() if isinstance(value, type)}
