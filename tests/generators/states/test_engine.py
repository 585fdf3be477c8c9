"""Which engine searches, what is told about it, and that it never shows in what is found."""

from __future__ import annotations

import importlib.util
import json
from itertools import islice

import pytest
from generator_samples import shared_objects
from support.compiled_samples import by_reference, finitization, predicate

from harness.errors import SpecError
from harness.generators.states import engine
from harness.generators.states.engine import Search, Workshop
from harness.generators.states.hosted.search import InterpretedSearch
from harness.generators.states.native import build
from harness.generators.states.native.untranslatable import Disagreement
from harness.generators.states.translated import search
from harness.generators.watchdog import Watchdog
from harness.kernel.inputs.state_space import StateSpace

DEDICATED = "from harness.kernel.specs.dedicated import equal, field"
GOOD = "return root.size != 1 and (root.head is None or root.head.value > root.size)"
SPACE = StateSpace(finitization())


def searched(code, notices, **options):
    workshop = Workshop(shared_objects(), notices.append)
    return Search(SPACE, code, code.rep_ok, workshop, **options)


@pytest.mark.parametrize("beginning", [1, 7, 50, 10_000])
def test_wherever_the_compiled_engine_takes_over_nothing_changes(beginning):
    code, notices = predicate(GOOD), []
    found = searched(code, notices, beginning=beginning)
    expected = by_reference(code, SPACE)
    assert tuple(found) == expected.vectors
    assert found.explored == expected.explored
    assert notices == []


def test_the_compiled_engine_does_take_over(monkeypatch):
    code, notices = predicate(GOOD), []
    found = searched(code, notices, beginning=3)
    list(found)
    assert found.current == f"number {found.explored + 1}"
    monkeypatch.setattr(engine, "CompiledSearch", None)
    with pytest.raises(TypeError):
        list(searched(code, notices, beginning=3))


def test_a_short_search_needs_no_compiler(monkeypatch):
    monkeypatch.setattr(engine, "CompiledSearch", None)
    code = predicate("return root.size == 7")
    assert list(searched(code, [])) == []


@pytest.mark.sweep
def test_what_is_not_translated_is_searched_by_the_interpreted_engine_and_told():
    code, notices = predicate("return root.size / 1 != 1 or root.head is None"), []
    found = searched(code, notices, beginning=2)
    assert tuple(found) == by_reference(code, SPACE).vectors
    assert found.explored == by_reference(code, SPACE).explored
    (notice,) = notices
    line = code.rep_ok.__code__.co_firstlineno + 1
    assert "searched with by the interpreted engine" in notice
    assert isinstance(found._present, InterpretedSearch)
    assert f"the operator Div ({code.rep_ok.__code__.co_filename}:{line})" in notice


def test_what_neither_compiled_search_can_do_is_searched_by_the_reference_engine_and_told():
    code, notices = predicate("return root.size / 1 != 1 or equal(field(root, 'head'), None)", DEDICATED), []
    found, expected = searched(code, notices, beginning=2), by_reference(code, SPACE)
    assert tuple(found) == expected.vectors
    assert found.explored == expected.explored
    assert ["interpreted" in notice for notice in notices] == [True, False]
    assert notices[1] == "rep_ok is searched with by the reference engine, which is slower: a dedicated generator"


def test_an_interpreted_search_that_is_given_up_late_is_finished_by_the_reference_engine():
    hidden = f"{DEDICATED}\nmakers = {{'equal': equal, 'field': field}}"
    condition = "bool(makers['equal'](makers['field'](root, 'head'), None))"
    code, notices = predicate(f"return root.size / 1 == 1 if root.size < 2 else {condition}", hidden), []
    found, expected = searched(code, notices, beginning=2), by_reference(code, SPACE)
    assert tuple(found) == expected.vectors
    assert found.explored == expected.explored
    assert notices[1].endswith("it uses a dedicated generator")


@pytest.mark.sweep
def test_a_search_that_the_compiled_engine_gives_up_is_finished_by_the_interpreted_engine():
    body = "n = 3\nif root.size == 2 and root.tag is None:\n    n = n ** 1 if False else n << 70\nreturn n > 0"
    code, notices = predicate(body.replace("n ** 1 if False else ", "")), []
    found = searched(code, notices, beginning=2)
    assert tuple(found) == by_reference(code, SPACE).vectors
    (notice,) = notices
    assert "60 bits" in notice


def test_a_slow_predicate_that_stays_in_python_makes_headway_within_a_call_of_the_compiled_code():
    condition = "root.size / 1 != 1 and (root.head is None or root.head.value > root.size) and sum(root.cells) > 1"
    code = predicate(f"time.sleep(0.03)\nreturn {condition}", "import time")
    found, reached = searched(code, [], beginning=12), []
    with Watchdog(lambda: reached.append(found.explored) or found.headway, 0.3, code.rep_ok.__code__.co_filename):
        vectors = tuple(found)
    assert vectors == by_reference(code, SPACE).vectors
    assert found.explored * 0.03 > 0.6
    assert len(set(reached)) > 2
    assert reached == sorted(reached)


