"""A search in several processes finds what one finds, whatever becomes of them."""

from __future__ import annotations

import multiprocessing
import os
import re
import time
from dataclasses import replace
from itertools import islice

import pytest
from generator_samples import module, shared_objects, workshop
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_criteria import programs_with_criteria
from random_samples import RANDOM_SOURCE
from random_walks import random_readers
from support.compiled_samples import by_reference, finitization, predicate, random_predicates
from support.generations import NO_TEXT, generation
from support.subjects import loaded
from support.sweeps import examples

from harness.errors import MutascopeError, SpecError
from harness.generators.generate import generate
from harness.generators.policies.korat.generator import Korat
from harness.generators.states.engine import StateSearch
from harness.generators.states.hosted.search import InterpretedSearch
from harness.generators.states.native.parts import SearchPart
from harness.generators.states.pace import Pace
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.generators.states.translated.parallel_search import Crew
from harness.generators.states.translated.search import CompiledSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization

GOOD = "return root.size != 1 and (root.head is None or root.head.value > root.size)"
SPACE = StateSpace(finitization())


MANY_PARTS = Pace(beginning=1, split_after=0.0, budget=200, executions=20, short=0.0, long=0.0)
"""Splits at once, and hands parts back after a few executions."""


@pytest.fixture(autouse=True)
def _no_process_is_left():
    yield
    assert not multiprocessing.active_children()


def searched(code, space=SPACE, jobs=2, notices=None, pace=MANY_PARTS, **options):
    return StateSearch(space, code, code.rep_ok, workshop(notices, jobs, pace), **options)


def searched_by_processes(search):
    """Return the vectors of a search, and how many processes more than this one have searched."""
    vectors, processes = [], set()
    for vector in search:
        vectors.append(vector)
        processes.update(process.pid for process in multiprocessing.active_children())
    return tuple(vectors), len(processes)


@pytest.mark.sweep
@pytest.mark.parametrize("jobs", [2, 3])
@pytest.mark.parametrize("name", ["disj_set", "fibonacci_heap", "search_tree", "tree_map"])
def test_a_subjects_search_is_the_same_in_several_processes(name, jobs):
    code, spec = loaded(name)
    code.rep_ok = spec.rep_ok
    space = StateSpace(spec.finitization(3))
    expected, search = by_reference(code, space), searched(code, space, jobs)
    assert searched_by_processes(search) == (expected.vectors, jobs)
    assert search.explored == expected.explored


