"""Runs sub-suites on the original under coverage.py, one after the other."""

from __future__ import annotations

from harness.kernel.program.recursion import limit_recursion
from harness.measuring.code_observation import metered, run_inputs
from harness.measuring.headway import Headway
from harness.measuring.job import CoverageRequest
from harness.model.coverage import CoverageCounts


def sub_suite_counts(job: CoverageRequest, headway: Headway) -> dict[str, CoverageCounts]:
    """Return the counts over all functions for each of the job's sub-suites, by its number as text.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    loaded, meter = metered(job, headway)
    limit_recursion()
    counts_by_number = {}
    for number, chosen in enumerate(job.chosen):
        meter.forget()
        counts = meter.measure(run_inputs(loaded.inputs, headway.each(chosen)))
        counts_by_number[str(number)] = sum(counts.values(), CoverageCounts())
    return counts_by_number
