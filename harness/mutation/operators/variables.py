"""VRR: a variable becomes another of compatible type."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.inference import UNKNOWN, compatible
from harness.mutation.operators.operator import Example, MutationOperator


def replace_variable(node: cst.Name, context: MutationContext) -> Iterator[cst.CSTNode]:
    """A parameter or local variable becomes another of compatible type that surely has a value there.

    A target of an assignment changes only if it, too, had a value before: what is read later is then
    assigned in any case, as Java demands of Ferastrau's mutants.
    """
    assigned = context.assigned.get(node, frozenset())
    if node.value not in assigned or context.is_called(node) or context.binds_elsewhere(node):
        return
    if isinstance(context.parent(node), cst.AnnAssign) and context.is_target(node):
        return  # a declaration
    variables = context.inference.variables(context.function)
    own = variables.get(node.value, UNKNOWN)
    for other in sorted(assigned - {node.value}):
        if compatible(own, variables.get(other, UNKNOWN)):
            yield cst.Name(other)


VRR = MutationOperator(
    code="VRR",
    summary="A variable becomes another local variable or parameter of compatible type.",
    nodes=(cst.Name,),
    mutate=replace_variable,
    examples=(
        Example(
            "def f(i: int, j: int, name: str):\n    i = j\n    return [i, name]",
            (("i", "j"), ("j", "i"), ("i", "j")),
        ),
        Example("def f(i: int):\n    k: int = i\n    return k", (("k", "i"),)),
    ),
)
