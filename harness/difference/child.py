"""The process in which an API is compared with an invariant.

`main` is called by `kernel.process.containment.launch` with JOB and the pipe ends ORDERS and FACTS. Tells what it
begins and how far it has come (`harness.kernel.process.telling`), at last `{"difference": {...}}`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from harness.difference.comparing import Comparison, Explores
from harness.difference.job import DifferenceJob
from harness.errors import MutascopeError, SourceError
from harness.kernel.process.telling import Beats, Teller
from harness.kernel.program.loader import execute
from harness.kernel.program.recursion import limit_recursion
from harness.kernel.specs.spec import load_spec


class Comparing:
    """Carries out a job."""

    def __init__(self, job: DifferenceJob, teller: Teller) -> None:
        self._job = job
        self._teller = teller
        self._before = 0
        self._at: Explores | None = None

    def run(self) -> dict[str, Any]:
        """Fields of a Difference, but for the subject.

        Raises:
            MutascopeError: as `Comparison.run`, or SourceError where the implementation does not load.
        """
        job = self._job
        where = job.implementation.filename
        self._teller.begins(f"loading {where}")
        try:
            module = execute(job.implementation)
        except (Exception, SystemExit) as error:
            raise SourceError(
                f"{where}: {type(error).__name__} while it was loaded: {error}; correct the source"
            ) from None
        self._teller.begins(f"loading {job.spec_filename}")
        spec = load_spec(job.spec_source, job.spec_filename)
        self._teller.begins(f"executing calls of {where}, and rep_ok of {job.spec_filename}")
        return Comparison(spec, module, job, self._works).run()

    def reached(self) -> int:
        """How far it has come: sequences and candidates of all searches."""
        return self._before + (0 if self._at is None else self._at.explored)

    def _works(self, search: Explores) -> None:
        self._before, self._at = self.reached(), search


def main(arguments: list[str]) -> int:
    """Exit status 0, or that of the error that was told."""
    job_path, _, facts_end = arguments
    os.set_inheritable(int(facts_end), False)
    teller = Teller(int(facts_end))
    try:
        limit_recursion()
        with Beats(teller) as beats:
            comparing = Comparing(DifferenceJob.read(Path(job_path)), teller)
            beats.reached = comparing.reached
            found = comparing.run()
        teller.tell({"difference": found})
    except MutascopeError as error:
        teller.tell({"error": {"kind": type(error).__name__, "message": str(error)}})
        return error.exit_status
    return 0
