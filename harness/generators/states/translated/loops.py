"""Emits calls of the predicate's own functions, by name or with their bodies in place, and all loops."""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import pairwise
from math import inf
from types import FunctionType
from typing import Any

from harness.generators.states.translated.dispatch import condition, expression, function_of, statements
from harness.generators.states.translated.emitter import MISSING, Body, Emitter, Item, Scope, class_attribute
from harness.generators.states.translated.expressions import bind, constant, one_value

DEEPEST_INLINED, DEEPEST_RECURSION, MOST_INLINED = 5, 2, 40
"""Calls within calls that are translated in place; among them of one function; and all of a predicate."""


def is_generator(function: FunctionType) -> bool:
    """Return whether a call of a function makes a generator."""
    return bool(function.__code__.co_flags & 0x20)


Given = tuple[list[str], dict[str, str]]
"""The values of a call's arguments, by position and by name."""


def given_by(emit: Emitter, node: ast.Call, *first: str) -> Given:
    """Translate the arguments of a call, which come after the values that are there already."""
    if any(isinstance(a, ast.Starred) for a in node.args) or any(keyword.arg is None for keyword in node.keywords):
        raise emit.refuse(node, "*args or **kwargs")
    positional = [*first, *(expression(emit, argument) for argument in node.args)]
    return positional, {str(keyword.arg): expression(emit, keyword.value) for keyword in node.keywords}


def function_call(emit: Emitter, node: ast.Call, callee: FunctionType) -> str:
    """Emit a call of a function."""
    begun = len(emit.declared)
    return _invoke(emit, callee, arguments_of(emit, node, callee, given_by(emit, node)), False, begun)


def method_call(emit: Emitter, node: ast.Call, callee: FunctionType, given: Given) -> str:
    """Emit a call of a method that may only share its name with the one that is called."""
    return _invoke(emit, callee, arguments_of(emit, node, callee, given), True, len(emit.declared))


def apply(emit: Emitter, node: ast.AST, callee: Any, values: list[str]) -> str:
    """Emit a call of a function with these values, as `map` and keys of orders do."""
    if not isinstance(callee, FunctionType):
        raise emit.refuse(node, f"an application of {getattr(callee, '__name__', 'a value')}")
    code = callee.__code__
    fits = code.co_argcount == len(values) and not code.co_kwonlyargcount and not code.co_flags & 0x2C
    if not fits:
        raise emit.refuse(node, f"an application of {callee.__name__}")
    return _invoke(emit, callee, [*values, *_captured_values(emit, node, callee)], False, len(emit.declared))


def _invoke(emit: Emitter, callee: FunctionType, arguments: list[str], only_perhaps: bool, begun: int) -> str:
    """Emit a call with all arguments there. Only this call uses the variables declared from `begun` on."""
    if emit.checkpoints and not only_perhaps and _fits_in_place(emit, callee):
        return _call_in_place(emit, callee, arguments, begun)
    function = emit.program.function(callee)
    (emit.function.may_call if only_perhaps else emit.function.calls).add(function.number)
    result = emit.temporary(f"{function.name}({', '.join(arguments)})")
    if emit.checkpoints:
        emit.live.append((emit.statement_start, len(emit.declared)))
        emit.checkpoint()
        emit.live.pop()
    return result


def _fits_in_place(emit: Emitter, callee: FunctionType) -> bool:
    if callee is emit.function.python or emit.bodies >= MOST_INLINED:
        return False
    return emit.inlined.count(callee) < DEEPEST_RECURSION and len(emit.inlined) < DEEPEST_INLINED


def _call_in_place(emit: Emitter, callee: FunctionType, arguments: list[str], own: int) -> str:
    """Emit a function's body in place of a call, so that checkpoints may lie within.

    Args:
        own: the variables declared from this number on are only for the call's arguments.
    """
    arguments_end = len(emit.declared)
    result, end = emit.name("V"), emit.label()

    def leave(value: str) -> None:
        emit.line(f"{result} = {value}; goto {end};")

    begun = len(emit.declared)
    emit.bodies += 1
    scope = emit.enter(callee, leave, None)
    assign_parameters(emit, scope, arguments)
    emit.dead.append((own, arguments_end))
    translate_in_place(emit, scope)
    emit.dead.append((begun, len(emit.declared)))
    emit.line(f"{result} = PURE(W_NONE);")
    emit.mark(end)
    return result


