"""Runs a suite on the original under coverage.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from harness.errors import UsageError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.inputs_of_suite import inputs_of_suite
from harness.kernel.judging.prepared import Inputs
from harness.kernel.program.recursion import limit_recursion
from harness.kernel.specs.spec import load_spec
from harness.measuring.headway import Headway, load_implementation
from harness.measuring.job import CoverageRequest
from harness.measuring.meter import Meter
from harness.measuring.scout import Scout
from harness.model.coverage import CoverageCounts

TRACED = 4096
"""The number of inputs that are all traced. Of later inputs, only those that enter uncovered code are traced."""

MOST = 1 << 16
"""The number of inputs executed before the counts are taken again."""


class Measured(NamedTuple):
    """The original under measurement: its suite, a function that prepares it on any module, and the inputs."""

    meter: Meter
    suite: SuiteReader
    inputs_on: Callable[[ModuleType], Inputs]
    inputs: Inputs


def loaded(job: CoverageRequest, headway: Headway) -> Measured:
    """Return the job's program and suite; nothing is measured yet.

    Raises:
        MutascopeError: spec, implementation or suite is unusable; the suite has no inputs.
    """
    suite = SuiteReader(Path(job.suite))
    bounds = "sequences" if suite.holds_sequences else "finitization"
    headway.begins(f"executing {bounds}({job.scope}) of {job.spec_filename}")
    spec = load_spec(job.spec_source, job.spec_filename)
    inputs_on = inputs_of_suite(
        spec,
        job.implementation.source,
        suite,
        job.sequences,
        partial(load_implementation, job.implementation),
    )
    if not len(suite):
        raise UsageError(f"{job.suite}: a suite of zero inputs covers nothing; generate one at a larger scope")
    meter = Meter(job.implementation.source, Path(job.folder), job.lines)

    # The module is loaded before the measurement starts, because code executed on import is not covered by the suite.
    headway.begins(f"loading {job.implementation.filename}")
    inputs = inputs_on(load_implementation(job.implementation, meter.compiled))
    limit_recursion()
    headway.begins(f"executing {job.implementation.filename} on its suite")
    return Measured(meter, suite, inputs_on, inputs)


def code_counts(job: CoverageRequest, headway: Headway) -> dict[str, CoverageCounts]:
    """Return the counts of the job's functions over its suite.

    Raises:
        MutascopeError: as `loaded`.
    """
    meter, suite, inputs_on, inputs = loaded(job, headway)
    numbers = iter(range(len(suite)))
    block = TRACED
    counts = meter.measure(run_inputs(inputs, headway.each(islice(numbers, block))))
    while candidates := list(islice(numbers, block)):
        incomplete = frozenset[int]().union(*(job.lines[name] for name in counts if not counts[name].complete))
        if not incomplete:
            break
        scout = Scout(job.implementation, incomplete, inputs_on)
        entering = [number for number in headway.each(candidates) if scout.enters(number)]
        counts = meter.measure(run_inputs(inputs, headway.each(entering)))
        block = min(2 * block, MOST)
    return counts


def run_inputs(inputs: Inputs, numbers: Iterable[int]) -> Iterator[int]:
    """Run each of the inputs once, from its beginning, and yield its number after it."""
    raised_is_an_outcome = suppress(BaseException)
    for number in numbers:
        prepared = inputs.prepare(number)
        prepared.lead_up()
        with raised_is_an_outcome:
            prepared.invoke()
        yield number
