"""Emits values in C: constants, tuples, attributes, assignments to names, and tests of classes."""

from __future__ import annotations

import ast
import operator
from collections import deque, namedtuple
from collections.abc import Callable
from math import inf
from typing import Any, TypeGuard

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.dispatch import expression
from harness.generators.states.translated.emitter import Emitter, Item
from harness.generators.states.translated.program import LARGEST_INT, MISSING, SMALLEST_INT


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
