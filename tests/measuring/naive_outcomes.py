"""A second, deliberately naive measurement of condition outcomes: sys.settrace for statements, eval for conditions.

Before a statement is executed, the conditions of its expressions are evaluated here, one by one, in the frame's own
names. This shares nothing with the rewriting. It takes programs whose conditions change nothing.
"""

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any

from naive_tracer import Tracing

Reached = set[tuple[str, str, bool | None]]
"""Function, condition and outcome; an empty condition and None where a function is entered."""

_BLOCKS = ("body", "orelse", "handlers", "finalbody")


class NaiveOutcomes(Tracing):
    """The condition outcomes reached in the named functions of one file since `reached` was emptied.

    Args: ! functions: first and last line by name.
    """

    def __init__(self, file: str, source: str, functions: dict[str, tuple[int, int]]) -> None:
        self._file = file
        self.reached: Reached = set()
        nodes = {(n.lineno, n.end_lineno): n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)}
        self._names = {
            min([span[0], *(d.lineno for d in nodes[span].decorator_list)]): n for n, span in functions.items()
        }
        self._statements = {
            name: {s.lineno: s for s in ast.walk(nodes[span]) if isinstance(s, ast.stmt) and s is not nodes[span]}
            for name, span in functions.items()
        }

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        name = self._names.get(frame.f_code.co_firstlineno) if frame.f_code.co_filename == self._file else None
        if name is None:
            return None
        self.reached.add((name, "", None))

        def trace(frame: FrameType, event: str, _: Any) -> Any:
            statement = self._statements[name].get(frame.f_lineno)
            if event == "line" and statement is not None:
                try:
                    for expression in _expressions(statement):
                        self._value(name, expression, frame)
                except Exception:
                    pass  # so does the statement
            return trace

        return trace

    def _truth(self, name: str, node: ast.expr, frame: FrameType) -> bool:
        """Return the truth of a tested expression."""
        if isinstance(node, ast.BoolOp):
            decides = isinstance(node.op, ast.Or)
            return decides if any(self._truth(name, n, frame) is decides for n in node.values) else not decides
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return not self._truth(name, node.operand, frame)
        if isinstance(node, ast.Constant):
            return bool(node.value)
        self._parts(name, node, frame)
        outcome = bool(_evaluated(node, frame))
        self.reached.add((name, ast.unparse(node), outcome))
        return outcome

    def _value(self, name: str, node: ast.expr, frame: FrameType) -> None:
        """Record the outcomes while an expression is evaluated for its value."""
        negates = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        if negates or isinstance(node, (ast.BoolOp, ast.Compare)):
            self._truth(name, node, frame)
        else:
            self._parts(name, node, frame)

    def _parts(self, name: str, node: ast.expr, frame: FrameType) -> None:
        if isinstance(node, ast.IfExp):
            self._value(name, node.body if self._truth(name, node.test, frame) else node.orelse, frame)
            return
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                self._value(name, part, frame)


def _expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions that the statement itself evaluates; a test is marked by `not`."""
    if isinstance(statement, (ast.If, ast.While)):
        yield ast.UnaryOp(ast.Not(), statement.test)
        return
    if isinstance(statement, ast.AnnAssign):
        yield from [statement.value] if statement.value is not None else []
        return
    for field, value in ast.iter_fields(statement):
        if field not in _BLOCKS:
            yield from (part for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.expr))


def _evaluated(node: ast.expr, frame: FrameType) -> Any:
    return eval(compile(ast.Expression(node), "<naive>", "eval"), frame.f_globals, frame.f_locals)
