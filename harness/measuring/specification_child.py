"""The process that generates with Korat, the predicates under coverage.py.

`main` is called by `kernel.process.containment.launch` with JOB and the pipe ends ORDERS and FACTS.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.errors import SpecError
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import Task
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.recursion import limit_recursion
from harness.kernel.specs.spec import SPEC_MODULE, load_spec
from harness.measuring.child import Told, load_implementation, tell_coverage
from harness.measuring.job import PREDICATE, CoverageJob
from harness.measuring.meter import Meter
from harness.model.coverage import CoverageCounts


def specification_counts(job: CoverageJob, told: Told) -> dict[str, CoverageCounts]:
    """Counts of the job's spec functions over all searches that make the inputs of its scope.

    Raises:
        MutascopeError: spec or implementation is unusable, or rep_ok raises.
    """
    told.begins(f"executing finitization({job.scope}) of {job.spec_filename}")
    spec = load_spec(job.spec_source, job.spec_filename)
    spec.finitization(job.scope)  # what is wrong with it is told with the user's file name
    told.begins(f"loading {job.implementation.filename}")
    module = load_implementation(job.implementation)
    told.begins(f"loading {job.spec_filename}")
    meter = Meter(job.spec_source, Path(job.folder), job.lines)
    names = vars(execute(ModuleText(SPEC_MODULE, job.spec_source, job.spec_filename), meter.compiled()))
    measured = replace(spec, rep_ok=names.get(PREDICATE, spec.rep_ok), finitization_of=names["finitization"])
    task = Task(measured, module, measured.finitization(job.scope), seed=0)
    limit_recursion()
    try:
        production = Korat().produce(task)
        told.begins(f"executing rep_ok of {job.spec_filename}", lambda: production.explored)
        return meter.measure(iter(production))
    except SpecError as error:
        raise SpecError(str(error).replace(meter.file, job.spec_filename)) from None


def main(arguments: list[str]) -> int:
    """Measures the job that the first argument names; see `tell_coverage`."""
    return tell_coverage(arguments, specification_counts)
