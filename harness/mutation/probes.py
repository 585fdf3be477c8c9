"""Makes probed modules: the original, reporting which mutants each input reaches and infects (law 6)."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import cast

from harness.kernel.running.probing import DEEP, PROBE, REACH, TOO_DEEP, ProbeSite
from harness.model.outcome import Mutant
from harness.mutation.purity import Conditions, Purity
from harness.mutation.schemata import find_sites
from harness.mutation.trees import closures, copied


@dataclass(frozen=True)
class ProbedModule:
    """The text of the module and its probes; mutants are numbered in the order of the list that was passed."""

    text: str
    sites: tuple[ProbeSite, ...]


def probed(
    source: str, mutants: Sequence[Mutant], blocked: Collection[str] = (), *, notes_depth: bool = False
) -> ProbedModule:
    """Return the source with `REACH(site)` at each mutated place.

    Where variants are compared, it is `PROBE(REACH(site), original, lambda: variant, ...)`. A variant is compared only
    if neither it nor the original has side effects. For other variants and for mutated statements, only reach is
    reported.

    A mutated operand may only serve a comparison or condition (`key` in `key + 1 < other.key`). Then the whole
    comparison or condition is compared, as far as it has no side effects, since no other code uses the operand. Line
    numbers are the module's own.

    With `notes_depth`, each function and each block whose exceptions the program may handle notes a RecursionError in
    `DEEP`, unless blocks are nested so deep that Python compiles no further one.

    Raises:
        SourceError: as `find_sites`.
    """
    module = _probed(source, mutants, blocked, notes_depth)
    return module if not notes_depth or _compiles(module.text) else _probed(source, mutants, blocked, False)


def _compiles(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # whoever executes it is warned
            compile(text, "<probed>", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def _probed(source: str, mutants: Sequence[Mutant], blocked: Collection[str], notes_depth: bool) -> ProbedModule:
    tree, sites = find_sites(source, mutants)
    purity = Purity(tree, blocked)
    conditions = Conditions(tree, purity)
    made_in = dict(closures(tree))
    numbers = {mutant.id: number for number, mutant in enumerate(mutants)}
    probed_sites: dict[ast.AST, _Site] = {}
    for node, here in sites.items():
        around = conditions.around(node)
        for mutant, variant in here:
            number = numbers[mutant.id]
            place = probed_sites.setdefault(node, _Site())
            place.reached.append(number)
            if not (isinstance(node, ast.expr) and purity.pure(node) and purity.pure(variant)):
                place.unprobed.append(number)
            elif around is node:
                place.compared.append((number, cast(ast.expr, variant)))
            else:
                whole = probed_sites.setdefault(around, _Site())
                whole.compared.append((number, cast(ast.expr, copied(around, {id(node): variant}))))
            if node in made_in:
                made = probed_sites.setdefault(made_in[node], _Site())
                made.reached.append(number)
                made.unprobed.append(number)
    probes = _Probes(probed_sites, conditions, notes_depth)
    return ProbedModule(ast.unparse(probes.visit(tree)) + "\n", tuple(probes.sites))


@dataclass
class _Site:
    """Mutants by number: those mutated at this place, those of them that cannot be compared, those compared here."""

    reached: list[int] = field(default_factory=list)
    unprobed: list[int] = field(default_factory=list)
    compared: list[tuple[int, ast.expr]] = field(default_factory=list)


class _Probes(ast.NodeTransformer):
    """Inserts the probes into the tree, inner ones first."""

    def __init__(self, sites_by_node: dict[ast.AST, _Site], conditions: Conditions, notes_depth: bool) -> None:
        self._sites_by_node = sites_by_node
        self._notes_depth = notes_depth
        self._conditions = conditions
        self.sites: list[ProbeSite] = []

    def visit(self, node: ast.AST) -> ast.AST:
        here = self._sites_by_node.get(node)
        if here is None:
            return self._visited(node)
        site = len(self.sites)
        compared = tuple(number for number, _ in here.compared)
        self.sites.append(ProbeSite(tuple(here.reached), tuple(here.unprobed), compared))
        only_truth_counts = self._conditions.only_truth_counts(node)  # asked before there are probes within
        inner = self._visited(node)
        reach = _call(REACH, ast.Constant(site))
        if isinstance(inner, ast.stmt):
            # An `if` keeps this one statement, as which it stands in its block.
            return ast.If(ast.BoolOp(ast.Or(), [reach, ast.Constant(True)]), [inner], [])
        value = cast(ast.expr, inner)
        if not compared:
            return ast.Subscript(ast.Tuple([reach, value], ast.Load()), ast.Constant(1), ast.Load())
        values = [value, *(variant for _, variant in here.compared)]
        if only_truth_counts:
            values = [_truth(each) for each in values]
        return _call(PROBE, reach, values[0], *map(_lambda, values[1:]))

    def _visited(self, node: ast.AST) -> ast.AST:
        visited = self.generic_visit(node)
        if self._notes_depth and isinstance(visited, _WATCHED):
            is_documented = not isinstance(visited, _BLOCKS) and ast.get_docstring(visited, clean=False) is not None
            visited.body = visited.body[:is_documented] + _watched(visited.body[is_documented:])
        return visited


_BLOCKS = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)
_WATCHING = f"""
try:
    pass
except {TOO_DEEP}:
    {DEEP}[0] = True
    raise
"""
_WATCHED = (ast.FunctionDef, ast.AsyncFunctionDef, *_BLOCKS)


def _watched(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return statements that note a RecursionError before the program handles it.

    The note is a store, which needs no frame: at the place of a RecursionError, a call may raise another one.
    """
    if not body:
        return []
    (watching,) = ast.parse(_WATCHING).body
    assert isinstance(watching, ast.Try)
    watching.body = body
    return [watching]


def _call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


def _lambda(body: ast.expr) -> ast.Lambda:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), body)


def _truth(value: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), value))
