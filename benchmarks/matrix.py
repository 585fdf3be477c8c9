"""Compares full kill matrices with rows that end where they decide Table 3: `python -m benchmarks.matrix [SUBJECT
SCOPE]`.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.measuring import load_average, machine, markdown_table, write_result
from harness import api
from harness.model.experiment import ExecutionMode

CASES = (("search_tree", 7), ("hash_set", 7), ("heap_array", 6))
"""Cases that take minutes. Those of millions of inputs, HeapArray 7 and BinomialHeap 7, are run only when named."""
MODES = (ExecutionMode.SELECTIONS, ExecutionMode.MATRIX)
JOBS = 2

HEADING = (
    "subject", "scope", "inputs", "mutants", "mode", "executed", "seconds", "this / selections", "store [MB]",
    "largest process [GiB]",
)  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """One trial; `store` in bytes, `largest` the largest resident set of a process in KiB."""

    seconds: float
    inputs: int
    executed: int
    verdicts: list[tuple[object, ...]]
    store: int
    largest: int


def main() -> None:
    """Measure one case or all, and write the result to a file of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", nargs="*", help="subject and scope (default: all cases)")
    case = parser.parse_args().case
    started = load_average()
    cases = [(case[0], int(case[1]))] if case else CASES
    rows = [row for subject, scope in cases for row in _rows(subject, scope)]
    lines = [
        "# Kill matrices",
        "",
        f"{machine()} {started}",
        "",
        f"One trial each on {JOBS} jobs, its suite made before, coverage included. Mode `selections` ends a mutant's "
        "row where it decides the hundred random selections of Table 3; verdicts, reasons and first killing inputs are "
        "asserted to be the same. The store holds three packed bits per mutant and input run: killed, reached and "
        "infected.",
        "",
        *markdown_table(HEADING, rows),
    ]
    write_result("_".join(["matrix", *case]) + ".md", lines)


def _rows(subject: str, scope: int) -> Iterator[Sequence[object]]:
    for smaller_too in (scope - 1, scope):
        api.generate(subject, scope=smaller_too)
    measured = {mode: _alone(subject, scope, mode) for mode in MODES}
    decided = measured[ExecutionMode.SELECTIONS]
    for mode, one in measured.items():
        assert one.verdicts == decided.verdicts, f"{subject} {scope}: the modes do not agree"
        yield (
            subject, scope, f"{one.inputs:,}", len(one.verdicts), mode.value, f"{one.executed:,}", f"{one.seconds:.1f}",
            f"{one.seconds / decided.seconds:.1f}", f"{one.store / 1e6:.1f}", f"{one.largest / (1 << 20):.2f}",
        )  # fmt: skip


def _alone(subject: str, scope: int, mode: ExecutionMode) -> Measured:
    """Measure in a process of its own, whose largest descendant is then this trial's."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        return pool.submit(_measured, subject, scope, mode).result()


def _measured(subject: str, scope: int, mode: ExecutionMode) -> Measured:
    experiment = replace(api.subject_experiment(subject, "korat", [scope]), mode=mode)
    with TemporaryDirectory() as folder:
        began = perf_counter()
        api.run(experiment, folder, JOBS)
        seconds = perf_counter() - began
        frames = api.load(folder).frames
        columns = frames.results[["mutant", "verdict", "reason", "phase", "input"]].sort_values("mutant")
        return Measured(
            seconds,
            int(frames.trials["inputs"].iloc[0]),
            int(frames.results["executed"].sum()),
            [tuple(map(str, row)) for row in columns.itertuples(index=False)],
            Path(folder, "run.sqlite").stat().st_size,
            max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)),
        )


if __name__ == "__main__":
    main()
