"""Finds inputs that enter a function that is not covered completely yet, since only these may cover more.

An untraced run that only notes such entries costs a fraction of a traced one. Without it, if some code cannot be
reached, all inputs but the first would be traced for nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import ModuleType

from harness.kernel.judging.prepared import Inputs, run_whole
from harness.kernel.program.loader import ModuleText, execute

_ENTER = "__mutascope_enter__"


class Scout:
    """A separate copy of the program, without tracing, whose functions on the `lines` lines report their entries.

    Args:
        text: the module.
        lines: lines of function bodies.
        inputs_on: prepares the suite's inputs on a module.
    """

    def __init__(self, text: ModuleText, lines: frozenset[int], inputs_on: Callable[[ModuleType], Inputs]) -> None:
        self._entered = False
        tree = ast.fix_missing_locations(_Marks(lines).visit(ast.parse(text.source)))
        code = compile(tree, text.filename, "exec", dont_inherit=True)
        self._inputs = inputs_on(execute(text, code, {_ENTER: self._enter}))

    def enters(self, number: int) -> bool:
        """Return whether input `number` enters one of the functions."""
        prepared = self._inputs.prepare(number)
        self._entered = False
        run_whole(prepared)
        return self._entered

    def _enter(self) -> None:
        self._entered = True


class _Marks(ast.NodeTransformer):
    """Adds a mark to the start of each function with a wanted line in its body, functions within it included."""

    def __init__(self, lines: frozenset[int]) -> None:
        self._lines = lines

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        body_lines = range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
        if not self._lines.isdisjoint(body_lines):
            docstring = int(ast.get_docstring(node, clean=False) is not None)
            node.body.insert(docstring, ast.Expr(ast.Call(ast.Name(_ENTER, ast.Load()), [], [])))
        return node
