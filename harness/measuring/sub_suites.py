"""Code coverage of sub-suites: selections of a suite's inputs, each of which is measured separately."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from harness.measuring.job import NamedCounts, SubSuitesRequest
from harness.measuring.lines import own_lines
from harness.measuring.measurement import Measurement, measured
from harness.model.coverage import CoverageCounts
from harness.model.sequence import SequencePolicy
from harness.model.subject import Subject


def sub_suite_coverage(
    subject: Subject,
    suite: Path,
    scope: int,
    functions: Mapping[str, tuple[int, int]],
    chosen: Sequence[Sequence[int]],
    sequences: SequencePolicy = SequencePolicy.ON_MUTANT,
) -> list[CoverageCounts]:
    """Return the counts over all functions for each sub-suite in `chosen`, a sequence of input numbers.

    Apart from that, it works like `code_measurement`; all sub-suites are measured in one process.

    Raises:
        MutascopeError: the suite is empty or unreadable, or spec or implementation do not load.
        BaselineError: the process died during the execution.
    """
    if not chosen:
        return []
    lines = own_lines(subject.source, functions)
    measurement = Measurement(subject, scope, lines, suite, sequences, chosen)
    with measured(SubSuitesRequest, NamedCounts, "its code coverage", measurement) as (counts, _):
        return [counts.by_name[str(number)] for number in range(len(chosen))]
