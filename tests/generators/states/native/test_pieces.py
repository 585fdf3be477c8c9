"""In whatever order parts of a search with a criterion are searched, and however they are cut, they add up to it."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from generator_samples import module, shared_objects
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from random_criteria import programs_with_criteria
from random_samples import RANDOM_SOURCE
from random_walks import random_readers
from support.subjects import loaded
from support.sweeps import examples

from harness.errors import SpecError
from harness.generators.states.hosted.search import InterpretedSearch
from harness.generators.states.native.parts import SearchPart
from harness.generators.states.native.pieces import Piece, Pieces
from harness.generators.states.reference.plus_search import KoratPlusSearch, Pruning
from harness.generators.states.translated.covered import Covered
from harness.generators.states.translated.search import CompiledSearch
from harness.kernel.inputs.state_space import StateSpace

QUIETLY = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}
WHOLE = SearchPart((), ())
SEEN: Counter[str] = Counter()


def search_piece(native: Any, piece: Piece[Any], most: int) -> SearchPart | None:
    """Searches a piece for as many executions; returns what is left of it."""
    vectors: list[Any] = []
    error: SpecError | None = None
    with native.begin() as running:
        running.enter(piece.part)
        try:
            while (vector := running.next_vector(most)) is not None:
                vectors.append(vector)
        except SpecError as reason:
            error = reason
        piece.is_taken = True
        piece.result = vectors, native.explored, running.left, running.class_vectors, error
        return None if error else running.remainder


def by_pieces(native: Any, covered: Covered, draw: Any, most: int, cut: int) -> tuple[list[Any], int]:
    """Vectors and executions of a search whose parts are searched in an order that `draw` gives."""
    sizes = [len(field.domain) for field in native.space.fields]
    pieces: Pieces[Any] = Pieces(WHOLE.pieces(sizes, cut))
    vectors, explored = [], 0
    while pieces:
        if pieces.first.result is None:
            waiting = pieces.waiting
            piece = waiting[draw(len(waiting))]
            remainder = search_piece(native, piece, most)
            if remainder is not None:
                pieces.leave_rest(piece, remainder.pieces(sizes, cut))
            continue
        vectors_of_piece, executions, left, classes, error = pieces.first.result
        if error is not None:
            raise error
        fresh = covered.add(classes)
        vectors += fresh if covered.first_only else vectors_of_piece
        explored += executions
        dropped = pieces.end_first(left)
        SEEN["dropped"] += len(dropped)
        SEEN["searched in vain"] += sum(piece.result is not None for piece in dropped)
    return vectors, explored


def check(native: Any, code: Any, rep_ok: Any, pruning: Pruning, *options: Any) -> None:
    reference = KoratPlusSearch(native.space, code, rep_ok, pruning)
    try:
        expected = list(reference)
    except SpecError:
        assume(False)
    covered = Covered(native.space, code, pruning)
    assert by_pieces(native, covered, *options) == (expected, reference.explored)
    assert list(covered.classes.items()) == list(reference.classes.items())


ORDERS = {"the first": lambda count: 0, "the last": lambda count: count - 1, "one between": lambda count: count // 2}


@pytest.mark.sweep
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("name", "scope"), [("list_as_set", 1), ("search_tree_delete", 1), ("binomial_heap_merge", 2)])
def test_parts_of_a_case_study_add_up_to_it(name, scope, order):
    code, spec = loaded(name)
    space, pruning = StateSpace(spec.finitization(scope)), Pruning(spec.eq_class, order == "the last")
    native = CompiledSearch(space, code, spec.rep_ok, shared_objects(), criterion=pruning)
    check(native, code, spec.rep_ok, pruning, ORDERS[order], 4, 9)


@given(random_readers(), st.data(), st.booleans())
@settings(max_examples=70, **QUIETLY)
def random_search_in_parts(case, data, first_only):
    finitization, rep_ok, eq_class = case
    code, space, pruning = module(RANDOM_SOURCE), StateSpace(finitization), Pruning(eq_class, first_only)
    native = InterpretedSearch(space, code, rep_ok, shared_objects(), criterion=pruning)
    most, cut = data.draw(st.sampled_from([5, 1, 20])), data.draw(st.sampled_from([9, 5, 4]))
    choice = random.Random(data.draw(st.integers(0, 99)))
    check(native, code, rep_ok, pruning, choice.randrange, most, cut)


@pytest.mark.sweep
def test_parts_of_random_searches_add_up_to_them_though_some_are_dropped_or_searched_in_vain():
    SEEN.clear()
    random_search_in_parts()
    assert SEEN["dropped"] > 15
    assert SEEN["searched in vain"] > 10


def check_program(program: Any, data: Any, most: int, cut: int) -> None:
    code, space = module(program.source), StateSpace(program.finitization())
    pruning = Pruning(code.eq_class)
    native = InterpretedSearch(space, code, code.rep_ok, shared_objects(), criterion=pruning)
    check(native, code, code.rep_ok, pruning, lambda count: data.draw(st.integers(0, count - 1)), most, cut)


@pytest.mark.sweep
@given(programs_with_criteria(), st.data(), st.sampled_from([2, 7, 50]), st.sampled_from([2, 3, 9]))
@settings(max_examples=3, **QUIETLY)
def test_parts_of_random_programs_add_up_to_them(program, data, most, cut):
    assume(StateSpace(program.finitization()).size <= 5_000)
    check_program(program, data, most, cut)


@pytest.mark.slow
@given(programs_with_criteria(), st.data(), st.sampled_from([2, 7, 50]), st.sampled_from([2, 3, 9]))
@settings(max_examples=examples(80), **QUIETLY)
def test_parts_of_many_random_programs_add_up_to_them(program, data, most, cut):
    assume(StateSpace(program.finitization()).size <= 20_000)
    check_program(program, data, most, cut)


PATH = (3, 1, 4, 0, 2), (1, 0, 2, 0, 1)


def part(height: int, floor: int) -> SearchPart:
    return SearchPart(PATH[0][:height], PATH[1][:height], floor, after=True)


def test_a_part_that_is_left_at_its_floor_drops_nothing():
    pieces: Pieces[str] = Pieces([part(5, 4), part(4, 2), part(2, 0)])
    pieces.first.result = "found"
    assert pieces.end_first(4) == []
    assert [piece.part for piece in pieces.waiting] == [part(4, 2), part(2, 0)]


def test_a_part_that_is_left_below_its_floor_drops_what_lies_within_and_the_next_one_begins_behind_that():
    pieces: Pieces[str] = Pieces([part(5, 4), part(4, 3), part(3, 1), part(1, 0)])
    dropped = pieces.end_first(2)
    assert [piece.part for piece in dropped] == [part(4, 3), part(3, 1)]
    assert all(piece.is_dropped for piece in dropped)
    assert [piece.part for piece in pieces.waiting] == [part(2, 1), part(1, 0)]


def test_what_was_left_of_a_dropped_part_is_dropped_with_it_even_where_it_had_come_further():
    pieces: Pieces[str] = Pieces([part(5, 4), part(4, 0)])
    begun = pieces.waiting[1]
    elsewhere = SearchPart((3, 0), (2, 0), 1), SearchPart((3,), (2,), 0, after=True)
    pieces.leave_rest(begun, elsewhere)
    assert [piece.part for piece in pieces.end_first(2)] == [begun.part, *elsewhere]
    assert [piece.part for piece in pieces.waiting] == [part(2, 0)]


def test_a_part_of_which_something_is_left_ends_where_that_begins():
    pieces: Pieces[str] = Pieces([part(5, 4), part(4, 0)])
    pieces.leave_rest(pieces.first, [SearchPart(*PATH, 4)])
    assert pieces.end_first(1) == []
    assert len(pieces.waiting) == 2
