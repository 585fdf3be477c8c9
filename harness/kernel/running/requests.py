"""The request to observe types, its reports and its answer; zygotes get orders (`harness.kernel.running.job`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.kernel.running.job import RunJob

TypeTable = Mapping[str, tuple[str, ...]]
"""Names of types, sorted, by the name of a variable or an attribute."""


@dataclass(frozen=True)
class TypesRequest:
    """Observe types while the original runs on inputs of a suite."""

    job: RunJob


@dataclass(frozen=True)
class FunctionTypes:
    """The types of a function's variables and of its results."""

    variables: TypeTable
    returns: tuple[str, ...]


@dataclass(frozen=True)
class ObservedTypes:
    """Types by the qualified names of functions, and of classes."""

    functions: Mapping[str, FunctionTypes]
    classes: Mapping[str, TypeTable]


@dataclass(frozen=True)
class TypeObservation:
    """The types; and, for each target whose every input raised TypeError, the message of the first one."""

    profile: ObservedTypes
    refused: Mapping[str, str]


@dataclass(frozen=True)
class InputsObserved:
    """The number of inputs that were run so far, and the number of all inputs to be run."""

    observed: int
    chosen: int
