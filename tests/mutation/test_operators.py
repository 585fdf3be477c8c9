"""The table of operators: examples, identity, page."""

import pytest

from benchmarks.operators_page import operators_page
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import OPERATOR_SETS, operators_of
from harness.mutation.operators import OPERATORS, MutationOperator
from harness.mutation.operators.mujava import MUJAVA_OPERATORS
from harness.mutation.profile import TypeProfile
from harness.mutation.program import read_program

TABLES = [OPERATORS, MUJAVA_OPERATORS]
EXAMPLES = [(operator, example) for table in TABLES for operator in table for example in operator.examples]


def changes(source: str, code: str, profile: TypeProfile | None = None) -> list[tuple[str, str]]:
    (operator,) = (o for o in OPERATORS if o.code == code)
    return changes_by(operator, source, profile)


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


@pytest.mark.sweep
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


def test_types_come_from_the_profile_where_annotations_are_silent():
    source = "def f(a, b, c: 'int'):\n    d = a\n    return c\n"
    assert changes(source, "VRR") == []
    profile = TypeProfile(
        {"f": {"a": frozenset({"int"}), "b": frozenset({"bool"}), "d": frozenset({"int", "NoneType"})}}
    )
    assert changes(source, "VRR", profile) == [("a", "c"), ("c", "a"), ("c", "d")]


def test_an_annotation_outranks_the_profile_and_bool_is_not_int():
    profile = TypeProfile({"f": {"a": frozenset({"int"}), "b": frozenset({"int"})}})
    assert changes("def f(a: bool, b: int):\n    return a\n", "VRR", profile) == []
    assert changes("def f(a: Any, b: int | None):\n    return a\n", "VRR", profile) == [("a", "b")]


def test_an_annotation_of_a_star_parameter_is_that_of_its_items():
    assert changes("def f(a: int, *b: int, **c: int):\n    return a, b, c\n", "VRR") == []
    assert changes("def f(a: tuple, *b: int):\n    return a\n", "VRR") == [("a", "b")]


def test_an_annotation_of_an_inner_function_tells_nothing_of_the_outer_one():
    inner = "    def inner(a: str, b: str): ...\n"
    assert changes(f"def f(a: int, b: int):\n{inner}    return a\n", "VRR") == [("a", "b")]
    assert changes(f"def f(a, b: int):\n{inner}    return b\n", "VRR") == []


def test_a_variable_without_a_value_yet_replaces_none():
    source = "def f(a: int):\n    if a:\n        b: int = a\n        return a\n    c: int = a\n    return a\n"
    assert changes(source, "VRR") == [("a", "b"), ("a", "c")]


def test_a_target_changes_only_between_variables_that_have_values():
    source = "def f(a: int):\n    b: int\n    b = 1\n    b = 2\n    a = 3\n"
    assert changes(source, "VRR") == [("b", "a"), ("a", "b")]


def test_fields_are_replaced_in_targets_chains_and_tuples_but_not_in_loops():
    source = (
        "class N:\n    a: int\n    b: int\n\ndef f(n: N):\n    n.a, n.b = 1, 2\n    n.a += 1\n"
        "    for n.a in []: pass\n    del n.b\n"
    )
    assert changes(source, "FRR") == [("n.a", "n.b"), ("n.b", "n.a"), ("n.a", "n.b")]


def test_fields_are_found_by_the_profile_too():
    profile = TypeProfile(
        {"f": {"n": frozenset({"N", "NoneType"})}},
        {},
        {"N": {"a": frozenset({"N", "NoneType"}), "b": frozenset({"N"}), "c": frozenset({"int"})}},
    )
    assert changes("class N: pass\ndef f(n): return n.a.c\n", "FRR", profile) == [("n.a", "n.b"), ("n.a", "n")]


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
