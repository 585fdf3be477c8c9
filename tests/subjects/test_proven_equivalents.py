"""Mutants argued to be equivalent do as the original on structures far beyond every scope, chosen at random."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest
from valid_states import STATES

from harness import resources
from harness.kernel.loader import ModuleText, execute
from harness.kernel.splice import mutated_source
from harness.model.mutant import Equivalence
from harness.mutation.equivalence import FILE_NAME, read_equivalence
from harness.mutation.manifest import read_manifest

MUTANTS = Path(__file__).parents[2] / "mutants"
ARGUED = sorted({path.parent.name for path in MUTANTS.glob(f"*/{FILE_NAME}")} - STATES.keys())
OPERATIONS = 40


def keys(rng, largest):
    return [rng.randint(-largest, largest) for _ in range(rng.randint(0, 20))]


def search_tree(module, rng, largest):
    tree = module.SearchTree()
    for _ in range(OPERATIONS):
        method = rng.choice([tree.add, tree.add, tree.remove])
        yield tree, partial(method, rng.randint(-largest, largest))


def heap_array(module, rng, largest):
    heap = module.HeapArray()
    for _ in range(OPERATIONS):
        insert = partial(heap.insert, rng.randint(-1, largest))
        yield heap, rng.choice([insert, insert, heap.extract_max])


def binomial_heap(module, rng, largest):
    heap = module.BinomialHeap()
    for _ in range(OPERATIONS):
        other = module.BinomialHeap()
        for key in keys(rng, largest):
            other.insert(key)
        insert, delete = (partial(method, rng.randint(-largest, largest)) for method in (heap.insert, heap.delete))
        yield heap, rng.choice([insert, insert, insert, heap.extract_min, delete, partial(heap.union, other)])


def heapq(module, rng, largest):
    heap = []
    for _ in range(OPERATIONS):
        taking_one = [module.heappush, module.heappush, module.heapreplace, module.heappushpop]
        yield heap, partial(rng.choice(taking_one), heap, rng.randint(-largest, largest))
        yield heap, partial(module.heappop, heap)
        anything = keys(rng, largest)
        yield anything, partial(module.heapify, anything)
        heap = anything


SEQUENCES = {f.__name__: f for f in (search_tree, heap_array, binomial_heap, heapq)}


def behaviour(name, source, seed):
    """What every operation of a sequence returns or raises, and the abstract value it leaves."""
    subject, spec = resources.load_subject(name)
    module = execute(ModuleText(subject.module, source, "mutant", subject.blocked))
    rng = random.Random(seed)
    found = []
    for state, operation in SEQUENCES[name](module, rng, rng.choice([2, 10, 50])):
        try:
            result = operation()
        except (IndexError, ValueError) as error:
            result = type(error)
        assert spec.rep_ok(state)
        found.append((result, spec.abstraction(state)))
    return found


@pytest.mark.parametrize("name", ARGUED)
def test_a_proven_equivalent_does_as_the_original(name):
    subject, _ = resources.load_subject(name)
    manifest = read_manifest(MUTANTS / name, subject)
    if manifest is None:
        pytest.skip(f"no mutants are pinned for this Python's {name}")
    pinned = {mutant.id: mutant for mutant in manifest.mutants}
    expected = [behaviour(name, subject.source, seed) for seed in range(12)]
    for argument in read_equivalence(MUTANTS / name, pinned):
        if argument.equivalence is not Equivalence.PROVEN:
            continue
        source = mutated_source(subject.source, pinned[argument.mutant])
        assert [behaviour(name, source, seed) for seed in range(12)] == expected, argument.mutant


@pytest.mark.parametrize("mutant", ["AOR:51:28:index_%_1~f7667a", "CRP:51:36:3", "VRR:67:30:left"])
def test_these_sequences_kill_mutants_that_small_scopes_do_not(mutant):
    """A check of the check: these three survive all inputs up to scope 6, and are not equivalent."""
    subject, _ = resources.load_subject("heap_array")
    pinned = {m.id: m for m in read_manifest(MUTANTS / "heap_array", subject).mutants}
    with pytest.raises(AssertionError):
        list(map(partial(behaviour, "heap_array", mutated_source(subject.source, pinned[mutant])), range(12)))
