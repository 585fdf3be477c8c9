"""BEAPI finds as many structures as closed formulas and the paper say, and explores as many sequences (Table 1)."""

from math import comb

import pytest
from support.sequence_suites import loaded, task_of, task_of_text

from harness.generators.policies.beapi import Beapi
from harness.generators.sequences.exploration import SequenceExploration
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.runner.subjects import load_subject

AVL_SHAPES = (1, 1, 2, 1, 4, 6, 4, 17, 32, 44, 60, 70)
"""Of each number of nodes."""


def _subsets(shapes: tuple[int, ...], scope: int) -> int:
    return sum(comb(scope, nodes) * shapes[nodes] for nodes in range(scope + 1))


def _lists(values: int, longest: int) -> int:
    return sum(values**length for length in range(longest + 1))


CATALAN = tuple(comb(2 * nodes, nodes) // (nodes + 1) for nodes in range(12))
FORMULAS = {
    "search_tree": lambda s: _subsets(CATALAN, s),
    "parent_tree": lambda s: _subsets(CATALAN, s),
    "avl_tree": lambda s: _subsets(AVL_SHAPES, s),
    "sentinel_list": lambda s: _lists(s, s - 1),
    "doubly_linked_list": lambda s: _lists(s, s),
    "linked_stack": lambda s: _lists(s, s),
    "sorted_list": lambda s: comb(2 * s - 2, s - 1),
    "node_caching_list": lambda s: sum(s**k * (s - k) for k in range(s)),
}
COUNTS = {
    "search_tree": (15, 51, 188, 731, 2950, 12235, 51822, 223191),
    "avl_tree": (11, 25, 62, 157, 396, 1017, 2706, 7393, 20267),
    "sentinel_list": (13, 85, 781, 9331, 137257),
    "doubly_linked_list": (40, 341, 3906, 55987),
    "linked_stack": (40, 341, 3906, 55987),
    "sorted_list": (6, 20, 70, 252, 924),
    "node_caching_list": (18, 112, 975, 11196, 160132),
    "binomial_heap": (28, 120, 936, 7602, 107416),
    "red_black_tree": (11, 29, 72, 197, 561, 1657, 4748, 14077, 39942),
    "disj_set_checked": (4, 20, 145),
    "disj_set_fast": (4, 14, 83, 544, 4397),
    "tree_map_values": (91, 1745, 34276),
    "binary_heap": (31, 249),
    "fib_heap": (48, 385, 4381, 54159),
    "fibonacci_heap": (64, 751, 9411),
}
"""Structures at scopes 3, 4, ...: of ../shared/published/README.md and beapi2023_table1.csv.

Of Fibonacci heaps at scope 4, the table prints 335: see `IN_PLACE`.
"""
EXPLORED = {
    ("search_tree", 10): 2231922, ("parent_tree", 3): 50, ("parent_tree", 4): 210, ("avl_tree", 5): 317,
    ("avl_tree", 6): 950, ("avl_tree", 10): 73942, ("avl_tree", 11): 222950, ("red_black_tree", 7): 7866,
    ("red_black_tree", 8): 26526, ("red_black_tree", 11): 878743,
    ("node_caching_list", 6): 134364, ("node_caching_list", 7): 2241862, ("sentinel_list", 7): 960807,
    ("doubly_linked_list", 6): 335930, ("linked_stack", 6): 335930, ("binomial_heap", 6): 53222,
    ("binomial_heap", 7): 859337, ("disj_set_fast", 6): 22890, ("disj_set_fast", 7): 246288,
}  # fmt: skip
"""As Table 1 prints them."""
IN_PLACE = (
    ("node = removed.right", "node = removed.left"),
    ("following = node.right\n            while by_degree", "following = node.left\n            while by_degree"),
    (
        "            node = following\n        for root in by_degree:\n            if root is not None:\n"
        "                self._add_root(root)\n",
        """            last, node = node, following
        removed.left.right = removed.right
        removed.right.left = removed.left
        self.least = node = last
        while node.right is not last:
            node = node.right
            if node.key <= self.least.key:
                self.least = node
""",
    ),
    (
        "        child.parent = parent\n        if",
        "        child.left.right, child.right.left = child.right, child.left\n"
        "        child.parent = parent\n        if",
    ),
)
"""Edits of `fib_heap`: consolidation goes to the left, and leaves the roots in their ring; ours puts them in anew."""
FEW, MANY, MOST = 1000, 10_000, 120_000
"""Structures: as many in every run of the tests, in the slow ones, and in the thorough ones."""


def _cases(least: int, most: int) -> list:
    cases = [(name, scope, n) for name, counts in COUNTS.items() for scope, n in enumerate(counts, start=3)]
    return [
        pytest.param(*case, marks=pytest.mark.thorough if case[2] > MANY else ())
        for case in cases
        if least < case[2] <= most
    ]


def _check(name: str, scope: int, count: int) -> None:
    task = task_of(name, scope)
    exploration = SequenceExploration(task, Beapi().policy(task))
    assert sum(1 for _ in exploration) == count
    assert type(exploration.path) is SnapshotExecutor
    if name in FORMULAS:
        assert FORMULAS[name](scope) == count
    if (name, scope) in EXPLORED:
        assert exploration.explored == EXPLORED[name, scope]


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "scope", "count"), _cases(0, FEW))
def test_structures_are_as_many_as_the_paper_counts(name, scope, count):
    _check(name, scope, count)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "scope", "count"), _cases(FEW, MOST))
def test_structures_are_as_many_as_the_paper_counts_at_large_scopes(name, scope, count):
    _check(name, scope, count)


def _check_in_place(scope: int, structures: int, explored: int) -> None:
    implementation = load_subject("fib_heap").source
    for before, after in IN_PLACE:
        assert implementation.count(before) == 1
        implementation = implementation.replace(before, after)
    task = task_of_text(implementation, loaded("fib_heap")[0].sequences(scope, implementation), scope)
    exploration = SequenceExploration(task, Beapi().policy(task))
    assert (sum(1 for _ in exploration), exploration.explored) == (structures, explored)


@pytest.mark.sweep
@pytest.mark.parametrize(("scope", "structures", "explored"), [(4, 335, 1683), (5, 4381, 26297)])
def test_fibonacci_heaps_that_keep_their_roots_in_place_are_as_printed(scope, structures, explored):
    _check_in_place(scope, structures, explored)


@pytest.mark.slow
@pytest.mark.thorough
def test_fibonacci_heaps_that_keep_their_roots_in_place_are_as_printed_at_a_large_scope():
    _check_in_place(6, 54159, 379125)
