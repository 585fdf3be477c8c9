"""Predicates by dedicated generators: the states of rep_ok in the same order, from fewer candidates."""

import pytest
from subject_samples import NAMES
from support.subjects import loaded

from harness.errors import SpecError
from harness.generators.policies.korat.dedicated import PREDICATE, KoratDedicated
from harness.generators.policies.korat.generator import Korat
from harness.generators.protocol import Task
from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import Decoder, StateSpace

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
