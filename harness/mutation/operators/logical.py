"""LCR: a logical connector becomes the other."""

from __future__ import annotations

import libcst as cst

from harness.mutation.operators.families import CONNECTORS, replacing
from harness.mutation.operators.operator import Example, MutationOperator

LCR = MutationOperator(
    code="LCR",
    summary="A logical connector becomes the other.",
    nodes=(cst.BooleanOperation,),
    mutate=replacing(CONNECTORS),
    examples=(
        Example(
            "def f(a, b, c):\n    return a and b or c",
            (("a and b", "a or b"), ("a and b or c", "a and b and c")),
        ),
        Example("def f(a, b, c):\n    return a or b or c", (("a or b", "a and b"), ("a or b or c", "(a or b) and c"))),
    ),
)
