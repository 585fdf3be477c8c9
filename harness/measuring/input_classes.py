"""The class of each input of a suite, by criteria of which all but one need no code in the spec."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.job import ClassNames, InputClassesRequest
from harness.measuring.measurement import Measurement, measured
from harness.model.subject import Subject

EQ_CLASS = "eq_class"
"""The criterion defined by the spec, if it has one: the class of the pre-state."""

CONDITIONS = "conditions"
"""The outcomes that the atomic conditions of rep_ok take on the pre-state, or those of a target's own precondition.
They are the predicates that occur in it, so no one has to name them.
"""

BRANCHES = "branches"
"""The outcomes that the branches of the original take in the call; in a sequence, in its last call."""

VERSION = 1
"""The version, which changes whenever the classes of some input do."""


@dataclass(frozen=True)
class InputClasses:
    """One class number per input in suite order, and the classes' names by number, for each criterion.

    The name of a class of outcomes lists them by the numbers of the places in `places`, from 1. For example,
    `2+ 3- 5+-` means that number 2 was true, 3 false, 5 both, and all others neither.
    """

    numbers: Mapping[str, Sequence[int]]
    names: Mapping[str, Sequence[str]]
    places: Mapping[str, Sequence[str]]


def outcome_name(seen: int) -> str:
    """Return the name of a class of outcomes (`ConditionOutcomes.seen`)."""
    parts = []
    for number in range((seen.bit_length() + 1) // 2):
        true, false = seen >> 2 * number & 1, seen >> 2 * number + 1 & 1
        if true or false:
            parts.append(f"{number + 1}{'+' * true}{'-' * false}")
    return " ".join(parts) or "none"


def measured_classes(subject: Subject, suite: SuiteReader) -> InputClasses:
    """Run each input of a suite once on the original, in a sandboxed process, and return its classes.

    EQ_CLASS is included if the spec has an eq_class, CONDITIONS if the inputs have pre-states, and BRANCHES always.

    Raises:
        MutascopeError: the suite is empty, spec or implementation do not load, or a function of the spec raises.
        BaselineError: the process died during the execution.
    """
    measurement = Measurement(subject, suite.header.scope, {}, suite.folder)
    work = "the classes of its inputs"
    with measured(InputClassesRequest, ClassNames, work, measurement) as (classes, folder):
        numbers = {name: array("I", (folder / name).read_bytes()) for name in classes.names}
        names = {name: list(found) for name, found in classes.names.items()}
        return InputClasses(numbers, names, {name: list(found) for name, found in classes.places.items()})
