"""DisjSet behaves as a partition."""

import pytest
from subject_samples import loaded

SUBJECT = loaded("disj_set")


@pytest.mark.parametrize(("method", "elements"), [("find", (3,)), ("union", (0, 3)), ("union", (3, 0))])
def test_a_missing_element_raises_and_changes_no_set(method, elements):
    sets = SUBJECT.module.DisjSet(3)
    sets.union(0, 1)
    with pytest.raises(IndexError):
        getattr(sets, method)(*elements)
    assert SUBJECT.abstract(sets) == (0, 0, 2)


def test_find_leads_all_elements_on_its_way_to_the_root():
    sets = SUBJECT.module.DisjSet(4)
    sets.parent, sets.rank = [1, 2, 3, 3], [0, 1, 2, 3]
    assert sets.find(0) == 3
    assert sets.parent == [3, 3, 3, 3]


def test_the_root_of_lower_rank_goes_below_the_other_and_equal_ranks_grow():
    sets = SUBJECT.module.DisjSet(4)
    sets.union(0, 1)
    assert (sets.parent, sets.rank) == ([0, 0, 2, 3], [1, 0, 0, 0])
    sets.union(2, 1)
    assert (sets.parent, sets.rank) == ([0, 0, 0, 3], [1, 0, 0, 0])
    sets.union(0, 3)
    assert (sets.parent, sets.rank) == ([0, 0, 0, 0], [1, 0, 0, 0])


def test_forests_of_other_shape_and_ranks_with_the_same_sets_are_equal():
    one, other = SUBJECT.module.DisjSet(3), SUBJECT.module.DisjSet(3)
    one.union(0, 2)
    other.union(2, 0)
    assert one.parent != other.parent
    assert SUBJECT.abstract(one) == SUBJECT.abstract(other) == (0, 1, 0)


@pytest.mark.parametrize(
    ("parent", "rank"),
    [
        ([0], [0, 0]),
        ([0, 2], [0, 0]),
        ([0, -1], [0, 0]),
        ([1, 0], [1, 1]),
        ([1, 1], [0, 0]),
        ([0, 1], [0, 1]),
        ([0, 1], [0, -1]),
        ([1, 2, 2], [1, 0, 2]),
    ],
    ids=["lengths", "no parent", "negative parent", "cycle", "rank as the child's", "rank unearned", "rank", "chain"],
)
def test_rep_ok_refuses_a_broken_forest(parent, rank):
    sets = SUBJECT.module.DisjSet()
    assert SUBJECT.spec.rep_ok(sets)
    sets.parent, sets.rank = parent, rank
    assert not SUBJECT.spec.rep_ok(sets)
