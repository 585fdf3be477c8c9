"""Translates each node by the function that is registered for its type."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from harness.generators.states.translated.emitter import Emitter
from harness.generators.states.translated.nested import function_of

Node = TypeVar("Node", bound=ast.AST)
Result = TypeVar("Result", str, str | None, None)

EXPRESSIONS: dict[type[ast.AST], Callable[[Emitter, Any], str]] = {}
"""By type of expression, what emits it and returns its value."""
CONDITIONS: dict[type[ast.AST], Callable[[Emitter, Any], str | None]] = {}
"""By type of expression, what emits a test of it and returns the C integer; None where only the value can be tested."""
STATEMENTS: dict[type[ast.AST], Callable[[Emitter, Any], None]] = {}
"""By type of statement, what emits it."""

_REFUSED_EXPRESSIONS: dict[type[ast.expr], str] = {
    ast.Lambda: "a lambda",
    ast.GeneratorExp: "a generator expression outside a call",
    ast.JoinedStr: "an f-string",
    ast.Await: "await",
    ast.Yield: "a yield whose value is used",
    ast.YieldFrom: "a yield from whose value is used",
    ast.Starred: "a starred expression",
}


def translates(
    table: dict[type[ast.AST], Callable[[Emitter, Any], Result]], kind: type[Node]
) -> Callable[[Callable[[Emitter, Node], Result]], Callable[[Emitter, Node], Result]]:
    """Register the decorated function in a table for a type of node."""

    def register(handler: Callable[[Emitter, Node], Result]) -> Callable[[Emitter, Node], Result]:
        table[kind] = handler
        return handler

    return register


def expression(emit: Emitter, node: ast.expr) -> str:
    """Translate an expression, and return its value in C: a variable or a constant."""
    handler = EXPRESSIONS.get(type(node))
    if handler is None:
        raise emit.refuse(node, _REFUSED_EXPRESSIONS.get(type(node), f"the expression {type(node).__name__}"))
    return handler(emit, node)


def condition(emit: Emitter, node: ast.expr) -> str:
    """Translate an expression of which only the truth is used, and return it as a C integer."""
    handler = CONDITIONS.get(type(node))
    answer = None if handler is None else handler(emit, node)
    if answer is not None:
        return answer
    value = expression(emit, node)
    return emit.temporary(f"truth({value}, {emit.place(node, 'a truth value')})", "int")


def statements(emit: Emitter, nodes: list[ast.stmt]) -> None:
    """Translate a block of statements, with checkpoints after the long ones of the root's own body."""
    outer = emit.statement_start
    emit.live.append((outer, len(emit.declared)))
    for node in nodes:
        emit.statement_start = len(emit.declared)
        handler = STATEMENTS.get(type(node))
        if handler is None:
            raise emit.refuse(node, f"the statement {type(node).__name__}")
        handler(emit, node)
        if len(emit.live) == 1 and _is_long(emit, node):
            emit.checkpoint()
    emit.live.pop()
    emit.statement_start = outer


def _is_long(emit: Emitter, node: ast.stmt) -> bool:
    """Return whether a statement loops or calls functions of the predicate, and does not end the function."""
    functions = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
    calls = (isinstance(function_of(emit, f), FunctionType) for f in functions if not isinstance(f, ast.Lambda))
    loops = any(isinstance(part, (ast.For, ast.While, ast.comprehension)) for part in ast.walk(node))
    return not isinstance(node, ast.Return) and (loops or any(calls))
