"""Specification coverage: how much of the predicate a Korat search executes (exhaustive2003, section 8.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from harness.errors import SpecError
from harness.measuring.job import PREDICATE, SpecificationRequest
from harness.measuring.lines import own_lines
from harness.measuring.measurement import Measurement, measure_in_sandbox
from harness.model.subject import Subject
from harness.store.facts import CoverageKind, FunctionCoverage


def specification_measurement(
    subject: Subject, scope: int, preconditions: Sequence[str], has_state: bool = True
) -> Callable[[], list[FunctionCoverage]]:
    """A call of what is returned measures the coverage of rep_ok and preconditions over all candidates of Korat's.

    `preconditions` are the names of the functions in spec.py that some target requires. Without a pre-state
    (`has_state`) there is no rep_ok, and without either nothing to be measured.

    What they reach by name in spec.py counts as well. Functions come in source order. Those that no predicate
    reaches (finitization, abstraction) do not count, nor do preconditions without a name of their own (lambdas).

    It may be called in another thread: sources are parsed here, once and for all.

    Raises:
        SpecError: spec.py has no `def rep_ok`; the call: it does not load, or rep_ok raises.
        SourceError: the call: the implementation does not load.
        BaselineError: the call: the process died of what it executed.
    """
    from harness.mutation.reach import reachable  # by libcst, which a run that is finished has no use for

    try:
        extents = reachable(subject.spec_source, [*[PREDICATE] * has_state, *preconditions])
    except SpecError:
        raise SpecError(
            f"{subject.spec_path} defines no function {PREDICATE} itself, so its coverage cannot be measured; "
            f"write it there with `def {PREDICATE}`"
        ) from None
    if not extents:
        return list
    lines = own_lines(subject.spec_source, {name: (e.first_line, e.last_line) for name, e in extents.items()})
    return partial(measure_in_sandbox, SpecificationRequest, CoverageKind.SPEC, Measurement(subject, scope, lines))
