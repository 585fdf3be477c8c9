"""Keeps programs from swallowing the end of a path: an exception of a run, or the end of the stack.

The number of frames before the stack ends differs between proxies and integers. So a path on which it ends counts as
endless, even if the program expects RecursionError. The rewritten source of each handler checks for that.
"""

from __future__ import annotations

import ast
import sys

from harness.generators.symbolic.rewriting import OutsideAnnotations
from harness.generators.symbolic.runs import Abandoned, EndlessPath
from harness.kernel.program.steps import StepLimit

CAUGHT = "__mutascope_caught__"
_STACK_ENDS = "maximum recursion depth exceeded"


def is_end_of_stack(error: BaseException | None) -> bool:
    """Return whether Python raised the error at its recursion limit; programs may raise RecursionError, too."""
    return isinstance(error, RecursionError) and str(error).startswith(_STACK_ENDS)


class _PathEnd:
    """The exception that has ended the current path, if a handler has caught it."""

    __slots__ = ("by",)
    by: BaseException | None


PATH_END = _PathEnd()
"""Before a call, `by` is set to None. After the call it is read, because an `__exit__` may swallow exceptions."""


def caught() -> None:
    """Raise the exception that ends the path again, if a handler has caught it.

    Raises:
        EndlessPath: the stack has ended.
        Abandoned, StepLimit: this exception was caught.
    """
    error = sys.exc_info()[1]
    if is_end_of_stack(error):
        PATH_END.by = EndlessPath()
    elif isinstance(error, (Abandoned, StepLimit)):
        PATH_END.by = error
    else:
        return
    raise PATH_END.by from None


class Handlers(OutsideAnnotations):
    """Inserts a call of `caught` wherever an exception may be swallowed: in handlers, `finally`, and `with`."""

    def visit_Try(self, node: ast.Try) -> ast.AST:
        return self._asking(node)

    def visit_TryStar(self, node: ast.TryStar) -> ast.AST:
        return self._asking(node)

    def _asking(self, node: ast.Try | ast.TryStar) -> ast.AST:
        self.generic_visit(node)
        for handler in node.handlers:
            handler.body.insert(0, _call(handler))
        if node.finalbody:
            node.finalbody.insert(0, _call(node))
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        return self._within(node)

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.AST:
        return self._within(node)

    def _within(self, node: ast.With | ast.AsyncWith) -> ast.AST:
        """Call `caught` on an exception that leaves the block, before the context manager's `__exit__` receives it."""
        self.generic_visit(node)
        again = ast.copy_location(ast.Raise(), node)
        handler = ast.copy_location(ast.ExceptHandler(None, None, [_call(node), again]), node)
        node.body = [ast.copy_location(ast.Try(node.body, [handler], [], []), node)]
        return node


def _call(at: ast.AST) -> ast.stmt:
    called = ast.Expr(ast.Call(ast.Name(CAUGHT, ast.Load()), [], []))
    return ast.fix_missing_locations(ast.copy_location(called, at))
