"""The branches that each input of a suite executes, from which the coverage of any sub-suite follows."""

from __future__ import annotations

from collections.abc import Mapping

from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.job import ROWS_FILE, BranchesRequest, BranchRows
from harness.measuring.lines import own_lines
from harness.measuring.measurement import Measurement, measured
from harness.model.subject import Subject


def measured_branches(
    subject: Subject,
    suite: SuiteReader,
    functions: Mapping[str, tuple[int, int]],
) -> tuple[int, bytes]:
    """Run each input of a suite once on the original under coverage.py, in a sandboxed process.

    Returns:
        The number of branches of the functions, and for each input in suite order the bits of those that it executes,
        low ones first, in as few bytes as hold all.

    Raises:
        MutascopeError: the suite is empty or unreadable, or spec or implementation do not load.
        BaselineError: the process died during the execution.
    """
    lines = own_lines(subject.source, functions)
    measurement = Measurement(subject, suite.header.scope, lines, suite.folder)
    with measured(BranchesRequest, BranchRows, "the branches of its inputs", measurement) as (run, folder):
        return run.branches, (folder / ROWS_FILE).read_bytes()
