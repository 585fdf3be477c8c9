"""Tables, claims and figures of field_exhaustive2016 from a small made-up run: measured beside published."""

from dataclasses import replace

import pytest
from field_exhaustive_samples import FOLDER, SINGLE, TREE, SampleRun, small_run
from support.run_samples import record

from harness.errors import UsageError
from harness.model.score import ScorePolicy
from harness.papers import field_exhaustive2016 as paper
from harness.papers.field_exhaustive2016.run import FieldExhaustiveInputs, paper_inputs
from harness.papers.own import shipped_subject
from harness.tables.cell import Missing
from harness.tables.published import read_published


@pytest.fixture(scope="module")
def dataset():
    return small_run()


def test_every_line_of_every_printed_table_is_read():
    for name, keys in (("table1", 2), ("table2", 3), ("table3", 2)):
        lines = (FOLDER / f"field_exhaustive2016_{name}.csv").read_text().splitlines()
        assert len(read_published(FOLDER, paper.NAME, name, keys).rows) == len(lines) - 1 > 0


def test_table_1_sets_both_ways_beside_the_printed_ones(dataset):
    table = paper.TABLES["table1"](dataset)
    assert len({row.labels for row in table.rows}) == len(table.rows) == len(dataset.printed("table1", 2).rows) + 1
    row = record(table, subject="BinarySearchTree", scope="5")
    assert row["BE inputs"] == {"measured": 2820, "published": 2820.0, "difference": 0.0}
    assert row["FE inputs"] == {"measured": 33, "published": 336.0, "difference": -303.0}
    assert row["BE score [%]"] == {"measured": 70.0, "published": 91.36, "difference": -21.36}
    assert row["FE branches [%]"]["measured"] == 75.0
    assert (row["BE gen. [s]"]["measured"], row["FE testing [s]"]["measured"]) == (1.25, 0.625)
    ours = [row[name]["measured"] for name in ("BE structures", "FE structures", "sum of extensions")]
    assert ours == [940, 11, 20]


def test_seconds_of_making_a_suite_are_the_processors_and_stand_without_a_difference(dataset):
    row = record(paper.TABLES["table1"](dataset), subject="BinarySearchTree", scope="5")
    assert row["BE gen. [s]"] == {"measured": 1.25, "published": 0.23, "difference": None}
    assert row["FE gen. [s]"]["measured"] == 1.25
    timings = dataset.frames.timings
    by_clock = replace(dataset, frames=replace(dataset.frames, timings=timings[~timings["what"].str.endswith("_cpu")]))
    (cells,) = [r.cells for r in paper.TABLES["table1"](by_clock).rows if r.labels == ("BinarySearchTree", "5")]
    assert cells[2].measured == Missing("processor seconds of making it were not taken")


def test_a_suite_is_beyond_an_hour_by_processor_seconds_and_by_the_clock_where_they_are_not_known():
    run = SampleRun()
    for scope in (3, 4, 5):
        run.add("field-exhaustive", scope, 9)
    measured = {}
    for parts in ((100.0, None), (100.0, 4000.0), (4000.0, None), (4000.0, 100.0)):
        clock, processor = parts
        timings = [{"trial": t["trial"], "what": "generate", "seconds": 1.0} for t in run.trials[:2]]
        timings.append({"trial": run.trials[2]["trial"], "what": "generate", "seconds": clock})
        if processor is not None:
            timings.append({"trial": run.trials[2]["trial"], "what": "generate_cpu", "seconds": processor})
        run.timings = timings
        rows = {row.labels: row.cells for row in paper.TABLES["claims"](run.inputs()).rows}
        measured[parts] = rows["twice the scope", "BinarySearchTree"][1].measured.partition("field-exhaustive ")[2]
    over, within = "to scope 4, not at 5", "to scope 5"
    assert list(measured.values()) == [within, over, over, within]


