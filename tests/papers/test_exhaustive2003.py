"""Tables, figures and hypotheses of exhaustive2003 from made-up runs; nothing published is among what is measured."""

import ast
import csv
import dataclasses
import io
import re
from fractions import Fraction
from pathlib import Path
from statistics import stdev

import pytest
from support.run_samples import frames_of_rows, growing_run, result_rows, row_of, trial_row
from support.subjects import load_subject

from harness.analysis.frames import checked_frame
from harness.analysis.measures import coverage_ratios, scores
from harness.errors import UsageError
from harness.measured.sampling import Sign
from harness.model.outcome import Equivalence, EquivalenceArgument
from harness.papers.exhaustive2003 import FIGURES, TABLES, PaperInputs
from harness.papers.exhaustive2003.claims import (
    BenchmarkAtScope,
    RandomBesideExhaustive,
    coverage,
    feasibility,
    mutation,
    randomness,
)
from harness.papers.exhaustive2003.figures import draw_feasibility, draw_randomness
from harness.papers.exhaustive2003.run import SubjectFacts, subject_facts
from harness.runner.mutant_set import mutant_set
from harness.tables.claims import ClaimVerdict
from harness.tables.published import read_published
from harness.tables.render import render
from harness.tables.table import NO_MUTANTS, NOT_FINISHED, NOT_RUN, Missing, Unit

PUBLISHED = Path(__file__).parents[2] / "results" / "published"
HOLDS, FAILS, OPEN = ClaimVerdict.HOLDS, ClaimVerdict.FAILS, ClaimVerdict.OPEN
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
        row = {name: cell.measured for name, cell in row_of(table, title, str(scope)).items()}
        assert row["mutants killed [%]"] == killed[title, scope]
        assert row["code st. [%]"] == code.loc[(title, scope), "statement_coverage"]
        assert row["code br. [%]"] == code.loc[(title, scope), "branch_coverage"]
        assert row["inputs"] == 10**scope
        assert row["gen. [s]"] == pytest.approx(0.003 * 4**scope)
        assert row["checking [s]"] == pytest.approx(0.001 * 5**scope)


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
    assert row_of(table, "SearchTree")["ded. [s]"].measured == 0.25


def test_dedicated_generators_and_what_was_not_run_are_dashes_with_a_reason(dataset):
    bare = frames_of_rows([trial_row("search_tree", "SearchTree", 1, finished=False), trial_row("heapq", "heapq", 1)])
    table = table4(dataclasses.replace(dataset, frames=bare))
    tree, heap = row_of(table, "SearchTree"), row_of(table, "heapq")
    assert tree["gen. [s]"].measured == tree["code st. [%]"].measured == NOT_RUN
    assert tree["mutants killed [%]"].measured == NOT_FINISHED
    assert heap["mutants killed [%]"].measured == NO_MUTANTS
    assert heap["ded. [s]"].measured.reason.startswith("not run")
    assert "not run" in render(table, "md")


def test_of_several_trials_at_a_scope_one_row_is_shown(dataset):
    again = trial_row("heapq", "heapq", 1, trial="again", approach="metamutant")
    rows = [*result_rows("heapq-1", 1, 1), *result_rows("again", 2, 0)]
    table = table4(dataclasses.replace(dataset, frames=frames_of_rows([trial_row("heapq", "heapq", 1), again], rows)))
    assert row_of(table, "heapq")["mutants killed [%]"].measured == 1


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


def test_survivors_of_the_largest_scope_show_their_evidence(with_survivors):
    table = TABLES["survivors"](with_survivors)
    assert [row.labels for row in table.rows] == [("SearchTree", f"m00{n}") for n in (7, 8, 9)]
    proven = {name: cell.measured for name, cell in row_of(table, "SearchTree", "m009").items()}
    assert proven["scopes run"] == "1-3"
    assert (proven["inputs"], proven["executed"], proven["reached"], proven["infected"]) == (10, 4, 9, 0)
    assert (proven["equivalence"], proven["argument"]) == ("proven", "both sides agree")
    unknown = row_of(table, "SearchTree", "m007")
    assert isinstance(unknown["reached"].measured, Missing)
    assert (unknown["equivalence"].measured, unknown["argument"].measured) == ("unknown", "none")


def test_scores_stand_under_both_policies(with_survivors):
    row = row_of(TABLES["equivalence"](with_survivors), "SearchTree", "3")
    assert row["killed / all viable mutants [%]"].measured == Fraction(7, 10)
    assert row["killed / all viable mutants [%]"].published_text == "79.77"
    assert row["killed / viable mutants not proven equivalent [%]"].measured == Fraction(7, 9)
    assert [row[kind].measured for kind in ("survivors", "proven", "suspected", "unknown")] == [3, 1, 1, 1]
    assert isinstance(row["never infected"].measured, Missing)


