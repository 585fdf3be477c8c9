"""Translates displays and comprehensions of containers, and subscripts."""

from __future__ import annotations

import ast

from harness.generators.states.translated.dispatch import EXPRESSIONS, expression, translates
from harness.generators.states.translated.emitter import Emitter
from harness.generators.states.translated.loops import comprehend
from harness.generators.states.translated.values import folded, new_tuple


@translates(EXPRESSIONS, ast.Subscript)
def _subscript(emit: Emitter, node: ast.Subscript) -> str:
    owner = expression(emit, node.value)
    if isinstance(node.slice, ast.Slice):
        ends = [_none_or(emit, node.slice.lower), _none_or(emit, node.slice.upper)]
        if node.slice.step is not None:
            step = folded(node.slice.step, emit.static)
            if type(step) is not int or not 0 < abs(step) < 1 << 30:
                raise emit.refuse(node, "a slice with a computed step")
            place = emit.place(node, "a slice")
            return emit.temporary(f"slice_by({owner}, {ends[0]}, {ends[1]}, {step}, {place})")
        return emit.temporary(f"slice({owner}, {ends[0]}, {ends[1]}, {emit.place(node, 'a slice')})")
    index = expression(emit, node.slice)
    return emit.temporary(f"subscript({owner}, {index}, {emit.place(node, 'a subscript')})")


def _none_or(emit: Emitter, node: ast.expr | None) -> str:
    return "PURE(W_NONE)" if node is None else expression(emit, node)


# -- displays ---------------------------------------------------------------------------------------------


@translates(EXPRESSIONS, ast.Tuple)
def _tuple(emit: Emitter, node: ast.Tuple) -> str:
    if any(isinstance(part, ast.Starred) for part in node.elts):
        values = _new_list(emit, node, node.elts)
        return emit.temporary(f"tupled({values}, {emit.place(node, 'a tuple')})")
    return new_tuple(emit, node, [expression(emit, part) for part in node.elts])


@translates(EXPRESSIONS, ast.List)
def _list(emit: Emitter, node: ast.List) -> str:
    return _new_list(emit, node, node.elts)


def _new_list(emit: Emitter, node: ast.AST, parts: list[ast.expr]) -> str:
    """Emit a new list of the values of `parts`, with starred ones spread."""
    place = emit.place(node, "a list")
    values = emit.temporary(f"new_list({len(parts)}, 0, {place})")
    for part in parts:
        if isinstance(part, ast.Starred):
            emit.line(f"extend(POINTER(List, W({values})), {expression(emit, part.value)}, {place});")
        else:
            emit.line(f"list_append(POINTER(List, W({values})), {expression(emit, part)}, {place});")
    return values


@translates(EXPRESSIONS, ast.Set)
def _set(emit: Emitter, node: ast.Set) -> str:
    place = emit.place(node, "a set")
    values = []
    for part in node.elts:
        if isinstance(part, ast.Starred):
            raise emit.refuse(node, "a starred element of a set")
        values.append(expression(emit, part))
    container = emit.temporary(f"new_set({place})")
    for value in values:
        emit.line(f"set_add(POINTER(Set, W({container})), {value}, {place});")
    return container


@translates(EXPRESSIONS, ast.Dict)
def _dict(emit: Emitter, node: ast.Dict) -> str:
    place = emit.place(node, "a dict")
    container = emit.temporary(f"new_dict({place})")
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        if key_node is None:
            raise emit.refuse(node, "a spread dict")
        key = expression(emit, key_node)
        emit.line(f"dict_put(POINTER(Dict, W({container})), {key}, {expression(emit, value_node)}, {place});")
    return container


# -- comprehensions ---------------------------------------------------------------------------------------


@translates(EXPRESSIONS, ast.ListComp)
def _list_comprehension(emit: Emitter, node: ast.ListComp) -> str:
    place = emit.place(node, "a list comprehension")
    return _comprehension(emit, node, f"new_list(4, 0, {place})", "list_append", "List", place)


@translates(EXPRESSIONS, ast.SetComp)
def _set_comprehension(emit: Emitter, node: ast.SetComp) -> str:
    place = emit.place(node, "a set comprehension")
    return _comprehension(emit, node, f"new_set({place})", "set_add", "Set", place)


def _comprehension(emit: Emitter, node: ast.ListComp | ast.SetComp, empty: str, add: str, kind: str, place: int) -> str:
    """Emit a new container, and add to it what the comprehension yields."""
    container = emit.temporary(empty)

    def fill() -> None:
        emit.line(f"{add}(POINTER({kind}, W({container})), {expression(emit, node.elt)}, {place});")

    comprehend(emit, node.generators, fill)
    return container


@translates(EXPRESSIONS, ast.DictComp)
def _dict_comprehension(emit: Emitter, node: ast.DictComp) -> str:
    place = emit.place(node, "a dict comprehension")
    container = emit.temporary(f"new_dict({place})")

    def add_item() -> None:
        key = expression(emit, node.key)
        emit.line(f"dict_put(POINTER(Dict, W({container})), {key}, {expression(emit, node.value)}, {place});")

    comprehend(emit, node.generators, add_item)
    return container
