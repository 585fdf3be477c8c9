"""Dedicated predicates and relational invariants accept the states of rep_ok."""

from __future__ import annotations

import pytest
from subject_samples import NAMES
from support.relational_evaluation import holds
from support.relational_facts import facts_of
from support.subjects import loaded

from harness.errors import SpecError
from harness.generators.policies.korat.dedicated import PREDICATE, KoratDedicated
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import Task
from harness.generators.sat.instances import sat_instances
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.objects.equality import concrete
from harness.kernel.specs.relational.expressions import formula_of

OFFERING = [name for name in NAMES if name not in ("heapq", "tree_map_black_root")]
"""The ten benchmarks."""


@pytest.mark.parametrize("scope", [1, 2, 3])
@pytest.mark.parametrize("name", OFFERING)
def test_a_suite_by_dedicated_generators_is_korats(name, scope):
    spec, module = loaded(name)
    task = Task(spec, module, spec.finitization(scope), 0)
    usual, dedicated = Korat().produce(task), KoratDedicated().produce(task)
    assert [(tuple(v), c) for v, c in usual] == [(tuple(v), c) for v, c in dedicated]
    assert usual.structures == dedicated.structures
    assert dedicated.explored < usual.explored


@pytest.mark.parametrize("name", OFFERING)
def test_both_predicates_agree_on_every_candidate_of_a_plain_search(name):
    """Compare the predicates outside a search, on plain objects: states that rep_ok accepts, and those a step away."""
    spec, module = loaded(name)
    space = StateSpace(spec.finitization(2))
    decoder = Decoder(space, module)
    for vector in KoratSearch(space, module, spec.rep_ok):
        for field in space.fields:
            for index in range(len(field.domain)):
                near = (*vector[: field.number], index, *vector[field.number + 1 :])
                expected = bool(spec.rep_ok(decoder.decode(near).root))
                assert bool(vars(spec.module)[PREDICATE](decoder.decode(near).root)) is expected


def test_a_spec_without_the_predicate_is_told_what_to_write():
    spec, module = loaded("heapq")
    with pytest.raises(SpecError, match=r"no function rep_ok_dedicated.*or choose --generator korat"):
        KoratDedicated().produce(Task(spec, module, spec.finitization(1), 0))


LARGEST = {"field_sorted_list": 6, "field_search_tree": 5, "field_tree_set": 7, "field_binomial_heap": 5}
"""Scopes up to which all structures are listed twice."""

SUBJECTS_AND_SCOPES = [(name, scope) for name, largest in LARGEST.items() for scope in range(1, largest + 1)]


@pytest.mark.parametrize(("name", "scope"), SUBJECTS_AND_SCOPES)
def test_the_solver_finds_the_structures_that_korat_finds(name, scope):
    spec, module = loaded(name)
    finitization = spec.finitization(scope)
    space = StateSpace(finitization)
    decoder = Decoder(space, module)
    searched = {concrete(decoder.decode(vector).root) for vector in KoratSearch(space, module, spec.rep_ok)}
    solved = sat_instances(finitization, spec.module.invariant)
    forms = []
    while (instance := solved.next()) is not None:
        solved.block(instance)
        state = decoder.decode(instance.vector).root
        assert spec.rep_ok(state) is True
        forms.append(concrete(state))
    assert len(forms) == len(set(forms))
    assert set(forms) == searched


@pytest.mark.parametrize(("name", "scope"), [(name, 3) for name in LARGEST])
def test_formula_and_rep_ok_agree_on_whatever_differs_from_a_structure_in_one_field(name, scope):
    spec, module = loaded(name)
    finitization = spec.finitization(scope)
    space = StateSpace(finitization)
    decoder = Decoder(space, module)
    formula = formula_of(spec.module.invariant, finitization)
    near = {
        (*vector[:number], index, *vector[number + 1 :])
        for vector in map(tuple, list(KoratSearch(space, module, spec.rep_ok)))
        for number, field in enumerate(space.fields)
        for index in range(len(field.domain))
    }
    verdicts = [(spec.rep_ok(decoder.decode(vector).root), holds(formula, facts_of(space, vector))) for vector in near]
    assert {(True, True), (False, False)} == set(verdicts)
