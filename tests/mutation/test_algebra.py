"""Mutants that equal others are found, by the algebra of integers, proven types and last uses, and no others."""

from __future__ import annotations

import math
import sys
from types import FrameType
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
