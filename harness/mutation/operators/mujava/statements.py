"""SDL: a statement is left out, a condition is always true, a return value is the default of its type."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.mujava.sources import DENG, binds
from harness.mutation.operators.operator import Example, MutationOperator, becoming

_LEFT_OUT = (
    cst.Assign,
    cst.AugAssign,
    cst.Expr,
    cst.Raise,
    cst.Assert,
    cst.Del,
    cst.Break,
    cst.Continue,
    cst.If,
    cst.While,
    cst.For,
    cst.Match,
)
_IDLE = (cst.BaseString, cst.Ellipsis, cst.BaseNumber)
_TRUE = cst.Name("True")
_DEFAULTS: dict[str, tuple[cst.BaseExpression, ...]] = {
    "int": (cst.Integer("0"),),
    "float": (cst.Float("0.0"),),
    "bool": (_TRUE, cst.Name("False")),
    "str": (cst.SimpleString('""'),),
}


def drop_statement(node: cst.CSTNode, context: MutationContext) -> Iterator[cst.CSTNode]:
    """A statement becomes `pass`; a condition of `if` or `while` True; a returned value 0, 0.0, "", True or False."""
    if isinstance(node, cst.BaseExpression):
        if not binds(node):
            yield from _instead(node, context)
    elif isinstance(node, _LEFT_OUT) and not _is_idle(node) and context.can_do_without(node):
        is_elif = isinstance(node, cst.If) and isinstance(context.parent(node), cst.If)
        yield cst.Else(cst.SimpleStatementSuite([cst.Pass()])) if is_elif else cst.Pass()


def _is_idle(node: cst.CSTNode) -> bool:
    """Return whether the statement does nothing: a docstring or another constant."""
    return isinstance(node, cst.Expr) and isinstance(node.value, _IDLE)


def _instead(node: cst.BaseExpression, context: MutationContext) -> Iterator[cst.CSTNode]:
    match context.parent(node):
        case cst.If(test=test) | cst.While(test=test) if test is node:
            defaults: tuple[cst.BaseExpression, ...] = (_TRUE,)
        case cst.Return() if not any(isinstance(outer, cst.FunctionDef) for outer in context.around(node)):
            types = context.inference.result(context.program.functions[context.function])
            defaults = _DEFAULTS.get(next(iter(types)), ()) if len(types) == 1 else ()
        case _:
            return
    for default in defaults:
        if not default.deep_equals(node):
            yield default


SDL = MutationOperator(
    code="SDL",
    summary="A statement is deleted, and a compound statement with its block. The condition of `if` or `while` becomes "
    "True. A returned number, string or boolean becomes the default of its type. Not deleted are `try` and `with` "
    "themselves, and declarations: assignments that give a variable, or in `__init__` a field, its first value.",
    source=DENG,
    nodes=(cst.BaseExpression, cst.BaseSmallStatement, cst.BaseCompoundStatement),
    mutate=drop_statement,
    examples=(
        Example(
            "def f(n: int) -> bool:\n"
            "    m = n\n"
            "    while m:\n"
            "        m -= 1\n"
            "        if m > 3: break\n"
            "    else:\n"
            "        f(m)\n"
            "    return m < n",
            (
                ("while m:\n        m -= 1\n        if m > 3: break\n    else:\n        f(m)", "pass"),
                ("m", "True"),
                ("m -= 1", "pass"),
                ("if m > 3: break", "pass"),
                ("m > 3", "True"),
                ("break", "pass"),
                ("f(m)", "pass"),
                *becoming("m < n", "True", "False"),
            ),
        ),
        Example(
            "def f(n: int):\n    if n < 0: raise IndexError\n    if n: m = 1\n    else: raise IndexError\n    return m",
            (("if n < 0: raise IndexError", "pass"), ("n < 0", "True"), ("raise IndexError", "pass"), ("n", "True")),
        ),
        Example(
            "class Bag:\n    def __init__(self, n: int):\n        self.size: int = 0\n        self.room = n\n"
            "        if n < 0: self.room = 1\n        elif n > 9: self.grow()",
            (
                ("if n < 0: self.room = 1\n        elif n > 9: self.grow()", "pass"),
                ("n < 0", "True"),
                ("self.room = 1", "pass"),
                ("elif n > 9: self.grow()", "else: pass"),
                ("n > 9", "True"),
                ("self.grow()", "pass"),
            ),
        ),
    ),
)