@pytest.mark.sweep
@given(random_predicates())
@settings(max_examples=examples(16), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_predicates_are_searched_alike_in_several_processes(body):
    code, space = predicate(body), StateSpace(finitization(values=2, lengths=2))
    expected, search = by_reference(code, space), searched(code, space)
    if expected.error:
        with pytest.raises(MutascopeError):
            list(search)
    else:
        assert tuple(search) == expected.vectors
        assert search.explored == expected.explored


def check_with_a_criterion(space, code, eq_class, jobs, *, first_only=False, compiled=False, says=(), pace=MANY_PARTS):
    pruning, notices = Pruning(eq_class, first_only), []
    search = StateSearch(space, code, code.rep_ok, workshop(notices, jobs, pace, compiled=compiled), pruning=pruning)
    vectors, processes = searched_by_processes(search)
    reference = KoratPlusSearch(space, code, code.rep_ok, pruning)
    assert vectors == tuple(reference)
    assert search.explored == reference.explored
    assert list(search.classes.items()) == list(reference.classes.items())
    assert len(notices) == len(says)
    assert all(word in notice for word, notice in zip(says, notices, strict=True))
    return search, processes


@pytest.mark.sweep
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(("name", "scope"), [("list_as_set", 3), ("search_tree_delete", 1), ("binomial_heap_merge", 3)])
def test_a_search_with_a_criterion_is_the_same_in_several_processes(name, scope, compiled):
    code, spec = loaded(name)
    code.rep_ok = spec.rep_ok
    space = StateSpace(spec.finitization(scope))
    for jobs in (2, 3):
        first_only = jobs == 3
        _, used = check_with_a_criterion(space, code, spec.eq_class, jobs, first_only=first_only, compiled=compiled)
        assert used == jobs


@pytest.mark.sweep
@given(random_readers(), st.integers(2, 4), st.booleans())
@settings(max_examples=examples(16), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_searches_with_criteria_are_the_same_in_several_processes(case, jobs, first_only):
    finitization, rep_ok, eq_class = case
    code = module(RANDOM_SOURCE)
    code.rep_ok = rep_ok
    check_with_a_criterion(StateSpace(finitization), code, eq_class, jobs, first_only=first_only)


@pytest.mark.slow
@given(programs_with_criteria(), st.integers(2, 4), st.booleans())
@settings(max_examples=examples(40), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_programs_with_criteria_are_searched_alike_in_several_processes(program, jobs, first_only):
    code, space = module(program.source), StateSpace(program.finitization())
    assume(space.size <= 20_000)
    try:
        list(KoratPlusSearch(space, code, code.rep_ok, Pruning(code.eq_class, first_only)))
    except SpecError as error:
        with pytest.raises(SpecError, match=re.escape(str(error))):
            check_with_a_criterion(space, code, code.eq_class, jobs, first_only=first_only)
    else:
        check_with_a_criterion(space, code, code.eq_class, jobs, first_only=first_only)


def test_a_class_that_one_part_cannot_tell_is_told_by_the_next_engine():
    eq_class = "def eq_class(root):\n    return (root.size, root.tag) if root.size < 2 else frozenset([root.size])"
    code = predicate(GOOD, eq_class)
    search, _ = check_with_a_criterion(SPACE, code, code.eq_class, 2, compiled=True, says=["the interpreted engine"])
    assert search.engine == "interpreted"


def test_what_goes_wrong_where_the_search_never_comes_has_not_gone_wrong():
    code, errors, main = module(RANDOM_SOURCE), multiprocessing.get_context("fork").Value("i", 0), os.getpid()
    finitization = Finitization("R")
    for name in "pqr":
        finitization.set(f"R.{name}", range(5))

    def rep_ok(root):
        if root.p + root.q >= 0 and root.r >= 3:
            errors.value += 1
            raise ValueError
        for _ in range(60_000 if root.r == 2 and os.getpid() != main else 0):
            if errors.value:
                break  # the part that begins behind this candidate was begun as well, with a second process
            time.sleep(0.001)
        return root.r == 2

    code.rep_ok = rep_ok
    pace = replace(MANY_PARTS, executions=1)
    search, _ = check_with_a_criterion(StateSpace(finitization), code, lambda root: root.p > 2, 2, pace=pace)
    assert search.explored == 5 * 3
    assert errors.value > 0


@pytest.mark.sweep
def test_a_suite_is_the_same_to_the_byte_whatever_the_jobs(tmp_path):
    (code, spec), notices = loaded("search_tree"), []
    options = {"subject": "s", "subject_hash": "0", "scope": 6, "seed": 0}
    one, two = (
        generate(
            Korat(),
            generation(spec, code, NO_TEXT, tmp_path / str(jobs), **options),
            workshop(notices, jobs, MANY_PARTS),
        )
        for jobs in (1, 2)
    )
    assert notices == []
    assert (one.digest, one.explored, one.inputs) == (two.digest, two.explored, two.inputs)
    for name in ("states.bin", "inputs.bin"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


@pytest.mark.parametrize(
    ("body", "engine"),
    [(GOOD, "compiled"), ("root.cells.append(2)\nreturn sum(root.cells) / 1 == 3 and root.tag is None", "interpreted")],
)
def test_a_search_is_split_into_parts_the_rests_of_which_are_handed_back(body, engine):
    code, notices = predicate(body), []
    parallel, expected = searched(code, notices=notices), by_reference(code, SPACE)
    assert searched_by_processes(parallel) == (expected.vectors, 2)
    assert (parallel.explored, parallel.engine) == (expected.explored, engine)
    assert ["the interpreted engine" in notice for notice in notices] == [True] * (engine == "interpreted")
    search = CompiledSearch if engine == "compiled" else InterpretedSearch
    native = search(SPACE, code, code.rep_ok, shared_objects(), pace=MANY_PARTS)
    with Crew(native, SearchPart((), ()), 2, shared_objects()) as crew:
        assert tuple(vector for block in crew.blocks() for vector in block) == expected.vectors
        assert crew.parts > 2 * MANY_PARTS.pieces


@pytest.mark.sweep
def test_an_error_of_a_predicate_that_stays_in_python_comes_from_whichever_process():
    code = predicate("return 1 / (root.size - 2 if root.tag is None and len(root.cells) == 2 else 2) < 1")
    with pytest.raises(SpecError) as failure:
        list(searched(code))
    assert str(failure.value) == by_reference(code, SPACE).error
    assert "ZeroDivisionError" in str(failure.value)


@pytest.mark.sweep
def test_what_one_part_cannot_do_another_engine_does():
    body = "n = 3\nif root.size == 2 and root.tag is None:\n    n = n << 70\nreturn n > root.size + 1"
    code, notices = predicate(body), []
    search, expected = searched(code, notices=notices), by_reference(code, SPACE)
    assert tuple(search) == expected.vectors
    assert search.explored == expected.explored
    assert "60 bits" in notices[0]


KILLED = "os.kill(os.getpid(), signal.SIGKILL)"
STOPPED = "os.kill(os.getpid(), signal.SIGSTOP)"
IN_C = "all(itertools.repeat(1))"
LOOPING = "while True: pass"


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("deed", "says"),
    [
        (KILLED, "a process of the search ended by SIGKILL, .*--jobs 1"),
        (STOPPED, r"gave no sign of life for 1.2 s: it was stopped, or rep_ok is in code in C"),
        (IN_C, r"gave no sign of life for 1.2 s: it was stopped, or rep_ok is in code in C"),
        (LOOPING, r"rep_ok did not return on candidate R\(.* within 0.1 s of processor time; make it end"),
    ],
)
def test_a_process_that_dies_or_hangs_ends_the_search_in_one_line(deed, says):
    prelude = f"import itertools, os, signal\nmain = {os.getpid()}"
    body = f"if os.getpid() != main:\n    {deed}\nreturn root.size / 1 != 1"
    code, notices = predicate(body, prelude), []
    processes = workshop(notices, 2, MANY_PARTS, candidate_seconds=0.1)
    with pytest.raises(MutascopeError, match=says):
        list(StateSearch(SPACE, code, code.rep_ok, processes))
    assert "the interpreted engine" in notices[0]


@pytest.mark.sweep
def test_a_slow_process_is_not_one_that_hangs():
    code = predicate(
        f"time.sleep(0.004 * (os.getpid() != {os.getpid()}))\nreturn root.size / 1 == 1", "import os, time"
    )
    processes = workshop(None, 2, MANY_PARTS, candidate_seconds=0.05)
    assert tuple(StateSearch(SPACE, code, code.rep_ok, processes)) == by_reference(code, SPACE).vectors


def test_an_abandoned_search_leaves_no_process():
    search = iter(searched(predicate(GOOD)))
    assert len(list(islice(search, 500))) == 500
    assert len(multiprocessing.active_children()) == 2
    search.close()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("jobs", "split_after", "options"), [(1, 0.0, {}), (2, 60.0, {}), (2, 0.0, {"outcomes": True})]
)
def test_one_job_or_a_short_search_or_outcome_pruning_needs_one_process(jobs, split_after, options):
    code = predicate(GOOD)
    search = searched(code, jobs=jobs, pace=replace(MANY_PARTS, split_after=split_after), **options)
    assert searched_by_processes(search) == (by_reference(code, SPACE).vectors, 0)
