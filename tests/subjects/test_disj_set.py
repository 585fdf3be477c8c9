"""DisjSet behaves as a partition."""

from subject_samples import loaded

SUBJECT = loaded("disj_set")


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
