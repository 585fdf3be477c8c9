"""Emits values in C: names, constants, attributes and operators, in Python's order of evaluation."""

from __future__ import annotations

import ast
import operator
from collections import deque, namedtuple
from collections.abc import Callable
from math import inf
from typing import Any, TypeGuard

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.dispatch import CONDITIONS, EXPRESSIONS, condition, expression, translates
from harness.generators.states.translated.emitter import LARGEST_INT, MISSING, SMALLEST_INT, Emitter, Item


def constant(emit: Emitter, node: ast.AST, value: object) -> str:
    """Return a Python constant in C."""
    plain = emit.program.constant(value)
    if plain is not None:
        return plain
    if type(value) is float and value in (inf, -inf):
        return f"PURE(WORD(INFINITE, {1 if value > 0 else -1}))"
    if type(value) is tuple:
        return new_tuple(emit, node, [constant(emit, node, part) for part in value])
    raise emit.refuse(node, f"a value of type {type(value).__name__}")


def new_tuple(emit: Emitter, node: ast.AST, parts: list[str]) -> str:
    """Emit a new tuple."""
    place = emit.place(node, "a tuple")
    if not parts:
        return emit.temporary(f"new_tuple(0, 0, {place})")
    return emit.temporary(f"new_tuple({len(parts)}, (V[]){{{', '.join(parts)}}}, {place})")


def one_value(emit: Emitter, node: ast.AST, item: Item) -> str:
    """Return an item as one value; tuples among the items are made only here."""
    return item if isinstance(item, str) else new_tuple(emit, node, [one_value(emit, node, part) for part in item])


def read_attribute(emit: Emitter, node: ast.AST, owner: str, name: str) -> str:
    """Emit a read of an attribute, by its name."""
    number = emit.program.string(name)
    emit.program.attributes[name] = number
    return emit.temporary(f"attribute({number}, {owner}, {emit.place(node, f'the attribute {name}')})")


def bind(emit: Emitter, target: ast.expr, item: Item) -> None:
    """Assign an item to a name, to names, or to an element of a local container."""
    if isinstance(target, ast.Name):
        local = emit.scope.locals.get(target.id)
        if local is None:
            raise emit.refuse(target, f"an assignment to the outer name {target.id}")
        emit.line(f"{local} = {one_value(emit, target, item)};")
    elif isinstance(target, (ast.Tuple, ast.List)):
        if any(isinstance(part, ast.Starred) for part in target.elts):
            raise emit.refuse(target, "a starred target")
        parts = item if not isinstance(item, str) and len(item) == len(target.elts) else None
        if parts is None:
            parts = _unpacked(emit, target, one_value(emit, target, item), len(target.elts))
        for part, value in zip(target.elts, parts, strict=True):
            bind(emit, part, value)
    elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
        value = one_value(emit, target, item)
        owner = expression(emit, target.value)
        index = expression(emit, target.slice)
        emit.line(f"put_subscript({owner}, {index}, {value}, {emit.place(target, 'an assignment to an element')});")
    else:
        raise emit.refuse(target, "an assignment to an attribute or a slice")


def _unpacked(emit: Emitter, node: ast.AST, value: str, count: int) -> tuple[str, ...]:
    names = tuple(emit.name("V") for _ in range(count))
    emit.line(f"{{ V parts[{max(1, count)}]; unpack({value}, {count}, parts, {emit.place(node, 'unpacking')});")
    for number, name in enumerate(names):
        emit.line(f"{name} = parts[{number}];")
    emit.line("}")
    return names


_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}
_LARGEST_EXPONENT = 64


