"""Operator sets by name: which operators make the mutants of a run."""

from __future__ import annotations

from harness.errors import UsageError
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.mutant import OperatorSet
from harness.mutation.operators import OPERATORS, MutationOperator

FERASTRAU = OperatorSet(
    DEFAULT_OPERATORS,
    ("AOR", "ROR", "IDR", "LCR", "BOR", "UOR", "ASR", "VRR", "FRR", "MIR"),
    "Exactly what Ferastrau does (exhaustive2003, section 7.1): an operator becomes another operator of the same type "
    "(AOR, ROR, IDR, LCR, BOR, UOR, ASR), a variable another variable of compatible type (VRR, FRR), an invocation one "
    "of another method of compatible signature (MIR).",
)
EXTENDED = OperatorSet(
    "extended",
    tuple(operator.code for operator in OPERATORS),
    "`ferastrau`, and what that paper does not have: operators that are put in or left out (AOI, COI, COD) and "
    "constants (CRP). Its scores are not comparable with printed ones.",
)
OPERATOR_SETS: dict[str, OperatorSet] = {found.name: found for found in (FERASTRAU, EXTENDED)}
"""A further set is one more line here."""


def operator_set(name: str) -> OperatorSet:
    """The set of that name.

    Raises:
        UsageError: there is none.
    """
    if name not in OPERATOR_SETS:
        raise UsageError(f"unknown operator set {name!r}; there are {', '.join(OPERATOR_SETS)}")
    return OPERATOR_SETS[name]


def operators_of(chosen: OperatorSet) -> tuple[MutationOperator, ...]:
    """Its operators, in its order."""
    by_code = {operator.code: operator for operator in OPERATORS}
    return tuple(by_code[code] for code in chosen.operators)
