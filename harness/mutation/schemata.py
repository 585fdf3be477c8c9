"""Metamutants: one module that holds every mutant as a guarded choice (exhaustive2003, section 7.1).

Where the paper writes `(MUT ? left : temp).right`, Python has `(left if __mutascope_mutant__ == 17 else temp).right`. A
mutated node that is not an expression, such as the target of an assignment, is chosen by an `if` statement.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import cast

from harness.kernel.program.loader import MARK, SELECTOR
from harness.model.mutant import Mutant
from harness.mutation.sites import find_sites
from harness.mutation.trees import below, closures, copied


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
