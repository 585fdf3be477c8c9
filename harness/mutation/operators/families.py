"""Families of operators, which the operators of all sets replace by one another or leave out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.operator import Mutate

_Kind = TypeVar("_Kind", bound=type[cst.CSTNode])

RELATIONS: tuple[type[cst.BaseCompOp], ...] = (
    cst.LessThan,
    cst.LessThanEqual,
    cst.GreaterThan,
    cst.GreaterThanEqual,
    cst.Equal,
    cst.NotEqual,
)
EQUALITIES: tuple[type[cst.BaseCompOp], ...] = (cst.Equal, cst.NotEqual)
IDENTITIES: tuple[type[cst.BaseCompOp], ...] = (cst.Is, cst.IsNot)
MEMBERSHIPS: tuple[type[cst.BaseCompOp], ...] = (cst.In, cst.NotIn)
CONNECTORS: tuple[type[cst.BaseBooleanOp], ...] = (cst.And, cst.Or)
BITWISE: tuple[type[cst.BaseBinaryOp], ...] = (cst.BitAnd, cst.BitOr, cst.BitXor)
SHIFTS: tuple[type[cst.BaseBinaryOp], ...] = (cst.LeftShift, cst.RightShift)
SIGNS: tuple[type[cst.BaseUnaryOp], ...] = (cst.Plus, cst.Minus)
AUGMENTED_BITWISE: tuple[type[cst.BaseAugOp], ...] = (cst.BitAndAssign, cst.BitOrAssign, cst.BitXorAssign)
AUGMENTED_SHIFTS: tuple[type[cst.BaseAugOp], ...] = (cst.LeftShiftAssign, cst.RightShiftAssign)


def siblings(kind: type[cst.CSTNode], *families: tuple[_Kind, ...]) -> list[_Kind]:
    """Return the other members of the family that `kind` is of, in their order; none if it is of no family."""
    return [other for family in families if kind in family for other in family if other is not kind]


def replacing(*families: tuple[type[cst.CSTNode], ...]) -> Mutate:
    """Make the function of a mutation operator that replaces a node's operator by the others of its family."""

    def replace_operator(node: cst.BinaryOperation | cst.BooleanOperation, _: MutationContext) -> Iterator[cst.CSTNode]:
        for other in siblings(type(node.operator), *families):
            yield node.with_changes(operator=other())

    return replace_operator


def dropping(*kinds: type[cst.BaseUnaryOp]) -> Mutate:
    """Make the function of a mutation operator that leaves out unary operators of these kinds."""

    def drop_operator(node: cst.UnaryOperation, _: MutationContext) -> Iterator[cst.CSTNode]:
        if isinstance(node.operator, kinds):
            yield node.expression

    return drop_operator
