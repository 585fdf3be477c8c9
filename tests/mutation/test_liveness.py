"""Variables that are counted up or down in vain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_programs import RUNS, programs
from support.sweeps import examples
from test_schemata import PROFILE, behaviour

from harness.kernel.program.splice import mutated_source
from harness.model.outcome import MutantStatus
from harness.mutation.algebra import UNREAD, without_equals
from harness.mutation.mutate import mutate
from harness.mutation.operators.mujava import MUJAVA_OPERATORS
from harness.mutation.program import TypeProfile

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
