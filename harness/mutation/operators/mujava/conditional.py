"""ROR, COR, COD, COI, SOR, LOR, LOI and LOD: relational, conditional, shift and bitwise operators are changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators import logical
from harness.mutation.operators.families import (
    BITWISE,
    CONNECTORS,
    EQUALITIES,
    IDENTITIES,
    RELATIONS,
    SHIFTS,
    dropping,
    replacing,
    siblings,
)
from harness.mutation.operators.mujava.sources import BOOLEAN, INTEGER, MA_OFFUTT, binds, is_number, within_unary
from harness.mutation.operators.operator import Example, MutationOperator, becoming
from harness.mutation.operators.relational import with_operator


def replace_relational_operator(node: cst.Comparison, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a < b` becomes the five others, True and False; `a is b`, and `a == b` of other values, the opposite."""
    operands = [node.left, *(target.comparator for target in node.comparisons)]
    of_numbers = []
    for position, target in enumerate(node.comparisons):
        kind = type(target.operator)
        pair = operands[position : position + 2]
        ordered = kind in RELATIONS and (kind not in EQUALITIES or all(is_number(each, context) for each in pair))
        of_numbers.append(ordered)
        for other in siblings(kind, RELATIONS) if ordered else siblings(kind, EQUALITIES, IDENTITIES):
            yield with_operator(node, position, other())
    if all(of_numbers) and not binds(node):
        yield cst.Name("True")
        yield cst.Name("False")


ROR = MutationOperator(
    code="ROR",
    summary="A relational operator becomes another, and the whole comparison True and False. Values that are not known "
    "to be numbers are compared as Java compares objects, by `==` and `!=` alone; Java's `==` of references is `is`.",
    source=f"{MA_OFFUTT}; the tool makes True and False since December 2011",
    nodes=(cst.Comparison,),
    mutate=replace_relational_operator,
    examples=(
        Example(
            "def f(a, b):\n    return a < b",
            becoming("a < b", "a <= b", "a > b", "a >= b", "a == b", "a != b", "True", "False"),
        ),
        Example(
            "def f(a: int, b: str):\n    return a == 0 and b == 'x' and b is not None and a in b",
            (
                *becoming("a == 0", "a < 0", "a <= 0", "a > 0", "a >= 0", "a != 0", "True", "False"),
                ("b == 'x'", "b != 'x'"),
                ("b is not None", "b is None"),
            ),
        ),
    ),
)


_CONDITION_NODES = (cst.If, cst.While, cst.IfExp, cst.CompIf, cst.Assert)


def replace_conditional_operator(
    node: cst.BooleanOperation | cst.BinaryOperation, context: MutationContext
) -> Iterator[cst.CSTNode]:
    """`a and b` becomes `a or b`; of two booleans also `a & b`, `a | b` and `a ^ b`, and each of these the others."""
    left, right, kind = node.left, node.right, type(node.operator)
    boolean = context.types(left) == context.types(right) == BOOLEAN
    if isinstance(node, cst.BinaryOperation) and not (boolean and kind in BITWISE):
        return
    for connector in CONNECTORS:
        if connector is not kind:
            yield cst.BooleanOperation(left, connector(), right)
    for bitwise in BITWISE if boolean else ():
        if bitwise is not kind:
            yield cst.BinaryOperation(left, bitwise(), right)


def insert_negation(
    node: cst.Name | cst.Attribute | cst.Comparison | cst.BooleanOperation, context: MutationContext
) -> Iterator[cst.CSTNode]:
    """`a < b` becomes `not a < b`, and so does every variable, field and connection of booleans."""
    if isinstance(node, (cst.Name, cst.Attribute)) and not context.reads_variable(node):
        return
    if not within_unary(node, context) and (context.types(node) == BOOLEAN or _is_condition(node, context)):
        yield cst.UnaryOperation(cst.Not(), node)


