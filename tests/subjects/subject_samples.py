"""Loads subjects as tests need them, and counts their structures without any search."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from math import comb, prod
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.generators.korat.search import KoratSearch
from harness.kernel.decode import Decoder
from harness.kernel.loader import ModuleText, execute
from harness.kernel.space import StateSpace
from harness.kernel.specs import Spec, load_spec
from harness.model.finitization import CallKind, Finitization, Structures, Target

ROOT = Path(__file__).parents[2]
NAMES = ("search_tree", "heap_array", "binomial_heap", "heapq")


@dataclass(frozen=True)
class Loaded:
    """A subject's implementation, executed, and its spec."""

    name: str
    module: ModuleType
    spec: Spec

    def abstract(self, state: Any) -> Any:
        """The abstract value of a state, which must be valid."""
        assert self.spec.rep_ok(state) is True
        return self.spec.abstraction(state)

    def invoke(self, target: Target, state: Any, arguments: list[Any]) -> Any:
        """What the call returns, or the type of what it raises."""
        method = target.kind is CallKind.METHOD
        callee = getattr(state, target.name) if method else partial(getattr(self.module, target.name), state)
        try:
            return callee(*arguments)
        except (ValueError, IndexError) as error:
            return type(error)


@cache
def loaded(name: str) -> Loaded:
    """The subject in subjects/<name>."""
    folder = ROOT / "subjects" / name
    spec = load_spec((folder / "spec.py").read_text(), str(folder / "spec.py"))
    file = folder / "impl.py"
    if spec.implementation != "impl.py":
        file = Path(importlib.util.find_spec(spec.implementation).origin)
    return Loaded(name, execute(ModuleText(f"subject_{name}", file.read_text(), str(file), spec.blocked)), spec)


def states(subject: Loaded, scope: int) -> Iterator[Callable[[], Any]]:
    """For each valid state, what makes a fresh copy of it."""
    return _structures(subject, subject.spec.finitization(scope), subject.spec.rep_ok)


def calls(subject: Loaded, scope: int) -> Iterator[tuple[Target, list[Callable[[], Any]]]]:
    """Each target with each choice of arguments; arguments are made anew by every call."""
    for target in subject.spec.finitization(scope).targets:
        domains = [
            list(_structures(subject, parameter.finitization, parameter.rep_ok))
            if isinstance(parameter, Structures)
            else [partial(int, value) for value in parameter]
            for parameter in target.parameters
        ]
        for arguments in product(*domains):
            yield target, list(arguments)


def _structures(
    subject: Loaded, finitization: Finitization, rep_ok: Callable[[Any], Any]
) -> Iterator[Callable[[], Any]]:
    space = StateSpace(finitization)
    decoder = Decoder(space, subject.module)
    for vector in list(KoratSearch(space, subject.module, rep_ok)):
        yield lambda vector=vector: decoder.decode(vector).root


def search_trees(scope: int) -> int:
    """Binary search trees with k of `scope` keys: C(scope, k) choices, Catalan(k) shapes."""
    return sum(comb(scope, k) * comb(2 * k, k) // (k + 1) for k in range(scope + 1))


def heap_orders(cells: int, values: int, index: int = 0) -> int:
    """Fillings of an implicit binary heap's subtree at `index` with 0..values-1, none above its parent."""
    if index >= cells:
        return 1
    return sum(
        heap_orders(cells, top + 1, 2 * index + 1) * heap_orders(cells, top + 1, 2 * index + 2) for top in range(values)
    )


def heap_arrays(scope: int) -> int:
    """Heaps of values 0..scope in an array of any length up to `scope` and any size up to its length."""
    return sum(heap_orders(size, scope + 1) for length in range(scope + 1) for size in range(length + 1))


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
    """Lists of length up to `scope` with elements 1..scope in (min-)heap order; by symmetry as many as max-heaps."""
    return sum(heap_orders(length, scope) for length in range(scope + 1))


COUNTS = {
    "search_tree": search_trees,
    "heap_array": heap_arrays,
    "binomial_heap": binomial_heaps,
    "heapq": heap_lists,
}

CALLS_PER_STATE = {
    "search_tree": lambda scope: 2 * scope,
    "heap_array": lambda scope: scope + 3,
    "binomial_heap": lambda scope: 3 * (scope + 1),
    "heapq": lambda scope: 3 * scope + 2,
}
