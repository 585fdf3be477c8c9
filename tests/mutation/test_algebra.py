"""Mutants that equal others are found, by the algebra of integers, proven types and last uses, and no others."""

from __future__ import annotations

import ast
import math
import sys
from types import FrameType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_programs import RUNS, programs
from support.sweeps import examples
from test_schemata import PROFILE, behaviour

from harness.kernel.program.splice import mutated_source
from harness.model.outcome import Mutant, MutantStatus, OperatorSet
from harness.mutation.algebra import INTEGERS, UNREAD, ProvenTypes, without_equals
from harness.mutation.integers import Form, Normaliser
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import EXTENDED, MUJAVA, operators_of
from harness.mutation.operators.mujava import MUJAVA_OPERATORS
from harness.mutation.program import TypeProfile, read_program


def equals(
    source: str, profile: TypeProfile | None = None, operators: OperatorSet = EXTENDED
) -> dict[tuple[str, str], str | None]:
    """Return the replacement that each equal mutant equals, by that mutant's original and replacement."""
    types = profile or TypeProfile()
    mutants = without_equals(source, mutate(source, ["f"], types, operators_of(operators)), types)
    by_id = {mutant.id: mutant for mutant in mutants}
    assert all((m.rule in (INTEGERS, UNREAD)) == (m.status is not MutantStatus.VIABLE) for m in mutants)
    return {
        (m.original, m.replacement): by_id[m.same_as].replacement if m.same_as else None
        for m in mutants
        if m.status is not MutantStatus.VIABLE
    }


def test_off_by_one_on_either_side_is_one_mutant():
    equal_to = equals("def f(a: int, b: int):\n    return a < b\n")
    assert equal_to == {
        ("a < b", "a <= b"): "a - 1",
        ("b", "b + 1"): "a - 1",
        ("b", "b - 1"): "a + 1",
        ("b", "a"): "b",  # a < a and b < b are false alike
    }


@pytest.mark.parametrize("indent", ["\t", " ", "        "])
def test_the_indentation_of_a_function_makes_no_difference(indent):
    source = "def f(a: int, b: int):\n    if a < b:\n        return a < b\n    return b\n"
    assert equals(source.replace("    ", indent)) == equals(source)


def test_a_mutant_that_equals_the_original_is_equivalent():
    equal_to = equals("def f(c: list):\n    return len(c) == 0\n")
    assert equal_to[("len(c) == 0", "len(c) <= 0")] is None
    assert equal_to[("0", "-1")] == "len(c) < 0"


def test_equal_changes_of_other_statements_are_not_one():
    source = "def f(a: int):\n    a = a - 1\n    a = a - 1\n    return a\n"
    first = [m for m in without_equals(source, mutate(source, ["f"], TypeProfile()), TypeProfile()) if m.same_as]
    assert first
    assert all(m.same_as.split(":")[1] == str(m.location.line) for m in first)


def test_the_last_character_of_a_line_is_found_in_functions_as_in_methods():
    body = "def f(a: int):\n    if a:\n        return 1\n    return a - 1\n"
    method = "class C:\n" + "".join(f"    {line}\n" for line in body.replace("(a:", "(self, a:").splitlines())

    def dropped(source: str, function: str, above: int) -> set[tuple[int, str, str]]:
        mutants = mutate(source, [function], TypeProfile(), operators_of(EXTENDED))
        remaining = without_equals(source, mutants, TypeProfile())
        return {(m.location.line - above, m.original, m.replacement) for m in remaining if m.same_as}

    dropped_edits = dropped(body, "f", 0)
    assert not {place for place in dropped_edits if place[0] == 3}, "1, 0 and 2 are returned"
    assert (4, "1", "0") in dropped_edits, "(a + 1) - 1 is returned by another"
    assert dropped_edits == dropped(method, "C.f", 1)


def test_what_is_not_surely_an_integer_is_left_alone():
    whole = frozenset({"int"})
    declared = "def f(a: int, b: int):\n    return a + 0 < b - 0\n"
    assert equals(declared)
    assert equals(declared, TypeProfile({"f": {"a": whole, "b": whole}}))
    for other in ("bool", "float", "NoneType"):
        assert not equals(declared, TypeProfile({"f": {"a": whole | {other}, "b": whole | {other}}}))
    assert not equals("def f(a, b):\n    return a + 0 < b - 0\n")


