"""Runs a suite on the original under coverage.py, for counts by function or for the branches of each input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from harness.kernel.judging.prepared import Inputs, run_whole
from harness.kernel.process.talk import Headway
from harness.kernel.program.loader import execute
from harness.kernel.running.loaded_suite import LoadedSuite, observed_suite
from harness.measuring.branches import ROWS_FILE
from harness.measuring.job import (
    BranchesRequest,
    BranchRows,
    CodeRequest,
    CoverageRequest,
    FunctionCounts,
    FunctionsRequest,
    NamedCounts,
    SpecificationRequest,
)
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


def function_counts(request: FunctionsRequest, headway: Headway) -> FunctionCounts:
    """Run a suite on the original, and generate with Korat, under coverage.py.

    Raises:
        MutascopeError: as `code_counts` and `specification_counts`.
    """
    return FunctionCounts(tuple(NamedCounts(_counts(part, headway)) for part in request.parts))


def _counts(part: CodeRequest | SpecificationRequest, headway: Headway) -> dict[str, CoverageCounts]:
    if isinstance(part, CodeRequest):
        return code_counts(part, headway)
    from harness.measuring.specification_observation import specification_counts  # needs the search

    return specification_counts(part, headway)


def code_counts(job: CoverageRequest, headway: Headway) -> dict[str, CoverageCounts]:
    """Return the counts of the job's functions over its suite.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    loaded, meter = metered(job, headway)
    inputs = loaded.inputs
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


def branch_rows(job: BranchesRequest, headway: Headway) -> BranchRows:
    """Write the branches that each input executes to the job's folder, and return how many branches there are.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    loaded, meter = metered(job, headway)
    branches = meter.branches()
    width = (len(branches) + 7) // 8
    steps = run_inputs(loaded.inputs, headway.each(range(len(loaded.suite))))
    with (Path(job.folder) / ROWS_FILE).open("wb") as rows:
        for executed in meter.executed(branches, steps):
            rows.write(executed.to_bytes(width, "little"))
    return BranchRows(len(branches))


def run_inputs(inputs: Inputs, numbers: Iterable[int]) -> Iterator[int]:
    """Run each of the inputs once, from its beginning, and yield its number after it."""
    for number in numbers:
        run_whole(inputs.prepare(number))
        yield number
