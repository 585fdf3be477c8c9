"""Stillborn, trivially equivalent and duplicate mutants."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutated_programs import RUNS, programs
from support.sweeps import examples

from harness.kernel.program.splice import mutated_source
from harness.model.outcome import Location, Mutant, MutantStatus
from harness.mutation.filters import classify, fingerprint
from harness.mutation.mutate import mutate
from harness.mutation.operator_sets import operator_set, operators_of
from harness.mutation.program import TypeProfile

SOURCE = "from __future__ import annotations\n\n@object\ndef f(x: Unknown, y=0):\n    while 1:\n        return 0.0\n"


def mutant(identity: str, location: Location, original: str, replacement: str) -> Mutant:
    return Mutant(identity, "X", "f", location, original, replacement, "")


def statuses(*mutants: Mutant) -> list[tuple[MutantStatus, str | None]]:
    return [(m.status, m.same_as) for m in classify(SOURCE, mutants)]


CONDITION, RESULT = Location(5, 10, 5, 11), Location(6, 15, 6, 18)


def test_each_status_is_found_and_nothing_is_dropped():
    assert statuses(
        mutant("a", CONDITION, "1", "1 1"),
        mutant("b", CONDITION, "1", "(1)"),
        mutant("c", CONDITION, "1", "x"),
        mutant("d", CONDITION, "1", "(x\n)"),
        mutant("e", CONDITION, "1", "yield\n"),
    ) == [
        (MutantStatus.STILLBORN, None),
        (MutantStatus.EQUIVALENT, None),
        (MutantStatus.VIABLE, None),
        (MutantStatus.DUPLICATE, "c"),
        (MutantStatus.STILLBORN, None),
    ]


def test_equal_constants_of_another_type_or_sign_are_not_equivalent():
    classified = statuses(*(mutant(text, RESULT, "0.0", text) for text in ("0", "False", "-0.0", "00.0")))
    assert [status.value for status, _ in classified] == ["viable", "viable", "viable", "equivalent"]


@pytest.mark.slow
@settings(max_examples=examples(24), deadline=None, derandomize=True)
@given(st.sampled_from(["extended", "mujava"]), programs)
def test_statements_alone_tell_what_whole_modules_tell(operators, source):
    """Compare with the naive way: compile every mutated module whole."""
    mutants = mutate(source, RUNS, TypeProfile(), operators_of(operator_set(operators)))
    first = {fingerprint(compile(source, "m", "exec", dont_inherit=True)): "original"}
    expected = []
    for one in mutants:
        mark = fingerprint(compile(mutated_source(source, one), "m", "exec", dont_inherit=True))
        expected.append(first.setdefault(mark, one.id))
    first_with_code = {MutantStatus.EQUIVALENT: "original"}
    assert [m.same_as or first_with_code.get(m.status, m.id) for m in classify(source, mutants)] == expected
