"""Specification coverage: how much of the predicate a Korat search executes (exhaustive2003, section 8.3)."""

from __future__ import annotations

from collections.abc import Sequence

from harness.errors import SpecError
from harness.measuring.job import PREDICATE
from harness.measuring.lines import own_lines
from harness.measuring.measurement import Measurement
from harness.model.subject import Subject


def specification_measurement(
    subject: Subject, scope: int, preconditions: Sequence[str], has_state: bool = True
) -> Measurement | None:
    """Return the measurement of the coverage of rep_ok and preconditions over all candidates of Korat's.

    `preconditions` are the names of the functions in spec.py that some target requires. Without a pre-state
    (`has_state`) there is no rep_ok; without either nothing can be measured, and None is returned.

    Functions in spec.py that they reach by name count as well. Functions come in source order. Functions that no
    predicate reaches (finitization, abstraction) do not count, nor do preconditions without a name of their own
    (lambdas).

    Raises:
        SpecError: spec.py has no `def rep_ok`.
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
        return None
    lines = own_lines(subject.spec_source, {name: (e.first_line, e.last_line) for name, e in extents.items()})
    return Measurement(subject, scope, lines)
