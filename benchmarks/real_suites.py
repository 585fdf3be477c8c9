"""Runs real packages' own tests: `python -m benchmarks.real_suites` runs missing suites, and prints the table.

It runs experiments/real_suites.toml into results/real_suites, each suite in a process of its own. The processor seconds
and the largest descendant of each are in costs.csv, next to the run. `--freeze` adds both to
results/frozen/real_suites. `--table` prints the table of the frozen results, as in docs/real_suites.md. `--only TARGET`
runs one suite.
"""

from __future__ import annotations

import argparse
import csv
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from benchmarks.measuring import markdown_table
from benchmarks.real_sources import ARCHIVES, PYTHON
from harness import api
from harness.analysis.frames import RunFrames
from harness.analysis.frozen import read_frozen, write_frozen
from harness.analysis.measures import coverage_ratios, scores
from harness.errors import StoreError
from harness.model.experiment import Experiment
from harness.store import CoverageKind
from harness.store.database import FILE_NAME

EXPERIMENT = Path(__file__).parent.parent / "experiments" / "real_suites.toml"
OUT = Path("results/real_suites")
FROZEN = Path(__file__).parent.parent / "results" / "frozen" / "real_suites"
COSTS = "costs.csv"
HEADING = (
    "package", "module", "tests", "mutants", "killed", "survived", "no test", "score", "branches", "CPU s / mutant",
    "peak MiB",
)  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """The cost of a suite: processor seconds of all processes, the largest one in KiB, and the mutants run."""

    seconds: float
    largest: int
    mutants: int

    def joined(self, other: Cost) -> Cost:
        """Return the cost of two sessions."""
        largest = max(self.largest, other.largest)
        return Cost(self.seconds + other.seconds, largest, self.mutants + other.mutants)


def read_costs(folder: Path) -> dict[str, Cost]:
    """Return the stored costs by module under test."""
    path = folder / COSTS
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as lines:
        return {
            row["module"]: Cost(float(row["seconds"]), int(row["largest"]), int(row["mutants"]))
            for row in csv.DictReader(lines)
        }


def _write_costs(costs: Mapping[str, Cost], folder: Path) -> None:
    with (folder / COSTS).open("w", encoding="utf-8", newline="") as lines:
        rows = csv.writer(lines, lineterminator="\n")
        rows.writerow(("module", "seconds", "largest", "mutants"))
        cost_rows = (
            (module, f"{cost.seconds:.2f}", cost.largest, cost.mutants) for module, cost in sorted(costs.items())
        )
        rows.writerows(cost_rows)


def table(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield the rows, from a frozen run and its costs, in the order in which the suites were run.

    Raises:
        StoreError: the folder is no frozen run, or a suite has no cost.
    """
    frames, costs = read_frozen(folder), read_costs(folder)
    covered = coverage_ratios(frames)
    code = covered[covered["kind"] == CoverageKind.CODE.value].set_index("trial")
    for _, row in scores(frames).iterrows():
        results = frames.results[frames.results["trial"] == row["trial"]]
        module = str(row["subject"])
        if module not in costs:
            raise StoreError(f"{folder / COSTS}: nothing about {module}; run it again")
        yield _row(module, row, results, float(code.loc[row["trial"], "branch_pct"]), costs[module])


def _row(module: str, row: pd.Series, results: pd.DataFrame, branches: float, cost: Cost) -> tuple[str, ...]:
    unreached = int((results["reached"] == 0).sum())
    survived = int((results["verdict"] == "survived").sum()) - unreached
    counts = (row["inputs"], len(results), row["killed"], survived, unreached)
    return (
        package_of(module),
        f"`{module}`",
        *(f"{count:,}" for count in counts),
        f"{row['score_pct']:.2f} %",
        f"{branches:.2f} %",
        f"{cost.seconds / cost.mutants:.3f}",
        f"{cost.largest / 1024:.0f}",
    )


def package_of(module: str) -> str:
    """Return the pinned package of a module, with its version."""
    top = module.partition(".")[0]
    for archive in ARCHIVES:
        name, version = archive.name.removesuffix(".tar.gz").removesuffix(".orig").replace("_", "-").split("-")
        if name == top:
            return f"{name} {version}"
    return f"CPython {PYTHON}"


def _run_alone(target: str, experiment: Experiment) -> None:
    """Run the suite of one target in this process, and add its cost to the file, even after an interruption."""
    suites = tuple(suite for suite in experiment.suites if suite.target == target)
    module = target.removesuffix(".__init__")
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    before = _results(module)
    try:
        api.run(replace(experiment, suites=suites), OUT, 1)
    finally:
        below = resource.getrusage(resource.RUSAGE_CHILDREN)
        cost = Cost(time.process_time() + below.ru_utime + below.ru_stime, below.ru_maxrss, _results(module) - before)
        costs = read_costs(OUT)
        _write_costs(costs | {module: cost.joined(costs.get(module, Cost(0.0, 0, 0)))}, OUT)


def _results(module: str) -> int:
    """Return the number of mutants of a module that have been run."""
    if not (OUT / FILE_NAME).exists():
        return 0
    frames = api.load(OUT).frames
    trials = frames.trials.loc[frames.trials["subject"] == module, "trial"]
    return int(frames.results["trial"].isin(trials).sum())


def _freeze() -> None:
    """Freeze the latest trial of each module, and the costs; modules that were not run keep their frozen results."""
    frames, costs = api.load(OUT).all_frames, read_costs(OUT)
    frames = replace(frames, trials=frames.trials.drop_duplicates("subject", keep="last"))
    if FROZEN.exists():
        frames, costs = _with_frozen(read_frozen(FROZEN), frames), read_costs(FROZEN) | costs
    write_frozen(frames, FROZEN)
    _write_costs(costs, FROZEN)


def _with_frozen(frozen: RunFrames, run: RunFrames) -> RunFrames:
    """Return the frozen trials of modules that were not run again, and those of the run."""
    remains = frozen.trials.loc[~frozen.trials["subject"].isin(run.trials["subject"]), "trial"]
    frames = {}
    for name in ("trials", "results", "coverage", "timings", "samples", "criteria", "evaluated"):
        before, now = getattr(frozen, name), getattr(run, name)
        before = before[before["trial"].isin(remains)]
        before = before.assign(trial="frozen " + before["trial"])
        filled = [frame for frame in (before, now) if len(frame)]  # the types of empty frames have no meaning
        frames[name] = pd.concat(filled, ignore_index=True) if filled else now
    started = {session.started for session in run.sessions}
    sessions = [session for session in frozen.sessions if session.started not in started]
    return RunFrames(**frames, sessions=(*sessions, *run.sessions))


def main() -> int:
    """Run, freeze and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="TARGET", help="run one suite, in this process")
    parser.add_argument("--freeze", action="store_true", help="freeze the run")
    parser.add_argument("--table", action="store_true", help="run nothing")
    options = parser.parse_args()
    experiment = api.experiment(str(EXPERIMENT))
    if options.only:
        _run_alone(options.only, experiment)
        return 0
    if not (options.table or options.freeze):
        for suite in experiment.suites:
            command = [sys.executable, "-m", "benchmarks.real_suites", "--only", suite.target]
            if status := subprocess.run(command, check=False).returncode:
                return status
    if not options.table:
        _freeze()
    print("\n".join(markdown_table(HEADING, table(FROZEN))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
