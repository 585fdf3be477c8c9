"""Finds builders in a process of its own, which tells what `harness.generators.child` tells, and the builders at last.

`main` is called by `kernel.process.containment.launch` with JOB and the pipe ends ORDERS and FACTS.
"""

from __future__ import annotations

from pathlib import Path

from harness.errors import EndlessSpecError
from harness.generators.child import implementation, reported, spec_of
from harness.generators.job import GenerationJob
from harness.generators.sequences.builders import find_builders
from harness.generators.sequences.exploration import Exploration
from harness.generators.sequences.found_builders import FoundBuilders
from harness.generators.sequences.protocol import SequenceTask
from harness.generators.watchdog import EndlessCandidate, Watchdog, endless_call
from harness.kernel.process.telling import Teller


def run_job(job: GenerationJob, teller: Teller) -> FoundBuilders:
    """Carries out a job in this process.

    Raises:
        MutascopeError: what the spec says cannot be done, or a call fails or does not return.
    """
    module = implementation(job, teller)
    spec = spec_of(job, teller)
    done = 0
    at: Exploration | None = None

    def begins(exploration: Exploration) -> None:
        nonlocal at, done
        done += 0 if at is None else at.explored
        at = exploration

    def beat() -> object:
        explored = done + (0 if at is None else at.explored)
        teller.tell({"progress": {"explored": explored, "states": 0, "inputs": 0}})
        return explored

    def notice(text: str) -> None:
        teller.tell({"notice": text})

    teller.begins(f"executing sequences({job.scope}) of {job.spec_path}", is_brief=True)
    bounds = spec.sequences(job.scope, job.source)
    teller.begins(f"executing calls of {job.source_path}")
    try:
        with Watchdog(beat, job.candidate_seconds, job.source_path, job.spec_path):
            task = SequenceTask(spec, module, bounds, job.scope, job.seed, notice=notice)
            return find_builders(job.subject, task, begins)
    except EndlessCandidate as ended:
        current = "a call" if at is None else at.current
        raise EndlessSpecError(endless_call(ended, job.spec_path, job.source_path, current)) from None


def main(arguments: list[str]) -> int:
    """Exit status: 0 when builders are found, 1 when a class of harness.errors says why not.

    Args:
        arguments: the job's file first, the number of the pipe for facts last.
    """
    job = GenerationJob.from_json(Path(arguments[0]).read_text(encoding="utf-8"))
    teller = Teller(int(arguments[-1]))
    return reported(job, teller, lambda: run_job(job, teller).to_data())
