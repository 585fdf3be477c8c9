"""Spliced text against trees edited with the standard library alone."""

import ast
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings
from mutated_programs import arithmetic, conditions, parses
from support.sweeps import examples

from harness.errors import ManifestError
from harness.kernel.program.splice import line_starts, mutated_source, text_at
from harness.model.outcome import Location, Mutant
from harness.mutation.mutate import mutate
from harness.mutation.operators import OPERATORS
from harness.mutation.program import TypeProfile

BY_CODE = {operator.code: operator for operator in OPERATORS}
ARITHMETIC = [ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod]
RELATIONS = [ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq]
BITS = [ast.BitAnd, ast.BitOr, ast.BitXor]


def other_operators(operator: ast.AST, family: list[type]) -> list[ast.AST]:
    return [kind() for kind in family if not isinstance(operator, kind)] if type(operator) in family else []


def arithmetic_edits(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp):
        replacements = other_operators(node.op, ARITHMETIC)
        if isinstance(node.op, ast.Div):
            replacements = [ast.Add(), ast.Sub(), ast.Mult(), ast.FloorDiv()]
        if isinstance(node.op, ast.Pow):
            replacements = [ast.Mult(), ast.Add()]
        zero = isinstance(node.right, ast.Constant) and node.right.value == 0 and is_whole(node.left)
        for other in replacements:
            if not (zero and isinstance(other, (ast.FloorDiv, ast.Mod))):
                yield ast.BinOp(node.left, other, node.right)


def is_whole(node: ast.AST) -> bool:
    """Return whether the types of an arithmetic expression are known, and int."""
    match node:
        case ast.Constant(value=int()):
            return True
        case ast.Name(id=name):
            return name in "ijk"
        case ast.UnaryOp(operand=operand):
            return is_whole(operand)
        case ast.BinOp(left=left, op=operator, right=right):
            return not isinstance(operator, (ast.Div, ast.Pow)) and is_whole(left) and is_whole(right)
    return False


def bitwise_edits(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp):
        for other in other_operators(node.op, BITS) + other_operators(node.op, [ast.LShift, ast.RShift]):
            yield ast.BinOp(node.left, other, node.right)


