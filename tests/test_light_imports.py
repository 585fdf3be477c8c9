"""Modules that take long to import are imported only by modules that use them (decision 068)."""

from __future__ import annotations

import subprocess
import sys

import pytest

from harness import api

HEAVY = {"coverage", "libcst", "matplotlib", "numpy", "pandas", "pysat", "pytest", "tabulate", "tqdm", "z3"}
ENGINES = {
    "harness.generators.states.engine",
    "harness.generators.sat.production",
    "harness.generators.sequences.exploration",
}
JUDGING = {"harness.kernel.judging.prepared", "harness.kernel.running.kinds"}


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    ("statement", "left_out"),
    [
        ("from harness.command_line.parser import build_parser; build_parser()", HEAVY | ENGINES | {"harness.api"}),
        ("from harness import api; api.available_names()", HEAVY | ENGINES | JUDGING),
        (
            "from harness import api; dir(api)",
            {"harness.external_generators.suite_generation", "harness.runner.builders"},
        ),
        ("import harness.runner.run, harness.analysis.run_summary", HEAVY | ENGINES),
        (
            "import harness.api, harness.runner.run, harness.runner.workforce, harness.runner.pytest_runs.run",
            HEAVY | ENGINES | {"asyncio", "harness.runner.executors.dask_executor"},
        ),
        ("from harness.generators.registry import find_generator as f; f('korat').version", HEAVY | ENGINES),
        ("import harness.kernel.running.zygote, harness.kernel.naive.nursery, harness.kernel.running.process", HEAVY),
    ],
)
def test_what_takes_long_is_imported_where_it_is_used(statement: str, left_out: set[str]) -> None:
    process = subprocess.run(
        [sys.executable, "-c", f"import sys; {statement}; print(*sys.modules)"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert left_out.intersection(process.stdout.split()) == set()


def test_a_function_that_is_imported_late_is_listed_with_the_others() -> None:
    assert {"generate", "generate_tests"} <= set(dir(api))
