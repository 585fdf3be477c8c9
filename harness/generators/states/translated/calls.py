"""Translates calls of functions, methods and classes, and all else that makes containers."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import Any

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.dispatch import (
    CONDITIONS,
    EXPRESSIONS,
    condition,
    expression,
    function_of,
    translates,
)
from harness.generators.states.translated.emitter import MISSING, Body, Emitter, Item
from harness.generators.states.translated.expressions import (
    constant,
    folded,
    is_named_tuple,
    new_tuple,
    one_value,
    read_attribute,
    static_classes,
    tags_and_types,
)
from harness.generators.states.translated.loops import (
    apply,
    comprehend,
    function_call,
    given_by,
    is_loop,
    iterate,
    iterate_value,
    method_call,
    methods_named,
)

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


def builtin_call(emit: Emitter, node: ast.Call, callee: Callable[..., object]) -> str:
    """Translate a call of a function of BUILTINS."""
    if any(isinstance(a, ast.Starred) for a in node.args):
        raise emit.refuse(node, "*args or **kwargs")
    if node.keywords and callee not in (min, max, sorted):
        raise emit.refuse(node, f"the keyword arguments of a call of {callee.__name__}")
    return BUILTINS[callee](emit, node)


def _of_one_value(emit: Emitter, node: ast.Call, function: str) -> str:
    """Translate a call that is one of a function in C."""
    if len(node.args) != 1:
        raise emit.refuse(node, f"a call of {ast.unparse(node.func)} with {len(node.args)} arguments")
    value = expression(emit, node.args[0])
    return emit.temporary(f"{function}({value}, {emit.place(node, ast.unparse(node.func))})")


def _getattr(emit: Emitter, node: ast.Call) -> str:
    if len(node.args) != 2:
        raise emit.refuse(node, "getattr with a default")
    owner, name = expression(emit, node.args[0]), node.args[1]
    if isinstance(name, ast.Constant) and isinstance(name.value, str):
        return read_attribute(emit, node, owner, name.value)
    text = expression(emit, name)
    return emit.temporary(f"attribute_named({text}, {owner}, {emit.place(node, 'getattr')})")


# -- numbers and orders -----------------------------------------------------------------------------------


def _divmod(emit: Emitter, node: ast.Call) -> str:
    if len(node.args) != 2:
        raise emit.refuse(node, "the arguments of a call of divmod")
    left, right = (expression(emit, argument) for argument in node.args)
    place = emit.place(node, "divmod")
    parts = [emit.temporary(f"{name}({left}, {right}, {place})") for name in ("floor_divide", "modulo")]
    return new_tuple(emit, node, parts)


def _sum(emit: Emitter, node: ast.Call) -> str:
    if len(node.args) != 1:
        raise emit.refuse(node, "sum with a start")
    total = emit.temporary("V_INT(0)")
    place = emit.place(node, "sum")

    def add(item: Item) -> None:
        emit.line(f"{total} = add({total}, {one_value(emit, node, item)}, {place});")

    iterate(emit, node.args[0], add)
    return total


def _best(emit: Emitter, node: ast.Call, operator: str) -> str:
    """Translate min or max."""
    options = {keyword.arg: keyword.value for keyword in node.keywords}
    default, key = options.pop("default", None), options.pop("key", None)
    if options or not node.args:
        raise emit.refuse(node, f"the keyword arguments of a call of {ast.unparse(node.func)}")
    if key is not None:
        return _best_by(emit, node, operator, function_of(emit, key), default)
    place = emit.place(node, ast.unparse(node.func))
    best = emit.name("V")

    def consider(value: str) -> None:
        emit.line(f"if (W({best}) == W_ABSENT || order({operator}, {value}, {best}, {place})) {best} = {value};")

    if len(node.args) > 1:
        values = [expression(emit, argument) for argument in node.args]
        emit.line(f"{best} = PURE(W_ABSENT);")
        for value in values:
            consider(value)
        return best
    otherwise = None if default is None else expression(emit, default)
    emit.line(f"{best} = PURE(W_ABSENT);")
    iterate(emit, node.args[0], lambda item: consider(one_value(emit, node, item)))
    instead = f"fail(FAILED_RAISES, {place})" if otherwise is None else f"{best} = {otherwise}"
    emit.line(f"if (W({best}) == W_ABSENT) {instead};")
    return best


def _best_by(emit: Emitter, node: ast.Call, operator: str, key: Any, default: ast.expr | None) -> str:
    """Emit a search for the first item with the best key."""
    if len(node.args) > 1 or default is not None:
        raise emit.refuse(node, f"the arguments of a call of {ast.unparse(node.func)} with a key")
    place = emit.place(node, ast.unparse(node.func))
    best_key, best = emit.name("V"), emit.name("V")
    emit.line(f"{best_key} = {best} = PURE(W_ABSENT);")

    def consider(item: Item) -> None:
        value = one_value(emit, node, item)
        value_key = apply(emit, node, key, [value])
        emit.line(f"if (W({best_key}) == W_ABSENT || order({operator}, {value_key}, {best_key}, {place}))")
        emit.line(f"{{ {best_key} = {value_key}; {best} = {value}; }}")

    iterate(emit, node.args[0], consider)
    emit.line(f"if (W({best_key}) == W_ABSENT) fail(FAILED_RAISES, {place});")
    return best


def any_or_all(emit: Emitter, node: ast.Call, is_all: bool) -> str:
    """Translate any or all, and return its truth as a C integer."""
    answer = emit.temporary("1" if is_all else "0", "int")
    done = emit.label()
    argument = node.args[0]

    def consider(truth: str) -> None:
        emit.line(f"if ({'!' if is_all else ''}{truth}) {{ {answer} = {int(not is_all)}; goto {done}; }}")

    if isinstance(argument, ast.GeneratorExp):
        comprehend(emit, argument.generators, lambda: consider(condition(emit, argument.elt)))
    else:
        place = emit.place(node, "a truth value")
        iterate(emit, argument, lambda item: consider(f"truth({one_value(emit, node, item)}, {place})"))
    emit.mark(done)
    return answer


BUILTINS: dict[Callable[..., object], Callable[[Emitter, ast.Call], str]] = {
    len: partial(_of_one_value, function="length"),
    abs: partial(_of_one_value, function="absolute"),
    id: partial(_of_one_value, function="identity_of"),
    int: partial(_of_one_value, function="as_integer"),
    getattr: _getattr,
    divmod: _divmod,
    sum: _sum,
    min: partial(_best, operator="LT"),
    max: partial(_best, operator="GT"),
    **CONTAINER_CALLS,
}
"""What translates a call of a built-in function, and returns its value in C."""


CONTAINER_METHODS = {
    "append": (1,),
    "appendleft": (1,),
    "extend": (1,),
    "insert": (2,),
    "pop": (0, 1),
    "popleft": (0,),
    "reverse": (0,),
    "sort": (0,),
    "count": (1,),
    "index": (1,),
    "copy": (0,),
    "clear": (0,),
    "add": (1,),
    "discard": (1,),
    "remove": (1,),
    "update": (1,),
    "get": (1, 2),
    "setdefault": (2,),
    "keys": (0,),
    "values": (0,),
    "items": (0,),
}
"""Methods of lists, deques, sets and dicts: numbers of arguments."""
_KINDS = (("LIST", list), ("LIST", deque), ("ARRAY", list), ("TUPLE", tuple), ("SET", set), ("DICT", dict))


@translates(EXPRESSIONS, ast.Call)
def _call(emit: Emitter, node: ast.Call) -> str:
    answer = _call_condition(emit, node)
    if answer is not None:
        return f"V_BOOL({answer})"
    value = folded(node, emit.static)
    if value is not MISSING:
        return constant(emit, node, value)
    callee = function_of(emit, node.func)
    if isinstance(callee, FunctionType):
        return function_call(emit, node, callee)
    if is_named_tuple(callee) and len(node.args) == len(callee._fields) and not node.keywords:
        return expression(emit, ast.copy_location(ast.Tuple(node.args, ast.Load()), node))
    # Classes with a metaclass may have no hash.
    if type(callee) in (type, BuiltinFunctionType) and callee in BUILTINS:
        return builtin_call(emit, node, callee)
    if callee is MISSING and isinstance(node.func, ast.Attribute):
        return _method_call(emit, node, node.func)
    raise emit.refuse(node, f"a call of {ast.unparse(node.func)}")


@translates(CONDITIONS, ast.Call)
def _call_condition(emit: Emitter, node: ast.Call) -> str | None:
    """Translate isinstance, hasattr, bool, any and all."""
    callee = emit.static(node.func)
    if callee is isinstance and len(node.args) == 2:
        value = expression(emit, node.args[0])
        tags, types = tags_and_types(emit, node, static_classes(emit, node, node.args[1]))
        place = emit.place(node, "isinstance")
        return emit.temporary(f"is_instance({value}, {tags}, {types}ULL, {place})", "int")
    if callee is hasattr and len(node.args) == 2:
        value, name = expression(emit, node.args[0]), expression(emit, node.args[1])
        return emit.temporary(f"has_attribute({value}, {name}, {emit.place(node, 'hasattr')})", "int")
    if callee is bool and len(node.args) == 1:
        return condition(emit, node.args[0])
    if callee in (any, all) and len(node.args) == 1:
        return any_or_all(emit, node, callee is all)
    return None


def _check_owner(emit: Emitter, owner: str, classes: Sequence[int], tags: Sequence[str], place: int) -> None:
    """Give up where the owner has no such method: Python looks it up before it evaluates the arguments.

    Args:
        classes: the numbers of the classes that have it.
        tags: the tags of containers that may have it.
    """
    mask, kinds = sum(1 << number for number in classes), " | ".join(["0", *(f"1 << {tag}" for tag in tags)])
    emit.line(f"if (TAG(W({owner})) == OBJECT) {{ fix({owner});")
    emit.line(f"if (!({mask}ULL >> S.space.type[PAYLOAD(W({owner}))] & 1)) fail(FAILED_UNSUPPORTED, {place});")
    emit.line(f"}} else if (!(({kinds}) >> TAG(W({owner})) & 1)) fail(FAILED_UNSUPPORTED, {place});")


def _method_call(emit: Emitter, node: ast.Call, attribute: ast.Attribute) -> str:
    """Emit a call of a method, which depends on the class of its object."""
    name, count = attribute.attr, len(node.args)
    owner = expression(emit, attribute.value)
    methods = methods_named(emit, name)
    of_container = count in CONTAINER_METHODS.get(name, ()) and not node.keywords
    if not methods and not of_container:
        raise emit.refuse(node, f"the method {name}")
    place = emit.place(node, f"a call of the method {name}")
    tags = [tag for tag, kind in _KINDS if of_container and hasattr(kind, name)]
    _check_owner(emit, owner, [number for number, *_ in methods], tags, place)
    positional, named = given_by(emit, node)
    at = emit.place(node, f"the method {name}")
    on_container = f"m_{name}_{count}({', '.join([owner, *positional, str(at)])})"
    if not methods:
        return emit.temporary(on_container)
    result = emit.name("V")
    emit.line(f"if (TAG(W({owner})) == OBJECT) switch (S.space.type[PAYLOAD(W({owner}))]) {{")
    for number, function, is_static in methods:
        emit.line(f"case {number}: {{")
        given = positional if is_static else [owner, *positional], named
        try:
            emit.line(f"{result} = {method_call(emit, node, function, given)};")
        except Untranslatable as refusal:  # it need not be this class's method that is meant
            refused = emit.program.place(refusal.construct, refusal.filename, refusal.line)
            emit.line(f"fail(FAILED_UNSUPPORTED, {refused});")
        emit.line("break; }")
    emit.line("}")
    if of_container:
        emit.line(f"else {result} = {on_container};")
    return result
