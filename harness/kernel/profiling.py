"""The sandboxed child that observes types.

`main` is called by `harness.kernel.containment.launch` with JOB and the pipe ends ORDERS and FACTS.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

from harness.errors import MutascopeError, SourceError
from harness.kernel.job import RunJob
from harness.kernel.loader import execute
from harness.kernel.program import Program
from harness.kernel.sandboxed import end_with_parent
from harness.kernel.space import StateSpace
from harness.kernel.specs import load_spec
from harness.kernel.suites import SuiteReader
from harness.kernel.telling import Beats, Teller
from harness.kernel.type_profile import ProfileJson, profile

MOST_INPUTS = 5_000
"""Inputs observed at the most; of a larger suite a pseudo-random sample, the same one always."""


def observe_types(job: RunJob, teller: Teller, beats: Beats) -> ProfileJson:
    """The type profile of the job's original on the inputs of its suite, or a sample of them."""
    teller.begins(f"executing finitization({job.scope}) of {job.spec_filename}")
    spec = load_spec(job.spec_source, job.spec_filename)
    suite = SuiteReader(Path(job.suite))
    teller.begins(f"loading {job.implementation.filename}")
    try:
        module = execute(job.implementation)
    except Exception as error:
        raise SourceError(f"{job.implementation.filename} raised {type(error).__name__} on loading: {error}") from None
    program = Program(module, spec, StateSpace(spec.finitization(job.scope)), suite)
    reached = 0

    def executions() -> Iterator[Callable[[], object]]:
        nonlocal reached
        for number in sorted(random.Random(0).sample(range(len(suite)), min(MOST_INPUTS, len(suite)))):
            reached = number
            yield program.prepare(number).invoke

    teller.begins(f"executing {job.implementation.filename} on its suite")
    beats.reached = lambda: reached
    return profile(executions(), module)


def main(arguments: list[str]) -> int:
    """Writes one fact: the profile, or the error of the user's making."""
    end_with_parent(signal.SIGKILL)
    job_path, _, facts_end = arguments
    teller = Teller(int(facts_end))
    try:
        with Beats(teller) as beats:
            fact: dict[str, object] = {"profile": observe_types(RunJob.read(Path(job_path)), teller, beats)}
    except MutascopeError as error:
        fact = {"error": {"kind": type(error).__name__, "message": str(error)}}
    teller.tell(fact)
    return 0
