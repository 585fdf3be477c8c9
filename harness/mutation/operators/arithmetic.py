"""AOR, ASR and AOI: an arithmetic operator becomes another, a number is read one off; with what these share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.declared_types import NONE
from harness.mutation.inference import NUMBERS
from harness.mutation.operators.families import AUGMENTED_BITWISE, AUGMENTED_SHIFTS, siblings
from harness.mutation.operators.operator import Example, Mutate, MutationOperator, becoming

_ALTERNATIVES: dict[type[cst.BaseBinaryOp], tuple[type[cst.BaseBinaryOp], ...]] = {
    cst.Add: (cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo),
    cst.Subtract: (cst.Add, cst.Multiply, cst.FloorDivide, cst.Modulo),
    cst.Multiply: (cst.Add, cst.Subtract, cst.FloorDivide, cst.Modulo),
    cst.FloorDivide: (cst.Add, cst.Subtract, cst.Multiply, cst.Modulo),
    cst.Modulo: (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide),
    cst.Divide: (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide),
    cst.Power: (cst.Multiply, cst.Add),
}
_AUGMENTED: dict[type[cst.BaseBinaryOp], type[cst.BaseAugOp]] = {
    cst.Add: cst.AddAssign,
    cst.Subtract: cst.SubtractAssign,
    cst.Multiply: cst.MultiplyAssign,
    cst.FloorDivide: cst.FloorDivideAssign,
    cst.Modulo: cst.ModuloAssign,
    cst.Divide: cst.DivideAssign,
    cst.Power: cst.PowerAssign,
}
_PLAIN = {augmented: plain for plain, augmented in _AUGMENTED.items()}
Alternatives = Callable[
    [type[cst.BaseBinaryOp], cst.BaseExpression, cst.BaseExpression, MutationContext],
    Iterable[type[cst.BaseBinaryOp]],
]
"""Returns the operators that replace an arithmetic one between two operands."""


def numeric(context: MutationContext, *operands: cst.BaseExpression) -> bool:
    """Return whether every operand is a number, as far as types are known; `+` on lists has no other operator."""
    return all(context.types(operand) <= NUMBERS for operand in operands)


def replacing_arithmetic(alternatives: Alternatives) -> Mutate:
    """Make the function of a mutation operator that replaces `+` of numbers by alternatives, and so on.

    No number is divided by a plain zero.
    """

    def replace_operator(node: cst.BinaryOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
        if numeric(context, node.left, node.right):
            for other in alternatives(type(node.operator), node.left, node.right, context):
                if not context.divides_by_zero(node.left, other, node.right):
                    yield node.with_changes(operator=other())

    return replace_operator


def replacing_augmented(alternatives: Alternatives) -> Mutate:
    """Make the function of a mutation operator that replaces `+=` of numbers as `replacing_arithmetic` does `+`.

    The operators of bitwise and of shift assignments replace each other.
    """

    def replace_operator(node: cst.AugAssign, context: MutationContext) -> Iterator[cst.CSTNode]:
        target, value, kind = node.target, node.value, type(node.operator)
        if kind in _PLAIN and numeric(context, target, value):
            for other in alternatives(_PLAIN[kind], target, value, context):
                if not context.divides_by_zero(target, other, value):
                    yield node.with_changes(operator=_AUGMENTED[other]())
        for sibling in siblings(kind, AUGMENTED_BITWISE, AUGMENTED_SHIFTS):
            yield node.with_changes(operator=sibling())

    return replace_operator


def in_ferastrau(
    kind: type[cst.BaseBinaryOp], left: cst.BaseExpression, right: cst.BaseExpression, context: MutationContext
) -> tuple[type[cst.BaseBinaryOp], ...]:
    """Return the operators that Ferastrau replaces an arithmetic one by, whatever the operands are."""
    return _ALTERNATIVES.get(kind, ())


AOR = MutationOperator(
    code="AOR",
    summary="An arithmetic operator becomes another.",
    nodes=(cst.BinaryOperation,),
    mutate=replacing_arithmetic(in_ferastrau),
    examples=(
        Example(
            "def f(a, b, c):\n    return a + b * c",
            (
                *becoming("a + b * c", "a - b * c", "a * (b * c)", "a // (b * c)", "a % (b * c)"),
                *becoming("b * c", "(b + c)", "(b - c)", "b // c", "b % c"),
            ),
        ),
        Example("def f(items: list):\n    return items + [1]", ()),
        Example("def f(n: int):\n    return n - 0", becoming("n - 0", "n + 0", "n * 0")),
    ),
)


ASR = MutationOperator(
    code="ASR",
    summary="An augmented assignment's operator becomes another.",
    nodes=(cst.AugAssign,),
    mutate=replacing_augmented(in_ferastrau),
    examples=(
        Example(
            "def f(n, flags):\n    n += 2\n    flags |= n",
            (
                *becoming("n += 2", "n -= 2", "n *= 2", "n //= 2", "n %= 2"),
                *becoming("flags |= n", "flags &= n", "flags ^= n"),
            ),
        ),
        Example(
            "def f(share, n: int):\n    share /= n\n    n **= 2\n    n -= 0",
            (
                *becoming("share /= n", "share += n", "share -= n", "share *= n", "share //= n"),
                *becoming("n **= 2", "n *= 2", "n += 2"),
                *becoming("n -= 0", "n += 0", "n *= 0"),
            ),
        ),
    ),
)


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
        Example("def f(n: int, name: str):\n    m = n * 2\n    return name", becoming("n", "(n + 1)", "(n - 1)")),
    ),
)
