"""Mutation operators: a code, a sentence, a function from nodes to replacements, and examples that tests execute.

Families of operators are replaced by one another, or left out, by the operators of all sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import libcst as cst

from harness.mutation.context import MutationContext

Mutate = Callable[[Any, MutationContext], Iterable[cst.CSTNode]]


@dataclass(frozen=True)
class Example:
    """A program, and the text that each mutant puts into it: `(original, replacement)` in source order."""

    before: str
    changes: tuple[tuple[str, str], ...]


def becoming(original: str, *replacements: str) -> tuple[tuple[str, str], ...]:
    """Return the changes of an example that replace one text, each by another."""
    return tuple((original, replacement) for replacement in replacements)


@dataclass(frozen=True)
class MutationOperator:
    """One kind of fault (exhaustive2003, section 7.1).

    `mutate(node, context)` yields the nodes that replace `node`, an instance of one of `nodes`;
    it need not care for parentheses. `code` is unique within an operator set and part of every mutant's id.
    `source` names where it is described, if not in that paper.
    """

    code: str
    summary: str
    nodes: tuple[type[cst.CSTNode], ...]
    mutate: Mutate
    examples: tuple[Example, ...]
    source: str = ""


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
