"""The process that runs a Korat search with the predicate under coverage.py.

Started as `python -m harness.coverage.specification_child JOB ORDERS FACTS`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from harness.coverage.child import load_implementation, tell_coverage
from harness.coverage.job import CoverageJob
from harness.coverage.meter import Meter
from harness.coverage.specification import PREDICATE
from harness.errors import SpecError
from harness.generators.korat.search import KoratSearch
from harness.kernel.loader import ModuleText, execute
from harness.kernel.program import limit_recursion
from harness.kernel.space import StateSpace
from harness.kernel.specs import SPEC_MODULE, load_spec
from harness.model.coverage import CoverageCounts


def specification_counts(job: CoverageJob) -> dict[str, CoverageCounts]:
    """Counts of the job's spec functions over the search of the whole space at its scope.

    Raises:
        MutascopeError: spec or implementation is unusable, or rep_ok raises.
    """
    spec = load_spec(job.spec_source, job.spec_filename)
    space = StateSpace(spec.finitization(job.scope))
    module = load_implementation(job.implementation)
    meter = Meter(job.spec_source, Path(job.folder), job.lines)
    measured = execute(ModuleText(SPEC_MODULE, job.spec_source, job.spec_filename), meter.compiled())
    limit_recursion()
    try:
        return meter.measure(iter(KoratSearch(space, module, vars(measured)[PREDICATE])))
    except SpecError as error:
        raise SpecError(str(error).replace(meter.file, job.spec_filename)) from None


if __name__ == "__main__":
    sys.exit(tell_coverage(sys.argv[1:], specification_counts))
