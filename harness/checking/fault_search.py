"""Runs a suite's inputs on the original, and lets the spec identify the faults that they show."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from harness.checking.inputs import CheckedInputs, Input
from harness.errors import SpecError
from harness.kernel.judging.prepared import outcome_of
from harness.kernel.process.talk import Headway
from harness.kernel.program.loader import SuiteJob
from harness.kernel.running.loaded_suite import observed_suite
from harness.kernel.specs.programs import Fault, name_of
from harness.kernel.specs.spec import exception_summary
from harness.model.finitization import DomainKind

FAULT = "fault"
"""The name of the spec's function that identifies the fault of an input, if it shows one.

It receives the pre-state, the result, the exception and the arguments.
"""


@dataclass(frozen=True)
class DetectedFault:
    """A fault with its causes: the number of inputs that show it, the first of them, and the smallest as text.

    `objects` is the number of objects of the smallest input; `first` is the number of the first input, from 0.
    """

    causes: tuple[str, ...]
    inputs: int
    first: int
    objects: int
    shown: str

    @property
    def name(self) -> str:
        """The causes of the fault, as text for people."""
        return name_of(self.causes)

    @property
    def has_one_cause(self) -> bool:
        """Whether one cause alone explains it, so that it counts as found."""
        return len(self.causes) == 1


@dataclass(frozen=True)
class FaultsRequest(SuiteJob):
    """Find the faults of a subject with the states of a suite that was made at the scope."""


@dataclass(frozen=True)
class FaultsOfSuite:
    """The faults in the order of their first inputs, and the processor seconds of running the suite."""

    faults: tuple[DetectedFault, ...]
    seconds: float


def find_faults(request: FaultsRequest, headway: Headway) -> FaultsOfSuite:
    """Run the original on each input of a suite; the spec identifies the faults.

    Raises:
        MutascopeError: as `observed_suite`, or the spec cannot identify faults.
    """
    search = FaultSearch(request, headway)
    began = time.process_time()
    faults = search.run()
    return FaultsOfSuite(tuple(faults), time.process_time() - began)


class FaultSearch:
    """Carries out a request."""

    def __init__(self, job: FaultsRequest, headway: Headway) -> None:
        loaded = observed_suite(job, headway)
        fault = getattr(loaded.spec.module, FAULT, None)
        if not callable(fault):
            raise SpecError(
                f"{job.spec_filename} has no function fault(state, result, raised), which tells the faults that inputs "
                "show; define it (docs/refactoring.md shows how)"
            )
        self._fault: Callable[..., Any] = fault
        self._suite = loaded.suite
        self._suite.check()
        self._program, self._unchanged = loaded.states, loaded.inputs_on(loaded.module)
        bounds = loaded.states.space.finitization
        self._sizes = CheckedInputs(bounds, loaded.module)
        self._has_state = bounds.domains[0].kind is not DomainKind.NOTHING
        self._name = job.spec_filename
        self._headway = headway

    def run(self) -> list[DetectedFault]:
        """Return the faults, in the order of first inputs."""
        faults: dict[tuple[str, ...], DetectedFault] = {}
        smallest: dict[tuple[str, ...], Input] = {}
        for number in self._headway.each(range(len(self._suite))):
            told_fault = self._fault_shown_by(number)
            if told_fault is None:
                continue
            causes, input_text = told_fault
            state, at = self._suite.input(number)
            vector, call = self._suite.vector(state), self._suite.calls[at]
            size = self._sizes.input(vector, call, self._suite.header.structures)
            fault = faults.get(causes) or DetectedFault(causes, 0, number, size.objects, input_text)
            if causes not in smallest or size < smallest[causes]:
                smallest[causes] = size
                fault = replace(fault, objects=size.objects, shown=input_text)
            faults[causes] = replace(fault, inputs=fault.inputs + 1)
        return list(faults.values())

    def _fault_shown_by(self, number: int) -> tuple[tuple[str, ...], str] | None:
        """Return the fault's causes and the input as text, or None if the input shows no fault."""
        result, raised = outcome_of(self._program.prepare(number).invoke)
        before = self._unchanged.prepare(number)
        try:
            fault = self._fault(*[before.root] * self._has_state, result, raised, *before.arguments)
        except SpecError:
            raise
        except Exception as error:
            raise SpecError(f"{self._name}: {FAULT} raised {exception_summary(error)}; correct the spec") from None
        if fault is None:
            return None
        if not isinstance(fault, Fault):
            raise SpecError(
                f"{self._name}: {FAULT} returned {type(fault).__name__}, neither a Fault nor None; return "
                "Fault((name of the cause,), text) of harness.programs for a fault"
            )
        return tuple(map(str, fault.causes)), str(fault.shown)
