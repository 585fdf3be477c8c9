"""Tables and figures of exhaustive2003 from made-up runs: rows, comparisons, and nothing published among measured."""

import csv
import dataclasses
import io
import re
from pathlib import Path

import pytest
from support.run_samples import frames_of_rows, growing_run, result_rows, trial_row

from harness.analysis.measures import coverage_ratios, scores
from harness.errors import UsageError
from harness.papers.exhaustive2003 import FIGURES, TABLES, PaperInputs
from harness.papers.exhaustive2003.run import SubjectFacts
from harness.tables.cell import Missing
from harness.tables.published import read_published
from harness.tables.render import render

PUBLISHED = Path(__file__).parents[2] / "results" / "published"
table1, table2, table4 = (TABLES[name] for name in ("table1", "table2", "table4"))
figure3, figure9 = FIGURES["figure3"], FIGURES["figure9"]
NAMES = {"binomial_heap": "BinomialHeap", "heapq": "heapq", "search_tree": "SearchTree"}
FACTS = [
    SubjectFacts("heapq", ("heappush",), (), 30, 5, 4, 100, 100),
    SubjectFacts("SearchTree", ("add", "remove"), ("contains",), 60, 15, 14, 250, 1000),
]


@pytest.fixture(scope="module")
def dataset():
    return PaperInputs(growing_run(NAMES, range(1, 5)), PUBLISHED, FACTS)


def measured(table):
    return [[cell.measured for cell in row.cells] for row in table.rows], [row.labels for row in table.rows]


def column(table, name):
    position = [c.name for c in table.columns].index(name)
    return {" ".join(row.labels): row.cells[position] for row in table.rows}


def test_table4_has_every_scope_run_in_the_papers_order_and_table2_the_last_two(dataset):
    labels = [row.labels for row in table4(dataset).rows]
    assert labels == [(title, str(s)) for title in ("SearchTree", "BinomialHeap", "heapq") for s in range(1, 5)]
    labels = [row.labels for row in table2(dataset).rows]
    assert labels == [(title, s) for title in ("SearchTree", "BinomialHeap", "heapq") for s in "34"]
    assert set(labels) < {row.labels for row in table4(dataset).rows}


@pytest.mark.parametrize("table", [table1, table4])
def test_captions_name_samples_of_mutants_with_their_error(dataset, table):
    score = scores(dataset.frames).set_index(["title", "scope"])["score"]["SearchTree", 4]
    error = 196 * (score * (1 - score) / 250 * (750 / 999)) ** 0.5
    assert (
        f"Pinned random samples of the viable mutants: SearchTree 250 of 1000 (±{error:.1f} " in table(dataset).caption
    )


def test_measured_values_are_the_runs(dataset):
    table = table4(dataset)
    frames = dataset.frames
    killed = scores(frames).set_index(["title", "scope"])["score"]
    code = coverage_ratios(frames).query("kind == 'code'").set_index(["title", "scope"])
    for title, scope in killed.index:
        row = f"{title} {scope}"
        assert column(table, "mutants killed [%]")[row].measured == killed[title, scope]
        assert column(table, "code st. [%]")[row].measured == code.loc[(title, scope), "statement_coverage"]
        assert column(table, "code br. [%]")[row].measured == code.loc[(title, scope), "branch_coverage"]
        assert column(table, "inputs")[row].measured == 10**scope
        assert column(table, "gen. [s]")[row].measured == pytest.approx(0.003 * 4**scope)
        assert column(table, "checking [s]")[row].measured == pytest.approx(0.001 * 5**scope)


def test_published_values_stand_beside_them(dataset):
    table = table4(dataset)
    with (PUBLISHED / "exhaustive2003_table4.csv").open() as file:
        printed = {f"{line['benchmark']} {line['scope']}": line for line in csv.DictReader(file)}
    names = [c for c in next(iter(printed.values())) if c not in ("benchmark", "scope")]
    for row in table.rows:
        line = printed.get(" ".join(row.labels))
        texts = [cell.published_text for cell in row.cells]
        assert texts == ([line[name] for name in names] if line else [""] * len(names))
        assert bool(line) == (row.labels[0] != "heapq")


@pytest.mark.parametrize("name", [name for name in TABLES if name != "survivors"])  # the paper has no such table
@pytest.mark.parametrize("content", ["heading", ""])
def test_measured_columns_do_not_depend_on_published_values(dataset, tmp_path, name, content):
    for path in PUBLISHED.glob("exhaustive2003_*.csv"):
        (tmp_path / path.name).write_text(path.read_text().splitlines()[0] + "\n" if content else "")
    emptied = dataclasses.replace(dataset, published=tmp_path)
    with_published, without = TABLES[name](dataset), TABLES[name](emptied)
    assert measured(with_published) == measured(without)
    agreements = re.compile(r" Outcomes that agree, .*?\.(?= The paper)")
    assert agreements.sub("", with_published.caption) == agreements.sub("", without.caption)
    assert all(cell.published is None for row in without.rows for cell in row.cells)
    assert any(cell.published for row in with_published.rows for cell in row.cells)
    rows = zip(*(csv.reader(io.StringIO(render(t, "csv"))) for t in (with_published, without)), strict=True)
    for full, bare in rows:
        assert all(b in (f, "") for f, b in zip(full, bare, strict=True))