def assign_parameters(emit: Emitter, scope: Scope, arguments: list[str]) -> None:
    """Give the parameters their values, and make the other locals absent (again, within a loop)."""
    code = scope.python.__code__
    count = code.co_argcount + code.co_kwonlyargcount + len(emit.program.around(scope.python).captured)
    for position, local in enumerate(scope.locals.values()):
        emit.line(f"{local} = {arguments[position] if position < count else 'PURE(W_ABSENT)'};")


def translate_body(emit: Emitter, scope: Scope) -> None:
    """Translate the body of the scope's function, which is the current one."""
    if isinstance(scope.tree, ast.Lambda):
        scope.leave(expression(emit, scope.tree.body))
    else:
        statements(emit, scope.tree.body)


def translate_in_place(emit: Emitter, scope: Scope) -> None:
    """Translate the body of the scope's function within that of another."""
    outer = emit.scope
    emit.inlined.append(scope.python)
    emit.scope = scope
    translate_body(emit, scope)
    emit.scope = outer
    emit.inlined.pop()


def arguments_of(emit: Emitter, node: ast.Call, callee: FunctionType, given: Given, in_loop: bool = False) -> list[str]:
    """Return a call's arguments in the order of the callee's parameters, with defaults filled in."""
    code = callee.__code__
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    positional, named = given
    if is_generator(callee) and not in_loop:
        raise emit.refuse(node, f"the generator {callee.__name__} outside a loop")
    if code.co_flags & 0x0C:
        raise emit.refuse(node, "*args or **kwargs")
    if len(positional) > code.co_argcount:
        raise emit.refuse(node, f"a call of {callee.__name__} with too many arguments")
    if not named.keys() <= set(names[len(positional) :]):
        raise emit.refuse(node, f"the keyword arguments of a call of {callee.__name__}")
    values = dict(zip(names, positional, strict=False)) | named
    defaults = callee.__defaults__ or ()
    by_name = dict(zip(names[code.co_argcount - len(defaults) : code.co_argcount], defaults, strict=True))
    by_name |= callee.__kwdefaults__ or {}
    for name in names:
        if name not in values:
            if name not in by_name:
                raise emit.refuse(node, f"a call of {callee.__name__} without {name}")
            values[name] = constant(emit, node, by_name[name])
    return [*(values[name] for name in names), *_captured_values(emit, node, callee)]


def _captured_values(emit: Emitter, node: ast.AST, callee: FunctionType) -> list[str]:
    """Return the values of the names around a nested function that are handed to it."""
    captured = emit.program.around(callee).captured
    if any(name not in emit.scope.locals for name in captured):
        raise emit.refuse(node, f"a call of {callee.__name__} away from the names that it uses")
    return [emit.scope.locals[name] for name in captured]


def methods_named(emit: Emitter, name: str) -> list[tuple[int, FunctionType, bool]]:
    """Return the methods of this name in the state space: number of the class, function, whether it is static."""
    methods = []
    for number, cls in enumerate(emit.program.classes):
        held = class_attribute(cls, name)
        function = held.__func__ if isinstance(held, staticmethod) else held
        if isinstance(function, FunctionType):
            methods.append((number, function, isinstance(held, staticmethod)))
    return methods


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
    iterate_generator(emit, node, method, given_by(emit, node, *([] if is_static else [owner])), body, onwards)


def iterate_generator(
    emit: Emitter, node: ast.Call, callee: FunctionType, given: Given, body: Body, onwards: str
) -> None:
    """Emit a loop over a call of a generator function."""
    arguments = arguments_of(emit, node, callee, given, in_loop=True)
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


def is_loop(emit: Emitter, node: ast.expr) -> bool:
    """Return whether `iterate` has a loop for `node` other than to compute it and walk it."""
    if not isinstance(node, ast.Call):
        return isinstance(node, ast.GeneratorExp)
    callee = function_of(emit, node.func)
    if isinstance(callee, FunctionType):
        return is_generator(callee)
    if type(callee) is type and callee in BUILTIN_LOOPS:
        return True
    return isinstance(node.func, ast.Attribute) and generator_method(emit, node.func) is not None


def iterate(emit: Emitter, node: ast.expr, body: Body, onwards: str = "") -> None:
    """Emit a loop over `node`, with the body where Python would execute it.

    Args:
        onwards: a label for the code that follows the body, which goes to the next round.
    """
    if isinstance(node, ast.GeneratorExp):
        element = node.elt
        comprehend(emit, node.generators, lambda: body(expression(emit, element)), onwards)
    elif not isinstance(node, ast.Call) or not _iterate_call(emit, node, body, onwards):
        iterate_value(emit, node, expression(emit, node), body, onwards)


