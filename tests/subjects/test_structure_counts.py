"""How many structures and inputs the finitizations hold, against formulas and the paper's Table 4."""

from __future__ import annotations

import csv
from itertools import product

import pytest
from subject_samples import CALLS_PER_STATE, COUNTS, NAMES, ROOT, binomial_heaps, calls, heap_arrays, loaded

from harness.generators.korat.search import KoratSearch
from harness.kernel.canon import concrete
from harness.kernel.decode import Decoder
from harness.kernel.space import StateSpace

TITLES = {"SearchTree": "search_tree", "HeapArray": "heap_array", "BinomialHeap": "binomial_heap"}


def published_inputs() -> list[tuple[str, int, int]]:
    with (ROOT / "results" / "published" / "exhaustive2003_table4.csv").open() as file:
        return [
            (TITLES[row["benchmark"]], int(row["scope"]), int(row["inputs"]))
            for row in csv.DictReader(file)
            if row["benchmark"] in TITLES
        ]


def test_the_paper_prints_seven_scopes_of_each_of_its_three_subjects():
    assert [(name, scope) for name, scope, _ in published_inputs()] == list(product(TITLES.values(), range(1, 8)))


@pytest.mark.parametrize(("name", "scope", "inputs"), published_inputs())
def test_structures_times_calls_per_structure_explain_the_published_inputs(name, scope, inputs):
    assert COUNTS[name](scope) * CALLS_PER_STATE[name](scope) == inputs


def test_the_recursive_counts_are_the_sequences_that_the_published_inputs_imply():
    # Table 4's inputs divided by s + 3 and by 3 (s + 1).
    assert [heap_arrays(s) for s in range(1, 8)] == [4, 15, 66, 320, 1919, 13139, 117562]
    assert [binomial_heaps(s) for s in range(1, 8)] == [2, 6, 28, 120, 936, 7602, 107416]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scope", [1, 2])
def test_brute_force_over_the_whole_space_finds_that_many_isomorphism_classes(name, scope):
    subject = loaded(name)
    space = StateSpace(subject.spec.finitization(scope))
    decoder = Decoder(space, subject.module)
    classes = set()
    for vector in product(*(range(len(field.domain)) for field in space.fields)):
        state = decoder.decode(vector).root
        verdict = subject.spec.rep_ok(state)
        assert verdict in (True, False)
        if verdict:
            classes.add(concrete(state))
    assert len(classes) == COUNTS[name](scope)


JAVA_EXPLORED = {  # candidates that the original tool explores at scopes 5, 6, 7 under the same bounds
    "search_tree": (8_308, 61_950, 471_708),
    "heap_array": (8_916, 64_533, 519_968),
    "binomial_heap": (8_122, 42_815, 261_788),
}
SCOPES = [*range(1, 7), pytest.param(7, marks=pytest.mark.slow)]


def searched(name: str, scope: int) -> tuple[int, int]:
    """States that Korat finds, and candidates that it explores on the way."""
    subject = loaded(name)
    search = KoratSearch(StateSpace(subject.spec.finitization(scope)), subject.module, subject.spec.rep_ok)
    return sum(1 for _ in search), search.explored


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scope", SCOPES)
def test_korat_finds_as_many_states_as_the_formulas_count_and_explores_no_more_than_the_java_tool(name, scope):
    states, explored = searched(name, scope)
    assert states == COUNTS[name](scope)
    if name in JAVA_EXPLORED and scope >= 5:
        assert explored <= JAVA_EXPLORED[name][scope - 5]


def test_search_trees_invariant_explores_the_very_candidates_that_appendix_a_explores():
    assert (searched("search_tree", 5)[1], searched("search_tree", 6)[1]) == JAVA_EXPLORED["search_tree"][:2]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scope", range(1, 8))
def test_the_finitization_declares_that_many_calls_per_state(name, scope):
    subject = loaded(name)
    assert len(list(calls(subject, scope))) == CALLS_PER_STATE[name](scope)
