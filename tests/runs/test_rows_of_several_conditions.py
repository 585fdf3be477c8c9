"""Rows and panels of trials of one suite under several conditions are told apart."""

import pytest
from support.compared_samples import FIRST, SECOND, store_matrix

from harness import api
from harness.analysis.measures import summary
from harness.analysis.run_summary import summary_rows
from harness.model.experiment import ExecutionMode
from harness.model.sequence import ON_MUTANT, Observation
from harness.store import RunStore
from harness.tables.figures import trials_apart

CALLS = {"generator": "beapi", "sequences": ON_MUTANT, "observed": Observation.END, "suite_digest": "one", "seed": 1}


@pytest.fixture
def run(tmp_path):
    """One suite on the mutants of two operator sets, with the mutants' states, by structure and in two modes."""
    with RunStore.open(tmp_path) as store:
        store_matrix(store, 20, {FIRST: [0]}, **CALLS)
        store_matrix(store, 20, {SECOND: [0]}, concrete=True, **CALLS)
        store_matrix(store, 20, {}, ExecutionMode.FIRST_KILL, concrete=True, **CALLS)
        store_matrix(store, 20, {}, concrete=True, operator_set="mujava", **CALLS)
    return tmp_path


@pytest.mark.parametrize("name", ["scopes", "operators", "functions", "generators"])
def test_no_two_rows_of_a_table_have_the_same_labels(run, name):
    table = api.tables(folder=run, table=name)[name]
    labels = [tuple(row[label] for label in table.labels) for row in table.records()]
    assert {"operator_set", "concrete", "mode"} <= set(table.labels)
    assert len(set(labels)) == len(labels) >= 4


def test_the_largest_scope_is_that_of_each_condition(run):
    with RunStore.open(run) as store:
        store_matrix(store, 20, {}, scope=3, concrete=True, **(CALLS | {"suite_digest": "two"}))
    rows = api.tables(folder=run, table="operators")["operators"].records()
    assert {(row["operator_set"], row["concrete"], row["scope"]) for row in rows} == {
        ("ferastrau", "False", "2"), ("ferastrau", "True", "3"), ("mujava", "True", "2"),
    }  # fmt: skip


def test_a_curve_is_of_trials_under_one_condition(run):
    assert [title for title, _ in trials_apart(api.load(run).frames)] == [
        "Tree, ferastrau, concrete False", "Tree, ferastrau, concrete True", "Tree, mujava, concrete True",
    ]  # fmt: skip


def test_summaries_say_the_mode_too(run):
    rows = summary_rows(run)
    assert [row["mode"] for row in rows] == ["matrix", "matrix", "first-kill", "matrix"]
    assert list(summary(api.load(run).all_frames)) == list(rows[0])
