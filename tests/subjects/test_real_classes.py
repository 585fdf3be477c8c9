"""Classes of packages as installed: as many states as formulas say, and runs that a second path confirms."""

from collections.abc import Callable
from itertools import product
from math import comb, gcd, perm
from pathlib import Path

import pytest
from support.structure_formulas import AVL_SHAPES, RED_BLACK_SHAPES, keyed, lists

from harness import api, resources
from harness.runner.mutant_set import mutated_functions
from harness.runner.subjects import load_subject

HEAPS = {1: [1, 1], 2: [1, 2, 3], 3: [1, 3, 6, 14]}  # with as many elements, each of so many, equal ones allowed


def sorted_lists(scope: int) -> int:
    """Count one list or two, with either offset, or two with an index, of elements in order."""
    longest = min(scope, 4)
    one = sum(comb(n + scope - 1, n) for n in range(longest + 1))
    sizes = product(range(1, longest + 1), repeat=2)
    two = sum(comb(a + b + scope - 1, a + b) for a, b in sizes)
    return 2 * (one + two) + two


def fractions(scope: int) -> int:
    return sum(gcd(n, d) == 1 for n in range(-scope, scope + 1) for d in range(1, scope + 1))


def queues(scope: int) -> int:
    """Heaps, each with the bounds that it keeps to, and any number of tasks."""
    return sum(HEAPS[scope][size] * (scope - max(size, 1) + 2) * (scope + 2) for size in range(scope + 1))


STATES: dict[str, Callable[[int], int]] = {
    "bintrees_avl": lambda scope: keyed(AVL_SHAPES, scope),
    "bintrees_rb": lambda scope: keyed(RED_BLACK_SHAPES, scope),
    "sortedcontainers_list": sorted_lists,
    "fraction": fractions,
    "normal_dist": lambda scope: (2 * scope + 1) ** 2,
    "ordered_dict": lambda scope: sum(perm(scope, keys) for keys in range(scope + 1)),
    "priority_queue": queues,
    "pvector": lambda scope: 4 * (scope + 1),
    "user_list": lambda scope: lists(scope, scope),
}


def test_every_real_class_has_a_formula():
    assert [name for name in resources.grouped_subjects() if name.startswith("real/")] == sorted(
        f"real/{name}" for name in STATES
    )


@pytest.mark.parametrize("scope", [1, 2, 3])
@pytest.mark.parametrize("name", STATES)
def test_states_are_as_many_as_the_formula_says(name, scope):
    assert api.generate(f"real/{name}", scope=scope).header.states == STATES[name](scope)


@pytest.mark.parametrize("name", STATES)
def test_the_class_is_the_installed_one(name):
    subject = load_subject(f"real/{name}")
    assert subject.installed
    assert not subject.source_path.is_relative_to(Path(resources.shipped("subjects")))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bintrees_avl", "pvector", "user_list"])
def test_a_run_kills_what_the_naive_path_kills(name, tmp_path):
    folder = api.run(api.subject_experiment(f"real/{name}", "korat", [1]), tmp_path / "run")
    results = api.load(folder).frames.results
    assert {"killed", "survived"} <= set(results["verdict"])
    checked = api.verify(folder, sample=30)
    assert (checked.checked, checked.disagreements) == (30, ())


@pytest.mark.slow
def test_a_class_of_a_module_with_others_reaches_no_method_of_those():
    subject = load_subject("real/user_list")
    functions = mutated_functions(subject)
    assert {name.partition(".")[0] for name in functions} == {"UserList"}
