"""Copies the facts of a trial from one store to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.model.pytest_suite import PytestSuite
from harness.store.run_store import RunStore

_KEYS = {
    "mutant_set": ("hash",),
    "mutant": ("mutant_set", "id"),
    "trial": ("key",),
    "suite_record": ("trial",),
    "instrument": ("trial",),
    "kill_row": ("trial", "mutant"),
    "probe_row": ("trial", "mutant"),
    "evidence": ("trial", "mutant"),
    "mutant_result": ("trial", "mutant"),
}
"""The columns that identify a row of each table, the tables in the order of their references."""

_OF_TRIAL = {
    "mutant_set": "hash = (SELECT mutant_set FROM trial WHERE key = ?)",
    "mutant": "mutant_set = (SELECT mutant_set FROM trial WHERE key = ?) ORDER BY id",
    "trial": "key = ?",
}
_APPENDED = ("fault", "timing")
_BY_CHANCE = ("trial", "suite_record")
"""Tables that hold steps of the original, which depend on chance in some pytest suites: the first ones count."""


def copy_trial(source: RunStore, target: RunStore, trial: str, projects: Sequence[str] = ()) -> None:
    """Copy the facts of a trial, all or none. A fact that is there already is compared.

    Of a pytest suite, the trial and its record stay as they are if they are there, as in a run that continues.

    Args:
        projects: folders of pytest suites here. A suite was run in a copy of one, below another folder.

    Raises:
        StoreError: the target has another fact instead of one.
    """
    is_there = target.trials.has(trial) and target.suites.of(trial) is not None
    coverage = source.coverage.of(trial)
    with target.database.transaction():
        for table, key in _KEYS.items():
            if is_there and table in _BY_CHANCE:
                continue
            for row in _rows(source, table, trial):
                if table == "suite_record":
                    row["suite"] = _moved(str(row["suite"]), projects)
                target.database.add(table, key, row)
        for table in _APPENDED:
            for row in _rows(source, table, trial):
                target.database.append(table, row)
    target.coverage.add(trial, coverage)


def _rows(source: RunStore, table: str, trial: str) -> list[dict[str, object]]:
    clause = _OF_TRIAL.get(table, "trial = ?")
    rows = source.database.select(f"SELECT * FROM {table} WHERE {clause}", trial)  # noqa: S608 (names are our own)
    return [{name: value for name, value in dict(row).items() if name != "number"} for row in rows]


def _moved(text: str, projects: Sequence[str]) -> str:
    suite = PytestSuite.of_json(text)
    here = [folder for folder in projects if suite.folder.endswith(folder)]
    return replace(suite, folder=here[0]).to_json() if here else text
