"""Loads subjects as tests need them, and counts their structures without any search."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from pathlib import Path
from types import ModuleType
from typing import Any

from av_tree_counts import av_tree_inputs, name_trees
from map_counts import black_rooted_trees, hash_set_inputs, hash_sets, red_black_trees, tree_maps
from support.subjects import load_subject

from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import Task
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.inputs.suites import Call, structure_key
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.specs.spec import Spec
from harness.model.finitization import CallKind, Reference, Structures, Target

ROOT = Path(__file__).parents[2]
NAMES = (
    "search_tree",
    "disj_set",
    "heap_array",
    "binomial_heap",
    "fibonacci_heap",
    "linked_list",
    "sorted_list",
    "tree_map",
    "hash_set",
    "av_tree",
    "heapq",
    "tree_map_black_root",
)


@dataclass(frozen=True)
class Loaded:
    """A subject's implementation, executed, and its spec."""

    name: str
    source: str
    module: ModuleType
    spec: Spec

    def abstract(self, state: Any) -> Any:
        """Return the abstract value of a state, which must be valid."""
        assert self.spec.rep_ok(state) is True
        return self.spec.abstraction(state)

    def invoke(self, target: Target, state: Any, arguments: list[Any]) -> Any:
        """Return the call's result, or the type of its exception."""
        method = target.kind is CallKind.METHOD
        callee = getattr(state, target.name) if method else partial(getattr(self.module, target.name), state)
        try:
            return callee(*arguments)
        except (ValueError, IndexError) as error:
            return type(error)


@cache
def loaded(name: str) -> Loaded:
    """Load a shipped subject, and execute it."""
    subject, spec = load_subject(name)
    return Loaded(name, subject.source, execute(ModuleText.of(subject)), spec)


def states(subject: Loaded, scope: int) -> Iterator[Callable[[], Any]]:
    """Yield, for each valid state, a function that makes a fresh copy of it."""
    space = StateSpace(subject.spec.finitization(scope))
    decoder = Decoder(space, subject.module)
    for vector in list(KoratSearch(space, subject.module, subject.spec.rep_ok)):
        yield lambda vector=vector: decoder.decode(vector).root


@dataclass(frozen=True)
class Input:
    """A target with a function that makes its pre-state and arguments again each time."""

    target: Target
    make: Callable[[], tuple[Any, list[Any]]]


def inputs(subject: Loaded, scope: int) -> Iterator[Input]:
    """Yield every input that Korat makes."""
    finitization = subject.spec.finitization(scope)
    space = StateSpace(finitization)
    decoder = Decoder(space, subject.module)
    production = Korat().produce(Task(subject.spec, subject.module, finitization, seed=0))

    def make(vector: tuple[int, ...], call: Call) -> tuple[Any, list[Any]]:
        state = decoder.decode(vector)
        arguments: list[Any] = []
        for position, parameter in enumerate(finitization.targets[call.target].parameters):
            value = None if isinstance(parameter, Structures) else parameter[call.arguments[position]]
            if isinstance(parameter, Structures):
                chosen = production.structures[structure_key(call.target, position)][call.arguments[position]]
                arguments.append(Decoder(StateSpace(parameter.finitization), subject.module).decode(chosen).root)
            else:
                arguments.append(state.object(space.object_number(value)) if isinstance(value, Reference) else value)
        return state.root, arguments

    for vector, calls in production:
        for call in calls:
            yield Input(finitization.targets[call.target], partial(make, vector, call))


def number_of_inputs(subject: Loaded, scope: int) -> int:
    """Return how many inputs Korat makes, none of them decoded."""
    production = Korat().produce(Task(subject.spec, subject.module, subject.spec.finitization(scope), seed=0))
    return sum(len(calls) for _, calls in production)


