"""FRR: an attribute becomes another of the same class and of compatible type, or the object that has it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.declared_types import NONE, UNKNOWN
from harness.mutation.inference import compatible
from harness.mutation.operators.operator import Example, MutationOperator


def replace_field(node: cst.Attribute, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`n.left` becomes `n.right` and, as both are nodes, `n`; read or assigned.

    In `__init__`, fields of `self` stand for each other only where both are assigned before.
    """
    if context.is_called(node) or context.binds_elsewhere(node):
        return
    owners = sorted(context.types(node.value) - {NONE})
    if not owners:
        return
    tables = [context.inference.fields(owner) for owner in owners]
    name = node.attr.value
    own = node.value if isinstance(node.value, cst.Name) and node.value.value == context.receiver else None
    if own is not None and context.is_target(node) and not context.has_field(own, name):
        return
    for other in sorted(set[str]().union(*tables) - {name}):
        if own is not None and not context.has_field(own, other):
            continue
        if all(compatible(table.get(name, UNKNOWN), table.get(other, UNKNOWN)) for table in tables):
            yield node.with_changes(attr=cst.Name(other))
    if compatible(frozenset(owners), context.types(node)) and not context.is_declared(node):
        yield node.value


FRR = MutationOperator(
    code="FRR",
    summary="An attribute becomes another one of compatible type of the same class, or is left out where types allow.",
    nodes=(cst.Attribute,),
    mutate=replace_field,
    examples=(
        Example(
            "class Node:\n    left: 'Node'\n    right: 'Node'\n    key: int\n\n"
            "def f(n: Node):\n    n.left = n.right.right\n    return n.key",
            (
                ("n.left", "n.right"),
                ("n.left", "n"),
                ("n.right", "n.left"),
                ("n.right", "n"),
                ("n.right.right", "n.right.left"),
                ("n.right.right", "n.right"),
            ),
        ),
    ),
)
