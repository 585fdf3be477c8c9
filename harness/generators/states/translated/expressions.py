"""Translates names, constants and operators, as three-address C in Python's order of evaluation."""

from __future__ import annotations

import ast

from harness.generators.states.translated.dispatch import CONDITIONS, EXPRESSIONS, condition, expression, translates
from harness.generators.states.translated.emitter import Emitter
from harness.generators.states.translated.program import MISSING
from harness.generators.states.translated.values import bind, constant, folded, read_attribute

BINARY = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.FloorDiv: "floor_divide",
    ast.Mod: "modulo",
    ast.BitAnd: "bit_and",
    ast.BitOr: "bit_or",
    ast.BitXor: "bit_xor",
    ast.LShift: "shift_left",
    ast.RShift: "shift_right",
}
UNARY = {ast.USub: "negative", ast.UAdd: "positive", ast.Invert: "inverted"}
_COMPARING = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
ORDER = {ast.Lt: "LT", ast.LtE: "LE", ast.Gt: "GT", ast.GtE: "GE"}


# -- leaves -----------------------------------------------------------------------------------------------


@translates(EXPRESSIONS, ast.Constant)
def _constant(emit: Emitter, node: ast.Constant) -> str:
    return constant(emit, node, node.value)


@translates(EXPRESSIONS, ast.Name)
def _name(emit: Emitter, node: ast.Name) -> str:
    local = emit.scope.locals.get(node.id)
    if node.id in emit.scope.functions:
        raise emit.refuse(node, f"the function {node.id} as a value")
    if local is None:
        value = emit.static(node)
        if value is MISSING:
            raise emit.refuse(node, f"the name {node.id}")
        return constant(emit, node, value)
    if node.id not in _parameters(emit.scope.tree.args):
        emit.line(f"if (UNLIKELY(W({local}) == W_ABSENT)) fail(FAILED_RAISES, {emit.place(node, node.id)});")
    return emit.temporary(local)  # the variable may change before the value is used


def _parameters(arguments: ast.arguments) -> set[str]:
    return {argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}


@translates(EXPRESSIONS, ast.Attribute)
def _attribute(emit: Emitter, node: ast.Attribute) -> str:
    value = emit.static(node)
    if value is not MISSING:
        return constant(emit, node, value)
    return read_attribute(emit, node, expression(emit, node.value), node.attr)


@translates(EXPRESSIONS, ast.NamedExpr)
def _named_expression(emit: Emitter, node: ast.NamedExpr) -> str:
    value = expression(emit, node.value)
    bind(emit, node.target, value)
    return value


# -- operators --------------------------------------------------------------------------------------------


@translates(EXPRESSIONS, ast.BinOp)
def _binary_operation(emit: Emitter, node: ast.BinOp) -> str:
    value = folded(node, emit.static)
    if value is not MISSING:
        return constant(emit, node, value)
    left = expression(emit, node.left)
    return binary(emit, node, node.op, left, expression(emit, node.right))


def binary(emit: Emitter, node: ast.AST, operator: ast.operator, left: str, right: str) -> str:
    """Emit a binary operation on two values."""
    name = BINARY.get(type(operator))
    if name is None:
        raise emit.refuse(node, f"the operator {type(operator).__name__}")
    place = emit.place(node, f"the operator {type(operator).__name__}")
    return emit.temporary(f"{name}({left}, {right}, {place})")


@translates(EXPRESSIONS, ast.UnaryOp)
def _unary_operation(emit: Emitter, node: ast.UnaryOp) -> str:
    if isinstance(node.op, ast.Not):
        return f"V_BOOL({condition(emit, node)})"
    if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and type(node.operand.value) is int:
        return emit.program.integer(-node.operand.value)
    value = expression(emit, node.operand)
    return emit.temporary(f"{UNARY[type(node.op)]}({value}, {emit.place(node, 'a sign')})")


@translates(CONDITIONS, ast.UnaryOp)
def _negated_condition(emit: Emitter, node: ast.UnaryOp) -> str | None:
    return f"!{condition(emit, node.operand)}" if isinstance(node.op, ast.Not) else None


