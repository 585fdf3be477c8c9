"""The table of operators: examples, identity, page; spliced text against trees edited by the standard library."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import assume, given, settings
from mutated_programs import arithmetic, conditions, parses
from support.sweeps import examples

from benchmarks.operators_page import operators_page
from harness.errors import ManifestError
from harness.kernel.program.splice import line_starts, mutated_source, text_at
from harness.model.outcome import Location, Mutant
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import FERASTRAU, MUJAVA, OPERATOR_SETS, operator_set, operators_of
from harness.mutation.operators import OPERATORS, MutationOperator
from harness.mutation.operators.mujava import MUJAVA_OPERATORS
from harness.mutation.program import TypeProfile, read_program

TABLES = [OPERATORS, MUJAVA_OPERATORS]
EXAMPLES = [(operator, example) for table in TABLES for operator in table for example in operator.examples]


def changes_by(operator: MutationOperator, source: str, profile: TypeProfile | None = None) -> list[tuple[str, str]]:
    functions = list(read_program(source).functions)
    return [(m.original, m.replacement) for m in mutate(source, functions, profile or TypeProfile(), [operator])]


@pytest.mark.parametrize(("operator", "example"), EXAMPLES, ids=lambda value: getattr(value, "code", ""))
def test_an_example_shows_exactly_what_its_operator_does(operator, example):
    assert changes_by(operator, example.before) == list(example.changes)


@pytest.mark.parametrize("table", TABLES, ids=["ferastrau", "mujava"])
def test_every_operator_has_a_code_of_its_own_and_an_example_that_changes_something(table):
    assert len({operator.code for operator in table}) == len(table)
    assert all(any(example.changes for example in operator.examples) for operator in table)


def test_mutants_of_two_sets_with_one_id_are_one_mutant():
    source = (
        "class N:\n    key: int\n    left: 'N'\n    ok: bool\n\ndef f(n: N, k: int, b: bool):\n"
        "    while n is not None and n.key < k or not b:\n        k += 1\n        n = n.left\n    return -k + n.key\n"
    )
    by_id = [
        {m.id: m for m in mutate(source, ["f"], TypeProfile(), operators_of(found))} for found in OPERATOR_SETS.values()
    ]
    shared = [(one, other) for one in by_id for other in by_id if one is not other and one.keys() & other.keys()]
    assert shared
    assert all(one[name] == other[name] for one, other in shared for name in one.keys() & other.keys())


def test_the_page_of_operators_has_a_section_with_examples_for_each_operator():
    page = operators_page()
    for table in TABLES:
        assert all(f"\n## {operator.code}" in page for operator in table)


def test_another_operator_renumbers_nothing():
    source = "def f(a: int, b: int):\n    return a + b < 3 and not -a\n"
    for table in TABLES:
        everything = [m.id for m in mutate(source, ["f"], TypeProfile(), table)]
        for operator in table:
            other_operators = [o for o in table if o is not operator]
            fewer = [m.id for m in mutate(source, ["f"], TypeProfile(), other_operators)]
            assert fewer == [identity for identity in everything if not identity.startswith(f"{operator.code}:")]


def test_only_the_bodies_of_the_functions_asked_for_are_mutated():
    source = (
        "import os\n\n@print(1)\ndef f(a: int = 1) -> 'int':\n    '''Doc 1.'''\n    b: dict[int, 1] = {}\n"
        "    global os\n    match b:\n        case 1 if b: pass\n    return f'{a + 1}', 'text'\n\ndef g(): return 1\n"
    )
    assert {m.id for m in mutate(source, ["f"], TypeProfile())} == set()
    assert {m.id for m in mutate(source, ["g"], TypeProfile())} == {"CRP:12:16:2", "CRP:12:16:0"}


def test_of_two_definitions_the_last_one_counts():
    source = "try:\n    def f(): return 1\nexcept ImportError:\n    def f(): return 0\n"
    assert {m.location.line for m in mutate(source, ["f"], TypeProfile())} == {4}


INNER = "    def inner(a: str, b: str): ...\n"
INT, BOOL, NODE = frozenset({"int"}), frozenset({"bool"}), frozenset({"N", "NoneType"})
OF_VARIABLES = TypeProfile({"f": {"a": INT, "b": BOOL, "d": frozenset({"int", "NoneType"})}})
OF_INTEGERS = TypeProfile({"f": {"a": INT, "b": INT}})
OF_FIELDS = TypeProfile({"f": {"n": NODE}}, {}, {"N": {"a": NODE, "b": frozenset({"N"}), "c": INT}})
SILENT = "def f(a, b, c: 'int'):\n    d = a\n    return c\n"
CHANGES = {
    "without a profile, nothing is known of what has no annotation": ("VRR", SILENT, None, []),
    "the profile tells types where annotations do not": (
        "VRR", SILENT, OF_VARIABLES, [("a", "c"), ("c", "a"), ("c", "d")]
    ),
    "an annotation outranks the profile": ("VRR", "def f(a: bool, b: int):\n    return a\n", OF_INTEGERS, []),
    "Any is no annotation": ("VRR", "def f(a: Any, b: int | None):\n    return a\n", OF_INTEGERS, [("a", "b")]),
    "a star parameter is no item": ("VRR", "def f(a: int, *b: int, **c: int):\n    return a, b, c\n", None, []),
    "a star parameter is a tuple": ("VRR", "def f(a: tuple, *b: int):\n    return a\n", None, [("a", "b")]),
    "an inner function hides no annotation": (
        "VRR", f"def f(a: int, b: int):\n{INNER}    return a\n", None, [("a", "b")]
    ),
    "an inner function gives no annotation": ("VRR", f"def f(a, b: int):\n{INNER}    return b\n", None, []),
    "a variable without a value yet replaces none": (
        "VRR",
        "def f(a: int):\n    if a:\n        b: int = a\n        return a\n    c: int = a\n    return a\n",
        None,
        [("a", "b"), ("a", "c")],
    ),
    "a target changes only between variables that have values": (
        "VRR", "def f(a: int):\n    b: int\n    b = 1\n    b = 2\n    a = 3\n", None, [("b", "a"), ("a", "b")]
    ),
    "fields are replaced in targets, chains and tuples, but not in loops": (
        "FRR",
        "class N:\n    a: int\n    b: int\n\ndef f(n: N):\n    n.a, n.b = 1, 2\n    n.a += 1\n"
        "    for n.a in []: pass\n    del n.b\n",
        None,
        [("n.a", "n.b"), ("n.b", "n.a"), ("n.a", "n.b")],
    ),
    "fields are found by the profile, too": (
        "FRR", "class N: pass\ndef f(n): return n.a.c\n", OF_FIELDS, [("n.a", "n.b"), ("n.a", "n")]
    ),
}  # fmt: skip


@pytest.mark.parametrize(("code", "source", "profile", "expected"), CHANGES.values(), ids=CHANGES)
def test_variables_and_fields_change_only_as_types_and_values_allow(code, source, profile, expected):
    (operator,) = (o for o in OPERATORS if o.code == code)
    assert changes_by(operator, source, profile) == expected


def test_an_invocation_keeps_to_compatible_signatures():
    source = (
        "def one(a: int) -> int: return a\ndef two(b: int, c: int = 0) -> int: return b\n"
        "def other(a: str) -> int: return 0\ndef void(a: int) -> None: pass\ndef many(*a) -> int: return 0\n"
        "def named(*, a: int) -> int: return 0\n"
        "def f(): return one(1)\ndef g():\n    one(1)\n"
    )
    invocations = [
        (m.function, m.replacement) for m in mutate(source, ["f", "g"], TypeProfile()) if m.operator == "MIR"
    ]
    assert invocations == [("f", "two"), ("g", "two"), ("g", "void")]


def test_identifiers_shorten_long_replacements_by_a_digest():
    source = "def f(first_argument: int, second_argument: int):\n    return first_argument + second_argument\n"
    ids = [m.id for m in mutate(source, ["f"], TypeProfile()) if m.operator == "AOR"]
    assert ids[0].startswith("AOR:2:26:first_argument_-_")
    assert len(ids[0]) < 48
    assert len(set(ids)) == 4


def test_ferastrau_replaces_operators_variables_and_invocations_and_no_more():
    outside = {operator.code for operator in OPERATORS} - set(FERASTRAU.operators)
    assert outside == {"AOI", "COI", "COD", "CRP"}
    source = "def f(a: int, b: int):\n    if a:\n        return not a + 1 < b\n"
    operators = {m.operator for m in mutate(source, ["f"], TypeProfile(), operators_of(FERASTRAU))}
    assert operators == {"AOR", "ROR", "VRR"}


def test_mujava_has_each_method_level_operator_or_says_that_python_has_no_counterpart():
    assert operators_of(MUJAVA) == MUJAVA_OPERATORS
    described = (
        "AORB AORS AOIU AOIS AODU AODS ROR COR COD COI SOR LOR LOI LOD ASRS SDL VDL CDL ODL"  # of its description
    )
    assert "\n| AODS |" in operators_page()
    assert sorted([*MUJAVA.operators, "AODS"]) == sorted(described.split())


def test_a_code_means_in_each_set_what_the_set_says():
    source = "def f(a: int, b: int):\n    return a < b\n"
    replacements = {
        name: [
            m.replacement
            for m in mutate(source, ["f"], TypeProfile(), operators_of(operator_set(name)))
            if m.operator == "ROR"
        ]
        for name in OPERATOR_SETS
    }
    relations = ["a <= b", "a > b", "a >= b", "a == b", "a != b"]
    assert replacements == {"ferastrau": relations, "extended": relations, "mujava": [*relations, "True", "False"]}


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
