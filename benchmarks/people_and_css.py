"""CPython's own tests of fractions beside those that are written from css: `python -m benchmarks.people_and_css`.

It writes the tests of css, runs both suites against the same mutants, measures lines and branches with coverage.py,
and keeps what it found in results/frozen/people_and_css, which Figure 6.1 of jtestcraft2010 shows. OUT is the folder in
which it works; what was run there is not run again.
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
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from harness import api
from harness.analysis.frames import COVERAGE, RunFrames, run_frames
from harness.analysis.frozen import write_frozen
from harness.store.facts import CoverageKind

MODULE, SUBJECT, SCOPE, OPERATORS = "fractions", "real/fraction", 2, "mujava"
SUITES = {"people": "test_fractions.py", "css": "test_css.py"}
OUT = Path("results/people_and_css")
FROZEN = Path(__file__).parent.parent / "results" / "frozen" / "people_and_css"


def prepare(folder: Path) -> None:
    """The tests of both suites, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    library = Path(sysconfig.get_path("stdlib"))
    shutil.copy(library / "test" / SUITES["people"], folder)
    written = folder / SUITES["css"]
    if not written.exists():
        api.write_tests(SUBJECT, "css", SCOPE, path=written, select="all", module=MODULE)


def covered(folder: Path, tests: str) -> dict[str, Any]:
    """By function of the module, what coverage.py tells of it when these tests run."""
    report = folder / f"{tests}.json"
    if not report.exists():
        environment = {**os.environ, "COVERAGE_FILE": str(folder / f".{tests}.coverage"), "COVERAGE_CORE": "ctrace"}
        tool = [sys.executable, "-m", "coverage"]
        only = f"--include={sysconfig.get_path('stdlib')}/{MODULE}.py"
        runs = [*tool, "run", "--branch", only, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
        subprocess.run(runs, cwd=folder, env=environment, check=True)
        subprocess.run([*tool, "json", "-q", "-o", report.name], cwd=folder, env=environment, check=True)
    (found,) = json.loads(report.read_text(encoding="utf-8"))["files"].values()
    functions: dict[str, Any] = found["functions"]
    return {name or "the module": facts["summary"] for name, facts in functions.items()}


def rows_of(folder: Path, suite: str, trial: str) -> Iterator[tuple[object, ...]]:
    """The rows of a coverage frame that are of a suite, whose trial is told; one for each function."""
    for name, told in covered(folder, SUITES[suite]).items():
        lines = told["num_statements"], told["covered_lines"]
        branches = told["num_branches"], told["covered_branches"]
        yield trial, CoverageKind.CODE.value, name, *lines, *branches


def frames_of(folder: Path, runs: Mapping[str, RunFrames]) -> RunFrames:
    """What was run, by suite, with the suite's name as the title of its trial, and with what it covers."""
    parts = []
    for suite, frames in runs.items():
        (trial,) = frames.trials["trial"]
        told = pd.DataFrame(list(rows_of(folder, suite, trial)), columns=list(COVERAGE))
        parts.append(replace(frames, trials=frames.trials.assign(title=suite), coverage=told))
    one, two = parts
    trials, results, coverage, timings = (
        pd.concat([getattr(one, name), getattr(two, name)], ignore_index=True)
        for name in ("trials", "results", "coverage", "timings")
    )
    return run_frames(trials, results, coverage, timings, (*one.sessions, *two.sessions))


def main() -> int:
    """Makes, runs, measures, keeps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help=f"where it works (default: {OUT})")
    out = parser.parse_args().out
    prepare(out)
    runs = {}
    for suite, tests in SUITES.items():  # each in a folder of its own: of one module, a run shows the last trial
        own = api.own_suite(MODULE, [tests], folder=out, operators=OPERATORS, original_runs=1)
        runs[suite] = api.load(api.run(own, out / suite, 1)).frames
    write_frozen(frames_of(out, runs), FROZEN)
    return 0


if __name__ == "__main__":
    sys.exit(main())
