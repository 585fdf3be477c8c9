"""Counts name trees with queries by trying all labels on all ordered forests, without any search."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

Forest = tuple["Forest", ...]
"""The trees of an ordered forest, each by the forest below its root."""
Labels = tuple[int, ...]

Rivals = tuple[tuple[frozenset[int], frozenset[int]], ...]
"""Leaves below siblings of one attribute, two by two."""

WILDCARD = -1


@cache
def ordered_forests(pairs: int) -> tuple[Forest, ...]:
    """Return all forests of `pairs` nodes: each has a forest below its first root, and another after it."""
    if pairs == 0:
        return ((),)
    return tuple(
        (below, *beside)
        for first in range(pairs)
        for below in ordered_forests(first)
        for beside in ordered_forests(pairs - 1 - first)
    )


def renamings(length: int, used: int = 0) -> Iterator[Labels]:
    """Sequences of labels up to renaming: each label is one used before or the next new one."""
    if length == 0:
        yield ()
        return
    for label in range(used + 1):
        for later_labels in renamings(length - 1, max(used, label + 1)):
            yield (label, *later_labels)


def with_wildcards(length: int) -> Iterator[Labels]:
    """Yield the labels of `renamings`, in which any of them may be the wildcard instead."""
    for wild in product((False, True), repeat=length):
        for named in renamings(wild.count(False)):
            labels = iter(named)
            yield tuple(WILDCARD if one else next(labels) for one in wild)


class Nodes:
    """The nodes of a forest in preorder: leaves, and for each parent (None: no parent) its children."""

    def __init__(self, forest: Forest) -> None:
        self.children: dict[int | None, list[int]] = {}
        self.size = 0
        self._walk(forest, None)
        self.leaves = tuple(node for node in range(self.size) if not self.children[node])

    def _walk(self, forest: Forest, parent: int | None) -> None:
        self.children[parent] = []
        for below in forest:
            node = self.size
            self.size += 1
            self.children[parent].append(node)
            self._walk(below, node)

    def siblings(self) -> list[list[int]]:
        return list(self.children.values())

    def leaves_below(self, node: int) -> frozenset[int]:
        below = self.children[node]
        return frozenset().union(*map(self.leaves_below, below)) if below else frozenset({node})


def is_query(nodes: Nodes, attributes: Labels, values: Labels) -> bool:
    """Siblings differ in their attributes, and only leaves are wildcards."""
    return all(len({attributes[n] for n in group}) == len(group) for group in nodes.siblings()) and all(
        not nodes.children[node] for node in range(nodes.size) if values[node] == WILDCARD
    )


def rivals(nodes: Nodes, attributes: Labels, values: Labels) -> Rivals | None:
    """Return the leaves below siblings of one attribute; None where siblings are equal."""
    both = [(a, b) for group in nodes.siblings() for a, b in combinations(group, 2)]
    pairs = [(a, b) for a, b in both if attributes[a] == attributes[b]]
    if any(values[a] == values[b] for a, b in pairs):
        return None
    return tuple((nodes.leaves_below(a), nodes.leaves_below(b)) for a, b in pairs)


@cache
def ways_of_records(leaves: Labels, rivals_of_leaves: Rivals) -> int:
    """Count the records for the leaves, up to renaming, with no record on both sides of a pair of rivals."""
    count = 0
    for records in renamings(len(leaves)):
        at = dict(zip(leaves, records, strict=True))
        count += not any({at[n] for n in one} & {at[n] for n in other} for one, other in rivals_of_leaves)
    return count


def name_trees(scope: int) -> int:
    """Name trees of at most `scope` pairs."""
    return sum(_inputs(pairs, 0) for pairs in range(scope + 1))


def av_tree_inputs(scope: int) -> int:
    """Name trees and queries of together at most `scope` pairs."""
    return sum(_inputs(pairs, total - pairs) for total in range(scope + 1) for pairs in range(total + 1))


def _inputs(described: int, queried: int) -> int:
    """Name trees of so many pairs, with queries of so many: they share attributes and values."""
    count = 0
    trees = [Nodes(forest) for forest in ordered_forests(described)]
    queries = [Nodes(forest) for forest in ordered_forests(queried)]
    for attributes in renamings(described + queried):
        for values in with_wildcards(described + queried):
            fitting = sum(is_query(query, attributes[described:], values[described:]) for query in queries)
            if fitting and WILDCARD not in values[:described]:
                for tree in trees:
                    rivals_of_values = rivals(tree, attributes[:described], values[:described])
                    if rivals_of_values is not None:
                        count += fitting * ways_of_records(tree.leaves, rivals_of_values)
    return count
