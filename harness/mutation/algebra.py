"""Finds mutants that equal the original, or an earlier mutant, by the algebra of integers.

Likewise for integers only, a mutant that counts a variable up or down after its last use is equivalent to the original.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace

from harness.kernel.program.builtin_effects import LOOKING_AT_VARIABLES
from harness.kernel.program.splice import line_starts, span_offsets
from harness.model.mutant import Mutant, MutantStatus
from harness.mutation.bindings import Place, bound_names, parameter_names
from harness.mutation.declared_types import NONE, UNKNOWN
from harness.mutation.integers import Form, Normaliser
from harness.mutation.profile import TypeProfile, Types
from harness.mutation.program import WITHIN, Function, FunctionNode, Program, read_program
from harness.mutation.proven_types import ProvenTypes
from harness.mutation.purity import Purity

INTEGERS = "integer algebra"
UNREAD = "unread count"
_INT = frozenset({"int"})
_BLOCKS = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.Match)


def without_equals(
    source: str, mutants: Iterable[Mutant], profile: TypeProfile, program: Program | None = None
) -> list[Mutant]:
    """Return the mutants in the same order; viable ones that the rules show to be equal are no longer viable.

    They become EQUIVALENT, or a DUPLICATE of the earlier mutant that is named in `same_as`. `program` is the same as
    for `mutate`.
    """
    forms = _Forms(source, profile, program or read_program(source))
    first: dict[Form, str] = {}
    classified = []
    for mutant in mutants:
        if mutant.status is not MutantStatus.VIABLE:
            classified.append(mutant)
            continue
        if forms.counts_unread(mutant):
            classified.append(replace(mutant, status=MutantStatus.EQUIVALENT, rule=UNREAD))
            continue
        original, form = forms.of(mutant)
        if form == original:
            classified.append(replace(mutant, status=MutantStatus.EQUIVALENT, rule=INTEGERS))
        elif form in first:
            classified.append(replace(mutant, status=MutantStatus.DUPLICATE, same_as=first[form], rule=INTEGERS))
        else:
            first[form] = mutant.id
            classified.append(mutant)
    return classified


class _Forms:
    """Normal forms of the statements of one source, mutated and not."""

    def __init__(self, source: str, profile: TypeProfile, program: Program) -> None:
        self._source = source
        self._starts = line_starts(source)
        self._program = program
        self._types = _Types(self._program, profile)
        self._normalisers: dict[str, Normaliser] = {}
        self._statements: dict[tuple[str, int, int], tuple[ast.stmt, Form]] = {}

    def of(self, mutant: Mutant) -> tuple[Form, Form]:
        """Return the form of the statement around the mutant, before and after the mutation.

        Each form contains the statement's place, so that forms of other statements never equal it.
        """
        function = self._program.functions[mutant.function]
        at = self._place(mutant)
        statement = _innermost(function.node, at)
        place = mutant.function, statement.lineno, statement.col_offset
        normaliser = self._normaliser(function)
        if place not in self._statements:
            self._statements[place] = statement, (place, normaliser.form(statement))
        low, high = span_offsets(mutant.location, self._starts)
        if isinstance(statement, _BLOCKS) and self._begins(statement) == low:
            return self._statements[place][1], (place, mutant.id)  # all of it is left out; forms are of heads alone
        text = self._source[:low] + mutant.replacement + self._source[high:]
        start, end = self._span(function.node, len(text) - len(self._source))
        is_indented = bool(function.node.col_offset)
        heading = "if 1:\n" * is_indented  # below which a method keeps its indentation
        mutated = ast.parse(heading + text[start:end]).body[0]
        below = at[0] - function.node.lineno + 1 + is_indented, at[1]
        return self._statements[place][1], (place, normaliser.form(_innermost(mutated, below)))

    def counts_unread(self, mutant: Mutant) -> bool:
        """Return whether the mutant counts an integer variable up or down after the last time that it is read.

        Such a mutant replaces `n` by `(n := n + 1) - 1`, or by the same with a minus.
        """
        try:
            replacement = ast.parse(mutant.replacement, mode="eval").body
        except SyntaxError:
            return False
        match replacement:
            case ast.BinOp(ast.NamedExpr(ast.Name(name), ast.BinOp(ast.Name(read), one, by)), other, back):
                opposite = {type(one), type(other)} == {ast.Add, ast.Sub}
                if not (opposite and name == read == mutant.original and ast.dump(by) == ast.dump(back)):
                    return False
            case _:
                return False
        function = self._program.functions[mutant.function]
        whole = isinstance(by, ast.Constant) and type(by.value) is int
        integer = self._types.is_integer(ast.Name(name, ast.Load()), function.name)
        return whole and integer and is_last_use(function.node, name, self._place(mutant))

    def _place(self, mutant: Mutant) -> Place:
        line, column = mutant.location.line, mutant.location.column
        return line, len(self._line(line)[:column].encode())

    def _begins(self, statement: ast.stmt) -> int:
        """Return the offset of the statement's first character."""
        before = self._line(statement.lineno).encode()[: statement.col_offset].decode()
        return self._starts[statement.lineno - 1] + len(before)

    def _line(self, number: int) -> str:
        return self._source[self._starts[number - 1] :].partition("\n")[0]

    def _span(self, node: ast.stmt, longer: int) -> tuple[int, int]:
        last = node.end_lineno or node.lineno
        end = self._starts[last] if last < len(self._starts) else len(self._source)
        return self._starts[node.lineno - 1], end + longer

    def _normaliser(self, function: Function) -> Normaliser:
        if function.name not in self._normalisers:
            parameters = frozenset(parameter_names(function.node.args)) - {
                n.id for n in ast.walk(function.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)
            }
            self._normalisers[function.name] = Normaliser(
                is_integer=lambda node: self._types.is_integer(node, function.name),
                may_raise=lambda node: not (isinstance(node, ast.Name) and node.id in parameters),
            )
        return self._normalisers[function.name]


