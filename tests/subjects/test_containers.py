"""Containers of packages as installed, by their calls alone: as many structures as formulas and a naive search say."""

from collections.abc import Callable
from math import comb, perm

import pytest
from support import naive_sequences
from support.sequence_suites import task_of
from support.structure_formulas import AVL_SHAPES, CATALAN, RED_BLACK_SHAPES, keyed, lists

from harness import resources
from harness.generators.sequences.exploration import Policy, SequenceExploration


def ordered(keys: int, most: int) -> int:
    """Count the orders of at most so many of the keys."""
    return sum(perm(keys, chosen) for chosen in range(most + 1))


def queues(scope: int) -> set[tuple[int, tuple[int, ...], int]]:
    """Return bound, heap and unfinished tasks after at most 2 scope calls, by a model of their own."""
    queue_states = new = {(bound, (), 0) for bound in range(scope + 1)}
    for _ in range(2 * scope):
        after = set()
        for bound, heap, tasks in new:
            if heap:
                after.add((bound, tuple(sorted(heap)[1:]), tasks))
            if tasks:
                after.add((bound, heap, tasks - 1))
            if len(heap) < (bound or scope):
                after |= {(bound, tuple(heap_with(heap, value)), tasks + 1) for value in range(scope)}
        new = after - queue_states
        queue_states = queue_states | new
    return queue_states


def heap_with(heap: tuple[int, ...], value: int) -> list[int]:
    """At most two elements: the first one is the least."""
    return sorted([*heap, value])


STRUCTURES: dict[str, Callable[[int], int]] = {
    "avl_tree": lambda scope: keyed(AVL_SHAPES, scope),
    "binary_tree": lambda scope: keyed(CATALAN, scope),
    "digraph": lambda scope: sum(comb(scope, nodes) * 2 ** (nodes * nodes) for nodes in range(scope + 1)),
    "dllist": lambda scope: lists(scope, scope),
    "lru_cache": lambda scope: sum(ordered(scope, most) for most in range(scope + 1)),
    "ordered_dict": lambda scope: ordered(scope, scope),
    "priority_queue": lambda scope: len(queues(scope)),
    "rb_tree": lambda scope: keyed(RED_BLACK_SHAPES, scope),
    "sorted_dict": lambda scope: 3**scope,
    "sorted_set": lambda scope: 2**scope,
}
WITHOUT_FORMULA = {"heap_dict": 2, "sorted_list": 2}
NAIVE = {"lru_cache": 2, "ordered_dict": 2, "sorted_set": 2, **WITHOUT_FORMULA}


def structures(name: str, scope: int) -> int:
    task = task_of(f"containers/{name}", scope)
    return len(list(SequenceExploration(task, Policy(most_calls=task.bounds.most_calls))))


def test_every_container_has_a_formula_or_is_searched_naively():
    containers = [name.partition("/")[2] for name in resources.grouped_subjects() if name.startswith("containers/")]
    assert sorted(containers) == sorted({*STRUCTURES, *WITHOUT_FORMULA})


@pytest.mark.parametrize("name", STRUCTURES)
def test_calls_make_as_many_structures_as_the_formula_says(name):
    most = 2 if name in ("digraph", "priority_queue") else 3
    for scope in range(1, most + 1):
        assert structures(name, scope) == STRUCTURES[name](scope), scope


@pytest.mark.parametrize("name", NAIVE)
def test_calls_make_what_a_naive_search_finds(name):
    task = task_of(f"containers/{name}", NAIVE[name])
    naive = naive_sequences.explore(task.module, task.bounds)
    exploration = SequenceExploration(task, Policy())
    sequences = [tuple(exploration.rows.sequence(structure.state)) for structure in exploration]
    assert sequences == list(naive.structures.values())
    assert exploration.explored == naive.explored
