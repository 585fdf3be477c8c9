"""Finds the sites where mutants can be guarded or probed: the expressions and simple statements that hold them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TypeAlias, cast

from harness.errors import SourceError
from harness.kernel.program.splice import line_starts, span_offsets
from harness.model.mutant import Location, Mutant
from harness.mutation.trees import Positions, children, contains

Sites: TypeAlias = dict[ast.AST, list[tuple[Mutant, ast.AST]]]
"""By node of the original's tree, its mutants, each with the node's tree as mutated."""

_NO_VALUE = (ast.Starred, ast.Slice, ast.JoinedStr, ast.FormattedValue)
_SIMPLE = (
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.Expr,
    ast.Return,
    ast.Delete,
    ast.Raise,
    ast.Assert,
    ast.Break,
    ast.Continue,
)


def find_sites(source: str, mutants: Sequence[Mutant]) -> tuple[ast.Module, Sites]:
    """Return the source's tree and the sites of all mutants, outer ones before those within them.

    Raises:
        SourceError: a mutant does not parse (is stillborn), or no expression or simple statement
            holds its location.
    """
    tree = ast.parse(source)
    positions = Positions(source)
    starts = line_starts(source)
    held: dict[Location, tuple[ast.expr | ast.stmt, list[Mutant]]] = {}
    nodes: dict[Location, ast.expr | ast.stmt | None] = {}
    for mutant in mutants:
        if mutant.location not in nodes:
            nodes[mutant.location] = _site(tree, mutant.location, positions)
        node = nodes[mutant.location]
        if node is None:
            raise SourceError(f"mutant {mutant.id} lies in no expression or statement of the source; derive it again")
        # A statement made of one expression alone spans the same text as the expression, and is never a site then.
        held.setdefault(positions.location(node), (node, []))[1].append(mutant)
    sites: Sites = {}
    for location in sorted(held, key=lambda at: (at.line, at.column, -at.end_line, -at.end_column)):
        node, here = held[location]
        sites[node] = [(mutant, _variant(source, starts, node, location, mutant)) for mutant in here]
    return tree, sites


def _site(node: ast.AST, location: Location, positions: Positions) -> ast.expr | ast.stmt | None:
    """Return the innermost expression with a value that holds `location`, else the innermost simple statement.

    If there is neither, return the statement that is at exactly that location, or None.
    """
    for child in children(node):
        # Positions inside f-strings are not those of the source before Python 3.12.
        if isinstance(child, (ast.JoinedStr, ast.pattern)):
            continue
        positioned = isinstance(child, (ast.expr, ast.stmt)) and not getattr(child, "decorator_list", None)
        if positioned and not _may_hold(cast(ast.expr, child), location, positions):
            continue
        inner = _site(child, location, positions)
        if inner is not None:
            return inner
        if positioned and (_has_value(child) or isinstance(child, _SIMPLE)):
            return cast(ast.expr, child)
        if isinstance(child, ast.stmt) and positions.location(child) == location:
            return child
    return None


def _may_hold(node: ast.expr | ast.stmt, location: Location, positions: Positions) -> bool:
    """Return whether the span of `node` holds `location`; the lines alone exclude most nodes."""
    if node.lineno > location.line or (node.end_lineno or 0) < location.end_line:
        return False
    return contains(positions.location(node), location)


def _has_value(node: ast.AST) -> bool:
    if isinstance(node, ast.Tuple) and any(isinstance(element, _NO_VALUE) for element in node.elts):
        return False
    if not isinstance(node, ast.expr) or isinstance(node, _NO_VALUE):
        return False
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _variant(source: str, starts: Sequence[int], node: ast.AST, site: Location, mutant: Mutant) -> ast.AST:
    """Return the site's tree with the mutant applied."""
    first, last = span_offsets(site, starts)
    start, end = span_offsets(mutant.location, starts)
    text = source[first:start] + mutant.replacement + source[end:last]
    try:
        if text == "pass" and isinstance(node, ast.expr):  # for a statement that is made of this expression alone
            return ast.Constant(None)
        if isinstance(node, ast.expr):
            return ast.parse(f"({text}\n)", mode="eval").body
        if text.startswith("else:"):  # for an `elif` with all branches after it
            return cast(ast.If, ast.parse(f"if 0: pass\n{text}").body[0]).orelse[0]
        return ast.parse(text).body[0]
    except SyntaxError as error:
        raise SourceError(f"mutant {mutant.id} does not parse: {error.msg}; leave stillborn mutants out") from None
