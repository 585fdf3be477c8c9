"""The run of criteria_pruning2011 that ships is of its experiment, and gives every row of the case studies."""

import pytest

from harness import api, resources
from harness.papers.criteria_pruning2011.run import MIXES, NAME
from harness.runner.experiment import load_experiment
from harness.tables.cell import Missing

FROZEN = resources.shipped("results/frozen") / NAME
UNFINISHED = {("ListAsSet", "6")}
"""Where the paper's tool did not come to its end with Korat, and ours was not run."""


@pytest.fixture(scope="module")
def tables():
    return api.tables(NAME, FROZEN)


def test_it_is_the_run_of_the_experiment_that_ships():
    trials = api.load(FROZEN).frames.trials
    columns = ("subject", "generator", "scope", "mode")
    experiment = load_experiment(NAME)
    listed = [
        (trial.subject, trial.generator, trial.scope, experiment.mode_of(trial).value) for trial in experiment.trials
    ]
    assert sorted(zip(*(trials[column] for column in columns), strict=True)) == sorted(listed)


@pytest.mark.end_to_end
def test_every_count_is_as_printed(tables):
    columns = ("Korat explored", "Korat valid", "Korat+ explored", "Korat+ valid", "classes covered")
    for row in tables["case_studies"].records():
        for column in columns:
            where = (row["case study"], row["scope"], column)
            if column.startswith("Korat ") and (row["case study"], row["our scope"]) in UNFINISHED:
                assert row[column]["difference"] is None, where
            else:
                assert row[column]["difference"] == 0, where


def test_live_mutants_are_measured_at_every_printed_row_but_those_of_too_many_inputs(tables):
    missing = [
        (row.labels[0], row.labels[2], column.name)
        for row in tables["live_mutants"].rows
        for column, cell in zip(tables["live_mutants"].columns, row.cells, strict=True)
        if isinstance(cell.measured, Missing)
    ]
    assert missing == [("BinomialHeapMerge", "6", "Korat"), ("BinomialHeapMerge", "6", "Korat (all)")]


@pytest.mark.end_to_end
def test_no_suite_leaves_fewer_alive_than_one_that_it_is_a_part_of(tables):
    for row in tables["live_mutants"].records():
        for mark in MIXES.values():
            alive = [row[f"{way}{mark}"]["measured"] for way in ("Korat", "Korat+", "one per class")]
            counts = [number for number in alive if number is not None]
            assert counts == sorted(counts), row["our scope"]