def test_what_no_input_infects_is_counted_where_all_is_known(with_survivors):
    results = with_survivors.frames.results.fillna({"executed": 1, "reached": 1, "infected": 1})
    counted = dataclasses.replace(with_survivors, frames=dataclasses.replace(with_survivors.frames, results=results))
    row = row_of(TABLES["equivalence"](counted), "SearchTree", "3")
    assert (row["never reached"].measured, row["never infected"].measured) == (0, 1)


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


def test_the_score_is_the_expected_one_and_the_spread_that_of_all_seeds(sampled):
    row = row_of(TABLES["table3"](sampled), "SearchTree", "7")
    killed = [27, 26, 28, 27, 29, 27, 27, 27]
    assert float(row["random killed [%]"].measured) == pytest.approx(27.9 / 40)
    assert row["random killed [%]"].published_text == "99.26"
    assert row["sd [points]"].measured == pytest.approx(100 * stdev(k / 40 for k in killed))
    assert [row[f"{which} [%]"].measured * 40 for which in ("least", "most")] == [26, 29]
    assert row["seeds"].measured == 8
    assert row["selected inputs"].measured == 30


def test_signs_are_decided_by_the_expected_score_from_a_least_difference_on(sampled):
    table = TABLES["table3"](sampled)
    tree, heap = row_of(table, "SearchTree", "7"), row_of(table, "heapq", "4")
    assert tree["than scope-1: worse/equal/better"].measured == "6/1/1"
    assert tree["versus scope-1"].measured == "="  # 0.1 of 40 mutants are 0.25 points, less than 0.36
    assert tree["versus scope"].measured == "<"
    assert tree["versus scope"].published_text == "="
    assert heap["versus scope-1"].measured == ">"
    assert heap["versus scope"].measured == "="
    assert not heap["versus scope"].published_text


def test_a_benchmark_without_a_matrix_says_so(sampled):
    row = row_of(TABLES["table3"](sampled), "AVTree", "5")
    assert all(isinstance(cell.measured, Missing) for cell in row.values())
    assert row["versus scope-1"].measured.reason.startswith("not run: scope 5")
    assert row["versus scope-1"].published_text == ">"


def test_selections_of_a_trial_that_is_not_shown_are_left_out(sampled):
    samples = sampled.frames.samples.assign(trial=sampled.frames.samples["trial"].replace("heapq-4", "an older one"))
    table = TABLES["table3"](dataclasses.replace(sampled, frames=dataclasses.replace(sampled.frames, samples=samples)))
    assert ("heapq", "4") not in {row.labels for row in table.rows}
    assert not isinstance(row_of(table, "SearchTree", "7")["seeds"].measured, Missing)


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


def at(scope, score=None, **ratios):
    percents = {k: Fraction(v, 100) if k in ("generous", "statement", "branch") else v for k, v in ratios.items()}
    return BenchmarkAtScope(scope, None if score is None else Fraction(score, 100), **percents)


@pytest.mark.parametrize(
    ("curve", "largest", "outcome", "phrase"),
    [
        ([at(1, 50), at(2, 91), at(3, 95)], 7, HOLDS, "scope 2 kills 91.00 %"),
        ([at(1, 50), at(2, 90)], 2, OPEN, "survivors may be equivalent"),
        ([at(1, 50), at(2, 90, generous=95)], 2, OPEN, "survivors may be equivalent"),
        ([at(1, 50), at(2, 80, generous=90)], 2, FAILS, "without suspected equivalents 90.00 %"),
        ([at(1, 50), at(2, 80, generous=80)], 3, OPEN, "larger scopes were not run"),
        ([at(1, 50), at(2, 80), at(3, 95)], 2, OPEN, "survivors may be equivalent"),
        ([at(1, 80, generous=80), at(2, 80, generous=80)], None, FAILS, "scope 2 kills 80.00 %"),
        ([at(1, 70, generous=70), at(2, 80, generous=80)], None, OPEN, "larger scopes were not run"),
        ([at(1)], 7, OPEN, "no score"),
    ],
)
def test_mutation_asks_for_a_small_scope_that_kills_more_than_nine_tenths(curve, largest, outcome, phrase):
    finding = mutation(curve, largest)
    assert finding.outcome is outcome
    assert phrase in finding.evidence


