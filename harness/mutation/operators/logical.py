"""LCR, BOR, UOR, COI and COD: a logical, bitwise, shift or unary operator becomes another, is put in or left out."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.inference import NUMBERS
from harness.mutation.operators.families import BITWISE, CONNECTORS, SHIFTS, SIGNS, dropping, replacing
from harness.mutation.operators.operator import Example, MutationOperator, becoming

LCR = MutationOperator(
    code="LCR",
    summary="A logical connector becomes the other.",
    nodes=(cst.BooleanOperation,),
    mutate=replacing(CONNECTORS),
    examples=(
        Example("def f(a, b, c):\n    return a and b or c", (("a and b", "a or b"), ("a and b or c", "a and b and c"))),
        Example("def f(a, b, c):\n    return a or b or c", (("a or b", "a and b"), ("a or b or c", "(a or b) and c"))),
    ),
)


BOR = MutationOperator(
    code="BOR",
    summary="A bitwise or shift operator becomes another.",
    nodes=(cst.BinaryOperation,),
    mutate=replacing(BITWISE, SHIFTS),
    examples=(
        Example(
            "def f(a, b, c):\n    return a & b << c",
            (*becoming("a & b << c", "a | b << c", "a ^ b << c"), ("b << c", "b >> c")),
        ),
    ),
)


_INTEGER: tuple[type[cst.BaseUnaryOp], ...] = (*SIGNS, cst.BitInvert)
_OPERAND_NODES = (cst.Name, cst.Attribute, cst.Subscript, cst.Call)


def replace_unary_operator(node: cst.UnaryOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`-a` becomes `+a`, and `~a` where `a` is an integer; `~a` becomes `+a` and `-a`. `not` has no other."""
    kind = type(node.operator)
    if kind is not cst.Not and context.types(node.expression) <= NUMBERS:
        integer = context.types(node.expression) == {"int"}
        for other in _INTEGER if integer else SIGNS:
            if other is not kind:
                yield node.with_changes(operator=other())


def negate_condition(node: cst.BaseExpression, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`if a:` becomes `if not a:`; comparisons and negations are left to the operators for those."""
    if _is_condition(node, context) and not (isinstance(node, cst.Name) and node.value in ("True", "False")):
        yield cst.UnaryOperation(cst.Not(), node)


def _is_condition(node: cst.CSTNode, context: MutationContext) -> bool:
    parent = context.parent(node)
    if isinstance(parent, cst.BooleanOperation):
        return True
    return isinstance(parent, (cst.If, cst.While, cst.IfExp, cst.CompIf)) and parent.test is node


UOR = MutationOperator(
    code="UOR",
    summary="A unary operator becomes another.",
    nodes=(cst.UnaryOperation,),
    mutate=replace_unary_operator,
    examples=(
        Example(
            "def f(a: int, b):\n    return -a, ~a, -b, not b",
            (*becoming("-a", "+a", "~a"), *becoming("~a", "+a", "-a"), ("-b", "+b")),
        ),
    ),
)
COI = MutationOperator(
    code="COI",
    summary="A condition that is a plain value or call is negated.",
    nodes=_OPERAND_NODES,
    mutate=negate_condition,
    examples=(
        Example(
            "def f(items):\n    while items and items.pop():\n        pass",
            (("items", "not items"), ("items.pop()", "not items.pop()")),
        ),
    ),
)
COD = MutationOperator(
    code="COD",
    summary="A negation is left out.",
    nodes=(cst.UnaryOperation,),
    mutate=dropping(cst.Not),
    examples=(Example("def f(a, b):\n    return -a if not b else a", (("not b", "b"),)),),
)
