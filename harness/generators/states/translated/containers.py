"""Translates what makes containers: displays, comprehensions, slices, and calls of their classes."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable
from functools import partial

from harness.generators.states.translated.dispatch import EXPRESSIONS, expression, function_of, translates
from harness.generators.states.translated.emitter import Body, Emitter, Item
from harness.generators.states.translated.functions import apply
from harness.generators.states.translated.loops import comprehend, is_loop, iterate, iterate_value
from harness.generators.states.translated.values import folded, new_tuple, one_value

Items = Callable[[Body], None]
"""Emits code that yields items, with the given body for each."""

_EMPTY: dict[type, str] = {
    list: "new_list(4, 0, {})",
    deque: "new_list(4, 1, {})",
    set: "new_set({})",
    dict: "new_dict({})",
}
_ADD: dict[type, str] = {
    list: "list_append(POINTER(List, W({})), {}, {});",
    deque: "list_append(POINTER(List, W({})), {}, {});",
    set: "set_add(POINTER(Set, W({})), {}, {});",
    dict: "dict_put(POINTER(Dict, W({})), {}, {}, {});",
}


def _filled(emit: Emitter, node: ast.AST, kind: type, items: Items) -> str:
    """Emit a new container with the items, which are pairs of key and value for a dict."""
    place = emit.place(node, f"a {kind.__name__}")
    container = emit.temporary(_EMPTY[kind].format(place))

    def add(item: Item) -> None:
        parts = item if kind is dict and isinstance(item, tuple) else (item,)
        values = [one_value(emit, node, part) for part in parts]
        emit.line(_ADD[kind].format(container, *values, place))

    items(add)
    return container


def _these(emit: Emitter, parts: list[ast.expr]) -> Items:
    """Return the values of expressions as items, with starred ones spread."""

    def items(add: Body) -> None:
        for part in parts:
            if isinstance(part, ast.Starred):
                iterate(emit, part.value, add)
            else:
                add(expression(emit, part))

    return items


def _pair(emit: Emitter, key: ast.expr, value: ast.expr) -> Item:
    return (expression(emit, key), expression(emit, value))


# -- displays, comprehensions and slices --------------------------------------------------------------------


@translates(EXPRESSIONS, ast.List)
def _list(emit: Emitter, node: ast.List) -> str:
    return _filled(emit, node, list, _these(emit, node.elts))


@translates(EXPRESSIONS, ast.Tuple)
def _tuple(emit: Emitter, node: ast.Tuple) -> str:
    if any(isinstance(part, ast.Starred) for part in node.elts):
        values = _filled(emit, node, list, _these(emit, node.elts))
        return emit.temporary(f"tupled({values}, {emit.place(node, 'a tuple')})")
    return new_tuple(emit, node, [expression(emit, part) for part in node.elts])


@translates(EXPRESSIONS, ast.Set)
def _set(emit: Emitter, node: ast.Set) -> str:
    values = [expression(emit, part) for part in node.elts]  # all are read before the first is added

    def items(add: Body) -> None:
        for value in values:
            add(value)

    return _filled(emit, node, set, items)


@translates(EXPRESSIONS, ast.Dict)
def _dict(emit: Emitter, node: ast.Dict) -> str:
    def items(add: Body) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise emit.refuse(node, "a spread dict")
            add(_pair(emit, key, value))

    return _filled(emit, node, dict, items)


@translates(EXPRESSIONS, ast.ListComp)
def _list_comprehension(emit: Emitter, node: ast.ListComp) -> str:
    return _comprehension(emit, node, list, lambda: expression(emit, node.elt))


@translates(EXPRESSIONS, ast.SetComp)
def _set_comprehension(emit: Emitter, node: ast.SetComp) -> str:
    return _comprehension(emit, node, set, lambda: expression(emit, node.elt))


@translates(EXPRESSIONS, ast.DictComp)
def _dict_comprehension(emit: Emitter, node: ast.DictComp) -> str:
    return _comprehension(emit, node, dict, lambda: _pair(emit, node.key, node.value))


def _comprehension(
    emit: Emitter, node: ast.ListComp | ast.SetComp | ast.DictComp, kind: type, item: Callable[[], Item]
) -> str:
    return _filled(emit, node, kind, lambda add: comprehend(emit, node.generators, lambda: add(item())))


@translates(EXPRESSIONS, ast.Subscript)
def _subscript(emit: Emitter, node: ast.Subscript) -> str:
    owner = expression(emit, node.value)
    if not isinstance(node.slice, ast.Slice):
        index = expression(emit, node.slice)
        return emit.temporary(f"subscript({owner}, {index}, {emit.place(node, 'a subscript')})")
    ends = ["PURE(W_NONE)" if end is None else expression(emit, end) for end in (node.slice.lower, node.slice.upper)]
    step = 1 if node.slice.step is None else folded(node.slice.step, emit.static)
    if type(step) is not int or not 0 < abs(step) < 1 << 30:
        raise emit.refuse(node, "a slice with a computed step")
    return emit.temporary(f"slice({owner}, {ends[0]}, {ends[1]}, {step}, {emit.place(node, 'a slice')})")


# -- calls of classes ---------------------------------------------------------------------------------------


def _made_of(emit: Emitter, node: ast.Call, kind: type) -> str:
    """Emit a new container of what the call's argument yields, if there is one."""
    if len(node.args) > (kind is not dict):
        raise emit.refuse(node, f"a call of {ast.unparse(node.func)} with {len(node.args)} arguments")
    if kind is set and node.args and not is_loop(emit, node.args[0]):
        value, place = expression(emit, node.args[0]), emit.place(node, "set")
        container = emit.temporary(f"new_set({place})")
        emit.line(f"set_update(POINTER(Set, W({container})), {value}, {place});")  # in any order, if that is a set
        return container

    def items(add: Body) -> None:
        for argument in node.args:
            iterate(emit, argument, add)

    return _filled(emit, node, kind, items)


