"""Checks which engine searches, how it is reported, and that the results are the same for all engines."""

from __future__ import annotations

import importlib.util
import re
import sys
from itertools import islice

import pytest
from generator_samples import workshop
from support.compiled_samples import by_reference, finitization, mistaken, predicate

from harness.errors import SpecError
from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.native import build
from harness.generators.states.pace import Pace
from harness.generators.watchdog import Watchdog
from harness.kernel.inputs.state_space import StateSpace

DEDICATED = "from harness.kernel.specs.dedicated import equal, field"
GOOD = "return root.size != 1 and (root.head is None or root.head.value > root.size)"
SPACE = StateSpace(finitization())


def searched(code, notices, beginning=2, **options):
    return StateSearch(SPACE, code, code.rep_ok, workshop(notices, pace=Pace(beginning)), **options)


@pytest.mark.parametrize("beginning", [1, 7, 50, 10_000])
def test_wherever_the_compiled_engine_takes_over_nothing_changes(beginning):
    code, notices = predicate(GOOD), []
    search = searched(code, notices, beginning=beginning)
    expected = by_reference(code, SPACE)
    assert tuple(search) == expected.vectors
    assert search.explored == expected.explored
    assert notices == []
    assert search.engine == ("reference" if beginning > len(expected.vectors) else "compiled")


def test_the_compiled_engine_knows_the_present_candidate_by_its_number():
    search = searched(predicate(GOOD), [])
    list(search)
    assert search.current == f"number {search.explored + 1}"


def test_a_short_search_needs_no_compiler(tmp_path):
    code, begun = predicate("return root.size == 7"), []
    assert list(StateSearch(SPACE, code, code.rep_ok, Workshop(tmp_path, pytest.fail, engine=begun.append))) == []
    assert begun == ["reference"]


@pytest.mark.sweep
def test_what_is_not_translated_is_searched_by_the_interpreted_engine_and_told():
    code, notices = predicate("return root.size / 1 != 1 or root.head is None"), []
    search = searched(code, notices)
    assert tuple(search) == by_reference(code, SPACE).vectors
    assert search.explored == by_reference(code, SPACE).explored
    (notice,) = notices
    line = code.rep_ok.__code__.co_firstlineno + 1
    assert "searched with by the interpreted engine" in notice
    assert search.engine == "interpreted"
    assert f"the operator Div ({code.rep_ok.__code__.co_filename}:{line})" in notice


def test_what_neither_compiled_search_can_do_is_searched_by_the_reference_engine_and_told():
    code, notices = predicate("return root.size / 1 != 1 or equal(field(root, 'head'), None)", DEDICATED), []
    search, expected = searched(code, notices), by_reference(code, SPACE)
    assert tuple(search) == expected.vectors
    assert search.explored == expected.explored
    assert ["interpreted" in notice for notice in notices] == [True, False]
    assert notices[1] == "rep_ok is searched with by the reference engine, which is slower: a dedicated generator"


def test_an_interpreted_search_that_is_given_up_late_is_finished_by_the_reference_engine():
    hidden = f"{DEDICATED}\nmakers = {{'equal': equal, 'field': field}}"
    condition = "bool(makers['equal'](makers['field'](root, 'head'), None))"
    code, notices = predicate(f"return root.size / 1 == 1 if root.size < 2 else {condition}", hidden), []
    search, expected = searched(code, notices), by_reference(code, SPACE)
    assert tuple(search) == expected.vectors
    assert search.explored == expected.explored
    assert notices[1].endswith("it uses a dedicated generator")


@pytest.mark.sweep
def test_a_search_that_the_compiled_engine_gives_up_is_finished_by_the_interpreted_engine():
    body = "n = 3\nif root.size == 2 and root.tag is None:\n    n = n ** 1 if False else n << 70\nreturn n > 0"
    code, notices = predicate(body.replace("n ** 1 if False else ", "")), []
    search = searched(code, notices)
    assert tuple(search) == by_reference(code, SPACE).vectors
    (notice,) = notices
    assert "60 bits" in notice


