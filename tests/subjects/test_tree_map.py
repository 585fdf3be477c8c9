"""TreeMap behaves as a dictionary in order of its keys; its two invariants differ in the root's colour alone."""

import pytest
from map_counts import black_rooted_trees, red_black_trees
from subject_samples import inputs, loaded

SUBJECT = loaded("tree_map")
STRICT = loaded("tree_map_black_root")


def test_there_are_as_many_red_black_trees_as_the_published_sequence_says():
    assert [red_black_trees(entries) for entries in range(10)] == [1, 2, 2, 3, 8, 14, 20, 35, 64, 122]  # OEIS A001131
    assert [black_rooted_trees(entries) for entries in range(5)] == [1, 1, 2, 2, 4]


@pytest.mark.parametrize("scope", [1, 2, 3, 4, 5])
def test_the_corrected_invariant_accepts_exactly_the_states_with_a_black_root(scope):
    def drawn(entry):
        return entry and (entry.key, entry.color, drawn(entry.left), drawn(entry.right))

    lax, strict = ([one.make()[0].root for one in inputs(subject, scope)] for subject in (SUBJECT, STRICT))
    assert {drawn(root) for root in strict} == {drawn(root) for root in lax if root is None or root.color}
    assert any(root is not None and not root.color for root in lax)
