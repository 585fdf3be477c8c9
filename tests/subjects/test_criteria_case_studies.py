"""Explored and valid candidates, and classes covered, are those of criteria_pruning2011's table of case studies."""

import csv

import pytest
from case_studies import PRINTED, searched, space_of
from support.sweeps import WHOLE

from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.generators.states.reference.search import KoratSearch

SCOPES = {
    "ListAsSet": ("list_as_set", range(1, 7)),
    "BinomialHeapMerge": ("binomial_heap_merge", range(2, 7)),
    "SearchTreeDelete": ("search_tree_delete", range(1, 7)),
    "DirectedGraph": ("directed_graph", range(2, 4)),
    "WeightedDirectedGraph": ("weighted_directed_graph", range(1, 5)),
}
"""Subject and scopes; the last weighted graphs, 188 millions of them, are only counted without search."""

FAST, BEYOND, LARGEST = 20_000, 200_000, 50_000_000
"""Candidates of a row up to which the reference engine takes a fast test, and beyond which it takes too long.

What is beyond the last number, the compiled engine does in `make thorough` only.
"""


def rows(explored: str, *, large: bool = False) -> list:
    """Return subject, scope and printed row, by the number of candidates explored: the large rows, or the others."""
    parameters = []
    with PRINTED.open() as file:
        printed = list(csv.DictReader(file))
    for title, (name, scopes) in SCOPES.items():
        mine = [row for row in printed if row["case_study"] == title]
        for scope, row in zip(scopes, mine, strict=False):
            if not row[explored]:
                continue  # the tool of the paper did not come to an end
            count = int(row[explored])
            if (count >= BEYOND) is large and (WHOLE or count <= LARGEST):
                marks = [pytest.mark.slow] * (count > FAST)
                parameters.append(pytest.param(name, scope, row, marks=marks, id=f"{title} {row['scope']}"))
    return parameters


@pytest.mark.parametrize(("name", "scope", "row"), rows("korat_explored"))
def test_korat_explores_and_finds_as_many_as_printed(name, scope, row):
    space, module, spec = space_of(name, scope)
    search = KoratSearch(space, module, spec.rep_ok)
    valid = sum(1 for _ in search)
    assert (search.explored, valid) == (int(row["korat_explored"]), int(row["korat_valid"]))


@pytest.mark.parametrize(("name", "scope", "row"), rows("koratplus_explored"))
def test_korat_plus_explores_and_finds_as_many_as_printed_and_covers_the_classes(name, scope, row):
    space, module, spec = space_of(name, scope)
    search = KoratPlusSearch(space, module, spec.rep_ok, Pruning(spec.eq_class))
    valid = sum(1 for _ in search)
    assert (search.explored, valid) == (int(row["koratplus_explored"]), int(row["koratplus_valid"]))
    assert len(search.classes) == int(row["classes_covered"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where searches are kept that are compiled once for all scopes."""
    return tmp_path_factory.mktemp("compiled")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "scope", "row"), rows("korat_explored", large=True))
def test_at_large_rows_the_compiled_engine_explores_and_finds_as_many_as_printed(name, scope, row, folder):
    search, valid = searched(name, scope, folder, prunes=False)
    assert (search.explored, valid) == (int(row["korat_explored"]), int(row["korat_valid"]))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "scope", "row"), rows("koratplus_explored", large=True))
def test_at_large_rows_the_compiled_engine_prunes_as_printed(name, scope, row, folder):
    search, valid = searched(name, scope, folder, prunes=True)
    assert (search.explored, valid) == (int(row["koratplus_explored"]), int(row["koratplus_valid"]))
    assert len(search.classes) == int(row["classes_covered"])