def _iterate_call(emit: Emitter, node: ast.Call, body: Body, onwards: str) -> bool:
    """Emit a loop over a call without computing it first. Return False where no such loop is known."""
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return False
    callee = function_of(emit, node.func)
    if isinstance(callee, FunctionType) and is_generator(callee):
        iterate_generator(emit, node, callee, given_by(emit, node), body, onwards)
    elif callee is MISSING and isinstance(node.func, ast.Attribute):
        method = generator_method(emit, node.func)
        if method is None:
            return False
        iterate_method(emit, node, node.func, method, body, onwards)
    elif type(callee) is type and callee in BUILTIN_LOOPS and not node.keywords:
        loop, fewest, most = BUILTIN_LOOPS[callee]
        if not fewest <= len(node.args) <= most:
            return False
        loop(emit, node, body, onwards)
    else:
        return False
    return True


def comprehend(emit: Emitter, generators: list[ast.comprehension], body: Callable[[], None], onwards: str = "") -> None:
    """Emit the nested loops of a comprehension, whose names are its own."""
    outer = emit.scope.locals
    emit.scope.locals = dict(outer)

    def loop(position: int) -> None:
        if position == len(generators):
            body()
            return
        part = generators[position]
        skip = emit.label()

        def each(item: Item) -> None:
            for name in ast.walk(part.target):
                if isinstance(name, ast.Name):
                    emit.scope.locals[name.id] = emit.name("V", f"v_{name.id}_" if name.id.isascii() else "v")
            bind(emit, part.target, item)
            for test in part.ifs:
                emit.line(f"if (!{condition(emit, test)}) goto {skip};")
            loop(position + 1)

        if part.is_async:
            raise emit.refuse(part.target, "async")
        iterate(emit, part.iter, each, skip)

    try:
        loop(0)
    finally:
        emit.scope.locals = outer


def iterate_value(emit: Emitter, node: ast.AST, value: str, body: Body, onwards: str = "") -> None:
    """Emit a loop over a value that is there."""
    place = emit.place(node, "what is iterated over")
    at = emit.temporary("0", "int64_t")
    state = emit.temporary(f"iteration_state({value})", "int64_t")
    item = emit.name("V")
    emit.line(f"while (next_item({value}, {at}, {state}, &{item}, {place})) {{")
    emit.tick(node)
    body(emit.temporary(item))
    emit.mark(onwards)
    emit.line(f"{at}++;")
    emit.line("}")


# -- built-in iterators -------------------------------------------------------------------------------------


def _range(emit: Emitter, node: ast.Call, body: Body, onwards: str, backwards: bool = False) -> None:
    ends = [_integer(emit, argument) for argument in node.args]
    if not 1 <= len(ends) <= 3:
        raise emit.refuse(node, "a call of range")
    start, stop = ("0", ends[0]) if len(ends) == 1 else (ends[0], ends[1])
    step = ends[2] if len(ends) == 3 else "1"
    if step != "1":
        emit.line(f"if (!{step}) fail(FAILED_RAISES, {emit.place(node, 'a step of range')});")
    if backwards:
        if step == "1":
            start, stop, step = f"{stop} - 1", f"{start} - 1", "-1"
        else:
            count = emit.temporary(
                f"{step} > 0 ? ({stop} - {start} + {step} - 1) / {step} : ({start} - {stop} - {step} - 1) / -{step}",
                "int64_t",
            )
            start, stop, step = f"{start} + ({count} - 1) * {step}", f"{start} - {step}", f"-{step}"
            emit.line(f"if ({count} > 0) {{")
    at = emit.temporary(start, "int64_t")
    last = emit.temporary(stop, "int64_t")
    goes_on = {"1": f"{at} < {last}", "-1": f"{at} > {last}"}.get(step, f"({step} > 0 ? {at} < {last} : {at} > {last})")
    emit.line(f"while ({goes_on}) {{")
    emit.tick(node)
    body(emit.temporary(f"V_INT({at})"))
    emit.mark(onwards)
    emit.line(f"{at} += {step};")
    emit.line("}")
    if backwards and step not in ("1", "-1"):
        emit.line("}")