def _is_condition(node: cst.CSTNode, context: MutationContext) -> bool:
    """Return whether only the truth of `node` is used, so that Java demands a boolean there."""
    parent = context.parent(node)
    if isinstance(parent, cst.BooleanOperation):
        return _is_condition(parent, context)
    return isinstance(parent, _CONDITION_NODES) and parent.test is node


COR = MutationOperator(
    code="COR",
    summary="A binary conditional operator becomes another: `and` and `or`, and for booleans `&`, `|` and `^`, which "
    "always evaluate both sides.",
    source=MA_OFFUTT,
    nodes=(cst.BooleanOperation, cst.BinaryOperation),
    mutate=replace_conditional_operator,
    examples=(
        Example("def f(a, b):\n    return a and b", (("a and b", "a or b"),)),
        Example(
            "def f(a: int, b: int, c: bool):\n    return a < b or c",
            becoming("a < b or c", "a < b and c", "(a < b) & c", "(a < b) | c", "(a < b) ^ c"),
        ),
        Example(
            "def f(a: bool, b: bool, n: int):\n    return a & b, n & n",
            becoming("a & b", "a and b", "a or b", "a | b", "a ^ b"),
        ),
    ),
)
COD = replace(logical.COD, source=MA_OFFUTT)
COI = MutationOperator(
    code="COI",
    summary="A boolean variable, field, comparison or connection is negated, and so is one of any type where Java "
    "wants a boolean: as a condition.",
    source=MA_OFFUTT,
    nodes=(cst.Name, cst.Attribute, cst.Comparison, cst.BooleanOperation),
    mutate=insert_negation,
    examples=(
        Example(
            "def f(a, b: bool, n: int):\n    if a and n < 1:\n        return b, n, not b",
            (("a", "not a"), ("a and n < 1", "not (a and n < 1)"), ("n < 1", "not n < 1"), ("b", "not b")),
        ),
        Example("def f(items):\n    return items or [1]", ()),
    ),
)


_REPLACE_BITWISE = replacing(BITWISE)


def replace_bitwise(node: cst.BinaryOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a & b` becomes `a | b` and `a ^ b`, for all that is known of integers; of booleans they belong to COR."""
    if context.types(node.left) | context.types(node.right) <= INTEGER:
        yield from _REPLACE_BITWISE(node, context)


def insert_complement(node: cst.Name | cst.Attribute, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`n` becomes `~n`, where an integer is read."""
    if context.reads_variable(node) and context.types(node) == INTEGER:
        yield cst.UnaryOperation(cst.BitInvert(), node)


SOR = MutationOperator(
    code="SOR",
    summary="A shift goes into the other direction.",
    source=MA_OFFUTT,
    nodes=(cst.BinaryOperation,),
    mutate=replacing(SHIFTS),
    examples=(Example("def f(a, b):\n    return a << b >> 1", (("a << b", "a >> b"), ("a << b >> 1", "a << b << 1"))),),
)
LOR = MutationOperator(
    code="LOR",
    summary="A bitwise operator of integers becomes another.",
    source=MA_OFFUTT,
    nodes=(cst.BinaryOperation,),
    mutate=replace_bitwise,
    examples=(
        Example("def f(a: int, b: int, c: bool):\n    return a & b, c | c", becoming("a & b", "a | b", "a ^ b")),
    ),
)
LOI = MutationOperator(
    code="LOI",
    summary="The complement of an integer variable or field is taken.",
    source=MA_OFFUTT,
    nodes=(cst.Name, cst.Attribute),
    mutate=insert_complement,
    examples=(Example("def f(n: int, name: str):\n    m = n * 2\n    return name, -n", becoming("n", "~n", "~n")),),
)
LOD = MutationOperator(
    code="LOD",
    summary="A complement is left out.",
    source=MA_OFFUTT,
    nodes=(cst.UnaryOperation,),
    mutate=dropping(cst.BitInvert),
    examples=(Example("def f(a, b):\n    return ~a + -b", (("~a", "a"),)),),
)
