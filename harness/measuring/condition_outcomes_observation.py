"""Runs a suite on the original, and reports which condition outcomes each input reaches."""

from __future__ import annotations

from pathlib import Path

from harness.kernel.judging.prepared import run_whole
from harness.kernel.process.talk import Headway
from harness.kernel.program.loader import execute
from harness.kernel.running.loaded_suite import observed_suite
from harness.measuring.condition_outcomes import ROWS_FILE, telling_outcomes
from harness.measuring.job import ConditionOutcomesRequest, InputsRun
from harness.measuring.outcomes import ConditionOutcomes


def condition_outcomes(job: ConditionOutcomesRequest, headway: Headway) -> InputsRun:
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
    with (Path(job.folder) / ROWS_FILE).open("wb") as rows:
        for number in headway.each(range(len(loaded.suite))):
            prepared = loaded.inputs.prepare(number)
            outcomes.begin()
            run_whole(prepared)
            rows.write(outcomes.seen.to_bytes(program.width, "little"))
    return InputsRun(len(loaded.suite))
