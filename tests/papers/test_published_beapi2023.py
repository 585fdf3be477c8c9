"""The printed tables of beapi2023 are read whole, and keep the law by which BEAPI counts what it explores."""

from functools import cache
from math import comb
from pathlib import Path

import pytest

from harness.tables.published import read_published

FOLDER = Path(__file__).parents[2] / "results" / "published"

BUILDERS = {
    "DDList": lambda s: s, "SLList": lambda s: s, "LList": lambda s: s, "DDL": lambda s: s, "StackList": lambda s: s,
    "BST": lambda s: s, "BinTree": lambda s: s, "AVL": lambda s: s, "RBT": lambda s: 2 * s, "NCL": lambda s: 2 * s,
    "BinHeap": lambda s: s + 1, "FibHeap": lambda s: s + 1, "BHeap": lambda s: s + 1,
    "DisjSetFast": lambda s: s * (s + 1), "TreeMap": lambda s: s * s + s,
}  # fmt: skip
"""How many calls the builders make possible on one structure at scope s: one argument of s values, two routines, ..."""

INSERTING = {"DDList", "StackList", "BST", "BinTree", "AVL", "BinHeap"}
"""Classes whose structures of n nodes are made by n insertions: a round for each size, and an empty one."""


@pytest.fixture(scope="module")
def table1():
    return read_published(FOLDER, "beapi2023", "table1", keys=3)


def counted(table1):
    """Class, scope, structures and sequences of every row that BEAPI finished."""
    for row in table1.rows:
        if "beapi_explored" in row:
            _, name, scope = row.key
            cells = (row[f"beapi_{what}"].printed for what in ("generated", "explored"))
            yield name, int(scope), *map(int, cells)


def test_sixty_rows_tell_what_beapi_explored(table1):
    assert len(list(counted(table1))) == 60


def test_explored_sequences_are_structures_times_builders_and_a_constructor_per_round(table1):
    for name, scope, structures, explored in counted(table1):
        constructors = scope if name in ("BHeap", "DisjSetFast") else 1
        rounds, remainder = divmod(explored - structures * BUILDERS[name](scope), constructors)
        assert remainder == 0, (name, scope)
        assert scope < rounds < 3 * scope, (name, scope)
        if name in INSERTING:
            assert rounds == scope + 2, (name, scope)


def test_printed_red_black_trees_of_korat_may_have_red_roots(table1):
    coloured = [1, 2, 2, 3, 8, 14, 20, 35, 64]  # shapes with colours of k entries, the root of any colour: OEIS A001131
    for scope in (7, 8):
        trees = sum(comb(scope, k) * coloured[k] for k in range(scope + 1))
        assert table1.row("Kiasan", "RBT", scope).value("korat_generated") == trees


@cache
def forests(nodes: int, least: int, scope: int) -> int:
    """Ordered forests of trees of any shape, no key below `least` or the one above it, all keys below `scope`."""
    if nodes == 0:
        return 1
    return sum(
        forests(first - 1, key, scope) * forests(nodes - first, least, scope)
        for first in range(1, nodes + 1)
        for key in range(least, scope)
    )


def test_printed_fibonacci_heaps_of_korat_may_have_trees_of_any_shape(table1):
    for scope in (6, 7, 8):
        heaps = 1 + sum(
            forests(first - 1, least, scope) * forests(nodes - first, least, scope)
            for nodes in range(1, scope + 1)
            for first in range(1, nodes + 1)
            for least in range(scope)
        )
        assert table1.row("Korat", "FibHeap", scope).value("korat_generated") == heaps


def test_one_structure_has_the_same_numbers_in_every_benchmark(table1):
    same = {"BST": "BinTree", "DDL": "LList", "SLList": "LList", "StackList": "DDList"}
    numbers_of = {}
    for name, scope, *numbers in counted(table1):
        assert numbers_of.setdefault((same.get(name, name), scope), numbers) == numbers
