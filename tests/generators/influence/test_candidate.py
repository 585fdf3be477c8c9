"""Candidate sequences as values and as text."""

import pytest

from harness.generators.influence.candidate import CandidateCall, CandidateSequence
from harness.model.routines import RoutineKind

HEAP = CandidateCall(0, "Heap", RoutineKind.CONSTRUCTOR, None, ())


def insert(into: int, at: int | None = None) -> CandidateCall:
    return CandidateCall(1, "insert", RoutineKind.METHOD, into, (at,))


def test_a_candidate_reads_as_the_calls_of_a_test_with_what_is_left_open():
    push = CandidateCall(2, "push", RoutineKind.FUNCTION, 0, (None, 1))
    assert str(CandidateSequence((HEAP, HEAP, push))) == "o0 = Heap(); o1 = Heap(); push(o0, ?, o1)"


def test_only_results_that_are_taken_get_a_name():
    assert str(CandidateSequence((HEAP, insert(0), insert(0, 1)))) == "o0 = Heap(); o1 = o0.insert(?); o0.insert(o1)"


def test_equal_calls_make_equal_candidates_with_equal_hashes():
    one, other = CandidateSequence((HEAP, insert(0))), CandidateSequence((HEAP, insert(0)))
    assert one == other
    assert len({one, other, CandidateSequence((HEAP,))}) == 2


def test_a_call_tells_the_objects_that_it_takes_receiver_first():
    assert insert(3, 1).objects == (3, 1)
    assert insert(2, 2).objects == (2, 2)
    assert HEAP.objects == ()


def test_a_candidate_may_not_refer_to_later_calls_nor_be_empty():
    with pytest.raises(ValueError, match="call 1, insert, takes the result of a call that is not before it"):
        CandidateSequence((HEAP, insert(1)))
    with pytest.raises(ValueError, match="at least one call"):
        CandidateSequence(())