@pytest.mark.parametrize(
    ("curve", "outcome", "phrase"),
    [
        ([at(1, 50, statement=90, branch=80), at(2, 60, statement=90, branch=80)], HOLDS, "scope 2 kills 60.00 %"),
        ([at(1, 60, statement=90, branch=80), at(2, 60, statement=90, branch=80)], FAILS, "up to scope 2 no more"),
        ([at(1, 50, statement=90, branch=70), at(2, 60, statement=90, branch=80)], OPEN, "no larger scope was run"),
        ([at(1, 50), at(2, 60)], OPEN, "no scope with both"),
        ([at(1, 50, statement=90, branch=70), at(2, statement=90, branch=80)], OPEN, "scope 1 covers"),
    ],
)
def test_coverage_asks_for_kills_beyond_complete_coverage(curve, outcome, phrase):
    finding = coverage(curve)
    assert finding.outcome is outcome
    assert phrase in finding.evidence


@pytest.mark.parametrize(
    ("curve", "outcome"),
    [
        ([at(1, 50), at(2, 95, generate=119.0, check=119.0), at(3, 99, generate=500.0, check=1.0)], HOLDS),
        ([at(2, 95, generate=121.0, check=1.0)], FAILS),
        ([at(2, 95, generate=1.0, check=121.0)], FAILS),
        ([at(2, 95, generate=1.0)], OPEN),
        ([at(2, 85, generate=1.0, check=1.0)], OPEN),
    ],
)
def test_feasibility_asks_for_the_time_at_the_adequate_scope(curve, outcome):
    assert feasibility(curve).outcome is outcome


@pytest.mark.parametrize(("sign", "outcome"), [(Sign.WORSE, HOLDS), (Sign.BETTER, FAILS), (Sign.EQUAL, OPEN)])
def test_randomness_follows_the_sign(sign, outcome):
    finding = randomness(RandomBesideExhaustive(5, Fraction(9, 10), sign, Fraction(8, 10)))
    assert finding.outcome is outcome
    assert f"scope 5: random 90.00 % {sign.value} scope 4 80.00 %" in finding.evidence


def test_randomness_needs_selections():
    assert randomness(None).outcome is OPEN


@pytest.fixture
def seven_scopes():
    return PaperInputs(growing_run({"search_tree": "SearchTree", "heapq": "heapq"}), PUBLISHED)


def outcomes(table):
    return {row.labels: tuple(cell.measured_text(Unit.TEXT) for cell in row.cells) for row in table.rows}


def test_the_table_has_every_claim_for_every_benchmark(seven_scopes):
    rows = [
        {"trial": "heapq-7", "size": 5, "killed_before": 9, "expected": 8.0, "seed": n, "killed": 8} for n in range(6)
    ]
    frames = dataclasses.replace(seven_scopes.frames, samples=checked_frame("samples", rows))
    table = TABLES["hypotheses"](dataclasses.replace(seven_scopes, frames=frames))
    assert len(table.rows) == 4 * 11
    outcome_of = outcomes(table)
    assert outcome_of["mutation", "SearchTree"] == ("HOLDS", "scope 6 kills 97.50 %")
    assert outcome_of["coverage", "SearchTree"][0] == "HOLDS"
    assert outcome_of["feasibility", "SearchTree"][0] == "HOLDS"
    assert outcome_of["randomness", "SearchTree"] == ("NOT DECIDABLE", "no selection")
    assert outcome_of["randomness", "heapq"][0] == "HOLDS"
    assert "randomness 0, 0, 7, 3. " in table.caption  # seven benchmarks have a sign other than = in print
    assert table.footnotes == {"not run": 1}


def test_the_printed_numbers_are_judged_by_the_same_rules(seven_scopes):
    table = TABLES["hypotheses"](seven_scopes)
    published = {row.labels: row.cells[0].published_text for row in table.rows}
    assert published["mutation", "AVTree"] == "HOLDS"
    assert published["mutation", "TreeMap"] == "NOT DECIDABLE"
    assert published["coverage", "LinkedList"] == "HOLDS"
    assert published["feasibility", "FibonacciHeap"] == "NOT DECIDABLE"
    signs = {title: published["randomness", title] for title in ("AVTree", "HashSet", "DisjSet")}
    assert signs == {"AVTree": "DOES NOT HOLD", "HashSet": "HOLDS", "DisjSet": "NOT DECIDABLE"}
    assert published["mutation", "heapq"] == ""


def test_a_suspicion_that_a_larger_scope_refuted_counts_for_nothing(seven_scopes):
    suspected = EquivalenceArgument("m000", Equivalence.SUSPECTED, "it seemed so")
    with_suspicion = dataclasses.replace(seven_scopes, arguments={"search_tree": {"m000": suspected}})
    assert result_rows("x", 1, 0)[0]["mutant"] == "m000"
    assert outcomes(TABLES["hypotheses"](with_suspicion)) == outcomes(TABLES["hypotheses"](seven_scopes))
