"""Rewrites programs so that they report the outcomes of their conditions and branches and behave the same otherwise."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import TypeVar

from harness.errors import SourceError
from harness.model.coverage import ConditionOutcome

TELL_TEST = "__mutascope_test__"
TELL_VALUE = "__mutascope_value__"
TELL_OPERAND = "__mutascope_operand__"
NAMES = frozenset({TELL_TEST, TELL_VALUE, TELL_OPERAND})
_PLAIN = (type(None), int, float, complex, str, bytes, list, tuple, dict, set, frozenset)
"""Types whose truth can be tested again without a visible effect."""

_Body = TypeVar("_Body", bound=ast.AST)


class ConditionOutcomes:
    """Records which conditions were true, and which were false, since the last `begin`.

    Attributes:
        seen: two bits per condition: bit 2 n is set where condition n was true, bit 2 n + 1 where it was false.
    """

    def __init__(self) -> None:
        self.seen = 0

    def begin(self) -> None:
        """Delete the recorded outcomes."""
        self.seen = 0

    def presets(self) -> dict[str, Callable[[int, object], object]]:
        """Return the globals that the rewritten source needs."""
        return {TELL_TEST: self._test, TELL_VALUE: self._value, TELL_OPERAND: self._operand}

    def _test(self, number: int, value: object) -> bool:
        """Record and return the truth of a tested value, which is tested only once."""
        outcome = bool(value)
        self.seen |= 1 << 2 * number + (not outcome)
        return outcome

    def _value(self, number: int, value: object) -> object:
        """Return a value that is used as a value; record it only if it is True or False."""
        if value is True or value is False:
            self.seen |= 1 << 2 * number + (not value)
        return value

    def _operand(self, number: int, value: object) -> object:
        """Return an operand whose truth is tested later; record it unless its class defines what is true."""
        kind = type(value)
        if kind is bool or kind in _PLAIN or not (hasattr(kind, "__bool__") or hasattr(kind, "__len__")):
            self.seen |= 1 << 2 * number + (not value)
        return value


def outcome_name(seen: int) -> str:
    """Return the name of a class of outcomes (`ConditionOutcomes.seen`)."""
    parts = []
    for number in range((seen.bit_length() + 1) // 2):
        true, false = seen >> 2 * number & 1, seen >> 2 * number + 1 & 1
        if true or false:
            parts.append(f"{number + 1}{'+' * true}{'-' * false}")
    return " ".join(parts) or "none"


def telling_conditions(source: str, filename: str) -> tuple[CodeType, Sequence[str]]:
    """Compile the source so that its atomic conditions report their outcomes; return each condition as `line: text`,
    too.

    Atomic conditions are comparisons, and other expressions whose truth is tested (in tests, after `not`, between `and`
    and `or`) and that contain none of these three.

    Raises:
        SyntaxError: it does not compile.
    """
    return _compiled(ConditionRewriting(), source, filename)


def telling_branches(source: str, filename: str) -> tuple[CodeType, Sequence[str]]:
    """Compile the source so that its branches report their outcomes; return each branch as `line: text`, too.

    Branches are tests of `if`, `while`, conditional expressions and comprehensions, as a whole; `for` loops, which
    continue or end; and the cases of `match`.

    Raises:
        SyntaxError: it does not compile.
    """
    return _compiled(_Branches(), source, filename)


def _compiled(rewriting: Rewriting, source: str, filename: str) -> tuple[CodeType, Sequence[str]]:
    tree = ast.fix_missing_locations(rewriting.visit(ast.parse(source)))
    return compile(tree, filename, "exec", dont_inherit=True), rewriting.places


class Rewriting(ast.NodeTransformer):
    """The common part of both rewritings: it finds tests and numbers places."""

    def __init__(self) -> None:
        self.places: list[str] = []

    def _number(self, node: ast.expr | ast.stmt | ast.pattern, text: str) -> int:
        self.places.append(f"{node.lineno}: {text}")
        return len(self.places) - 1

    def _reporting_call(self, node: ast.expr, teller: str) -> ast.expr:
        """Return the expression in a call that reports its outcome."""
        number = self._number(node, ast.unparse(node))
        if isinstance(node, ast.IfExp):
            self.visit_IfExp(node)  # has a test of its own
        else:
            self.generic_visit(node)
        call = ast.Call(ast.Name(teller, ast.Load()), [ast.Constant(number), node], [])
        return ast.copy_location(call, node)

    def _test(self, node: ast.expr) -> ast.expr:
        """Return the expression that replaces a tested expression."""
        return self._reporting_call(node, TELL_TEST)

    def _with_test(self, node: _Body) -> _Body:
        test: ast.expr = node.test  # type: ignore[attr-defined]
        node.test = self._test(test)  # type: ignore[attr-defined]
        for field, value in ast.iter_fields(node):
            if field != "test":
                self._visit_field(node, field, value)
        return node

    def _visit_field(self, node: ast.AST, field: str, value: object) -> None:
        if isinstance(value, list):
            value[:] = [self.visit(part) if isinstance(part, ast.AST) else part for part in value]
        elif isinstance(value, ast.AST):
            setattr(node, field, self.visit(value))

    visit_If = visit_While = visit_IfExp = _with_test

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.ifs = [self._test(test) for test in node.ifs]
        node.iter = self.visit(node.iter)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return node  # annotations are no code of the program's


class ConditionRewriting(Rewriting):
    """Rewrites atomic conditions, wherever they stand."""

    def _test(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            node.values = [self._test(value) for value in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._test(node.operand)
            return node
        return self._reporting_call(node, TELL_TEST)

    def _valued(self, node: ast.expr) -> ast.expr:
        """Rewrite an operand whose value may be that of the whole expression."""
        if isinstance(node, ast.BoolOp):
            node.values = [self._valued(value) for value in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._test(node)
        return self._reporting_call(node, TELL_VALUE)

    visit_Assert = Rewriting._with_test

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.guard = node.guard and self._test(node.guard)
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        return self._valued(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        return self._test(node) if isinstance(node.op, ast.Not) else self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        return self._reporting_call(node, TELL_VALUE)


class _Branches(Rewriting):
    """Rewrites tests as a whole, `for` loops and cases."""

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.AST:
        number = self._number(node, f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}")
        self.generic_visit(node)
        node.body.insert(0, telling_statement(number, True))
        node.orelse.insert(0, telling_statement(number, False))
        return node

    visit_AsyncFor = visit_For

    def visit_Match(self, node: ast.Match) -> ast.AST:
        numbers = [self._number(case.pattern, f"case {ast.unparse(case.pattern)}") for case in node.cases]
        self.generic_visit(node)
        for number, case in zip(numbers, node.cases, strict=True):
            case.body.insert(0, telling_statement(number, True))
        last = node.cases[-1]
        if last.guard is not None or not _takes_all(last.pattern):
            node.cases.append(ast.match_case(ast.MatchAs(), None, [telling_statement(numbers[-1], False)]))
        return node


def _takes_all(pattern: ast.pattern) -> bool:
    """Return whether no case can follow the pattern."""
    if isinstance(pattern, ast.MatchOr):
        return any(_takes_all(part) for part in pattern.patterns)
    return isinstance(pattern, ast.MatchAs) and (pattern.pattern is None or _takes_all(pattern.pattern))


def telling_statement(number: int, outcome: bool) -> ast.stmt:
    """Return a statement that reports one outcome of the place with that number."""
    return ast.Expr(ast.Call(ast.Name(TELL_TEST, ast.Load()), [ast.Constant(number), ast.Constant(outcome)], []))


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