def relational_edits(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for position, operator in enumerate(node.ops):
            for other in other_operators(operator, RELATIONS):
                yield ast.Compare(node.left, [*node.ops[:position], other, *node.ops[position + 1 :]], node.comparators)


def identity_edits(node: ast.AST) -> Iterator[ast.AST]:
    opposites = {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
    if isinstance(node, ast.Compare):
        for position, operator in enumerate(node.ops):
            if type(operator) in opposites:
                other = opposites[type(operator)]()
                yield ast.Compare(node.left, [*node.ops[:position], other, *node.ops[position + 1 :]], node.comparators)


def logical_edits(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)


def unary_edits(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.UnaryOp):
        for other in other_operators(node.op, [ast.UAdd, ast.USub, ast.Invert]):
            if is_whole(node.operand) or not isinstance(other, ast.Invert):
                yield ast.UnaryOp(other, node.operand)


def dropped_edits(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand


def negated_edits(node: ast.AST) -> Iterator[ast.AST]:
    truth_tested = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
    if isinstance(node, ast.BoolOp):
        for position, value in enumerate(node.values):
            if isinstance(value, truth_tested):
                negated = ast.UnaryOp(ast.Not(), value)
                yield ast.BoolOp(node.op, [*node.values[:position], negated, *node.values[position + 1 :]])
    if isinstance(node, ast.IfExp) and isinstance(node.test, truth_tested):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)


def constant_edits(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        for other in {node.value + 1, node.value - 1, 0, 1} - {node.value}:
            yield ast.Constant(other) if other >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-other))


def variable_edits(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Name) and node.id in "ijk":
        for other in set("ijk") - {node.id}:
            yield ast.Name(other, ast.Load())


def insertion_edits(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Name) and node.id in "ijk":
        for operator in (ast.Add(), ast.Sub()):
            yield ast.BinOp(node, operator, ast.Constant(1))


class Binary(ast.NodeTransformer):
    """`a and b and c` as `(a and b) and c`, as libcst has it."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        first, *later_values = node.values
        for value in later_values:
            first = ast.BoolOp(node.op, [first, value])
        return first


def tree_of(source: str) -> ast.Module:
    return Binary().visit(ast.parse(source))


def edited(source: str, edits: Callable[[ast.AST], Iterator[ast.AST]]) -> list[str]:
    """Return dumps of all trees with one edit."""
    tree = tree_of(source)
    dumps = []
    for node in list(ast.walk(tree)):
        for holder, place, child in places_of(node):
            for replacement in list(edits(child)):
                holder[place] = replacement
                dumps.append(ast.dump(tree))
                holder[place] = child
    return dumps


def places_of(node: ast.AST) -> Iterator[tuple[Any, str | int, ast.AST]]:
    """Yield the places that hold the children of a node: its attributes, or items of their lists."""
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield vars(node), name, value
        elif isinstance(value, list):
            yield from ((value, number, child) for number, child in enumerate(value) if isinstance(child, ast.AST))


PARAMETERS = "i: int, j: int, k: int, s, n"
CASES = {
    "AOR": arithmetic_edits,
    "AOI": insertion_edits,
    "BOR": bitwise_edits,
    "ROR": relational_edits,
    "IDR": identity_edits,
    "LCR": logical_edits,
    "UOR": unary_edits,
    "COI": negated_edits,
    "COD": dropped_edits,
    "CRP": constant_edits,
    "VRR": variable_edits,
}


@pytest.mark.parametrize("code", CASES)
@pytest.mark.parametrize("before", ["    return ", "    é = 'ü'; x = s["])
def test_spliced_mutants_are_the_trees_with_one_edit(code, before):
    @settings(max_examples=examples(24), deadline=None, derandomize=True)
    @given(arithmetic if code in ("AOR", "BOR", "UOR") else conditions)
    def check(expression: str) -> None:
        assume(parses(expression))
        close = "]" if before.endswith("[") else ""
        around = f"({expression}\n){close}" if "\n" in expression else expression + close
        source = f"def function({PARAMETERS}):\n{before}{around}\n"
        mutants = mutate(source, ["function"], TypeProfile(), [BY_CODE[code]])
        spliced = [ast.dump(tree_of(mutated_source(source, mutant))) for mutant in mutants]
        assert sorted(spliced) == sorted(edited(source, CASES[code]))
        assert len({mutant.id for mutant in mutants}) == len(mutants)
        assert all(text_at(source, mutant.location) == mutant.original for mutant in mutants)

    check()


def test_a_keyword_before_the_replaced_text_keeps_a_distance():
    source = "def f(a: int):\n    return-a if not(a)else 2\n"
    operators = [BY_CODE["AOI"], BY_CODE["COD"]]
    texts = {mutated_source(source, m) for m in mutate(source, ["f"], TypeProfile(), operators)}
    assert texts >= {
        "def f(a: int):\n    return-(a + 1) if not(a)else 2\n",
        "def f(a: int):\n    return-a if (a)else 2\n",
    }


def test_nested_operations_and_attributes_have_ids_of_their_own():
    source = "class N:\n    a: 'N'\n    b: 'N'\n\ndef f(n: N, x: int):\n    return n.a.a.a, x + x + x\n"
    mutants = mutate(source, ["f"], TypeProfile())
    assert len({mutant.id for mutant in mutants}) == len(mutants)
    assert {m.id for m in mutants if m.replacement.endswith(".b")} == {
        "FRR:6:13:n.b",
        "FRR:6:15:n.a.b",
        "FRR:6:17:n.a.a.b",
    }


def test_lines_end_where_python_ends_them():
    source = "a = 1\r\nb = '\f'\rc = 3\nd"
    assert [source[start] for start in line_starts(source)] == ["a", "b", "c", "d"]


def test_a_mutant_of_another_source_is_not_spliced():
    mutant = Mutant("CRP:1:4:2", "CRP", "f", Location(1, 4, 1, 5), "1", "2", "")
    assert mutated_source("x = 1\n", mutant) == "x = 2\n"
    with pytest.raises(ManifestError, match="has 'y' at 1:4"):
        mutated_source("x = y\n", mutant)