def _integer(emit: Emitter, node: ast.expr) -> str:
    value = expression(emit, node)
    return emit.temporary(f"integer({value}, {emit.place(node, 'an argument of range')})", "int64_t")


def _reversed(emit: Emitter, node: ast.Call, body: Body, onwards: str) -> None:
    (reversed_node,) = node.args
    if isinstance(reversed_node, ast.Call) and emit.static(reversed_node.func) is range and not reversed_node.keywords:
        _range(emit, reversed_node, body, onwards, backwards=True)
        return
    value = expression(emit, reversed_node)
    place = emit.place(node, "what is iterated over")
    at = emit.temporary(f"reversed_start({value}, {place})", "int64_t")
    item = emit.name("V")
    emit.line(f"while (--{at} >= 0 && previous_item({value}, {at}, &{item}, {place})) {{")
    emit.tick(node)
    body(emit.temporary(item))
    emit.mark(onwards)
    emit.line("}")


def _enumerate(emit: Emitter, node: ast.Call, body: Body, onwards: str) -> None:
    if len(node.args) == 2 and not isinstance(node.args[1], ast.Constant):
        raise emit.refuse(node, "enumerate with a computed start")
    count = emit.name("int64_t")
    start = _integer(emit, node.args[1]) if len(node.args) == 2 else "0"
    emit.line(f"{count} = {start} - 1;")

    def with_number(item: Item) -> None:
        emit.line(f"{count}++;")
        body((emit.temporary(f"V_INT({count})"), item))

    iterate(emit, node.args[0], with_number, onwards)


def _map(emit: Emitter, node: ast.Call, body: Body, onwards: str) -> None:
    function = function_of(emit, node.args[0])

    def each(item: Item) -> None:
        items = item if isinstance(item, tuple) and len(node.args) > 2 else (item,)
        body(apply(emit, node, function, [one_value(emit, node, part) for part in items]))

    if len(node.args) == 2:
        iterate(emit, node.args[1], each, onwards)
    else:
        _zip(emit, node, each, onwards, first=1)


def _filter(emit: Emitter, node: ast.Call, body: Body, onwards: str) -> None:
    function, skip = function_of(emit, node.args[0]), onwards or emit.label()

    def each(item: Item) -> None:
        value = one_value(emit, node, item)
        place = emit.place(node, "a truth value")
        emit.line(f"if (!truth({apply(emit, node, function, [value])}, {place})) goto {skip};")
        body(value)

    iterate(emit, node.args[1], each, skip)


def _pairwise(emit: Emitter, node: ast.Call, body: Body, onwards: str) -> None:
    before, skip = emit.name("V"), onwards or emit.label()
    emit.line(f"{before} = PURE(W_ABSENT);")

    def each(item: Item) -> None:
        value = one_value(emit, node, item)
        former = emit.temporary(before)
        emit.line(f"{before} = {value};")
        emit.line(f"if (W({former}) == W_ABSENT) goto {skip};")
        body((former, value))

    iterate(emit, node.args[0], each, skip)


def _zip(emit: Emitter, node: ast.Call, body: Body, onwards: str, first: int = 0) -> None:
    values = []
    for argument in node.args[first:]:
        if is_loop(emit, argument):
            raise emit.refuse(argument, "a loop within zip")
        values.append(expression(emit, argument))
    place = emit.place(node, "what is iterated over")
    at = emit.temporary("0", "int64_t")
    states = [emit.temporary(f"iteration_state({value})", "int64_t") for value in values]
    items = [emit.name("V") for _ in values]
    tests = [
        f"next_item({value}, {at}, {state}, &{item}, {place})"
        for value, state, item in zip(values, states, items, strict=True)
    ]
    emit.line(f"while ({' && '.join(tests)}) {{")
    emit.tick(node)
    body(tuple(emit.temporary(item) for item in items))
    emit.mark(onwards)
    emit.line(f"{at}++;")
    emit.line("}")


BUILTIN_LOOPS: dict[type, tuple[Callable[[Emitter, ast.Call, Body, str], None], int, float]] = {
    range: (_range, 0, inf),
    reversed: (_reversed, 1, 1),
    enumerate: (_enumerate, 1, 2),
    map: (_map, 2, inf),
    filter: (_filter, 2, 2),
    pairwise: (_pairwise, 1, 1),
    zip: (_zip, 1, inf),
}
"""What emits a loop over a call of a built-in class, and the fewest and most arguments that it takes."""