def test_types_that_were_only_observed_make_no_mutants_equal():
    """Inputs that were not observed may bring other types, such as a float that is not a number."""
    whole = frozenset({"int"})
    seen = TypeProfile({"f": {"n": whole, "m": whole}}, attributes={"N": {"x": whole}})
    for source in ("def f(n, m):\n    return n - m >= 0\n", "class N: ...\n\ndef f(n: N, m):\n    return n.x >= m\n"):
        assert equals(source, seen, MUJAVA) == equals(source, operators=MUJAVA)
    source = "def f(n, m):\n    return n - m >= 0\n"
    assert ("n - m >= 0", "not n - m >= 0") not in equals(source, seen, MUJAVA)
    assert ("n - m >= 0", "not n - m >= 0") in equals(source.replace("n, m", "n: int, m: int"), seen, MUJAVA)
    assert eval("not n - m >= 0", {"n": math.nan, "m": 1}) != eval("n - m < 0", {"n": math.nan, "m": 1})


def test_a_name_that_a_comprehension_binds_is_another_variable():
    assert equals("def f(a: int, c: list):\n    return [a + 0 for a in c]\n") == {}


def test_in_a_module_with_special_methods_fields_are_left_alone():
    plain = "class N:\n    x: int\n\ndef f(n: N):\n    return n.x + 0\n"
    assert equals(plain)
    assert not equals(plain.replace("    x: int\n", "    x: int\n    def __getattr__(self, name): ...\n"))


def test_a_changed_case_is_not_taken_for_the_statement_around_it():
    source = "def f(a: int, b: int):\n    match a:\n        case _ if a < b:\n            return b\n"
    mutants: list[Mutant] = without_equals(source, mutate(source, ["f"], TypeProfile()), TypeProfile())
    assert MutantStatus.EQUIVALENT not in {mutant.status for mutant in mutants}


def test_a_block_that_is_left_out_is_not_taken_for_one_with_another_head():
    source = (
        "def f(a: int, b: int):\n"
        "    if a < b:\n        b = 1\n    elif a < b:\n        b = 2\n    else:\n        b = 3\n"
        "    while a < 1:\n        a += 1\n    return b\n"
    )
    equal_to = equals(source, operators=MUJAVA)
    assert ("a < b", "not a < b") in equal_to
    assert not [original for original, _ in equal_to if original.startswith(("if", "elif", "while"))]


def test_counting_up_where_a_variable_is_read_is_another_mutant_on_either_side():
    equal_to = equals("def f(n: int):\n    return n + n\n", operators=MUJAVA)
    assert ("n", "-n") in equal_to
    assert not [replacement for _, replacement in equal_to if ":=" in replacement]


AOIS = [operator for operator in MUJAVA_OPERATORS if operator.code == "AOIS"]


def in_vain(body: str) -> list[tuple[int, int]]:
    """Line and column, below the head, of the uses of n whose counting afterwards makes no difference."""
    source = "def f(n: int, k):" + "".join(f"\n    {line}" for line in body.splitlines()) + "\n"
    profile = TypeProfile()
    mutants = without_equals(source, mutate(source, ["f"], profile, AOIS), profile)
    unread = [m for m in mutants if m.rule == UNREAD]
    assert all(m.status is MutantStatus.EQUIVALENT and m.replacement.strip("()")[-1] == "1" for m in unread)
    places = sorted((m.location.line - 1, m.location.column - 4) for m in unread)
    assert places[::2] == places[1::2], "both n++ and n--"
    return places[::2]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return n", [(1, 7)]),
        ("k = n\nreturn n", [(2, 7)]),
        ("return n + n", []),
        ("k[n] = n", []),
        ("if n: return k\nreturn 1", [(1, 3)]),
        ("if n: return n\nreturn 1", [(1, 13)]),
        ("if k: return n\nreturn n", [(2, 7)]),
        ("while k: k = n", []),
        ("for k in range(n): pass", []),
        ("while n: n -= 1\nreturn n", [(2, 7)]),
        ("try: return n\nfinally: k(n)", [(2, 11)]),
        ("k(n)\nreturn lambda: n", []),
        ("k(n)\nreturn [n for _ in k]", []),
        ("k(n)\nreturn locals()", []),
        ("k(n)\nn += 1", []),
        ("k(n)\nn = 1", [(1, 2)]),
        ("k(n)\ndel n", []),
    ],
)
def test_counting_behind_the_last_use_is_equivalent(body, expected):
    assert in_vain(body) == expected


@pytest.mark.slow
@settings(max_examples=examples(30), deadline=None, derandomize=True)
@given(programs, st.tuples(*[st.integers(0, 4)] * 3))
def test_equivalents_of_random_programs_do_as_the_original(source, inputs):
    for mutant in without_equals(source, mutate(source, RUNS, PROFILE, AOIS), PROFILE):
        if mutant.status is MutantStatus.EQUIVALENT:
            assert behaviour(mutated_source(source, mutant), 0, inputs) == behaviour(source, 0, inputs), mutant


