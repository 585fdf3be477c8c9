"""What class each input of a suite is of, by criteria of which all but one need not be written."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import StoreError
from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.job import ClassNames, InputClassesRequest
from harness.measuring.measurement import Measurement, measured
from harness.model.subject import Subject

EQ_CLASS = "eq_class"
"""The criterion that the spec says, where it does: the class of the pre-state."""

CONDITIONS = "conditions"
"""Which outcomes the atomic conditions of rep_ok take on the pre-state (of a target with a precondition of its own,
those of that): the predicates that occur in it, and nobody has to name."""

BRANCHES = "branches"
"""Which outcomes the branches of the original take in the call; of a sequence, in its last one."""

VERSION = 1
"""Changes whenever the classes of some input do."""


@dataclass(frozen=True)
class InputClasses:
    """By criterion, one class number per input in suite order, and the classes' names by number.

    The name of a class of outcomes says them by the numbers of the places in `places`, from 1: `2+ 3- 5+-` where that
    numbered 2 was true, 3 false, 5 both, all others neither.
    """

    numbers: Mapping[str, Sequence[int]]
    names: Mapping[str, Sequence[str]]
    places: Mapping[str, Sequence[str]]


def outcome_name(seen: int) -> str:
    """The name of a class of outcomes (`Outcomes.seen`)."""
    shown = []
    for number in range((seen.bit_length() + 1) // 2):
        true, false = seen >> 2 * number & 1, seen >> 2 * number + 1 & 1
        if true or false:
            shown.append(f"{number + 1}{'+' * true}{'-' * false}")
    return " ".join(shown) or "none"


def measured_classes(subject: Subject, suite: SuiteReader) -> InputClasses:
    """Runs each input of a suite once on the original, in a sandboxed process, and tells its classes.

    EQ_CLASS is there where the spec has an eq_class, CONDITIONS where the inputs are of states; BRANCHES always is.

    Raises:
        MutascopeError: the suite is empty, spec or implementation do not load, or a function of the spec raises.
        BaselineError: the process died of what it executed.
    """
    measurement = Measurement(subject, suite.header.scope, {}, suite.folder)
    work = "the classes of its inputs"
    with measured(InputClassesRequest, ClassNames, work, measurement) as (classes, folder):
        if not classes.names.keys() <= {EQ_CLASS, CONDITIONS, BRANCHES}:
            raise StoreError(f"{subject.title}: there is no such criterion as was told; measure the classes again")
        numbers = {name: _numbers(folder / name, len(suite), len(found)) for name, found in classes.names.items()}
        names = {name: list(found) for name, found in classes.names.items()}
        return InputClasses(numbers, names, {name: list(found) for name, found in classes.places.items()})


def _numbers(path: Path, inputs: int, classes: int) -> Sequence[int]:
    found = array("I")
    try:
        found.frombytes(path.read_bytes())
    except (OSError, ValueError):
        found = array("I")
    if len(found) != inputs or max(found, default=0) >= classes:
        raise StoreError(f"{path.name}: the classes of {inputs} inputs are not what was told; measure them again")
    return found
