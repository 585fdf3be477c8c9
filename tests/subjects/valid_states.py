"""Valid states of any size with one call each, at random: far beyond the scopes of the finitizations, and outside them.

A builder takes the module of the original or a mutant and a source of randomness, and returns the
state, the method to be called on it, and its arguments. Ranks, marks, counters, colours, values and
integers are whatever the representation invariant allows, not only what the finitization has.
"""

from __future__ import annotations

from itertools import pairwise

from harness.kernel.decode import Token


def bare(cls, **fields):
    """An object made without its constructor, which may be mutated, as the decoder makes them."""
    made = cls.__new__(cls)
    made.__dict__.update(fields)
    return made


def in_a_ring(nodes, onwards, backwards):
    for one, other in pairwise([*nodes, *nodes[:1]]):
        setattr(one, onwards, other)
        setattr(other, backwards, one)


def disj_set(module, rng):
    size = rng.randint(1, 14)
    highest_first = sorted((rng.randint(0, size) * rng.choice([0, 1]) for _ in range(size)), reverse=True)
    names = rng.sample(range(size), size)
    parent, rank = list(range(size)), [0] * size
    for at, (name, height) in enumerate(zip(names, highest_first, strict=True)):
        rank[name] = height
        higher = [other for other in names[:at] if rank[other] > height]
        if higher and rng.random() < 0.9:
            parent[name] = rng.choice(higher)
    roots = sum(parent[name] == name for name in names)
    if roots + sum(height > 0 for height in rank) > size:
        return disj_set(module, rng)
    method, arguments = rng.choice([("find", 1), ("union", 2)])
    return bare(module.DisjSet, parent=parent, rank=rank), method, [rng.randint(0, size) for _ in range(arguments)]


def linked(module, cls, elements, **fields):
    header, *entries = [bare(module.Entry, element=element) for element in [None, *elements]]
    in_a_ring([header, *entries], "next", "previous")
    return bare(cls, header=header, size=len(entries), **fields)


def linked_list(module, rng):
    objects = [None, *(Token("object", number) for number in range(4))]
    elements = rng.choices(objects, k=rng.randint(0, 14))
    mod_count = rng.choice([0, 1, -3, 57, len(elements)])
    items = linked(module, module.LinkedList, elements, mod_count=mod_count)
    method = rng.choice(["add", "remove", "reverse"])
    return items, method, [] if method == "reverse" else [rng.choice(objects)]


def sorted_list(module, rng):
    largest = rng.choice([2, 5, 40])

    def integers():
        return [rng.randint(-largest, largest) for _ in range(rng.randint(0, 20))]

    def ordered():
        return linked(module, module.SortedList, sorted(integers()))

    method = rng.choice(["insert", "remove", "sort", "merge"])
    if method == "sort":
        return linked(module, module.SortedList, integers()), method, []
    return ordered(), method, [ordered() if method == "merge" else rng.randint(-largest, largest)]


def tree_map(module, rng):
    entries = []
    key = rng.randint(-9, 9)

    def tree(height, parent):
        nonlocal key
        red = (parent is None or parent.color) and rng.random() < 0.5
        if not height and not red:
            return None
        entry = bare(module.Entry, parent=parent, color=not red, value=rng.randint(1, 3))
        entry.left = tree(height - (not red), entry)
        entry.key = key = key + rng.randint(1, 2)
        entries.append(entry)
        entry.right = tree(height - (not red), entry)
        return entry

    lowest = key
    root = tree(rng.choice([0, 1, 2, 2, 3, 3, 4]), None)
    key = rng.randint(lowest, key + 1)
    method, arguments = rng.choice([("put", [key, 2]), ("remove", [key])])
    return bare(module.TreeMap, root=root, size=len(entries)), method, arguments


def hash_set(module, rng):
    capacity, largest = rng.randint(1, 12), rng.choice([3, 9, 25])
    threshold = capacity * 3 // 4
    count = max(0, threshold - rng.randint(0, 2))
    elements = [bare(module.Element, hash_code=rng.randint(0, largest)) for _ in range(count + 2)]
    keys = [*elements[:count], None]
    rng.shuffle(keys)
    table = [None] * capacity
    for key in keys[:count]:
        code = 0 if key is None else key.hash_code
        entry = bare(module.Entry, hash_code=code, key=key, value=True, next=table[code % capacity])
        table[code % capacity] = entry
    hash_map = bare(module.HashMap, table=table, count=count, threshold=threshold)
    return bare(module.HashSet, map=hash_map), rng.choice(["add", "remove"]), [rng.choice([*elements, None])]


def av_tree(module, rng):
    attributes = "abcd"[: rng.randint(1, 4)]
    names, query = (bare(module.AVTree, children=[]) for _ in range(2))

    def pair(parent, attribute, value):
        parent.children.append(bare(module.Pair, children=[], attribute=attribute, value=value, record=None))
        return parent.children[-1]

    def describe(parent, depth, records):
        for attribute in attributes:
            groups = {}
            for record in records:
                groups.setdefault(rng.choice("uvwx"), []).append(record)
            groups.pop("x", None)  # records that say nothing about the attribute
            for value, group in groups.items():
                child = pair(parent, attribute, value)
                if depth and rng.random() < 0.7:
                    describe(child, depth - 1, group)
                if not child.children:
                    child.record = group[0]
        rng.shuffle(parent.children)

    def ask(parent, depth):
        for attribute in rng.sample(attributes, rng.randint(0, len(attributes))):
            child = pair(parent, attribute, rng.choice("uvw*"))
            if child.value != "*" and depth:
                ask(child, depth - 1)

    describe(names, rng.randint(0, 2), range(rng.randint(1, 8)))
    ask(query, rng.randint(0, 2))
    return names, "lookup", [query]


def fibonacci_heap(module, rng, largest_size=20):
    lowest, largest = rng.choice([(1, 5), (-9, 9), (-9, 0)])

    def heap(size):
        nodes = [bare(module.Node, degree=0, mark=rng.random() < 0.4, parent=None, child=None) for _ in range(size)]
        children = {node: [] for node in [None, *nodes]}
        bushy, far = rng.choice([0.1, 0.4, 0.9]), rng.choice([1, 4, 30])
        for at, node in enumerate(nodes):
            node.parent = rng.choice(nodes[max(0, at - far) : at]) if at and rng.random() < bushy else None
            node.key = rng.randint(node.parent.key if node.parent else lowest, largest)
            children[node.parent].append(node)
        for parent, ring in children.items():
            rng.shuffle(ring)
            in_a_ring(ring, "right", "left")
            if parent:
                parent.degree, parent.child = len(ring), next(iter(ring), None)
        roots = children[None]
        smallest = [root for root in roots if root.key == min(root.key for root in roots)]
        first, least = (rng.choice(some) if some else None for some in (roots, smallest))
        return bare(module.FibonacciHeap, nodes=first, min_node=least, size=size), [node.key for node in nodes]

    state, keys = heap(rng.randint(0, largest_size))
    method = rng.choice(["insert", "extract_min", "union", "delete", "delete", "delete"])
    other, key = heap(rng.choice([0, 1, 5, 9]))[0], rng.choice([*keys, rng.randint(lowest, largest)])
    return state, method, {"extract_min": [], "union": [other]}.get(method, [key])


STATES = {f.__name__: f for f in (disj_set, linked_list, sorted_list, tree_map, hash_set, av_tree, fibonacci_heap)}
