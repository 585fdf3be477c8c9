"""The frozen run of jtestcraft2010 is of its experiment, and has the numbers of Table 6.2 that are the paper's."""

from __future__ import annotations

import pytest

from harness import api, resources
from harness.papers.jtestcraft2010 import NAME, TABLES
from harness.papers.jtestcraft2010.claims import MOST_TESTS
from harness.papers.jtestcraft2010.given import CSS, SUBJECTS, JtestcraftInputs
from harness.papers.jtestcraft2010.table6_2 import BEYOND, LIMITS
from harness.papers.tables import Missing, Unit
from harness.runner.experiment import load_experiment

FROZEN = resources.shipped("results/frozen") / NAME


@pytest.fixture(scope="module")
def given() -> JtestcraftInputs:
    found = api.load(FROZEN).paper_inputs(paper=NAME)
    assert isinstance(found, JtestcraftInputs)
    return found


@pytest.mark.end_to_end
def test_its_trials_are_those_of_the_experiment_and_were_evaluated(given):
    wanted = {(trial.subject, trial.generator, trial.scope, trial.seed) for trial in load_experiment(NAME).trials}
    assert {(s.subject, s.generator, s.scope, s.seed) for s in given.suites} == wanted
    whole = {part.suite.trial for part in given.parts if part.basis == "whole"}
    assert whole == {suite.trial for suite in given.suites}
    assert all(suite.seconds is not None for suite in given.suites)


def test_rostra_was_run_until_it_met_the_limit_and_symstra_goes_further_where_it_did(given):
    for subject in SUBJECTS.values():
        tests = {s.scope: s.inputs - 1 for s in given.suites if (s.subject, s.generator) == (subject, "rostra")}
        stopped = [scope for scope, made in tests.items() if made > MOST_TESTS]
        assert stopped == [max(tests)] or (not stopped and max(tests) == 8), subject
    found = {row.labels[1]: row.cells[0].measured for row in TABLES["claims"](given).rows if row.labels[0] == "length"}
    assert {title for title, outcome in found.items() if outcome != "HOLDS"} == {"TreeMap"}
    assert found["TreeMap"] == "NOT DECIDABLE"


def test_css_was_run_to_eight_calls_or_until_it_met_our_limit_and_the_table_says_where_it_did(given):
    for subject in SUBJECTS.values():
        tests = {s.scope: s.inputs - 1 for s in given.suites if (s.subject, s.generator) == (subject, CSS)}
        stopped = [scope for scope, made in tests.items() if made > LIMITS[CSS]]
        assert stopped == [max(tests)] or (not stopped and max(tests) == 7), subject
    told = {
        row.labels[:3]: row.cells[0].measured
        for row in TABLES["table6_2"](given).rows
        if isinstance(row.cells[0].measured, Missing)
    }
    assert {key for key in told if key[1] == "jtestcraft"} == {("TreeMap", "jtestcraft", "8")}
    assert set(told.values()) == set(BEYOND.values())


def test_no_number_is_compared_with_one_that_met_a_limit(given):
    printed = given.printed("table6_2", keys=3)
    table = TABLES["table6_2"](given)
    limited = [row for row in table.rows if (" ".join(row.labels[:3]), "note") in printed]
    assert len(limited) == 33
    cells = [(cell, column) for row in limited for cell, column in zip(row.cells, table.columns, strict=True)]
    assert not [cell for cell, column in cells if cell.difference(column.unit) is not None]


def test_the_classes_on_which_symstra_is_behind_at_equal_cost_are_those_that_the_document_names(given):
    def behind(basis: str, limit: float, *others: str) -> set[str]:
        found = set()
        for title in SUBJECTS:
            parts = [part for part in given.of(title, basis) if part.limit == limit]
            score = {part.suite.kind: part.score for part in parts}
            if "symstra" in score and any(score.get(other, 0) > score["symstra"] for other in others):
                found.add(title)
        return found

    sequences = ("rostra", "beapi", "random")
    of_four = {"UBStack", "BinSearchTree", "BinomialHeap", "TreeMap"}
    assert {limit: behind("inputs", limit, *sequences) for limit in (10, 30, 100, 300, 1000)} == {
        10: of_four, 30: {"TreeMap"}, 100: set(), 300: set(), 1000: set(),
    }  # fmt: skip
    assert behind("inputs", 10, "rostra") == behind("inputs", 10, "beapi") == behind("inputs", 10, "css") == of_four
    assert {limit: behind("calls", limit, *sequences) for limit in (100, 300, 1000, 3000)} == {
        100: {"TreeMap"}, 300: set(), 1000: {"BinSearchTree"}, 3000: {"BinSearchTree"},
    }  # fmt: skip
    assert behind("seconds", 0.01, "korat") == behind("seconds", 0.01, "random") == {"BinSearchTree", "TreeMap"}
    assert behind("seconds", 0.01, *sequences, "css", "korat") == {"BinSearchTree", "TreeMap"}


def test_ten_states_are_ahead_of_ten_sequences_on_two_classes(given):
    ahead = set()
    for title in SUBJECTS:
        score = {part.suite.kind: part.score for part in given.of(title, "inputs") if part.limit == 10}
        states = score.pop("korat")
        if states > max(score.values()):
            ahead.add(title)
        largest = {part.suite.kind: part.score for part in given.of(title, "largest")}
        assert largest["korat"] < largest["symstra"] or title == "LinkedList"
    assert ahead == {"IntStack", "HeapArray"}


def test_numbers_of_tests_are_as_printed_where_no_limit_was_met_or_are_known_to_differ(given):
    table = TABLES["table6_2"](given)
    at = [column.name for column in table.columns].index("tests")
    apart = set()
    for row in table.rows:
        title, tool, length = row.labels[:3]
        cell = row.cells[at]
        if tool == "jtestcraft" or isinstance(cell.measured, Missing) or cell.published.value is None:
            continue
        if cell.difference(Unit.COUNT):
            apart.add((title, tool, length))
    # docs/symbolic.md says of each why, as far as it is known.
    lengths = {"TreeMap": ("11", "13", "15"), "UBStack": ("13", "15"), "HeapArray": ("9", "11", "13", "15")}
    assert apart == {(title, "symstra", length) for title, of_title in lengths.items() for length in of_title}
