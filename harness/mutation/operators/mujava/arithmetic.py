"""AORB, AORS, AOIU, AOIS, AODU and ASRS: arithmetic operators are replaced, put in, or left out."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.operators.arithmetic import numeric, replacing_arithmetic, replacing_augmented
from harness.mutation.operators.families import siblings
from harness.mutation.operators.mujava.sources import INTEGER, MA_OFFUTT, is_number, within_unary
from harness.mutation.operators.operator import Example, MutationOperator, becoming

_DIVISIONS = (cst.FloorDivide, cst.Divide)
_COMPREHENSIONS = (cst.BaseComp, cst.CompFor, cst.CompIf)


def in_java(
    kind: type[cst.BaseBinaryOp], left: cst.BaseExpression, right: cst.BaseExpression, context: MutationContext
) -> list[type[cst.BaseBinaryOp]]:
    """Return the others of `+`, `-`, `*`, division and `%`; Java's `/` is `/` if an operand is a float, else `//`."""
    whole = all("float" not in context.types(operand) for operand in (left, right))
    division = kind if kind in _DIVISIONS else _DIVISIONS[not whole]
    family: tuple[type[cst.BaseBinaryOp], ...] = (cst.Add, cst.Subtract, cst.Multiply, division, cst.Modulo)
    return siblings(kind, family)


def replace_increment(node: cst.AugAssign, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`n += 1` becomes `n -= 1`; and back."""
    if isinstance(node.value, cst.Integer) and node.value.evaluated_value == 1 and numeric(context, node.target):
        if isinstance(node.operator, cst.AddAssign):
            yield node.with_changes(operator=cst.SubtractAssign())
        elif isinstance(node.operator, cst.SubtractAssign):
            yield node.with_changes(operator=cst.AddAssign())


def insert_minus(node: cst.Name | cst.Attribute, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`n` becomes `-n`, where a number is read and no unary operator stands before it."""
    if context.reads_variable(node) and not within_unary(node, context) and is_number(node, context):
        yield cst.UnaryOperation(cst.Minus(), node)


def insert_increment(node: cst.Name, context: MutationContext) -> Iterator[cst.CSTNode]:
    """Where an integer variable is read, `n` becomes what `++n`, `--n`, `n++` and `n--` are in Java.

    Comprehensions are left out, because `:=` in them assigns to none of their own variables.
    """
    if not context.reads_variable(node) or within_unary(node, context) or context.types(node) != INTEGER:
        return
    if any(isinstance(outer, _COMPREHENSIONS) for outer in context.around(node)):
        return
    one = cst.Integer("1")
    bare = node.with_changes(lpar=(), rpar=())  # the target of an assignment expression has no parentheses
    up, down = (cst.NamedExpr(bare, cst.BinaryOperation(bare, op, one)) for op in (cst.Add(), cst.Subtract()))
    yield up
    yield down
    yield cst.BinaryOperation(up, cst.Subtract(), one)
    yield cst.BinaryOperation(down, cst.Add(), one)


def drop_sign(node: cst.UnaryOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`-a` and `+a` become `a`, for all that is known a number."""
    if isinstance(node.operator, (cst.Minus, cst.Plus)) and numeric(context, node.expression):
        yield node.expression


AORB = MutationOperator(
    code="AORB",
    summary="A binary arithmetic operator (`+`, `-`, `*`, division, `%`) becomes another. Java's division is `//` for "
    "integers, `/` for floats.",
    source=MA_OFFUTT,
    nodes=(cst.BinaryOperation,),
    mutate=replacing_arithmetic(in_java),
    examples=(
        Example(
            "def f(a: int, b: int, c: float):\n    return a + b, a / c",
            (
                *becoming("a + b", "a - b", "a * b", "a // b", "a % b"),
                *becoming("a / c", "a + c", "a - c", "a * c", "a % c"),
            ),
        ),
        Example(
            "def f(share: float):\n    return share * 2",
            becoming("share * 2", "share + 2", "share - 2", "share / 2", "share % 2"),
        ),
        Example("def f(a: list, n: int):\n    return a + [n ** 2]", ()),
    ),
)
AORS = MutationOperator(
    code="AORS",
    summary="`n += 1`, which Python has for `n++`, becomes `n -= 1`; and back.",
    source=MA_OFFUTT,
    nodes=(cst.AugAssign,),
    mutate=replace_increment,
    examples=(
        Example("def f(n: int):\n    n += 1\n    n -= 1\n    n += 2", (("n += 1", "n -= 1"), ("n -= 1", "n += 1"))),
    ),
)
AOIU = MutationOperator(
    code="AOIU",
    summary="A minus is put before a variable or field that is a number. (A plus would change nothing.)",
    source=MA_OFFUTT,
    nodes=(cst.Name, cst.Attribute),
    mutate=insert_minus,
    examples=(Example("def f(n: int, name: str):\n    m = n * 2\n    return name, ~n", (("n", "-n"),)),),
)
AOIS = MutationOperator(
    code="AOIS",
    summary="An integer variable is counted up or down where it is read, before or after its value is taken: `++n`, "
    "`--n`, `n++`, `n--`.",
    source=MA_OFFUTT,
    nodes=(cst.Name,),
    mutate=insert_increment,
    examples=(
        Example(
            "def f(n: int, name: str):\n    m = n * 2\n    return [n + k for k in name]",
            becoming("n", "(n := n + 1)", "(n := n - 1)", "((n := n + 1) - 1)", "((n := n - 1) + 1)"),
        ),
    ),
)
AODU = MutationOperator(
    code="AODU",
    summary="A plus or minus before a number is left out.",
    source=MA_OFFUTT,
    nodes=(cst.UnaryOperation,),
    mutate=drop_sign,
    examples=(Example("def f(a, b):\n    return -a, +b, ~a, -1", (("-a", "a"), ("+b", "b"), ("-1", "1"))),),
)


ASRS = MutationOperator(
    code="ASRS",
    summary="An augmented assignment's operator becomes another arithmetic, bitwise or shift one.",
    source=MA_OFFUTT,
    nodes=(cst.AugAssign,),
    mutate=replacing_augmented(in_java),
    examples=(
        Example(
            "def f(n: int, flags):\n    n += 2\n    flags |= n\n    flags <<= 1\n    n **= 2",
            (
                *becoming("n += 2", "n -= 2", "n *= 2", "n //= 2", "n %= 2"),
                *becoming("flags |= n", "flags &= n", "flags ^= n"),
                ("flags <<= 1", "flags >>= 1"),
            ),
        ),
    ),
)
