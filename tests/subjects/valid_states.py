"""Valid states of any size with one call each, at random, including states beyond the finitizations' scopes.

A builder takes the module of the original or a mutant and a source of randomness, and returns the state, the method (of
heapq: function) to be called on it, and its arguments. Ranks, marks, counters, colours, values and integers are any
that the representation invariant allows, not only those of the finitization.
"""

from itertools import pairwise

from harness.kernel.specs.tokens import Token


def bare(cls, **fields):
    """An object made without its constructor, which may be mutated, as the decoder makes them."""
    instance = cls.__new__(cls)
    instance.__dict__.update(fields)
    return instance


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


def binomial_heap(module, rng):
    lowest, largest = rng.choice([(1, 5), (-9, 9), (-9, 0), (1, 40)])
    keys = []

    def tree(degree, parent):
        keys.append(rng.randint(parent.key if parent else lowest, largest))
        node = bare(module.Node, key=keys[-1], degree=degree, parent=parent, sibling=None)
        node.child = in_a_row([tree(smaller, node) for smaller in reversed(range(degree))])
        return node

    def in_a_row(nodes):
        for one, other in pairwise(nodes):
            one.sibling = other
        return nodes[0] if nodes else None

    def heap(size):
        roots = [tree(degree, None) for degree in range(size.bit_length()) if size >> degree & 1]
        return bare(module.BinomialHeap, nodes=in_a_row(roots), size=size)

    state = heap(rng.randint(0, 40))
    method = rng.choice(["insert", "extract_min", "union", "delete", "delete"])
    key = rng.choice([*keys, rng.randint(lowest, largest)])
    return state, method, {"extract_min": [], "union": [heap(rng.randint(0, 20))]}.get(method, [key])


def search_tree(module, rng):
    def tree(keys):
        if not keys:
            return None
        at = rng.choice([0, len(keys) // 2, len(keys) - 1, rng.randrange(len(keys))])
        return bare(module.Node, info=keys[at], left=tree(keys[:at]), right=tree(keys[at + 1 :]))

    largest = rng.choice([9, 30, 90])
    keys = sorted(rng.sample(range(-largest, largest), rng.randint(0, 18)))
    state = bare(module.SearchTree, root=tree(keys), size=len(keys))
    return state, rng.choice(["add", "remove"]), [rng.choice(keys or [0]) + rng.choice([-1, 0, 0, 1])]


def ordered_array(rng, lowest, largest):
    """Up to 30 integers, none smaller than its parent."""
    array = []
    for at in range(rng.randint(0, rng.choice([3, 30]))):
        least = array[(at - 1) // 2] if at else lowest
        array.append(rng.randint(least, min(largest, least + rng.choice([2, 5, 50]))))
    return array


def heap_array(module, rng):
    largest = rng.choice([3, 9, 40])
    values = [largest - value for value in ordered_array(rng, 0, largest)]
    unused = [-1] * rng.choice([0, 0, 1, 5])
    state = bare(module.HeapArray, array=values + unused, size=len(values))
    method = rng.choice(["insert", "extract_max"])
    return state, method, [rng.randint(-1, largest + 1)] if method == "insert" else []


def heapq(module, rng):
    largest = rng.choice([2, 9, 40])
    function = rng.choice(["heappush", "heappop", "heapreplace", "heappushpop", "heapify"])
    state = ordered_array(rng, -largest, largest)
    if function == "heapify":
        rng.shuffle(state)
    return state, function, [] if function in ("heappop", "heapify") else [rng.randint(-largest, largest)]


BUILDERS = (
    *(disj_set, linked_list, sorted_list, tree_map, hash_set, av_tree, fibonacci_heap),
    *(binomial_heap, search_tree, heap_array, heapq),
)
STATES = {builder.__name__: builder for builder in BUILDERS}
