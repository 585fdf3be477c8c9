"""Code coverage: what a suite executes of target and helper methods (exhaustive2003, section 8.3)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from harness.measuring.lines import own_lines
from harness.measuring.measurement import Measurement
from harness.model.subject import Subject


def code_measurement(
    subject: Subject,
    suite: Path,
    scope: int,
    functions: Mapping[str, tuple[int, int]],
) -> Measurement:
    """Return the measurement of the coverage of the original by a suite, per function.

    Each input is executed once, on a fresh pre-state, on the original as it is written; what it
    raises is an outcome. Functions within
    functions follow theirs (see `own_lines`).

    Args:
        subject: the program; its implementation is executed in a process of its own.
        suite: the suite's folder.
        scope: the scope at which the suite was made.
        functions: first and last line by qualified name, decorators apart.

    Raises:
        SourceError: the source does not parse.
    """
    lines = own_lines(subject.source, functions)
    return Measurement(subject, scope, lines, suite)
