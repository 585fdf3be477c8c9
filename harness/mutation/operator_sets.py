"""Operator sets by name: which operators make the mutants of a run. `operators/__init__.py` lists all operators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.did_you_mean import suggestion
from harness.errors import UsageError
from harness.model.experiment import DEFAULT_OPERATORS
from harness.model.outcome import OperatorSet

if TYPE_CHECKING:
    from harness.mutation.operators import MutationOperator

FERASTRAU = OperatorSet(
    DEFAULT_OPERATORS,
    ("AOR", "ROR", "IDR", "LCR", "BOR", "UOR", "ASR", "VRR", "FRR", "MIR"),
    "Exactly what Ferastrau does (exhaustive2003, section 7.1): an operator becomes another operator of the same type "
    "(AOR, ROR, IDR, LCR, BOR, UOR, ASR), a variable another variable of compatible type (VRR, FRR), an invocation one "
    "of another method of compatible signature (MIR).",
)
EXTENDED = OperatorSet(
    "extended",
    ("AOR", "AOI", "ROR", "IDR", "LCR", "BOR", "UOR", "COI", "COD", "ASR", "CRP", "VRR", "FRR", "MIR"),
    "`ferastrau`, and what that paper does not have: operators that are put in or left out (AOI, COI, COD) and "
    "constants (CRP). Its scores are not comparable with printed ones.",
)
MUJAVA = OperatorSet(
    "mujava",
    (
        *("AORB", "AORS", "AOIU", "AOIS", "AODU", "ROR", "COR", "COD", "COI", "SOR", "LOR", "LOI", "LOD", "ASRS"),
        *("SDL", "VDL", "CDL", "ODL"),
    ),
    "muJava's method-level operators, as far as Python has a counterpart of them: the twelve of 2005, some of them in "
    "several kinds, which criteria_pruning2011 (section 4) used, and the four deletions that muJava has since 2013 "
    "(SDL, VDL, CDL, ODL).",
)
OPERATOR_SETS: dict[str, OperatorSet] = {found.name: found for found in (FERASTRAU, EXTENDED, MUJAVA)}
"""The operator sets by name. To add a set, add it to the tuple here."""


def operator_set(name: str) -> OperatorSet:
    """Return the set of that name.

    Raises:
        UsageError: there is none.
    """
    if name not in OPERATOR_SETS:
        raise UsageError(f"unknown operator set {name!r}; {suggestion(name, OPERATOR_SETS)}")
    return OPERATOR_SETS[name]


def operators_of(chosen: OperatorSet) -> tuple[MutationOperator, ...]:
    """Return the operators of a set, in its order. muJava's have their own table, since codes may repeat."""
    from harness.mutation.operators import OPERATORS
    from harness.mutation.operators.mujava import MUJAVA_OPERATORS

    table = MUJAVA_OPERATORS if chosen.name == MUJAVA.name else OPERATORS
    by_code = {operator.code: operator for operator in table}
    return tuple(by_code[code] for code in chosen.operators)
