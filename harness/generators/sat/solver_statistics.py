"""Details of suites that a solver has made: the extensions of fields, and the solver."""

from __future__ import annotations

from typing import Any

from harness.generators.sat.extension import Written, is_written, size

EXTENSION = "sat.extension"
"""The number of feasible pairs of the fields that were to be covered: a fact of the trial."""
PAIRS = "sat.pairs"
"""The feasible and covered pairs by field (`harness.generators.sat.extension.Written`)."""
SOLVING = "sat.solving"
"""The solver's name, version and seed, the formula's size, and the number of calls."""


def details(extension: Written, solving: dict[str, Any]) -> dict[str, Any]:
    """Return the details of a suite; `extension` is empty if no pairs were to be covered."""
    covering = {EXTENSION: size(extension), PAIRS: extension} if extension else {}
    return {**covering, SOLVING: solving}


def can_be_read(details: dict[str, object]) -> bool:
    """Return True if the details of a suite, written by an untrusted process, can be read."""
    if PAIRS not in details:
        return EXTENSION not in details
    pairs: Any = details[PAIRS]
    return is_written(pairs) and is_solving(details.get(SOLVING)) and details.get(EXTENSION) == size(pairs)


def is_solving(value: object) -> bool:
    """Return True if a value from an untrusted process describes a solver."""
    if not isinstance(value, dict) or not all(type(value.get(name)) is str for name in ("solver", "version")):
        return False
    counts = ("variables", "clauses", "calls", "instances", "kept")
    return all(type(value.get(name)) is int for name in counts) and value.get("proven_minimal") in (None, True, False)
