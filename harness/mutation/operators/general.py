"""The operators of the general sets: those of Ferastrau, which replace an operator or operand, and their extensions.

A variable or attribute becomes another of compatible type, or an attribute the object that has it. An invocation calls
another method or function of compatible signature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import libcst as cst

from harness.mutation.context import MutationContext
from harness.mutation.inference import NUMBERS, compatible
from harness.mutation.operators.operator import (
    AUGMENTED_BITWISE,
    AUGMENTED_SHIFTS,
    BITWISE,
    CONNECTORS,
    EQUALITIES,
    IDENTITIES,
    MEMBERSHIPS,
    RELATIONS,
    SHIFTS,
    SIGNS,
    Example,
    Mutate,
    MutationOperator,
    becoming,
    dropping,
    replacing,
    siblings,
)
from harness.mutation.program import NONE, UNKNOWN, Binding, Function, Types

_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo)
_OF_OTHERS: dict[type[cst.BaseBinaryOp], tuple[type[cst.BaseBinaryOp], ...]] = {
    cst.Divide: (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide),
    cst.Power: (cst.Multiply, cst.Add),
}
_AUGMENTED: dict[type[cst.BaseBinaryOp], type[cst.BaseAugOp]] = {
    cst.Add: cst.AddAssign,
    cst.Subtract: cst.SubtractAssign,
    cst.Multiply: cst.MultiplyAssign,
    cst.FloorDivide: cst.FloorDivideAssign,
    cst.Modulo: cst.ModuloAssign,
    cst.Divide: cst.DivideAssign,
    cst.Power: cst.PowerAssign,
}
_PLAIN = {augmented: plain for plain, augmented in _AUGMENTED.items()}
Alternatives = Callable[
    [type[cst.BaseBinaryOp], cst.BaseExpression, cst.BaseExpression, MutationContext],
    Iterable[type[cst.BaseBinaryOp]],
]
"""Returns the operators that replace an arithmetic one between two operands."""


def numeric(context: MutationContext, *operands: cst.BaseExpression) -> bool:
    """Return whether every operand is a number, as far as types are known; `+` on lists has no other operator."""
    return all(context.types(operand) <= NUMBERS for operand in operands)


def replacing_arithmetic(alternatives: Alternatives) -> Mutate:
    """Make the function of a mutation operator that replaces `+` of numbers by alternatives, and so on.

    No number is divided by a plain zero.
    """

    def replace_operator(node: cst.BinaryOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
        if numeric(context, node.left, node.right):
            for other in alternatives(type(node.operator), node.left, node.right, context):
                if not context.divides_by_zero(node.left, other, node.right):
                    yield node.with_changes(operator=other())

    return replace_operator


def replacing_augmented(alternatives: Alternatives) -> Mutate:
    """Make the function of a mutation operator that replaces `+=` of numbers as `replacing_arithmetic` does `+`.

    The operators of bitwise and of shift assignments replace each other.
    """

    def replace_operator(node: cst.AugAssign, context: MutationContext) -> Iterator[cst.CSTNode]:
        target, value, kind = node.target, node.value, type(node.operator)
        if kind in _PLAIN and numeric(context, target, value):
            for other in alternatives(_PLAIN[kind], target, value, context):
                if not context.divides_by_zero(target, other, value):
                    yield node.with_changes(operator=_AUGMENTED[other]())
        for sibling in siblings(kind, AUGMENTED_BITWISE, AUGMENTED_SHIFTS):
            yield node.with_changes(operator=sibling())

    return replace_operator


def in_ferastrau(
    kind: type[cst.BaseBinaryOp], left: cst.BaseExpression, right: cst.BaseExpression, context: MutationContext
) -> Iterable[type[cst.BaseBinaryOp]]:
    """Return the operators that Ferastrau replaces an arithmetic one by, whatever the operands are."""
    return _OF_OTHERS.get(kind) or siblings(kind, _ARITHMETIC)


AOR = MutationOperator(
    code="AOR",
    summary="An arithmetic operator becomes another.",
    nodes=(cst.BinaryOperation,),
    mutate=replacing_arithmetic(in_ferastrau),
    examples=(
        Example(
            "def f(a, b, c):\n    return a + b * c",
            (
                *becoming("a + b * c", "a - b * c", "a * (b * c)", "a // (b * c)", "a % (b * c)"),
                *becoming("b * c", "(b + c)", "(b - c)", "b // c", "b % c"),
            ),
        ),
        Example("def f(items: list):\n    return items + [1]", ()),
        Example("def f(n: int):\n    return n - 0", becoming("n - 0", "n + 0", "n * 0")),
    ),
)


ASR = MutationOperator(
    code="ASR",
    summary="An augmented assignment's operator becomes another.",
    nodes=(cst.AugAssign,),
    mutate=replacing_augmented(in_ferastrau),
    examples=(
        Example(
            "def f(n, flags):\n    n += 2\n    flags |= n",
            (
                *becoming("n += 2", "n -= 2", "n *= 2", "n //= 2", "n %= 2"),
                *becoming("flags |= n", "flags &= n", "flags ^= n"),
            ),
        ),
        Example(
            "def f(share, n: int):\n    share /= n\n    n **= 2\n    n -= 0",
            (
                *becoming("share /= n", "share += n", "share -= n", "share *= n", "share //= n"),
                *becoming("n **= 2", "n *= 2", "n += 2"),
                *becoming("n -= 0", "n += 0", "n *= 0"),
            ),
        ),
    ),
)


def insert_arithmetic_operator(node: cst.Name | cst.Attribute, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`n` becomes `n + 1` and `n - 1`, where an integer is read. (muJava's AOIS assigns it, too.)"""
    if context.reads_variable(node) and context.types(node) - {NONE} == {"int"}:
        for operator in (cst.Add(), cst.Subtract()):
            yield cst.BinaryOperation(node, operator, cst.Integer("1"))


