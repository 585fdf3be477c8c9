"""The requests to `harness.observing.process`, and its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.kernel.program.loader import SuiteJob
from harness.model.coverage import CoverageCounts

ROWS_FILE = "rows"
"""The file, in the folder of a request, with a row for each input."""

PREDICATE = "rep_ok"
"""What is measured of a spec, with the preconditions of targets."""


EQ_CLASS = "eq_class"
"""The criterion defined by the spec, if it has one: the class of the pre-state."""

CONDITIONS = "conditions"
"""The outcomes that the atomic conditions of rep_ok take on the pre-state, or those of a target's own precondition.
They are the predicates that occur in it, so no one has to name them.
"""

BRANCHES = "branches"
"""The outcomes that the branches of the original take in the call; in a sequence, in its last call."""


@dataclass(frozen=True)
class CoverageRequest(SuiteJob):
    """The base of all: what to execute and whose lines to count.

    Attributes:
        lines: the functions' own lines, as from `own_lines`, of the implementation or of the spec.
        folder: where the measured text and large results are written.
    """

    lines: Mapping[str, frozenset[int]]
    folder: str


class CodeRequest(CoverageRequest):
    """Count what a suite covers of the implementation's functions."""


class BranchesRequest(CoverageRequest):
    """Tell which branches of the functions each input executes; the rows are written to the folder."""


class SpecificationRequest(CoverageRequest):
    """Count what Korat's search covers of the spec's predicates."""


class InputClassesRequest(CoverageRequest):
    """Tell the class of each input by several criteria; the inputs' numbers are written to the folder."""


class ConditionOutcomesRequest(CoverageRequest):
    """Tell which outcomes of conditions each input reaches; the rows are written to the folder."""


@dataclass(frozen=True)
class FunctionsRequest:
    """Measure the coverage of functions in several ways, one after the other.

    Attributes:
        parts: what is measured in each way; each has a folder of its own.
    """

    parts: tuple[CodeRequest | SpecificationRequest, ...]


FunctionCounts = tuple[Mapping[str, CoverageCounts], ...]
"""The counts of functions, by their qualified names, for each part of a request."""


@dataclass(frozen=True)
class ClassNames:
    """The names of the classes of inputs by criterion, and the places that the names speak of."""

    names: Mapping[str, tuple[str, ...]]
    places: Mapping[str, tuple[str, ...]]
