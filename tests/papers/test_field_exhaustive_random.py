"""Table 3 of field_exhaustive2016, of random suites, from a small made-up run."""

from fractions import Fraction

import pytest
from field_exhaustive_samples import SampleRun, small_run
from support.run_samples import record

from harness.papers import field_exhaustive2016 as paper
from harness.papers.field_exhaustive2016.claims import fewer_than_random
from harness.tables.cell import Missing
from harness.tables.claims import ClaimVerdict


@pytest.fixture(scope="module")
def dataset():
    return small_run()


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


@pytest.mark.parametrize(
    ("needed", "largest", "outcome", "evidence_end"),
    [
        ([50, 60, None], [100, 100, 20], ClaimVerdict.FAILS, "2 of 3 seeds with 20 to 100 at most (median: 60)"),
        ([500, None, None], [1000, 200, 1000], ClaimVerdict.HOLDS, "(median: not reached)"),
        ([50, None, None], [100, 20, 20], ClaimVerdict.OPEN, "(median: not reached)"),
        ([None, None], [300, 200], ClaimVerdict.HOLDS, "random (scope 10) does not with 200 to 300 tests of 2 seeds"),
        ([None, None], [90, 20], ClaimVerdict.OPEN, "random (scope 10) suites of 2 seeds are no larger (20 to 90)"),
        ([], [], ClaimVerdict.OPEN, "random (scope 10) was not run"),
    ],
)
def test_needed_random_tests_are_told_of_suites_of_unlike_sizes(needed, largest, outcome, evidence_end):
    finding = fewer_than_random(4, 100, 50.0, needed, largest, random_scope=10)
    assert finding.outcome is outcome
    assert finding.evidence.endswith(evidence_end)
