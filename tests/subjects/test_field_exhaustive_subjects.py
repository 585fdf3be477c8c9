"""The subjects of field_exhaustive2016: their numbers of inputs, their routines, what their postconditions tell."""

import csv
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from inspect import signature
from shutil import rmtree
from typing import Any

import pytest
from models import FIELD_MODELS
from subject_samples import FIELD_COUNTS, ROOT, binomial_heaps, inputs, loaded, number_of_inputs, search_trees, states
from support.sweeps import WHOLE

from harness import api
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.splice import mutated_source
from harness.kernel.specs.spec import Spec
from harness.model.outcome import Equivalence
from harness.mutation.manifest import read_equivalence
from harness.mutation.operator_sets import OPERATOR_SETS

LIMIT = 1_000_000
"""Structures at most, in the paper (section 6)."""

SMALL = 25_000
"""Inputs that the reference engine makes in a second."""

LARGE = 1_000_000
"""Inputs beyond which a suite is made in `make thorough` only."""

INPUTS: dict[str, Callable[[int], int]] = {
    "field_sorted_list": lambda scope: 3 * scope * FIELD_COUNTS["field_sorted_list"](scope),
    "field_search_tree": lambda scope: 3 * scope * search_trees(scope),
    "field_tree_set": lambda scope: 3 * scope * FIELD_COUNTS["field_tree_set"](scope),
    "field_binomial_heap": lambda scope: (2 * scope + 1) * binomial_heaps(scope) + 1,
}
"""Inputs of all targets, by scope."""

PRINTED = {
    "SortedSinglyLinkedList": "field_sorted_list",
    "BinarySearchTree": "field_search_tree",
    "TreeSet": "field_tree_set",
    "BinomialHeap": "field_binomial_heap",
}


def published(column: str) -> list[tuple[str, int, str]]:
    """Subject, scope and printed number of inputs, or what is printed instead of one."""
    with (ROOT / "results" / "published" / "field_exhaustive2016_table1.csv").open() as file:
        return [(PRINTED[row["subject"]], int(row["scope"]), row[column]) for row in csv.DictReader(file)]


def numbers(column: str) -> list[tuple[str, int, int]]:
    """Subject, scope and number, where one is printed."""
    return [(name, scope, int(size)) for name, scope, size in published(column) if size.isdecimal()]


NUMBERS = numbers("size_be")


@pytest.mark.parametrize(("name", "scope", "size"), NUMBERS)
def test_formulas_explain_the_published_inputs(name, scope, size):
    assert INPUTS[name](scope) == size


def test_the_paper_stops_where_a_million_structures_are_exceeded():
    stopped = [(name, scope) for name, scope, size in published("size_be") if size == "IL"]
    assert stopped == [("field_sorted_list", 12), ("field_binomial_heap", 9)]
    for name, scope in stopped:
        assert FIELD_COUNTS[name](scope - 1) <= LIMIT < FIELD_COUNTS[name](scope)


@pytest.mark.parametrize(("name", "scope", "size"), [row for row in NUMBERS if row[2] < SMALL])
def test_korat_makes_as_many_inputs_as_published(name, scope, size):
    assert number_of_inputs(loaded(name), scope) == size


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """The folder of suites, and of searches that are compiled once for all scopes."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scope", "size"), [row for row in NUMBERS if row[2] >= SMALL and (WHOLE or row[2] <= LARGE)]
)
def test_korat_makes_as_many_inputs_as_published_at_the_largest_scopes(name, scope, size, cache, monkeypatch):
    monkeypatch.setenv("MUTASCOPE_CACHE", str(cache))
    assert len(api.generate(name, "korat", scope)) == size
    rmtree(cache / "suites")


def test_the_published_field_exhaustive_suites_take_arguments_bit_by_bit():
    def calls(name: str, arguments: int) -> int:
        return 2 * arguments + 1 if name == "field_binomial_heap" else 3 * arguments

    def bits(scope: int) -> int:
        return min(scope.bit_length(), 6)

    suites = numbers("size_fe")
    assert len(suites) == 54
    assert all(size % calls(name, 1 + bits(scope)) == 0 for name, scope, size in suites)
    structures = {(name, scope): size // calls(name, 1 + bits(scope)) for name, scope, size in suites}
    assert structures["field_search_tree", 10] == 86  # as section 3 of the paper says
    page = (ROOT / "docs" / "subjects.md").read_text()
    for name, title in ((name, title) for title, name in PRINTED.items()):
        row = [f"{number:,}" for (other, scope), number in structures.items() if other == name and scope <= 12]
        assert f"| {title} | {' | '.join(row)} |" in page


@pytest.mark.parametrize("name", FIELD_MODELS)
def test_a_postcondition_admits_one_outcome_of_each_input(name):
    subject = loaded(name)
    everything = {subject.abstract(make()) for make in states(subject, 3)}
    results = [None, True, False, *range(1, 4)]
    for each in inputs(subject, 2):
        state, arguments = each.make()
        before = subject.abstract(state)
        expected, right = FIELD_MODELS[name][each.target.name](before, *arguments)
        holds = partial(outcome_holds, subject.spec, each.target.name, before, arguments)
        assert holds(right, expected)
        assert not any(holds(after, expected) for after in everything if after != right)
        other_results = [
            result for result in (*results, IndexError) if (result, type(result)) != (expected, type(expected))
        ]
        assert not any(holds(right, result) for result in other_results)


def outcome_holds(spec: Spec, name: str, before: tuple, arguments: list, after: tuple, result: Any) -> bool:
    """Return the postcondition's answer about a result, or about a raised exception of that type."""
    post = getattr(spec.module, f"post_{name}")
    raised = result() if isinstance(result, type) else None
    if "raised" in signature(post).parameters:
        return post(before, after, None if raised else result, *arguments, raised=raised)
    return raised is None and post(before, after, result, *arguments)


@pytest.mark.parametrize("name", ["field_sorted_list", "field_search_tree", "field_binomial_heap"])
def test_mutants_that_are_proven_equivalent_do_as_the_original_on_every_small_input(name):
    subject = loaded(name)
    folder = ROOT / "mutants" / name
    mutants = {m.id: m for operators in OPERATOR_SETS for m in api.mutants(name, operators=operators)}
    proven = [a.mutant for a in read_equivalence(folder, mutants) if a.equivalence is Equivalence.PROVEN]
    assert len(proven) >= 5
    for mutant in proven:
        source = mutated_source(subject.source, mutants[mutant])
        mutated = replace(subject, module=execute(ModuleText(name, source, name, ())))
        for each, other in zip(inputs(subject, 3), inputs(mutated, 3), strict=True):
            state, arguments = each.make()
            changed, same_arguments = other.make()
            result = subject.invoke(each.target, state, arguments)
            assert mutated.invoke(other.target, changed, same_arguments) == result, mutant
            assert mutated.abstract(changed) == subject.abstract(state), mutant
