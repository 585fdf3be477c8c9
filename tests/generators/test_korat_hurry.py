"""The loop that hurries through candidates does as one execution at a time does."""

from __future__ import annotations

from typing import Any

import pytest
from generator_samples import RANDOM_SOURCE, SAMPLES, Walk, module, random_tasks, small
from hypothesis import HealthCheck, assume, given, settings

from harness.errors import SpecError
from harness.generators.korat.search import KoratSearch
from harness.kernel.dedicated import equal, field, less
from harness.kernel.space import StateSpace
from harness.model.finitization import Finitization


class _OneByOne(KoratSearch):
    """The witness: every candidate by `_execute`."""

    def _hurry(self, observer: Any, narrowing: Any, completion: Any) -> Any:
        return self._execute(observer, narrowing) if observer.advance() else None
        yield


def found_by(kind: type[KoratSearch], rep_ok: Any, finitization: Finitization, source: str) -> list[Any]:
    """Each vector with the executions until then, and in all; and the error that ends it."""
    search = kind(StateSpace(finitization), module(source), rep_ok)
    found: list[Any] = []
    try:
        found.extend((vector, search.explored, search.current) for vector in search)
    except SpecError as error:
        found.append(str(error))
    return [*found, search.explored]


def compare(rep_ok: Any, finitization: Finitization, source: str = RANDOM_SOURCE) -> list[Any]:
    hurried = found_by(KoratSearch, rep_ok, finitization, source)
    assert hurried == found_by(_OneByOne, rep_ok, finitization, source)
    return hurried


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_hand_written_structures_come_out_alike_with_the_same_counts_at_each(sample):
    compare(sample.rep_ok, sample.finitization(), sample.source)


@given(random_tasks())
@settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
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
        what = (self.walk.seed + self.walk.steps) % 5
        if what == 0 and answer:
            root.p = root.mark = 7
        if what == 1:
            return ["yes"] if answer else None
        if what == 2 and answer and root.p is None:
            raise ValueError("no")
        if what == 3 and answer:
            return equal(field(root, "p"), None)
        if what == 4:
            return root.q if answer else 0
        return answer


def _pairs(values: int) -> Finitization:
    f = Finitization("R")
    f.set("R.p", range(values))
    f.set("R.q", range(values))
    return f


def test_an_error_in_the_midst_of_the_values_of_a_field_names_the_candidate_it_was_raised_on():
    found = compare(lambda root: 1 // (root.p - 2) > 5, _pairs(4))
    assert "p=2" in found[0].replace(" ", "")
    assert found[-1] == 3


def test_a_condition_that_is_asked_late_is_heard():
    def rep_ok(root):
        return root.p == 2 and bool(equal(field(root, "q"), 1)) and root.p == 2

    assert [vector for vector, *_ in compare(rep_ok, _pairs(4))[:-1]] == [(2, 1)]


def test_a_late_condition_that_cannot_be_evaluated_is_the_predicates_error():
    found = compare(lambda root: root.p == 2 and less(field(root, "q"), "x"), _pairs(4))
    assert found[0].startswith("rep_ok raised TypeError: '<' not supported")


def test_what_is_written_on_the_way_is_undone_for_the_next_value():
    def rep_ok(root):
        clean = not hasattr(root, "mark")
        root.mark = root.p = root.p + 1
        return clean and root.p % 2 == 0

    assert [vector[0] for vector, *_ in compare(rep_ok, _pairs(4))[:-1:4]] == [1, 3]


def test_the_listener_of_another_search_is_not_told_between_candidates():
    running = iter(KoratSearch(StateSpace(_pairs(3)), module(RANDOM_SOURCE), lambda root: root.p > 0))
    own = module(RANDOM_SOURCE).R()
    own.p = 1
    assert [bool(equal(field(own, "p"), 1)) for _ in running] == [True] * 6
