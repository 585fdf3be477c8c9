"""LCR: a logical connector becomes the other."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.operator import Example, MutationOperator


def replace_logical_connector(node: cst.BooleanOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a and b` becomes `a or b`; and back."""
    yield node.with_changes(operator=cst.Or() if isinstance(node.operator, cst.And) else cst.And())


LCR = MutationOperator(
    code="LCR",
    summary="A logical connector becomes the other.",
    nodes=(cst.BooleanOperation,),
    mutate=replace_logical_connector,
    examples=(
        Example(
            "def f(a, b, c):\n    return a and b or c",
            (("a and b", "a or b"), ("a and b or c", "a and b and c")),
        ),
        Example("def f(a, b, c):\n    return a or b or c", (("a or b", "a and b"), ("a or b or c", "(a or b) and c"))),
    ),
)