AOI = MutationOperator(
    code="AOI",
    summary="An integer variable or field is read one too high or one too low.",
    nodes=(cst.Name, cst.Attribute),
    mutate=insert_arithmetic_operator,
    examples=(
        Example("def f(n: int, name: str):\n    m = n * 2\n    return name", becoming("n", "(n + 1)", "(n - 1)")),
    ),
)


_ORDERED = NUMBERS | {"str", "bytes", "list", "tuple"}


def with_operator(node: cst.Comparison, position: int, operator: cst.BaseCompOp) -> cst.Comparison:
    """Return the comparison with another operator at `position` of the chain."""
    comparisons = list(node.comparisons)
    comparisons[position] = comparisons[position].with_changes(operator=operator)
    return node.with_changes(comparisons=comparisons)


def replace_relational_operator(node: cst.Comparison, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a < b` becomes `a <= b` and so on; values without an order change between `==` and `!=` only."""
    left = node.left
    for position, target in enumerate(node.comparisons):
        kind = type(target.operator)
        if kind in RELATIONS:
            ordered = context.types(left) | context.types(target.comparator) <= _ORDERED
            for other in siblings(kind, RELATIONS if ordered or kind not in EQUALITIES else EQUALITIES):
                yield with_operator(node, position, other())
        left = target.comparator


def replace_identity_or_membership_test(node: cst.Comparison, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`a is b` becomes `a is not b`, `a in b` becomes `a not in b`; and back."""
    for position, target in enumerate(node.comparisons):
        for opposite in siblings(type(target.operator), IDENTITIES, MEMBERSHIPS):
            yield with_operator(node, position, opposite())


ROR = MutationOperator(
    code="ROR",
    summary="A relational operator becomes another.",
    nodes=(cst.Comparison,),
    mutate=replace_relational_operator,
    examples=(
        Example("def f(a, b):\n    return a < b", becoming("a < b", "a <= b", "a > b", "a >= b", "a == b", "a != b")),
        Example("def f(a: bool, b: bool):\n    return a == b", (("a == b", "a != b"),)),
    ),
)

IDR = MutationOperator(
    code="IDR",
    summary="An identity or membership test is negated.",
    nodes=(cst.Comparison,),
    mutate=replace_identity_or_membership_test,
    examples=(
        Example(
            "def f(a, b):\n    return a is None or a not in b",
            (("a is None", "a is not None"), ("a not in b", "a in b")),
        ),
    ),
)


LCR = MutationOperator(
    code="LCR",
    summary="A logical connector becomes the other.",
    nodes=(cst.BooleanOperation,),
    mutate=replacing(CONNECTORS),
    examples=(
        Example("def f(a, b, c):\n    return a and b or c", (("a and b", "a or b"), ("a and b or c", "a and b and c"))),
        Example("def f(a, b, c):\n    return a or b or c", (("a or b", "a and b"), ("a or b or c", "(a or b) and c"))),
    ),
)


BOR = MutationOperator(
    code="BOR",
    summary="A bitwise or shift operator becomes another.",
    nodes=(cst.BinaryOperation,),
    mutate=replacing(BITWISE, SHIFTS),
    examples=(
        Example(
            "def f(a, b, c):\n    return a & b << c",
            (*becoming("a & b << c", "a | b << c", "a ^ b << c"), ("b << c", "b >> c")),
        ),
    ),
)


_INTEGER: tuple[type[cst.BaseUnaryOp], ...] = (*SIGNS, cst.BitInvert)
_OPERAND_NODES = (cst.Name, cst.Attribute, cst.Subscript, cst.Call)


def replace_unary_operator(node: cst.UnaryOperation, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`-a` becomes `+a`, and `~a` where `a` is an integer; `~a` becomes `+a` and `-a`. `not` has no other."""
    kind = type(node.operator)
    if kind is not cst.Not and context.types(node.expression) <= NUMBERS:
        integer = context.types(node.expression) == {"int"}
        for other in _INTEGER if integer else SIGNS:
            if other is not kind:
                yield node.with_changes(operator=other())


def negate_condition(node: cst.BaseExpression, context: MutationContext) -> Iterator[cst.CSTNode]:
    """`if a:` becomes `if not a:`; comparisons and negations are left to the operators for those."""
    if _is_condition(node, context) and not (isinstance(node, cst.Name) and node.value in ("True", "False")):
        yield cst.UnaryOperation(cst.Not(), node)


def _is_condition(node: cst.CSTNode, context: MutationContext) -> bool:
    parent = context.parent(node)
    if isinstance(parent, cst.BooleanOperation):
        return True
    return isinstance(parent, (cst.If, cst.While, cst.IfExp, cst.CompIf)) and parent.test is node


UOR = MutationOperator(
    code="UOR",
    summary="A unary operator becomes another.",
    nodes=(cst.UnaryOperation,),
    mutate=replace_unary_operator,
    examples=(
        Example(
            "def f(a: int, b):\n    return -a, ~a, -b, not b",
            (*becoming("-a", "+a", "~a"), *becoming("~a", "+a", "-a"), ("-b", "+b")),
        ),
    ),
)
COI = MutationOperator(
    code="COI",
    summary="A condition that is a plain value or call is negated.",
    nodes=_OPERAND_NODES,
    mutate=negate_condition,
    examples=(
        Example(
            "def f(items):\n    while items and items.pop():\n        pass",
            (("items", "not items"), ("items.pop()", "not items.pop()")),
        ),
    ),
)
COD = MutationOperator(
    code="COD",
    summary="A negation is left out.",
    nodes=(cst.UnaryOperation,),
    mutate=dropping(cst.Not),
    examples=(Example("def f(a, b):\n    return -a if not b else a", (("not b", "b"),)),),
)


def replace_constant(node: cst.Integer | cst.Name, context: MutationContext) -> Iterator[cst.CSTNode]:
    """An integer n becomes n + 1, n - 1, 0 and 1; True and False change places; None stays.

    A divisor does not become 0.
    """
    if isinstance(node, cst.Integer):
        value = node.evaluated_value
        for other in dict.fromkeys((value + 1, value - 1, 0, 1)):
            if other != value and not (other == 0 and _is_divisor(node, context)):
                yield _integer(other)
    elif node.value in ("True", "False"):
        yield cst.Name("False" if node.value == "True" else "True")


def _is_divisor(node: cst.CSTNode, context: MutationContext) -> bool:
    """Return whether `node` is a divisor."""
    match context.parent(node):
        case cst.BinaryOperation(left=left, operator=operator, right=right) if right is node:
            return context.divides_by_zero(left, type(operator), cst.Integer("0"))
        case cst.AugAssign(target=target, operator=operator, value=value) if value is node:
            return context.divides_by_zero(target, type(operator), cst.Integer("0"))
    return False


def _integer(value: int) -> cst.BaseExpression:
    number = cst.Integer(str(abs(value)))
    return number if value >= 0 else cst.UnaryOperation(cst.Minus(), number)


CRP = MutationOperator(
    code="CRP",
    summary="An integer becomes one more, one less, 0 or 1; True and False change places.",
    nodes=(cst.Integer, cst.Name),
    mutate=replace_constant,
    examples=(
        Example("def f(a):\n    return a[2]", becoming("2", "3", "1", "0")),
        Example("def f():\n    return 0 ** 0, True", (*becoming("0", "1", "(-1)", "1", "-1"), ("True", "False"))),
        Example("def f(n: int):\n    return n // 2", becoming("2", "3", "1")),
    ),
)


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
