"""VRR and FRR: a variable or attribute becomes another of compatible type, or an attribute the object that has it."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.declared_types import NONE, UNKNOWN
from harness.mutation.inference import compatible
from harness.mutation.operators.operator import Example, MutationOperator, becoming
from harness.mutation.profile import Types


def replace_variable(node: cst.Name | cst.Attribute, context: MutationContext) -> Iterator[cst.CSTNode]:
    """A parameter, a local variable or a field of `self` becomes another of these, of compatible type.

    A replacement surely has a value at the site. A target of an assignment changes only if it, too,
    had a value before: what is read later is then assigned in any case, as Java demands of
    Ferastrau's mutants. Fields of `self` are among the variables because Java's are: there, `size`
    and `this.size` are one; in `__init__` those that it has assigned before. (From field to field of one
    object: FRR.)
    """
    if context.is_called(node) or context.binds_elsewhere(node) or context.is_declared(node):
        return
    variables = context.inference.variables(context.function)
    if isinstance(node, cst.Name):
        assigned = context.assigned.get(node, frozenset())
        if node.value not in assigned:
            return
        own = variables.get(node.value, UNKNOWN)
        yield from _locals(assigned - {node.value}, own, context)
        if node.value != context.receiver and context.receiver in assigned:
            yield from _fields(node, own, context)
    elif isinstance(node.value, cst.Name) and node.value.value == context.receiver:
        if context.is_target(node) and not context.has_field(node.value, node.attr.value):
            return
        assigned = context.assigned.get(node.value, frozenset())
        yield from _locals(assigned, context.types(node), context)


def _locals(names: frozenset[str], own: Types, context: MutationContext) -> Iterator[cst.CSTNode]:
    variables = context.inference.variables(context.function)
    for name in sorted(names):
        if compatible(own, variables.get(name, UNKNOWN)):
            yield cst.Name(name)


def _fields(site: cst.Name, own: Types, context: MutationContext) -> Iterator[cst.CSTNode]:
    owner = context.program.functions[context.function].owner
    if context.receiver is not None and owner is not None:
        for name, types in sorted(context.inference.fields(owner).items()):
            if compatible(own, types) and context.has_field(site, name):
                yield cst.Attribute(cst.Name(context.receiver), cst.Name(name))


VRR = MutationOperator(
    code="VRR",
    summary="A variable becomes another local variable, parameter or field of `self` of compatible type.",
    nodes=(cst.Name, cst.Attribute),
    mutate=replace_variable,
    examples=(
        Example(
            "def f(i: int, j: int, name: str):\n    i = j\n    return [i, name]", (("i", "j"), ("j", "i"), ("i", "j"))
        ),
        Example("def f(i: int):\n    k: int = i\n    return k", (("k", "i"),)),
        Example(
            "class Bag:\n    size: int\n    def grow(self, n: int):\n        self.size = n",
            (("self.size", "n"), ("n", "self.size")),
        ),
        Example(
            "class Bag:\n    def __init__(self, n: int):\n        self.size: int = n\n        self.room: int = n",
            (("n", "self.size"),),
        ),
    ),
)


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
                *becoming("n.left", "n.right", "n"),
                *becoming("n.right", "n.left", "n"),
                *becoming("n.right.right", "n.right.left", "n.right"),
            ),
        ),
    ),
)
