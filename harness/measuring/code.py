"""Code coverage: what a suite executes of target and helper methods (exhaustive2003, section 8.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from harness.measuring.job import CodeRequest
from harness.measuring.lines import own_lines
from harness.measuring.measurement import Measurement, measure_in_sandbox
from harness.model.sequence import SequencePolicy
from harness.model.subject import Subject
from harness.store.facts import CoverageKind, FunctionCoverage


def code_measurement(
    subject: Subject,
    suite: Path,
    scope: int,
    functions: Mapping[str, tuple[int, int]],
    sequences: SequencePolicy = SequencePolicy.ON_MUTANT,
) -> Callable[[], list[FunctionCoverage]]:
    """A call of what is returned measures the coverage of the original by a suite, per function, in their order.

    Each input is executed once, on a fresh pre-state, on the original as it is written; what it
    raises is an outcome. Of sequences run by snapshot, the last calls count alone. Functions within
    functions follow theirs (see `own_lines`).

    Args:
        subject: the program; its implementation is executed in a process of its own.
        suite: the suite's folder.
        scope: the scope at which the suite was made.
        functions: first and last line by qualified name, decorators apart.
        sequences: the policy under which sequences run.

    It may be called in another thread: sources are parsed here, once and for all.

    Raises (the call):
        MutascopeError: the suite is empty or unreadable, or spec or implementation do not load.
        BaselineError: the process died of what it executed.
    """
    lines = own_lines(subject.source, functions)
    measurement = Measurement(subject, scope, lines, suite, sequences)
    return partial(measure_in_sandbox, CodeRequest, CoverageKind.CODE, measurement)
