"""Runs `experiments/exhaustive2003.toml` from an empty cache: `python -m benchmarks.experiment [--out DIR]`."""

from __future__ import annotations

import argparse
import logging
import os
import resource
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.measuring import load_average, machine, markdown_table, seconds_below, write_result
from harness import api
from harness.model.experiment import ExecutionMode, Experiment
from harness.runner.logs import LOGGER

EXPERIMENT = "exhaustive2003"
JOBS = 2
MOST_MINUTES = 30
MOST_GIB = 4
SHOWN = 5.0
"""Trials that take as many seconds have a row of their own."""

HEADING = (
    "subject", "generator", "scope", "mode", "inputs", "mutants", "executed", "generate [s]", "baseline [s]",
    "whole trial [s]",
)  # fmt: skip


class _Clock(logging.Handler):
    """When each trial was finished."""

    def __init__(self) -> None:
        super().__init__()
        self.ends: list[float] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage().endswith(" finished"):
            self.ends.append(perf_counter())


def main() -> None:
    """Run the experiment into a new folder and write the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="a new folder to keep the run in (default: none is kept)")
    out = parser.parse_args().out
    if out is not None and out.exists():
        parser.error(f"{out} is there already: what it holds would not be run again; give a new folder")
    started = load_average()
    with TemporaryDirectory() as folder:
        os.environ["MUTASCOPE_CACHE"] = f"{folder}/cache"
        lines = _measured(api.experiment(EXPERIMENT), out or Path(folder) / "run")
    write_result("experiment.md", [f"# {EXPERIMENT} as a whole", "", f"{machine()} {started}", "", *lines])


def _measured(experiment: Experiment, folder: Path) -> Iterator[str]:
    clock = _Clock()
    LOGGER.addHandler(clock)
    began, used = perf_counter(), seconds_below(os.getpid())
    api.run(experiment, folder, JOBS)
    seconds, spent = perf_counter() - began, seconds_below(os.getpid()) - used
    yield (
        f"All {len(experiment.trials)} trials on {JOBS} jobs with an empty cache: **{seconds / 60:.1f} minutes** (at "
        f"most {MOST_MINUTES} are asked for), {spent / 60:.1f} minutes of processor time. Largest resident set of a "
        f"process: **{_largest() / (1 << 20):.2f} GiB** (at most {MOST_GIB})."
    )
    yield ""
    yield (
        f"Trials of {SHOWN:g} s and more; baseline seconds are processor time of the original with its oracles on all "
        "inputs."
    )
    yield ""
    durations = [end - start for start, end in zip([began, *clock.ends], clock.ends, strict=False)]
    yield from markdown_table(HEADING, _rows(experiment, folder, durations))


def _rows(experiment: Experiment, folder: Path, durations: Sequence[float]) -> Iterator[Sequence[object]]:
    frames = api.load(folder).frames
    trials = {(row["subject"], row["generator"], row["scope"]): row for row in frames.trials.to_dict("records")}
    timings = frames.timings.set_index(["trial", "what"])["seconds"]
    for trial, seconds in zip(experiment.trials, durations, strict=True):
        if seconds < SHOWN:
            continue
        stored = trials[trial.subject, trial.generator, trial.scope]
        results = frames.results[frames.results["trial"] == stored["trial"]]
        generated = experiment.mode_of(trial) is ExecutionMode.GENERATE
        yield (
            trial.subject, trial.generator, trial.scope, stored["mode"], f"{stored['inputs']:,}",
            len(results), f"{results['executed'].sum():,}", f"{timings[stored['trial'], 'generate']:.1f}",
            "" if generated else f"{timings[stored['trial'], 'baseline']:.1f}", f"{seconds:.1f}",
        )  # fmt: skip


def _largest() -> int:
    """Return the KiB of the largest resident set of this process and of all ended processes below it."""
    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


if __name__ == "__main__":
    main()