HEAD = """
class Node:
    key: int
    other = 1
    next: "Node | None"
    items: list[int]
    rows: list[list]
    table: dict[int, int]

    def size(self) -> int: ...
    @cached
    def rank(self) -> int: ...
    async def later(self) -> int: ...

def whole() -> int: ...
def unknown(): ...
"""


def types_of_x(body: str, head: str = HEAD) -> set[str]:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    source = f"{head}\ndef f(a: int, n: Node, u, text: str):\n{lines}"
    return set(ProvenTypes(read_program(source)).variables("f").get("x", ()))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = 1", {"int"}),
        ("x = a", {"int"}),
        ("x = -(2 * a + 1) // 2 % 7", {"int"}),
        ("x = 0\nwhile a:\n    x = x + a\n    x += 1", {"int"}),
        ("y = 0\nx = 1\nwhile a: x, y = y, x", {"int"}),
        ("x = (y := a) + y", {"int"}),
        ("x = a if a else 0", {"int"}),
        ("x = a or 1", {"int"}),
        ("x = len(text)", {"int"}),
        ("for x in range(a): pass", {"int"}),
        ("x = n.key", {"int"}),
        ("x = n.next.key", {"int"}),
        ("x = n\nwhile x: x = x.next", {"Node", "NoneType"}),
        ("x = n.items[a - 1]", {"int"}),
        ("x = n.rows[0]", {"list"}),
        ("x = n.size()", {"int"}),
        ("x = whole()", {"int"}),
        ("x = Node()", {"Node"}),
        ("x = None\nx = 1", {"int", "NoneType"}),
        ("x: int = unknown()", {"int"}),
    ],
)
def test_a_local_has_the_types_of_all_values_that_it_is_given(body, expected):
    assert types_of_x(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "x = u",
        "x = a / 2",
        "x = a ** 2",
        "x = a + u",
        "x = a + True",
        "x = 1\nx = u",
        "x = 1\nx += u",
        "x = 1\nx, y = u",
        "x, *y = a, a, a",
        "x = 1\nfor x in u: pass",
        "x = 1\nwith u as x: pass",
        "x = 1\ntry: pass\nexcept E as x: pass",
        "x = 1\nmatch u:\n    case [x]: pass",
        "x = 1\nimport x",
        "x = 1\ndel x",
        "x = 1\ndef x(): ...",
        "x = 1\ndef g():\n    nonlocal x\n    x = u",
        "global x\nx = 1",
        "x = 1\nreturn [x for x in u]",
        "x = 1\nreturn lambda x: x",
        "x = a\nreturn lambda a: a",
        "x = n.other",
        "x = n.items[u]",
        "x = n.items[1:]",
        "x = n.table[1]",
        "x = u.items[1]",
        "x = n.other[1]",
        "x = n.rank()",
        "x = n.later()",
        "x = unknown()",
        "len = u\nx = len(text)",
        "range = u\nfor x in range(a): pass",
        "whole = u\nx = whole()",
        "x = y\ny = x",
    ],
)
def test_one_value_of_unknown_type_makes_the_local_unknown(body):
    assert types_of_x(body) == set()


@pytest.mark.parametrize(
    "definition", ["len = unknown", "def len(c): ...", "from m import len", "from m import *", "for len in m: ..."]
)
def test_a_name_with_another_meaning_in_the_module_is_not_the_builtin(definition):
    assert types_of_x("x = len(text)", f"{HEAD}\n{definition}\n") == set()


@settings(max_examples=examples(40), deadline=None, derandomize=True)
@given(programs, st.tuples(*[st.integers(0, 4)] * 3))
def test_values_of_random_programs_have_the_proven_types(source, inputs):
    proven = ProvenTypes(read_program(source)).variables("Machine.run")
    seen: dict[str, set[str]] = {}

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_qualname == "Machine.run":
            for name, value in frame.f_locals.items():
                seen.setdefault(name, set()).add(type(value).__name__)
        return look

    former = sys.gettrace()
    sys.settrace(look)
    try:
        behaviour(source, 0, inputs)
    finally:
        sys.settrace(former)
    assert "int" in seen["i"]
    assert [name for name, types in seen.items() if proven.get(name) and not types <= proven[name]] == []


def is_integer(node: ast.expr) -> bool:
    return not (isinstance(node, ast.Name) and node.id in ("n", "text"))


def may_raise(node: ast.expr) -> bool:
    return not isinstance(node, ast.Name)


