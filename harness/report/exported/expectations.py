"""Runs the original on a suite, and writes each input with its outcome as source text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.errors import BaselineError, MutascopeError, UsageError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.prepared import PreparedInput, outcome_of
from harness.kernel.process.talk import Headway
from harness.kernel.running.job import RunJob
from harness.kernel.running.loaded_suite import observed_suite
from harness.model.finitization import CallKind, DomainKind
from harness.model.targets import StateBounds
from harness.report.exported.expected_sequences import SequenceExpectations
from harness.report.exported.literals import Literals, NoLiteral
from harness.report.exported.requests import ExpectedRequest, ExportedCases, FileFacts

_PLAIN = (type(None), bool, int, float, str)


class Expectations:
    """The inputs of a job's suite with their outcomes, each as the source of a tuple."""

    def __init__(self, job: RunJob, headway: Headway) -> None:
        loaded = observed_suite(job, headway)
        self._headway = headway
        self._spec, self._suite, self._program = loaded.spec, loaded.suite, loaded.states
        self._finitization = loaded.states.space.finitization
        self._unordered = loaded.spec.finitization(job.scope).unordered_fields
        self._fields = declared_fields(self._finitization)
        self._literals = Literals(loaded.module, self._fields)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Yield the target's number, and `(input, pre-state, arguments, outcome, post-state[, arguments after])`.

        Raises:
            BaselineError: the original fails on an input, so there is nothing to expect.
            UsageError: a value cannot be written as source.
        """
        for number in self._headway.each(range(len(self._suite))):
            _, call = self._suite.input(number)
            try:
                yield self._suite.calls[call].target, self._case(number)
            except NoLiteral as error:
                where = f"input {number}, {self._program.show(number)}"
                raise UsageError(
                    f"{where}: a {error} cannot be written into a test file; use plain values and objects of the "
                    "implementation's own classes, or evaluate the suite with mutascope run"
                ) from None

    def facts(self) -> FileFacts:
        """Return what the file needs besides the cases, once all are made."""
        targets = self._finitization.targets
        return FileFacts(
            classes={name: (is_made, self._fields.get(name, ())) for name, is_made in self._literals.classes.items()},
            functions=tuple(target.name for target in targets if target.kind is CallKind.FUNCTION),
            abstract=self._spec.abstraction is not None,
            keywords={target.name: target.keywords for target in targets if target.keywords},
            keeps_state=self._program.keeps_state,
            has_state=self._finitization.domains[0].kind is not DomainKind.NOTHING,
            unordered=self._unordered,
        )

    def _case(self, number: int) -> str:
        prepared = self._program.prepare(number)
        before = self._literals.write(prepared.root, *prepared.arguments)
        try:
            outcome = self._outcome(prepared)
            if not self._spec.rep_ok(prepared.root):
                raise BaselineError(self._failure(number, "its post-state does not satisfy rep_ok"))
            state = self._spec.abstraction(prepared.root) if self._spec.abstraction else prepared.root
            parts = [str(number), before[0], _tuple(before[1:]), outcome, *self._literals.write(state)]
            if any(not isinstance(argument, _PLAIN) for argument in prepared.arguments):
                parts.append(_tuple([self._view(argument, prepared.root) for argument in prepared.arguments]))
        except (MutascopeError, NoLiteral):
            raise
        except Exception as error:
            problem = f"checking what it did raised {type(error).__name__}: {error}"
            raise BaselineError(self._failure(number, problem)) from None
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

    def _failure(self, number: int, failure: str) -> str:
        text = self._program.show(number)
        return f"the original fails on input {number}, {text}: {failure}; correct the implementation or the spec"


def declared_fields(finitization: StateBounds) -> dict[str, tuple[str, ...]]:
    """Return the field names by class, in the order of their declaration."""
    return {
        domain.class_name: tuple(name for name, _ in finitization.fields_of(domain))
        for domain in finitization.domains
        if domain.kind is DomainKind.OBJECT
    }


def _tuple(parts: list[str]) -> str:
    return f"({', '.join(parts)}{',' * (len(parts) == 1)})"


def expect(request: ExpectedRequest, headway: Headway) -> ExportedCases:
    """Run the original on each input, and write what it does as source text.

    Raises:
        MutascopeError: as the expectations.
    """
    job = request.job
    holds_sequences = SuiteReader(Path(job.suite)).holds_sequences
    expectations = SequenceExpectations(job, headway) if holds_sequences else Expectations(job, headway)
    return ExportedCases(tuple(expectations), expectations.facts())
