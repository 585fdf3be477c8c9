"""The subjects of jtestcraft2010: Rostra makes as many tests of them as Table 6.2 prints where no limit was met."""

import csv
from math import comb

import pytest
from support.naive_sequences import explore
from support.sequence_suites import suite_of
from support.structure_formulas import CATALAN, lists
from support.subjects import loaded

from harness import api, resources
from harness.runner.subjects import load_subject

FOLDERS = {
    "UBStack": "jtc_ub_stack",
    "IntStack": "jtc_int_stack",
    "BinSearchTree": "jtc_bin_search_tree",
    "BinomialHeap": "jtc_binomial_heap",
    "LinkedList": "jtc_linked_list",
    "TreeMap": "jtc_tree_map",
    "HeapArray": "jtc_heap_array",
}
HEAPS = {4: 28, 5: 120, 6: 936}
"""Binomial heaps of fewer than n nodes with keys 1..n-1, by n (../shared/published/README.md)."""


FORMULAS = {
    "BinSearchTree": lambda n: 2 * n * sum(comb(n, k) * CATALAN[k] for k in range(n)),
    "LinkedList": lambda n: (2 * n + 1) * lists(n, n - 1),
    "BinomialHeap": lambda n: (2 * n + 1) * HEAPS[n],
}


def _printed() -> dict[tuple[str, int], int]:
    """Rostra's numbers of tests by class and calls; N counts the constructor, and a value's for each other call."""
    path = resources.shipped("results/published") / "jtestcraft2010_table6_2.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["tool"] == "rostra" and row["tests"] and not row["note"]]
    return {(row["class"], (int(row["sequence_length"]) + 1) // 2): int(row["tests"]) for row in rows}


PRINTED = _printed()


@pytest.mark.parametrize(("name", "calls"), PRINTED)
def test_rostra_makes_as_many_tests_as_printed(name, calls, tmp_path):
    suite = suite_of(tmp_path / "suite", "rostra", FOLDERS[name], calls)
    counts = dict(suite.header.inputs_by_target)
    assert counts.pop(name) == 1, "the constructor's call is an input of ours, and no test of theirs"
    assert sum(counts.values()) == PRINTED[name, calls]


@pytest.mark.parametrize(("name", "calls"), [(name, calls) for name, calls in PRINTED if name in FORMULAS])
def test_the_printed_numbers_follow_from_closed_formulas(name, calls):
    assert FORMULAS[name](calls) == PRINTED[name, calls]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_naive_exploration_finds_as_many_tests(name, tmp_path):
    calls = 4
    spec, module = loaded(FOLDERS[name])
    bounds = spec.sequences(calls, load_subject(FOLDERS[name]).source)
    states = explore(module, bounds, rounds=calls).structures
    suite = suite_of(tmp_path / "suite", "rostra", FOLDERS[name], calls)
    assert len(suite) == 1 + len(states) * (len(suite.calls) - 1)


@pytest.mark.parametrize("name", FOLDERS)
def test_states_and_results_are_as_the_postconditions_promise(name):
    checked_suite = api.check(FOLDERS[name], scope=2)
    assert len(checked_suite.properties) >= 2
    assert all(checked.kind == "postcondition" and checked.calls > 0 for checked in checked_suite.properties)
    assert not checked_suite.violated
