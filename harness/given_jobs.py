"""The number of processes that a command may start at once."""

from __future__ import annotations

import os

from harness.errors import UsageError

_FEWEST_ALLOWED, _EACH = 64, 4
"""So many jobs are allowed on any machine, and so many for each core."""


def checked_jobs(jobs: int | None) -> int:
    """Return the number of jobs that is asked for; that of the cores if none is.

    Raises:
        UsageError: it is below 1, or so large that the machine would only start processes.
    """
    cores = os.cpu_count() or 1
    most = max(_FEWEST_ALLOWED, _EACH * cores)
    if jobs is None:
        return cores
    if not 1 <= jobs <= most:
        raise UsageError(f"--jobs {jobs}: give a whole number from 1 to {most}; this machine has {cores} cores")
    return jobs
