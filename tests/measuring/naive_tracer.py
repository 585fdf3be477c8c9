"""A second, deliberately naive measurement: sys.settrace for lines and arcs, ast for the lines and arcs to cover."""

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
