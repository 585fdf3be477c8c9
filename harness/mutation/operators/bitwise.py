"""BOR: a bitwise or shift operator becomes another."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.operator import Example, MutationOperator

_ALTERNATIVES: dict[type[cst.BaseBinaryOp], tuple[type[cst.BaseBinaryOp], ...]] = {
    cst.BitAnd: (cst.BitOr, cst.BitXor),
    cst.BitOr: (cst.BitAnd, cst.BitXor),
    cst.BitXor: (cst.BitAnd, cst.BitOr),
    cst.LeftShift: (cst.RightShift,),
    cst.RightShift: (cst.LeftShift,),
}


def replace_bitwise_operator(node: cst.BinaryOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a & b` becomes `a | b` and `a ^ b`, `a << b` becomes `a >> b`, and so on."""
    for other in _ALTERNATIVES.get(type(node.operator), ()):
        yield node.with_changes(operator=other())


BOR = MutationOperator(
    code="BOR",
    summary="A bitwise or shift operator becomes another.",
    nodes=(cst.BinaryOperation,),
    mutate=replace_bitwise_operator,
    examples=(
        Example(
            "def f(a, b, c):\n    return a & b << c",
            (("a & b << c", "a | b << c"), ("a & b << c", "a ^ b << c"), ("b << c", "b >> c")),
        ),
    ),
)
