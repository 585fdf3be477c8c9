"""The table that `mutascope run` prints at its end equals the frame of the same run."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from support.store_samples import COVERAGE, MUTANTS, RESULTS, SURVIVED, trial

from harness import api
from harness.analysis import run_summary as told
from harness.errors import StoreError
from harness.model.experiment import ExecutionMode
from harness.model.outcome import MutantResult, OracleName, Verdict
from harness.model.sequence import ON_MUTANT, Observation
from harness.store import FunctionCoverage, RunStore, mutant_set_hash

STILLBORN = [*RESULTS[:2], MutantResult(SURVIVED.mutant, Verdict.STILLBORN, 0, None)]


def add(
    folder: Path,
    results: Iterable[MutantResult] = RESULTS,
    coverage: Iterable[FunctionCoverage] = COVERAGE,
    finish: bool = True,
    **changes: object,
) -> None:
    """Add a trial with its results and coverage to the run in this folder."""
    with RunStore.open(folder) as store:
        key = store.trials.add(trial(store.mutants.add(MUTANTS), **changes))  # type: ignore[arg-type]
        for result in results:
            store.results.add(key, result)
        store.coverage.add(key, coverage)
        if finish:
            store.finished.add(key)


def rows_as_in_the_frame(folder: Path) -> list[told.Row]:
    """Return the summary rows after checking that they equal the frame's records and print alike."""
    frame = api.load(folder).summary()
    rows = told.summary_rows(folder)
    assert rows == json.loads(frame.to_json(orient="records"))
    assert [list(row) for row in rows] == [list(frame.columns)] * len(rows)
    assert told.as_text(rows) == api.as_text(frame)
    return rows


def test_a_finished_trial_has_its_score_and_coverage(tmp_path):
    add(tmp_path)
    assert rows_as_in_the_frame(tmp_path) == [
        {
            "subject": "Tree",
            "generator": "korat",
            "scope": 2,
            "inputs": 20,
            "statement_pct": 96.67,
            "branch_pct": 91.67,
            "killed": 2,
            "counted": 3,
            "score_pct": 66.67,
            "operator_set": "ferastrau",
            "mutant_set": mutant_set_hash(MUTANTS)[:12],
            "oracle": "differential",
            "policy": "killed / all viable mutants",
        }
    ]


def test_stillborn_mutants_do_not_count_and_what_is_missing_is_a_dash(tmp_path):
    add(tmp_path, STILLBORN, coverage=[])
    add(tmp_path, RESULTS[:1], coverage=[], finish=False, scope=3)
    rows = rows_as_in_the_frame(tmp_path)
    assert [(row["killed"], row["counted"], row["branch_pct"]) for row in rows] == [(2, 2, None), (None, None, None)]
    assert told.as_text(rows).splitlines()[-1].split()[4:9] == ["-"] * 5


def test_of_trials_that_differ_in_their_sources_alone_the_latest_is_told(tmp_path):
    add(tmp_path, STILLBORN)
    add(tmp_path, subject_hash="2" * 64)
    assert [row["counted"] for row in rows_as_in_the_frame(tmp_path)] == [3]


def test_seeds_and_ways_to_run_sequences_are_told_where_there_are_several_and_oracles_always(tmp_path):
    every_call = {"sequences": ON_MUTANT, "observed": Observation.EVERY_CALL}
    add(tmp_path, generator="random", **every_call)
    add(tmp_path, generator="random", seed=1, sequences=ON_MUTANT, observed=Observation.END)
    add(tmp_path, oracle=OracleName.POSTCONDITION)
    rows = rows_as_in_the_frame(tmp_path)
    assert [row["sequences"] for row in rows] == ["", "on-mutant, every call", "on-mutant"]
    assert [row["seed"] for row in rows] == [0, 0, 1]
    assert [row["oracle"] for row in rows] == ["postcondition", "differential", "differential"]


def test_where_no_mutant_is_run_nothing_is_counted(tmp_path):
    with RunStore.open(tmp_path) as store:
        store.finished.add(store.trials.add(trial(store.mutants.add([]), mode=ExecutionMode.GENERATE)))
    assert [row["counted"] for row in rows_as_in_the_frame(tmp_path)] == [None]


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(StoreError, match="no run"):
        told.summary_rows(tmp_path)


def test_conditions_that_all_trials_share_are_told_apart_from_the_rows():
    shared = {"operator_set": "ferastrau", "oracle": "differential", "policy": "killed / all viable mutants"}
    rows = [{"subject": name, "killed": 1, "mutant_set": name, **shared} for name in ("a", "b")]
    failed = {"subject": "c", "killed": None, "mutant_set": None, **dict.fromkeys(shared)}
    assert told.narrowed([*rows, failed]) == (
        [{"subject": "a", "killed": 1}, {"subject": "b", "killed": 1}, {"subject": "c", "killed": None}],
        shared,
    )


def test_mutant_sets_of_one_subject_stay_in_the_rows_if_they_differ():
    rows = [
        {"subject": "a", "operator_set": name, "mutant_set": name, "oracle": "differential", "policy": "p"}
        for name in ("ferastrau", "mujava")
    ]
    narrow, shared = told.narrowed(rows)
    assert [list(row) for row in narrow] == [["subject", "operator_set", "mutant_set"]] * 2
    assert shared == {"oracle": "differential", "policy": "p"}
