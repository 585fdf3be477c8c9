"""The process in which an API, or a declarative invariant, is compared with rep_ok.

`main` is called by `kernel.process.containment.launch` with JOB and the pipe ends ORDERS and FACTS. Tells what it
begins and how far it has come (`harness.kernel.process.telling`), at last `{"difference": {...}}`.
"""

from __future__ import annotations

from pathlib import Path

from harness.difference.comparing import Comparison
from harness.difference.invariants import InvariantComparison
from harness.difference.job import DifferenceJob
from harness.errors import SourceError
from harness.kernel.process.telling import Beats, Teller, telling
from harness.kernel.program.loader import execute
from harness.kernel.program.recursion import limit_recursion
from harness.kernel.specs.spec import load_spec


def prepared(job: DifferenceJob, teller: Teller) -> Comparison | InvariantComparison:
    """The comparison that a job asks for, with what it executes loaded.

    Raises:
        SpecError: the spec cannot be used.
        SourceError: the implementation does not load.
    """
    where = job.implementation.filename
    teller.begins(f"loading {where}")
    try:
        module = execute(job.implementation)
    except (Exception, SystemExit) as error:
        raise SourceError(f"{where}: {type(error).__name__} while it was loaded: {error}; correct the source") from None
    teller.begins(f"loading {job.spec_filename}")
    spec = load_spec(job.spec_source, job.spec_filename)
    if job.of_invariant:
        teller.begins(f"executing invariant and rep_ok of {job.spec_filename}")
        return InvariantComparison(spec, module, job)
    teller.begins(f"executing sequences({job.scope}) of {job.spec_filename}", is_brief=True)
    comparison = Comparison(spec, module, job)
    teller.begins(f"executing calls of {where}, and rep_ok of {job.spec_filename}")
    return comparison


def main(arguments: list[str]) -> int:
    """Exit status 0, or that of the error that was told."""
    job_path, _, facts_end = arguments

    def work(teller: Teller, beats: Beats) -> None:
        limit_recursion()
        comparison = prepared(DifferenceJob.read(Path(job_path)), teller)
        beats.reached = lambda: comparison.reached
        teller.tell({"difference": comparison.run()})

    return telling(facts_end, work)
