"""Executing sequences again, restoring states from bytes and the naive exploration give the same results."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_states import programs
from support import naive_sequences
from support.exploring import explored
from support.sequence_suites import task_of, task_of_text
from support.sweeps import examples

from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.generators.sequences.replay import ReplayExecutor
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.generators.sequences.structures import SeenStructures
from harness.model.sequence import SequenceScope


def _bounds(omitted: bool, objects: int) -> SequenceScope:
    bounds = SequenceScope("Root")
    for name in "abc":
        bounds.method(name, range(2))
    bounds.objects(objects)
    bounds.elements(2)
    bounds.discard_failures()
    if omitted:
        bounds.omit("n", "ex.*")
    return bounds


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(programs(), st.booleans(), st.integers(1, 3))
def test_random_programs_have_the_same_structures_on_both_paths(text, omitted, objects):
    task = task_of_text(text, _bounds(omitted, objects))
    for matches in (True, False):
        fast = explored(task, Policy(most_calls=4 if matches else 2, matches=matches))
        general = explored(task, Policy(most_calls=4 if matches else 2, matches=matches, restores=False))
        assert fast[:3] == general[:3]


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(programs(naive=True))
def test_random_programs_have_the_structures_of_the_naive_exploration(text):
    task = task_of_text(text, _bounds(False, 2))
    naive = naive_sequences.explore(task.module, task.bounds, rounds=3)
    exploration = SequenceExploration(task, Policy(most_calls=3))
    sequences = [tuple(exploration.rows.sequence(one.state)) for one in exploration]
    assert sequences == list(naive.structures.values())
    assert exploration.explored == naive.explored


@pytest.mark.parametrize(
    ("subject", "scope"),
    [
        *[("search_tree", 4), ("avl_tree", 4), ("sorted_list", 3), ("heap_array", 3), ("heapq", 3), ("tree_map", 4)],
        *[("binomial_heap", 2), ("fibonacci_heap", 2), ("node_caching_list", 3), ("red_black_tree", 4)],
        *[("sentinel_list", 3), ("doubly_linked_list", 3), ("disj_set_fast", 4), ("binary_heap", 3), ("fib_heap", 3)],
    ],
)
def test_shipped_subjects_are_restored_and_have_the_same_structures_on_both_paths(subject, scope):
    task = task_of(subject, scope)
    fast, general = explored(task, Policy()), explored(task, Policy(restores=False))
    assert fast[:3] == general[:3]
    assert (fast[3], general[3]) == (SnapshotExecutor, ReplayExecutor)


def test_a_field_that_comes_in_place_of_an_omitted_one_is_seen():
    text = """
class Root:
    def __init__(self):
        self.n = 0
    def a(self, x): pass
    def b(self, x): pass
    def c(self, x):
        del self.n
        self.fresh = x
"""
    task = task_of_text(text, _bounds(True, 1))
    fast, general = explored(task, Policy(most_calls=3)), explored(task, Policy(most_calls=3, restores=False))
    assert fast[:3] == general[:3]
    assert fast[2] == 3


def test_keys_are_known_before_and_after_they_are_kept_as_digests():
    structures = SeenStructures(most_whole=3)
    keys = [bytes([number]) * 50 for number in range(6)]
    assert [structures.add(key) for key in keys] == [True] * 6
    assert [structures.add(key) for key in keys] == [False] * 6
    assert len(structures) == 6
    assert keys[0] in structures
    assert keys[5] in structures
    assert b"other" not in structures
    structures.clear()
    assert keys[0] not in structures
    assert structures.add(keys[0])
