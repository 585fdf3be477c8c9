"""Operator sets: what belongs to which, and that a name chooses the mutants."""

from __future__ import annotations

import pytest

from harness.errors import UsageError
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import EXTENDED, FERASTRAU, OPERATOR_SETS, operator_set, operators_of
from harness.mutation.operators import OPERATORS
from harness.mutation.profile import TypeProfile


def test_ferastrau_replaces_operators_variables_and_invocations_and_no_more() -> None:
    outside = {operator.code for operator in OPERATORS} - set(FERASTRAU.operators)
    assert outside == {"AOI", "COI", "COD", "CRP"}
    source = "def f(a: int, b: int):\n    if a:\n        return not a + 1 < b\n"
    found = {m.operator for m in mutate(source, ["f"], TypeProfile(), operators_of(FERASTRAU))}
    assert found == {"AOR", "ROR", "VRR"}


def test_extended_has_every_operator() -> None:
    assert operators_of(EXTENDED) == OPERATORS


def test_a_set_is_known_by_its_name() -> None:
    assert all(operator_set(name).name == name for name in OPERATOR_SETS)
    with pytest.raises(UsageError, match=r"unknown operator set 'all'; there are ferastrau, extended"):
        operator_set("all")
