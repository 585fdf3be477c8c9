"""Functions within functions: lambdas and nested definitions, which are called where they are defined.

What such a function uses of the one around it is handed to it, by value, whenever it is called: until it returns,
nothing there can change. What it is sure to be when it is called is known from the text: it is defined once, outside
loops and branches, before.
"""

from __future__ import annotations

import ast
from types import CellType, FunctionType
from typing import Any

from harness.generators.states.translated.emitter import Emitter
from harness.generators.states.translated.program import MISSING, Nested
from harness.generators.states.translated.sources import nested_code


class Definitions(Emitter):
    """`callee` tells which function a call means."""

    def callee(self, node: ast.expr) -> Any:
        """As `static`, but for lambdas and names of nested functions, too."""
        if isinstance(node, ast.Lambda):
            return self._made(node)
        if isinstance(node, ast.Name) and node.id in self.scope.functions:
            return self.scope.functions[node.id]
        return self.static(node)

    def define(self, name: str, node: ast.FunctionDef | ast.Lambda, statement: ast.stmt) -> None:
        """A name stands for this function from here on."""
        tree = self.scope.tree
        if isinstance(tree, ast.Lambda) or all(statement is not part for part in tree.body):
            raise self.refuse(node, f"the function {name} within a loop or a branch")
        if _bindings(tree, name) != 1 or name in self.scope.python.__code__.co_freevars:
            raise self.refuse(node, f"the function {name}, whose name has several meanings,")
        self.scope.functions = {**self.scope.functions, name: self._made(node, name)}

    def _made(self, node: ast.FunctionDef | ast.Lambda, name: str = "") -> FunctionType:
        outer = self.scope
        code = nested_code(outer.python.__code__, node)
        if code is None or any(isinstance(part, ast.Nonlocal) for part in ast.walk(node)):
            raise self.refuse(node, "a function that changes names around it, or cannot be told from another,")
        known = self.program.nested.get((outer.python, code))
        if known is not None:
            return known
        visible = {key: made for key, made in outer.functions.items() if key not in code.co_varnames + code.co_cellvars}
        captured, cells = [], []
        for free in code.co_freevars:
            cells.append(CellType())
            if free in outer.locals and free != name and free not in visible:
                captured.append(free)
            elif free not in outer.locals:
                outer_free = outer.python.__code__.co_freevars
                if free not in outer_free or outer.python.__closure__ is None:
                    raise self.refuse(node, f"the name {free}")
                cells[-1] = outer.python.__closure__[outer_free.index(free)]
        if code.co_flags & 0x20 and any(not self._stays(free) for free in captured):
            raise self.refuse(node, "a generator that uses names around it which change")
        made = FunctionType(code, outer.python.__globals__, code.co_name, None, tuple(cells))
        made.__defaults__ = tuple(self._default(part) for part in node.args.defaults) or None
        keywords = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        made.__kwdefaults__ = {a.arg: self._default(part) for a, part in keywords if part is not None} or None
        if name:
            visible = {**visible, name: made}
        self.program.nested[outer.python, code] = made
        self.program.surroundings[made] = Nested(tuple(captured), visible)
        return made

    def _stays(self, name: str) -> bool:
        """Whether a name around is a parameter that nothing is assigned to."""
        tree = self.scope.tree
        return name in {a.arg for a in ast.walk(tree.args) if isinstance(a, ast.arg)} and _bindings(tree, name) == 1

    def _default(self, node: ast.expr) -> Any:
        value = node.value if isinstance(node, ast.Constant) else self.static(node)
        if value is MISSING:
            raise self.refuse(node, "a default that is computed")
        return value


def _bindings(tree: ast.AST, name: str) -> int:
    """How often a name may get a value anywhere in a function, its parameters and inner functions included."""
    found = 0
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=other, ctx=ast.Store() | ast.Del()):
                found += other == name
            case ast.arg(arg=other) | ast.FunctionDef(name=other) | ast.ClassDef(name=other):
                found += other == name and node is not tree
            case ast.ExceptHandler(name=other) | ast.MatchAs(name=other) | ast.MatchStar(name=other):
                found += other == name
            case ast.MatchMapping(rest=other):
                found += other == name
            case ast.alias(name=other, asname=renamed):
                found += (renamed or other) == name
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found += 2 * (name in names)
    return found
