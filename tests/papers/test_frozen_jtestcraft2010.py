"""The frozen run of jtestcraft2010 is of its experiment, and has the numbers of Table 6.2 that are the paper's."""

from statistics import median

import pytest

from harness import api, resources
from harness.model.score import ScorePolicy
from harness.papers.jtestcraft2010 import NAME, TABLES, paper_inputs
from harness.papers.jtestcraft2010.run import CSS, MOST_TESTS, SUBJECTS, JtestcraftInputs
from harness.papers.jtestcraft2010.tables import BEYOND, LIMITS
from harness.runner.experiment import load_experiment
from harness.tables.cell import Missing, Unit

FROZEN = resources.shipped("results/frozen") / NAME


@pytest.fixture(scope="module")
def dataset():
    inputs = paper_inputs(api.load(FROZEN), ScorePolicy.ALL_VIABLE)
    assert isinstance(inputs, JtestcraftInputs)
    return inputs


@pytest.mark.end_to_end
def test_its_trials_are_those_of_the_experiment_and_were_evaluated(dataset):
    expected = {(trial.subject, trial.generator, trial.scope, trial.seed) for trial in load_experiment(NAME).trials}
    assert {(s.subject, s.generator, s.scope, s.seed) for s in dataset.suites} == expected
    whole = {part.suite.trial for part in dataset.parts if part.basis == "whole"}
    assert whole == {suite.trial for suite in dataset.suites}
    assert all(suite.generating is not None for suite in dataset.suites)


def test_rostra_was_run_until_it_met_the_limit_and_symstra_goes_further_where_it_did(dataset):
    for subject in SUBJECTS.values():
        tests = {s.scope: s.inputs - 1 for s in dataset.suites if (s.subject, s.generator) == (subject, "rostra")}
        stopped = [scope for scope, made in tests.items() if made > MOST_TESTS]
        assert stopped == [max(tests)] or (not stopped and max(tests) == 8), subject
    measured = {
        row.labels[1]: row.cells[0].measured for row in TABLES["claims"](dataset).rows if row.labels[0] == "length"
    }
    assert {title for title, outcome in measured.items() if outcome != "HOLDS"} == {"TreeMap"}
    assert measured["TreeMap"] == "NOT DECIDABLE"


def test_css_was_run_to_eight_calls_or_until_it_met_our_limit_and_the_table_says_where_it_did(dataset):
    for subject in SUBJECTS.values():
        tests = {s.scope: s.inputs - 1 for s in dataset.suites if (s.subject, s.generator) == (subject, CSS)}
        stopped = [scope for scope, made in tests.items() if made > LIMITS[CSS]]
        assert stopped == [max(tests)] or (not stopped and max(tests) == 7), subject
    limits = {
        row.labels[:3]: row.cells[0].measured
        for row in TABLES["table6_2"](dataset).rows
        if isinstance(row.cells[0].measured, Missing)
    }
    assert {key for key in limits if key[1] == "jtestcraft"} == {("TreeMap", "jtestcraft", "8")}
    assert set(limits.values()) == set(BEYOND.values())


def test_no_number_is_compared_with_one_that_met_a_limit(dataset):
    printed = dataset.printed("table6_2", keys=3)
    table = TABLES["table6_2"](dataset)
    limited = [row for row in table.rows if "note" in printed.row(*row.labels[:3])]
    assert len(limited) == 33
    cells = [(cell, column) for row in limited for cell, column in zip(row.cells, table.columns, strict=True)]
    assert not [cell for cell, column in cells if cell.difference(column.unit) is not None]


def test_rows_of_whole_suites_are_counted_from_the_verdicts_at_one_scope(dataset):
    results = dataset.frames.results
    killed = {key: set(rows[rows["verdict"] == "killed"]["mutant"]) for key, rows in results.groupby("trial")}
    for title in SUBJECTS:
        parts = dataset.of(title, "all")
        for scope in {part.suite.scope for part in parts}:
            by_half = {}
            for part in (part for part in parts if part.suite.scope == scope):
                seeds = [s.trial for s in dataset.suites if _same(s, part.suite)]
                assert (part.suites, part.killed) == (len(seeds), median(len(killed[seed]) for seed in seeds))
                mutants = sorted(set.union(*map(killed.get, seeds)))
                counts = [sum(mutant in killed[seed] for seed in seeds) for mutant in mutants]
                half = {mutant for mutant, count in zip(mutants, counts, strict=True) if 2 * count >= len(seeds)}
                by_half[part.suite.generator] = half, part.unique_kills
            for name, (mine, kills_alone) in by_half.items():
                other_halves = (half for other, (half, _) in by_half.items() if other != name)
                assert len(mine.difference(*other_halves)) == kills_alone


def _same(suite, other):
    return (suite.subject, suite.generator, suite.scope) == (other.subject, other.generator, other.scope)


def test_at_one_scope_the_document_says_which_sequences_kill_more(dataset):
    score = {
        (title, part.suite.scope, part.suite.kind): part.score
        for title in SUBJECTS
        for part in dataset.of(title, "all")
    }

    def ahead(one: str, other: str, scope: int) -> set[str]:
        pairs = ((title, score.get((title, scope, one)), score.get((title, scope, other))) for title in SUBJECTS)
        return {title for title, mine, its in pairs if mine is not None and its is not None and mine > its}

    trees = {"BinSearchTree", "BinomialHeap", "TreeMap"}
    assert ahead("symstra", "rostra", 4) == ahead("symstra", "rostra", 5) == set()
    assert ahead("rostra", "symstra", 4) == ahead("rostra", "symstra", 5) == {"HeapArray"}
    assert ahead("beapi", "rostra", 4) == ahead("beapi", "css", 4) - {"HeapArray"} == trees
    assert (ahead("css", "rostra", 4), ahead("rostra", "css", 4)) == (set(), {"HeapArray"})
    assert ahead("css", "rostra", 5) == ahead("rostra", "css", 5) == set()
    assert ahead("random", "symstra", 7) == {"BinomialHeap", "HeapArray"}
    assert ahead("symstra", "random", 7) == {"TreeMap"}
    assert (ahead("korat", "beapi", 4), ahead("beapi", "korat", 4)) == ({"TreeMap"}, set())


def test_numbers_of_tests_are_as_printed_where_no_limit_was_met_or_are_known_to_differ(dataset):
    table = TABLES["table6_2"](dataset)
    at = [column.name for column in table.columns].index("tests")
    differing = set()
    for row in table.rows:
        title, tool, length = row.labels[:3]
        cell = row.cells[at]
        if tool == "jtestcraft" or isinstance(cell.measured, Missing) or cell.published.value is None:
            continue
        if cell.difference(Unit.COUNT):
            differing.add((title, tool, length))
    # docs/symbolic.md says of each why, as far as it is known.
    lengths = {"TreeMap": ("11", "13", "15"), "UBStack": ("13", "15"), "HeapArray": ("9", "11", "13", "15")}
    assert differing == {(title, "symstra", length) for title, of_title in lengths.items() for length in of_title}
