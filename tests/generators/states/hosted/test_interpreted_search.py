"""The search in C around a predicate in Python explores and finds exactly what the reference engine does."""

from __future__ import annotations

import platform
from itertools import islice
from typing import Any

import pytest
from generator_samples import SAMPLES, module, shared_objects
from hypothesis import HealthCheck, assume, given, settings
from random_samples import RANDOM_SOURCE, Walk, random_tasks, small
from support.subjects import AT_SCOPES, loaded
from support.sweeps import examples

from harness.errors import SpecError
from harness.generators.states.hosted.search import InterpretedSearch
from harness.generators.states.native.untranslatable import NoCompiler, Untranslatable
from harness.generators.states.pace import PACE, Pace
from harness.generators.states.reference.search import KoratSearch
from harness.generators.states.translated.search import SearchGaveUp
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.specs.dedicated import equal, field
from harness.model.finitization import Finitization


def interpreted(
    rep_ok: Any, finitization: Finitization, source: Any = RANDOM_SOURCE, pace: Pace = PACE
) -> InterpretedSearch:
    code = module(source) if isinstance(source, str) else source
    return InterpretedSearch(StateSpace(finitization), code, rep_ok, shared_objects(), pace=pace)


def vectors_of(running: Any) -> list[Any]:
    """Return the vectors, the executions, and the error that ends the search."""
    vectors: list[Any] = []
    try:
        vectors.extend(running)
    except SpecError as error:
        vectors = [str(error)]  # found in blocks: those of the last one are lost with it
    return [*vectors, running.explored]


def compare(rep_ok: Any, finitization: Finitization, source: Any = RANDOM_SOURCE) -> list[Any]:
    code = module(source) if isinstance(source, str) else source
    vectors = vectors_of(interpreted(rep_ok, finitization, code))
    assert vectors == vectors_of(KoratSearch(StateSpace(finitization), code, rep_ok))
    return vectors


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "scope"), AT_SCOPES)
def test_every_subjects_states_come_in_the_same_order_from_as_many_candidates(name, scope):
    code, spec = loaded(name)
    compare(spec.rep_ok, spec.finitization(scope), code)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_hand_written_structures_come_out_alike(sample):
    compare(sample.rep_ok, sample.finitization(), sample.source)


