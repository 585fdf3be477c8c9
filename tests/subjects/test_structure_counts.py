"""How many structures and inputs the finitizations hold, against formulas and the paper's Table 4."""

from __future__ import annotations

import csv
from itertools import product

import pytest
from subject_samples import CALLS_PER_STATE, COUNTS, NAMES, ROOT, binomial_heaps, heap_arrays, loaded

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
