"""Programs as test inputs: which there are within a scope, and whether a tool has kept what they do.

Small programs are bounded as heap structures, and are well-formed by the parts that each form has. What a program of a
few modules does are the values that its function `run` passes out, within a number of steps. The oracles of tools that
change programs: no crash, the result parses and compiles, and behaves as before.
"""

from __future__ import annotations

import ast
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, reduce
from itertools import zip_longest
from operator import or_
from pathlib import PurePath
from types import ModuleType
from typing import Any

from harness.errors import SpecError
from harness.kernel.program.loader import TICK, step_counter, with_ticks
from harness.kernel.specs.relational.expressions import (
    Formula,
    Relation,
    all_of,
    any_of,
    closure,
    for_all,
    no,
    reflexive_closure,
    some,
)
from harness.model.finitization import Finitization
from harness.model.literals import displayed

VALUE, BODY = "value", "body"
"""The parts that a shape may have: one expression, and the statements of a function."""


@dataclass(frozen=True)
class Grammar:
    """The forms of programs, each with exactly the parts that it must have.

    A `Program` has `shape`, `value` (an Expression or None) and `first` (a Statement or None). A `Statement` has
    `form`, `value` and `next`; an `Expression` has `form`, `left` and `right`. No object is part of two others, nor of
    itself.

    Args:
        shapes: by name, which of VALUE and BODY a shape has, as one text: "body", "value", "value body".
        statements: by name, whether a statement has an expression.
        expressions: by name, the number of expressions that one consists of: 0, 1 (left) or 2.

    Raises:
        SpecError: a form has other parts than these.
    """

    shapes: Mapping[str, str]
    statements: Mapping[str, bool]
    expressions: Mapping[str, int]

    def __post_init__(self) -> None:
        wrong = [name for name, parts in self.shapes.items() if not parts or set(parts.split()) - {VALUE, BODY}]
        wrong += [name for name, parts in self.expressions.items() if parts not in (0, 1, 2)]
        if wrong:
            raise SpecError(f"a grammar's form {wrong[0]!r} has parts that there are not; correct its parts")

    def finitization(self, scope: int) -> Finitization:
        """Return bounds of at most `scope` expressions and half as many statements, rounded up; without targets."""
        f = Finitization("Program")
        expressions = f.objects("Expression", scope)
        f.set("Program.shape", *self.shapes)
        f.set("Program.value", *([None, expressions] if self._has(VALUE) else [None]))
        if self._has(BODY):
            statements = f.objects("Statement", (scope + 1) // 2)
            f.set("Program.first", None, statements)
            f.set("Statement.form", *self.statements)
            f.set("Statement.value", None, expressions)
            f.set("Statement.next", None, statements)
        else:
            f.set("Program.first", None)
        f.set("Expression.form", *self.expressions)
        f.set("Expression.left", None, expressions)
        f.set("Expression.right", None, expressions)
        return f

    def accepts(self, program: Any) -> bool:
        """Return whether every form has its parts, and the whole is a tree."""
        parts = self.shapes[program.shape].split()
        parts_met: list[Any] = []
        if not self._is_expression(program.value, VALUE in parts, parts_met):
            return False
        statement = program.first
        if (statement is not None) != (BODY in parts):
            return False
        while statement is not None:
            if any(statement is other for other in parts_met):
                return False
            parts_met.append(statement)
            if not self._is_expression(statement.value, self.statements[statement.form], parts_met):
                return False
            statement = statement.next
        return True

    def invariant(self, program: Any, heap: Any) -> Formula:
        """Return the same condition as `accepts`, as a formula (see harness.relational)."""
        operands = heap.left | heap.right
        below, deeper = reflexive_closure(operands), closure(operands)
        rules, trees = [], []
        if self._has(VALUE):
            rules.append(_is_there(program.value, program.shape, self._shapes_with(VALUE)))
            trees.append(program.value)
        if self._has(BODY):
            statements = program.first @ reflexive_closure(heap.next)
            rules += [
                _is_there(program.first, program.shape, self._shapes_with(BODY)),
                for_all(statements, partial(self._is_statement, heap.next, below, statements)),
            ]
            trees.append(statements.value)
        if len(trees) == 2:
            rules.append(no((trees[0] @ below) & (trees[1] @ below)))
        expressions = reduce(or_, trees) @ below
        return all_of(*rules, for_all(expressions, partial(self._is_tree, below, deeper)))

    def _is_statement(self, edges: Relation, below: Relation, statements: Relation, statement: Any) -> Formula:
        return all_of(
            ~statement.within(statement @ closure(edges)),
            _is_there(statement.value, statement.form, [form for form, has in self.statements.items() if has]),
            for_all(statements - statement, lambda other: no((statement.value @ below) & (other.value @ below))),
        )

    def _is_tree(self, below: Relation, deeper: Relation, expression: Any) -> Formula:
        unary, binary = ([form for form, parts in self.expressions.items() if parts >= least] for least in (1, 2))
        return all_of(
            _is_there(expression.left, expression.form, unary),
            _is_there(expression.right, expression.form, binary),
            no((expression.left @ below) & (expression.right @ below)),
            ~expression.within(expression @ deeper),
        )

    def _has(self, part: str) -> bool:
        return bool(self._shapes_with(part))

    def _shapes_with(self, part: str) -> list[str]:
        return [shape for shape, parts in self.shapes.items() if part in parts.split()]

    def _is_expression(self, expression: Any, is_required: bool, visited: list[Any]) -> bool:
        """Return whether there is an expression exactly if one is wanted, and it is a tree of its own."""
        if expression is None or not is_required:
            return expression is None and not is_required
        if any(expression is other for other in visited):
            return False
        visited.append(expression)
        parts = self.expressions[expression.form]
        return self._is_expression(expression.left, parts > 0, visited) and self._is_expression(
            expression.right, parts > 1, visited
        )


def _is_there(part: Relation, form: Any, forms: Sequence[str]) -> Formula:
    """Return the formula that there is a part exactly if the form is one of those that have it."""
    return some(part) == any_of(*(form == name for name in forms)) if forms else no(part)


def statement_forms(program: Any) -> frozenset[str]:
    """Return the forms of the statements of a well-formed program."""
    return frozenset(statement.form for statement in statements_of(program))


def expression_forms(program: Any) -> frozenset[str]:
    """Return the forms of all expressions of a well-formed program."""
    whole = [program.value, *(statement.value for statement in statements_of(program))]
    return frozenset(part.form for expression in whole for part in expressions_in(expression))


def statements_of(program: Any) -> list[Any]:
    """Return the statements of a well-formed program, in order."""
    statements, statement = [], program.first
    while statement is not None:
        statements.append(statement)
        statement = statement.next
    return statements


def expressions_in(expression: Any) -> list[Any]:
    """Return an expression and all expressions in it, outermost first; none for None."""
    if expression is None:
        return []
    return [expression, *expressions_in(expression.left), *expressions_in(expression.right)]


MOST_STEPS = 10_000
"""The number of function entries and turns of loops after which a program is taken to be endless."""

_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_Modules = Sequence[tuple[str, str]]


def behaviour(modules: _Modules) -> tuple[str, ...]:
    """Return the values that the last module's `run(out)` passes to `out`, as texts, and last the exception, if any.

    Args:
        modules: names and texts; each may import those before it.

    Values are shown as literals, objects only by their types. A program that does not end has `endless` as the last
    text, even if it has caught the exception that ends it.

    Raises:
        SyntaxError: a module does not parse or compile.
    """
    codes = [(name, _compiled(name, text)) for name, text in modules]
    counter = step_counter()
    counter.start(MOST_STEPS)
    seen: list[str] = []
    end: list[str] = []
    with _named([name for name, _ in modules]) as loaded:
        try:
            for name, code in codes:
                vars(loaded[name])[TICK] = counter.tick
                exec(code, vars(loaded[name]))
            loaded[modules[-1][0]].run(lambda *values: seen.append(value_text(values)))
        except BaseException as error:
            end = [f"raises {type(error).__name__}"]
    return (*seen, *(["endless"] if counter.spent() > MOST_STEPS else end))


@contextmanager
def _named(names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Provide empty modules of these names, which `sys.modules` has within the block."""
    loaded: dict[str, Any] = {name: ModuleType(name) for name in names}
    before = {name: sys.modules[name] for name in names if name in sys.modules}
    sys.modules.update(loaded)
    try:
        yield loaded
    finally:
        for name in names:
            del sys.modules[name]
        sys.modules.update(before)


def value_text(value: Any) -> str:
    """Return a value as text that depends on no address: literals as such, other objects by type."""
    if type(value) in _PLAIN:
        return repr(value)
    return displayed(value, value_text) or f"<{type(value).__name__}>"


def _compiled(name: str, text: str) -> Any:
    filename = f"<{name}>"
    return compile(with_ticks(text, filename), filename, "exec", dont_inherit=True)


@dataclass(frozen=True)
class Failure:
    """The complaint of one of the oracles about a result.

    `oracle` is `crash`, `parse`, `compile` or `behaviour`; `signature` is a text that is the same for failures with
    probably the same cause; `detail` is for people.
    """

    oracle: str
    signature: str
    detail: str

    @property
    def is_text(self) -> bool:
        """Whether the result is no program: the tool has not noticed, or noticed when it read it again."""
        return self.oracle in ("parse", "compile") or "SyntaxError" in self.signature


@dataclass(frozen=True)
class Fault:
    """A fault of the program under test on an input: its causes, and the input and its outcome as text.

    Only a fault of one cause counts as found; with several, any of them may be the cause.

    Raises:
        SpecError: the causes are no tuple, or an empty one.
    """

    causes: tuple[str, ...]
    shown: str

    def __post_init__(self) -> None:
        if not isinstance(self.causes, tuple) or not self.causes:
            raise SpecError(f"the causes of a fault are {self.causes!r}; give a tuple of names, of one at least")

    @property
    def name(self) -> str:
        """The causes as text for people."""
        return name_of(self.causes)


def name_of(causes: Sequence[str]) -> str:
    """Return causes as one text for people; no code may parse the causes from it."""
    return " or ".join(causes)


@dataclass(frozen=True)
class Cause:
    """A fault that a person has found, and a test for inputs that it may explain.

    `explains` gets the input's pre-state and the failure.
    """

    name: str
    explains: Callable[[Any, Failure], bool]


def failure_of(result: Any, raised: BaseException | None, package: str) -> Failure | None:
    """Return the failure of a refactoring's result; None if all is well, or the tool refused.

    Args:
        result: ("changed", modules before, modules after), or ("refused", modules before, reason); modules are pairs of
            a name and a text.
        raised: the exception that it raised instead.
        package: name of the tool's package, whose innermost frame identifies a crash.

    Raises:
        SpecError: the program before does not compile: no fault of the tool.
    """
    if raised is not None:
        where = _innermost(raised, package)
        return Failure("crash", f"{type(raised).__name__} in {where}", f"{type(raised).__name__}: {_line(raised)}")
    kind, before, after = result
    try:
        did = behaviour(before)
    except SyntaxError as error:
        raise SpecError(f"a program that is to be refactored does not compile ({error}); correct its forms") from None
    if kind != "changed":
        return None
    for name, text in after:
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            return Failure("parse", str(error.msg), f"{name}, line {error.lineno}: {error.msg}")
        try:
            compile(tree, f"<{name}>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return Failure("compile", str(error.msg), f"{name}, line {error.lineno}: {error.msg}")
    does = behaviour(after)
    if did == does:
        return None
    was, now = next(pair for pair in zip_longest(did, does, fillvalue="nothing more") if pair[0] != pair[1])
    return Failure("behaviour", f"{_kind(was)}, then {_kind(now)}", f"it gave {was}, and now {now}")


def fault_of(
    program: Any, result: Any, raised: BaseException | None, causes: Sequence[Cause], package: str
) -> Fault | None:
    """Return the fault that a refactoring shows on a program, with the causes that may explain it.

    With several such causes, it counts as found for none. With none, the oracle's signature stands for the cause, for a
    person to read.
    """
    failure = failure_of(result, raised, package)
    if failure is None:
        return None
    names = tuple(cause.name for cause in causes if cause.explains(program, failure))
    paragraphs = [failure.detail]
    if raised is None:
        _, before, after = result
        paragraphs += [_modules_text(before), "becomes", _modules_text(after)]
    return Fault(names or (f"{failure.oracle}: {failure.signature}",), "\n\n".join(paragraphs))


def _modules_text(modules: Sequence[tuple[str, str]]) -> str:
    return "\n".join(f"# {name}.py\n{text}" for name, text in modules)


def _kind(seen: str) -> str:
    return seen if seen.startswith("raises ") or seen in ("endless", "nothing more") else "a value"


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())


def _innermost(error: BaseException, package: str) -> str:
    """Return the module and function of the package in which an exception came up, or passed last."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if package in PurePath(frame.filename).parts]
    return f"{PurePath(frames[-1].filename).stem}.{frames[-1].name}" if frames else "its caller"
