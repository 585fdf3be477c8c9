"""Runs a suite on the original under coverage.py, and reports which branches each input executes."""

from __future__ import annotations

from pathlib import Path

from harness.kernel.process.headway import Headway
from harness.measuring.branches import ROWS_FILE
from harness.measuring.code_observation import metered, run_inputs
from harness.measuring.job import BranchesRequest, BranchRows


def branch_rows(job: BranchesRequest, headway: Headway) -> BranchRows:
    """Write the branches that each input executes to the job's folder, and return how many branches there are.

    Raises:
        MutascopeError: as `observed_suite`.
    """
    loaded, meter = metered(job, headway)
    branches = meter.branches()
    width = (len(branches) + 7) // 8
    steps = run_inputs(loaded.inputs, headway.each(range(len(loaded.suite))))
    with (Path(job.folder) / ROWS_FILE).open("wb") as rows:
        for executed in meter.executed(branches, steps):
            rows.write(executed.to_bytes(width, "little"))
    return BranchRows(len(branches))
