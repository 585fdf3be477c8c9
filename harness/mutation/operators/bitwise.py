"""BOR: a bitwise or shift operator becomes another."""

from __future__ import annotations

import libcst as cst

from harness.mutation.operators.families import BITWISE, SHIFTS, replacing
from harness.mutation.operators.operator import Example, MutationOperator

BOR = MutationOperator(
    code="BOR",
    summary="A bitwise or shift operator becomes another.",
    nodes=(cst.BinaryOperation,),
    mutate=replacing(BITWISE, SHIFTS),
    examples=(
        Example(
            "def f(a, b, c):\n    return a & b << c",
            (("a & b << c", "a | b << c"), ("a & b << c", "a ^ b << c"), ("b << c", "b >> c")),
        ),
    ),
)
