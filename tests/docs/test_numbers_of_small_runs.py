"""Tables of documents are measured again, those with many mutants in `make thorough` only."""

import sys
from importlib import metadata
from pathlib import Path

import pytest
from support.documents import ROOT, number, rows_of
from support.sweeps import WHOLE

from harness import api
from harness.errors import MutascopeError
from harness.model.experiment import Experiment, Trial

CLASSES, CONTAINERS = "docs/real_classes.md", "docs/real_containers.md"
REAL = {
    "bintrees AVLTree": "real/bintrees_avl", "bintrees RBTree": "real/bintrees_rb", "Fraction": "real/fraction",
    "NormalDist": "real/normal_dist", "OrderedDict": "real/ordered_dict", "PriorityQueue": "real/priority_queue",
    "pyrsistent pvector": "real/pvector", "sortedcontainers SortedList": "real/sortedcontainers_list",
    "UserList": "real/user_list",
}  # fmt: skip
BY_CALLS = {
    "bintrees BinaryTree": "binary_tree", "bintrees AVLTree": "avl_tree", "bintrees RBTree": "rb_tree",
    "sortedcontainers SortedSet": "sorted_set", "sortedcontainers SortedDict": "sorted_dict",
    "sortedcontainers SortedList": "sorted_list", "collections OrderedDict": "ordered_dict",
    "cachetools LRUCache": "lru_cache", "HeapDict": "heap_dict", "pyllist dllist": "dllist",
    "networkx DiGraph": "digraph", "queue PriorityQueue": "priority_queue",
}  # fmt: skip
QUICK = ("PriorityQueue", "UserList", "sortedcontainers SortedDict")
"""Of fewer than a hundred mutants."""
OF_CLASSES, OF_CONTAINERS = "| class | scope | states", "| container | scope | inputs"
"""The beginnings of the tables."""


def titles(document: str, heading: str) -> list[str]:
    """Return the subjects of a table, those of many mutants in `make thorough` only: most take a process each."""
    return [title for title in dict.fromkeys(row[0] for row in rows_of(document, heading)) if WHOLE or title in QUICK]


def check_versions(document: str) -> None:
    """Skips where the sources are others than those of the document, and so the mutants."""
    text = " ".join((ROOT / document).read_text().split())
    python = ".".join(map(str, sys.version_info[:3]))
    here = {f"{name} {metadata.version(name)}" for name in ("bintrees", "sortedcontainers")} | {f"CPython {python}"}
    if not all(version in text for version in here):
        pytest.skip(f"{document} is of other versions than {', '.join(sorted(here))}")


def measured_again(subject: str, generator: str, scopes: list[int], folder: Path) -> list[list[str]]:
    """Run a trial at each scope; return their rows as printed."""
    experiment = Experiment("rows", tuple(Trial(subject, generator, scope) for scope in scopes))
    table = api.tables(None, api.run(experiment, folder, jobs=1), "scopes")["scopes"]
    names = ("pre-states", "inputs", "statements [%]", "branches [%]", "killed", "mutants", "killed [%]")
    texts = [
        {column.name: cell.measured_text(column.unit) for column, cell in zip(table.columns, row.cells, strict=True)}
        for row in sorted(table.rows, key=lambda row: int(row.labels[2]))
    ]
    return [[text[name] for name in names] for text in texts]


def printed_rows(document: str, heading: str, title: str) -> dict[int, list[str]]:
    """Return the cells of a subject's rows by scope."""
    mine = [row for row in rows_of(document, heading) if row[0] == title]
    return {int(scope): printed_cells(cells) for _, scope, *cells in mine}


def printed_cells(cells: list[str]) -> list[str]:
    return [cell.replace(",", "").removesuffix(" %") for cell in cells]


@pytest.mark.slow
@pytest.mark.parametrize("title", titles(CLASSES, OF_CLASSES))
def test_the_rows_of_a_real_class_are_what_a_run_gives(title, tmp_path):
    check_versions(CLASSES)
    printed = printed_rows(CLASSES, OF_CLASSES, title)
    assert measured_again(REAL[title], "korat", [*printed], tmp_path) == [*printed.values()]


@pytest.mark.slow
@pytest.mark.parametrize("title", titles(CONTAINERS, OF_CONTAINERS))
def test_the_rows_of_a_real_container_are_what_a_run_gives(title, tmp_path):
    check_versions(CONTAINERS)
    printed = printed_rows(CONTAINERS, OF_CONTAINERS, title)
    measured = measured_again(f"containers/{BY_CALLS[title]}", "beapi", [*printed], tmp_path)
    assert [row[1:] for row in measured] == [row[:-1] for row in printed.values()]


STRUCTURES = rows_of(CONTAINERS, "| container | structures")


@pytest.mark.parametrize("row", STRUCTURES, ids=[row[0] for row in STRUCTURES])
def test_structures_of_real_containers_are_what_beapi_makes(row):
    header = api.generate(f"containers/{BY_CALLS[row[0]]}", "beapi", 3).header
    assert [header.valid, header.explored, header.inputs] == [number(cell) for cell in row[1:4]]


COMPARED = [
    (name.strip(" `"), row)
    for row in rows_of("docs/difference.md", "| subject | A | R |")
    for name in row[0].split(",")
    if row[1]
]


@pytest.mark.parametrize(("name", "row"), COMPARED, ids=[name for name, _ in COMPARED])
def test_structures_of_calls_and_of_the_invariant_are_as_many_as_the_document_says(name, row):
    result = api.difference(name, 3)
    assert [result.api, result.rep_ok, result.api_only, result.rep_ok_only] == [number(cell) for cell in row[1:5]]
    assert result.relation.value == row[5].partition(":")[0]


def test_containers_without_an_invariant_are_refused_as_the_document_says():
    with pytest.raises(MutascopeError, match="rep_ok"):
        api.difference("containers/lru_cache", 3)


PROGRAMS = rows_of("docs/refactoring.md", "| case | programs | inputs |")


@pytest.mark.slow
@pytest.mark.parametrize("row", PROGRAMS, ids=[" ".join(row[:2]) for row in PROGRAMS])
def test_mutants_of_rope_are_killed_as_the_document_says(row, tmp_path):
    case, generator, *cells = (cell.strip("`") for cell in row)
    ((_, inputs, _, branches, killed, mutants, _),) = measured_again(f"refactoring/{case}", generator, [1], tmp_path)
    assert [inputs, killed, branches] == printed_cells(cells)
    assert f"with {mutants} mutants" in (ROOT / "docs/refactoring.md").read_text()
