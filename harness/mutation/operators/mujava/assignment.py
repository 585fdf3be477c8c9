"""ASRS: an augmented assignment's operator becomes another of its kind."""

from __future__ import annotations

import libcst as cst

from harness.mutation.operators.arithmetic import replacing_augmented
from harness.mutation.operators.mujava.arithmetic import in_java
from harness.mutation.operators.mujava.sources import MA_OFFUTT
from harness.mutation.operators.operator import Example, MutationOperator

ASRS = MutationOperator(
    code="ASRS",
    summary="An augmented assignment's operator becomes another arithmetic, bitwise or shift one.",
    source=MA_OFFUTT,
    nodes=(cst.AugAssign,),
    mutate=replacing_augmented(in_java),
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
