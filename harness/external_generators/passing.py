"""Finds the tests of a new suite that the original passes, in three runs: in order, backwards and shuffled."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from harness.errors import InstrumentError, UsageError
from harness.kernel.process.trees import remove_tree
from harness.model.pytest_suite import PYTEST, Flaky
from harness.mutation.probes import probed
from harness.pytest_suites.job import PROBED
from harness.pytest_suites.reports import OriginalReport
from harness.runner.pytest_runs.original import OriginalTests, orders_of, original_of, report_without_ends
from harness.runner.pytest_runs.project import Project, suite_job
from harness.runner.pytest_runs.warmed import ForkServer
from harness.sandbox.process import WorkerDied

_RUNS = 3


def passing_tests(project: Project, pristine: Path, tests: str, seed: int) -> OriginalTests:
    """Run the tests of a folder on the original, and return those that pass each time, with the others' reasons.

    Args:
        pristine: a copy of the project with that folder; files may be written next to it.
        tests: the folder, relative to the project's.

    Raises:
        UsageError: the folder cannot be collected, or no test passes.
    """
    if find_spec(PYTEST) is None:
        raise UsageError("pytest is not installed beside mutascope; install mutascope[pytest]")
    subject, job, work = project.subject, pristine.with_name("job.json"), pristine.with_name("checked")
    suite_job(replace(project, folder=".", arguments=(tests,)), pristine).write(job)
    job.with_name(PROBED).write_text(json.dumps(probed(subject.source, [], ()).text), encoding="utf-8")
    endings: dict[str, str] = {}
    readable = pristine if project.is_own else subject.source_path.parent
    try:
        with ForkServer(job, work, readable) as process:
            runs = [
                report_without_ends(process.ask, order, OriginalReport, endings, Flaky.EXCLUDE, tests)
                for order in orders_of(_RUNS, seed)
            ]
    except WorkerDied as death:
        raise InstrumentError(
            f"{subject.module}: the process that runs the new tests {death.how}; run it again"
        ) from None
    finally:
        remove_tree(work)
    return original_of(runs, (), 0, Flaky.EXCLUDE, tests, endings)


def without(text: str, names: Iterable[str]) -> str:
    """Return a file without the functions of these names, and otherwise unchanged."""
    left_out = set(names)
    lines = text.splitlines(keepends=True)
    for node in reversed(ast.parse(text).body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in left_out:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            del lines[first - 1 : node.end_lineno]
    return "".join(lines)