@pytest.mark.sweep
@given(random_tasks())
@settings(max_examples=examples(200), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_predicates_come_out_alike(case):
    finitization, walk = case
    assume(small(finitization))
    compare(walk, finitization)
    compare(_Careless(walk), finitization)


class _Careless:
    """Reads as a walk does, but writes, raises, and answers with other things than True and False now and then."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk

    def __call__(self, root: Any) -> Any:
        answer = self.walk(root)
        deed = (self.walk.seed + self.walk.steps) % 5
        if deed == 0 and answer:
            root.p = root.mark = 7
        if deed == 1:
            return ["yes"] if answer else None
        if deed == 2 and answer and root.p is None:
            raise ValueError("no")
        if deed == 3 and answer:
            del root.p
        if deed == 4:
            return root.q if answer else 0
        return answer


def _pairs(values: int) -> Finitization:
    f = Finitization("R")
    f.set("R.p", range(values))
    f.set("R.q", range(values))
    return f


def test_an_error_names_the_line_and_the_candidate_it_was_raised_on():
    vectors = compare(lambda root: 1 // (root.p - 2) > 5, _pairs(4))
    assert "p=2, q=?" in vectors[0]
    assert __file__ in vectors[0]
    assert vectors[-1] == 3


def test_an_answer_whose_truth_cannot_be_told_is_an_error():
    class Neither:
        def __bool__(self):
            raise TypeError("neither")

    assert "neither" in compare(lambda root: root.p == 1 and Neither(), _pairs(2))[0]


def test_what_is_written_on_the_way_is_undone_for_the_next_candidate():
    def rep_ok(root):
        clean = not hasattr(root, "mark")
        root.mark = root.p = root.p + 1
        return clean and root.p % 2 == 0

    assert [vector[0] for vector in compare(rep_ok, _pairs(4))[:-1:4]] == [1, 3]


def test_a_list_that_is_changed_on_the_way_is_as_before_for_the_next_candidate():
    f = Finitization("R")
    f.set("R.p", f.lists(1, lengths=range(4), elements=(0, 1, None)))

    def rep_ok(root):
        root.p.append(2)
        root.p.sort(key=lambda element: element or 0)
        return root.p.pop() == 2 and root.p[:2] == [0, 1]

    assert compare(rep_ok, f)[-1] == 40


def test_a_field_that_rep_ok_has_not_read_is_shown_as_such():
    descriptions = []

    def rep_ok(root):
        descriptions.append(begun.current)
        return root.p == 1 and descriptions.append(begun.current) is None and root.q == 2

    with interpreted(rep_ok, _pairs(3)).begin() as begun:
        assert list(begun.vectors()) == [(1, 2)]
    after = [(1, "?"), (1, "?"), (1, 1), (1, 1), (1, 2), (1, 2), (2, "?")]
    assert descriptions == ["R(p=?, q=?)", *(f"R(p={p}, q={q})" for p, q in after)]


@pytest.mark.parametrize("returned", [True, False])
def test_a_condition_of_a_dedicated_generator_is_left_to_the_reference_engine(returned):
    makers = {"equal": equal}

    def rep_ok(root):
        condition = makers["equal"](field_of(root, "q"), 1)
        return root.p == 2 and (condition if returned else bool(condition))

    field_of = field
    with pytest.raises(SearchGaveUp, match="a dedicated generator"):
        list(interpreted(rep_ok, _pairs(4)))


def test_a_predicate_that_names_dedicated_generators_is_refused():
    with pytest.raises(Untranslatable, match="a dedicated generator"):
        interpreted(lambda root: equal(field(root, "p"), 1), _pairs(2))


def test_another_interpreter_is_refused(monkeypatch):
    monkeypatch.setattr(platform, "python_implementation", lambda: "PyPy")
    with pytest.raises(NoCompiler, match="need CPython"):
        interpreted(lambda root: True, _pairs(2))


def test_a_search_that_rep_ok_begins_itself_gives_up_and_the_outer_one_goes_on():
    inner = []

    def rep_ok(root):
        if not inner:
            with pytest.raises(SearchGaveUp, match="another search is under way"):
                list(interpreted(lambda other: other.p == other.q, _pairs(3)))
            inner.append(True)
        return root.p < root.q

    assert list(interpreted(rep_ok, _pairs(3))) == [(0, 1), (0, 2), (1, 2)]


def test_a_field_that_is_read_while_nobody_searches_is_not_there():
    roots: list[Any] = []
    with interpreted(lambda root: roots.append(root) or root.p == 1, _pairs(2)).begin() as running:
        assert next(running.vectors()) == (1, 0)
        with pytest.raises(AttributeError):
            _ = roots[0].p
    with pytest.raises(AttributeError):
        _ = roots[0].q


def test_two_searches_by_turns_do_not_disturb_each_other():
    one, other = (
        iter(interpreted(rep_ok, _pairs(4), pace=Pace(executions=1)))
        for rep_ok in (lambda r: r.p < r.q, lambda r: r.q < r.p)
    )
    pairs_by_turns = list(zip(one, other, strict=True))
    assert [(b, a) for (a, b), _ in pairs_by_turns] == sorted(pair for _, pair in pairs_by_turns) or len(
        pairs_by_turns
    ) == 6
    assert {pair for pair, _ in pairs_by_turns} == {(p, q) for p in range(4) for q in range(4) if p < q}


def test_an_interrupt_passes_and_the_search_can_be_made_again():
    def rep_ok(root):
        if root.p == 1 and calls.append(True) is None and len(calls) == 1:
            raise KeyboardInterrupt
        return True

    calls: list[bool] = []
    running = interpreted(rep_ok, _pairs(2))
    with pytest.raises(KeyboardInterrupt):
        list(running)
    assert len(list(running)) == 4


def test_an_abandoned_search_leaves_classes_and_code_as_they_were():
    code = module(RANDOM_SOURCE)
    before = dict(vars(code.R))
    running = iter(interpreted(lambda root: root.p == root.q, _pairs(3), code))
    assert len(list(islice(running, 2))) == 2
    with pytest.raises(RuntimeError, match="being searched already"):
        list(interpreted(lambda root: True, _pairs(2), code))
    running.close()
    assert dict(vars(code.R)) == before
