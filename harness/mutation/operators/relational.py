"""ROR and IDR: a comparison becomes another."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.inference import NUMBERS
from harness.mutation.operators.families import EQUALITIES, IDENTITIES, MEMBERSHIPS, RELATIONS, siblings
from harness.mutation.operators.operator import Example, MutationOperator, becoming

_ORDERED = NUMBERS | {"str", "bytes", "list", "tuple"}


def with_operator(node: cst.Comparison, position: int, operator: cst.BaseCompOp) -> cst.Comparison:
    """Return the comparison with another operator at `position` of the chain."""
    comparisons = list(node.comparisons)
    comparisons[position] = comparisons[position].with_changes(operator=operator)
    return node.with_changes(comparisons=comparisons)


def replace_relational_operator(node: cst.Comparison, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a < b` becomes `a <= b` and so on; values without an order change between `==` and `!=` only."""
    left = node.left
    for position, target in enumerate(node.comparisons):
        kind = type(target.operator)
        if kind in RELATIONS:
            ordered = context.types(left) | context.types(target.comparator) <= _ORDERED
            for other in siblings(kind, RELATIONS if ordered or kind not in EQUALITIES else EQUALITIES):
                yield with_operator(node, position, other())
        left = target.comparator


def replace_identity_or_membership_test(node: cst.Comparison, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a is b` becomes `a is not b`, `a in b` becomes `a not in b`; and back."""
    for position, target in enumerate(node.comparisons):
        for opposite in siblings(type(target.operator), IDENTITIES, MEMBERSHIPS):
            yield with_operator(node, position, opposite())


ROR = MutationOperator(
    code="ROR",
    summary="A relational operator becomes another.",
    nodes=(cst.Comparison,),
    mutate=replace_relational_operator,
    examples=(
        Example("def f(a, b):\n    return a < b", becoming("a < b", "a <= b", "a > b", "a >= b", "a == b", "a != b")),
        Example("def f(a: bool, b: bool):\n    return a == b", (("a == b", "a != b"),)),
    ),
)

IDR = MutationOperator(
    code="IDR",
    summary="An identity or membership test is negated.",
    nodes=(cst.Comparison,),
    mutate=replace_identity_or_membership_test,
    examples=(
        Example(
            "def f(a, b):\n    return a is None or a not in b",
            (("a is None", "a is not None"), ("a not in b", "a in b")),
        ),
    ),
)
