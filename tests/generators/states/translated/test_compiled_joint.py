"""Inputs that satisfy a target's own precondition: the compiled engine finds what the reference engine does."""

import pytest
from generator_samples import workshop
from hypothesis import HealthCheck, assume, given, settings
from random_programs import programs
from support.compiled_samples import finitization, module, predicate
from support.subjects import loaded
from support.sweeps import examples

from harness.errors import SpecError
from harness.generators.states.joint import JointSearch
from harness.generators.states.translated.search import Pace
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization, Structures

FITS = """
def fits(root, other, limit):
    return other is not root.r0 and (other is None or other.sum_of(limit) >= limit) and rep_ok(root)
"""


def searched(code, f, number, notices, rep_ok=None, **options):
    """Vectors with calls, and the candidates explored, of the reference engine and of both."""
    results = []
    for other in (None, workshop(notices, pace=Pace(1))):
        search = JointSearch(f, number, code, {}, rep_ok or code.rep_ok, other, **options if other else {})
        results.append((list(search), search.search.explored))
    return results


@pytest.mark.parametrize("scope", [1, 2, 3])
@pytest.mark.parametrize("name", ["av_tree", "heapq", "sorted_list"])
def test_every_subjects_own_preconditions_give_the_same_inputs_from_as_many_candidates(name, scope):
    spec, code = loaded(name)
    f, notices = spec.finitization(scope), []
    for number, target in enumerate(f.targets):
        if target.requires is not None:
            expected, inputs = searched(code, f, number, notices, spec.rep_ok)
            assert inputs == expected
            _, pruned = searched(code, f, number, notices, spec.rep_ok, outcomes=True)
            assert pruned[0] == expected[0]
            assert pruned[1] <= expected[1]
    assert notices == []


@pytest.mark.slow
@given(programs())
@settings(max_examples=examples(24), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_preconditions_give_the_same_inputs_and_counts(program):
    code, f = module(program.source + FITS), program.finitization()
    assume(StateSpace(f).size <= 20_000)
    f.method("touch", (None, f.domains[1]), range(2), requires=code.fits)
    try:
        expected, inputs = searched(code, f, 0, [])
    except SpecError:
        assume(False)
    assert inputs == expected


def method(code, *parameters, any_state=True):
    f = finitization(values=2, lengths=2)
    f.method("touch", *parameters, requires=code.fits, any_state=any_state)
    return f


@pytest.mark.parametrize("outcomes", [False, True])
def test_rep_ok_and_a_precondition_are_both_searched_by(outcomes):
    body = "return root.size < 2 and (root.head is None or root.head.value != root.size)"
    code = predicate(body, helpers="def fits(root, n):\n    return n == root.size\n")
    joint, any_state = (method(code, range(3), any_state=which) for which in (False, True))
    expected, inputs = searched(code, joint, 0, notices := [], outcomes=outcomes)
    assert notices == []
    assert inputs[0] == expected[0]
    assert 1 < len(inputs[0]) < len(searched(code, any_state, 0, [])[0][0])


def test_arguments_are_read_before_the_pre_state():
    code = predicate("return root.size == 0", helpers="def fits(root, n):\n    return n == 1 and rep_ok(root)\n")
    (vectors, explored), inputs = searched(code, method(code, range(3)), 0, notices := [])
    assert inputs == (vectors, explored)
    assert explored == 1 + 3 + 1, "0 and 2 are refused before anything of the state is read"
    assert notices == []


@pytest.mark.parametrize(
    ("helper", "construct"),
    [
        ("def fits(root, n):\n    return n / 1 == 1\n", "the operator Div"),
        ("def fits(root, n, *more):\n    return n == 1\n", "*args or **kwargs"),
        ("def fits(root, n, extra=1):\n    return n == extra\n", "takes other than the state and the arguments"),
        ("def fits(root, n):\n    yield n\n", "fits is a generator"),
    ],
)
def test_what_is_not_translated_is_named_with_its_line_and_found_by_another_engine(helper, construct):
    code, notices = predicate("return True", helpers=helper), []
    expected, inputs = searched(code, method(code, range(2)), 0, notices)
    assert inputs == expected
    (notice,) = notices
    line = code.fits.__code__.co_firstlineno
    assert notice.startswith("fits is searched with by the reference engine, which is slower: ")
    assert construct in notice
    assert f"({code.fits.__code__.co_filename}:{line + ('Div' in construct)})" in notice


def test_structures_as_arguments_are_left_to_the_reference_engine():
    code = predicate("return True", helpers="def fits(root, other):\n    return other.size > root.size\n")
    small = Finitization("R")
    small.set("R.size", range(3))
    structures, notices = {"0:0": [[0], [1], [2]]}, []
    f = method(code, Structures(small, code.rep_ok))
    expected = list(JointSearch(f, 0, code, structures, code.rep_ok))
    assert list(JointSearch(f, 0, code, structures, code.rep_ok, workshop(notices, pace=Pace(1)))) == expected
    assert len(expected) > 1
    assert f"a precondition on structures (<{code.fits.__code__.co_filename[1:-1]}>:" in notices[0]