def test_scopes_that_were_generated_only_have_no_score_and_limits_of_the_paper_stand_as_printed(dataset):
    table = paper.TABLES["table1"](dataset)
    (row,) = [row for row in table.rows if row.labels == ("BinarySearchTree", "8")]
    cells = dict(zip((column.name for column in table.columns), row.cells, strict=True))
    assert cells["FE inputs"].measured == 69
    assert cells["FE score [%]"].measured == Missing("no mutant was run with it")
    assert cells["BE inputs"].measured == Missing("not run")
    assert cells["BE inputs"].published_text == "293640"
    (row,) = [row for row in table.rows if row.labels == ("SortedSinglyLinkedList", "12")]
    assert row.cells[0].published_text == "IL"
    (row,) = [row for row in table.rows if row.labels == ("TreeSet", "31")]
    assert row.cells[1].published_text == "TO"


def test_the_oracles_are_compared_on_the_runs_that_both_judged(dataset):
    table = paper.TABLES["oracles"](dataset)
    assert [row.labels for row in table.rows] == [
        ("BinarySearchTree", "korat", str(scope)) for scope in (3, 4, 5, 6)
    ]  # fmt: skip
    row = record(table, scope="3")
    assert (row["postcondition [%]"], row["differential [%]"], row["cost [points]"]) == (50.0, 60.0, 10.0)
    assert (row["killed by differential only"], row["for"], row["by postcondition only"]) == (1, "output 1", 0)


def test_options_are_measured_against_the_suite_without_any(dataset):
    table = paper.TABLES["options"](dataset)
    assert [row.labels[2] for row in table.rows] == ["(none)", "fields=left+right"]
    row = record(table, options="fields=left+right")
    assert (row["inputs"], row["score lost [points]"]) == (22, 10.0)
    assert round(row["inputs saved [%]"], 2) == 33.33
    assert record(table, options="(none)")["inputs saved [%]"] == 0


def test_table_2_has_every_printed_row_and_ours_beside_or_behind_it(dataset):
    rows = paper.TABLES["table2"](dataset).records()
    assert len(rows) == 28 + 2
    first = rows[0]
    assert (first["technique"], first["inputs"]["measured"], first["inputs"]["published"]) == ("astgen", 100, 5280.0)
    (of_random,) = [row for row in rows if row["technique"] == "random" and row["inputs"]["measured"]]
    assert of_random["inputs"] == {"measured": 96, "published": 100.0, "difference": None}
    assert of_random["bugs"] == {"measured": 1, "published": 1.0, "difference": None}
    assert (first["bugs"]["measured"], first["faults"]["measured"]) == (2, 5)
    larger, renamed = rows[10], rows[-1]
    assert (larger["refactoring"], larger["inputs"]["measured"], larger["inputs"]["published"]) == (SINGLE, 30, None)
    assert (renamed["refactoring"], renamed["bugs"]["measured"], renamed["bugs"]["published"]) == ("Rename", 1, None)


def test_claims_are_found_by_the_same_rules_on_measured_and_on_printed_numbers(dataset):
    rows = {row.labels: row.cells for row in paper.TABLES["claims"](dataset).rows}
    printed = {labels: cells[0].published_text for labels, cells in rows.items()}
    of_claim = {title: printed["score within 2 %", title] for title in ("BinarySearchTree", "TreeSet", "BinomialHeap")}
    assert of_claim == {"BinarySearchTree": "HOLDS", "TreeSet": "DOES NOT HOLD", "BinomialHeap": "DOES NOT HOLD"}
    assert "4.27 points apart (scope 7: 83.53 and 79.26)" in rows["score within 2 %", "TreeSet"][1].published_text
    assert printed["size: linear", "SortedSinglyLinkedList"] == "DOES NOT HOLD"
    assert printed["size: polynomial v. exponential", "SortedSinglyLinkedList"] == "HOLDS"
    assert printed["fewer than random", "SortedSinglyLinkedList"] == "DOES NOT HOLD"
    assert rows["fewer than random", "BinomialHeap"][1].published_text == (
        "8099 inputs at scope 25 kill 94.74 %; random needs 700000 at most, by the printed sizes"
    )
    assert printed["twice the scope", "BinarySearchTree"] == "DOES NOT HOLD"
    assert printed["twice the scope", "TreeSet"] == "HOLDS"
    assert printed["largest suites", "BinomialHeap"] == "HOLDS"
    assert printed["largest suites", "SortedSinglyLinkedList"] == "DOES NOT HOLD"
    assert printed["refactoring bugs", "EncapsulateField.DoubleClassFieldRef"] == "DOES NOT HOLD"


