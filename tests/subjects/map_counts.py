"""Counts red-black trees and hash tables by formulas, without any search."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import comb, prod


@cache
def rooted(red: bool, entries: int, height: int) -> int:
    """Red-black trees with a red or a black root and `height` black entries on each path down; none counts as black."""
    if entries == 0:
        return int(not red and height == 0)
    if not red and height == 0:
        return 0
    colors, lower = ((False,), height) if red else ((False, True), height - 1)
    return sum(
        rooted(left, smaller, lower) * rooted(right, entries - 1 - smaller, lower)
        for smaller in range(entries)
        for left in colors
        for right in colors
    )


def black_rooted_trees(entries: int) -> int:
    """Shapes and colours of `entries` entries with a black root, or none."""
    return sum(rooted(False, entries, height) for height in range(entries + 1))


def red_black_trees(entries: int) -> int:
    """Count the red-black trees whose root may also be red."""
    return black_rooted_trees(entries) + sum(rooted(True, entries, height) for height in range(entries + 1))


def tree_maps(trees: Callable[[int], int], scope: int) -> int:
    """Red-black trees that hold some of `scope` keys."""
    return sum(comb(scope, entries) * trees(entries) for entries in range(scope + 1))


def arrangements(buckets: list[int], with_none: bool, elements: int) -> int:
    """Ways to chain so many elements, and None in bucket 0; buckets[b] is how many hash codes go to b.

    Elements are interchangeable but for their codes.
    """
    total = 0
    for lengths in product(range(elements + 1), repeat=len(buckets)):
        if sum(lengths) == elements:
            places_of_none = lengths[0] + 1 if with_none else 1
            total += places_of_none * prod(codes**length for codes, length in zip(buckets, lengths, strict=True))
    return total


def tables(scope: int, capacity: int) -> Iterator[tuple[int, int]]:
    """Yield numbers of elements other than None, with how many sets in a table of `capacity` buckets hold so many."""
    buckets = [len(range(bucket, scope, capacity)) for bucket in range(capacity)]
    threshold = capacity * 3 // 4
    for elements in range(threshold + 1):
        yield elements, arrangements(buckets, False, elements)
    for elements in range(threshold):
        yield elements, arrangements(buckets, True, elements)


def hash_sets(scope: int) -> int:
    """Hash tables of 1..scope buckets with hash codes 0..scope-1."""
    return sum(number for capacity in range(1, scope + 1) for _, number in tables(scope, capacity))


def hash_set_inputs(scope: int) -> int:
    """Count the inputs of both methods: None, each element of the set, and another element of each code."""
    return sum(
        2 * (1 + elements + scope) * number
        for capacity in range(1, scope + 1)
        for elements, number in tables(scope, capacity)
    )
