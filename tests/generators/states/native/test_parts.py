"""However a search is cut into parts, they add up to it: same vectors, same order, as many executions."""

from __future__ import annotations

import pytest
from generator_samples import shared_objects
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.compiled_samples import SearchOutcome, by_reference, compiled, finitization, predicate, random_predicates
from support.subjects import loaded
from support.sweeps import examples

from harness.generators.states.native.parts import SearchPart
from harness.generators.states.translated.search import CompiledSearch, SearchGaveUp
from harness.kernel.inputs.state_space import StateSpace

WHOLE = SearchPart((), ())


def in_parts(code, space, most, pieces):
    """One part after the other, none for more than `most` executions before what is left is cut into `pieces`."""
    search = CompiledSearch(space, code, code.rep_ok, shared_objects())
    sizes = [len(field.domain) for field in space.fields]
    vectors, explored, waiting, error, count = [], 0, [WHOLE], "", 0
    while waiting and not error:
        count += 1
        with search.begin() as running:
            running.enter(waiting.pop(0))
            try:
                while (vector := running.next_vector(most)) is not None:
                    vectors.append(vector)
            except SearchGaveUp as reason:
                error = str(reason)
            if running.remainder is not None:
                waiting[:0] = running.remainder.pieces(sizes, pieces)
        explored += search.explored
    return SearchOutcome(tuple(vectors), explored, error), count


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["av_tree", "disj_set", "fibonacci_heap", "hash_set", "search_tree", "tree_map"])
def test_a_subjects_search_in_parts_is_its_search(name):
    code, spec = loaded(name)
    code.rep_ok = spec.rep_ok
    space = StateSpace(spec.finitization(3))
    joined, count = in_parts(code, space, 5, 4)
    assert joined == by_reference(code, space)
    assert count > joined.explored / 5


@pytest.mark.sweep
@given(random_predicates(), st.sampled_from([1, 2, 7, 50]), st.sampled_from([1, 2, 3, 9]))
@settings(max_examples=examples(30), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_predicates_are_searched_alike_in_parts(body, most, pieces):
    code, space = predicate(body), StateSpace(finitization(values=2, lengths=2))
    whole = compiled(code, space)
    joined, _ = in_parts(code, space, most, pieces)
    assert joined == whole or (whole.error and (joined.vectors, joined.error) == (whole.vectors, whole.error))


def test_a_part_is_halved_at_the_lowest_field_that_has_a_further_value():
    part = SearchPart((4, 2, 7), (1, 0, 0), floor=1)
    first, second = part.halves([2, 2, 1, 2, 2, 2, 2, 3])
    assert first == SearchPart((4, 2, 7), (1, 0, 0), floor=3)
    assert second == SearchPart((4, 2, 7), (1, 0, 0), floor=1, after=True)
    assert part.halves([2] * 8) == (SearchPart((4, 2, 7), (1, 0, 0), 2), SearchPart((4, 2), (1, 0), 1, after=True))


def test_what_has_no_further_value_or_no_known_beginning_is_not_halved():
    assert SearchPart((0, 1), (1, 1)).halves([2, 2]) is None
    assert SearchPart((0, 1), (0, 0), floor=2).halves([2, 2]) is None
    assert SearchPart((0, 1), (0, 0), after=True).halves([2, 2]) is None
    assert WHOLE.pieces([2, 2], 9) == [WHOLE]


def test_pieces_are_as_many_as_asked_for_and_in_order():
    part = SearchPart((0, 1, 2), (0, 0, 0))
    pieces = part.pieces([3, 3, 3], 3)
    assert pieces == [
        SearchPart((0, 1, 2), (0, 0, 0), 2),
        SearchPart((0, 1), (0, 0), 1, after=True),
        SearchPart((0,), (0,), after=True),
    ]
    assert part.pieces([3, 3, 3], 1) == [part]


def test_vectors_that_need_no_execution_are_cut_into_parts_as_well():
    code, space = predicate("return root.size == 1"), StateSpace(finitization(values=2, lengths=2))
    search = CompiledSearch(space, code, code.rep_ok, shared_objects())
    sizes = [len(field.domain) for field in space.fields]
    expected = by_reference(code, space)
    with search.begin() as running:
        vectors = [running.next_vector(9) for _ in range(5)]
        part = running.remainder
    assert part.decided == 1
    explored, pieces = search.explored, part.pieces(sizes, 5)
    assert len(pieces) == 4
    for piece in pieces:
        with search.begin() as running:
            running.enter(piece)
            vectors += running.vectors()
        explored += search.explored
    assert SearchOutcome(tuple(vectors), explored) == expected
    assert explored == 3