def form(expression: str) -> Form:
    return Normaliser(is_integer, may_raise).form(ast.parse(expression, mode="eval").body)


def outcome(expression: str, names: dict[str, Any]) -> object:
    try:
        value = eval(expression, {"len": len}, names)
    except Exception as error:
        return type(error)
    return type(value), value


_LEAF = st.sampled_from(["a", "b", "a", "0", "1", "2", "-1", "n.x", "m.x", "len(c)"])
_NUMBER = st.recursive(
    _LEAF,
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner),
        st.builds("({}{})".format, st.sampled_from(["-", "+", "~"]), inner),
    ),
    max_leaves=4,
)
_RELATIONS = ["<", "<=", ">", ">=", "==", "!="]
_TEST = st.builds("{} {} {}".format, _NUMBER, st.sampled_from(_RELATIONS), _NUMBER)
_EXPRESSION = st.one_of(_NUMBER, _TEST, _TEST.map("not ({})".format))
_VALUES = st.integers(-3, 3)
_OBJECTS = st.one_of(st.none(), st.builds(SimpleNamespace, x=_VALUES))
_NAMES = st.fixed_dictionaries(
    {"a": _VALUES, "b": _VALUES, "n": _OBJECTS, "m": _OBJECTS, "c": st.lists(st.none(), max_size=3)}
)


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=examples(60))
@given(st.lists(_EXPRESSION, min_size=40, max_size=40, unique=True), st.lists(_NAMES, min_size=8, max_size=8))
def test_expressions_of_one_form_do_the_same(expressions, every):
    by_form: dict[Form, list[object]] = {}
    for expression in expressions:
        outcomes = [outcome(expression, names) for names in every]
        assert by_form.setdefault(form(expression), outcomes) == outcomes


@settings(derandomize=True, deadline=None, max_examples=examples(150))
@given(
    _NUMBER, _NUMBER, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), st.lists(_NAMES, min_size=12, max_size=12)
)
def test_a_rewritten_comparison_has_the_same_form_and_does_the_same(left, right, operator, every):
    opposite = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}[operator]
    one = f"{left} {operator} {right}"
    for other in (
        f"{left} + 1 {operator} {right} - -1",
        f"{left} * 2 {operator} {right} * 2",
        f"{left} - {right} {operator} 0",
        f"not ({left} {opposite} {right})",
    ):
        assert form(one) == form(other)
        assert [outcome(one, names) for names in every] == [outcome(other, names) for names in every]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a + 1 < b", "a < b - 1"),
        ("a < b", "a <= b - 1"),
        ("a > b", "not a <= b"),
        ("a == b", "b == a"),
        ("a * 1", "a // 1"),
        ("a + 0", "a"),
        ("a - -1", "a + 1"),
        ("~a", "-a - 1"),
        ("7 // 2", "3"),
        ("2 * a < 7", "a <= 3"),
        ("2 * a == 7", "3 * a == 7"),
        ("len(c) <= 0", "len(c) == 0"),
        ("len(c) > 0", "len(c) != 0"),
        ("text[a + 1 - 1]", "text[a]"),
    ],
)
def test_these_are_equal(one, other):
    assert form(one) == form(other)
    every = [{"a": a, "b": b, "c": [None] * abs(b), "text": "abcdefg"} for a in range(-3, 4) for b in range(-3, 4)]
    assert [outcome(one, names) for names in every] == [outcome(other, names) for names in every]


@pytest.mark.parametrize(
    ("one", "other"),
    [("a + 1 < b", "a < b"), ("n.x * 0", "0"), ("n.x - m.x < 0", "m.x - n.x > 0"), ("a % b", "a % -b"), ("n", "n + 0")],
)
def test_these_are_told_apart(one, other):
    """Check expressions that differ in value or in the exceptions that may be raised first, or are no integers."""
    assert form(one) != form(other)


def test_an_augmented_assignment_is_the_assignment_that_it_stands_for():
    def statement(text: str) -> Form:
        return Normaliser(is_integer, may_raise).form(ast.parse(text).body[0])

    assert statement("a += 1") == statement("a = a + 1") == statement("a -= -1")
    assert statement("a *= 1") == statement("a //= 1")
    assert statement("n.x += 0") == statement("n.x -= 0")
    assert statement("n += 1") != statement("n = n + 1")


def test_the_form_of_a_deep_expression_is_found_in_one_pass():
    """Check that forms are computed once: computed again on each level, the first would take 2 ** 60 steps."""
    assert form("not " * 60 + "n") == form("not " * 60 + "n") != form("not " * 61 + "n")
    assert form("n" + " + n" * 200) != form("n" + " + n" * 201)
