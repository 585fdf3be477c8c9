"""Modules that take long to import are imported only by modules that use them (decision 068)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness import api
from harness.store import RunStore

HEAVY = {"coverage", "libcst", "matplotlib", "numpy", "pandas", "pysat", "pytest", "tabulate", "tqdm", "z3"}
ENGINES = {
    "harness.generators.states.engine",
    "harness.generators.sat.production",
    "harness.generators.sequences.exploration",
}
JUDGING = {"harness.kernel.judging.prepared", "harness.kernel.running.loaded_job"}


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
            "import harness.api, harness.runner.run, harness.runner.pytest_runs.run",
            HEAVY | ENGINES | {"asyncio", "harness.runner.dask_run"},
        ),
        *(
            (f"from harness.generators.registry import find_generator as f; f({name!r}).version", HEAVY | ENGINES)
            for name in ("korat", "beapi", "rostra", "symstra", "css")
        ),
        ("import harness.kernel.naive.process", HEAVY),
        (
            "import harness.kernel.running.zygote",
            HEAVY | {"difflib", "importlib.resources", "random", "shutil", "tempfile"},  # each fork copies its tables
        ),
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


_REPEATED = """
import sys

started = []
sys.addaudithook(lambda event, details: event in ("os.fork", "subprocess.Popen") and started.append(event))
from harness.command_line.main import main
assert main(sys.argv[1:]) == 0
print(len(started), *sys.modules, file=sys.stderr)
"""


@pytest.mark.slow
def test_a_run_of_pytest_with_nothing_to_do_imports_little_starts_no_process_and_is_no_session(tmp_path: Path) -> None:
    (tmp_path / "steps.py").write_text("def clamp(value):\n    return max(value, 0)\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_steps.py").write_text(
        "from steps import clamp\n\ndef test_clamp():\n    assert clamp(-2) == 0\n"
    )

    def run() -> tuple[int, set[str]]:
        arguments = ["run", "--target", "steps", "--tests", "tests", "--runs", "1", "--jobs", "1", "--out", "out"]
        process = subprocess.run(
            [sys.executable, "-c", _REPEATED, *arguments],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        count, *names = process.stderr.splitlines()[-1].split()
        return int(count), set(names)

    processes, _ = run()
    assert processes > 0
    processes, names = run()
    assert processes == 0
    assert names & (HEAVY | ENGINES | {"asyncio", "multiprocessing_logging"}) == {"tabulate"}
    with RunStore.open_existing(tmp_path / "out") as store:
        assert len(store.sessions.all()) == 1, "the second invocation has added nothing"
