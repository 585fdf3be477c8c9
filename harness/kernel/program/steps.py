"""Limits the steps of a program, by ticks at loop heads and function entries, and how deep it may call itself."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast

TICK = "__mutascope_tick__"

BUDGET_FACTOR = 10
BUDGET_CONSTANT = 1000
LOAD_BUDGET = 1_000_000
"""The steps within which a mutant is loaded, and those within which the objects of an input are made."""


class CallEnd(BaseException):
    """Raised in a program to end it: no outcome. The program's `except Exception` cannot swallow a BaseException."""


class StepLimit(CallEnd):
    """Raised when the budget is spent."""


Look = Callable[[int], int | None]


@dataclass(frozen=True)
class StepCounter:
    """Closures over one count: faster than attributes, as `tick` runs at every loop iteration.

    `tick()` spends a step and returns True, or raises StepLimit once the budget is spent (and ever after: a program
    that catches it gains nothing). `start(budget)` sets the budget, and `spent()` returns the steps since.
    `spec_tick()` is the spec's own `tick`. `spent_by_others()` returns the steps that were not spent by it, which shows
    whether judging has run the program.

    `start(budget, first, look)` has `look` called, with the steps remaining, at the step after the `first` ones. It
    returns how many pass before it is called again, or None to end the budget there and then.
    """

    tick: Callable[[], bool]
    spec_tick: Callable[[], bool]
    start: Callable[..., None]
    spent: Callable[[], int]
    spent_by_others: Callable[[], int]


def step_counter() -> StepCounter:  # noqa: C901 (closures over one state, for speed)
    """Return a fresh counter with an empty budget."""
    left = later = beyond = budget = own = 0
    look: Look | None = None

    # `left` steps pass before the next look, `later` ones after it, and `beyond` ones were spent after the budget. No
    # number is ever negative, and `tick` compares none: a comparison of large integers is a call for Python 3.11. The
    # original, whose budget is large, would meet the recursion limit before its mutants do.

    def tick() -> bool:
        nonlocal left, later, beyond
        if left:
            left -= 1
            return True
        if not later:
            beyond += 1
            raise StepLimit
        later -= 1
        try:
            look_or_raise()
        except (RecursionError, MemoryError):  # of looking, not of the program: it goes on unseen
            left, later = later, 0
        return True

    def spec_tick() -> bool:
        nonlocal left, later, beyond, own
        own += 1
        if left:
            left -= 1
        elif later:
            left, later = later - 1, 0
        else:
            beyond += 1
            raise StepLimit
        return True

    def look_or_raise() -> None:
        nonlocal left, later, beyond
        steps = None if look is None else look(later)
        if steps is None:
            left, later, beyond = 0, 0, 1
            raise StepLimit
        left = min(steps, later)
        later -= left

    def start(steps: int, first: int = 0, looking: Look | None = None) -> None:
        nonlocal left, later, beyond, budget, own, look
        budget = max(steps, 0)
        beyond = own = 0
        look = looking
        left = budget if looking is None else min(first, budget)
        later = budget - left

    def spent() -> int:
        return budget - left - later + beyond

    def spent_by_others() -> int:
        return spent() - own

    return StepCounter(tick, spec_tick, start, spent, spent_by_others)


def budget_for(original_steps: int) -> int:
    """Return the budget of a mutant on an input on which the original took `original_steps`."""
    return BUDGET_FACTOR * original_steps + BUDGET_CONSTANT


class _Ticks(ast.NodeTransformer):
    """Adds a tick to every function entry, loop body, comprehension and lambda."""

    def _call(self, at: ast.AST) -> ast.Call:
        name = ast.copy_location(ast.Name(TICK, ast.Load()), at)
        return ast.copy_location(ast.Call(name, [], []), at)

    def _body(self, body: list[ast.stmt], at: ast.AST) -> list[ast.stmt]:
        tick = ast.copy_location(ast.Expr(self._call(at)), at)
        return [tick, *body]

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        docstring = int(ast.get_docstring(node, clean=False) is not None)
        node.body = node.body[:docstring] + self._body(node.body[docstring:], node)
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function

    # Most of a tree is these: nothing below them is ticked, and visiting it takes longer than all the rest.

    def _alone(self, node: ast.expr) -> ast.AST:
        return node

    visit_Name = visit_Constant = _alone

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node.value = self.visit(node.value)
        return node

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> ast.AST:
        self.generic_visit(node)
        node.body = self._body(node.body, node)
        return node

    visit_For = visit_AsyncFor = visit_While = _loop

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs.insert(0, self._call(node.target))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        node.body = ast.copy_location(ast.BoolOp(ast.And(), [self._call(node.body), node.body]), node.body)
        return node


def with_ticks(source: str, filename: str) -> ast.Module:
    """Return the source's tree with ticks added; line numbers are the source's.

    Raises:
        SyntaxError: the source does not parse.
    """
    return add_ticks(ast.parse(source, filename))


def add_ticks(tree: ast.Module) -> ast.Module:
    """Add ticks to the tree in place, and return it."""
    return cast(ast.Module, _Ticks().visit(tree))


# The limit is deep enough that an endless recursion of small steps spends its budget first on small inputs, and shallow
# enough for the C stack of every supported interpreter.
RECURSION_LIMIT = 3000


def limit_recursion(more: int = 0) -> None:
    """Allow RECURSION_LIMIT frames, and some `more`, below the caller's, however deep the caller is."""
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth += 1
        frame = frame.f_back  # type: ignore[assignment]
    sys.setrecursionlimit(depth + RECURSION_LIMIT + more)


@contextmanager
def recursion_limited() -> Iterator[None]:
    """Allow as many frames within the block, and restore the limit after it."""
    before = sys.getrecursionlimit()
    limit_recursion()
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
