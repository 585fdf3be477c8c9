"""AOR: an arithmetic operator becomes another."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.inference import NUMBERS
from harness.mutation.operators.operator import Example, MutationOperator

ALTERNATIVES: dict[type[cst.BaseBinaryOp], tuple[type[cst.BaseBinaryOp], ...]] = {
    cst.Add: (cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo),
    cst.Subtract: (cst.Add, cst.Multiply, cst.FloorDivide, cst.Modulo),
    cst.Multiply: (cst.Add, cst.Subtract, cst.FloorDivide, cst.Modulo),
    cst.FloorDivide: (cst.Add, cst.Subtract, cst.Multiply, cst.Modulo),
    cst.Modulo: (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide),
    cst.Divide: (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide),
    cst.Power: (cst.Multiply, cst.Add),
}


def numeric(context: MutationContext, *operands: cst.BaseExpression) -> bool:
    """Return whether every operand is a number, as far as types are known; `+` on lists has no other operator."""
    return all(context.types(operand) <= NUMBERS for operand in operands)


def replace_arithmetic_operator(node: cst.BinaryOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a + b` becomes `a - b` and so on, but no number is divided by a plain zero."""
    if numeric(context, node.left, node.right):
        for other in ALTERNATIVES.get(type(node.operator), ()):
            if not context.divides_by_zero(node.left, other, node.right):
                yield node.with_changes(operator=other())


AOR = MutationOperator(
    code="AOR",
    summary="An arithmetic operator becomes another.",
    nodes=(cst.BinaryOperation,),
    mutate=replace_arithmetic_operator,
    examples=(
        Example(
            "def f(a, b, c):\n    return a + b * c",
            (
                ("a + b * c", "a - b * c"),
                ("a + b * c", "a * (b * c)"),
                ("a + b * c", "a // (b * c)"),
                ("a + b * c", "a % (b * c)"),
                ("b * c", "(b + c)"),
                ("b * c", "(b - c)"),
                ("b * c", "b // c"),
                ("b * c", "b % c"),
            ),
        ),
        Example("def f(items: list):\n    return items + [1]", ()),
        Example("def f(n: int):\n    return n - 0", (("n - 0", "n + 0"), ("n - 0", "n * 0"))),
    ),
)
