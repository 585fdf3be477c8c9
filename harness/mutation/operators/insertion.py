"""AOI: an integer variable or field is read one too high or one too low."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.declared_types import NONE
from harness.mutation.operators.operator import Example, MutationOperator


def insert_arithmetic_operator(node: cst.Name | cst.Attribute, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`n` becomes `n + 1` and `n - 1`, where an integer is read. (muJava's AOIS assigns it, too.)"""
    if context.reads_variable(node) and context.types(node) - {NONE} == {"int"}:
        for operator in (cst.Add(), cst.Subtract()):
            yield cst.BinaryOperation(node, operator, cst.Integer("1"))


AOI = MutationOperator(
    code="AOI",
    summary="An integer variable or field is read one too high or one too low.",
    nodes=(cst.Name, cst.Attribute),
    mutate=insert_arithmetic_operator,
    examples=(
        Example(
            "def f(n: int, name: str):\n    m = n * 2\n    return name",
            (("n", "(n + 1)"), ("n", "(n - 1)")),
        ),
    ),
)
