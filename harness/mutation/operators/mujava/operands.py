"""VDL, CDL and ODL: a variable, a constant or an operand is left out of an expression, with the operator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.inference import NUMBERS, compatible
from harness.mutation.operators.mujava.sources import BOOLEAN, DELAMARO, binds
from harness.mutation.operators.operator import Example, MutationOperator, becoming

_BINARY = (cst.BinaryOperation, cst.BooleanOperation, cst.Comparison)
_VARIABLES = (cst.Name, cst.Attribute, cst.Subscript)
_LITERALS = (cst.BaseNumber, cst.BaseString)
_NAMED_CONSTANTS = ("True", "False", "None")
_MEMBERSHIP = (cst.In, cst.NotIn)


def drop_variable(node: cst.CSTNode, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a + b` becomes `b` where `a` is a variable, field or item, and `a` where `b` is one."""
    for dropped, operand in _sides(node, context):
        if isinstance(dropped, _VARIABLES) and not _is_constant(dropped):
            yield operand


def drop_constant(node: cst.CSTNode, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a + 1` becomes `a`."""
    for dropped, operand in _sides(node, context):
        if _is_constant(dropped):
            yield operand


def drop_operator(node: cst.CSTNode, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a + b` becomes `a` and `b`, `-a` becomes `a`, `n += a` becomes `n = a`."""
    if isinstance(node, cst.UnaryOperation):
        yield node.expression
    elif isinstance(node, cst.AugAssign):
        yield cst.Assign([cst.AssignTarget(node.target)], node.value)
    else:
        for _, operand in reversed(list(_sides(node, context))):
            yield operand


def _sides(node: cst.CSTNode, context: MutationContext) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """Yield each operand that can be left out of a binary operation, with the other operand, which replaces the
    operation.

    As Java's compiler demands, the other operand must have the type of the operation, as far as types are known. In a
    comparison, the other operand is boolean.
    """
    match node:
        case cst.BinaryOperation(left=left, right=right) | cst.BooleanOperation(left=left, right=right):
            pass
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)]):
            if isinstance(operator, _MEMBERSHIP) or not context.types(left) == context.types(right) == BOOLEAN:
                return
        case _:
            return
    whole = context.types(cast(cst.BaseExpression, node))
    for dropped, operand in ((left, right), (right, left)):
        types = context.types(operand)
        fits = not types or not whole or compatible(types, whole) or types | whole <= NUMBERS
        if fits and not binds(dropped):
            yield dropped, operand


def _is_constant(node: cst.BaseExpression) -> bool:
    return isinstance(node, _LITERALS) or (isinstance(node, cst.Name) and node.value in _NAMED_CONSTANTS)


VDL = MutationOperator(
    code="VDL",
    summary="A variable, field or item is left out of a binary operation, with the operator.",
    source=DELAMARO,
    nodes=_BINARY,
    mutate=drop_variable,
    examples=(
        Example(
            "def f(a: int, b: list, c: bool):\n    return a + b[0] * 2 if c and a < 1 else a",
            (("a + b[0] * 2", "b[0] * 2"), ("b[0] * 2", "2"), ("c and a < 1", "a < 1")),
        ),
    ),
)
CDL = MutationOperator(
    code="CDL",
    summary="A constant is left out of a binary operation, with the operator.",
    source=DELAMARO,
    nodes=_BINARY,
    mutate=drop_constant,
    examples=(
        Example(
            "def f(a: int, b: list, c: bool):\n    return 2 * (a + 1), b * 2, c == True, a < 1",
            (("2 * (a + 1)", "(a + 1)"), ("a + 1", "a"), ("b * 2", "b"), ("c == True", "c")),
        ),
        Example("def f(n: int):\n    return 'a' * n", ()),
    ),
)
ODL = MutationOperator(
    code="ODL",
    summary="An operator is left out: of a binary one, either operand is left; of an augmented assignment, a plain "
    "one.",
    source=DELAMARO,
    nodes=(*_BINARY, cst.UnaryOperation, cst.AugAssign),
    mutate=drop_operator,
    examples=(
        Example(
            "def f(a: int, b: bool):\n    a += 2\n    return f(a) + a and not b and a < 1",
            (
                ("a += 2", "a = 2"),
                *becoming("f(a) + a", "f(a)", "a"),
                *becoming("f(a) + a and not b", "f(a) + a", "not b"),
                ("not b", "b"),
                *becoming("f(a) + a and not b and a < 1", "f(a) + a and not b", "a < 1"),
            ),
        ),
    ),
)