def test_a_slow_predicate_that_stays_in_python_makes_headway_within_a_call_of_the_compiled_code():
    condition = "root.size / 1 != 1 and (root.head is None or root.head.value > root.size) and sum(root.cells) > 1"
    code = predicate(f"time.sleep(0.03)\nreturn {condition}", "import time")
    search, reached = searched(code, [], beginning=12), []
    with Watchdog(lambda: reached.append(search.explored) or search.headway, 0.3, code.rep_ok.__code__.co_filename):
        vectors = tuple(search)
    assert vectors == by_reference(code, SPACE).vectors
    assert search.explored * 0.03 > 0.6
    assert len(set(reached)) > 2
    assert reached == sorted(reached)


@pytest.mark.sweep
def test_an_error_of_the_predicate_is_as_the_reference_engine_tells_it():
    code, notices = predicate("if root.size == 2 and root.tag is None:\n    return root.head.value\nreturn True"), []
    with pytest.raises(SpecError) as failure:
        list(searched(code, notices))
    assert str(failure.value) == by_reference(code, SPACE).error
    assert "raises there" in notices[0]


@pytest.fixture
def no_cc(monkeypatch, tmp_path):
    """No folder of the path has a C compiler."""
    build.compiler.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    yield
    build.compiler.cache_clear()


def searched_in(folder, code, notices):
    return StateSearch(SPACE, code, code.rep_ok, Workshop(folder, notices.append, pace=Pace(2)))


def test_without_a_compiler_the_reference_engine_searches_and_says_so(no_cc, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ziglang", None)
    code, notices = predicate(GOOD), []
    assert tuple(searched_in(tmp_path, code, notices)) == by_reference(code, SPACE).vectors
    assert "neither cc nor the package ziglang is installed" in notices[0]


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="the extra `compiler` is not installed")
def test_without_cc_the_compiler_of_the_wheel_is_taken_and_keeps_what_it_makes_for_itself(no_cc, monkeypatch, tmp_path):
    monkeypatch.delenv("HOME", raising=False)
    code, notices = predicate(GOOD), []
    search = searched_in(tmp_path, code, notices)
    assert tuple(search) == by_reference(code, SPACE).vectors
    assert notices == []
    assert search.current == f"number {search.explored + 1}"
    runtime = set((tmp_path / "zig" / "o").iterdir())
    assert runtime
    build.shared_object("int one(void) { return 1; }", tmp_path)
    assert set((tmp_path / "zig" / "o").iterdir()) == runtime


def test_this_machine_has_a_compiler():
    command, version = build.compiler()
    assert command
    assert version


SLACK = GOOD.replace("> root.size", "> root.size - SLACK")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("wrong", "engine"),
    [
        (SLACK.replace("SLACK", "1"), "interpreted"),
        (SLACK.replace("SLACK", "1"), "reference"),
        (GOOD.replace("!= 1", "== 1"), "interpreted"),
        ("return False", "interpreted"),
    ],
)
def test_after_an_engine_that_decides_otherwise_the_next_one_goes_on_and_it_is_told(wrong, engine, tmp_path):
    code, notices = predicate(SLACK, "SLACK = 0"), []
    folder = mistaken(tmp_path, code, predicate(wrong), SPACE)

    def begins(name):
        code.SLACK = int(name == "interpreted" != engine)  # a predicate that is no function of the state alone

    search = StateSearch(SPACE, code, code.rep_ok, Workshop(folder, notices.append, engine=begins, pace=Pace(100)))
    expected = by_reference(code, SPACE)
    assert tuple(search) == expected.vectors
    assert (search.explored, search.engine) == (expected.explored, engine)
    assert len(notices) == (1 if engine == "interpreted" else 2)
    assert all(re.search(r"the engines disagree at candidate number \d+, R\(", notice) for notice in notices)
    assert "searched with by the interpreted engine" in notices[0]


def test_outcome_pruning_finds_the_same_from_fewer_executions():
    code, notices = predicate(GOOD), []
    search = searched(code, notices, outcomes=True)
    expected = by_reference(code, SPACE)
    assert tuple(search) == expected.vectors
    assert 0 < search.explored < expected.explored
    assert notices == []


def test_an_abandoned_search_leaves_nothing_behind():
    code = predicate(GOOD)
    for _ in range(2):
        assert len(list(islice(searched(code, []), 5))) == 5
