"""Condition outcomes: the atomic conditions in a program's functions, and the inputs that make each true or false.

They are the branches of jtestcraft2010's Table 6.1; `docs/jtestcraft2010.md` says how they are counted.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType

from harness.errors import SourceError
from harness.kernel.inputs.suites import SuiteReader
from harness.measuring.job import ROWS_FILE, ConditionOutcomesRequest
from harness.measuring.measurement import Measurement, measured
from harness.measuring.outcomes import TELL_OPERAND, TELL_VALUE, ConditionRewriting, telling_statement
from harness.model.coverage import ConditionOutcome
from harness.model.subject import Subject

VERSION = 1
"""The version, which changes whenever the outcomes of some input do."""

_VALUES = (
    ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr, ast.Lambda, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
"""Expressions that are no condition wherever they stand: the source determines their truth, or no one tests it."""

Spans = Mapping[str, tuple[int, int]]
"""The first line, that of `def`, and the last line of functions, by qualified name."""


@dataclass(frozen=True)
class RecordingProgram:
    """A program compiled so that its conditions report their outcomes, and the list of these outcomes.

    Attributes:
        outcomes: two for each condition, true first, and one for each function; by function in source order.
        bits: the bit of `ConditionOutcomes.seen` that each of them sets.
        width: the number of bytes that hold all bits of `ConditionOutcomes.seen`.
    """

    code: CodeType
    outcomes: tuple[ConditionOutcome, ...]
    bits: tuple[int, ...]
    width: int


def telling_outcomes(source: str, filename: str, functions: Spans, root: str = "") -> RecordingProgram:
    """Compile the source so that the conditions in `functions` report their outcomes, and the functions their entries.

    Conditions are, as in `telling_conditions`, comparisons, operands of `and`, `or` and `not`, and tested expressions.
    Constants (`while True`), lists, tuples and similar displays are no conditions.

    Args:
        root: the class under test; if no class has this name, all functions count as its own.

    Raises:
        SourceError: the text does not parse.
        ValueError: a span is not that of a function.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise SourceError(f"{filename}:{error.lineno}: {error.msg}; correct the source") from None
    has_class = any(isinstance(node, ast.ClassDef) and node.name == root for node in tree.body)
    rewriting = _OutcomesOf({span: name for name, span in functions.items()}, f"{root}." if has_class else "")
    code = compile(ast.fix_missing_locations(rewriting.visit(tree)), filename, "exec", dont_inherit=True)
    if missing := functions.keys() - rewriting.entered_functions:
        raise ValueError(f"{min(missing)}: no function stands on lines {functions[min(missing)]}")
    bits = tuple(bit for bit, _ in rewriting.outcomes)
    width = max(1, (2 * len(rewriting.places) + 7) // 8)
    return RecordingProgram(code, tuple(outcome for _, outcome in rewriting.outcomes), bits, width)


def measured_outcomes(subject: Subject, suite: SuiteReader, functions: Spans) -> bytes:
    """Run each input of a suite once on the original, in a sandboxed process, and return the outcomes that it reaches.

    Returns:
        For each input in suite order the bits of `ConditionOutcomes.seen`, low ones first, in `RecordingProgram.width`
        bytes.

    Raises:
        MutascopeError: the suite is empty, or spec or implementation do not load.
        BaselineError: the process died during the execution.
    """
    lines = {name: frozenset(span) for name, span in functions.items()}
    measurement = Measurement(subject, suite.header.scope, lines, suite.folder)
    work = "the outcomes of its conditions"
    with measured(ConditionOutcomesRequest, int, work, measurement) as (_, folder):
        return (folder / ROWS_FILE).read_bytes()


class _OutcomesOf(ConditionRewriting):
    """The atomic conditions in some functions; those of an inner function belong to the named function around it."""

    def __init__(self, names: Mapping[tuple[int, int], str], prefix: str) -> None:
        super().__init__()
        self.outcomes: list[tuple[int, ConditionOutcome]] = []
        self.entered_functions: set[str] = set()
        self._names = names
        self._prefix = prefix
        self._function = ""

    def _reporting_call(self, node: ast.expr, teller: str) -> ast.expr:
        if isinstance(node, _VALUES) or not self._function:
            return self._without(node)
        return super()._reporting_call(node, teller)

    def _without(self, node: ast.expr) -> ast.expr:
        """Return the expression with reporting parts, but without reporting its own outcome."""
        if isinstance(node, ast.IfExp):
            self.visit_IfExp(node)
        else:
            self.generic_visit(node)
        return node

    def _valued(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            *deciding, last = node.values
            node.values = [*(self._deciding(value) for value in deciding), self._valued(last)]
            return node
        return super()._valued(node)

    def _deciding(self, node: ast.expr) -> ast.expr:
        """Rewrite an operand that decides about the next one, and whose value may be that of the whole."""
        if isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            return self._valued(node)
        return self._reporting_call(node, TELL_VALUE if isinstance(node, ast.Compare) else TELL_OPERAND)

    def _number(self, node: ast.expr | ast.stmt | ast.pattern, text: str) -> int:
        number = super()._number(node, text)
        for value in (True, False):
            self._outcome(number, node.lineno, text, value)
        return number

    def _outcome(self, number: int, line: int, text: str, value: bool | None) -> None:
        method = self._function.removeprefix(self._prefix)
        of_class = self._function.startswith(self._prefix) and not (self._prefix and "." in method)
        outcome = ConditionOutcome(self._function, line, text, value, of_class)
        self.outcomes.append((2 * number + (value is False), outcome))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        name = self._names.get((node.lineno, node.end_lineno or node.lineno))
        outer = self._function
        if name is None:
            node.body = [self.visit(statement) for statement in node.body]
            return node
        self.entered_functions.add(name)
        self._function = name
        number = super()._number(node, "")
        self._outcome(number, node.lineno, "", None)
        docstring = int(ast.get_docstring(node, clean=False) is not None)
        body = [self.visit(statement) for statement in node.body[docstring:]]
        node.body = [*node.body[:docstring], telling_statement(number, True), *body]
        self._function = outer
        return node

    visit_AsyncFunctionDef = visit_FunctionDef
