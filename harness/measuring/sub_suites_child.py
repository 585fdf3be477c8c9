"""The process that runs sub-suites on the original under coverage.py, one after the other.

`main` is called by `kernel.process.containment.launch` with JOB and the pipe ends ORDERS and FACTS.
"""

from __future__ import annotations

from harness.measuring.child import Told, tell_coverage
from harness.measuring.code_child import loaded, run_inputs
from harness.measuring.job import CoverageJob
from harness.model.coverage import CoverageCounts


def sub_suite_counts(job: CoverageJob, told: Told) -> dict[str, CoverageCounts]:
    """For each of the job's sub-suites, by its number as text, the counts over all functions.

    Raises:
        MutascopeError: spec, implementation or suite is unusable.
    """
    meter, _, _, inputs = loaded(job, told)
    found = {}
    for number, chosen in enumerate(job.chosen):
        meter.forget()
        counts = meter.measure(run_inputs(inputs, told.each(chosen)))
        found[str(number)] = sum(counts.values(), CoverageCounts())
    return found


def main(arguments: list[str]) -> int:
    """Measures the job that the first argument names; see `tell_coverage`."""
    return tell_coverage(arguments, sub_suite_counts)
