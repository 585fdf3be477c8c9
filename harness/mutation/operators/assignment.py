"""ASR: an augmented assignment's operator becomes another."""

from __future__ import annotations

import libcst as cst

from harness.mutation.operators.arithmetic import in_ferastrau, replacing_augmented
from harness.mutation.operators.operator import Example, MutationOperator

ASR = MutationOperator(
    code="ASR",
    summary="An augmented assignment's operator becomes another.",
    nodes=(cst.AugAssign,),
    mutate=replacing_augmented(in_ferastrau),
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
