"""Tables, claims and figures of field_exhaustive2016, from a small made-up run and from the frozen one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest

import pytest
from support.run_samples import coverage_row, frames_of_rows, judged_rows, record, trial_row

from harness import api, resources
from harness.errors import StoreError, UsageError
from harness.model.outcome import ScorePolicy
from harness.papers import field_exhaustive2016 as paper
from harness.papers.field_exhaustive2016 import TABLES
from harness.papers.field_exhaustive2016.run import (
    DIFFERENTIAL,
    EXHAUSTIVE,
    FILE,
    NAME,
    SUBJECTS,
    FieldExhaustiveInputs,
    Refactored,
    paper_inputs,
    read_refactored,
)
from harness.papers.suites import shipped_subject
from harness.tables.table import Missing

FOLDER = resources.published_folder()
TREE = "field_search_tree"
MUTANTS = 10
SINGLE = "EncapsulateField.SingleClassFieldRef"
REFACTORED = (
    Refactored(SINGLE, "astgen", 2, None, 1, 100, 9.5, 2, 5),
    Refactored(SINGLE, "field_exhaustive", 2, None, 3, 12, 1.5, 2, 3),
    Refactored(SINGLE, "field_exhaustive", 3, None, 3, 30, 2.5, 2, 3),
    Refactored(SINGLE, "random", 2, 100, 3, 96, 9.0, 1, 1),
    Refactored("Rename", "astgen", 1, None, 1, 50, 4.0, 1, 1),
)


class SampleRun:
    """Trials of one subject with their results, coverage and seconds, as they are added."""

    def __init__(self) -> None:
        self.trials: list[dict[str, object]] = []
        self.results: list[dict[str, object]] = []
        self.coverage: list[dict[str, object]] = []
        self.timings: list[dict[str, object]] = []

    def add(
        self, generator: str, scope: int, inputs: int, stop_reason: str | None = None, **judged: list[int | None]
    ) -> SampleRun:
        """A suite, and by oracle the first kills; without any it is generated only."""
        extension = 4 * scope if generator.startswith("field-exhaustive") else None
        for oracle, firsts in (judged or {DIFFERENTIAL: None}).items():
            key = f"{generator}-{scope}-{self._seed}-{oracle}"
            self.trials.append(trial_row(
                TREE, TREE, scope, trial=key, generator=generator, mode="first-kill" if judged else "generate",
                seed=self._seed, inputs=inputs, states=inputs // 3, operator_set="mujava", oracle=oracle,
                extension=extension, ended=stop_reason,
            ))  # fmt: skip
            self.timings.append({"trial": key, "what": "generate", "seconds": float(scope)})
            parts = {"korat": {"search": scope / 8, "write": scope / 8}}.get(generator, {"generate": scope / 4})
            self.timings += [{"trial": key, "what": f"{part}_cpu", "seconds": s} for part, s in parts.items()]
            if firsts is not None:
                mutants = zip_longest((f"AOIS:{number}" for number in range(MUTANTS)), firsts)
                self.results += judged_rows(key, dict(mutants))
                self.coverage.append(coverage_row(key, "code", "f", 10, 10, 8, 4 + scope // 2))
                self.timings.append({"trial": key, "what": "baseline", "seconds": scope / 8})
        return self

    def with_seed(self, seed: int) -> SampleRun:
        """The trials added from now on have this seed."""
        self._seed = seed
        return self

    _seed = 0

    def inputs(self) -> FieldExhaustiveInputs:
        frames = frames_of_rows(self.trials, self.results, self.coverage, self.timings)
        return FieldExhaustiveInputs(frames, FOLDER, refactored=REFACTORED)


@pytest.fixture(scope="module")
def dataset():
    """Search trees: both ways at scopes 3 to 6, field-exhaustive ones to 9, with options, and four seeds of random."""
    run = SampleRun()
    for scope, size in ((3, 135), (4, 612), (5, 2820), (6, 13158)):
        run.add("korat", scope, size, postcondition=list(range(scope + 2)), differential=list(range(scope + 3)))
    for scope, size in ((3, 12), (4, 21), (5, 33), (6, 48)):
        run.add("field-exhaustive", scope, size, postcondition=list(range(min(scope + 2, 7))))
    for scope in (2, 7, 8, 9):
        run.add("field-exhaustive", scope, scope * scope + 5)
    run.add("field-exhaustive:fields=left+right", 5, 22, postcondition=list(range(6)))
    for seed, firsts in enumerate(([1, 5, 9, 12, 17, 90], [1, 5, 9, 12, 17, 30, 950], [1, 2, 3, 4, 5, 6, 60], [3]), 1):
        run.with_seed(seed).add("random:1000", 4, 1000, postcondition=firsts)
    return run.inputs()


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


def test_table_3_tells_the_largest_of_three_seeds_and_the_mean_of_all(dataset):
    row = record(paper.TABLES["table3"](dataset), subject="BinarySearchTree", tests="1000")
    assert row["score [%]"] == {"measured": 70.0, "published": 88.9, "difference": -18.9}
    assert row["mean score [%]"]["measured"] == 52.5
    assert [row[name]["measured"] for name in ("seeds of seconds and branches", "seeds of the score", "seeds")] == [
        3,
        3,
        4,
    ]
    assert (row["lower"]["measured"], row["scope"]) == (None, "4")
    assert (
        record(paper.TABLES["table3"](dataset), subject="TreeSet", tests="1000000")["score [%]"]["published"] == 85.35
    )


def test_the_interval_needs_six_seeds_and_holds_the_median():
    run = SampleRun()
    for seed in range(1, 7):
        run.with_seed(seed).add("random:1000", 4, 1000, postcondition=list(range(seed)))
    row = record(paper.TABLES["table3"](run.inputs()), subject="BinarySearchTree", tests="1000")
    assert (row["lower"]["measured"], row["mean score [%]"]["measured"], row["upper"]["measured"]) == (10.0, 35.0, 60.0)
    assert row["score [%]"]["measured"] == 30.0


def test_smaller_random_suites_are_scored_as_beginnings_of_larger_ones():
    run = SampleRun().with_seed(1).add("random:5000", 4, 5000, postcondition=[1, 999, 1000, 4000]).inputs()
    table = paper.TABLES["table3"](run)
    (row,) = [row for row in table.rows if row.labels == ("BinarySearchTree", "1000", "4")]
    cells = dict(zip((column.name for column in table.columns), row.cells, strict=True))
    assert cells["score [%]"].measured == Fraction(2, 10)
    assert cells["branches [%]"].measured == Missing(
        "scored from the beginnings of larger suites, which alone were run"
    )
    assert record(table, subject="BinarySearchTree", tests="5000")["score [%]"]["measured"] == 40.0
    assert record(table, subject="BinarySearchTree", tests="10000")["score [%]"]["measured"] is None


def test_table_3_tells_how_many_seeds_stand_behind_each_maximum():
    run = SampleRun().with_seed(1).add("random:5000", 4, 5000, postcondition=[1, 2])
    run.with_seed(2).add("random:1000", 4, 1000, postcondition=[1]).with_seed(3).add("random:1000", 4, 1000)
    rows = {row["tests"]: row for row in paper.TABLES["table3"](run.inputs()).records() if row["scope"] == "4"}
    names = ("gen. [s]", "testing [s]", "seeds of seconds and branches", "score [%]", "seeds of the score", "seeds")
    maxima = {tests: [row[name]["measured"] for name in names] for tests, row in rows.items()}
    assert maxima == {"1000": [1.0, None, 2, 20.0, 2, 2], "5000": [1.0, 0.5, 1, 20.0, 1, 1]}
    assert rows["1000"]["gen. [s]"]["difference"] is None


def test_a_suite_that_ended_before_is_none_of_the_number_that_it_was_asked_for():
    run = SampleRun().with_seed(1).add("random:5000", 4, 3000, stop_reason="attempts", postcondition=[1, 2, 3]).inputs()
    table = paper.TABLES["table3"](run)
    assert record(table, subject="BinarySearchTree", tests="1000", scope="4")["score [%]"]["measured"] == 30.0
    rows = {row.labels[1:]: row for row in table.rows if row.labels[0] == "BinarySearchTree"}
    assert {cell.measured for cell in rows["5000", "4"].cells} == {
        Missing(
            "the largest suite that was asked for so many tests has 3,000: ended by the attempts that the spec allows "
            "(s.attempts)"
        )
    }
    (axes,) = paper.FIGURES["scores"](run).axes
    assert {float(x) for line in axes.lines for x in line.get_xdata() if line.get_label() == "random"} == {1000.0}


def test_a_seed_whose_suite_ended_before_does_not_count_beside_others():
    run = SampleRun()
    for seed, inputs in ((1, 5000), (2, 4000), (3, 5000)):
        run.with_seed(seed).add("random:5000", 4, inputs, postcondition=list(range(seed)))
    row = record(paper.TABLES["table3"](run.inputs()), subject="BinarySearchTree", tests="5000")
    assert (row["seeds"]["measured"], row["mean score [%]"]["measured"]) == (2, 20.0)


def test_table_3_keeps_scopes_of_one_seed_apart():
    run = SampleRun()
    for scope, firsts in ((4, [1, 2]), (9, [1, 2, 3, 4])):
        run.with_seed(1).add("random:1000", scope, 1000, postcondition=firsts)
    run.with_seed(2).add("random:5000", 9, 5000, postcondition=[1, 2, 3, 4, 5, 4000])
    dataset = run.inputs()
    table = paper.TABLES["table3"](dataset)
    assert [row.labels[1:] for row in table.rows if row.labels[0] == "BinarySearchTree"] == [
        ("1000", "4"), ("1000", "9"), ("5000", "9"), ("10000", "-"),
    ]  # fmt: skip
    at = {row["scope"]: row for row in table.records() if row["tests"] == "1000"}
    assert [at[scope]["mean score [%]"]["measured"] for scope in ("4", "9")] == [20.0, 45.0]
    assert [at[scope]["seeds"]["measured"] for scope in ("4", "9")] == [1, 2]
    assert [at[scope]["score [%]"]["published"] for scope in ("4", "9")] == [88.9, 88.9]
    points = {tests: len(dataset.random("BinarySearchTree", tests)) for tests in (1000, 5000)}
    assert points == {1000: 2, 5000: 1}  # figures and claims are of the scope of the largest suite


def test_results_of_the_second_domain_are_put_together_over_their_seeds(tmp_path):
    path = tmp_path / "faults.csv"
    assert read_refactored(path) == ()
    heading = "subject,title,generator,scope,seed,inputs,generating,testing,distinct,faults"
    name_bugs = "new name of a field taken @0; new name of a method taken @3; new name of a variable taken @7"
    other = "prefix of a formatted text @1; new name of a field taken @2"
    path.write_text(
        f"{heading}\nrename,Rename,hypothesis:50,1,0,46,1.5,0.5,3,{name_bugs}\n"
        f"rename,Rename,hypothesis:50,1,1,50,3.5,0.5,2,{other}\nrename,Rename,hypothesis:50,1,2,50,3.5,0.5,0,\n"
    )
    (refactored,) = read_refactored(path)
    assert refactored == Refactored("Rename", "random", 1, 50, 3, 50, pytest.approx(10 / 3), bugs=2, faults=3)
    for text in ("title,generator\nRename,korat\n", f"{heading}\nrename,Rename,korat,1,0,9,1,1,1,nothing known @0\n"):
        path.write_text(text)
        with pytest.raises(StoreError, match=r"faults\.csv: not what benchmarks\.refactoring has written"):
            read_refactored(path)


def test_bugs_of_the_frozen_rows_are_fewer_than_the_faults_that_they_cause():
    programs = read_refactored(resources.shipped("results/frozen") / FILE)
    counts = {
        (row.title, row.technique, row.scope): (row.bugs, row.faults)
        for row in programs
        if row.requested_programs is None
    }
    assert [counts["EncapsulateField.SingleClassFieldRef", "astgen", scope] for scope in (2, 3)] == [(5, 8), (6, 9)]
    assert counts["ExtractVariable", "astgen", 2] == (3, 6)
    assert counts["ExtractVariable", "field_exhaustive", 2] == (3, 5)
    assert all(bugs <= faults for bugs, faults in counts.values())
    frames = frames_of_rows([trial_row("search_tree", "SearchTree", 3)])
    table = TABLES["claims"](FieldExhaustiveInputs(frames, resources.published_folder(), refactored=programs))
    (row,) = [row for row in table.rows if row.labels == ("refactoring bugs", "ExtractVariable")]
    assert row.cells[0].measured == "HOLDS"
    assert row.cells[1].measured == "bugs of all 198 programs: 3, of 23 field-exhaustive ones: 3"


FROZEN = resources.shipped("results/frozen") / NAME


@pytest.fixture(scope="module")
def frames():
    return api.load(FROZEN).all_frames


@pytest.mark.slow
def test_exhaustive_suites_have_as_many_inputs_as_printed_and_kill_no_less_than_those_of_fields(frames):
    rows = api.tables(NAME, FROZEN, "table1")["table1"].records()
    different = {(row["subject"], row["scope"]): row["BE inputs"]["difference"] for row in rows}
    compared = [difference for difference in different.values() if difference is not None]
    trials = frames.trials[frames.trials["generator"] == EXHAUSTIVE]
    assert compared == [0] * len(trials.groupby(["subject", "scope"]))
    scores = [(row["BE score [%]"]["measured"], row["FE score [%]"]["measured"]) for row in rows]
    both = [pair for pair in scores if None not in pair]
    assert both
    assert all(exhaustive >= of_fields for exhaustive, of_fields in both)


def test_field_exhaustive_suites_keep_to_theorem_2(frames):
    covering = frames.trials[frames.trials["extension"].notna()]
    assert set(covering["subject"]) == set(SUBJECTS.values())
    assert (covering["states"] <= covering["extension"]).all()
