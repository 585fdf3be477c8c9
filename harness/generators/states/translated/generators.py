"""Emits loops over generator functions, either with their bodies in place or as functions that are resumed."""

from __future__ import annotations

import ast
from types import FunctionType

from harness.generators.states.translated.dispatch import expression
from harness.generators.states.translated.emitter import Body, Emitter
from harness.generators.states.translated.functions import (
    arguments_of,
    assign_parameters,
    is_generator,
    methods_named,
    translate_in_place,
)
from harness.generators.states.translated.program import MISSING


def generator_method(emit: Emitter, attribute: ast.Attribute) -> FunctionType | None:
    """Return the generator function that a call of this attribute means; None where it need not be one."""
    if emit.static(attribute.value) is not MISSING:
        return None
    methods = methods_named(emit, attribute.attr)
    if len(methods) != 1:
        return None
    ((_, method, _),) = methods
    return method if is_generator(method) else None


def iterate_method(
    emit: Emitter, node: ast.Call, attribute: ast.Attribute, method: FunctionType, body: Body, onwards: str
) -> None:
    """Emit a loop over a call of a method that is a generator function."""
    ((number, _, is_static),) = methods_named(emit, attribute.attr)
    owner = expression(emit, attribute.value)
    place = emit.place(node, f"a call of the method {attribute.attr}")
    emit.line(f"if (TAG(W({owner})) != OBJECT) fail(FAILED_UNSUPPORTED, {place});")
    emit.line(f"fix({owner});")
    emit.line(f"if (S.space.type[PAYLOAD(W({owner}))] != {number}) fail(FAILED_UNSUPPORTED, {place});")
    iterate_generator(emit, node, method, [] if is_static else [owner], body, onwards)


def iterate_generator(
    emit: Emitter, node: ast.Call, callee: FunctionType, first: list[str], body: Body, onwards: str
) -> None:
    """Emit a loop over a call of a generator function whose first arguments are there already."""
    arguments = arguments_of(emit, node, callee, first)
    if _may_be_under_way(emit, callee):
        _resume(emit, node, callee, arguments, body, onwards)
    else:
        _loop_in_place(emit, callee, arguments, body, onwards)


def _may_be_under_way(emit: Emitter, callee: FunctionType) -> bool:
    """Return whether a function may be under way already when it is called. Then its body cannot stand in place."""
    return callee in emit.inlined or callee is emit.function.python or callee.__name__ in callee.__code__.co_names


def _resume(
    emit: Emitter, node: ast.Call, callee: FunctionType, arguments: list[str], body: Body, onwards: str
) -> None:
    """Emit a generator as a function that is called for each item, with its locals in a frame of its own."""
    function = emit.program.function(callee, is_generator=True)
    emit.function.calls.add(function.number)
    place = emit.place(node, f"a call of {callee.__name__}")
    frame = emit.temporary(f"start_{function.name}({', '.join([*arguments, str(place)])})", "void *")
    item = emit.name("V")
    emit.line(f"while ({function.name}({frame}, &{item})) {{")
    emit.tick(node)
    body(emit.temporary(item))
    emit.mark(onwards)
    emit.line("}")


def _loop_in_place(emit: Emitter, callee: FunctionType, arguments: list[str], body: Body, onwards: str) -> None:
    """Emit a generator's body around the loop's: a yield goes to the loop's body, which comes back."""
    item, resume = emit.name("V"), emit.name("int")
    loop, end = emit.label(), emit.label()
    labels: list[str] = []

    def leave(_: str) -> None:
        emit.line(f"goto {end};")

    def give(value: str) -> None:
        labels.append(emit.label())
        emit.line(f"{item} = {value}; {resume} = {len(labels) - 1}; goto {loop};")
        emit.mark(labels[-1])

    scope = emit.enter(callee, leave, give)
    assign_parameters(emit, scope, arguments)
    translate_in_place(emit, scope)
    emit.line(f"goto {end};")
    emit.mark(loop)
    body(item)
    emit.mark(onwards)
    for number, label in enumerate(labels):
        emit.line(f"if ({resume} == {number}) goto {label};")
    emit.mark(end)