@translates(EXPRESSIONS, ast.BoolOp)
def _boolean_operation(emit: Emitter, node: ast.BoolOp) -> str:
    result = emit.name("V")
    emit.line(f"{result} = {expression(emit, node.values[0])};")
    for value in node.values[1:]:
        negated = "" if isinstance(node.op, ast.And) else "!"
        emit.line(f"if ({negated}truth({result}, {emit.place(value, 'a truth value')})) {{")
        emit.line(f"{result} = {expression(emit, value)};")
        emit.line("}")
    return result


@translates(CONDITIONS, ast.BoolOp)
def _boolean_condition(emit: Emitter, node: ast.BoolOp) -> str:
    result = emit.temporary(condition(emit, node.values[0]), "int")
    for value in node.values[1:]:
        emit.line(f"if ({'' if isinstance(node.op, ast.And) else '!'}{result}) {{")
        emit.line(f"{result} = {condition(emit, value)};")
        emit.line("}")
    return result


@translates(EXPRESSIONS, ast.IfExp)
def _choice(emit: Emitter, node: ast.IfExp) -> str:
    result = emit.name("V")
    emit.line(f"if ({condition(emit, node.test)}) {{")
    emit.line(f"{result} = {expression(emit, node.body)};")
    emit.line("} else {")
    emit.line(f"{result} = {expression(emit, node.orelse)};")
    emit.line("}")
    return result


# -- comparisons ------------------------------------------------------------------------------------------


@translates(EXPRESSIONS, ast.Compare)
def _comparison(emit: Emitter, node: ast.Compare) -> str:
    return f"V_BOOL({_comparison_condition(emit, node)})"


@translates(CONDITIONS, ast.Compare)
def _comparison_condition(emit: Emitter, node: ast.Compare) -> str:
    only_compared = all(isinstance(operator, _COMPARING) for operator in node.ops)
    left = _operand(emit, node.left, only_compared)
    result = emit.name("int")
    for position, (operator, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = _operand(emit, comparator, only_compared)
        emit.line(f"{result} = {_question(emit, node, operator, left, right)};")
        if position + 1 < len(node.ops):
            emit.line(f"if ({result}) {{")
        left = right
    emit.line("}" * (len(node.ops) - 1))
    return result


def _operand(emit: Emitter, node: ast.expr, only_compared: bool) -> tuple[str, str]:
    """Translate an operand of a comparison. Return its value, and the C variable that holds its field, or -1."""
    if only_compared and isinstance(node, ast.Attribute) and emit.static(node) is MISSING:
        owner = expression(emit, node.value)
        number = emit.program.attributes[node.attr] = emit.program.string(node.attr)
        place = emit.place(node, f"the attribute {node.attr}")
        value = emit.temporary(f"attribute_to_compare({number}, {owner}, {place})")
        return value, emit.temporary("compared", "int")
    if only_compared and isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        owner = expression(emit, node.value)
        index = expression(emit, node.slice)
        place = emit.place(node, "a subscript")
        value = emit.temporary(f"subscript_to_compare({owner}, {index}, {place})")
        return value, emit.temporary("compared", "int")
    return expression(emit, node), "-1"


def _question(
    emit: Emitter, node: ast.Compare, operator: ast.cmpop, first: tuple[str, str], second: tuple[str, str]
) -> str:
    """Return the C integer that answers one comparison of two operands."""
    place = emit.place(node, f"the comparison {type(operator).__name__}")
    (left, _), (right, _) = first, second
    operands = ", ".join([*first, *second])
    if type(operator) in ORDER:
        return f"order_fields({ORDER[type(operator)]}, {operands}, {place})"
    if isinstance(operator, (ast.Eq, ast.NotEq)):
        return f"{'!' if isinstance(operator, ast.NotEq) else ''}equal_fields({operands}, {place})"
    name = "identical"
    if isinstance(operator, (ast.In, ast.NotIn)):
        name = "contains"
    negated = "!" if isinstance(operator, (ast.IsNot, ast.NotIn)) else ""
    return f"{negated}{name}({left}, {right}, {place})"