def _tuple_of(emit: Emitter, node: ast.Call) -> str:
    return emit.temporary(f"tupled({_made_of(emit, node, list)}, {emit.place(node, 'tuple')})")


def _sorted(emit: Emitter, node: ast.Call) -> str:
    options = {keyword.arg: keyword.value for keyword in node.keywords}
    key, backwards = options.pop("key", None), options.pop("reverse", None)
    reverse = False if backwards is None else getattr(backwards, "value", None)
    if options or type(reverse) is not bool or len(node.args) != 1:
        raise emit.refuse(node, "the arguments of a call of sorted")
    place = emit.place(node, "sorted")
    values = _sortable(emit, node, place)
    if key is None and not reverse:
        return emit.temporary(f"sorted_list({values}, {place})")
    if key is None:
        keys = emit.temporary(f"listed({values}, 0, {place})")
    else:
        function = function_of(emit, key)

        def key_of(item: Item) -> str:
            return apply(emit, node, function, [one_value(emit, node, item)])

        keys = _filled(emit, node, list, lambda add: iterate_value(emit, node, values, lambda item: add(key_of(item))))
    return emit.temporary(f"sorted_by({values}, {keys}, {'GT' if reverse else 'LT'}, {place})")


def _sortable(emit: Emitter, node: ast.Call, place: int) -> str:
    """Emit a new list of the values to sort. They may be a set, as its order does not show."""
    argument = node.args[0]
    if is_loop(emit, argument):
        return _filled(emit, node, list, lambda add: iterate(emit, argument, add))
    value = expression(emit, argument)
    return emit.temporary(f"TAG(W({value})) == SET ? sorted_set({value}, {place}) : listed({value}, 0, {place})")


CONTAINER_CALLS: dict[Callable[..., object], Callable[[Emitter, ast.Call], str]] = {
    **{kind: partial(_made_of, kind=kind) for kind in _EMPTY},
    tuple: _tuple_of,
    sorted: _sorted,
}
"""What translates a call that makes a container."""
