"""muJava's method-level operators: operators, operands and statements are replaced, put in, or left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.inference import NUMBERS, compatible
from harness.mutation.operators import general
from harness.mutation.operators.general import numeric, replacing_arithmetic, replacing_augmented, with_operator
from harness.mutation.operators.operator import (
    BITWISE,
    CONNECTORS,
    EQUALITIES,
    IDENTITIES,
    RELATIONS,
    SHIFTS,
    Example,
    MutationOperator,
    becoming,
    dropping,
    replacing,
    siblings,
)

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
        for other in siblings(type(node.operator), (cst.AddAssign, cst.SubtractAssign)):
            yield node.with_changes(operator=other())


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
COD = replace(general.COD, source=MA_OFFUTT)
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


def replace_bitwise(node: cst.BinaryOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a & b` becomes `a | b` and `a ^ b`, for all that is known of integers; of booleans they belong to COR."""
    if context.types(node.left) | context.types(node.right) <= INTEGER:
        yield from replacing(BITWISE)(node, context)


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


MUJAVA_OPERATORS: tuple[MutationOperator, ...] = (
    AORB,  # arithmetic, binary     a + b    -> a - b
    AORS,  # increment              n += 1   -> n -= 1
    AOIU,  # minus put in           a        -> -a
    AOIS,  # increment put in       n        -> (n := n + 1)
    AODU,  # minus left out         -a       -> a
    ROR,  #  relational             a < b    -> a <= b, True
    COR,  #  conditional            a and b  -> a or b
    COD,  #  negation left out      not a    -> a
    COI,  #  negation put in        a < b    -> not a < b
    SOR,  #  shift                  a << b   -> a >> b
    LOR,  #  bitwise                a & b    -> a | b
    LOI,  #  complement put in      a        -> ~a
    LOD,  #  complement left out    ~a       -> a
    ASRS,  # augmented assignment   n += k   -> n -= k
    SDL,  #  statement left out     n = k    -> pass
    VDL,  #  variable left out      a + 1    -> 1
    CDL,  #  constant left out      a + 1    -> a
    ODL,  #  operator left out      a() + b  -> a()
)
