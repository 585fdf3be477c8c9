"""The process that runs a suite on the original under coverage.py.

Started as `python -m harness.coverage.code_child JOB ORDERS FACTS`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from harness.coverage.child import load_implementation, tell_coverage
from harness.coverage.job import CoverageJob
from harness.coverage.meter import Meter
from harness.errors import UsageError
from harness.kernel.program import Program, limit_recursion
from harness.kernel.space import StateSpace
from harness.kernel.specs import load_spec
from harness.kernel.suites import SuiteReader
from harness.model.coverage import CoverageCounts


def code_counts(job: CoverageJob) -> dict[str, CoverageCounts]:
    """Counts of the job's functions over its suite.

    Raises:
        MutascopeError: spec, implementation or suite is unusable; the suite has no inputs.
    """
    spec = load_spec(job.spec_source, job.spec_filename)
    space = StateSpace(spec.finitization(job.scope))
    suite = SuiteReader(Path(job.suite))
    if not len(suite):
        raise UsageError(f"{job.suite}: a suite of zero inputs covers nothing; generate one at a larger scope")
    meter = Meter(job.implementation.source, Path(job.folder), job.lines)
    # Loaded before anything is measured: what a module does on import is not the suite's doing.
    program = Program(load_implementation(job.implementation, meter.compiled), spec, space, suite)
    limit_recursion()
    return meter.measure(run_inputs(program, len(suite)))


def run_inputs(program: Program, inputs: int) -> Iterator[int]:
    """Runs each input once on its fresh pre-state, and yields its number behind it."""
    raised_is_an_outcome = suppress(BaseException)
    for number in range(inputs):
        prepared = program.prepare(number)
        with raised_is_an_outcome:
            prepared.invoke()
        yield number


if __name__ == "__main__":
    sys.exit(tell_coverage(sys.argv[1:], code_counts))
