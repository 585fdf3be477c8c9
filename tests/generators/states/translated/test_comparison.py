"""A compiled search is held against the reference engine far beyond its beginning, too."""

from __future__ import annotations

from functools import partial

import pytest
from generator_samples import shared_objects
from support.compiled_samples import by_reference, finitization, predicate
from test_packing import check, subject_task

from harness.generators.generate import generate
from harness.generators.policies.korat import production
from harness.generators.policies.korat.generator import Korat
from harness.generators.states import engine
from harness.generators.states.engine import Search, Workshop
from harness.generators.states.native.untranslatable import LateDisagreement
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.generators.states.translated import crew, search
from harness.generators.states.translated.comparison import LateCheck, Stretch, compare
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader

GOOD = "return root.size != 1 and (root.head is None or root.head.value > root.size)"
LATE = f"if root.size == 2 and root.tag is None:\n    return False\n{GOOD}"
CRITERION = """
def eq_class(root):
    return root.size, root.tag, len(root.cells), root.head is not None and root.head.next is None
"""
SPACE = StateSpace(finitization())


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch):
    monkeypatch.setattr(search, "BLOCK", 2)
    monkeypatch.setattr(search, "BUDGET", 200)


@pytest.fixture
def compared(monkeypatch):
    """How many vectors each stretch had."""
    found = []
    look = LateCheck.look

    def counted(self, running, native):
        before = self._next
        vectors = look(self, running, native)
        if self._next != before:
            found.append(len(vectors))
        return vectors

    monkeypatch.setattr(LateCheck, "look", counted)
    return found


def sabotage(monkeypatch, other):
    """The compiled engine searches with another predicate."""
    real = search.translate
    monkeypatch.setattr(search, "translate", lambda rep_ok, classes, **options: real(other.rep_ok, classes, **options))


def searched(code, **options):
    return Search(SPACE, code, code.rep_ok, Workshop(shared_objects(), lambda text: None), beginning=2, **options)


@pytest.mark.sweep
def test_stretches_far_behind_the_beginning_are_compared_and_what_they_find_is_not_lost(compared):
    code = predicate(GOOD)
    found, expected = searched(code), by_reference(code, SPACE)
    assert tuple(found) == expected.vectors
    assert found.explored == expected.explored
    assert len(compared) > 1
    assert any(compared)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "body", [GOOD, "return root.size == 2 and root.head is not None and 1 <= root.head.value != 3 > len(root.cells)"]
)
def test_candidates_that_are_refused_without_an_execution_count_one_by_one(body):
    code = predicate(body)
    native = search.CompiledSearch(SPACE, code, code.rep_ok, shared_objects())
    for most in range(1, 120, 3):
        stretch = Stretch(SPACE, code, code.rep_ok, most)
        found = stretch.all_found()
        with native.begin() as running:
            compare(running, native, stretch, found, exactly=True)


@pytest.mark.sweep
@pytest.mark.parametrize("first_only", [False, True])
def test_stretches_of_a_search_with_a_criterion_are_compared(compared, monkeypatch, first_only):
    code = predicate(GOOD, CRITERION)
    pruning = Pruning(code.eq_class, first_only)
    found, expected = searched(code, pruning=pruning), KoratPlusSearch(SPACE, code, code.rep_ok, pruning)
    assert list(found) == list(expected)
    assert (found.explored, found.classes) == (expected.explored, expected.classes)
    assert len(compared) > 1
    assert any(compared) or first_only
    sabotage(monkeypatch, predicate(LATE))
    with pytest.raises(LateDisagreement, match=r"the engines disagree at candidate number \d+, R\("):
        list(searched(code, pruning=pruning))


@pytest.mark.sweep
def test_with_outcome_pruning_vectors_are_compared(compared):
    code = predicate(GOOD)
    assert tuple(searched(code, outcomes=True)) == by_reference(code, SPACE).vectors
    assert any(compared)


@pytest.mark.sweep
def test_an_engine_that_decides_otherwise_late_is_found_out(monkeypatch):
    sabotage(monkeypatch, predicate(LATE))
    with pytest.raises(LateDisagreement, match=r"the engines disagree at candidate number \d+, R\("):
        list(searched(predicate(GOOD)))


@pytest.mark.sweep
def test_processes_of_a_crew_compare_what_they_find(monkeypatch):
    monkeypatch.setattr(engine, "ALONE", 0.0)
    monkeypatch.setattr(crew, "SHORT", 60.0)
    monkeypatch.setattr(crew, "LONG", 60.0)
    code = predicate(GOOD)
    assert tuple(Search(SPACE, code, code.rep_ok, Workshop(shared_objects(), print, 2), beginning=2)) == (
        by_reference(code, SPACE).vectors
    )
    sabotage(monkeypatch, predicate(LATE))
    with pytest.raises(LateDisagreement):
        list(Search(SPACE, code, code.rep_ok, Workshop(shared_objects(), print, 2), beginning=2))


@pytest.mark.sweep
def test_blocks_between_stretches_make_the_same_suite(monkeypatch, compared):
    monkeypatch.setattr(production, "Search", partial(Search, beginning=1))
    check(subject_task("search_tree", 3))
    assert any(compared)


def test_after_a_late_disagreement_the_interpreted_engine_makes_the_suite_anew(monkeypatch, tmp_path):
    monkeypatch.setattr(production, "Search", partial(Search, beginning=2))
    task, notices = subject_task("search_tree", 3), []

    def made(name, workshop):
        options = {"source": "", "subject": "s", "subject_hash": "0", "scope": 3, "seed": 0, "folder": tmp_path / name}
        return generate(Korat(), task.spec, task.module, workshop=workshop, **options)

    expected = made("reference", None)
    honest = LateCheck.look

    def wrong(self, running, native):
        if honest(self, running, native):
            raise LateDisagreement("the engines disagree at candidate number 7")
        return []

    monkeypatch.setattr(LateCheck, "look", wrong)
    found = made("anew", Workshop(shared_objects(), notices.append))
    assert found.digest == expected.digest
    assert SuiteReader(tmp_path / "anew").header.explored == expected.explored
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []
    assert notices == [
        "the engines disagree at candidate number 7; what it found is thrown away, "
        "and the interpreted engine begins anew"
    ]