def _innermost(node: ast.stmt, at: Place) -> ast.stmt:
    """Return the innermost statement that holds the place."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.stmt) and inner is not node:
            start, end = (inner.lineno, inner.col_offset), (inner.end_lineno, inner.end_col_offset)
            if start <= at < end:
                return _innermost(inner, at)
    return node


class _Types:
    """Decides which names and attributes of one program are surely integers and are read without side effects."""

    def __init__(self, program: Program, profile: TypeProfile) -> None:
        self._program = program
        self._profile = profile
        self._proven = ProvenTypes(program)
        self._purity = Purity(program.tree)

    def is_integer(self, node: ast.expr, function: str) -> bool:
        """Return whether a name, an attribute or a call of len is surely an integer and read without side effects."""
        if isinstance(node, ast.Call):
            counted = node.args[0]
            return _is_chain(counted) and self._purity.pure(node) and "len" not in self._proven.variables(function)
        if not _is_chain(node):
            return False
        return self._types(node, function) == _INT and self._purity.pure(node)

    def _types(self, node: ast.expr, function: str) -> Types:
        """Return the proven types and the observed ones, since an annotation may lie; UNKNOWN if no type is proven."""
        if isinstance(node, ast.Name):
            proven = self._proven.variables(function).get(node.id, UNKNOWN)
            observed = self._profile.variables.get(function.partition(WITHIN)[0], {})
            return proven and proven | observed.get(node.id, UNKNOWN)
        if not isinstance(node, ast.Attribute):
            return UNKNOWN
        names: set[str] = set()
        for owner in self._types(node.value, function) - {NONE}:
            types = self._proven.fields(owner).get(node.attr, UNKNOWN)
            names |= types or {"object"}
            for above in self._program.lineage(owner):
                names |= self._profile.attributes.get(above.name, {}).get(node.attr, UNKNOWN)
        return frozenset(names)


def _is_chain(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


_INNER = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def is_last_use(function: FunctionNode, name: str, place: Place) -> bool:
    """Return whether `function` surely never reads the variable `name` again after it has read it at `place`.

    The answer is cautious. It is True only if the use lies in no loop, all other uses stand before the statement that
    holds it, and no scope within the function knows the name. Without a loop around them, statements are never followed
    by earlier ones.
    """
    if name not in bound_names(function):
        return False
    for node in ast.walk(function):
        if node is not function and isinstance(node, _INNER) and name in _names(node):
            return False
    if not LOOKING_AT_VARIABLES.isdisjoint(_names(function)):
        return False
    statement: ast.stmt | None = None
    for outer in _around(function, place):
        if isinstance(outer, _LOOPS):
            return False
        statement = outer
    if statement is None:
        return False
    start = statement.lineno, statement.col_offset
    return all(at == place or at < start for at in _uses(function, name))


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _around(function: FunctionNode, place: Place) -> Iterator[ast.stmt]:
    """Yield the statements that hold the place, outer ones first."""
    for node in ast.walk(function):  # level by level
        if isinstance(node, ast.stmt) and node is not function:
            end = node.end_lineno or node.lineno, node.end_col_offset or 0
            if (node.lineno, node.col_offset) <= place < end:
                yield node


def _uses(function: FunctionNode, name: str) -> Iterator[Place]:
    """Yield the places where the variable is read, augmented or deleted."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Store):
            yield node.lineno, node.col_offset
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield node.target.lineno, node.target.col_offset
