"""SearchTree at scopes 1 to 6, from nothing to scores, on two cores: `python -m benchmarks.spine`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.measuring import load_average, machine, markdown_table, seconds_below, write_result
from harness import api

SUBJECT = "search_tree"
SCOPES = (1, 2, 3, 4, 5, 6)
JOBS = 2
LIMIT = 60
"""Seconds that the whole may take."""


def main() -> None:
    """Run with an empty cache, per approach, and write the result."""
    with TemporaryDirectory() as folder:
        os.environ["MUTASCOPE_CACHE"] = f"{folder}/cache"
        rows = list(_rows(Path(folder)))
    lines = [
        f"# SearchTree, scopes {SCOPES[0]} to {SCOPES[-1]}, end to end",
        "",
        f"{machine()} {load_average()}",
        "",
        f"Generation, controls, all mutants and coverage on {JOBS} jobs; an empty cache at first, the suites then "
        f"found in it. At most {LIMIT} s are asked for. Processor seconds are user and system time of all processes.",
        "",
        *markdown_table(("approach", "cache", "seconds", "processor seconds", "killed / mutants by scope"), rows),
    ]
    write_result("spine.md", lines)


def _rows(folder: Path) -> Iterator[tuple[object, ...]]:
    for number, metamutants in enumerate((False, True, False)):
        began, used = perf_counter(), seconds_below(os.getpid())
        experiment = api.subject_experiment(SUBJECT, "korat", SCOPES, metamutants=metamutants)
        run = api.load(api.run(experiment, folder / str(number), JOBS))
        seconds, spent = perf_counter() - began, seconds_below(os.getpid()) - used
        scores = run.scores()
        yield (
            "metamutant" if metamutants else "separate modules",
            "empty" if number == 0 else "suites",
            f"{seconds:.1f}",
            f"{spent:.1f}",
            ", ".join(
                f"{killed}/{counted}" for killed, counted in zip(scores["killed"], scores["counted"], strict=True)
            ),
        )


if __name__ == "__main__":
    main()
