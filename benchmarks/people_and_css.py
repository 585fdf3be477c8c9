"""Compares tests by people with those written from css: `python -m benchmarks.people_and_css [MODULE...]`.

The modules are fractions (CPython's own tests) and bintrees.rbtree (those of the package bintrees). It writes the tests
of css, runs both suites against the same mutants, and measures lines and branches with coverage.py. It stores the
results in results/frozen, which Figure 6.1 of jtestcraft2010 shows. OUT is the folder in which it works; finished runs
there are not repeated. bintrees' tests come with its sources: `pip download --no-deps --no-binary :all:
--no-build-isolation bintrees==2.2.0`, where wheel is installed, unpacked to build/.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.real_sources import check
from harness import api
from harness.analysis.frames import COVERAGE, RunFrames, run_frames
from harness.analysis.frozen import write_frozen
from harness.errors import SourceError
from harness.papers.jtestcraft2010.tables import FRACTIONS, RB_TREE, Package
from harness.store.facts import CoverageKind

OPERATORS = "mujava"
OUT = Path("results/people_and_css")
FROZEN = Path(__file__).parent.parent / "results" / "frozen"


@dataclass(frozen=True)
class Tests:
    """The tests of people: the file below a folder of sources, its checksum where it is pinned, and what runs of it."""

    file: str
    sha256: str
    selected: str


PEOPLE = {
    FRACTIONS: Tests("test/test_fractions.py", "", "test_fractions.py"),
    RB_TREE: Tests(
        "tests/test_all_trees.py",
        "c0da9c04681fc12fe834c4c46a3e8111525f4cd8cbacabeddf97b9ecba81ffe1",
        "test_all_trees.py::TestRBTree",
    ),
}
WRITTEN = "test_css.py"


def prepare(package: Package, sources: Path, folder: Path) -> Mapping[str, str]:
    """Put the tests of both suites into a folder; return the arguments of pytest by suite.

    Raises:
        SourceError: people's tests are not in the sources, or are others.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tests = PEOPLE[package]
    if tests.sha256:
        check(sources / tests.file, tests.sha256)
    shutil.copy(sources / tests.file, folder)
    written = folder / WRITTEN
    if not written.exists():
        api.write_tests(package.subject, "css", package.scope, path=written, select="all", module=package.module)
    return {"people": tests.selected, "css": WRITTEN}


def covered(module: str, folder: Path, suite: str, tests: str) -> dict[str, Any]:
    """Return the coverage by these tests, by function of the module, as coverage.py reports it."""
    report = folder / f"{suite}.json"
    if not report.exists():
        environment = {**os.environ, "COVERAGE_FILE": str(folder / f".{suite}.coverage"), "COVERAGE_CORE": "ctrace"}
        tool = [sys.executable, "-m", "coverage"]
        module_spec = find_spec(module)
        assert module_spec is not None
        assert module_spec.origin is not None
        runs = [*tool, "run", "--branch", f"--include={module_spec.origin}"]
        runs += ["-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
        subprocess.run(runs, cwd=folder, env=environment, check=True)
        subprocess.run([*tool, "json", "-q", "-o", report.name], cwd=folder, env=environment, check=True)
    (file_facts,) = json.loads(report.read_text(encoding="utf-8"))["files"].values()
    functions: dict[str, Any] = file_facts["functions"]
    return {name or "the module": facts["summary"] for name, facts in functions.items()}


def rows_of(by_function: Mapping[str, Any], trial: str) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a suite's trial in a coverage frame, one for each function."""
    for name, facts in by_function.items():
        lines = facts["num_statements"], facts["covered_lines"]
        branches = facts["num_branches"], facts["covered_branches"]
        yield trial, CoverageKind.CODE.value, name, *lines, *branches


def frames_of(runs: Mapping[str, RunFrames], covering: Mapping[str, Mapping[str, Any]]) -> RunFrames:
    """Join the runs by suite, with the suite's name as the title of its trial, and with its coverage."""
    parts = []
    for suite, frames in runs.items():
        (trial,) = frames.trials["trial"]
        coverage_rows = pd.DataFrame(list(rows_of(covering[suite], trial)), columns=list(COVERAGE))
        parts.append(replace(frames, trials=frames.trials.assign(title=suite), coverage=coverage_rows))
    one, two = parts
    trials, results, coverage, timings = (
        pd.concat([getattr(one, name), getattr(two, name)], ignore_index=True)
        for name in ("trials", "results", "coverage", "timings")
    )
    return run_frames(trials, results, coverage, timings, (*one.sessions, *two.sessions))


def measure(package: Package, sources: Path, folder: Path) -> None:
    """Run both suites, measure their coverage, and store the results.

    Raises:
        SourceError: as `prepare`.
    """
    runs, coverage = {}, {}
    for suite, tests in prepare(package, sources, folder).items():
        # Each run has its own folder, since a run shows only the last trial of a module.
        own = api.pytest_experiment(package.module, [tests], folder=folder, operators=OPERATORS, original_runs=1)
        runs[suite] = api.load(api.run(own, folder / suite, 1)).frames
        coverage[suite] = covered(package.module, folder, suite, tests)
    write_frozen(frames_of(runs, coverage), FROZEN / package.frozen)


def main() -> int:
    """Measure the named modules, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", choices=[[], *(package.module for package in PEOPLE)], metavar="MODULE")
    parser.add_argument("--out", type=Path, default=OUT, help=f"where it works (default: {OUT})")
    parser.add_argument(
        "--bintrees", type=Path, default=Path("build/bintrees-2.2.0"), metavar="DIR",
        help="the sources of bintrees 2.2.0, unpacked (default: build/bintrees-2.2.0)",
    )  # fmt: skip
    options = parser.parse_args()
    sources = {FRACTIONS: Path(sysconfig.get_path("stdlib")), RB_TREE: options.bintrees}
    try:
        for package in PEOPLE:
            if not options.modules or package.module in options.modules:
                measure(package, sources[package], options.out / package.module)
    except SourceError as error:
        print(f"people_and_css: {error}", file=sys.stderr)
        return error.exit_status
    return 0


if __name__ == "__main__":
    sys.exit(main())
