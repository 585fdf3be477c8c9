"""The relational invariants describe the very structures that rep_ok accepts."""

from __future__ import annotations

import pytest
from subject_samples import loaded
from support.relational_evaluation import holds
from support.relational_facts import facts_of

from harness.generators.sat.instances import sat_instances
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import Decoder, StateSpace
from harness.kernel.objects.equality import concrete
from harness.kernel.specs.relational.expressions import formula_of

LARGEST = {"field_sorted_list": 6, "field_search_tree": 5, "field_tree_set": 7, "field_binomial_heap": 5}
"""Scopes up to which all structures are listed twice."""

SUBJECTS_AND_SCOPES = [(name, scope) for name, largest in LARGEST.items() for scope in range(1, largest + 1)]


@pytest.mark.parametrize(("name", "scope"), SUBJECTS_AND_SCOPES)
def test_the_solver_finds_the_structures_that_korat_finds(name, scope):
    subject = loaded(name)
    finitization = subject.spec.finitization(scope)
    space = StateSpace(finitization)
    decoder = Decoder(space, subject.module)
    searched = {
        concrete(decoder.decode(vector).root) for vector in KoratSearch(space, subject.module, subject.spec.rep_ok)
    }
    solved = sat_instances(finitization, subject.spec.module.invariant)
    forms = []
    while (instance := solved.next()) is not None:
        solved.block(instance)
        state = decoder.decode(instance.vector).root
        assert subject.spec.rep_ok(state) is True
        forms.append(concrete(state))
    assert len(forms) == len(set(forms))
    assert set(forms) == searched


@pytest.mark.parametrize(("name", "scope"), [(name, 3) for name in LARGEST])
def test_formula_and_rep_ok_agree_on_whatever_differs_from_a_structure_in_one_field(name, scope):
    subject = loaded(name)
    finitization = subject.spec.finitization(scope)
    space = StateSpace(finitization)
    decoder = Decoder(space, subject.module)
    formula = formula_of(subject.spec.module.invariant, finitization)
    near = {
        (*vector[:number], index, *vector[number + 1 :])
        for vector in map(tuple, list(KoratSearch(space, subject.module, subject.spec.rep_ok)))
        for number, field in enumerate(space.fields)
        for index in range(len(field.domain))
    }
    verdicts = [
        (subject.spec.rep_ok(decoder.decode(vector).root), holds(formula, facts_of(space, vector))) for vector in near
    ]
    assert {(True, True), (False, False)} == set(verdicts)
