"""ASRS: an augmented assignment's operator becomes another of its kind."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.arithmetic import numeric
from harness.mutation.operators.families import AUGMENTED_BITWISE, AUGMENTED_SHIFTS, siblings
from harness.mutation.operators.mujava.arithmetic import division_of
from harness.mutation.operators.mujava.sources import MA_OFFUTT
from harness.mutation.operators.operator import Example, MutationOperator

_DIVISIONS = (cst.FloorDivideAssign, cst.DivideAssign)


def replace_augmented_assignment(node: cst.AugAssign, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`n += k` becomes `n -= k`, `n *= k`, `n //= k` and `n %= k`; likewise within the bitwise and the shift ones."""
    kind = type(node.operator)
    whole = division_of(context, node.target, node.value) is cst.FloorDivide
    division = kind if kind in _DIVISIONS else _DIVISIONS[not whole]
    arithmetic = (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign, division, cst.ModuloAssign)
    for family in (arithmetic, AUGMENTED_BITWISE, AUGMENTED_SHIFTS):
        if family is not arithmetic or numeric(context, node.target, node.value):
            for other in siblings(kind, family):
                if not context.divides_by_zero(node.target, other, node.value):
                    yield node.with_changes(operator=other())


ASRS = MutationOperator(
    code="ASRS",
    summary="An augmented assignment's operator becomes another arithmetic, bitwise or shift one.",
    source=MA_OFFUTT,
    nodes=(cst.AugAssign,),
    mutate=replace_augmented_assignment,
    examples=(
        Example(
            "def f(n: int, flags):\n    n += 2\n    flags |= n\n    flags <<= 1\n    n **= 2",
            (
                ("n += 2", "n -= 2"),
                ("n += 2", "n *= 2"),
                ("n += 2", "n //= 2"),
                ("n += 2", "n %= 2"),
                ("flags |= n", "flags &= n"),
                ("flags |= n", "flags ^= n"),
                ("flags <<= 1", "flags >>= 1"),
            ),
        ),
    ),
)
