"""Made-up runs for the tests of analysis and papers; no number here was measured."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pandas as pd

from harness.analysis.frames import COVERAGE, RESULTS, TIMINGS, TRIALS, RunFrames, checked_frame, run_frames
from harness.model.experiment import Provenance
from harness.tables.table import Cell, Table

MACHINE = Provenance("0.1.0", "3.11.7", "Linux-6", "x86_64", 2, None, ("run",), {}, "2026-01-01T00:00:00")


def trial_row(subject: str, title: str, scope: int, **changes: object) -> dict[str, object]:
    """A finished trial; its key is `subject-scope`."""
    row: dict[str, object] = {
        "trial": f"{subject}-{scope}",
        "subject": subject,
        "source_hash": "5" * 64,
        "title": title,
        "generator": "korat",
        "generator_version": "1",
        "scope": scope,
        "seed": 0,
        "inputs": 10**scope,
        "states": 5**scope,
        "explored": 20**scope,
        "operator_set": "ferastrau",
        "mutant_set": "5" * 64,
        "mode": "first-kill",
        "approach": "separate",
        "concrete": False,
        "original_steps": 1000 * scope,
        "original_raised": 0,
        "finished": True,
        "version": "0.1.0",
    }
    return row | changes


def result_rows(trial: str, killed: int, survived: int) -> list[dict[str, object]]:
    """`killed` mutants killed by input 0 and `survived` survivors, alternating two operators and functions."""
    rows = []
    for number in range(killed + survived):
        dead = number < killed
        rows.append(
            {
                "trial": trial,
                "mutant": f"m{number:03}",
                "operator": ("ROR", "VRR")[number % 2],
                "function": ("T.add", "T.remove")[number // 2 % 2],
                "status": "viable",
                "verdict": "killed" if dead else "survived",
                "reason": ("output", "state")[number % 2] if dead else None,
                "phase": ("call", "equality")[number % 2] if dead else None,
                "input": 0 if dead else None,
                "inputs_run": 1 if dead else 10,
                "steps": 7,
            }
        )
    return rows


def judged_rows(trial: str, firsts: Mapping[str, int | None]) -> list[dict[str, object]]:
    """Results by mutant, whose names begin with their operator, with the first input that kills; None survives."""
    return [
        {
            "trial": trial, "mutant": mutant, "operator": mutant.partition(":")[0], "function": "f",
            "status": "viable", "verdict": "survived" if first is None else "killed",
            "reason": None if first is None else "output", "phase": None if first is None else "call",
            "input": first, "inputs_run": 1, "steps": 1, "executed": 1, "reached": 1, "infected": 1,
        }
        for mutant, first in firsts.items()
    ]  # fmt: skip


def coverage_row(trial: str, kind: str, function: str, *counts: int) -> dict[str, object]:
    """Statements, statements executed, branches, branches executed."""
    names = ("statements", "statements_executed", "branches", "branches_executed")
    return {"trial": trial, "kind": kind, "function": function, **dict(zip(names, counts, strict=True))}


def frames_of_rows(
    trials: list[dict[str, object]],
    results: list[dict[str, object]] = [],  # noqa: B006 (never changed)
    coverage: list[dict[str, object]] = [],  # noqa: B006
    timings: list[dict[str, object]] = [],  # noqa: B006
    samples: list[dict[str, object]] = [],  # noqa: B006
) -> RunFrames:
    """Return frames of these rows, passed through `run_frames`."""
    frames = run_frames(
        pd.DataFrame(trials, columns=list(TRIALS)),
        pd.DataFrame(results, columns=list(RESULTS)),
        pd.DataFrame(coverage, columns=list(COVERAGE)),
        pd.DataFrame(timings, columns=list(TIMINGS)),
        [MACHINE],
    )
    return replace(frames, samples=checked_frame("samples", samples))


def growing_run(
    subjects: dict[str, str],
    scopes: range = range(1, 8),
    mutants: int = 40,
    runs: Sequence[tuple[str, int]] = (("korat", 0),),
) -> RunFrames:
    """For each subject (name to title), scores that grow and stop growing at scope 6, coverage at 4.

    `runs` are pairs of a generator and a seed.
    """
    trials, results, coverage, timings = [], [], [], []
    for subject, title in subjects.items():
        for (generator, seed), scope in product(runs, scopes):
            key = f"{subject}-{scope}" if len(runs) == 1 else f"{subject}-{generator}-{seed}-{scope}"
            trials.append(trial_row(subject, title, scope, trial=key, generator=generator, seed=seed))
            results += result_rows(key, min(10 + 5 * scope, 39), mutants - min(10 + 5 * scope, 39))
            coverage.append(coverage_row(key, "code", "T.add", 20, min(8 + 3 * scope, 20), 10, min(3 + 2 * scope, 10)))
            coverage.append(coverage_row(key, "code", "T.remove", 30, min(14 + 4 * scope, 30), 0, 0))
            coverage.append(coverage_row(key, "spec", "rep_ok", 12, 11, 6, 5))
            timings.append({"trial": key, "what": "generate", "seconds": 0.003 * 4**scope})
            timings.append({"trial": key, "what": "baseline", "seconds": 0.001 * 5**scope})
    return frames_of_rows(trials, results, coverage, timings)


def record(table: Table, **labels: str) -> dict[str, Any]:
    """Return the one record of a table with these labels."""
    (row,) = [row for row in table.records() if all(row[name] == value for name, value in labels.items())]
    return row


def row_of(table: Table, *labels: str) -> dict[str, Cell]:
    """Return the cells by column of the one row that begins with these labels."""
    (row,) = [row for row in table.rows if row.labels[: len(labels)] == labels]
    return dict(zip((column.name for column in table.columns), row.cells, strict=True))
