"""Translates statements."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any

from harness.generators.states.translated.emitter import Item
from harness.generators.states.translated.matching import Matching


class Statements(Matching):
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
        calls = (self._of_call(part) for part in ast.walk(node) if isinstance(part, ast.Call))
        loops = any(isinstance(part, (ast.For, ast.While, ast.comprehension)) for part in ast.walk(node))
        return not isinstance(node, ast.Return) and (loops or any(isinstance(c, FunctionType) for c in calls))

    def _of_call(self, node: ast.Call) -> Any:
        return None if isinstance(node.func, ast.Lambda) else self.callee(node.func)

    def _do_functiondef(self, node: ast.FunctionDef) -> None:
        self.define(node.name, node, node)

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
        if isinstance(node.value, ast.Lambda) and len(node.targets) == 1 and isinstance(target, ast.Name):
            self.define(target.id, node.value, node)
            return
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
        value = "PURE(W_NONE)" if node.value is None else self.expression(node.value)
        if self.scope.tries:
            value = self.temporary(value)
            self._leave_tries(0)
        self.scope.leave(value)

    def _leave_tries(self, loops: int) -> None:
        """On the way out of all try bodies that have so many loops around them, or more."""
        left = next((caught for caught, around in self.scope.tries if around >= loops), None)
        if left is not None:
            self.line(f"S.catcher = {left};")

    # -- exceptions -----------------------------------------------------------------------------------------

    def _do_assert(self, node: ast.Assert) -> None:
        self.line(f"if (!{self.condition(node.test)}) {{")
        if node.msg is not None:
            self.expression(node.msg)
        self.line(f"raise_error(ASSERTION_ERROR, {self.place(node, 'assert')});")
        self.line("}")

    def _do_raise(self, node: ast.Raise) -> None:
        place = self.place(node, "raise")
        made = node.exc if isinstance(node.exc, ast.Call) else None
        cls = self.static(made.func if made else node.exc) if node.exc is not None else None
        if cls is None or node.cause is not None or (made and made.keywords) or not _is_simple_error(cls):
            self.line(f"fail(FAILED_RAISES, {place});")
            return
        for argument in made.args if made else ():
            self.expression(argument)
        self.line(f"raise_error({self.program.error(cls)}, {place});")

    def _do_try(self, node: ast.Try) -> None:
        """A body whose certain exceptions come back to it; others are given up on."""
        if node.finalbody or any(handler.name for handler in node.handlers):
            raise self.refuse(node, "finally, or the name of an exception,")
        if self._prefix or self.scope.give is not None or self.program.outcomes:
            raise self.refuse(node, "the statement Try in a generator, or with outcome pruning,")
        clauses = [self._clause(handler) for handler in node.handlers]
        self.has_try = True
        caught, depth, error = (self.name(kind, "c") for kind in ("jmp_buf *", "int64_t", "int"))
        self.line(f"{caught} = S.catcher; {depth} = S.depth;")
        self.line("{ jmp_buf here; if (!setjmp(here)) { S.catcher = &here;")
        resumes, self.checkpoints = self.checkpoints, False  # nobody may resume within: setjmp's frame would be gone
        self.scope.tries.append((caught, len(self.scope.loops)))
        self.statements(node.body)
        self.scope.tries.pop()
        self.checkpoints = resumes
        self.line(f"S.catcher = {caught}; {error} = NOTHING_RAISED;")
        self.line(f"}} else {{ S.catcher = {caught}; S.depth = {depth}; {error} = S.raised; }} }}")
        self.line(f"if ({error} == NOTHING_RAISED) {{")
        self.statements(node.orelse)
        for clause, handler in zip(clauses, node.handlers, strict=True):
            self.line(f"}} else if (catches({clause}, {error})) {{")
            self.statements(handler.body)
        self.line(f"}} else raise_error({error}, {self.place(node, 'an exception that is not caught')});")

    def _clause(self, handler: ast.ExceptHandler) -> int:
        """The number of an except clause."""
        classes = (BaseException,) if handler.type is None else self.static_classes(handler, handler.type)
        if not all(issubclass(cls, BaseException) for cls in classes):
            raise self.refuse(handler, f"except {ast.unparse(handler.type)}" if handler.type else "except")
        self.program.clauses.append(classes)
        return len(self.program.clauses) - 1

    # -- branches and loops ---------------------------------------------------------------------------------

    def _do_if(self, node: ast.If) -> None:
        begun = len(self.declared)
        self.line(f"if ({self.condition(node.test)}) {{")
        self.dead.append((begun, len(self.declared)))
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
        begun = len(self.declared)
        test = self.condition(node.test)
        self.line(f"if (!{test}) break;")
        self.dead.append((begun, len(self.declared)))
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
        self._leave_tries(len(self.scope.loops))
        self.line(f"goto {self.scope.loops[-1][0]};")

    def _do_continue(self, node: ast.Continue) -> None:
        self._leave_tries(len(self.scope.loops))
        self.line(f"goto {self.scope.loops[-1][1]};")


_SPECIAL_ERRORS = (
    *(StopIteration, StopAsyncIteration, GeneratorExit, UnicodeError, SyntaxError, OSError, BaseExceptionGroup),
)
"""Exceptions that mean something in a generator, cannot be made of anything, or may turn out as others."""


def _is_simple_error(cls: Any) -> bool:
    """Whether making such an exception cannot fail, and executes no code of the predicate's."""
    if type(cls) is not type or not issubclass(cls, BaseException) or issubclass(cls, _SPECIAL_ERRORS):
        return False
    own = [base for base in cls.__mro__ if base.__module__ != "builtins"]
    return not any(name in vars(base) for base in own for name in ("__init__", "__new__"))
