"""Translates each node by the function that is registered for its type, and finds the function that a call means.

A nested function is called where it is defined. The names that it uses of the function around are handed to it by
value at each call: until it returns, nothing there can change. The text alone says which function a name means: it is
defined once, before the call, outside loops and branches.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any, TypeVar

from harness.generators.states.translated.emitter import MISSING, Emitter, Nested
from harness.generators.states.translated.sources import FunctionNode, nested_code

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


def function_of(emit: Emitter, node: ast.expr) -> Any:
    """Return the function or other object that an expression stands for without being computed; else MISSING."""
    if isinstance(node, ast.Lambda):
        return _nested_function(emit, node)
    if isinstance(node, ast.Name) and node.id in emit.scope.functions:
        return emit.scope.functions[node.id]
    return emit.static(node)


def define(emit: Emitter, name: str, node: ast.FunctionDef | ast.Lambda, statement: ast.stmt) -> None:
    """Let a name stand for a nested function from here on."""
    tree = emit.scope.tree
    if isinstance(tree, ast.Lambda) or all(statement is not part for part in tree.body):
        raise emit.refuse(node, f"the function {name} within a loop or a branch")
    if _bindings(tree, name) != 1 or name in emit.scope.python.__code__.co_freevars:
        raise emit.refuse(node, f"the function {name}, whose name has several meanings,")
    emit.scope.functions = {**emit.scope.functions, name: _nested_function(emit, node, name)}


def _nested_function(emit: Emitter, node: ast.FunctionDef | ast.Lambda, name: str = "") -> FunctionType:
    """Make a Python function of a nested definition, once for each definition."""
    outer = emit.scope
    code = nested_code(outer.python.__code__, node)
    if code is None or any(isinstance(part, ast.Nonlocal) for part in ast.walk(node)):
        raise emit.refuse(node, "a function that changes names around it, or cannot be told from another,")
    existing = emit.program.nested.get((outer.python, code))
    if existing is not None:
        return existing
    own_names = code.co_varnames + code.co_cellvars
    visible = {key: function for key, function in outer.functions.items() if key not in own_names}
    captured, cells = [], []
    for free in code.co_freevars:
        cells.append(CellType())
        if free in outer.locals and free != name and free not in visible:
            captured.append(free)
        elif free not in outer.locals:
            outer_free = outer.python.__code__.co_freevars
            if free not in outer_free or outer.python.__closure__ is None:
                raise emit.refuse(node, f"the name {free}")
            cells[-1] = outer.python.__closure__[outer_free.index(free)]
    if code.co_flags & 0x20 and any(not _is_constant_parameter(outer.tree, free) for free in captured):
        raise emit.refuse(node, "a generator that uses names around it which change")
    function = FunctionType(code, outer.python.__globals__, code.co_name, None, tuple(cells))
    function.__defaults__ = tuple(_default(emit, part) for part in node.args.defaults) or None
    keywords = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    function.__kwdefaults__ = {a.arg: _default(emit, part) for a, part in keywords if part is not None} or None
    if name:
        visible = {**visible, name: function}
    emit.program.nested[outer.python, code] = function
    emit.program.surroundings[function] = Nested(tuple(captured), visible)
    return function


def _is_constant_parameter(tree: FunctionNode, name: str) -> bool:
    """Return whether a name is a parameter of a function to which nothing is assigned."""
    return name in {a.arg for a in ast.walk(tree.args) if isinstance(a, ast.arg)} and _bindings(tree, name) == 1


def _default(emit: Emitter, node: ast.expr) -> Any:
    value = node.value if isinstance(node, ast.Constant) else emit.static(node)
    if value is MISSING:
        raise emit.refuse(node, "a default that is computed")
    return value


def _bindings(tree: ast.AST, name: str) -> int:
    """Count the places in a function where a name may get a value, its parameters and inner functions included."""
    count = 0
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=other, ctx=ast.Store() | ast.Del()):
                count += other == name
            case ast.arg(arg=other) | ast.FunctionDef(name=other) | ast.ClassDef(name=other):
                count += other == name and node is not tree
            case ast.ExceptHandler(name=other) | ast.MatchAs(name=other) | ast.MatchStar(name=other):
                count += other == name
            case ast.MatchMapping(rest=other):
                count += other == name
            case ast.alias(name=other, asname=renamed):
                count += (renamed or other) == name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                count += 2 * (name in names)
    return count
