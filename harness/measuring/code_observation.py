"""Runs a suite on the original under coverage.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from harness.kernel.judging.prepared import Inputs, run_whole
from harness.kernel.program.loader import execute
from harness.kernel.program.recursion import limit_recursion
from harness.kernel.running.loaded_suite import LoadedSuite
from harness.measuring.headway import Headway, observed_suite
from harness.measuring.job import CoverageRequest
from harness.measuring.meter import Meter
from harness.measuring.scout import Scout
from harness.model.coverage import CoverageCounts

TRACED = 4096
"""The number of inputs that are all traced. Of later inputs, only those that enter uncovered code are traced."""

MOST = 1 << 16
"""The number of inputs executed before the counts are taken again."""


def metered(job: CoverageRequest, headway: Headway) -> tuple[LoadedSuite, Meter]:
    """Return the job's suite with the original, and the meter of their coverage; nothing is measured yet.

    Code that is executed on import is not covered by the suite.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    meter = Meter(job.implementation.source, Path(job.folder), job.lines)
    loaded = observed_suite(job, headway, executed=lambda text: execute(text, meter.compiled()))
    return loaded, meter


def code_counts(job: CoverageRequest, headway: Headway) -> dict[str, CoverageCounts]:
    """Return the counts of the job's functions over its suite.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    loaded, meter = metered(job, headway)
    inputs = loaded.inputs
    limit_recursion()
    numbers = iter(range(len(loaded.suite)))
    block = TRACED
    counts = meter.measure(run_inputs(inputs, headway.each(islice(numbers, block))))
    while candidates := list(islice(numbers, block)):
        incomplete = frozenset[int]().union(*(job.lines[name] for name in counts if not counts[name].complete))
        if not incomplete:
            break
        scout = Scout(job.implementation, incomplete, loaded.inputs_on)
        entering = [number for number in headway.each(candidates) if scout.enters(number)]
        counts = meter.measure(run_inputs(inputs, headway.each(entering)))
        block = min(2 * block, MOST)
    return counts


def run_inputs(inputs: Inputs, numbers: Iterable[int]) -> Iterator[int]:
    """Run each of the inputs once, from its beginning, and yield its number after it."""
    for number in numbers:
        run_whole(inputs.prepare(number))
        yield number
