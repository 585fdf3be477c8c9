"""Runs a suite on the original, and reports which condition outcomes each input reaches."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

from harness.errors import UsageError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.inputs_of_suite import inputs_of_suite
from harness.kernel.program.recursion import limit_recursion
from harness.kernel.specs.spec import load_spec
from harness.measuring.condition_outcomes import ROWS_FILE, telling_outcomes
from harness.measuring.headway import Headway, load_implementation
from harness.measuring.job import CoverageRequest, InputsRun
from harness.measuring.outcomes import Outcomes


def condition_outcomes(job: CoverageRequest, process: Headway) -> InputsRun:
    """Write the outcomes that each input reaches to the job's folder, and return how many inputs were run.

    Args:
        job: its `lines` are the first and last line of each function.

    Raises:
        MutascopeError: spec, implementation or suite is unusable, or the suite has no inputs.
    """
    suite = SuiteReader(Path(job.suite))
    if not len(suite):
        raise UsageError(f"{job.suite}: a suite of zero inputs reaches nothing; generate one at a larger scope")
    bounds = "sequences" if suite.holds_sequences else "finitization"
    process.begins(f"executing {bounds}({job.scope}) of {job.spec_filename}")
    spec = load_spec(job.spec_source, job.spec_filename)
    text = job.implementation
    spans = {name: (min(span), max(span)) for name, span in job.lines.items()}
    program = telling_outcomes(text.source, text.filename, spans)
    inputs_on = inputs_of_suite(spec, text.source, suite, job.sequences, partial(load_implementation, text))
    process.begins(f"loading {text.filename}")
    outcomes = Outcomes()
    inputs = inputs_on(load_implementation(text, lambda: program.code, outcomes.presets()))
    limit_recursion()
    process.begins(f"executing {text.filename} on its suite")
    with (Path(job.folder) / ROWS_FILE).open("wb") as rows:
        for number in process.each(range(len(suite))):
            prepared = inputs.prepare(number)
            outcomes.begin()
            prepared.lead_up()
            with suppress(BaseException):  # an exception is an outcome, too
                prepared.invoke()
            rows.write(outcomes.seen.to_bytes(program.width, "little"))
    return InputsRun(len(suite))
