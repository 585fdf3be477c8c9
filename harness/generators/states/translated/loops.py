"""Translates what is iterated over: ranges, sequences, generator functions, comprehensions."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable
from itertools import pairwise
from types import FunctionType
from typing import Any

from harness.generators.states.translated.emitter import Item, Scope
from harness.generators.states.translated.nested import Definitions
from harness.generators.states.translated.program import MISSING

Body = Callable[[Item], None]
"""Emits a loop's body for an item."""


class Loops(Definitions):
    """`iterate` emits a loop; its body is emitted where Python would execute it."""

    @abstractmethod
    def expression(self, node: ast.expr) -> str:
        """The value of `node` in C."""

    @abstractmethod
    def condition(self, node: ast.expr) -> str:
        """The truth of `node` as a C integer."""

    @abstractmethod
    def arguments(self, node: ast.Call, callee: FunctionType, first: list[str]) -> list[str]:
        """A call's arguments, by parameter."""

    @abstractmethod
    def applied(self, node: ast.AST, callee: Any, values: list[str]) -> str:
        """The result of a function for these values."""

    @abstractmethod
    def methods(self, name: str) -> list[tuple[int, FunctionType, bool]]:
        """Methods of the state space's classes."""

    @abstractmethod
    def statements(self, nodes: list[ast.stmt]) -> None:
        """Translates statements."""

    @abstractmethod
    def tuple_of(self, node: ast.AST, parts: list[str]) -> str:
        """A new tuple."""

    def value(self, node: ast.AST, item: Item) -> str:
        """An item as a value; only here are its tuples made."""
        return item if isinstance(item, str) else self.tuple_of(node, [self.value(node, part) for part in item])

    def bind(self, target: ast.expr, item: Item) -> None:
        """Assigns an item to a name, to names, or to an element of a local container."""
        if isinstance(target, ast.Name):
            local = self.scope.locals.get(target.id)
            if local is None:
                raise self.refuse(target, f"an assignment to the outer name {target.id}")
            self.line(f"{local} = {self.value(target, item)};")
        elif isinstance(target, (ast.Tuple, ast.List)):
            if any(isinstance(part, ast.Starred) for part in target.elts):
                raise self.refuse(target, "a starred target")
            parts = item if not isinstance(item, str) and len(item) == len(target.elts) else None
            if parts is None:
                parts = self._unpacked(target, self.value(target, item), len(target.elts))
            for part, value in zip(target.elts, parts, strict=True):
                self.bind(part, value)
        elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            value = self.value(target, item)
            owner = self.expression(target.value)
            index = self.expression(target.slice)
            self.line(f"put_subscript({owner}, {index}, {value}, {self.place(target, 'an assignment to an element')});")
        else:
            raise self.refuse(target, "an assignment to an attribute or a slice")

    def _unpacked(self, node: ast.AST, value: str, count: int) -> tuple[str, ...]:
        names = tuple(self.name("V") for _ in range(count))
        self.line(f"{{ V parts[{max(1, count)}]; unpack({value}, {count}, parts, {self.place(node, 'unpacking')});")
        for number, name in enumerate(names):
            self.line(f"{name} = parts[{number}];")
        self.line("}")
        return names

    def is_loop(self, node: ast.expr) -> bool:
        """Whether `iterate` knows better than to compute `node` and walk it."""
        if not isinstance(node, ast.Call):
            return isinstance(node, ast.GeneratorExp)
        callee = self.callee(node.func)
        if isinstance(callee, FunctionType):
            return bool(callee.__code__.co_flags & 0x20)
        if callee in (range, enumerate, reversed, zip, map, filter, pairwise):
            return True
        return isinstance(node.func, ast.Attribute) and self._generator_method(node.func) is not None

    def iterate(self, node: ast.expr, body: Body, onwards: str = "") -> None:
        """Emit a loop over `node`; `onwards` is a label for what follows the body, the next round."""
        if isinstance(node, ast.GeneratorExp):
            element = node.elt
            self.generated(node.generators, lambda: body(self.expression(element)), onwards)
        elif not isinstance(node, ast.Call) or not self._iterate_call(node, body, onwards):
            self._sequence(node, self.expression(node), body, onwards)

    def _iterate_call(self, node: ast.Call, body: Body, onwards: str) -> bool:
        """Emit a loop over a call without computing it first. Return False where no such loop is known."""
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            return False
        callee = self.callee(node.func)
        if isinstance(callee, FunctionType) and callee.__code__.co_flags & 0x20:
            self._generator(node, callee, self.arguments(node, callee, []), body, onwards)
        elif callee is MISSING and isinstance(node.func, ast.Attribute):
            method = self._generator_method(node.func)
            if method is None:
                return False
            self._method_generator(node, node.func, method, body, onwards)
        elif callee is reversed and len(node.args) == 1:
            self._reversed(node, node.args[0], body, onwards)
        else:
            return not node.keywords and self._iterate_builtin(node, callee, body, onwards)
        return True

    def _iterate_builtin(self, node: ast.Call, callee: object, body: Body, onwards: str) -> bool:
        count = len(node.args)
        if callee is range:
            self._range(node, [self._integer(a) for a in node.args], False, body, onwards)
            return True
        for builtin, emit, is_fitting in (
            (enumerate, self._enumerate, 1 <= count <= 2),
            (map, self._map, count > 1),
            (filter, self._filter, count == 2),
            (pairwise, self._pairwise, count == 1),
            (zip, self._zip, count > 0),
        ):
            if callee is builtin and is_fitting:
                emit(node, body, onwards)
                return True
        return False

    def generated(self, generators: list[ast.comprehension], body: Callable[[], None], onwards: str = "") -> None:
        """The loops of a comprehension, its names its own."""
        outer = self.scope.locals
        self.scope.locals = dict(outer)

        def inner(position: int) -> None:
            if position == len(generators):
                body()
                return
            part = generators[position]
            skip = self.label()

            def each(item: Item) -> None:
                for name in ast.walk(part.target):
                    if isinstance(name, ast.Name):
                        self.scope.locals[name.id] = self.name("V", f"v_{name.id}_" if name.id.isascii() else "v")
                self.bind(part.target, item)
                for test in part.ifs:
                    self.line(f"if (!{self.condition(test)}) goto {skip};")
                inner(position + 1)

            if part.is_async:
                raise self.refuse(part.target, "async")
            self.iterate(part.iter, each, skip)

        try:
            inner(0)
        finally:
            self.scope.locals = outer

    def _next_round(self, onwards: str) -> None:
        if onwards:
            self.line(f"{onwards}: ;")

    def _tick(self, node: ast.AST) -> None:
        self.line(f"TICK({self.place(node, 'a loop')});")

    def _integer(self, node: ast.expr) -> str:
        value = self.expression(node)
        return self.temporary(f"integer({value}, {self.place(node, 'an argument of range')})", "int64_t")

    def _range(self, node: ast.Call, ends: list[str], backwards: bool, body: Body, onwards: str) -> None:
        if not 1 <= len(ends) <= 3:
            raise self.refuse(node, "a call of range")
        start, stop = ("0", ends[0]) if len(ends) == 1 else (ends[0], ends[1])
        step = ends[2] if len(ends) == 3 else "1"
        if step != "1":
            self.line(f"if (!{step}) fail(FAILED_RAISES, {self.place(node, 'a step of range')});")
        if backwards:
            if step == "1":
                start, stop, step = f"{stop} - 1", f"{start} - 1", "-1"
            else:
                count = self.temporary(
                    f"{step} > 0 ? ({stop} - {start} + {step} - 1) / {step} "
                    f": ({start} - {stop} - {step} - 1) / -{step}",
                    "int64_t",
                )
                start, stop, step = f"{start} + ({count} - 1) * {step}", f"{start} - {step}", f"-{step}"
                self.line(f"if ({count} > 0) {{")
        at = self.temporary(start, "int64_t")
        last = self.temporary(stop, "int64_t")
        goes_on = {"1": f"{at} < {last}", "-1": f"{at} > {last}"}.get(
            step, f"({step} > 0 ? {at} < {last} : {at} > {last})"
        )
        self.line(f"while ({goes_on}) {{")
        self._tick(node)
        body(self.temporary(f"V_INT({at})"))
        self._next_round(onwards)
        self.line(f"{at} += {step};")
        self.line("}")
        if backwards and step not in ("1", "-1"):
            self.line("}")

    def iterate_value(self, node: ast.AST, value: str, body: Body) -> None:
        """Emits a loop over a value that is there."""
        self._sequence(node, value, body, "")

    def _sequence(self, node: ast.AST, value: str, body: Body, onwards: str) -> None:
        place = self.place(node, "what is iterated over")
        at = self.temporary("0", "int64_t")
        state = self.temporary(f"iteration_state({value})", "int64_t")
        item = self.name("V")
        self.line(f"while (next_item({value}, {at}, {state}, &{item}, {place})) {{")
        self._tick(node)
        body(self.temporary(item))
        self._next_round(onwards)
        self.line(f"{at}++;")
        self.line("}")

    def _reversed(self, node: ast.Call, inner: ast.expr, body: Body, onwards: str) -> None:
        if isinstance(inner, ast.Call) and self.static(inner.func) is range and not inner.keywords:
            self._range(inner, [self._integer(a) for a in inner.args], True, body, onwards)
            return
        value = self.expression(inner)
        place = self.place(node, "what is iterated over")
        at = self.temporary(f"reversed_start({value}, {place})", "int64_t")
        item = self.name("V")
        self.line(f"while (--{at} >= 0 && previous_item({value}, {at}, &{item}, {place})) {{")
        self._tick(node)
        body(self.temporary(item))
        self._next_round(onwards)
        self.line("}")

    def _enumerate(self, node: ast.Call, body: Body, onwards: str) -> None:
        inner = node.args[0]
        if len(node.args) == 2 and not isinstance(node.args[1], ast.Constant):
            raise self.refuse(node, "enumerate with a computed start")
        count = self.name("int64_t")
        start = self._integer(node.args[1]) if len(node.args) == 2 else "0"
        self.line(f"{count} = {start} - 1;")

        def numbered(item: Item) -> None:
            self.line(f"{count}++;")
            body((self.temporary(f"V_INT({count})"), item))

        self.iterate(inner, numbered, onwards)

    def _map(self, node: ast.Call, body: Body, onwards: str) -> None:
        function = self.callee(node.args[0])

        def each(item: Item) -> None:
            items = item if isinstance(item, tuple) and len(node.args) > 2 else (item,)
            body(self.applied(node, function, [self.value(node, part) for part in items]))

        if len(node.args) == 2:
            self.iterate(node.args[1], each, onwards)
        else:
            self._zip(node, each, onwards, first=1)

    def _filter(self, node: ast.Call, body: Body, onwards: str) -> None:
        function, skip = self.callee(node.args[0]), onwards or self.label()

        def each(item: Item) -> None:
            value = self.value(node, item)
            place = self.place(node, "a truth value")
            self.line(f"if (!truth({self.applied(node, function, [value])}, {place})) goto {skip};")
            body(value)

        self.iterate(node.args[1], each, skip)

    def _pairwise(self, node: ast.Call, body: Body, onwards: str) -> None:
        before, skip = self.name("V"), onwards or self.label()
        self.line(f"{before} = PURE(W_ABSENT);")

        def each(item: Item) -> None:
            value = self.value(node, item)
            former = self.temporary(before)
            self.line(f"{before} = {value};")
            self.line(f"if (W({former}) == W_ABSENT) goto {skip};")
            body((former, value))

        self.iterate(node.args[0], each, skip)

    def _zip(self, node: ast.Call, body: Body, onwards: str, first: int = 0) -> None:
        values = []
        for argument in node.args[first:]:
            if self.is_loop(argument):
                raise self.refuse(argument, "a loop within zip")
            values.append(self.expression(argument))
        place = self.place(node, "what is iterated over")
        at = self.temporary("0", "int64_t")
        states = [self.temporary(f"iteration_state({value})", "int64_t") for value in values]
        items = [self.name("V") for _ in values]
        tests = [
            f"next_item({value}, {at}, {state}, &{item}, {place})"
            for value, state, item in zip(values, states, items, strict=True)
        ]
        self.line(f"while ({' && '.join(tests)}) {{")
        self._tick(node)
        body(tuple(self.temporary(item) for item in items))
        self._next_round(onwards)
        self.line(f"{at}++;")
        self.line("}")

    # -- generators -----------------------------------------------------------------------------------------

    def _generator_method(self, attribute: ast.Attribute) -> FunctionType | None:
        if self.static(attribute.value) is not MISSING:
            return None
        found = [function for _, function, _ in self.methods(attribute.attr)]
        if len(found) == 1 and found[0].__code__.co_flags & 0x20:
            return found[0]
        return None

    def _method_generator(
        self, node: ast.Call, attribute: ast.Attribute, method: FunctionType, body: Body, onwards: str
    ) -> None:
        ((number, _, is_static),) = self.methods(attribute.attr)
        owner = self.expression(attribute.value)
        place = self.place(node, f"a call of the method {attribute.attr}")
        self.line(f"if (TAG(W({owner})) != OBJECT) fail(FAILED_UNSUPPORTED, {place});")
        self.line(f"fix({owner});")
        self.line(f"if (S.space.type[PAYLOAD(W({owner}))] != {number}) fail(FAILED_UNSUPPORTED, {place});")
        self._generator(node, method, self.arguments(node, method, [] if is_static else [owner]), body, onwards)

    def _generator(self, node: ast.Call, callee: FunctionType, arguments: list[str], body: Body, onwards: str) -> None:
        if self.calls_itself(callee):
            self._resumed(node, callee, arguments, body, onwards)
        else:
            self._in_place(callee, arguments, body, onwards)

    def calls_itself(self, callee: FunctionType) -> bool:
        """Whether a function may be under way already when it is called, so that it cannot be translated in place."""
        return callee in self.inlined or callee is self.function.python or callee.__name__ in callee.__code__.co_names

    def _resumed(self, node: ast.Call, callee: FunctionType, arguments: list[str], body: Body, onwards: str) -> None:
        """A generator as a function that is called for each item, its locals in a frame of its own."""
        function = self.program.function(callee, is_generator=True)
        self.function.calls.add(function.number)
        place = self.place(node, f"a call of {callee.__name__}")
        frame = self.temporary(f"start_{function.name}({', '.join([*arguments, str(place)])})", "void *")
        item = self.name("V")
        self.line(f"while ({function.name}({frame}, &{item})) {{")
        self._tick(node)
        body(self.temporary(item))
        self._next_round(onwards)
        self.line("}")

    def _in_place(self, callee: FunctionType, arguments: list[str], body: Body, onwards: str) -> None:
        """A generator's body around the loop's: a yield goes to the loop's body, which comes back."""
        outer = self.scope
        item, resume = self.name("V"), self.name("int")
        loop, end = self.label(), self.label()
        labels: list[str] = []

        def leave(_: str) -> None:
            self.line(f"goto {end};")

        def give(value: str) -> None:
            labels.append(self.label())
            self.line(f"{item} = {value}; {resume} = {len(labels) - 1}; goto {loop};")
            self.line(f"{labels[-1]}: ;")

        inner = self.enter(callee, leave, give)
        self.start(inner, arguments)
        self.inlined.append(callee)
        self.scope = inner
        self.body_of(inner)
        self.scope = outer
        self.inlined.pop()
        self.line(f"goto {end};")
        self.line(f"{loop}: ;")
        body(item)
        self._next_round(onwards)
        for number, label in enumerate(labels):
            self.line(f"if ({resume} == {number}) goto {label};")
        self.line(f"{end}: ;")

    def start(self, scope: Scope, arguments: list[str]) -> None:
        """Parameters get their values, the other locals are absent (again, within a loop)."""
        code = scope.python.__code__
        count = code.co_argcount + code.co_kwonlyargcount + len(self.program.around(scope.python).captured)
        for position, local in enumerate(scope.locals.values()):
            self.line(f"{local} = {arguments[position] if position < count else 'PURE(W_ABSENT)'};")

    def body_of(self, scope: Scope) -> None:
        """Translates the body of the scope's function."""
        if isinstance(scope.tree, ast.Lambda):
            scope.leave(self.expression(scope.tree.body))
        else:
            self.statements(scope.tree.body)
