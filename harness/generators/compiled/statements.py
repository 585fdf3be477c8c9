"""Translates statements."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any

from harness.generators.compiled.calls import Calls
from harness.generators.compiled.emitter import Item


class Statements(Calls):
    """Adds statements to expressions."""

    def statements(self, nodes: list[ast.stmt]) -> None:
        """Translates a block."""
        outer = self.statement_start
        self.live.append((outer, len(self.declared)))
        for node in nodes:
            self.statement_start = len(self.declared)
            method: Callable[[Any], None] | None = getattr(self, f"_do_{type(node).__name__.lower()}", None)
            if method is None:
                raise self.refuse(node, f"the statement {type(node).__name__}")
            method(node)
            if len(self.live) == 1 and self._is_long(node):
                self.checkpoint()
        self.live.pop()
        self.statement_start = outer

    def _is_long(self, node: ast.stmt) -> bool:
        """Whether it calls functions of the predicate or loops, and does not end the function."""
        calls = (self.static(part.func) for part in ast.walk(node) if isinstance(part, ast.Call))
        loops = any(isinstance(part, (ast.For, ast.While, ast.comprehension)) for part in ast.walk(node))
        return not isinstance(node, ast.Return) and (loops or any(isinstance(c, FunctionType) for c in calls))

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp) -> str:
        """A new container."""
        if isinstance(node, ast.DictComp):
            place = self.place(node, "a dict comprehension")
            made = self.temporary(f"new_dict({place})")

            def put() -> None:
                key = self.expression(node.key)
                self.line(f"dict_put(POINTER(Dict, W({made})), {key}, {self.expression(node.value)}, {place});")

            self.generated(node.generators, put)
            return made
        element = node.elt
        if isinstance(node, ast.ListComp):
            place = self.place(node, "a list comprehension")
            made, add = self.temporary(f"new_list(4, 0, {place})"), "list_append(POINTER(List, "
        else:
            place = self.place(node, "a set comprehension")
            made, add = self.temporary(f"new_set({place})"), "set_add(POINTER(Set, "
        self.generated(node.generators, lambda: self.line(f"{add}W({made})), {self.expression(element)}, {place});"))
        return made

    # -- simple statements ----------------------------------------------------------------------------------

    def _do_expr(self, node: ast.Expr) -> None:
        value = node.value
        if isinstance(value, ast.Constant):
            return
        if isinstance(value, ast.Yield):
            if self.scope.give is None:
                raise self.refuse(node, "yield")
            self.scope.give("PURE(W_NONE)" if value.value is None else self.expression(value.value))
        elif isinstance(value, ast.YieldFrom):
            give = self.scope.give
            if give is None:
                raise self.refuse(node, "yield from")
            self.iterate(value.value, lambda item: give(self.value(node, item)))
        else:
            self.expression(value)

    def _do_pass(self, node: ast.Pass) -> None:
        pass

    def _do_assign(self, node: ast.Assign) -> None:
        target = node.targets[0]
        value: Item
        paired = len(node.targets) == 1 and isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
        if paired and not any(isinstance(part, ast.Starred) for part in ast.iter_child_nodes(node.value)):
            assert isinstance(node.value, ast.Tuple)
            value = tuple(self.expression(part) for part in node.value.elts)
        else:
            value = self.expression(node.value)
        for each in node.targets:
            self.bind(each, value)

    def _do_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.bind(node.target, self.expression(node.value))

    def _do_augassign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            left = self.expression(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
            right = self.expression(node.value)
            place = self.place(node, f"the operator {type(node.op).__name__}")
            if isinstance(node.op, ast.Add):
                self.line(f"if (TAG(W({left})) == LIST) extend(POINTER(List, W({left})), {right}, {place}); else {{")
                self.bind(node.target, self.binary(node, node.op, left, right))
                self.line("}")
                return
            if isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.BitXor, ast.Sub, ast.Mult)):
                self.line(f"if (TAG(W({left})) >= LIST) fail(FAILED_UNSUPPORTED, {place});")
            self.bind(node.target, self.binary(node, node.op, left, right))
        elif isinstance(node.target, ast.Subscript) and not isinstance(node.target.slice, ast.Slice):
            owner, index = self.expression(node.target.value), self.expression(node.target.slice)
            place = self.place(node, "an assignment to an element")
            left = self.temporary(f"subscript({owner}, {index}, {place})")
            self.line(f"if (TAG(W({left})) >= LIST) fail(FAILED_UNSUPPORTED, {place});")
            value = self.binary(node, node.op, left, self.expression(node.value))
            self.line(f"put_subscript({owner}, {index}, {value}, {place});")
        else:
            raise self.refuse(node, "an assignment to an attribute or a slice")

    def _do_return(self, node: ast.Return) -> None:
        self.scope.leave("PURE(W_NONE)" if node.value is None else self.expression(node.value))

    def _do_assert(self, node: ast.Assert) -> None:
        self.line(f"if (!{self.condition(node.test)}) fail(FAILED_RAISES, {self.place(node, 'assert')});")

    def _do_raise(self, node: ast.Raise) -> None:
        self.line(f"fail(FAILED_RAISES, {self.place(node, 'raise')});")

    # -- branches and loops ---------------------------------------------------------------------------------

    def _do_if(self, node: ast.If) -> None:
        self.line(f"if ({self.condition(node.test)}) {{")
        self.statements(node.body)
        if node.orelse:
            self.line("} else {")
            self.statements(node.orelse)
        self.line("}")

    def _do_while(self, node: ast.While) -> None:
        after, onwards = self.label(), self.label()
        self.line("for (;;) {")
        self.line(f"{onwards}: ;")
        self.line(f"TICK({self.place(node, 'a loop')});")
        test = self.condition(node.test)
        self.line(f"if (!{test}) break;")
        self._loop_body(node.body, after, onwards)
        self.line("}")
        self.statements(node.orelse)
        self.line(f"{after}: ;")

    def _do_for(self, node: ast.For) -> None:
        after, onwards = self.label(), self.label()
        scope = self.scope

        def body(item: Item) -> None:
            inner, self.scope = self.scope, scope
            self.bind(node.target, item)
            self._loop_body(node.body, after, onwards)
            self.scope = inner

        self.iterate(node.iter, body, onwards)
        self.statements(node.orelse)
        self.line(f"{after}: ;")

    def _loop_body(self, nodes: list[ast.stmt], after: str, onwards: str) -> None:
        self.scope.loops.append((after, onwards))
        self.live.append((self.statement_start, len(self.declared)))
        self.checkpoint()
        self.live.pop()
        self.statements(nodes)
        self.scope.loops.pop()

    def _do_break(self, node: ast.Break) -> None:
        self.line(f"goto {self.scope.loops[-1][0]};")

    def _do_continue(self, node: ast.Continue) -> None:
        self.line(f"goto {self.scope.loops[-1][1]};")
