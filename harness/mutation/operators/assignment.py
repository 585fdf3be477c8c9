"""ASR: an augmented assignment's operator becomes another."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.arithmetic import ALTERNATIVES, numeric
from harness.mutation.operators.families import AUGMENTED_BITWISE, AUGMENTED_SHIFTS, siblings
from harness.mutation.operators.operator import Example, MutationOperator

_AUGMENTED: dict[type[cst.BaseBinaryOp], type[cst.BaseAugOp]] = {
    cst.Add: cst.AddAssign,
    cst.Subtract: cst.SubtractAssign,
    cst.Multiply: cst.MultiplyAssign,
    cst.FloorDivide: cst.FloorDivideAssign,
    cst.Modulo: cst.ModuloAssign,
    cst.Divide: cst.DivideAssign,
    cst.Power: cst.PowerAssign,
}
_ARITHMETIC: dict[type[cst.BaseAugOp], tuple[type[cst.BaseAugOp], ...]] = {
    _AUGMENTED[kind]: tuple(_AUGMENTED[other] for other in siblings) for kind, siblings in ALTERNATIVES.items()
}


def replace_augmented_assignment(node: cst.AugAssign, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`n += 1` becomes `n -= 1` and so on: as AOR has it for arithmetic, within bitwise and within shift operators."""
    kind = type(node.operator)
    if kind in _ARITHMETIC and numeric(context, node.target, node.value):
        for other in _ARITHMETIC[kind]:
            if not context.divides_by_zero(node.target, other, node.value):
                yield node.with_changes(operator=other())
    for other in siblings(kind, AUGMENTED_BITWISE, AUGMENTED_SHIFTS):
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
        Example(
            "def f(share, n: int):\n    share /= n\n    n **= 2\n    n -= 0",
            (
                ("share /= n", "share += n"),
                ("share /= n", "share -= n"),
                ("share /= n", "share *= n"),
                ("share /= n", "share //= n"),
                ("n **= 2", "n *= 2"),
                ("n **= 2", "n += 2"),
                ("n -= 0", "n += 0"),
                ("n -= 0", "n *= 0"),
            ),
        ),
    ),
)
