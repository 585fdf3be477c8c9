"""Calls influence later calls by their definitions and uses (jtestcraft2010, section 4.4.1)."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.generators.policies.css.watching import Accesses

OWNER = object()
MAKER = -1


def among_calls(accesses: Accesses) -> set[tuple[int, int]]:
    """Influences, those of who made the object apart."""
    return {(earlier, later) for earlier, later in accesses.influences if earlier != MAKER}


def recorded_accesses(calls: Iterable[str], owner: object = OWNER) -> Accesses:
    """Record calls one after the other, written as `def a use b`, on an object that they have not made."""
    accesses = Accesses()
    accesses.at = MAKER
    accesses.see(owner)
    for at, call in enumerate(calls):
        accesses.at = at
        words = iter(call.split())
        for word in words:
            place = next(words)
            if place == "*":
                (accesses.use_all if word == "use" else accesses.change)(owner)
            else:
                (accesses.use if word == "use" else accesses.define)(owner, place)
    return accesses


@pytest.mark.parametrize(
    ("calls", "influences"),
    [
        (["def a", "use a", "use a"], {(0, 1), (0, 2)}),
        (["def a", "def a", "use a"], {(1, 2)}),
        (["def a", "def b", "use a use b"], {(0, 2), (1, 2)}),
        (["def a", "use a def a", "use a"], {(0, 1), (1, 2)}),
        (["def a", "def a use a"], set()),
        (["def a", "def *", "use a"], {(0, 2), (1, 2)}),
        (["def *", "def a", "use a"], {(1, 2)}),
        (["def a", "def b", "use *"], {(0, 2), (1, 2)}),
    ],
)
def test_the_rows_of_table_4_4_and_changes_of_the_whole(calls, influences):
    assert among_calls(recorded_accesses(calls)) == influences


def test_calls_are_ordered_by_what_one_defines_and_the_other_uses_or_defines():
    for calls in (["def a", "use a"], ["use a", "def a"], ["def a", "def a"], ["use *", "def a"], ["use a", "def *"]):
        assert recorded_accesses(calls).are_ordered(0, 1)
    for calls in (["use a", "use a"], ["def a", "def b"], ["use a", "def b"], ["use *", "use a"]):
        assert not recorded_accesses(calls).are_ordered(0, 1)


def test_definitions_last_until_they_are_defined_anew():
    assert recorded_accesses(["def a", "def a", "use a"]).lasting() == {MAKER, 1}
    assert recorded_accesses(["def a", "def *", "use a"]).lasting() == {MAKER, 0, 1}


CALLS = st.lists(st.lists(st.tuples(st.sampled_from(["def", "use"]), st.sampled_from("abc*")), max_size=3), max_size=5)


@given(CALLS)
def test_influences_are_those_that_a_look_at_all_pairs_finds(calls):
    events = [(at, what, place) for at, call in enumerate(calls) for what, place in call]
    expected = set()
    for later, (at, access, place) in enumerate(events):
        for earlier, (other, did, where) in enumerate(events[:later]):
            if access == "use" and did == "def" and other != at and (where == place or "*" in (where, place)):
                over = (("def", where),) if where != "*" else (("def", place),) if place != "*" else ()
                if not any((did, on) in over for _, did, on in events[earlier + 1 : later]):
                    expected.add((other, at))
    assert (
        among_calls(recorded_accesses(" ".join(f"{what} {place}" for what, place in call) for call in calls))
        == expected
    )
