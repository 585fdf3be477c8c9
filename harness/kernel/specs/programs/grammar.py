"""Bounds small programs as heap structures, and checks that they are well-formed, by the parts that each form has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import Any

from harness.errors import SpecError
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
