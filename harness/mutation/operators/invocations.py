"""MIR: an invocation calls another method or function of compatible signature."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.declared_types import NONE
from harness.mutation.inference import compatible
from harness.mutation.operators.operator import Example, MutationOperator
from harness.mutation.profile import Types
from harness.mutation.program import Binding, Function

_BUILTIN_PEERS = {"min": "max", "max": "min", "any": "all", "all": "any"}


def replace_invocation(node: cst.Name | cst.Attribute, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`f(a)` becomes `g(a)` and `x.f(a)` becomes `x.g(a)`.

    `g` is a function of the same module or a method of the same class, and not special (no dunder). It takes the same
    arguments of compatible types. Unless the result is dropped, it returns a compatible type. The builtins min and max,
    any and all change places.
    """
    if not context.is_called(node):
        return
    if isinstance(node, cst.Attribute):
        for name in _methods(node, context):
            yield node.with_changes(attr=cst.Name(name))
    elif node.value in context.program.functions:
        peers = [f for f in context.program.functions.values() if f.binding is Binding.MODULE]
        for name in _peers(node, context.program.functions[node.value], peers, context):
            yield cst.Name(name)
    elif node.value in _BUILTIN_PEERS and node.value not in context.inference.variables(context.function):
        yield cst.Name(_BUILTIN_PEERS[node.value])


def _methods(node: cst.Attribute, context: MutationContext) -> Iterator[str]:
    owners = sorted(context.types(node.value) - {NONE})
    if len(owners) == 1:
        called = context.program.method(owners[0], node.attr.value)
        if called is not None:
            inherited = [f for c in context.program.lineage(owners[0]) for f in c.methods.values()]
            yield from _peers(node, called, inherited, context)


def _peers(node: cst.CSTNode, called: Function, candidates: list[Function], context: MutationContext) -> list[str]:
    """Return the names of the functions among `candidates` that can replace `called` in the call around `node`."""
    call = cst.ensure_type(context.parent(node), cst.Call)
    dropped = isinstance(context.parent(call), cst.Expr)
    return sorted(
        {
            other.short_name
            for other in candidates
            if other.short_name != called.short_name
            and other.binding is called.binding
            and not other.special
            and _accepts(other, called, call, context)
            and (dropped or _are_compatible(context.inference.result(called), context.inference.result(other)))
        }
    )


def _accepts(other: Function, called: Function, call: cst.Call, context: MutationContext) -> bool:
    """Return whether `other` takes the arguments of the call, with parameters compatible with those of `called`."""
    if called.special or called.variadic or other.variadic or any(argument.star for argument in call.args):
        return False
    keywords = [argument.keyword.value if argument.keyword else None for argument in call.args]
    positional = keywords.count(None)
    first = [p for p in called.parameters if not p.keyword_only][:positional]
    second = [p for p in other.parameters if not p.keyword_only][:positional]
    if len(first) < positional or len(second) < positional:
        return False
    by_name = {p.name: p for p in other.parameters[positional:]}
    if any(name not in by_name for name in keywords if name is not None):
        return False
    if any(p.required and p.name not in keywords for p in by_name.values()):
        return False
    types = context.inference.parameter
    pairs = [(one.name, two.name) for one, two in zip(first, second, strict=True)]
    pairs += [(name, name) for name in keywords if name is not None]
    return all(_are_compatible(types(called, one), types(other, two)) for one, two in pairs)


def _are_compatible(one: Types, other: Types) -> bool:
    """Return whether two sets of types are compatible or both only None; unknown types are compatible with nothing."""
    return compatible(one, other) or one == other == {NONE}


MIR = MutationOperator(
    code="MIR",
    summary="An invocation calls another method of the class, or function of the module, of compatible signature.",
    nodes=(cst.Name, cst.Attribute),
    mutate=replace_invocation,
    examples=(
        Example(
            "class Heap:\n"
            "    def up(self, i: int) -> None: ...\n"
            "    def down(self, i: int) -> None: ...\n"
            "    def name(self, i: int) -> str: ...\n"
            "    def __call__(self, i: int) -> None: ...\n\n"
            "def f(h: Heap):\n    x = h.up(1)\n    return max(1, 2)",
            (("h.up", "h.down"), ("max", "min")),
        ),
        Example("def one(a): ...\ndef other(b): ...\n\ndef f():\n    one(1)", ()),
    ),
)
