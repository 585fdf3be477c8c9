"""Sequences by a state machine of Hypothesis: the same for a seed, and each what a plain replay does."""

import sys
from pathlib import Path

import pytest
from support.sequence_suites import generated_sequences

from harness.errors import SpecError, UsageError
from harness.generators.policies.hypothesis.stateful import StatefulSequences
from harness.generators.policies.random.options import Options
from harness.kernel.inputs.describe import show_sequence
from harness.kernel.inputs.suites import Call, SuiteReader
from harness.kernel.specs.spec import load_spec

BAG = """
class Empty(Exception):
    pass


class Bag:
    first_calls = iter(range(7))  # an iterator is not put back before each sequence

    def __init__(self, first=None):
        self.held = [] if first is None else [first]

    def put(self, value):
        self.held.append(value)

    def take(self):
        if not self.held:
            raise Empty
        return self.held.pop()

    def take_from(self, other):
        assert other is not self
        self.held += other.held
        other.held = []

    def drop(self, value):
        self.held.remove(value)

    def fail(self):
        raise RuntimeError("of no use")

    def count(self):
        if next(Bag.first_calls, None) is None:
            raise Empty

    def break_it(self):
        self.held.append(-1)
"""
SPEC = """
from harness.spec import SequenceScope


def rep_ok(bag):
    return -1 not in bag.held


def sequences(scope):
    s = SequenceScope("Bag")
    s.constructor({first})
    s.method("put", range(scope))
    s.method("take")
    s.method("drop", range(scope), requires=lambda bag, value: value in bag.held)
    s.method("take_from", (s.earlier("Bag"),), requires=lambda bag, other: bag is not other)
    s.elements(scope + 2)
    {more}
    s.misuse("Empty")
    return s
"""


def suite_of(folder: Path, sequences: int = 30, more: str = "pass", first: str = "(None, 0)") -> SuiteReader:
    spec = SPEC.replace("{more}", more).replace("{first}", first)
    return generated_sequences(folder, StatefulSequences(Options(sequences)), spec, BAG, scope=2)


def sequences_of(suite: SuiteReader) -> list[tuple[Call, ...]]:
    return [tuple(suite.sequence(number)) for number in range(len(suite))]


@pytest.mark.slow
def test_as_many_distinct_sequences_are_made_as_are_asked_for_and_a_larger_suite_begins_with_them(tmp_path):
    small, large = (suite_of(tmp_path / str(count), count, more="s.length(9)") for count in (30, 130))
    assert [len(set(sequences_of(suite))) for suite in (small, large)] == [30, 130]
    assert sequences_of(large)[:30] == sequences_of(small)
    assert (small.header.ended, large.header.ended) == ("inputs", "inputs")


@pytest.mark.slow
def test_a_plain_replay_meets_preconditions_and_nothing_but_misuse(tmp_path):
    bounds = load_spec(SPEC.replace("{more}", "pass").replace("{first}", "(None, 0)"), "spec.py").sequences(2, BAG)
    inner, used = 0, set()
    for calls in sequences_of(suite_of(tmp_path / "suite")):
        space: dict[str, object] = {}
        exec(BAG, space)
        lines = show_sequence(bounds, calls).split("; ")
        assert len(lines) == len(calls) <= 50
        for number, line in enumerate(lines):
            if ".drop(" in line:
                owner, _, value = line.rpartition(" ")[2].partition(".drop(")
                assert int(value.rstrip(")")) in space[owner].held
            try:
                exec(line, space)
            except space["Empty"]:
                inner += number + 1 < len(lines)
            used.add(calls[number].target)
    assert inner > 0
    assert used == set(range(5))


@pytest.mark.slow
def test_there_are_no_more_objects_than_a_call_takes_at_once_within_the_bounds(tmp_path):
    suite = suite_of(tmp_path / "suite", more="s.elements(50)")
    assert max(sum(call.target == 0 for call in calls) for calls in sequences_of(suite)) == 2


def test_a_run_ends_where_no_new_sequence_is_found(tmp_path):
    suite = suite_of(tmp_path / "suite", 1000, more="s.length(2)")
    assert suite.header.ended == "nothing new"
    assert len(suite) == len(set(sequences_of(suite))) < 30


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('s.method("fail")', "RuntimeError: of no use, which is no misuse; correct the implementation"),
        ('s.method("break_it")', r"break_it\(\) leaves bag = Bag\(held=\[-1\]\), which rep_ok rejects"),
        ('s.method("count")', "does something else when it is executed again; the state depends on chance"),
    ],
)
def test_a_call_that_fails_or_is_unsteady_is_told_with_its_sequence(tmp_path, more, message):
    with pytest.raises(SpecError, match=message) as caught:
        suite_of(tmp_path / "suite", more=more)
    assert "bag = Bag(" in str(caught.value)
    assert not (tmp_path / "suite").exists()


def test_constructors_that_all_take_objects_cannot_begin_a_sequence(tmp_path):
    with pytest.raises(SpecError, match="no sequence can begin; give one that takes values"):
        suite_of(tmp_path / "suite", first='s.earlier("Bag")')


def test_without_hypothesis_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(UsageError, match=r"pip install 'mutascope\[hypothesis\]'"):
        suite_of(tmp_path / "suite")
