"""What ends a path, which the program must not swallow: an exception of a run, or the end of the stack.

How many frames there are before the stack ends is not the same with proxies and with integers. So a path on which it
ends is an endless one, whether the program expects RecursionError or not; the text of each handler asks for that.
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
    """Whether Python raised it at its limit of recursion; the program may raise RecursionError for itself."""
    return isinstance(error, RecursionError) and str(error).startswith(_STACK_ENDS)


class _Ended:
    """What has ended the path that is being executed, where a handler came to see it."""

    __slots__ = ("by",)
    by: BaseException | None


ENDED = _Ended()
"""Whoever executes a call sets its `by` to None before, and looks at it behind: an `__exit__` may swallow all."""


def caught() -> None:
    """Goes on with what ends the path, where a handler has caught it.

    Raises:
        EndlessPath: the stack has ended.
        Abandoned, StepLimit: that was caught.
    """
    error = sys.exc_info()[1]
    if is_end_of_stack(error):
        ENDED.by = EndlessPath()
    elif isinstance(error, (Abandoned, StepLimit)):
        ENDED.by = error
    else:
        return
    raise ENDED.by from None


class Handlers(OutsideAnnotations):
    """Puts a call of `caught` wherever an exception may be swallowed: handlers, `finally`, and `with`."""

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
        """What leaves the block is asked for before the context manager is told of it."""
        self.generic_visit(node)
        again = ast.copy_location(ast.Raise(), node)
        handler = ast.copy_location(ast.ExceptHandler(None, None, [_call(node), again]), node)
        node.body = [ast.copy_location(ast.Try(node.body, [handler], [], []), node)]
        return node


def _call(at: ast.AST) -> ast.stmt:
    called = ast.Expr(ast.Call(ast.Name(CAUGHT, ast.Load()), [], []))
    return ast.fix_missing_locations(ast.copy_location(called, at))
