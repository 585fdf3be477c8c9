"""Suites of a run are looked up by subject, generator, scope and seed, and several trials of one are chosen from."""

from fractions import Fraction

import pytest
from support.run_samples import coverage_row, frames_of_rows, judged_rows, trial_row

from harness.errors import StoreError
from harness.papers.suites import WITHOUT_SEED, RunSuites, TrialFacts, executed, first_matrix, latest, was_executed

DIFFERENTIAL, POSTCONDITION = "differential", "postcondition"
FIRSTS = {"a": 0, "b": 7, "c": None}


def trial(key, **columns):
    return trial_row("tree", "Tree", 3, trial=key, generator="korat", **({"inputs": 100} | columns))


def facts_of(trials, **more_frames):
    return TrialFacts(frames_of_rows(trials, **more_frames))


@pytest.mark.parametrize(("choice", "chosen"), [(latest, "generated"), (executed, "again"), (first_matrix, "matrix")])
def test_the_choice_says_which_of_several_trials_counts(choice, chosen):
    trials = [
        trial("first", mode="first-kill"),
        trial("matrix", mode="matrix", seed=1),
        trial("again", mode="first-kill"),
        trial("generated", mode="generate"),
    ]
    (suite,) = RunSuites(facts_of(trials), WITHOUT_SEED, choice)
    assert suite.trial == chosen


def test_suites_of_several_seeds_are_told_apart_and_the_first_one_stands_for_them():
    suites = RunSuites(facts_of([trial("one", seed=4), trial("other", seed=5)]))
    assert suites.get("tree", "korat", 3).trial == "one"
    assert [suite.seed for suite in suites.of("tree")] == [4, 5]
    assert (suites.scopes("tree", "korat", "beapi"), suites.scopes("tree", "beapi"), suites.of(None)) == ([3], [], ())


def test_trials_that_do_not_count_are_no_suites():
    suites = RunSuites(facts_of([trial("one", mode="generate"), trial("two", finished=False)]), counts=was_executed)
    assert list(suites) == []


def test_a_suite_has_the_kills_of_each_oracle_and_the_first_seconds_that_are_told():
    trials = [
        trial("d", oracle=DIFFERENTIAL),
        trial("p", oracle=POSTCONDITION),
        trial("x", oracle="public", mode="generate"),
    ]
    timings = [
        {"trial": "x", "what": "generate", "seconds": 9.0},
        {"trial": "d", "what": "search_cpu", "seconds": 0.5},
        {"trial": "d", "what": "write_cpu", "seconds": 0.25},
    ]
    kills = [*judged_rows("d", FIRSTS), *judged_rows("p", {"a": 3})]
    facts = facts_of(trials, results=kills, timings=timings, coverage=[coverage_row("p", "code", "f", 10, 10, 8, 6)])
    (suite,) = RunSuites(facts)
    assert suite.first_kills == {DIFFERENTIAL: FIRSTS, POSTCONDITION: {"a": 3}}
    assert (suite.generating, suite.elapsed, suite.testing, suite.branches) == (0.75, 9.0, None, Fraction(3, 4))


def test_beginnings_of_a_suite_are_scored_from_its_first_kills():
    (suite,) = RunSuites(facts_of([trial("d")], results=judged_rows("d", FIRSTS)))
    assert [suite.killed(DIFFERENTIAL, size) for size in (0, 1, 7, 8, None)] == [0, 1, 1, 2, 2]
    assert [suite.beginning_that_kills(DIFFERENTIAL, wanted) for wanted in (0, 1, 2, 3)] == [0, 1, 8, None]
    assert suite.score(DIFFERENTIAL) == Fraction(2, 3)
    assert suite.score(POSTCONDITION) is None


def test_a_mutant_that_died_at_an_unknown_input_is_killed_by_the_whole_suite_and_beginnings_are_refused():
    rows = judged_rows("d", {"a": 0, "b": 7, "c": None})
    rows[0] |= {"input": None, "phase": "call"}
    (suite,) = RunSuites(facts_of([trial("d")], results=rows))
    assert [suite.killed(DIFFERENTIAL, size) for size in (None, 100)] == [2, 2]
    for refused in (suite.killed, suite.score, suite.beginning_that_kills):
        with pytest.raises(StoreError, match="tree korat scope 3: a died at an unknown input"):
            refused(DIFFERENTIAL, 1)
    rows[0] |= {"phase": "load"}
    (suite,) = RunSuites(facts_of([trial("d")], results=rows))
    assert suite.killed(DIFFERENTIAL, 1) == 1
