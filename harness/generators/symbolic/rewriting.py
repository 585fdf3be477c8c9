"""Rewrites the source of a program for execution on symbolic integers, so that it calls the functions of `runtime`.

`a[i]` becomes `array(a)[i]`, `a is b` becomes `same(a, b)`, and `type(a)` becomes `kind(type, a)`. `caught()` stands
wherever an exception may be swallowed. If a program imports modules that are not harmless, each of its calls `f(a)`
becomes `leave(f)(a)`.
"""

from __future__ import annotations

import ast
import builtins
from typing import Any

from harness.generators.symbolic.runtime import (
    ARRAY,
    CAUGHT,
    HARMLESS,
    IDENTITIES,
    KIND,
    KIND_OF,
    LEAVE,
    SAME,
    ForeignCalls,
    array,
    caught,
    kind,
    kind_of,
    same,
)
from harness.kernel.program.loader import ModuleText, with_ticks

_BUILT_IN = frozenset(dir(builtins))
"""The names of builtins, which need no `leave`; some of them look at the frame that they are called in."""


def presets(text: ModuleText) -> dict[str, object]:
    """Return the names that rewritten source refers to, except that of the step counter."""
    return {
        ARRAY: array,
        CAUGHT: caught,
        KIND: kind,
        KIND_OF: kind_of,
        LEAVE: ForeignCalls(_own_names(text)),
        SAME: same,
    }


def compiled(text: ModuleText) -> Any:
    """Return the code of a module with counted steps, rewritten for symbolic integers.

    Raises:
        SyntaxError: it does not parse.
    """
    return compile(ast.fix_missing_locations(decidable(text)), text.filename, "exec", dont_inherit=True)


def decidable(text: ModuleText) -> ast.Module:
    """Return the tree of a module with counted steps, rewritten for symbolic integers, for further changes.

    Raises:
        SyntaxError: it does not parse.
    """
    tree: ast.Module = with_ticks(text.source, text.filename)
    rewritten: ast.Module = _Asking(_imports_foreign(tree, text)).visit(tree)
    return rewritten


def is_risky(text: ModuleText) -> bool:
    """Return whether a program may behave differently with proxies without an exception that shows it."""
    tree = ast.parse(text.source)
    return _imports_foreign(tree, text) or any(isinstance(node, ast.ExceptHandler) for node in ast.walk(tree))


def _own_names(text: ModuleText) -> frozenset[str]:
    """Return the names of a program's modules."""
    return frozenset({text.name, *(companion.name for companion in text.companions)})


def _imports_foreign(tree: ast.AST, text: ModuleText) -> bool:
    """Return whether a source imports modules whose functions may not accept symbolic integers."""
    names: list[str] = []
    identities = {function.__name__ for function in IDENTITIES}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.append(node.module or "")
            names += identities.intersection(one.name for one in node.names)
        elif isinstance(node, ast.Attribute) and node.attr in identities:
            names.append(node.attr)
    own = _own_names(text)
    return any(name not in own and name.partition(".")[0] not in HARMLESS for name in names)


def call_of(name: str, *arguments: ast.expr, at: ast.AST | None = None) -> ast.Call:
    """Return a call of a function of that name, at the place of a node or of the first argument."""
    place = at or arguments[0]
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), place), list(arguments), []), place)


class OutsideAnnotations(ast.NodeTransformer):
    """Changes code, and leaves annotations and the bases of classes as they are."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Leave the annotation as it is."""
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        returns, node.returns = node.returns, None
        self.generic_visit(node)
        node.returns = returns
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        bases, node.bases = node.bases, []
        self.generic_visit(node)
        node.bases = bases
        return node


class _Asking(OutsideAnnotations):
    """Inserts calls of the functions of `runtime`, in parts of a node first.

    Args:
        has_foreign: whether `leave` is put around each called function except builtins.
    """

    def __init__(self, has_foreign: bool) -> None:
        self._has_foreign = has_foreign

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        node.value = call_of(ARRAY, node.value)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) != 1 or not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            return node
        sides = [node.left, node.comparators[0]]
        if any(isinstance(side, ast.Constant) and type(side.value) is not int for side in sides):
            return node
        called = call_of(SAME, *sides, at=node)
        return called if isinstance(node.ops[0], ast.Is) else ast.copy_location(ast.UnaryOp(ast.Not(), called), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "type" and len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred):
            return call_of(KIND, node.func, node.args[0], at=node)
        if name == "map" and node.args:
            node.args[0] = _applied(node.args[0])
        for keyword in node.keywords:
            if keyword.arg == "key":
                keyword.value = _applied(keyword.value)
        if self._has_foreign and not (name.startswith("__mutascope_") or name in _BUILT_IN):
            node.func = call_of(LEAVE, node.func)
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        return self._guarded(node)

    def visit_TryStar(self, node: ast.TryStar) -> ast.AST:
        return self._guarded(node)

    def _guarded(self, node: ast.Try | ast.TryStar) -> ast.AST:
        self.generic_visit(node)
        for handler in node.handlers:
            handler.body.insert(0, _call_of_caught(handler))
        if node.finalbody:
            node.finalbody.insert(0, _call_of_caught(node))
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        return self._within(node)

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.AST:
        return self._within(node)

    def _within(self, node: ast.With | ast.AsyncWith) -> ast.AST:
        """Call `caught` on an exception that leaves the block, before the context manager's `__exit__` receives it."""
        self.generic_visit(node)
        again = ast.copy_location(ast.Raise(), node)
        handler = ast.copy_location(ast.ExceptHandler(None, None, [_call_of_caught(node), again]), node)
        node.body = [ast.copy_location(ast.Try(node.body, [handler], [], []), node)]
        return node


def _applied(function: ast.expr) -> ast.expr:
    """Return a function in a form that can be applied to symbolic values."""
    return call_of(KIND_OF, function) if isinstance(function, ast.Name) and function.id == "type" else function


def _call_of_caught(at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Expr(call_of(CAUGHT, at=at)), at)
