"""CRP: a constant becomes a nearby one."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.operator import Example, MutationOperator, becoming


def replace_constant(node: cst.Integer | cst.Name, context: MutationContext) -> Iterator[cst.CSTNode]:
    """An integer n becomes n + 1, n - 1, 0 and 1; True and False change places; None stays.

    A divisor does not become 0.
    """
    if isinstance(node, cst.Integer):
        value = node.evaluated_value
        for other in dict.fromkeys((value + 1, value - 1, 0, 1)):
            if other != value and not (other == 0 and _is_divisor(node, context)):
                yield _integer(other)
    elif node.value in ("True", "False"):
        yield cst.Name("False" if node.value == "True" else "True")


def _is_divisor(node: cst.CSTNode, context: MutationContext) -> bool:
    """Return whether `node` is a divisor."""
    match context.parent(node):
        case cst.BinaryOperation(left=left, operator=operator, right=right) if right is node:
            return context.divides_by_zero(left, type(operator), cst.Integer("0"))
        case cst.AugAssign(target=target, operator=operator, value=value) if value is node:
            return context.divides_by_zero(target, type(operator), cst.Integer("0"))
    return False


def _integer(value: int) -> cst.BaseExpression:
    number = cst.Integer(str(abs(value)))
    return number if value >= 0 else cst.UnaryOperation(cst.Minus(), number)


CRP = MutationOperator(
    code="CRP",
    summary="An integer becomes one more, one less, 0 or 1; True and False change places.",
    nodes=(cst.Integer, cst.Name),
    mutate=replace_constant,
    examples=(
        Example("def f(a):\n    return a[2]", becoming("2", "3", "1", "0")),
        Example("def f():\n    return 0 ** 0, True", (*becoming("0", "1", "(-1)", "1", "-1"), ("True", "False"))),
        Example("def f(n: int):\n    return n // 2", becoming("2", "3", "1")),
    ),
)
