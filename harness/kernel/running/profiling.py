"""The sandboxed child that observes types.

`main` is called by `kernel.process.containment.launch` with JOB and the pipe ends ORDERS and FACTS.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from harness.errors import MutascopeError, SourceError
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.judging.inputs_of_suite import inputs_of_suite
from harness.kernel.judging.prepared import Prepared
from harness.kernel.process.confinement import end_with_parent
from harness.kernel.process.telling import Beats, Teller
from harness.kernel.program.loader import execute
from harness.kernel.running.job import RunJob
from harness.kernel.running.type_profile import profile
from harness.kernel.specs.spec import load_spec, told

MOST_INPUTS = 5_000
"""Inputs observed at the most; of a larger suite a pseudo-random sample, the same one always."""
_TOLD_EVERY = 100
_LONGEST = 120


def observe_types(job: RunJob, teller: Teller, beats: Beats) -> dict[str, Any]:
    """What is told of the job's original on the inputs of its suite, or a sample of them: `profile`, the types seen,
    and `refused`, by target whose every input raised TypeError, what the first one said."""
    teller.begins(f"executing the bounds at scope {job.scope} of {job.spec_filename}")
    spec = load_spec(job.spec_source, job.spec_filename)
    suite = SuiteReader(Path(job.suite))
    teller.begins(f"loading {job.implementation.filename}")
    try:
        module = execute(job.implementation)
    except Exception as error:
        raise SourceError(f"{job.implementation.filename} raised {type(error).__name__} on loading: {error}") from None
    inputs = inputs_of_suite(spec, suite)(module)
    taken = 0
    chosen = random.Random(0).sample(range(len(suite)), min(MOST_INPUTS, len(suite)))
    refused: dict[str, str] = {}
    accepted: set[str] = set()

    def executions() -> Iterator[Callable[[], object]]:
        nonlocal taken
        for number in chosen:
            prepared = inputs.prepare(number)
            target = suite.header.targets[suite.calls[suite.input(number)[1]].target]
            yield partial(_invoke, prepared, target, accepted, refused)
            taken += 1
            if taken % _TOLD_EVERY == 0:
                teller.tell({"progress": f"{taken:,} of {len(chosen):,} inputs"})

    teller.begins(f"executing {job.implementation.filename} on its suite")
    beats.reached = lambda: taken
    found = profile(executions(), module)
    return {"profile": found, "refused": {name: said for name, said in refused.items() if name not in accepted}}


def _invoke(prepared: Prepared, target: str, accepted: set[str], refused: dict[str, str]) -> None:
    prepared.lead_up()
    try:
        prepared.invoke()
    except TypeError as error:
        refused.setdefault(target, told(error)[:_LONGEST])
        raise
    except BaseException:
        accepted.add(target)
        raise
    accepted.add(target)


def main(arguments: list[str]) -> int:
    """Writes one fact: the profile, or the error of the user's making."""
    end_with_parent(signal.SIGKILL)
    job_path, _, facts_end = arguments
    teller = Teller(int(facts_end))
    try:
        with Beats(teller) as beats:
            fact = observe_types(RunJob.read(Path(job_path)), teller, beats)
    except MutascopeError as error:
        fact = {"error": {"kind": type(error).__name__, "message": str(error)}}
    teller.tell(fact)
    return 0
