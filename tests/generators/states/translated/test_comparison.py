"""A compiled search is held against the reference engine far beyond its beginning, too."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from generator_samples import shared_objects
from support.compiled_samples import by_reference, finitization, mistaken, predicate
from support.generations import NO_TEXT, generation
from support.subjects import loaded
from written_in_blocks import check, subject_task

from harness.generators.generate import generate
from harness.generators.policies.korat.generator import Korat
from harness.generators.states.engine import StateSearch, Workshop
from harness.generators.states.native.untranslatable import LateDisagreement
from harness.generators.states.pace import Pace
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.generators.states.translated.comparison import Stretch, compare
from harness.generators.states.translated.search import CompiledSearch
from harness.generators.states.translated.sources import keep_source
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import SuiteReader
from harness.kernel.specs.spec import load_spec

GOOD = "return root.size != 1 and (root.head is None or root.head.value > root.size)"
SOUND = f"{GOOD} and not (root.size == 9 and root.tag is None)"
LATE = SOUND.replace("9", "2")
CRITERION = """
def eq_class(root):
    return root.size, root.tag, len(root.cells), root.head is not None and root.head.next is None
"""
SPACE = StateSpace(finitization())


SMALL_BLOCKS = Pace(beginning=2, block=2, budget=200)
DISAGREE = r"the engines disagree at candidate number \d+, R\("


@contextmanager
def executions_of(code):
    """The answers of a module's predicate in Python, each as it is given."""
    answers = []

    def look(frame, event, answer):
        if event == "return" and (frame.f_code.co_filename, frame.f_code.co_name) == (code.__file__, "rep_ok"):
            answers.append(bool(answer))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        yield answers
    finally:
        sys.setprofile(before)


def searched(code, folder=None, jobs=1, pace=SMALL_BLOCKS, **options):
    return StateSearch(
        SPACE, code, code.rep_ok, Workshop(folder or shared_objects(), pytest.fail, jobs, pace=pace), **options
    )


@pytest.mark.sweep
@pytest.mark.parametrize("outcomes", [False, True])
def test_stretches_far_behind_the_beginning_are_compared_and_what_they_find_is_not_lost(outcomes):
    code = predicate(GOOD)
    expected, search = by_reference(code, SPACE), searched(code, outcomes=outcomes)
    with executions_of(code) as answers:
        vectors = tuple(search)
    assert vectors == expected.vectors
    assert search.explored == expected.explored or outcomes
    assert any(answers[1:])  # the beginning takes one execution


@pytest.mark.sweep
@pytest.mark.parametrize(
    "body", [GOOD, "return root.size == 2 and root.head is not None and 1 <= root.head.value != 3 > len(root.cells)"]
)
def test_candidates_that_are_refused_without_an_execution_count_one_by_one(body):
    code = predicate(body)
    native = CompiledSearch(SPACE, code, code.rep_ok, shared_objects())
    for most in range(1, 120, 3):
        stretch = Stretch(SPACE, code, code.rep_ok, most)
        counted = stretch.counted_vectors()
        with native.begin() as running:
            compare(running, native, stretch, counted, exactly=True)


@pytest.mark.sweep
@pytest.mark.parametrize("first_only", [False, True])
def test_stretches_of_a_search_with_a_criterion_are_compared(tmp_path, first_only):
    code = predicate(SOUND, CRITERION)
    pruning = Pruning(code.eq_class, first_only)
    search, expected = searched(code, pruning=pruning), KoratPlusSearch(SPACE, code, code.rep_ok, pruning)
    with executions_of(code) as answers:
        vectors = list(search)
    assert vectors == list(expected)
    assert (search.explored, search.classes) == (expected.explored, expected.classes)
    assert any(answers[1:]) or first_only
    folder = mistaken(tmp_path, code, predicate(LATE, CRITERION), SPACE, criterion=pruning)
    with pytest.raises(LateDisagreement, match=DISAGREE):
        list(searched(code, folder, pruning=pruning))


@pytest.mark.sweep
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_engine_that_decides_otherwise_late_is_found_out_in_whichever_process(jobs, tmp_path):
    code, pace = predicate(SOUND), replace(SMALL_BLOCKS, split_after=0.0, short=60.0, long=60.0)
    assert tuple(searched(code, jobs=jobs, pace=pace)) == by_reference(code, SPACE).vectors
    folder = mistaken(tmp_path, code, predicate(LATE), SPACE)
    with pytest.raises(LateDisagreement, match=DISAGREE):
        list(searched(code, folder, jobs, pace))


@pytest.mark.sweep
def test_blocks_between_stretches_make_the_same_suite():
    check(subject_task("search_tree", 3), pace=replace(SMALL_BLOCKS, beginning=1))


@pytest.mark.end_to_end
def test_after_a_late_disagreement_the_interpreted_engine_makes_the_suite_anew(tmp_path):
    (code, spec), (other, _), notices = loaded("search_tree"), loaded("search_tree"), []
    text = Path(spec.module.__file__).read_text(encoding="utf-8")
    last = "    return _is_ordered(tree.root, None, None)\n"
    keep_source("wrong.py", wrong := text.replace(last, last.replace("\n", " and tree.size != 3\n"), 1))
    code.rep_ok, other.rep_ok = spec.rep_ok, load_spec(wrong, "wrong.py").rep_ok
    folder = mistaken(tmp_path / "kept", code, other, StateSpace(spec.finitization(3)))

    def suite_in(name, workshop):
        options = {
            "subject": "s",
            "subject_hash": "0",
            "scope": 3,
            "seed": 0,
            "folder": tmp_path / name,
        }
        return generate(Korat(), generation(spec, code, NO_TEXT, **options), workshop)

    expected = suite_in("reference", None)
    suite = suite_in("anew", Workshop(folder, notices.append, pace=SMALL_BLOCKS))
    assert suite.digest == expected.digest
    assert SuiteReader(tmp_path / "anew").header.explored == expected.explored
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []
    (notice,) = notices
    assert notice.startswith("the engines disagree at candidate number ")
    assert notice.endswith("; its results are dropped, and the interpreted engine begins again")
