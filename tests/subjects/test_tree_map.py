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


def tree_of(*keys):
    tree = SUBJECT.module.TreeMap()
    for key in keys:
        tree.put(key, 0)
    return tree


@pytest.mark.parametrize("subject", [SUBJECT, STRICT], ids=lambda subject: subject.name)
def test_rep_ok_refuses_wrong_links_sizes_colours_and_orders(subject):
    cycle, shared, parent, size, red_red, height, order, colour = (tree_of(4, 2, 6, 1) for _ in range(8))
    assert subject.spec.rep_ok(cycle)
    cycle.root.left.left.left = cycle.root
    shared.root.left = shared.root.right
    parent.root.left.parent = parent.root.right
    size.size = 3
    red_red.root.left.color = False
    height.root.left.left.color = True
    order.root.left.left.key = 5
    colour.root.right.color = None
    empty = tree_of()
    assert subject.spec.rep_ok(empty)
    empty.size = 1
    wrong = [cycle, shared, parent, size, red_red, height, order, colour, empty]
    assert not any(map(subject.spec.rep_ok, wrong))


@pytest.mark.parametrize("subject", [SUBJECT, STRICT], ids=lambda subject: subject.name)
def test_rep_ok_compares_a_key_with_all_its_ancestors(subject):
    tree = tree_of(4, 2, 6, 1, 3)
    tree.root.left.right.key = 5
    assert not subject.spec.rep_ok(tree)


def test_a_red_root_is_valid_in_the_original_invariant_only():
    tree = tree_of(1)
    tree.root.color = False
    assert (SUBJECT.spec.rep_ok(tree), STRICT.spec.rep_ok(tree)) == (True, False)
    tree.put(2, 0)
    assert STRICT.spec.rep_ok(tree)
