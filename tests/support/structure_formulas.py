"""Numbers of structures by closed formulas, and those that beapi2023's Table 1 prints."""

from math import comb

CATALAN = tuple(comb(2 * nodes, nodes) // (nodes + 1) for nodes in range(12))
AVL_SHAPES = (1, 1, 2, 1, 4, 6, 4, 17, 32, 44, 60, 70)  # OEIS A006265
RED_BLACK_SHAPES = (1, 1, 2, 2, 4, 8)  # with a black root (docs/subjects.md)


def keyed(shapes: tuple[int, ...], scope: int) -> int:
    """Count the search trees of these shapes, given by number of nodes, with some of `scope` keys."""
    return sum(comb(scope, nodes) * shapes[nodes] for nodes in range(scope + 1))


def lists(values: int, longest: int) -> int:
    """Count the lists of at most so many elements, each of so many values."""
    return sum(values**length for length in range(longest + 1))


FORMULAS = {
    "search_tree": lambda s: keyed(CATALAN, s),
    "parent_tree": lambda s: keyed(CATALAN, s),
    "avl_tree": lambda s: keyed(AVL_SHAPES, s),
    "sentinel_list": lambda s: lists(s, s - 1),
    "doubly_linked_list": lambda s: lists(s, s),
    "linked_stack": lambda s: lists(s, s),
    "sorted_list": lambda s: comb(2 * s - 2, s - 1),
    "node_caching_list": lambda s: sum(s**k * (s - k) for k in range(s)),
    "disj_set_checked": lambda s: sum((n + 1) ** (n - 1) for n in range(1, s)),
}
COUNTS = {
    "search_tree": (15, 51, 188, 731, 2950, 12235, 51822, 223191),
    "parent_tree": (15, 51),
    "avl_tree": (11, 25, 62, 157, 396, 1017, 2706, 7393, 20267),
    "sentinel_list": (13, 85, 781, 9331, 137257),
    "doubly_linked_list": (40, 341, 3906, 55987),
    "linked_stack": (40, 341, 3906, 55987),
    "sorted_list": (6, 20, 70, 252, 924),
    "node_caching_list": (18, 112, 975, 11196, 160132),
    "binomial_heap": (28, 120, 936, 7602, 107416),
    "red_black_tree": (11, 29, 72, 197, 561, 1657, 4748, 14077, 39942),
    "disj_set_checked": (4, 20, 145),
    "disj_set_fast": (4, 14, 83, 544, 4397),
    "tree_map_values": (91, 1745, 34276),
    "binary_heap": (31, 249),
    "fib_heap": (48, 385, 4381, 54159),
    "fibonacci_heap": (64, 751, 9411),
}
"""Structures at scopes 3, 4, ...: of ../shared/published/README.md and beapi2023_table1.csv.

Of Fibonacci heaps at scope 4, the table prints 335: see `IN_PLACE` in tests/generators/policies/beapi.
"""
EXPLORED = {
    ("search_tree", 10): 2231922, ("parent_tree", 3): 50, ("parent_tree", 4): 210, ("avl_tree", 5): 317,
    ("avl_tree", 6): 950, ("avl_tree", 10): 73942, ("avl_tree", 11): 222950, ("red_black_tree", 7): 7866,
    ("red_black_tree", 8): 26526, ("red_black_tree", 11): 878743,
    ("node_caching_list", 6): 134364, ("node_caching_list", 7): 2241862, ("sentinel_list", 7): 960807,
    ("doubly_linked_list", 6): 335930, ("linked_stack", 6): 335930, ("binomial_heap", 6): 53222,
    ("binomial_heap", 7): 859337, ("disj_set_fast", 6): 22890, ("disj_set_fast", 7): 246288,
}  # fmt: skip
"""Sequences explored, as Table 1 prints them."""
