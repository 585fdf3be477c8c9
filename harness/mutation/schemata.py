"""Metamutants: one module that holds every mutant as a guarded choice (exhaustive2003, section 7.1).

Where the paper writes `(MUT ? left : temp).right`, Python has `(left if __mutascope_mutant__ == 17 else temp).right`. A
mutated node that is not an expression, such as the target of an assignment, is chosen by an `if` statement.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TypeAlias, cast

from harness.errors import SourceError
from harness.kernel.program.loader import MARK, SELECTOR
from harness.kernel.program.splice import line_starts, span_offsets
from harness.model.outcome import Location, Mutant
from harness.mutation.trees import Positions, below, children, closures, contains, copied


def metamutant(
    source: str, mutants: Sequence[Mutant], marked: bool = False, *, in_closures: bool = True
) -> tuple[str, dict[str, int]]:
    """Return the text of the metamutant and each mutant's number, from 1.

    If the module global SELECTOR is a mutant's number, the module behaves as the mutant; if it is 0, as the original.
    Line numbers are its own. Without `in_closures`, mutants within functions without a name in their module have no
    number, since the code of these is compared as a value. If it is `marked`, each mutant calls the global MARK before
    its own code is executed.

    Raises:
        SourceError: as `find_sites`.
    """
    tree, sites = find_sites(source, mutants)
    numbers: dict[str, int] = {}
    variants: dict[ast.AST, list[tuple[int, ast.AST]]] = {}
    made_in = dict(closures(tree))
    for node, here in sites.items():
        if node in made_in and not in_closures:
            continue
        variants[node] = []
        for mutant, variant in here:
            numbers[mutant.id] = len(numbers) + 1
            variants[node].append((numbers[mutant.id], _marked(variant) if marked else variant))
    return ast.unparse(_Guards(variants).visit(tree)) + "\n", numbers


def _marked(variant: ast.AST) -> ast.AST:
    mark = ast.Call(ast.Name(MARK, ast.Load()), [], [])
    if isinstance(variant, ast.stmt):
        return ast.If(mark, [variant], [])
    pair = ast.Tuple([mark, cast(ast.expr, variant)], ast.Load())
    return ast.Subscript(pair, ast.Constant(1), ast.Load())


class _Guards(ast.NodeTransformer):
    """Inserts the choices into the tree."""

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
        numbers = [number for inner in below(node) for number, _ in self._variants.get(inner, ())]
        if len(numbers) == len(choices):
            return _guarded(choices, cast(ast.expr, node))
        # Sites within this one: one comparison leads the original past all of them.
        original = copied(cast(ast.expr, node), {})
        self._within = True
        changed = _chain(choices, cast(ast.expr, self.generic_visit(node)))
        self._within = False
        return ast.IfExp(_within(min(numbers), max(numbers)), changed, original)


def _guarded(choices: list[tuple[int, ast.expr]], original: ast.expr) -> ast.expr:
    """Return an expression in which one comparison selects the original, however many choices there are."""
    if len(choices) == 1:
        return _chain(choices, original)
    *earlier, (last, replacement) = choices
    return ast.IfExp(_within(choices[0][0], last), _chain(earlier, replacement), original)


def _chain(choices: Iterable[tuple[int, ast.expr]], otherwise: ast.expr) -> ast.expr:
    for number, replacement in reversed(list(choices)):
        otherwise = ast.IfExp(_is(number), replacement, otherwise)
    return otherwise


def _guarded_statement(choices: list[tuple[int, ast.stmt]], original: ast.stmt) -> ast.stmt:
    *earlier, (last, otherwise) = choices
    for number, replacement in reversed(earlier):
        otherwise = ast.If(_is(number), [replacement], [otherwise])
    return ast.If(_within(choices[0][0], last), [otherwise], [original])


def _is(number: int) -> ast.expr:
    return ast.Compare(ast.Name(SELECTOR, ast.Load()), [ast.Eq()], [ast.Constant(number)])


def _within(first: int, last: int) -> ast.expr:
    if first == last:
        return _is(first)
    selector = ast.Name(SELECTOR, ast.Load())
    return ast.Compare(ast.Constant(first), [ast.LtE(), ast.LtE()], [selector, ast.Constant(last)])


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
