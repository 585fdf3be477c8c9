"""Chosen inputs cover what all inputs cover; a greedy set cover is one."""

import pytest
from support.subjects import load_subject

from harness import api
from harness.errors import StoreError, UsageError
from harness.measured.condition_outcome_cache import outcomes_of_suite
from harness.model.experiment import Trial
from harness.report.written_tests.choice import Select, chosen
from harness.runner.suites import ensure_suite

SUBJECT, GENERATOR, SCOPE = "jtc_ub_stack", "symstra", 3


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MUTASCOPE_CACHE", str(tmp_path_factory.mktemp("cache")))
        subject, _ = load_subject(SUBJECT)
        return subject, ensure_suite(subject, Trial(SUBJECT, GENERATOR, SCOPE))


@pytest.mark.slow
def test_each_input_reaches_an_outcome_that_none_before_it_does(suite):
    choice = chosen(*suite, Select.OUTCOMES)
    matrix = outcomes_of_suite(*suite)
    reached: set[int] = set()
    expected = []
    for number in range(len(suite[1])):
        new = {row for row in range(len(matrix.outcomes)) if number in matrix.reaching(row).tolist()}
        if not new <= reached:
            expected.append(number)
        reached |= new
    assert list(choice.numbers) == expected
    assert (choice.covered, choice.elements, choice.inputs) == (len(reached), len(matrix.outcomes), len(suite[1]))
    fewest = chosen(*suite, Select.OUTCOMES, fewest=True)
    assert matrix.reached_by(fewest.numbers).sum() == len(reached) == fewest.covered
    assert 0 < len(fewest.numbers) < len(expected)


def test_all_are_all(suite):
    assert chosen(*suite, Select.ALL).numbers == tuple(range(len(suite[1])))


def test_wrong_choices_are_told(suite):
    with pytest.raises(UsageError, match="--fewest chooses by covered elements"):
        chosen(*suite, Select.ALL, fewest=True)


@pytest.mark.slow
def test_the_first_that_kills_each_mutant_is_chosen_by_kills(tmp_path):
    run = api.run(api.subject_experiment(SUBJECT, GENERATOR, [2], matrix=True), tmp_path / "run", jobs=1)
    subject, _ = load_subject(SUBJECT)
    suite = ensure_suite(subject, Trial(SUBJECT, GENERATOR, 2))
    matrix = api.load(run).matrix(SUBJECT, 2)
    first = [kills[0] for mutant in matrix.mutants if (kills := matrix.kills(mutant))]
    choice = chosen(subject, suite, Select.KILLS, run)
    assert choice.numbers == tuple(sorted(set(first)))
    assert (choice.covered, choice.elements) == (len(first), len(matrix.mutants))
    fewest = chosen(subject, suite, Select.KILLS, run, fewest=True)
    assert matrix.killed_by(fewest.numbers).sum() == len(first)
    assert len(fewest.numbers) <= len(choice.numbers)
    with pytest.raises(StoreError, match="no kill matrix of jtc_ub_stack on this suite of symstra at scope 3"):
        chosen(subject, ensure_suite(subject, Trial(SUBJECT, GENERATOR, 3)), Select.KILLS, run)
