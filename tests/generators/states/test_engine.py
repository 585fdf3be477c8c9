"""Checks which engine searches, how it is reported, and that the results are the same for all engines."""

import importlib.util
import re
import sys
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from generator_samples import shared_objects, workshop
from support.compiled_samples import by_reference, finitization, mistaken, predicate
from support.generations import NO_TEXT, generation
from support.subjects import loaded

from harness.errors import SpecError
from harness.generators.generate import generate
from harness.generators.policies.korat import production
from harness.generators.policies.korat.generator import Korat
from harness.generators.states.engine import StateSearch, Workshop, compare
from harness.generators.states.native import build
from harness.generators.states.packing import Recipe
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import CompiledSearch, Pace
from harness.generators.states.translated.sources import keep_source
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.specs.spec import load_spec

DEDICATED = "from harness.spec import equal, field"
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


def test_a_short_search_needs_no_compiler(tmp_path):
    code, begun = predicate("return root.size == 7"), []
    assert list(StateSearch(SPACE, code, code.rep_ok, Workshop(tmp_path, pytest.fail, engine=begun.append))) == []
    assert begun == ["reference"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return root.size / 1 != 1 or root.head is None", "the operator Div ({place}); write that differently"),
        ("return root.size / 1 != 1 or equal(field(root, 'head'), None)", "it uses a dedicated generator"),
        ("return (root.size + 9) << 70 > 0", "the predicate computes an integer beyond 60 bits there"),
    ],
)
def test_what_the_compiled_engine_cannot_do_is_searched_by_the_reference_engine_and_told(body, reason):
    code, notices = predicate(body, DEDICATED), []
    search, expected = searched(code, notices), by_reference(code, SPACE)
    assert tuple(search) == expected.vectors
    assert (search.explored, search.engine) == (expected.explored, "reference")
    (notice,) = notices
    place = f"{code.rep_ok.__code__.co_filename}:{code.rep_ok.__code__.co_firstlineno + 1}"
    assert notice.startswith("rep_ok is searched with by the reference engine, which is slower: ")
    assert notice.endswith(reason.format(place=place))


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


@pytest.mark.parametrize("wrong", [GOOD.replace("> root.size", "> root.size - 1"), "return False"])
def test_after_a_compiled_engine_that_decides_otherwise_the_reference_engine_goes_on_and_it_is_told(wrong, tmp_path):
    code, notices = predicate(GOOD), []
    folder = mistaken(tmp_path, code, predicate(wrong), SPACE)
    search = StateSearch(SPACE, code, code.rep_ok, Workshop(folder, notices.append, pace=Pace(100)))
    expected = by_reference(code, SPACE)
    assert tuple(search) == expected.vectors
    assert (search.explored, search.engine) == (expected.explored, "reference")
    (notice,) = notices
    assert re.search(r"the engines disagree at candidate number \d+, R\(", notice)


def test_outcome_pruning_finds_the_same_from_fewer_executions():
    code, notices = predicate(GOOD), []
    search = searched(code, notices, outcomes=True)
    expected = by_reference(code, SPACE)
    assert tuple(search) == expected.vectors
    assert 0 < search.explored < expected.explored
    assert search.current == f"number {search.explored + 1}"
    assert notices == []


SMALL_BLOCKS = Pace(beginning=2, block=2, budget=200)


@pytest.mark.parametrize(
    "body", [GOOD, "return root.size == 2 and root.head is not None and 1 <= root.head.value != 3 > len(root.cells)"]
)
def test_candidates_that_are_refused_without_an_execution_count_one_by_one(body):
    code = predicate(body)
    native = CompiledSearch(SPACE, code, code.rep_ok, shared_objects())
    for most in range(1, 120, 3):
        stretch = KoratSearch(SPACE, code, code.rep_ok, most=most)
        with closing(iter(stretch)) as vectors:
            counted = [(stretch.explored, vector) for vector in islice(vectors, most)]
        with native.begin() as running:
            compare(running, native, stretch, counted, exactly=True)


@pytest.mark.slow
@pytest.mark.parametrize("alike", [True, False], ids=["in blocks", "one by one"])
def test_after_a_state_that_rep_ok_refuses_the_reference_engine_makes_the_suite_anew(alike, tmp_path, monkeypatch):
    monkeypatch.setattr(production, "Recipe", lambda groups, **options: Recipe(groups, alike=alike))
    (spec, code), (_, other), notices = loaded("search_tree"), loaded("search_tree"), []
    text = Path(spec.module.__file__).read_text(encoding="utf-8")
    last = "    return _is_ordered(tree.root, None, None)\n"
    keep_source("wrong.py", wrong := text.replace(last, last.replace("\n", " or tree.size == 3\n"), 1))
    code.rep_ok, other.rep_ok = spec.rep_ok, load_spec(wrong, "wrong.py").rep_ok
    folder = mistaken(tmp_path / "kept", code, other, StateSpace(spec.finitization(3)))

    def suite_in(name, workshop):
        options = {"subject": "s", "subject_hash": "0", "scope": 3, "seed": 0, "folder": tmp_path / name}
        return generate(Korat(), generation(spec, code, NO_TEXT, **options), workshop)

    expected = suite_in("reference", None)
    suite = suite_in("anew", Workshop(folder, notices.append, pace=SMALL_BLOCKS))
    assert suite.digest == expected.digest
    assert SuiteReader(tmp_path / "anew").header.explored == expected.explored
    (notice,) = notices
    assert notice.startswith("the compiled engine accepts SearchTree(")
    assert notice.endswith(", which rep_ok refuses; its results are dropped, and the reference engine begins again")