@pytest.mark.sweep
def test_an_error_of_the_predicate_is_as_the_reference_engine_tells_it():
    code, notices = predicate("if root.size == 2 and root.tag is None:\n    return root.head.value\nreturn True"), []
    with pytest.raises(SpecError) as failure:
        list(searched(code, notices, beginning=2))
    assert str(failure.value) == by_reference(code, SPACE).error
    assert "raises there" in notices[0]


def test_without_a_compiler_the_reference_engine_searches_and_says_so(monkeypatch, tmp_path):
    build.compiler.cache_clear()
    monkeypatch.setattr(build.shutil, "which", lambda name: None)
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda name: None)
    code, notices = predicate(GOOD), []
    found = Search(SPACE, code, code.rep_ok, Workshop(tmp_path, notices.append), beginning=2)
    assert tuple(found) == by_reference(code, SPACE).vectors
    assert "neither cc nor the package ziglang is installed" in notices[0]
    build.compiler.cache_clear()


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="the extra `compiler` is not installed")
def test_without_cc_the_compiler_of_the_wheel_is_taken_and_keeps_what_it_makes_for_itself(monkeypatch, tmp_path):
    build.compiler.cache_clear()
    monkeypatch.setattr(build.shutil, "which", lambda name: None)
    monkeypatch.delenv("HOME", raising=False)
    code, notices = predicate(GOOD), []
    found = Search(SPACE, code, code.rep_ok, Workshop(tmp_path, notices.append), beginning=2)
    assert tuple(found) == by_reference(code, SPACE).vectors
    assert notices == []
    assert found.current == f"number {found.explored + 1}"
    runtime = set((tmp_path / "zig" / "o").iterdir())
    assert runtime
    build.shared_object("int one(void) { return 1; }", tmp_path)
    assert set((tmp_path / "zig" / "o").iterdir()) == runtime
    build.compiler.cache_clear()


def test_this_machine_has_a_compiler():
    command, version = build.compiler()
    assert command
    assert version


@pytest.mark.sweep
@pytest.mark.parametrize(
    "wrong", [GOOD.replace("> root.size", ">= root.size"), GOOD.replace("!= 1", "== 1"), "return False"]
)
def test_an_engine_that_decides_otherwise_is_found_out(monkeypatch, wrong):
    code, other = predicate(GOOD), predicate(wrong)
    real = search.translate
    monkeypatch.setattr(search, "translate", lambda rep_ok, classes, **options: real(other.rep_ok, classes, **options))
    with pytest.raises(Disagreement, match=r"the engines disagree at candidate number \d+, R\("):
        list(searched(code, [], beginning=100))


@pytest.mark.parametrize("also_the_other", [False, True])
def test_after_an_engine_that_decides_otherwise_the_next_one_makes_the_suite_and_it_is_told(
    monkeypatch, also_the_other
):
    code, other, notices = predicate(GOOD), predicate(GOOD.replace("> root.size", ">= root.size")), []
    real = search.translate
    monkeypatch.setattr(search, "translate", lambda rep_ok, classes, **options: real(other.rep_ok, classes, **options))
    monkeypatch.setattr(engine, "HANDED_ON", (*engine.HANDED_ON, Disagreement))
    if also_the_other:

        def interpreted(space, module, rep_ok, folder, **options):
            return InterpretedSearch(space, module, other.rep_ok, folder, **options)

        monkeypatch.setattr(engine, "InterpretedSearch", interpreted)
    found, expected = searched(code, notices, beginning=100), by_reference(code, SPACE)
    assert tuple(found) == expected.vectors
    assert found.explored == expected.explored
    assert ["the engines disagree at candidate number" in notice for notice in notices] == [True] * (1 + also_the_other)
    assert "searched with by the interpreted engine" in notices[0]
    assert isinstance(found._present, InterpretedSearch) is not also_the_other


def test_outcome_pruning_finds_the_same_from_fewer_executions():
    code, notices = predicate(GOOD), []
    found = searched(code, notices, beginning=2, outcomes=True)
    expected = by_reference(code, SPACE)
    assert tuple(found) == expected.vectors
    assert 0 < found.explored < expected.explored
    assert notices == []


def test_an_abandoned_search_leaves_nothing_behind():
    code = predicate(GOOD)
    for _ in range(2):
        assert len(list(islice(searched(code, [], beginning=2), 5))) == 5
    assert json.dumps(by_reference(code, SPACE).explored)
