"""Emits values in C: constants, tuples, attributes, and what is assigned to names and elements."""

from __future__ import annotations

import ast
from math import inf

from harness.generators.states.translated.dispatch import expression
from harness.generators.states.translated.emitter import Emitter, Item


def constant(emit: Emitter, node: ast.AST, value: object) -> str:
    """Return a Python constant in C."""
    if value is None:
        return "PURE(W_NONE)"
    if isinstance(value, bool):
        return "PURE(W_TRUE)" if value else "PURE(W_FALSE)"
    if type(value) is int:
        return emit.program.integer(value)
    if type(value) is str:
        return f"PURE(WORD(STRING, {emit.program.string(value)}))"
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
