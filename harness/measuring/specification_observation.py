"""Generates with Korat, with the predicates under coverage.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.errors import SpecError
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import Task
from harness.kernel.process.talk import Headway
from harness.kernel.program.loader import ModuleText, execute, loading
from harness.kernel.program.steps import limit_recursion
from harness.kernel.specs.spec import SPEC_MODULE, load_spec
from harness.measuring.job import PREDICATE, CoverageRequest
from harness.measuring.meter import Meter
from harness.model.coverage import CoverageCounts


def specification_counts(job: CoverageRequest, headway: Headway) -> dict[str, CoverageCounts]:
    """Return the counts of the job's spec functions over all searches that make the inputs of its scope.

    Raises:
        MutascopeError: spec or implementation is unusable, or rep_ok raises.
    """
    headway.begins(f"executing finitization({job.scope}) of {job.spec_filename}")
    spec = load_spec(job.spec_source, job.spec_filename)
    spec.finitization(job.scope)  # errors in it are then reported with the user's file name
    headway.begins(f"loading {job.implementation.filename}")
    with loading(job.implementation):
        module = execute(job.implementation)
    headway.begins(f"loading {job.spec_filename}")
    meter = Meter(job.spec_source, Path(job.folder), job.lines)
    names = vars(execute(ModuleText(SPEC_MODULE, job.spec_source, job.spec_filename), meter.compiled()))
    measured = replace(spec, rep_ok=names.get(PREDICATE, spec.rep_ok), finitization_of=names["finitization"])
    task = Task(measured, module, measured.finitization(job.scope), seed=0)
    limit_recursion()
    try:
        production = Korat().produce(task)
        headway.begins(f"executing rep_ok of {job.spec_filename}", lambda: production.explored)
        return meter.measure(iter(production))
    except SpecError as error:
        raise SpecError(str(error).replace(meter.file, job.spec_filename)) from None
