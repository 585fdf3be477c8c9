"""Runs a suite's inputs on the original, and lets the spec identify the faults that they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.checking.fault_report import DetectedFault
from harness.checking.inputs import Input, Inputs
from harness.checking.requests import FaultsRequest
from harness.errors import SourceError, SpecError
from harness.kernel.inputs.routines import with_keywords
from harness.kernel.inputs.suites import Call, SuiteReader
from harness.kernel.process.telling import Teller
from harness.kernel.program.loader import execute, resolve
from harness.kernel.specs.spec import exception_summary, load_spec
from harness.model.finitization import CallKind, DomainKind

FAULT = "fault"
"""The name of the spec's function that identifies the fault of an input, if it shows one.

It receives the pre-state, the result, the exception and the arguments.
"""


class FaultSearch:
    """Carries out a request."""

    def __init__(self, job: FaultsRequest, teller: Teller) -> None:
        teller.begins(f"loading {job.implementation.filename}")
        try:
            self._module = execute(job.implementation)
        except (Exception, SystemExit) as error:
            where, error_name = job.implementation.filename, type(error).__name__
            raise SourceError(f"{where}: {error_name} while it was loaded: {error}; correct the source") from None
        teller.begins(f"loading {job.spec_filename}")
        self._spec = load_spec(job.spec_source, job.spec_filename)
        fault = getattr(self._spec.module, FAULT, None)
        if not callable(fault):
            raise SpecError(
                f"{job.spec_filename} has no function fault(state, result, raised), which tells the faults that inputs "
                "show; define it (docs/refactoring.md shows how)"
            )
        self._fault: Callable[..., Any] = fault
        self._finitization = self._spec.finitization(job.scope)
        self._inputs = Inputs(self._finitization, self._module)
        self._suite = SuiteReader(Path(job.suite))
        self._suite.check()
        self._name = job.spec_filename
        self.reached = 0

    def run(self) -> list[DetectedFault]:
        """Return the faults, in the order of first inputs."""
        faults: dict[tuple[str, ...], DetectedFault] = {}
        smallest: dict[tuple[str, ...], Input] = {}
        for number in range(len(self._suite)):
            self.reached = number
            state, at = self._suite.input(number)
            vector, call = self._suite.vector(state), self._suite.calls[at]
            told_fault = self._fault_shown_by(vector, call)
            if told_fault is None:
                continue
            causes, input_text = told_fault
            size = self._inputs.input(vector, call, self._suite.header.structures)
            fault = faults.get(causes) or DetectedFault(causes, 0, number, size.objects, input_text)
            if causes not in smallest or size < smallest[causes]:
                smallest[causes] = size
                fault = replace(fault, objects=size.objects, shown=input_text)
            faults[causes] = replace(fault, inputs=fault.inputs + 1)
        return list(faults.values())

    def _fault_shown_by(self, vector: Any, call: Call) -> tuple[tuple[str, ...], str] | None:
        """Return the fault's causes and the input as text, or None if the input shows no fault."""
        this, arguments = self._inputs.make(vector, call, self._suite.header.structures)
        target = self._finitization.targets[call.target]
        has_state = self._finitization.domains[0].kind is not DomainKind.NOTHING
        result: Any = None
        raised: BaseException | None = None
        try:
            if target.kind is CallKind.METHOD:
                result = with_keywords(getattr(this, target.name), target.keywords)(*arguments)
            else:
                function = with_keywords(resolve(self._module, target.name), target.keywords)
                result = function(*[this] * has_state, *arguments)
        except (Exception, SystemExit) as error:
            raised = error
        before, arguments_before = self._inputs.make(vector, call, self._suite.header.structures)
        try:
            fault = self._fault(*[before] * has_state, result, raised, *arguments_before)
        except SpecError:
            raise
        except Exception as error:
            raise SpecError(f"{self._name}: {FAULT} raised {exception_summary(error)}; correct the spec") from None
        return None if fault is None else (tuple(map(str, fault.causes)), str(fault.shown))
