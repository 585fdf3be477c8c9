"""Graphs of criteria_pruning2011: graphs and classes by counting, without search, and what docs tell."""

import csv
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import pytest
from case_studies import PRINTED, space_of

from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning

DOCUMENTED = Path(__file__).parents[2] / "docs" / "subjects.md"
ROWS = [("directed_graph", 2, "2"), ("directed_graph", 3, "3")] + [
    ("weighted_directed_graph", scope, text)
    for scope, text in enumerate(("2,-1-1", "2,-2-2", "3,-1-1", "3,-2-2", "3,-3-3"), 1)
]
TITLES = {"directed_graph": "DirectedGraph", "weighted_directed_graph": "WeightedDirectedGraph"}


COUNTS = ("korat_explored", "korat_valid", "koratplus_explored", "koratplus_valid", "classes_covered")


def printed(name: str, scope: str) -> dict[str, int]:
    with PRINTED.open() as file:
        rows = list(csv.DictReader(file))
    (row,) = (row for row in rows if (row["case_study"], row["scope"]) == (TITLES[name], scope))
    return {count: int(row[count]) for count in COUNTS}


def groupings(items: list) -> Iterator[list[list]]:
    """Yield all ways of putting `items` into groups without order."""
    if not items:
        yield []
        return
    first, later = items[0], items[1:]
    for size in range(len(later) + 1):
        for indices in combinations(range(len(later)), size):
            group = [first, *(later[other] for other in indices)]
            for groups in groupings([item for index, item in enumerate(later) if index not in indices]):
                yield [group, *groups]


def unsorted_graphs(vertices: int) -> int:
    """List by list: so many nodes of its own, then None or any node of the lists before; each node has a target."""
    count = 0
    for groups in groupings(list(range(vertices))):
        pools = {0: 1}
        for _ in groups:
            grown: dict[int, int] = {}
            for nodes, ways in pools.items():
                for more in range(vertices**2 - nodes + 1):
                    grown[nodes + more] = grown.get(nodes + more, 0) + ways * (nodes + 1)
            pools = grown
        count += sum(ways * vertices**nodes for nodes, ways in pools.items())
    return count


def sorted_graphs(vertices: int, weights: int) -> int:
    """Count from the last target to the first: some lists with the same rest get a node before it, shared or not."""

    def chains(lists: int, targets: int) -> int:
        if targets == 0:
            return 1
        count = 0
        for chosen in product((False, True), repeat=lists):
            without = chains(lists - sum(chosen), targets - 1)
            for groups in groupings([index for index in range(lists) if chosen[index]]):
                ways = without
                for group in groups:
                    ways *= weights * chains(len(group), targets - 1)
                count += ways
        return count

    return sum(chains(len(groups), vertices) for groups in groupings(list(range(vertices))))


@pytest.mark.parametrize(("name", "scope", "text"), ROWS)
def test_counting_without_search_gives_the_printed_number_of_graphs(name, scope, text):
    vertices, _, largest = text.partition(",-")
    weights = 2 * int(largest[0]) + 1 if largest else 0
    counted = sorted_graphs(int(vertices), weights) if weights else unsorted_graphs(int(vertices))
    assert counted == printed(name, text)["korat_valid"]


def classes_by_arcs(vertices: int) -> set[tuple[bool, ...]]:
    """The classes of weighted graphs, from all sets of arcs: an arc or more may be given a negative weight, or none."""
    classes = set()
    pairs = list(product(range(vertices), repeat=2))
    for chosen in product((False, True), repeat=len(pairs)):
        arcs = {pair for pair, is_arc in zip(pairs, chosen, strict=True) if is_arc}
        ways = set(arcs)
        for _ in range(vertices):
            ways |= {(source, target) for source, via in ways for start, target in arcs if via == start}
        is_acyclic = not any(source == target for source, target in ways)
        is_connected = all(pair in ways for pair in pairs if pair[0] != pair[1])
        density = (not arcs, len(arcs) >= len(pairs) // 2, len(arcs) == len(pairs))
        classes |= {(is_acyclic, is_negative, is_connected, *density) for is_negative in {False, bool(arcs)}}
    return classes


@pytest.mark.parametrize(("scope", "text"), [(1, "2,-1-1"), (3, "3,-1-1")])
def test_sets_of_arcs_have_as_many_classes_as_printed(scope, text):
    assert len(classes_by_arcs(int(text[0]))) == printed("weighted_directed_graph", text)["classes_covered"]


def test_korat_plus_covers_exactly_the_classes_that_sets_of_arcs_have():
    space, module, spec = space_of("weighted_directed_graph", 1)
    search = KoratPlusSearch(space, module, spec.rep_ok, Pruning(spec.eq_class))
    for _ in search:
        pass
    assert set(search.classes) == classes_by_arcs(2)


@pytest.mark.parametrize(("name", "scope", "text"), ROWS)
def test_the_counts_that_docs_tell_are_the_printed_ones(name, scope, text):
    label = f"{name} {scope}"
    (row,) = (line for line in DOCUMENTED.read_text().splitlines() if line.startswith(f"| `{name}` {scope} |"))
    printed_counts = [int(cell.replace(",", "")) for cell in row.split("|")[3:8]]
    assert dict(zip(COUNTS, printed_counts, strict=True)) == printed(name, text), label
