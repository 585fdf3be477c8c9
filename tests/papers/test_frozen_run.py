"""The run that ships with the sources is of these sources, complete, and gives all tables and figures."""

import pytest
from support.subjects import load_subject

from harness import api, resources
from harness.papers.exhaustive2003.run import GENERATOR, LARGEST_SCOPES
from harness.runner.experiment import load_experiment
from harness.runner.mutant_set import mutant_set
from harness.tables.table import Missing, Unit

FROZEN = resources.shipped("results/frozen") / "exhaustive2003"


@pytest.fixture(scope="module")
def frames():
    return api.load(FROZEN).frames


@pytest.fixture(scope="module")
def tables():
    return api.tables("exhaustive2003", FROZEN)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paper", "operators"),
    [("exhaustive2003", "ferastrau"), ("criteria_pruning2011", "mujava"), ("field_exhaustive2016", "mujava")],
)
def test_runs_of_papers_are_of_the_sources_and_pinned_mutants_beside_them(paper, operators):
    frames = api.load(FROZEN.with_name(paper)).all_frames
    results = frames.results.merge(frames.trials[["trial", "subject"]], on="trial")
    for name, hashes in frames.trials.groupby("subject")["source_hash"]:
        subject = load_subject(name)[0]
        assert set(hashes) == {subject.source_hash}
        pinned = {mutant.id for mutant in mutant_set(subject, operators).mutants}
        for _, of_trial in results[results["subject"] == name].groupby("trial"):
            assert set(of_trial["mutant"]) == pinned, name


@pytest.mark.parametrize(
    ("paper", "left_out"),
    [
        ("exhaustive2003", 0),
        ("beapi2023", 0),
        ("criteria_pruning2011", 0),
        ("field_exhaustive2016", 14),
        ("jtestcraft2010", 0),
    ],
)
def test_trials_of_papers_are_those_of_the_experiments_that_ship(paper, left_out):
    trials, experiment = api.load(FROZEN.with_name(paper)).all_frames.trials, load_experiment(paper)
    columns = ("subject", "generator", "scope", "seed", "mode", "oracle")
    frozen = set(zip(*(trials[column] for column in columns), strict=True))
    listed = {
        (trial.subject, trial.generator, trial.scope, trial.seed, experiment.mode_of(trial).value, oracle.value)
        for trial in experiment.trials
        for oracle in experiment.oracles_of(trial)
    }
    assert frozen <= listed
    assert len(listed - frozen) == left_out


def test_every_published_scope_of_every_benchmark_is_there_and_finished(frames):
    mine = frames.trials[frames.trials["generator"] == GENERATOR]
    assert mine["finished"].all()
    scopes = mine.groupby("title")["scope"].apply(set).to_dict()
    assert {title: scopes[title] for title in LARGEST_SCOPES} == {
        title: set(range(1, largest + 1)) for title, largest in LARGEST_SCOPES.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["table2", "table3", "table4"])
def test_no_measured_cell_is_blank(tables, name):
    table = tables[name]
    blank = [
        (row.labels, column.name)
        for row in table.rows
        for column, cell in zip(table.columns, row.cells, strict=True)
        if isinstance(cell.measured, Missing)
    ]
    assert blank == []


def test_all_but_avtrees_inputs_are_as_many_as_published(tables):
    at = [column.name for column in tables["table4"].columns].index("inputs")
    compared = {row.labels: row.cells[at] for row in tables["table4"].rows}
    same = {labels for labels, cell in compared.items() if cell.measured_text(Unit.COUNT) == cell.published_text}
    assert len(compared) == 64
    assert {labels[0] for labels in compared.keys() - same} == {"AVTree"}
    assert len(same) == 59
