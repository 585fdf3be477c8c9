"""A formula beyond memory is refused within seconds, with its estimated size."""

import itertools
from types import ModuleType

import pytest
from support.search_trees import search_tree, trees

from harness.errors import UsageError
from harness.generators.protocol import Task
from harness.generators.sat.estimate import check_gates, gates
from harness.kernel.specs.spec import Spec, load_spec
from harness.relational import some
from harness.resources import subject_folders

SUBJECTS = ("field_sorted_list", "field_search_tree", "field_tree_set", "field_binomial_heap")


def _spec(subject: str) -> Spec:
    path = subject_folders()[subject] / "spec.py"
    return load_spec(path.read_text(), str(path))


def _task(spec: Spec, scope: int | None) -> Task:
    return Task(spec, ModuleType("m"), spec.finitization(3), 0, scope=scope)


@pytest.mark.slow
@pytest.mark.sweep
def test_a_formula_beyond_memory_is_refused_with_an_estimate_of_its_gates():
    spec = _spec("field_search_tree")
    with pytest.raises(UsageError, match=r"some \d{3} million gates at scope 400 \(by the [\d,]+ of scope 25 and the"):
        check_gates(_task(spec, 400), spec.module.invariant)


@pytest.mark.parametrize("scope", [None, 60, 127])
def test_what_may_fit_is_not_estimated(scope):
    spec = _spec("field_search_tree")
    check_gates(_task(spec, scope), spec.module.invariant)


@pytest.mark.sweep
def test_a_list_of_400_is_within_the_gates():
    spec = _spec("field_sorted_list")
    check_gates(_task(spec, 400), spec.module.invariant)


@pytest.mark.sweep
@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_power_of_the_scope_grows_so_that_estimates_are_too_small_if_anything(subject):
    spec = _spec(subject)
    sizes = [gates(spec.finitization(scope), spec.module.invariant) for scope in (3, 6, 12, 24)]
    growth = [after / before for before, after in itertools.pairwise(sizes)]
    assert growth == sorted(growth)


def test_an_invariant_without_closures_is_not_estimated():
    assert gates(trees(3), search_tree) > 0
    assert gates(trees(3), lambda thiz, heap: some(thiz.root)) == 0
