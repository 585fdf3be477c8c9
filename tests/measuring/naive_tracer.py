"""A second, deliberately naive measurement by sys.settrace: of lines and arcs, with ast, and of conditions.

Before a statement is executed, the conditions of its expressions are evaluated here, one by one, in the frame's own
names. This shares nothing with the rewriting. It takes programs whose conditions change nothing.
"""

from __future__ import annotations

import ast
import dis
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from harness.model.coverage import CoverageCounts

Span = tuple[int, int]
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
EXIT = 0


class Tracing:
    """Something that is asked about every frame."""

    def run(self, function: Callable[[], Any]) -> Any:
        """Calls `function` under trace."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            return function()
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        raise NotImplementedError


class NaiveTracer(Tracing):
    """Lines and arcs executed in functions of one file; an arc to EXIT is a return, not an exception."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.lines: set[int] = set()
        self.arcs: set[tuple[int, int]] = set()
        self._last: dict[FrameType, int] = {}
        self._raising: set[FrameType] = set()

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename == self._file and not frame.f_code.co_name.startswith("<"):
            return self._trace
        return None

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "exception":
            self._raising.add(frame)
        elif event == "line":
            self._raising.discard(frame)
            self.lines.add(frame.f_lineno)
            if frame in self._last:
                self.arcs.add((self._last[frame], frame.f_lineno))
            self._last[frame] = frame.f_lineno
        elif event == "return":
            operation = dis.opname[frame.f_code.co_code[frame.f_lasti]]
            if operation in ("YIELD_VALUE", "RESUME"):  # from Python 3.13 on the frame stands behind its yield
                return self._trace
            if frame not in self._raising:
                self.arcs.add((self._last[frame], EXIT))
            self._last.pop(frame, None)
            self._raising.discard(frame)
        return self._trace


def naive_counts(source: str, functions: dict[str, Span], tracer: NaiveTracer) -> dict[str, CoverageCounts]:
    """Count the coverage of functions made of simple statements and of `if`, `while`, `for`, `try` in blocks of their
    own.
    """
    tree = ast.parse(source)
    nodes = {(n.lineno, n.end_lineno): n for n in ast.walk(tree) if isinstance(n, FunctionNode)}
    return {name: _counts(nodes[span], tracer) for name, span in functions.items()}


def _counts(function: FunctionNode, tracer: NaiveTracer) -> CoverageCounts:
    statements = list(_statements(function.body[int(ast.get_docstring(function) is not None) :]))
    first = {line: s.lineno for s in statements for line in range(s.lineno, _header_end(s) + 1)}
    first[EXIT] = EXIT
    executed = {first[line] for line in tracer.lines if line in first}
    arcs = {(first[a], first.get(b)) for a, b in tracer.arcs if a in first}
    branches = branches_taken = 0
    for statement in statements:
        if isinstance(statement, (ast.If, ast.While, ast.For)):
            inside = statement.body[0].lineno
            ends = {b for a, b in arcs if a == statement.lineno and b != statement.lineno}
            branches += 2
            branches_taken += (inside in ends) + bool(ends - {inside})
    return CoverageCounts(len(statements), sum(s.lineno in executed for s in statements), branches, branches_taken)


def _header_end(statement: ast.stmt) -> int:
    body = getattr(statement, "body", None)
    return body[0].lineno - 1 if body else statement.end_lineno or statement.lineno


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if not isinstance(statement, FunctionNode):
            for part in ("body", "orelse", "finalbody"):
                yield from _statements(getattr(statement, part, []))
            for handler in getattr(statement, "handlers", []):
                yield from _statements([handler])


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