def test_generation_by_dedicated_generators_is_a_trial_of_its_own(dataset):
    usual, narrowed = (
        trial_row("search_tree", "SearchTree", 2, trial=name, generator=name) for name in ("korat", "korat-dedicated")
    )
    timings = [{"trial": "korat-dedicated", "what": "generate", "seconds": 0.25}]
    table = table4(dataclasses.replace(dataset, frames=frames_of_rows([usual, narrowed], timings=timings)))
    assert [row.labels for row in table.rows] == [("SearchTree", "2")]
    assert column(table, "ded. [s]")["SearchTree 2"].measured == 0.25


def test_seconds_of_two_machines_have_no_difference(dataset):
    differing = {heading.name for heading in table4(dataset).columns if heading.has_difference}
    assert {"inputs", "code st. [%]", "mutants killed [%]"} <= differing
    assert not [name for name in differing if name.endswith("[s]")]


def test_dedicated_generators_and_what_was_not_run_are_dashes_with_a_reason(dataset):
    bare = frames_of_rows([trial_row("search_tree", "SearchTree", 1, finished=False), trial_row("heapq", "heapq", 1)])
    table = table4(dataclasses.replace(dataset, frames=bare))
    reasons = {
        (label, c.name): cell.measured.reason
        for c in table.columns
        for label, cell in column(table, c.name).items()
        if isinstance(cell.measured, Missing)
    }
    assert reasons["SearchTree 1", "gen. [s]"] == "not run"
    assert reasons["SearchTree 1", "code st. [%]"] == "not run"
    assert reasons["SearchTree 1", "mutants killed [%]"].startswith("not finished")
    assert reasons["heapq 1", "mutants killed [%]"] == "no mutant counts under the policy"
    assert reasons["heapq 1", "ded. [s]"].startswith("not run")
    assert "not run" in render(table, "md")


def test_of_several_trials_at_a_scope_one_row_is_shown(dataset):
    again = trial_row("heapq", "heapq", 1, trial="again", approach="metamutant")
    rows = [*result_rows("heapq-1", 1, 1), *result_rows("again", 2, 0)]
    table = table4(dataclasses.replace(dataset, frames=frames_of_rows([trial_row("heapq", "heapq", 1), again], rows)))
    assert [cell.measured for cell in column(table, "mutants killed [%]").values()] == [1]


def test_table1_compares_sources_with_the_papers(dataset):
    table = table1(dataset)
    assert [row.labels for row in table.rows] == [("SearchTree",), ("heapq",)]
    outcomes = dataset.frames.coverage[dataset.frames.coverage["kind"] == "code"].groupby("trial")["branches"].sum()
    counted = int(outcomes["search_tree-4"])
    assert [cell.measured for cell in table.rows[0].cells] == ["add remove", "contains", 60, 15, 14, counted, 250]
    ours = {"branching statements", "branch outcomes"}
    unpublished = {c.name for c, cell in zip(table.columns, table.rows[0].cells, strict=True) if cell.published is None}
    assert unpublished == ours
    assert all(cell.published is None for cell in table.rows[1].cells)
    with pytest.raises(UsageError, match="none is given"):
        table1(dataclasses.replace(dataset, subjects=()))


def test_figure9_shows_every_subject_beside_the_published_curves(dataset):
    axes = [a for a in figure9(dataset).axes if a.get_visible()]
    assert [a.get_title() for a in axes] == ["SearchTree", "BinomialHeap", "heapq"]
    assert [len(a.get_lines()) for a in axes] == [4, 4, 2]
    published = read_published(PUBLISHED, "exhaustive2003", "table4", keys=2)
    line = next(li for li in axes[0].get_lines() if li.get_label() == "mutants killed, published")
    for scope, value in line.get_xydata().tolist():
        assert published.row("SearchTree", int(scope)).value("mutants_killed_pct") == value


def test_figure3_is_search_tree_alone(dataset):
    assert [a.get_title() for a in figure3(dataset).axes] == ["SearchTree"]
    with pytest.raises(UsageError, match="Figure 3 shows SearchTree"):
        figure3(dataclasses.replace(dataset, frames=growing_run({"heapq": "heapq"}, range(1, 3))))


def test_a_run_of_other_generators_is_refused(dataset):
    other = frames_of_rows([trial_row("heapq", "heapq", 1, generator="random")])
    with pytest.raises(UsageError, match="no trial of generator korat"):
        table4(dataclasses.replace(dataset, frames=other))
