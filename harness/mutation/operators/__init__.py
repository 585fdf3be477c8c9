"""The table of mutation operators; `harness.mutation.operator_sets` says which belong to which set."""

from __future__ import annotations

from harness.mutation.operators.general import AOI, AOR, ASR, BOR, COD, COI, CRP, FRR, IDR, LCR, MIR, ROR, UOR, VRR
from harness.mutation.operators.operator import Example, MutationOperator

OPERATORS: tuple[MutationOperator, ...] = (
    AOR,  # arithmetic           a + b        -> a - b
    AOI,  # off by one           n            -> n + 1
    ROR,  # relational           a < b        -> a <= b
    IDR,  # identity, membership a is b       -> a is not b
    LCR,  # logical              a and b      -> a or b
    BOR,  # bitwise, shift       a & b        -> a | b
    UOR,  # unary                -a           -> +a
    COI,  # condition negated    if a         -> if not a
    COD,  # negation left out    not a        -> a
    ASR,  # augmented assignment n += 1       -> n -= 1
    CRP,  # constant             1            -> 0
    VRR,  # variable             i            -> j
    FRR,  # field                n.left       -> n.right
    MIR,  # invocation           h.up(i)      -> h.down(i)
)

__all__ = ["OPERATORS", "Example", "MutationOperator"]
