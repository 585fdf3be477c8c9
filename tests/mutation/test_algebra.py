"""Mutants that equal others by the algebra of integers are found, and only where values surely are integers."""

import math

import pytest

from harness.model.outcome import Mutant, MutantStatus, OperatorSet
from harness.mutation.algebra import INTEGERS, UNREAD, without_equals
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import EXTENDED, MUJAVA, operators_of
from harness.mutation.program import TypeProfile

PROFILE = TypeProfile()


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
        remaining = without_equals(source, mutate(source, [function], PROFILE, operators_of(EXTENDED)), PROFILE)
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
