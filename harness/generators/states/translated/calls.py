"""Translates calls: of functions and methods of the predicate, built-in functions, and methods of containers."""

from __future__ import annotations

import ast
from types import BuiltinFunctionType, FunctionType

from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.translated.builtin_calls import BUILTINS, any_or_all, builtin_call
from harness.generators.states.translated.dispatch import (
    CONDITIONS,
    EXPRESSIONS,
    condition,
    expression,
    function_of,
    translates,
)
from harness.generators.states.translated.emitter import Emitter
from harness.generators.states.translated.functions import function_call, methods_named
from harness.generators.states.translated.program import MISSING
from harness.generators.states.translated.values import constant, folded, is_named_tuple, static_classes, tags_and_types

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
        return function_call(emit, node, callee, [])
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


def _method_call(emit: Emitter, node: ast.Call, attribute: ast.Attribute) -> str:
    """Emit a call of a method, which depends on the class of its object."""
    name = attribute.attr
    owner = expression(emit, attribute.value)
    methods = methods_named(emit, name)
    if not methods:
        return _container_method(emit, node, owner, name)
    result = emit.name("V")
    place = emit.place(node, f"a call of the method {name}")
    emit.line(f"if (TAG(W({owner})) == OBJECT) {{ fix({owner}); switch (S.space.type[PAYLOAD(W({owner}))]) {{")
    for number, function, is_static in methods:
        emit.line(f"case {number}: {{")
        before = emit.progress()
        try:
            value = function_call(emit, node, function, [] if is_static else [owner], only_perhaps=True)
            emit.line(f"{result} = {value};")
        except Untranslatable as refusal:  # it need not be this class's method that is meant
            emit.go_back(before)
            emit.line(f"fail(FAILED_UNSUPPORTED, {emit.place_of(refusal)});")
        emit.line("break; }")
    emit.line(f"default: fail(FAILED_UNSUPPORTED, {place});")
    emit.line("} } else {")
    if name in CONTAINER_METHODS:
        emit.line(f"{result} = {_container_method(emit, node, owner, name)};")
    else:
        emit.line(f"fail(FAILED_UNSUPPORTED, {place});")
    emit.line("}")
    return result


def _container_method(emit: Emitter, node: ast.Call, owner: str, name: str) -> str:
    """Emit a call of a method of a list, deque, set or dict."""
    if len(node.args) not in CONTAINER_METHODS.get(name, ()) or node.keywords:
        raise emit.refuse(node, f"the method {name}")
    arguments = [expression(emit, argument) for argument in node.args]
    place = emit.place(node, f"the method {name}")
    return emit.temporary(f"m_{name}_{len(arguments)}({', '.join([owner, *arguments, str(place)])})")
