"""SOR, LOR, LOI and LOD: shift and bitwise operators are replaced, put in, or left out."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.families import BITWISE, SHIFTS, dropping, replacing
from harness.mutation.operators.mujava.sources import INTEGER, MA_OFFUTT
from harness.mutation.operators.operator import Example, MutationOperator

_REPLACE_BITWISE = replacing(BITWISE)


def replace_bitwise(node: cst.BinaryOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a & b` becomes `a | b` and `a ^ b`, for all that is known of integers; of booleans they belong to COR."""
    if context.types(node.left) | context.types(node.right) <= INTEGER:
        yield from _REPLACE_BITWISE(node, context)


def insert_complement(node: cst.Name | cst.Attribute, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`n` becomes `~n`, where an integer is read."""
    if context.reads_variable(node) and context.types(node) == INTEGER:
        yield cst.UnaryOperation(cst.BitInvert(), node)


SOR = MutationOperator(
    code="SOR",
    summary="A shift goes into the other direction.",
    source=MA_OFFUTT,
    nodes=(cst.BinaryOperation,),
    mutate=replacing(SHIFTS),
    examples=(Example("def f(a, b):\n    return a << b >> 1", (("a << b", "a >> b"), ("a << b >> 1", "a << b << 1"))),),
)
LOR = MutationOperator(
    code="LOR",
    summary="A bitwise operator of integers becomes another.",
    source=MA_OFFUTT,
    nodes=(cst.BinaryOperation,),
    mutate=replace_bitwise,
    examples=(
        Example("def f(a: int, b: int, c: bool):\n    return a & b, c | c", (("a & b", "a | b"), ("a & b", "a ^ b"))),
    ),
)
LOI = MutationOperator(
    code="LOI",
    summary="The complement of an integer variable or field is taken.",
    source=MA_OFFUTT,
    nodes=(cst.Name, cst.Attribute),
    mutate=insert_complement,
    examples=(Example("def f(n: int, name: str):\n    m = n * 2\n    return name, -n", (("n", "~n"), ("n", "~n"))),),
)
LOD = MutationOperator(
    code="LOD",
    summary="A complement is left out.",
    source=MA_OFFUTT,
    nodes=(cst.UnaryOperation,),
    mutate=dropping(cst.BitInvert),
    examples=(Example("def f(a, b):\n    return ~a + -b", (("~a", "a"),)),),
)
