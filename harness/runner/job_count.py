"""Limits the number of processes that a command starts at once."""

from __future__ import annotations

import os

from harness.errors import UsageError

_LEAST_LIMIT, _PER_CORE = 64, 4
"""This many jobs are allowed on any machine, and this many for each core."""


def job_count(jobs: int | None) -> int:
    """Return the requested number of jobs, or the number of cores if none is requested.

    Raises:
        UsageError: it is below 1, or so large that the machine would only start processes.
    """
    cores = os.cpu_count() or 1
    limit = max(_LEAST_LIMIT, _PER_CORE * cores)
    if jobs is None:
        return cores
    if not 1 <= jobs <= limit:
        raise UsageError(f"--jobs {jobs}: give a whole number from 1 to {limit}; this machine has {cores} cores")
    return jobs
