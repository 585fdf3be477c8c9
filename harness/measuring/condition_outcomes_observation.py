"""Runs a suite on the original, and reports which condition outcomes each input reaches."""

from __future__ import annotations

from pathlib import Path

from harness.kernel.judging.prepared import run_whole
from harness.kernel.program.loader import execute
from harness.kernel.program.recursion import limit_recursion
from harness.measuring.condition_outcomes import ROWS_FILE, telling_outcomes
from harness.measuring.headway import Headway, observed_suite
from harness.measuring.job import CoverageRequest, InputsRun
from harness.measuring.outcomes import ConditionOutcomes


def condition_outcomes(job: CoverageRequest, headway: Headway) -> InputsRun:
    """Write the outcomes that each input reaches to the job's folder, and return how many inputs were run.

    Args:
        job: its `lines` are the first and last line of each function.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    text, outcomes = job.implementation, ConditionOutcomes()
    spans = {name: (min(span), max(span)) for name, span in job.lines.items()}
    program = telling_outcomes(text.source, text.filename, spans)
    loaded = observed_suite(job, headway, executed=lambda text: execute(text, program.code, outcomes.presets()))
    limit_recursion()
    with (Path(job.folder) / ROWS_FILE).open("wb") as rows:
        for number in headway.each(range(len(loaded.suite))):
            prepared = loaded.inputs.prepare(number)
            outcomes.begin()
            run_whole(prepared)
            rows.write(outcomes.seen.to_bytes(program.width, "little"))
    return InputsRun(len(loaded.suite))