def folded(node: ast.expr, static: Callable[[ast.expr], Any]) -> Any:
    """Return the integer or infinity that an expression of constants evaluates to; MISSING for others, or if too large.

    Args:
        static: returns the object of a global name, or of an attribute of a module or class, or MISSING.
    """
    match node:
        case ast.Constant(value=value):
            return value if type(value) is int else MISSING
        case ast.Name() | ast.Attribute():
            value = static(node)
            return value if type(value) is int or (type(value) is float and value in (inf, -inf)) else MISSING
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = folded(operand, static)
            return MISSING if value is MISSING else -value
        case ast.Call(func=func, args=[ast.Constant(value=str(text))], keywords=[]) if static(func) is float:
            return float(text) if text.strip().lower() in ("inf", "-inf", "+inf", "infinity", "-infinity") else MISSING
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _combined(_OPERATORS[type(op)], folded(left, static), folded(right, static))
    return MISSING


def _combined(combine: Callable[[int, int], int], left: Any, right: Any) -> Any:
    if type(left) is not int or type(right) is not int:
        return MISSING
    limited = combine not in (operator.pow, operator.lshift) or 0 <= right <= _LARGEST_EXPONENT
    if not limited or (right == 0 and combine in (operator.floordiv, operator.mod)):
        return MISSING
    result = combine(left, right)
    return result if SMALLEST_INT <= result <= LARGEST_INT else MISSING


TAGS: dict[type, tuple[str, ...]] = {
    int: ("INT", "BOOL"),
    bool: ("BOOL",),
    type(None): ("NONE",),
    str: ("STRING",),
    list: ("LIST", "ARRAY"),
    tuple: ("TUPLE",),
    set: ("SET",),
    dict: ("DICT",),
    deque: ("IS_DEQUE",),
    float: ("INFINITE",),
    object: (
        "INFINITE",
        "INT",
        "NONE",
        "BOOL",
        "OBJECT",
        "STRING",
        "LIST",
        "TUPLE",
        "SET",
        "DICT",
        "ARRAY",
        "IS_DEQUE",
    ),
}
"""What is an instance of a built-in class."""


def static_classes(emit: Emitter, node: ast.AST, classes: ast.expr) -> tuple[type, ...]:
    """Return the classes that an expression such as the second argument of isinstance names."""
    if isinstance(classes, ast.Tuple):
        return tuple(cls for part in classes.elts for cls in static_classes(emit, node, part))
    named = emit.static(classes)
    for part in named if isinstance(named, tuple) else (named,):
        if not isinstance(part, type):
            raise emit.refuse(node, f"isinstance of {ast.unparse(classes)}")
    return named if isinstance(named, tuple) else (named,)


def tags_and_types(emit: Emitter, node: ast.AST, classes: tuple[type, ...]) -> tuple[str, int]:
    """Return the tags in C of the instances of these classes, and a bit for each subclass in the state space."""
    tags, types = {"0"}, 0
    for cls in classes:
        if type(cls).__hash__ is None:  # nothing can be looked up by such a class
            raise emit.refuse(node, f"isinstance of {cls.__name__}, whose metaclass has no hash")
        if cls in TAGS:
            tags |= {f"1u << {tag}" for tag in TAGS[cls]}
        elif cls.__module__ in ("builtins", "collections", "collections.abc", "abc", "numbers"):
            raise emit.refuse(node, f"isinstance of {cls.__name__}")
        for number, own in enumerate(emit.program.classes):
            if type(own) is not type and type(cls) is not type:
                raise Untranslatable(f"isinstance of {cls.__name__}, whose metaclass may have a say")
            types |= issubclass(own, cls) << number
    return " | ".join(sorted(tags)), types


_TO_TUPLES = frozenset(dir(namedtuple("_Empty", ""))) | {"__annotations__", "__orig_bases__", "__slots__"}


def is_named_tuple(callee: Any) -> TypeGuard[Any]:
    """Return whether a class of named tuples adds nothing but names to the behaviour of tuples."""
    if not isinstance(callee, type) or callee.__bases__ != (tuple,) or not hasattr(callee, "_fields"):
        return False
    own = {name for name in vars(callee) if name.startswith("__")} - _TO_TUPLES
    return not own and vars(callee).get("__eq__") is None and vars(callee).get("__hash__") is None


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
    for position, (asked, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = _operand(emit, comparator, only_compared)
        emit.line(f"{result} = {_question(emit, node, asked, left, right)};")
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
