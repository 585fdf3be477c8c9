"""Builds the table that `mutascope run` prints at its end.

It avoids pandas, because importing pandas takes longer than many runs. A test compares the rows with those of
`harness.analysis.measures.summary`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from harness.analysis.mutant_sets import SHORT, ScoredRow, mixed_sets
from harness.analysis.percent import percent
from harness.analysis.titles import labels_apart, of_suite, row_name, summary_labels, titles_apart
from harness.analysis.tool_policies import unseen_by_pytest
from harness.model.coverage import CoverageCounts
from harness.model.outcome import MutantResult, MutantStatus, ScorePolicy, Verdict, mutation_score
from harness.model.pytest_suite import PYTEST, oracle_label
from harness.model.sequence import Observation
from harness.store import CoverageKind, RunStore, StoredTrial
from harness.store.facts import DETAIL_COLUMNS, FailedTrial, latest_trials, plain

Row: TypeAlias = dict[str, Any]
_CONDITIONS = ("operator_set", "mutant_set", "oracle", "policy")
"""The columns that say how a trial was scored, not what came out."""


def summary_rows(folder: Path) -> list[Row]:
    """Return one row per trial, under whichever oracle, scored under `ScorePolicy.ALL_VIABLE`.

    Percentages are numbers; a value is None if it was not measured or its trial is not finished. If some inputs are
    sequences, a column says how those were run. If seeds differ, a column has them, and if a subject has several
    suites, a column has their names. If all are pytest suites, there is no column of scopes. Each detail that a
    generator reports has a column. Trials that could not be run come last, each with the reason in the column `failed`.

    Raises:
        StoreError: there is no run, or its store is corrupt.
    """
    with RunStore.open_existing(folder) as store:
        trials, finished = latest_trials(store.trials.all()), store.finished.keys()
        scored = [_scored(trial, store, trial.key in finished) for trial in trials]
        failed = store.failures.all()
    labels = summary_labels(labels_apart(map(vars, trials), map(vars, failed)))
    details = sorted({name for trial in trials for name in trial.details} - DETAIL_COLUMNS.keys())
    of_sequences = any(trial.sequences is not None for trial in trials)
    titles = _titles(trials, failed)
    rows = [
        _identity(trial, titles, labels)
        | {"inputs": trial.inputs}
        | {name: trial.details.get(name) for name in details}
        | score
        | ({"sequences": _way(trial)} if of_sequences else {})
        | {"oracle": oracle_label(trial.generator, trial.oracle.value), "policy": ScorePolicy.ALL_VIABLE.value}
        for trial, score in zip(trials, scored, strict=True)
    ]
    if failed:
        columns: Row = dict.fromkeys(rows[0]) if rows else {}
        rows = [row | {"failed": None} for row in rows]
        rows += [columns | _identity(one, titles, labels) | {"failed": one.reason} for one in failed]
    return rows


def _identity(trial: StoredTrial | FailedTrial, titles: Mapping[str, str], labels: tuple[str, ...]) -> Row:
    return {"subject": titles[trial.subject]} | {label: plain(getattr(trial, label, None)) for label in labels}


def suite_warnings(folder: Path) -> list[str]:
    """Return lines that qualify the rows.

    They are of suites that ended early, of their notices, of kills that plain pytest may not notice, and of rows that
    are not comparable.

    Raises:
        StoreError: as `summary_rows`.
    """
    with RunStore.open_existing(folder) as store:
        trials, finished = latest_trials(store.trials.all()), store.finished.keys()
        failed = store.failures.all()
        titles, labels = _titles(trials, failed), labels_apart(map(vars, trials), map(vars, failed))
        of_several = _of_several_sets([one for one in trials if one.key in finished])
        mixed = mixed_sets(_scored_rows(store, of_several, titles, labels))
        unseen = {trial.key: unseen_by_pytest(_counted(store, trial)) for trial in trials if trial.generator == PYTEST}
    lines = [
        f"{titles[trial.subject]} {row_name(vars(trial), of_suite(labels))}: {remark}"
        for trial in trials
        for remark in (*trial.remarks, *unseen.get(trial.key, ()))
    ]
    return [*dict.fromkeys(lines), *mixed]  # each oracle has a trial of the same suite


def narrowed(rows: list[Row]) -> tuple[list[Row], dict[str, Any]]:
    """Return the rows without the columns of the conditions that all trials share, and those by column.

    A row without a value, as that of a trial that could not be run, shares what the others have. If no trial could be
    run, the rows have no such columns. Mutant sets are left out if each subject has one of its own.
    """
    shared: dict[str, Any] = {}
    left_out: set[str] = set()
    for column in _CONDITIONS:
        pairs = {(row["subject"], row[column]) for row in rows if row.get(column) is not None}
        values = {value for _, value in pairs}
        if len(values) == 1:
            shared[column] = next(iter(values))
        if len(values) < 2 or (column == "mutant_set" and len(pairs) == len({subject for subject, _ in pairs})):
            left_out.add(column)
    return [{name: value for name, value in row.items() if name not in left_out} for row in rows], shared


def as_text(rows: list[Row]) -> str:
    """Return the rows as an aligned table, with a dash for a missing value."""
    from tabulate import tabulate

    cells = [list(row.values()) for row in rows]
    return tabulate(cells, headers=list(rows[0]) if rows else [], floatfmt=".2f", intfmt=",", missingval="-")


def _scored(trial: StoredTrial, store: RunStore, finished: bool) -> Row:
    """Return the coverage and the kills of the suite of a trial."""
    measured = [found.counts for found in store.coverage.of(trial.key) if found.kind is CoverageKind.CODE]
    covered = sum(measured, CoverageCounts())
    row: Row = {
        "statement_pct": percent(covered.statement_coverage),
        "branch_pct": percent(covered.branch_coverage),
        **dict.fromkeys(("killed", "counted", "score_pct")),
        "operator_set": trial.operator_set,
        "mutant_set": trial.mutant_set[:SHORT] if trial.mode.runs_mutants else None,
    }
    if finished and trial.mode.runs_mutants:
        score = mutation_score(_counted(store, trial))
        row |= {"killed": score.killed, "counted": score.counted, "score_pct": percent(score.ratio)}
    return row


def _of_several_sets(trials: list[StoredTrial]) -> list[StoredTrial]:
    """Return the trials of the subjects and operator sets that have several mutant sets; others need not be read."""
    sets: dict[tuple[str, str], set[str]] = {}
    for trial in trials:
        sets.setdefault((trial.subject, trial.operator_set), set()).add(trial.mutant_set)
    return [trial for trial in trials if len(sets[trial.subject, trial.operator_set]) > 1]


def _counted(store: RunStore, trial: StoredTrial) -> list[MutantResult]:
    """Return the results of the mutants that count."""
    viable = {mutant.id for mutant in store.mutants.of(trial.mutant_set) if mutant.status is MutantStatus.VIABLE}
    return [result for result in store.results.of(trial.key) if result.mutant in viable]


def _scored_rows(
    store: RunStore, trials: list[StoredTrial], titles: Mapping[str, str], labels: tuple[str, ...]
) -> Iterator[ScoredRow]:
    for trial in trials:
        if not trial.mode.runs_mutants:
            continue
        yield ScoredRow(
            titles[trial.subject],
            row_name(vars(trial), labels),
            trial.operator_set,
            trial.mutant_set,
            trial.source_hash,
            {one.mutant: one.verdict is Verdict.KILLED for one in _counted(store, trial)},
        )


def _titles(trials: list[StoredTrial], failed: list[FailedTrial]) -> dict[str, str]:
    both: list[StoredTrial | FailedTrial] = [*trials, *failed]
    return titles_apart({trial.subject: trial.title for trial in both})


def _way(trial: StoredTrial) -> str:
    """Return how sequences were run; empty for state inputs."""
    if trial.sequences is None:
        return ""
    return trial.sequences + ", every call" * (trial.observed is Observation.EVERY_CALL)