def search_trees(scope: int) -> int:
    """Binary search trees with k of `scope` keys: C(scope, k) choices, Catalan(k) shapes."""
    return sum(comb(scope, k) * comb(2 * k, k) // (k + 1) for k in range(scope + 1))


@cache
def heap_orders(cells: int, values: int, index: int = 0) -> int:
    """Count the fillings of an implicit binary heap's subtree at `index` with 0..values-1, none above its parent."""
    if index >= cells:
        return 1
    return sum(
        heap_orders(cells, top + 1, 2 * index + 1) * heap_orders(cells, top + 1, 2 * index + 2) for top in range(values)
    )


def heap_arrays(scope: int) -> int:
    """Count the heaps of values 0..scope in an array of any length up to `scope` and any size up to its length."""
    return sum(heap_orders(size, scope + 1) for length in range(scope + 1) for size in range(length + 1))


@cache
def binomial_trees(degree: int, values: int) -> int:
    """Heap-ordered binomial trees with keys 1..values: above the root a tree of each smaller degree."""
    return sum(prod(binomial_trees(d, values - key) for d in range(degree)) for key in range(values))


def binomial_heaps(scope: int) -> int:
    """Binomial heaps of at most `scope` nodes with keys 1..scope: a tree for each bit of the size."""
    return sum(
        prod(binomial_trees(bit, scope) for bit in range(size.bit_length()) if size >> bit & 1)
        for size in range(scope + 1)
    )


def heap_lists(scope: int) -> int:
    """Count lists of length up to `scope` with elements 1..scope in (min-)heap order; by symmetry as many as
    max-heaps.
    """
    return sum(heap_orders(length, scope) for length in range(scope + 1))


def forests(scope: int) -> int:
    """Count the disjoint sets of at most `scope` elements of ranks below `scope`, by the ranks alone.

    An element is a root or has a parent of higher rank. So prod (x + number of higher ones) counts forests by their
    number of roots. There are at most as many roots as elements of rank 0. The order of the ranks makes no difference.
    """
    return sum(
        factorial(size)
        // prod(factorial(times) for times in Counter(ranks).values())
        * sum(_coefficients([sum(other > own for other in ranks) for own in ranks])[: ranks.count(0) + 1])
        for size in range(scope + 1)
        for ranks in combinations_with_replacement(range(scope), size)
    )


def _coefficients(numbers: list[int]) -> list[int]:
    """Return the coefficients of prod (x + number), by ascending powers."""
    coefficients = [1]
    for number in numbers:
        coefficients = [
            number * same + below for same, below in zip([*coefficients, 0], [0, *coefficients], strict=True)
        ]
    return coefficients


@cache
def rings(nodes: int, values: int) -> int:
    """Count sequences of heap-ordered trees, with `nodes` nodes in all, of keys 1..values; siblings in any order."""
    return 1 if nodes == 0 else sum(heap_trees(k, values) * rings(nodes - k, values) for k in range(1, nodes + 1))


@cache
def heap_trees(nodes: int, values: int) -> int:
    """Heap-ordered trees: below the root a ring whose keys are no smaller."""
    return sum(rings(nodes - 1, values - key) for key in range(values))


def fibonacci_heaps(scope: int) -> int:
    """Count the Fibonacci heaps of at most `scope` nodes with keys 1..scope, no mark set.

    The ring of roots may begin at any root, and one root with the smallest key is marked out. So the heap is a tree
    with a ring before and a ring after it, all of keys no smaller than its root's.
    """
    return 1 + sum(
        rings(size - 1 - before - behind, values) * rings(before, values) * rings(behind, values)
        for size in range(1, scope + 1)
        for values in range(1, scope + 1)
        for before in range(size)
        for behind in range(size - before)
    )


def bell(number: int) -> int:
    """Count the partitions of a set of `number` elements: by the size of the block that the last one is in."""
    return 1 if number == 0 else sum(comb(number - 1, others) * bell(others) for others in range(number))


def linked_lists(scope: int) -> int:
    """Count lists of up to `scope` elements, None or interchangeable: None is one more block of positions, maybe
    empty.
    """
    return sum(bell(length + 1) for length in range(scope + 1))


def linked_list_inputs(scope: int) -> int:
    """As many again with one element more for the argument of add and of remove; but there are only `scope` objects."""
    with_argument = sum(bell(length + 2) for length in range(scope + 1)) - 1
    return 2 * with_argument + linked_lists(scope)


def sorted_lists(scope: int) -> int:
    """Count the multisets of up to `scope` elements 1..scope."""
    return comb(2 * scope, scope)


def any_lists(scope: int) -> int:
    """Count the lists of up to `scope` elements 1..scope, in any order."""
    return sum(scope**length for length in range(scope + 1))


def sorted_list_inputs(scope: int) -> int:
    """insert and remove with an element, sort on any list, merge of lists of together at most scope - 1 elements."""
    return 2 * scope * sorted_lists(scope) + any_lists(scope) + comb(3 * scope - 1, scope - 1)


COUNTS = {
    "search_tree": search_trees,
    "disj_set": forests,
    "heap_array": heap_arrays,
    "binomial_heap": binomial_heaps,
    "fibonacci_heap": fibonacci_heaps,
    "linked_list": linked_lists,
    "sorted_list": sorted_lists,
    "heapq": heap_lists,
    "tree_map": partial(tree_maps, red_black_trees),
    "tree_map_black_root": partial(tree_maps, black_rooted_trees),
    "hash_set": hash_sets,
    "av_tree": name_trees,
}
FIELD_COUNTS: dict[str, Callable[[int], int]] = {
    "field_sorted_list": lambda scope: comb(2 * scope - 1, scope),
    "field_search_tree": search_trees,
    "field_tree_set": partial(tree_maps, red_black_trees),
    "field_binomial_heap": binomial_heaps,
}
"""States that satisfy rep_ok, by scope; of the subjects of field_exhaustive2016, too."""

INPUTS = {
    "search_tree": lambda scope: 2 * scope * search_trees(scope),
    "disj_set": lambda scope: (scope + scope**2) * forests(scope),
    "heap_array": lambda scope: (scope + 3) * heap_arrays(scope),
    "binomial_heap": lambda scope: 3 * (scope + 1) * binomial_heaps(scope),
    "fibonacci_heap": lambda scope: 3 * (scope + 1) * fibonacci_heaps(scope),
    "linked_list": linked_list_inputs,
    "sorted_list": sorted_list_inputs,
    "heapq": lambda scope: (3 * scope + 1) * heap_lists(scope) + any_lists(scope),
    "tree_map": lambda scope: 2 * scope * tree_maps(red_black_trees, scope),
    "tree_map_black_root": lambda scope: 2 * scope * tree_maps(black_rooted_trees, scope),
    "hash_set": hash_set_inputs,
    "av_tree": av_tree_inputs,
}
"""Inputs of all targets, by scope."""
