"""BEAPI writes every structure with every call, whatever the configuration; Rostra tests each state that it extends.

BEAPI finds as many structures as closed formulas and the paper say, and explores as many sequences (Table 1).
"""

import pytest
from support import naive_sequences
from support.sequence_suites import bounds_of, suite_of, suite_of_text, task_of, task_of_text
from support.structure_formulas import COUNTS, EXPLORED, FORMULAS
from support.subjects import loaded
from support.sweeps import WHOLE

from harness.generators.policies.beapi import Beapi, Rostra
from harness.generators.sequences.exploration import SequenceExploration
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.kernel.inputs.suites import NO_STATE, SuiteReader
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


def _inputs(suite: SuiteReader) -> set[tuple[object, ...]]:
    return {tuple(suite.sequence(number)) for number in range(len(suite))}


def test_inputs_are_every_structure_with_every_call(tmp_path):
    suite = suite_of(tmp_path / "beapi", "beapi", "search_tree", 3)
    suite.check()
    spec, module = loaded("search_tree")
    naive_sequences.write_suite(tmp_path / "naive", module, spec.sequences(3, ""), 3)
    naive = SuiteReader(tmp_path / "naive")
    assert suite.header.states == 15
    assert suite.header.inputs_by_target == {"SearchTree": 1, "add": 45, "remove": 45}
    assert suite.input(0)[0] == NO_STATE
    assert {inputs for inputs in _inputs(suite) if len(inputs) > 1} == _inputs(naive)


@pytest.mark.parametrize("configuration", ["beapi-sm", "beapi-noopt", "beapi-bld"])
def test_all_configurations_reach_the_same_structures(tmp_path, configuration):
    suite = suite_of(tmp_path / "one", "beapi", "search_tree", 2)
    other = suite_of(tmp_path / "other", configuration, "search_tree", 2)
    assert _inputs(suite) <= _inputs(other)


def test_structures_are_told_apart_from_the_states_on_the_way_to_arguments(tmp_path):
    heaps = suite_of(tmp_path / "heaps", "beapi", "binomial_heap", 3).header
    assert (heaps.distinct, heaps.valid) == (28, 28)
    assert heaps.states > 28
    unmatched = suite_of(tmp_path / "trees", "beapi-bld", "search_tree", 2).header
    assert unmatched.distinct == 5 < unmatched.states


def test_each_state_below_the_length_is_tested_with_each_call(tmp_path):
    suite = suite_of(tmp_path / "suite", "rostra", "search_tree", 2)
    assert suite.header.states == 5
    tested = [suite.sequence(number) for number in range(len(suite))]
    assert max(map(len, tested)) == 3
    assert len(tested) == 1 + 3 * 4
    assert suite.header.explored == 3 + 3 * 4


def test_calls_that_raise_are_tests(tmp_path):
    text = "class Box:\n    def open(self, value):\n        raise TypeError(value)\n"
    bounds = bounds_of("Box", open=(range(2),))
    suite, _ = suite_of_text(tmp_path, Rostra(), text, bounds)
    assert suite.header.inputs_by_target == {"Box": 1, "open": 2}


def test_objects_as_arguments_come_with_the_sequences_that_make_them(tmp_path):
    suite = suite_of(tmp_path / "suite", "beapi", "binomial_heap", 2)
    targets = suite.header.targets
    unions = [calls for calls in _inputs(suite) if targets[calls[-1].target] == "union"]
    heaps = {calls[:-1] for calls in _inputs(suite) if targets[calls[-1].target] == "insert"}
    assert len(unions) == len(heaps) ** 2
    assert all(calls[-1].arguments[0] < calls[-1].arguments[1] < len(calls) for calls in unions)
