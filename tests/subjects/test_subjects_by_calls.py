"""Calls make as many structures of beapi2023's subjects as its Table 1 has, and those of the invariant."""

from functools import cache
from itertools import product

import pytest
from subject_samples import loaded, states
from support.naive_sequences import Explored, explore, run
from support.structure_formulas import COUNTS, EXPLORED, FORMULAS

from harness.kernel.inputs.routines import Routines
from harness.kernel.objects.equality import concrete

NAIVELY = {
    "search_tree": 4,
    "parent_tree": 4,
    "avl_tree": 5,
    "sentinel_list": 5,
    "doubly_linked_list": 4,
    "linked_stack": 4,
    "sorted_list": 6,
    "node_caching_list": 4,
    "binomial_heap": 4,
    "red_black_tree": 5,
    "disj_set_checked": 5,
    "disj_set_fast": 5,
    "binary_heap": 4,
    "fib_heap": 4,
    "tree_map_values": 3,
}
"""The largest scopes that the naive search soon comes through; the first one is 3."""


@cache
def explored(name: str, scope: int) -> Explored:
    subject = loaded(name)
    return explore(subject.module, subject.spec.sequences(scope, subject.source))


@pytest.mark.parametrize(
    ("name", "scope", "count"),
    [(name, scope, COUNTS[name][scope - 3]) for name, last in NAIVELY.items() for scope in range(3, last + 1)],
)
def test_calls_make_as_many_structures_as_the_paper_counts(name, scope, count):
    assert len(explored(name, scope).structures) == count
    if name in FORMULAS:
        assert FORMULAS[name](scope) == count


@pytest.mark.parametrize(("name", "scope"), [("parent_tree", 3), ("parent_tree", 4), ("avl_tree", 5)])
def test_as_many_sequences_are_explored_as_the_paper_prints(name, scope):
    assert explored(name, scope).explored == EXPLORED[name, scope]


def valid(name: str, scope: int) -> set[bytes]:
    return {concrete(make()) for make in states(loaded(name), scope)}


EXACT = [name for name in NAIVELY if name not in ("sorted_list", "red_black_tree", "fib_heap", "tree_map_values")]


@pytest.mark.parametrize("name", EXACT)
def test_the_invariant_says_exactly_what_calls_make(name):
    assert valid(name, 3) == set(explored(name, 3).structures)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "scope", "missing"), [("red_black_tree", 3, 1), ("fib_heap", 3, 6), ("tree_map_values", 3, 27)]
)
def test_what_the_bounds_keep_calls_from_is_made_at_the_next_scope(name, scope, missing):
    constructed, described = set(explored(name, scope).structures), valid(name, scope)
    assert constructed < described
    assert len(described - constructed) == missing
    assert described <= set(explored(name, scope + 1).structures)


@pytest.mark.slow
def test_the_ranks_of_disjoint_sets_are_exactly_those_that_calls_make_up_to_five_elements():
    assert valid("disj_set_fast", 6) == set(explored("disj_set_fast", 6).structures)
    assert len(explored("disj_set_fast", 6).structures) == 544


@pytest.mark.parametrize("name", [name for name in NAIVELY if name not in ("sorted_list", "binomial_heap")])
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
