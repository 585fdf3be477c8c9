"""Graphs of criteria_pruning2011: as many as printed, by search, by counting and by the paper; the classes, too."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import pytest
from support.subjects import load_subject

from harness.generators.compiled.engine import Search, Workshop
from harness.generators.korat.plus_search import KoratPlusSearch, Pruning
from harness.generators.korat.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.program.loader import ModuleText, execute

PRINTED = Path(__file__).parents[2] / "results" / "published" / "criteria_pruning2011_case_studies.csv"
DOCUMENTED = Path(__file__).parents[2] / "docs" / "subjects.md"
ROWS = [("directed_graph", 2, "2"), ("directed_graph", 3, "3")] + [
    ("weighted_directed_graph", scope, text)
    for scope, text in enumerate(("2,-1-1", "2,-2-2", "3,-1-1", "3,-2-2", "3,-3-3"), 1)
]
TITLES = {"directed_graph": "DirectedGraph", "weighted_directed_graph": "WeightedDirectedGraph"}


def printed(name: str, scope: str) -> dict[str, str]:
    with PRINTED.open() as file:
        rows = list(csv.DictReader(file))
    (row,) = (row for row in rows if (row["case_study"], row["scope"]) == (TITLES[name], scope))
    return row


def loaded(name: str, scope: int):
    subject, spec = load_subject(name)
    module = execute(ModuleText(subject.module, subject.source, str(subject.source_path), subject.blocked))
    return StateSpace(spec.finitization(scope)), module, spec


def groupings(items: list) -> Iterator[list[list]]:
    """All ways of putting `items` into groups without order."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for size in range(len(rest) + 1):
        for others in combinations(range(len(rest)), size):
            group = [first, *(rest[other] for other in others)]
            for groups in groupings([item for index, item in enumerate(rest) if index not in others]):
                yield [group, *groups]


def unsorted_graphs(vertices: int) -> int:
    """List by list: so many nodes of its own, then None or any node of the lists before; each node has a target."""
    found = 0
    for groups in groupings(list(range(vertices))):
        pools = {0: 1}
        for _ in groups:
            grown: dict[int, int] = {}
            for nodes, ways in pools.items():
                for more in range(vertices**2 - nodes + 1):
                    grown[nodes + more] = grown.get(nodes + more, 0) + ways * (nodes + 1)
            pools = grown
        found += sum(ways * vertices**nodes for nodes, ways in pools.items())
    return found


def sorted_graphs(vertices: int, weights: int) -> int:
    """From the last target to the first: of lists with the same rest, some get a node before it, alone or together."""

    def chains(lists: int, targets: int) -> int:
        if targets == 0:
            return 1
        found = 0
        for chosen in product((False, True), repeat=lists):
            without = chains(lists - sum(chosen), targets - 1)
            for groups in groupings([index for index in range(lists) if chosen[index]]):
                ways = without
                for group in groups:
                    ways *= weights * chains(len(group), targets - 1)
                found += ways
        return found

    return sum(chains(len(groups), vertices) for groups in groupings(list(range(vertices))))


@pytest.mark.parametrize(("name", "scope", "text"), ROWS)
def test_counting_without_search_gives_the_printed_number_of_graphs(name, scope, text):
    vertices, _, largest = text.partition(",-")
    weights = 2 * int(largest[0]) + 1 if largest else 0
    counted = sorted_graphs(int(vertices), weights) if weights else unsorted_graphs(int(vertices))
    assert counted == int(printed(name, text)["korat_valid"])


@pytest.mark.parametrize(("name", "scope", "text"), [row for row in ROWS if row[2][0] == "2"])
def test_korat_finds_as_many_graphs_as_printed(name, scope, text):
    space, module, spec = loaded(name, scope)
    assert sum(1 for _ in KoratSearch(space, module, spec.rep_ok)) == int(printed(name, text)["korat_valid"])


def test_weights_decide_over_no_candidate():
    assert [explored_in_vain(scope) for scope in (1, 2)] == [391, 391]


def documented(label: str) -> list[int]:
    """Explored and valid by Korat, explored and valid by Korat+, and classes: what is here, of the row of the docs."""
    (row,) = (line for line in DOCUMENTED.read_text().splitlines() if line.startswith(f"| {label} |"))
    return [int(cell.partition("/")[0].replace(",", "")) for cell in row.split("|")[2:-1]]


@pytest.mark.parametrize(
    ("name", "scope", "label"),
    [
        ("directed_graph", 2, "DirectedGraph 2"),
        ("weighted_directed_graph", 1, "Weighted 2, -1 to 1"),
        ("weighted_directed_graph", 2, "Weighted 2, -2 to 2"),
    ],
)
def test_korat_and_korat_plus_explore_graphs_of_two_vertices_as_documented(name, scope, label):
    space, module, spec = loaded(name, scope)
    korat = KoratSearch(space, module, spec.rep_ok)
    plus = KoratPlusSearch(space, module, spec.rep_ok, Pruning(spec.eq_class))
    valid, valid_plus = (sum(1 for _ in search) for search in (korat, plus))
    assert [korat.explored, valid, plus.explored, valid_plus, len(plus.classes)] == documented(label)


def explored_in_vain(scope: int) -> int:
    space, module, spec = loaded("weighted_directed_graph", scope)
    search = KoratSearch(space, module, spec.rep_ok)
    valid = sum(1 for _ in search)
    return search.explored - valid


@pytest.mark.parametrize(("name", "scope", "text"), [row for row in ROWS if row[2][0] == "2"])
def test_korat_plus_covers_as_many_classes_as_printed(name, scope, text):
    space, module, spec = loaded(name, scope)
    search = KoratPlusSearch(space, module, spec.rep_ok, Pruning(spec.eq_class))
    for _ in search:
        pass
    assert len(search.classes) == int(printed(name, text)["classes_covered"])


def searched(name: str, scope: int, folder: Path, *, prunes: bool) -> tuple[int, int]:
    """How many graphs and classes the compiled engine finds."""
    space, module, spec = loaded(name, scope)
    pruning = Pruning(spec.eq_class) if prunes else None
    search = Search(space, module, spec.rep_ok, Workshop(folder, lambda notice: None), pruning=pruning)
    found = sum(1 if isinstance(piece, tuple) else len(piece) for piece in search.pieces())
    assert search.engine == "compiled"
    return found, len(search.classes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scope", "text"), [("directed_graph", 3, "3"), ("weighted_directed_graph", 3, "3,-1-1")]
)
def test_with_three_vertices_the_compiled_engine_finds_as_many_graphs_as_printed(name, scope, text, tmp_path):
    assert searched(name, scope, tmp_path, prunes=False)[0] == int(printed(name, text)["korat_valid"])


@pytest.mark.slow
def test_with_three_vertices_and_weights_korat_plus_covers_the_printed_classes_by_fewer_graphs(tmp_path):
    row = printed("weighted_directed_graph", "3,-1-1")
    found, classes = searched("weighted_directed_graph", 3, tmp_path, prunes=True)
    assert classes == int(row["classes_covered"])
    assert found < int(row["korat_valid"])
