"""The run that ships with the sources is of these sources, complete, and gives all tables and figures."""

import pytest
from support.subjects import load_subject

from harness import api, resources
from harness.papers.exhaustive2003 import TABLES
from harness.papers.exhaustive2003.run import GENERATOR, LARGEST_SCOPES
from harness.runner.mutant_set import mutant_set
from harness.tables.cell import Missing, Unit
from harness.tables.render import FORMATS, render

FROZEN = resources.shipped("results/frozen") / "exhaustive2003"


@pytest.fixture(scope="module")
def frames():
    return api.load(FROZEN).frames


@pytest.fixture(scope="module")
def tables():
    return api.tables("exhaustive2003", FROZEN)


@pytest.mark.end_to_end
def test_it_was_run_on_the_sources_and_pinned_mutants_beside_it(frames):
    for name, hashes in frames.trials.groupby("subject")["source_hash"]:
        assert set(hashes) == {load_subject(name)[0].source_hash}
    results = frames.results.merge(frames.trials[["trial", "subject", "generator"]], on="trial")
    for name, rows in results.groupby("subject"):
        pinned = {mutant.id for mutant in mutant_set(load_subject(name)[0]).mutants}
        for _, of_trial in rows.groupby("trial"):
            assert set(of_trial["mutant"]) == pinned, name


def test_every_published_scope_of_every_benchmark_is_there_and_finished(frames):
    mine = frames.trials[frames.trials["generator"] == GENERATOR]
    assert mine["finished"].all()
    scopes = mine.groupby("title")["scope"].apply(set).to_dict()
    assert {title: scopes[title] for title in LARGEST_SCOPES} == {
        title: set(range(1, largest + 1)) for title, largest in LARGEST_SCOPES.items()
    }


@pytest.mark.end_to_end
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


@pytest.mark.document
def test_all_but_avtrees_inputs_are_as_many_as_published(tables):
    at = [column.name for column in tables["table4"].columns].index("inputs")
    compared = {row.labels: row.cells[at] for row in tables["table4"].rows}
    same = {labels for labels, cell in compared.items() if cell.measured_text(Unit.COUNT) == cell.published_text}
    assert len(compared) == 64
    assert {labels[0] for labels in compared.keys() - same} == {"AVTree"}
    assert len(same) == 59


@pytest.mark.end_to_end
@pytest.mark.parametrize("name", TABLES)
def test_every_table_renders_in_every_format(tables, name):
    for form in FORMATS:
        assert render(tables[name], form)
