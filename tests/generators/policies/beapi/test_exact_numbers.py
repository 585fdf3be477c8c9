"""BEAPI finds as many structures as closed formulas and the paper say, and explores as many sequences (Table 1)."""

import pytest
from support.sequence_suites import task_of, task_of_text
from support.structure_formulas import COUNTS, EXPLORED, FORMULAS
from support.subjects import loaded
from support.sweeps import WHOLE

from harness.generators.policies.beapi import Beapi
from harness.generators.sequences.exploration import SequenceExploration
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.runner.subjects import load_subject

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
"""Structures: as many in every run of the tests, in the slow ones, and in `make thorough`."""


def _cases(least: int, most: int) -> list:
    cases = [(name, scope, n) for name, counts in COUNTS.items() for scope, n in enumerate(counts, start=3)]
    return [case for case in cases if least < case[2] <= most]


def _check(name: str, scope: int, count: int) -> None:
    task = task_of(name, scope)
    exploration = SequenceExploration(task, Beapi().policy(task))
    assert sum(1 for _ in exploration) == count
    assert type(exploration.path) is SnapshotExecutor
    if name in FORMULAS:
        assert FORMULAS[name](scope) == count
    if (name, scope) in EXPLORED:
        assert exploration.explored == EXPLORED[name, scope]


@pytest.mark.parametrize(("name", "scope", "count"), _cases(0, FEW))
def test_structures_are_as_many_as_the_paper_counts(name, scope, count):
    _check(name, scope, count)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "scope", "count"), _cases(FEW, MOST if WHOLE else MANY))
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


@pytest.mark.parametrize(("scope", "structures", "explored"), [(4, 335, 1683), (5, 4381, 26297)])
def test_fibonacci_heaps_that_keep_their_roots_in_place_are_as_printed(scope, structures, explored):
    _check_in_place(scope, structures, explored)


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE, reason="takes minutes, in `make thorough`")
def test_fibonacci_heaps_that_keep_their_roots_in_place_are_as_printed_at_a_large_scope():
    _check_in_place(6, 54159, 379125)
