"""Korat+ in C around rep_ok and eq_class in Python explores, finds and covers what the reference engine does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from generator_samples import SAMPLES, module, shared_objects
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_criteria import programs_with_criteria
from random_samples import RANDOM_SOURCE, random_tasks, small
from random_walks import Trace
from support.subjects import loaded
from support.sweeps import examples

from harness.errors import SpecError
from harness.generators.states.hosted.search import InterpretedSearch
from harness.generators.states.native.untranslatable import Untranslatable
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.dedicated import equal, field
from harness.model.finitization import Finitization

QUIETLY = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}
SEEN: Counter[str] = Counter()


def result(vectors: Any, explored: Callable[[], int], classes: Callable[[], list[Any]]) -> list[Any]:
    """Return the error that ends a search, or its vectors and classes; then the candidates explored."""
    try:
        outcome: list[Any] = [list(vectors), classes()]
    except SpecError as error:
        outcome = [str(error)]
    return [*outcome, explored()]


def compare(space: StateSpace, code: ModuleType, rep_ok: Any, eq_class: Any, *, first_only: bool = False) -> list[Any]:
    pruning = Pruning(eq_class, first_only)
    reference = KoratPlusSearch(space, code, rep_ok, pruning)
    expected = result(reference, lambda: reference.explored, lambda: list(reference.classes.values()))
    native = InterpretedSearch(space, code, rep_ok, shared_objects(), criterion=pruning)
    with native.begin() as running:
        outcome = result(running.vectors(), lambda: native.explored, lambda: running.class_vectors)
    assert outcome == expected
    SEEN["errors" if len(outcome) == 2 else "several classes" if len(outcome[1]) > 1 else "one class"] += 1
    return outcome


@pytest.mark.parametrize(("name", "scope"), [("list_as_set", 3), ("search_tree_delete", 3), ("binomial_heap_merge", 3)])
def test_the_case_studies_are_pruned_alike(name, scope):
    code, spec = loaded(name)
    for first_only in (False, True):
        outcome = compare(StateSpace(spec.finitization(scope)), code, spec.rep_ok, spec.eq_class, first_only=first_only)
        assert len(outcome[1]) >= 8


@given(random_tasks(), st.integers(0, 1 << 16), st.integers(1, 6))
@settings(max_examples=examples(240), **QUIETLY)
def random_criterion_of_a_random_space(case, seed, steps):
    finitization, walk = case
    assume(small(finitization))
    compare(StateSpace(finitization), module(RANDOM_SOURCE), walk, Trace(seed, steps), first_only=seed % 2 == 0)


def check_random(program: Any) -> None:
    code, space = module(program.source), StateSpace(program.finitization())
    compare(space, code, code.rep_ok, code.eq_class)


@given(programs_with_criteria())
@settings(max_examples=6, **QUIETLY)
def random_program(program):
    assume(StateSpace(program.finitization()).size <= 20_000)
    check_random(program)


@pytest.mark.slow
@given(programs_with_criteria())
@settings(max_examples=examples(60), **QUIETLY)
def test_many_random_programs_are_pruned_alike(program):
    assume(StateSpace(program.finitization()).size <= 50_000)
    check_random(program)


@pytest.mark.sweep
def test_random_criteria_are_pruned_by_alike_and_come_to_several_classes_and_to_errors():
    SEEN.clear()
    random_criterion_of_a_random_space()
    random_program()
    assert SEEN["several classes"] > 5
    assert SEEN["errors"] > 1


def first_is_true(root: Any) -> bool:
    return bool(next(iter(vars(root).values())))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_hand_written_structures_are_pruned_alike(sample):
    compare(sample.space, sample.module, sample.rep_ok, first_is_true)


HOLDER = """
class R: pass
class Stack(list): pass
class N: pass
"""


def dicts(f: Finitization) -> None:
    nodes = f.objects("N", 2)
    f.set("R.p", None, f.dicts(1, keys="ab", values=nodes))
    f.set("R.q", None, nodes, f.sets(1, members=range(2)))
    f.set("N.v", range(2))


def deques(f: Finitization) -> None:
    inner = f.deques(2, lengths=range(2), elements=range(2))
    f.set("R.p", f.dicts(1, keys="ab", values=inner))
    f.set("R.q", f.lists(1, lengths=range(2), elements=inner))


def contents(f: Finitization) -> None:
    stacks = f.objects("Stack", 2)
    f.contents("Stack", lengths=range(3), elements=range(2))
    f.set("R.p", stacks)
    f.set("R.q", stacks)


CRITERIA = (
    lambda root: len(root.p or ()),
    lambda root: (root.q is None, bool(root.p)),
    lambda root: (bool(root.q), root.p is root.q),
    lambda root: root.p is None or len(list(root.p)) > 1,
)


@pytest.mark.parametrize("build", [dicts, deques, contents])
@pytest.mark.parametrize("accepts", [lambda root: True, lambda root: not root.p, lambda root: root.q is not None])
def test_containers_that_are_read_as_a_whole_are_pruned_alike(build, accepts):
    f = Finitization("R")
    build(f)
    code = module(HOLDER)
    for eq_class in CRITERIA:
        if build is dicts and eq_class is CRITERIA[2]:
            continue  # the truth of an N does not depend on its contents
        assert len(compare(StateSpace(f), code, accepts, eq_class)) > 1


def pairs() -> StateSpace:
    f = Finitization("R")
    f.set("R.p", range(3))
    f.set("R.q", range(3))
    f.set("R.r", f.lists(1, lengths=range(3), elements=range(2)))
    return StateSpace(f)


def test_what_eq_class_reads_is_told_apart_from_what_rep_ok_has_read():
    outcome = compare(
        pairs(), module(HOLDER), lambda root: root.r is not None and root.q != root.p, lambda root: root.q
    )
    # r is read first and q next; p and what is in the list are on the stack behind the field that the criterion reads
    assert [vector[:2] for vector in outcome[0]] == [(1, 0), (0, 1), (0, 2)]


def writes(root: Any) -> Any:
    root.r.append(2)
    root.p = root.mark = 5
    return root.q


CALLS: list[int] = []


def counts_calls(root: Any) -> Any:
    CALLS.append(root.p)
    return len(CALLS)


@pytest.mark.parametrize(
    ("eq_class", "says"),
    [
        (lambda root: 1 // root.p, "eq_class raised ZeroDivisionError"),
        (lambda root: root.nothing, "eq_class reads R.nothing"),
        (lambda root: [root.p], "which is not hashable"),
        (lambda root: "any", "eq_class reads nothing of the state"),
        (counts_calls, "eq_class gives another class when it is called again"),
        (writes, "eq_class changes R.p of the state"),
    ],
)
def test_a_bad_criterion_is_told_as_by_the_reference_engine(eq_class, says):
    expected = KoratPlusSearch(pairs(), module(HOLDER), lambda root: root.p < 2, Pruning(eq_class))
    native = InterpretedSearch(
        pairs(), module(HOLDER), lambda root: root.p < 2, shared_objects(), criterion=Pruning(eq_class)
    )
    CALLS.clear()
    with pytest.raises(SpecError, match=says) as one:
        list(expected)
    CALLS.clear()
    with pytest.raises(SpecError) as other:
        list(native)
    assert str(other.value) == str(one.value)


def test_a_criterion_that_names_dedicated_generators_is_refused():
    with pytest.raises(Untranslatable, match="a dedicated generator"):
        InterpretedSearch(
            *(pairs(), module(HOLDER), lambda root: True, shared_objects()),
            criterion=Pruning(lambda root: equal(field(root, "p"), 1)),
        )
