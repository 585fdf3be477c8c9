"""SDL, VDL, CDL and ODL: a statement, or a variable, a constant or an operand with its operator, is left out.

With SDL, a condition is also always true, and a return value is the default of its type.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.inference import NUMBERS, compatible
from harness.mutation.operators.mujava.sources import BOOLEAN, DELAMARO, DENG, binds
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


_BINARY = (cst.BinaryOperation, cst.BooleanOperation, cst.Comparison)
_VARIABLES = (cst.Name, cst.Attribute, cst.Subscript)
_LITERALS = (cst.BaseNumber, cst.BaseString)
_NAMED_CONSTANTS = ("True", "False", "None")
_MEMBERSHIP = (cst.In, cst.NotIn)


def drop_variable(node: cst.CSTNode, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a + b` becomes `b` where `a` is a variable, field or item, and `a` where `b` is one."""
    for dropped, operand in _sides(node, context):
        if isinstance(dropped, _VARIABLES) and not _is_constant(dropped):
            yield operand


def drop_constant(node: cst.CSTNode, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a + 1` becomes `a`."""
    for dropped, operand in _sides(node, context):
        if _is_constant(dropped):
            yield operand


def drop_operator(node: cst.CSTNode, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a + b` becomes `a` and `b`, `-a` becomes `a`, `n += a` becomes `n = a`."""
    if isinstance(node, cst.UnaryOperation):
        yield node.expression
    elif isinstance(node, cst.AugAssign):
        yield cst.Assign([cst.AssignTarget(node.target)], node.value)
    else:
        for _, operand in reversed(list(_sides(node, context))):
            yield operand


def _sides(node: cst.CSTNode, context: MutationContext) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression]]:
    """Yield each operand that can be left out of a binary operation, with the other operand, which replaces the
    operation.

    As Java's compiler demands, the other operand must have the type of the operation, as far as types are known. In a
    comparison, the other operand is boolean.
    """
    match node:
        case cst.BinaryOperation(left=left, right=right) | cst.BooleanOperation(left=left, right=right):
            pass
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator, comparator=right)]):
            if isinstance(operator, _MEMBERSHIP) or not context.types(left) == context.types(right) == BOOLEAN:
                return
        case _:
            return
    whole = context.types(cast(cst.BaseExpression, node))
    for dropped, operand in ((left, right), (right, left)):
        types = context.types(operand)
        fits = not types or not whole or compatible(types, whole) or types | whole <= NUMBERS
        if fits and not binds(dropped):
            yield dropped, operand


def _is_constant(node: cst.BaseExpression) -> bool:
    return isinstance(node, _LITERALS) or (isinstance(node, cst.Name) and node.value in _NAMED_CONSTANTS)


VDL = MutationOperator(
    code="VDL",
    summary="A variable, field or item is left out of a binary operation, with the operator.",
    source=DELAMARO,
    nodes=_BINARY,
    mutate=drop_variable,
    examples=(
        Example(
            "def f(a: int, b: list, c: bool):\n    return a + b[0] * 2 if c and a < 1 else a",
            (("a + b[0] * 2", "b[0] * 2"), ("b[0] * 2", "2"), ("c and a < 1", "a < 1")),
        ),
    ),
)
CDL = MutationOperator(
    code="CDL",
    summary="A constant is left out of a binary operation, with the operator.",
    source=DELAMARO,
    nodes=_BINARY,
    mutate=drop_constant,
    examples=(
        Example(
            "def f(a: int, b: list, c: bool):\n    return 2 * (a + 1), b * 2, c == True, a < 1",
            (("2 * (a + 1)", "(a + 1)"), ("a + 1", "a"), ("b * 2", "b"), ("c == True", "c")),
        ),
        Example("def f(n: int):\n    return 'a' * n", ()),
    ),
)
ODL = MutationOperator(
    code="ODL",
    summary="An operator is left out: of a binary one, either operand is left; of an augmented assignment, a plain "
    "one.",
    source=DELAMARO,
    nodes=(*_BINARY, cst.UnaryOperation, cst.AugAssign),
    mutate=drop_operator,
    examples=(
        Example(
            "def f(a: int, b: bool):\n    a += 2\n    return f(a) + a and not b and a < 1",
            (
                ("a += 2", "a = 2"),
                *becoming("f(a) + a", "f(a)", "a"),
                *becoming("f(a) + a and not b", "f(a) + a", "not b"),
                ("not b", "b"),
                *becoming("f(a) + a and not b and a < 1", "f(a) + a and not b", "a < 1"),
            ),
        ),
    ),
)
