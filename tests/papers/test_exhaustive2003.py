"""Tables and figures of exhaustive2003 from made-up runs: rows, comparisons, and nothing published among measured."""

import ast
import csv
import dataclasses
import io
import re
from fractions import Fraction
from pathlib import Path
from statistics import stdev

import pytest
from support.run_samples import frames_of_rows, growing_run, result_rows, trial_row
from support.subjects import load_subject

from harness.analysis.measures import coverage_ratios, scores
from harness.errors import UsageError
from harness.model.outcome import Equivalence, EquivalenceArgument
from harness.papers.exhaustive2003 import FIGURES, TABLES, PaperInputs
from harness.papers.exhaustive2003.figures import draw_feasibility, draw_randomness
from harness.papers.exhaustive2003.run import SubjectFacts, subject_facts
from harness.runner.mutant_set import mutant_set
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
    sizes = [line.get_markersize() for line in axes[0].get_lines() if line.get_marker() == "x"]
    assert sizes == sorted({*sizes}, reverse=True), "a cross is seen below another one of an equal value"
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


@pytest.fixture
def grown():
    return PaperInputs(growing_run({"heapq": "heapq", "search_tree": "SearchTree"}, range(1, 5)), PUBLISHED)


def lines(figure, title):
    axes = next(axes for axes in figure.axes if axes.get_title() == title)
    return {line.get_label(): line.get_xydata().tolist() for line in axes.get_lines()}


def test_seconds_of_nothing_stand_at_the_foot_of_the_logarithmic_axis(grown):
    grown.frames.timings.loc[grown.frames.timings["what"] == "baseline", "seconds"] = 0.0
    drawn = lines(draw_feasibility(grown), "heapq")
    assert [seconds for _, seconds in drawn["generation"]] == [pytest.approx(0.003 * 4**scope) for scope in range(1, 5)]
    assert [seconds for _, seconds in drawn["checking"]] == [0.001] * 4


def test_the_limit_of_seconds_is_drawn_over_the_whole_axis_of_a_run_at_one_scope():
    at_one = PaperInputs(growing_run({"heapq": "heapq"}, range(2, 3)), PUBLISHED)
    assert lines(draw_feasibility(at_one), "heapq")["limit, 120 s"] == [[0, 120], [1, 120]]


def test_random_selections_stand_between_the_exhaustive_suites():
    common = {"trial": "heapq-3", "size": 9, "killed_before": 5, "expected": 6.5}
    samples = [common | {"seed": n, "killed": 6 + n % 2} for n in range(9)]
    grown = PaperInputs(
        frames_of_rows([trial_row("heapq", "heapq", 3)], result_rows("heapq-3", 8, 2), samples=samples), PUBLISHED
    )
    drawn = lines(draw_randomness(grown), "heapq")
    assert drawn["all inputs of the scope"] == [[3, 80]]
    assert drawn["all inputs of the scope before"] == [[3, 50]]


@pytest.fixture
def with_survivors():
    trials = [trial_row("search_tree", "SearchTree", s) for s in (1, 2, 3)]
    results = [*result_rows("search_tree-2", 5, 5), *result_rows("search_tree-3", 7, 3)]
    for row in results[-2:]:
        row.update(executed=4, reached=9, infected=4 if row["mutant"] == "m008" else 0)
    arguments = {
        "m009": EquivalenceArgument("m009", Equivalence.PROVEN, "both\nsides agree"),
        "m008": EquivalenceArgument("m008", Equivalence.SUSPECTED, "it seems so"),
    }
    return PaperInputs(frames_of_rows(trials, results), PUBLISHED, arguments={"search_tree": arguments})


def rows(table):
    return {row.labels: dict(zip([c.name for c in table.columns], [c.measured for c in row.cells], strict=True))
            for row in table.rows}  # fmt: skip


def test_survivors_of_the_largest_scope_show_their_evidence(with_survivors):
    survivors = rows(TABLES["survivors"](with_survivors))
    assert list(survivors) == [("SearchTree", f"m00{n}") for n in (7, 8, 9)]
    proven = survivors["SearchTree", "m009"]
    assert proven["scopes run"] == "1-3"
    assert (proven["inputs"], proven["executed"], proven["reached"], proven["infected"]) == (10, 4, 9, 0)
    assert (proven["equivalence"], proven["argument"]) == ("proven", "both sides agree")
    unknown = survivors["SearchTree", "m007"]
    assert isinstance(unknown["reached"], Missing)
    assert (unknown["equivalence"], unknown["argument"]) == ("unknown", "none")


def test_scores_stand_under_both_policies(with_survivors):
    table = TABLES["equivalence"](with_survivors)
    row = rows(table)["SearchTree", "3"]
    assert row["killed / all viable mutants [%]"] == Fraction(7, 10)
    assert row["killed / viable mutants not proven equivalent [%]"] == Fraction(7, 9)
    assert [row[kind] for kind in ("survivors", "proven", "suspected", "unknown")] == [3, 1, 1, 1]
    assert isinstance(row["never infected"], Missing)
    assert table.rows[0].cells[1].published_text == "79.77"


