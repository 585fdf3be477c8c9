"""SearchTree behaves as a set."""

from subject_samples import loaded

SUBJECT = loaded("search_tree")


def tree_of(*keys):
    tree = SUBJECT.module.SearchTree()
    for key in keys:
        tree.add(key)
    return tree


def test_trees_of_other_shape_with_the_same_keys_are_equal():
    assert SUBJECT.abstract(tree_of(2, 1, 3)) == SUBJECT.abstract(tree_of(1, 2, 3)) == (1, 2, 3)


def test_rep_ok_refuses_a_cycle_a_shared_child_a_wrong_size_and_a_wrong_order():
    cycle, shared, size, order = (tree_of(2, 1, 3) for _ in range(4))
    cycle.root.left.left = cycle.root
    shared.root.left = shared.root.right
    size.size = 2
    order.root.left.info = 4
    empty = tree_of()
    empty.size = 1
    assert not any(map(SUBJECT.spec.rep_ok, [cycle, shared, size, order, empty]))


def test_rep_ok_compares_a_key_with_all_its_ancestors():
    tree = tree_of(4, 2, 6, 3)
    tree.root.left.right.info = 5
    assert not SUBJECT.spec.rep_ok(tree)
