"""Chosen inputs cover what all inputs cover, and a test's last calls are those of a routine with known values."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from support.subjects import load_subject

from harness import api
from harness.errors import StoreError, UsageError
from harness.measured.condition_outcome_cache import outcomes_of_suite
from harness.model.experiment import Trial
from harness.model.routines import ArgumentDomain, Routine, RoutineKind
from harness.report.written_tests.choice import Select, chosen
from harness.report.written_tests.recording import MOST_CALLS, Probe, probed, probing_routines
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


class Bag:
    def __init__(self, *items: int) -> None:
        self.items = list(items)

    def take(self) -> int:
        return self.items.pop()

    def remove(self, item: int) -> bool:
        found = item in self.items
        self.items = [one for one in self.items if one != item]
        return found

    def itself(self) -> Bag:
        return self


NUMBERS = ArgumentDomain((1, 2, 3))
TAKE = Routine("take", RoutineKind.METHOD, ())
REMOVE = Routine("remove", RoutineKind.METHOD, (NUMBERS,))


def probe(routine: Routine, held: Any, count: int, *values: Any) -> Probe | None:
    return probed(routine, held, {repr(value): value for value in values}, count, {})


def test_public_methods_of_at_most_one_plain_argument_are_asked() -> None:
    with_book = Routine("put", RoutineKind.METHOD, (ArgumentDomain((), ("Book",)),))
    by_name = Routine("put", RoutineKind.METHOD, (NUMBERS,), keywords=("item",))
    guarded = dataclasses.replace(TAKE, requires=lambda held: bool(held.items))
    private, of_two = Routine("_take", RoutineKind.METHOD, ()), Routine("swap", RoutineKind.METHOD, (NUMBERS, NUMBERS))
    constructor, function = Routine("Bag", RoutineKind.CONSTRUCTOR, ()), Routine("heappop", RoutineKind.FUNCTION, ())
    routines = [constructor, TAKE, REMOVE, with_book, by_name, guarded, private, of_two, function]
    assert probing_routines(routines) == [TAKE, REMOVE]


def test_a_routine_without_arguments_is_called_until_it_raises() -> None:
    probed = probe(TAKE, Bag(1, 2), 5)
    assert probed is not None
    assert (probed.calls, probed.named) == ((("", "2"), ("", "1")), {"1", "2"})
    assert probed.takes_nothing
    assert probe(TAKE, Bag(), 5) is probe(TAKE, Bag(1), 0) is None
    most = probe(TAKE, Bag(*range(1000)), 1000)
    assert most is not None
    assert len(most.calls) == MOST_CALLS


def test_a_routine_of_one_argument_is_called_in_turn_with_the_values_of_its_domain() -> None:
    probed = probe(REMOVE, Bag(1, 3), 0, 1, 2, True, "x", 9)
    assert probed is not None
    assert (probed.calls, probed.named) == ((("1", "True"), ("2", "False")), {"1"})
    assert not probed.takes_nothing
    assert probe(REMOVE, Bag(1), 0, 9) is None


@pytest.mark.parametrize("name", ["take", "itself"])
def test_nothing_is_told_by_what_raises_or_gives_an_object(name: str) -> None:
    assert probe(dataclasses.replace(TAKE, name=name), Bag(), 1) is None