def test_what_no_input_infects_is_counted_where_all_is_known(with_survivors):
    results = with_survivors.frames.results.fillna({"executed": 1, "reached": 1, "infected": 1})
    counted = dataclasses.replace(with_survivors, frames=dataclasses.replace(with_survivors.frames, results=results))
    row = rows(TABLES["equivalence"](counted))["SearchTree", "3"]
    assert (row["never reached"], row["never infected"]) == (0, 1)


def selections(trial, before, expected, killed):
    common = {"trial": trial, "size": 30, "killed_before": before, "expected": expected}
    return [common | {"seed": seed, "killed": number} for seed, number in enumerate(killed)]


@pytest.fixture
def sampled():
    trials = [trial_row("search_tree", "SearchTree", s) for s in (6, 7)] + [trial_row("heapq", "heapq", 4)]
    results = [*result_rows("search_tree-7", 30, 10), *result_rows("heapq-4", 8, 2)]
    samples = [*selections("search_tree-7", 28, 27.9, [27, 26, 28, 27, 29, 27, 27, 27])]
    samples += selections("heapq-4", 5, 7.99, [8] * 9)
    return PaperInputs(frames_of_rows(trials, results, samples=samples), PUBLISHED)


def cells(table, *labels):
    row = next(row for row in table.rows if row.labels == labels)
    return {column.name: cell for column, cell in zip(table.columns, row.cells, strict=True)}


def test_the_score_is_the_expected_one_and_the_spread_that_of_all_seeds(sampled):
    row = cells(TABLES["table3"](sampled), "SearchTree", "7")
    killed = [27, 26, 28, 27, 29, 27, 27, 27]
    assert float(row["random killed [%]"].measured) == pytest.approx(27.9 / 40)
    assert row["random killed [%]"].published_text == "99.26"
    assert row["sd [points]"].measured == pytest.approx(100 * stdev(k / 40 for k in killed))
    assert [row[f"{which} [%]"].measured * 40 for which in ("least", "most")] == [26, 29]
    assert row["seeds"].measured == 8
    assert row["selected inputs"].measured == 30


def test_signs_are_decided_by_the_expected_score_from_a_least_difference_on(sampled):
    table = TABLES["table3"](sampled)
    tree, heap = cells(table, "SearchTree", "7"), cells(table, "heapq", "4")
    assert tree["than scope-1: worse/equal/better"].measured == "6/1/1"
    assert tree["versus scope-1"].measured == "="  # 0.1 of 40 mutants are 0.25 points, less than 0.36
    assert tree["versus scope"].measured == "<"
    assert tree["versus scope"].published_text == "="
    assert heap["versus scope-1"].measured == ">"
    assert heap["versus scope"].measured == "="
    assert not heap["versus scope"].published_text


def test_a_benchmark_without_a_matrix_says_so(sampled):
    row = cells(TABLES["table3"](sampled), "AVTree", "5")
    assert all(isinstance(cell.measured, Missing) for cell in row.values())
    assert row["versus scope-1"].measured.reason.startswith("not run: scope 5")
    assert row["versus scope-1"].published_text == ">"


def test_selections_of_a_trial_that_is_not_shown_are_left_out(sampled):
    samples = sampled.frames.samples.assign(trial=sampled.frames.samples["trial"].replace("heapq-4", "an older one"))
    table = TABLES["table3"](dataclasses.replace(sampled, frames=dataclasses.replace(sampled.frames, samples=samples)))
    assert ("heapq", "4") not in {row.labels for row in table.rows}
    assert not isinstance(cells(table, "SearchTree", "7")["seeds"].measured, Missing)


def test_a_benchmark_is_described_by_its_targets_helpers_and_counts():
    [facts] = subject_facts(["search_tree"])
    assert facts.title == "SearchTree"
    assert facts.targets == ("add", "remove")
    assert set(facts.helpers) == {"_remove_node", "Node.__init__"}
    subject, _ = load_subject("search_tree")
    assert facts.mutants == len(mutant_set(subject).mutants)
    named = {"add", "remove", "_remove_node"}
    functions = [n for n in ast.walk(ast.parse(subject.source)) if isinstance(n, ast.FunctionDef) and n.name in named]
    decisions = [n for f in functions for n in ast.walk(f) if isinstance(n, (ast.If, ast.While, ast.For, ast.IfExp))]
    assert facts.branching_points == len(decisions)
    expressions = [n for f in functions for n in ast.walk(f) if isinstance(n, ast.IfExp)]
    assert facts.branching_statements == len(decisions) - len(expressions)


def test_functions_of_a_module_keep_their_names():
    [facts] = subject_facts(["heapq"])
    assert facts.targets == ("heappush", "heappop", "heapreplace", "heappushpop", "heapify")
