"""ROR as muJava has it: a relational operator becomes another, and the comparison True or False."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.families import EQUALITIES, IDENTITIES, RELATIONS, siblings
from harness.mutation.operators.mujava.sources import MA_OFFUTT, binds, is_number
from harness.mutation.operators.operator import Example, MutationOperator
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
            (
                ("a < b", "a <= b"),
                ("a < b", "a > b"),
                ("a < b", "a >= b"),
                ("a < b", "a == b"),
                ("a < b", "a != b"),
                ("a < b", "True"),
                ("a < b", "False"),
            ),
        ),
        Example(
            "def f(a: int, b: str):\n    return a == 0 and b == 'x' and b is not None and a in b",
            (
                ("a == 0", "a < 0"),
                ("a == 0", "a <= 0"),
                ("a == 0", "a > 0"),
                ("a == 0", "a >= 0"),
                ("a == 0", "a != 0"),
                ("a == 0", "True"),
                ("a == 0", "False"),
                ("b == 'x'", "b != 'x'"),
                ("b is not None", "b is None"),
            ),
        ),
    ),
)
