"""Metamutants: one module that holds every mutant as a guarded choice (exhaustive2003, section 7.1).

Where the paper writes `(MUT ? left : temp).right`, Python has
`(left if __mutascope_mutant__ == 17 else temp).right`; what is no expression, such as the target of
an assignment, is chosen by an `if` statement.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Sequence
from typing import cast

from harness.errors import SourceError
from harness.kernel.loader import SELECTOR
from harness.kernel.splice import line_starts, span_offsets
from harness.model.mutant import Location, Mutant
from harness.mutation.positions import Positions, contains

_NO_VALUE = (ast.Starred, ast.Slice, ast.JoinedStr, ast.FormattedValue)
_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Delete, ast.Raise, ast.Assert)


def metamutant(source: str, mutants: Sequence[Mutant]) -> tuple[str, dict[str, int]]:
    """The text of the metamutant and each mutant's number, from 1.

    With the module global SELECTOR at a mutant's number it behaves as the separate module, at 0 as the original.
    Line numbers are its own.

    Raises:
        SourceError: a mutant does not parse (is stillborn), or no expression or simple statement
            holds its location.
    """
    tree = ast.parse(source)
    positions = Positions(source)
    starts = line_starts(source)
    sites: dict[Location, tuple[ast.expr | ast.stmt, list[Mutant]]] = {}
    found: dict[Location, ast.expr | ast.stmt | None] = {}
    for mutant in mutants:
        if mutant.location not in found:
            found[mutant.location] = _site(tree, mutant.location, positions)
        node = found[mutant.location]
        if node is None:
            raise SourceError(f"mutant {mutant.id} lies in no expression or statement of the source; derive it again")
        # A statement made of one expression alone spans the same text as the expression, and is never a site then.
        sites.setdefault(positions.location(node), (node, []))[1].append(mutant)
    numbers: dict[str, int] = {}
    variants: dict[ast.AST, list[tuple[int, ast.AST]]] = {}
    # Outer sites first, so that the numbers of a site and of all sites within it are consecutive.
    for location in sorted(sites, key=lambda at: (at.line, at.column, -at.end_line, -at.end_column)):
        node, here = sites[location]
        variants[node] = []
        for mutant in here:
            numbers[mutant.id] = len(numbers) + 1
            variants[node].append((numbers[mutant.id], _variant(source, starts, node, location, mutant)))
    rewritten = ast.fix_missing_locations(_Guards(variants).visit(tree))
    return ast.unparse(rewritten) + "\n", numbers


def _site(node: ast.AST, location: Location, positions: Positions) -> ast.expr | ast.stmt | None:
    """The innermost expression with a value, else simple statement, whose span holds `location`."""
    for child in ast.iter_child_nodes(node):
        # Positions inside f-strings are not those of the source before Python 3.12.
        if isinstance(child, (ast.JoinedStr, ast.pattern)):
            continue
        positioned = isinstance(child, (ast.expr, ast.stmt)) and not getattr(child, "decorator_list", None)
        if positioned and not contains(positions.location(cast(ast.expr, child)), location):
            continue
        inner = _site(child, location, positions)
        if inner is not None:
            return inner
        if positioned and (_has_value(child) or isinstance(child, _SIMPLE)):
            return cast(ast.expr, child)
    return None


def _has_value(node: ast.AST) -> bool:
    if isinstance(node, ast.Tuple) and any(isinstance(element, _NO_VALUE) for element in node.elts):
        return False
    if not isinstance(node, ast.expr) or isinstance(node, _NO_VALUE):
        return False
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _variant(source: str, starts: list[int], node: ast.AST, site: Location, mutant: Mutant) -> ast.AST:
    """The site's tree with the mutant applied."""
    first, last = span_offsets(site, starts)
    start, end = span_offsets(mutant.location, starts)
    text = source[first:start] + mutant.replacement + source[end:last]
    try:
        if isinstance(node, ast.expr):
            return ast.parse(f"({text}\n)", mode="eval").body
        return ast.parse(text).body[0]
    except SyntaxError as error:
        raise SourceError(f"mutant {mutant.id} does not parse: {error.msg}; leave stillborn mutants out") from None


class _Guards(ast.NodeTransformer):
    """Puts the choices into the tree."""

    def __init__(self, variants: dict[ast.AST, list[tuple[int, ast.AST]]]) -> None:
        self._variants = variants
        self._within = False

    def visit(self, node: ast.AST) -> ast.AST:
        variants = self._variants.get(node)
        if variants is None:
            return self.generic_visit(node)
        if isinstance(node, ast.stmt):
            statements = cast(list[tuple[int, ast.stmt]], variants)
            return _guarded_statement(statements, cast(ast.stmt, self.generic_visit(node)))
        choices = cast(list[tuple[int, ast.expr]], variants)
        if self._within:
            return _guarded(choices, cast(ast.expr, self.generic_visit(node)))
        numbers = [number for inner in ast.walk(node) for number, _ in self._variants.get(inner, ())]
        if len(numbers) == len(choices):
            return _guarded(choices, cast(ast.expr, node))
        # Sites within this one: one comparison leads the original past all of them.
        original = cast(ast.expr, copy.deepcopy(node))
        self._within = True
        changed = _chain(choices, cast(ast.expr, self.generic_visit(node)))
        self._within = False
        return ast.IfExp(_within(min(numbers), max(numbers)), changed, original)


def _guarded(choices: list[tuple[int, ast.expr]], original: ast.expr) -> ast.expr:
    """One comparison decides for the original, however many the choices are."""
    if len(choices) == 1:
        return _chain(choices, original)
    *rest, (last, replacement) = choices
    return ast.IfExp(_within(choices[0][0], last), _chain(rest, replacement), original)


def _chain(choices: Iterable[tuple[int, ast.expr]], otherwise: ast.expr) -> ast.expr:
    for number, replacement in reversed(list(choices)):
        otherwise = ast.IfExp(_is(number), replacement, otherwise)
    return otherwise


def _guarded_statement(choices: list[tuple[int, ast.stmt]], original: ast.stmt) -> ast.stmt:
    *rest, (last, otherwise) = choices
    for number, replacement in reversed(rest):
        otherwise = ast.If(_is(number), [replacement], [otherwise])
    return ast.If(_within(choices[0][0], last), [otherwise], [original])


def _is(number: int) -> ast.expr:
    return ast.Compare(ast.Name(SELECTOR, ast.Load()), [ast.Eq()], [ast.Constant(number)])


def _within(first: int, last: int) -> ast.expr:
    if first == last:
        return _is(first)
    selector = ast.Name(SELECTOR, ast.Load())
    return ast.Compare(ast.Constant(first), [ast.LtE(), ast.LtE()], [selector, ast.Constant(last)])
