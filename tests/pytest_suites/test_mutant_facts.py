"""The report of a process that runs a mutant is read strictly, however many tests, and comes without memory."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.codec.codec import DecodeError, codec_of
from harness.kernel.process.child_process import MOST_FACTS
from harness.kernel.running.job import ObservedTypes
from harness.model.outcome import KillReason, Phase
from harness.pytest_suites.children import Children
from harness.pytest_suites.job import MeasuredTests, MutantOrder
from harness.pytest_suites.reports import FirstKill, MutantFacts, TypesReport, lost
from harness.pytest_suites.work_tree import WorkTree

CODEC = codec_of(MutantFacts)

KILLED = MutantFacts(2, 9, 1, 1, ("t::a", "t::b"), FirstKill("t::a", KillReason.ASSERTION, "AssertionError"), 0.5)
SURVIVED = MutantFacts(3, 9, 1, 1)
NOT_LOADED = MutantFacts(0, 4, 0, 1, (), FirstKill(None, KillReason.EXCEPTION, "NameError", Phase.LOAD))


def facts_of(data):
    """Facts that are read and fit each other."""
    facts = CODEC.of_data(data)
    if not facts.is_consistent:
        raise DecodeError("they do not fit each other")
    return facts


@pytest.mark.parametrize("facts", [KILLED, SURVIVED, NOT_LOADED, lost(KillReason.CRASH, "SIGSEGV")])
def test_facts_come_back_as_they_were_told(facts):
    assert facts_of(json.loads(CODEC.to_json(facts))) == facts


@pytest.mark.parametrize(
    "forged",
    [
        {"executed": -1},
        {"seconds": float("nan")},
        {"kills": []},
        {"kills": ["t::b"]},
        {"kills": ["t::a", "\ud800"]},
        {"first": None},
        {"more": 1},
    ],
    ids=str,
)
def test_what_can_be_no_fact_is_refused(forged):
    with pytest.raises(DecodeError):
        facts_of(CODEC.to_data(KILLED) | forged)


@pytest.mark.parametrize(
    "forged",
    [
        {"killer": None},
        {"reason": "told"},
        {"detail": "\ud800"},
        {"phase": "rep_ok"},
        {"phase": "load"},
    ],
    ids=str,
)
def test_a_first_kill_that_can_be_none_is_refused(forged):
    data = CODEC.to_data(KILLED)
    with pytest.raises(DecodeError):
        facts_of(data | {"first": data["first"] | forged})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


@given(json_values, st.sampled_from([None, *CODEC.to_data(KILLED)]))
def test_whatever_is_said_is_facts_or_refused_and_nothing_else_is_raised(value, name):
    data = value if name is None else CODEC.to_data(KILLED) | {name: value}
    try:
        facts = facts_of(data)
    except DecodeError:
        return
    assert CODEC.to_data(facts) == data


def test_facts_of_processes_one_after_the_other_are_summed_and_the_first_kill_counts():
    other = replace(KILLED, kills=("t::c",), first=FirstKill("t::c", KillReason.CRASH, "SIGSEGV"), steps=None)
    assert KILLED.joined(other) == replace(
        KILLED, executed=4, steps=None, entered=2, kills=("t::a", "t::b", "t::c"), seconds=1.0
    )
    assert SURVIVED.joined(other).first == other.first


@pytest.fixture
def children(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a forked child works in a folder below the present one
    (tmp_path / "pristine").mkdir()
    return Children(WorkTree(tmp_path / "pristine", tmp_path / "tree"), tmp_path, 2, lambda: None)


def test_facts_of_the_original_beyond_a_mebibyte_arrive_whole(children):
    report = TypesReport(ObservedTypes({}, {"x" * (2 * MOST_FACTS): {}}))
    assert children.original(TypesReport, lambda _: report) == report


def test_facts_of_a_mutant_beyond_a_mebibyte_arrive_whole(children):
    measured = MeasuredTests({"one": 1}, {"one": 0.1}, {}, 0, 0)
    kills = tuple(f"{number}{'x' * (1 << 15)}" for number in range(2 * MOST_FACTS >> 15))
    facts = MutantFacts(len(kills), 1, 1, 1, kills, FirstKill(kills[0], KillReason.ASSERTION, "failed"))
    received = children.mutant(MutantOrder("m", 1, ("one",), 0, True), measured, lambda rest, progress: facts)
    assert isinstance(received, MutantFacts)
    assert replace(received, seconds=0.0) == facts


PROGRAM = """
import resource, sys
from mmap import mmap
from harness.pytest_suites.measuring import SIZE, Reserve

with open("/proc/self/statm") as file:
    room = int(file.read().split()[0]) * 4096 + int(1.5 * SIZE)
resource.setrlimit(resource.RLIMIT_AS, (room, room))

def fits():
    try:
        mmap(-1, SIZE).close()
    except OSError:
        return False
    return True

reserve = Reserve()
found = [fits()]
reserve.keep()
reserve.keep()
found.append(fits())
reserve.give_back()
reserve.give_back()
found.append(fits())
taken = mmap(-1, SIZE)
reserve.keep()
reserve.give_back()
print(found)
"""


def test_it_counts_while_it_is_kept_and_is_there_for_others_once_it_is_given_back():
    process = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, encoding="utf-8", check=True)
    assert process.stdout.strip() == "[True, False, True]"
