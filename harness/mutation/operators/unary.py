"""UOR: a unary operator is dropped, or a condition that has none is negated."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.operator import Example, MutationOperator

_ASKED = (cst.Name, cst.Attribute, cst.Subscript, cst.Call)


def replace_unary_operator(node: cst.BaseExpression, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`not a` becomes `a`, likewise `-a`, `+a` and `~a`; `if a:` becomes `if not a:`.

    Conditions that are comparisons or negated already are left to the operators for those.
    """
    if isinstance(node, cst.UnaryOperation):
        yield node.expression
    elif _is_condition(node, context) and not (isinstance(node, cst.Name) and node.value in ("True", "False")):
        yield cst.UnaryOperation(cst.Not(), node)


def _is_condition(node: cst.CSTNode, context: MutationContext) -> bool:
    parent = context.parent(node)
    if isinstance(parent, cst.BooleanOperation):
        return True
    return isinstance(parent, (cst.If, cst.While, cst.IfExp, cst.CompIf)) and parent.test is node


UOR = MutationOperator(
    code="UOR",
    summary="A unary operator is dropped; a condition that is a plain value or call is negated.",
    nodes=(cst.UnaryOperation, *_ASKED),
    mutate=replace_unary_operator,
    examples=(
        Example("def f(a, b):\n    return -a if not b else ~a", (("-a", "a"), ("not b", "b"), ("~a", "a"))),
        Example(
            "def f(items):\n    while items and items.pop():\n        pass",
            (("items", "not items"), ("items.pop()", "not items.pop()")),
        ),
    ),
)