def test_claims_are_decided_by_what_was_measured(dataset):
    rows = {row.labels: row.cells for row in paper.TABLES["claims"](dataset).rows}
    tree = {claim: cells for (claim, title), cells in rows.items() if title == "BinarySearchTree"}
    assert tree["score within 2 %"][0].measured == "DOES NOT HOLD"
    assert tree["size: Theorem 2"][1].measured == "scope 9: 28 structures, 36 pairs; 0 of 8 scopes with more"
    assert tree["fewer than random"][1].measured == (
        "33 inputs at scope 5 kill 70.00 %; random (scope 4) needs 61 to 951 tests where it does, 2 of 4 seeds with "
        "1000 at most (median: not reached)"
    )
    assert tree["twice the scope"][0].measured == "NOT DECIDABLE"
    assert tree["largest suites"][0].measured == "NOT DECIDABLE"  # field-exhaustive suites of scope 9 have no score
    assert rows["refactoring bugs", SINGLE][0].measured == "HOLDS"
    assert rows["refactoring bugs", "Rename"][0].published is None
    assert rows["score within 2 %", "TreeSet"][0].measured == "NOT DECIDABLE"


def test_an_exhaustive_suite_without_mutants_kills_what_all_field_exhaustive_ones_of_its_scope_do():
    run = SampleRun().add("korat", 4, 612, postcondition=[1, 2, 3]).add("korat", 5, 2820)
    run.add("field-exhaustive", 5, 33, postcondition=[1, 2, 3]).add(
        "field-exhaustive", 9, 90, postcondition=[*range(4)]
    )

    def cells() -> tuple[object, ...]:
        rows = {row.labels: row.cells for row in paper.TABLES["claims"](run.inputs()).rows}
        return tuple(cell.measured for cell in rows["largest suites", "BinarySearchTree"])

    unlike = "exhaustive at least 30.00 at scope 5, with which no mutant was run, field-exhaustive 40.00 at scope 9"
    assert cells() == ("NOT DECIDABLE", unlike)
    run.add("field-exhaustive:solver=minisat22", 5, 30, postcondition=[1, None, None, 2])  # the fourth mutant dies
    assert cells() == ("DOES NOT HOLD", unlike.replace("30.00", "40.00"))


@pytest.mark.end_to_end
def test_all_figures_are_drawn(dataset):
    figures = {name: draw(dataset) for name, draw in paper.FIGURES.items()}
    assert {name: len([axes for axes in figure.axes if axes.get_visible()]) for name, figure in figures.items()} == {
        "scores": 1, "printed_scores": 4, "sizes": 1,
    }  # fmt: skip
    lines = {line.get_label(): line for line in figures["scores"].axes[0].lines}
    assert [tuple(point) for point in lines["field-exhaustive"].get_xydata()] == [
        (12, 50),
        (21, 60),
        (33, 70),
        (48, 70),
    ]
    assert [tuple(point) for point in lines["random"].get_xydata()] == [(1000, 52.5)]


def test_a_run_of_other_subjects_has_nothing_to_draw(dataset):
    nothing = replace(dataset.frames, trials=dataset.frames.trials.iloc[:0])
    for name in ("scores", "sizes"):
        with pytest.raises(UsageError, match="nothing to draw"):
            paper.FIGURES[name](FieldExhaustiveInputs(nothing, FOLDER))


def test_only_subjects_as_they_ship_and_the_operators_of_the_paper_count(dataset, tmp_path):
    shipped = shipped_subject(TREE).source_hash
    trials = dataset.frames.trials.iloc[:3].assign(source_hash=[shipped, "0" * 64, shipped])
    trials.loc[2, "operator_set"] = "ferastrau"

    class Stored:
        folder = tmp_path
        frames = all_frames = replace(dataset.frames, trials=trials)

    trials_left = paper_inputs(Stored(), ScorePolicy.ALL_VIABLE).frames.trials
    assert list(trials_left["trial"]) == list(trials["trial"][:1])
