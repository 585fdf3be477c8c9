"""Runs sub-suites on the original under coverage.py, one after the other."""

from __future__ import annotations

from harness.kernel.process.headway import Headway
from harness.measuring.code_observation import metered, run_inputs
from harness.measuring.job import NamedCounts, SubSuitesRequest
from harness.model.coverage import CoverageCounts


def sub_suite_counts(job: SubSuitesRequest, headway: Headway) -> NamedCounts:
    """Return the counts over all functions for each of the job's sub-suites, by its number as text.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    loaded, meter = metered(job, headway)
    counts_by_number = {}
    for number, chosen in enumerate(job.chosen):
        meter.forget()
        counts = meter.measure(run_inputs(loaded.inputs, headway.each(chosen)))
        counts_by_number[str(number)] = sum(counts.values(), CoverageCounts())
    return NamedCounts(counts_by_number)
