"""ASR: an augmented assignment's operator becomes another."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.arithmetic import numeric
from harness.mutation.operators.operator import Example, MutationOperator

_ARITHMETIC: tuple[type[cst.BaseAugOp], ...] = (
    cst.AddAssign,
    cst.SubtractAssign,
    cst.MultiplyAssign,
    cst.FloorDivideAssign,
    cst.ModuloAssign,
)
_FAMILIES: tuple[tuple[type[cst.BaseAugOp], ...], ...] = (
    _ARITHMETIC,
    (cst.BitAndAssign, cst.BitOrAssign, cst.BitXorAssign),
    (cst.LeftShiftAssign, cst.RightShiftAssign),
)


def replace_augmented_assignment(node: cst.AugAssign, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`n += 1` becomes `n -= 1` and so on, within arithmetic, bitwise and shift operators."""
    for family in _FAMILIES:
        if type(node.operator) in family and (family is not _ARITHMETIC or numeric(context, node.target, node.value)):
            for other in family:
                if other is not type(node.operator):
                    yield node.with_changes(operator=other())


ASR = MutationOperator(
    code="ASR",
    summary="An augmented assignment's operator becomes another.",
    nodes=(cst.AugAssign,),
    mutate=replace_augmented_assignment,
    examples=(
        Example(
            "def f(n, flags):\n    n += 2\n    flags |= n",
            (
                ("n += 2", "n -= 2"),
                ("n += 2", "n *= 2"),
                ("n += 2", "n //= 2"),
                ("n += 2", "n %= 2"),
                ("flags |= n", "flags &= n"),
                ("flags |= n", "flags ^= n"),
            ),
        ),
    ),
)
