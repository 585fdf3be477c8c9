"""Operator sets: what belongs to which, and that a name chooses the mutants."""

from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import EXTENDED, FERASTRAU, MUJAVA, OPERATOR_SETS, operator_set, operators_of
from harness.mutation.operators import OPERATORS
from harness.mutation.operators.mujava import MUJAVA_OPERATORS, WITHOUT_COUNTERPART
from harness.mutation.profile import TypeProfile


def test_ferastrau_replaces_operators_variables_and_invocations_and_no_more():
    outside = {operator.code for operator in OPERATORS} - set(FERASTRAU.operators)
    assert outside == {"AOI", "COI", "COD", "CRP"}
    source = "def f(a: int, b: int):\n    if a:\n        return not a + 1 < b\n"
    operators = {m.operator for m in mutate(source, ["f"], TypeProfile(), operators_of(FERASTRAU))}
    assert operators == {"AOR", "ROR", "VRR"}


def test_extended_has_every_operator():
    assert operators_of(EXTENDED) == OPERATORS


def test_mujava_has_each_method_level_operator_or_says_that_python_has_no_counterpart():
    assert operators_of(MUJAVA) == MUJAVA_OPERATORS
    described = (
        "AORB AORS AOIU AOIS AODU AODS ROR COR COD COI SOR LOR LOI LOD ASRS SDL VDL CDL ODL"  # of its description
    )
    absent = {missing.code for missing in WITHOUT_COUNTERPART} - set(MUJAVA.operators)
    assert absent >= {"AODS"}
    assert sorted([*MUJAVA.operators, "AODS"]) == sorted(described.split())


def test_a_code_means_in_each_set_what_the_set_says():
    source = "def f(a: int, b: int):\n    return a < b\n"
    replacements = {
        name: [
            m.replacement
            for m in mutate(source, ["f"], TypeProfile(), operators_of(operator_set(name)))
            if m.operator == "ROR"
        ]
        for name in OPERATOR_SETS
    }
    relations = ["a <= b", "a > b", "a >= b", "a == b", "a != b"]
    assert replacements == {"ferastrau": relations, "extended": relations, "mujava": [*relations, "True", "False"]}
