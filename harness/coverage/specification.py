"""Specification coverage: how much of the predicate a Korat search executes (exhaustive2003, section 8.3)."""

from __future__ import annotations

from harness.coverage.lines import own_lines
from harness.coverage.measurement import measure_in_sandbox
from harness.errors import SpecError
from harness.model.subject import Subject
from harness.mutation.reach import reachable
from harness.store.facts import CoverageKind, FunctionCoverage

PREDICATE = "rep_ok"


def measure_specification(subject: Subject, scope: int) -> list[FunctionCoverage]:
    """Coverage of rep_ok and of what it reaches by name in spec.py, over all candidates that Korat explores.

    Functions come in source order; those that rep_ok does not reach (finitization, abstraction) do not count.

    Raises:
        SpecError: spec.py does not load or has no `def rep_ok`, or rep_ok raises.
        SourceError: the implementation does not load.
        BaselineError: the process died of what it executed.
    """
    try:
        extents = reachable(subject.spec_source, [PREDICATE])
    except SpecError:
        raise SpecError(
            f"{subject.spec_path} defines no function {PREDICATE} itself, so its coverage cannot be measured; "
            f"write it there with `def {PREDICATE}`"
        ) from None
    lines = own_lines(subject.spec_source, {name: (e.first_line, e.last_line) for name, e in extents.items()})
    return measure_in_sandbox("harness.coverage.specification_child", CoverageKind.SPEC, subject, scope, lines)
