"""Measures how cost grows with scope, inputs against seconds, on one core and two: `python -m benchmarks.growth`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.measuring import load_average, machine, markdown_table, seconds_below, write_result
from harness import api
from harness.model.experiment import Trial
from harness.runner.subjects import load_subject
from harness.runner.suites import ensure_suite

SCOPES = {
    "search_tree": 6, "disj_set": 4, "heap_array": 6, "binomial_heap": 5, "fibonacci_heap": 4, "linked_list": 6,
    "sorted_list": 5, "tree_map": 6, "hash_set": 6, "av_tree": 4,
}  # fmt: skip
"""Subjects and the largest scope of each."""

HEADING = (
    "subject", "scope", "inputs", "mutants", "executed", "seconds, 1 job", "2 jobs", "1 job / 2 jobs",
    "processor seconds", "microseconds per input",
)  # fmt: skip


def main() -> None:
    """Measure the subjects named on the command line (default: all); write the result if none is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("subjects", nargs="*", help="default: all")
    names = parser.parse_args().subjects
    started = load_average()
    rows = [row for name in names or SCOPES for row in _rows(name)]
    lines = [
        "# Cost by scope",
        "",
        f"{machine()} {started}",
        "",
        "One trial each (controls, all mutants to their first kill, coverage) on a suite that is there already. "
        "Processor seconds are user and system time of all processes on one job; divided by the suite's inputs, they "
        "show how the fixed cost of a process per mutant gives way to that of executions.",
        "",
        *markdown_table(HEADING, rows),
    ]
    write_result("growth.md", lines, keep=not names)


def _rows(name: str) -> Iterator[Sequence[object]]:
    subject = load_subject(name)
    for scope in range(1, SCOPES.get(name, 4) + 1):
        inputs = len(ensure_suite(subject, Trial(name, "korat", scope)))
        seconds: list[float] = []
        spent: list[float] = []
        with TemporaryDirectory() as folder:
            for jobs in (1, 2):
                began, used = perf_counter(), seconds_below(os.getpid())
                run = api.load(api.run(api.subject_experiment(name, "korat", [scope]), Path(folder, str(jobs)), jobs))
                seconds.append(perf_counter() - began)
                spent.append(seconds_below(os.getpid()) - used)
            results = run.frames.results
        yield (
            name, scope, f"{inputs:,}", len(results), f"{results['executed'].sum():,}", f"{seconds[0]:.2f}",
            f"{seconds[1]:.2f}", f"{seconds[0] / seconds[1]:.2f}", f"{spent[0]:.2f}", f"{spent[0] / inputs * 1e6:,.0f}",
        )  # fmt: skip


if __name__ == "__main__":
    main()
