"""Emits loops over ranges, sequences, generators and built-in iterators, and the loops of comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import pairwise
from math import inf
from types import FunctionType

from harness.generators.states.translated.dispatch import condition, expression, function_of
from harness.generators.states.translated.emitter import Body, Emitter, Item
from harness.generators.states.translated.functions import (
    apply,
    generator_method,
    given_by,
    is_generator,
    iterate_generator,
    iterate_method,
)
from harness.generators.states.translated.program import MISSING
from harness.generators.states.translated.values import bind, one_value


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
