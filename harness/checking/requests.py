"""The requests to check properties and to find faults, and the answers."""

from __future__ import annotations

from dataclasses import dataclass

from harness.checking.fault_report import DetectedFault
from harness.checking.result import ComparedPredicate, PropertyResult
from harness.kernel.program.loader import SubjectRequest, SuiteJob


@dataclass(frozen=True)
class CheckRequest(SubjectRequest):
    """Check the properties of a subject; `folder` is the spec's, as the printed programs are to name it."""

    folder: str
    mode: str


@dataclass(frozen=True)
class Checked:
    """The properties, and the predicates that are searched by and accept what they stand for."""

    properties: tuple[PropertyResult, ...]
    predicates: tuple[ComparedPredicate, ...]


@dataclass(frozen=True)
class FaultsRequest(SuiteJob):
    """Find the faults of a subject with the states of a suite that was made at the scope."""


@dataclass(frozen=True)
class FaultsOfSuite:
    """The faults in the order of their first inputs, and the processor seconds of running the suite."""

    faults: tuple[DetectedFault, ...]
    seconds: float
