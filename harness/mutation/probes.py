"""Probed modules: the original, telling at every mutated place who is reached and whose value differs (law 6)."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import cast

from harness.kernel.probing import PROBE, REACH, ProbeSite
from harness.model.mutant import Mutant
from harness.mutation.purity import Purity
from harness.mutation.sites import Sites, find_sites


@dataclass(frozen=True)
class ProbedModule:
    """The text of the module and its probes; mutants are numbered as they were given."""

    text: str
    sites: tuple[ProbeSite, ...]


def probed(source: str, mutants: Sequence[Mutant], blocked: Collection[str] = ()) -> ProbedModule:
    """The source with `PROBE(REACH(site), original, lambda: variant, ...)` for each mutated expression.

    A variant is compared only where neither it nor the original has side effects; of the others, and
    of mutated statements, only reachability is told. Line numbers are the module's own.

    Raises:
        SourceError: as `find_sites`.
    """
    tree, sites = find_sites(source, mutants)
    numbers = {mutant.id: number for number, mutant in enumerate(mutants)}
    probes = _Probes(sites, numbers, Purity(tree, blocked))
    rewritten = ast.fix_missing_locations(probes.visit(tree))
    return ProbedModule(ast.unparse(rewritten) + "\n", tuple(probes.sites))


class _Probes(ast.NodeTransformer):
    """Puts the probes into the tree, inner ones first."""

    def __init__(self, sites: Sites, numbers: dict[str, int], purity: Purity) -> None:
        self._sites = sites
        self._numbers = numbers
        self._purity = purity
        self.sites: list[ProbeSite] = []

    def visit(self, node: ast.AST) -> ast.AST:
        here = self._sites.get(node)
        if here is None:
            return self.generic_visit(node)
        pure = isinstance(node, ast.expr) and self._purity.pure(node)
        compared: list[tuple[int, ast.expr]] = []
        reached: list[int] = []
        for mutant, variant in here:
            number = self._numbers[mutant.id]
            if pure and self._purity.pure(variant):
                compared.append((number, cast(ast.expr, variant)))
            else:
                reached.append(number)
        site = len(self.sites)
        self.sites.append(ProbeSite(tuple(number for number, _ in compared), tuple(reached)))
        inner = self.generic_visit(node)
        reach = _call(REACH, ast.Constant(site))
        if isinstance(inner, ast.stmt):
            # An `if` keeps this one statement, as which it stands in its block.
            return ast.If(ast.BoolOp(ast.Or(), [reach, ast.Constant(True)]), [inner], [])
        value = cast(ast.expr, inner)
        if not compared:
            return ast.Subscript(ast.Tuple([reach, value], ast.Load()), ast.Constant(1), ast.Load())
        return _call(PROBE, reach, value, *(_lambda(variant) for _, variant in compared))


def _call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


def _lambda(body: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), body)
