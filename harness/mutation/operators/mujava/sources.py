"""The sources that describe muJava's operators, and conditions that several of the operators check."""

from __future__ import annotations

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.inference import NUMBERS

MA_OFFUTT = "Ma and Offutt, Description of muJava's Method-level Mutation Operators (2005, 2016)"
DENG = "Deng, Offutt and Li, Empirical Evaluation of the Statement Deletion Mutation Operator (ICST 2013)"
DELAMARO = "Delamaro, Offutt and Ammann, Designing Deletion Mutation Operators (ICST 2014)"

INTEGER = frozenset({"int"})
BOOLEAN = frozenset({"bool"})
_LEAVES_SOMETHING = (cst.NamedExpr, cst.Yield, cst.Await)


def is_number(node: cst.BaseExpression, context: MutationContext) -> bool:
    """Return whether the expression surely is a number."""
    types = context.types(node)
    return bool(types) and types <= NUMBERS


def within_unary(node: cst.CSTNode, context: MutationContext) -> bool:
    """Return whether a unary operator stands directly before `node`."""
    return isinstance(context.parent(node), cst.UnaryOperation)


def binds(node: cst.CSTNode) -> bool:
    """Return whether evaluating `node` assigns a variable or suspends the function, so that it cannot be left out.

    Without it, a variable could lack a value, or a generator could become a plain function.
    """
    return isinstance(node, _LEAVES_SOMETHING) or any(binds(child) for child in node.children)
