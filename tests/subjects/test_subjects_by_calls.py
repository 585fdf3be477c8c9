"""Calls make as many structures of beapi2023's subjects as its Table 1 has, and those of the invariant."""

from functools import cache
from itertools import product
from math import comb
from types import MappingProxyType

import pytest
from subject_samples import loaded
from support.naive_sequences import Explored, explore, run

from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.decode import Decoder
from harness.kernel.inputs.routines import Routines
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.objects.equality import concrete

AVL_SHAPES = (1, 1, 2, 1, 4, 6)
CATALAN = (1, 1, 2, 5, 14, 42)


def lists(elements: int, most: int) -> int:
    return sum(elements**length for length in range(most + 1))


def subsets(shapes: tuple[int, ...], scope: int) -> int:
    return sum(comb(scope, nodes) * shapes[nodes] for nodes in range(scope + 1))


FORMULAS = MappingProxyType(
    {
        "search_tree": lambda s: subsets(CATALAN, s),
        "parent_tree": lambda s: subsets(CATALAN, s),
        "avl_tree": lambda s: subsets(AVL_SHAPES, s),
        "sentinel_list": lambda s: lists(s, s - 1),
        "doubly_linked_list": lambda s: lists(s, s),
        "linked_stack": lambda s: lists(s, s),
        "sorted_list": lambda s: comb(2 * s - 2, s - 1),
        "node_caching_list": lambda s: sum(s**k * (s - k) for k in range(s)),
        "disj_set_checked": lambda s: sum((n + 1) ** (n - 1) for n in range(1, s)),
    }
)

COUNTED = {
    "search_tree": (15, 51),
    "parent_tree": (15, 51),
    "avl_tree": (11, 25, 62),
    "sentinel_list": (13, 85, 781),
    "doubly_linked_list": (40, 341),
    "linked_stack": (40, 341),
    "sorted_list": (6, 20, 70, 252),
    "node_caching_list": (18, 112),
    "binomial_heap": (28, 120),
    "red_black_tree": (11, 29, 72),
    "disj_set_checked": (4, 20, 145),
    "disj_set_fast": (4, 14, 83),
    "binary_heap": (31, 249),
    "fib_heap": (48, 385),
    "tree_map_values": (91,),
}
"""At scopes 3, 4, ..."""

EXPLORED = [("parent_tree", 3, 15 * 3 + 5), ("parent_tree", 4, 51 * 4 + 6), ("avl_tree", 5, 317)]
"""As Table 1 prints them."""


@cache
def explored(name: str, scope: int) -> Explored:
    subject = loaded(name)
    return explore(subject.module, subject.spec.sequences(scope, subject.source))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "scope", "count"),
    [(name, scope, count) for name, counts in COUNTED.items() for scope, count in enumerate(counts, start=3)],
)
def test_calls_make_as_many_structures_as_the_paper_counts(name, scope, count):
    assert len(explored(name, scope).structures) == count
    if name in FORMULAS:
        assert FORMULAS[name](scope) == count


@pytest.mark.parametrize(("name", "scope", "count"), EXPLORED)
def test_as_many_sequences_are_explored_as_the_paper_prints(name, scope, count):
    assert explored(name, scope).explored == count


def valid(name: str, scope: int) -> set[bytes]:
    subject = loaded(name)
    space = StateSpace(subject.spec.finitization(scope))
    decoder = Decoder(space, subject.module)
    return {concrete(decoder.decode(v).root) for v in list(KoratSearch(space, subject.module, subject.spec.rep_ok))}


EXACT = [name for name in COUNTED if name not in ("sorted_list", "red_black_tree", "fib_heap", "tree_map_values")]


@pytest.mark.parametrize("name", EXACT)
def test_the_invariant_says_exactly_what_calls_make(name):
    assert valid(name, 3) == set(explored(name, 3).structures)


@pytest.mark.slow
@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "scope", "missing"), [("red_black_tree", 3, 1), ("fib_heap", 3, 6), ("tree_map_values", 3, 27)]
)
def test_what_the_bounds_keep_calls_from_is_made_at_the_next_scope(name, scope, missing):
    constructed, described = set(explored(name, scope).structures), valid(name, scope)
    assert constructed < described
    assert len(described - constructed) == missing
    assert described <= set(explored(name, scope + 1).structures)


@pytest.mark.sweep
def test_the_ranks_of_disjoint_sets_are_exactly_those_that_calls_make_up_to_five_elements():
    assert valid("disj_set_fast", 6) == set(explored("disj_set_fast", 6).structures)
    assert len(explored("disj_set_fast", 6).structures) == 544


@pytest.mark.parametrize("name", [name for name in COUNTED if name not in ("sorted_list", "binomial_heap")])
def test_postconditions_hold_after_every_call_on_every_structure(name):
    subject = loaded(name)
    scope = subject.spec.sequences(3, subject.source)
    routines = Routines(subject.module, scope)
    checked = 0
    for sequence in explored(name, 3).structures.values():
        for routine in routines.routines:
            if not routine.has_receiver:
                continue
            promise = getattr(subject.spec.module, f"post_{routine.name}")
            for arguments in product(*(parameter.values for parameter in routine.parameters)):
                state = run(routines, sequence)
                before = subject.abstract(state)
                raised = result = None
                try:
                    result = getattr(state, routine.name)(*arguments)
                except (ValueError, LookupError, OverflowError) as error:
                    raised = error
                more = {"raised": raised} if "raised" in promise.__code__.co_varnames else {}
                assert more or raised is None
                assert promise(before, subject.abstract(state), result, *arguments, **more) is True
                checked += 1
    assert checked


@pytest.mark.parametrize("name", ["avl_tree", "red_black_tree", "parent_tree"])
def test_trees_hold_what_a_set_holds_under_many_calls(name):
    subject = loaded(name)
    tree = getattr(subject.module, subject.spec.title)()
    model: set[int] = set()
    for step in range(400):
        key = step * 17 % 41
        if step // 41 % 3 == 2 or step * 5 % 7 < 2:
            assert tree.remove(key) is (key in model)
            model.discard(key)
        else:
            assert tree.add(key) is (key not in model)
            model.add(key)
        assert subject.abstract(tree) == tuple(sorted(model))
        assert tree.contains(key) is (key in model)
