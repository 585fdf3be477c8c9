"""Arguments for equivalence on states beyond the spec's: proven mutants do as the original there, all others fall."""

import csv
import random
import sys
from functools import cache, partial
from itertools import pairwise
from pathlib import Path

import pytest
from support.subjects import load_subject
from support.sweeps import examples

from harness.kernel.judging import judge as judging
from harness.kernel.judging.baseline import Baseline
from harness.kernel.judging.oracle import UNLIMITED, Oracle, Rule
from harness.kernel.judging.prepared import PreparedInput
from harness.kernel.program.loader import ModuleText, execute_with_ticks, limit_recursion, step_counter
from harness.kernel.program.splice import mutated_source
from harness.kernel.specs.spec import load_spec
from harness.kernel.specs.tokens import Token
from harness.model.experiment import DEFAULT_OPERATORS, ExecutionMode
from harness.model.outcome import Equivalence, KillReason, Verdict
from harness.mutation.manifest import ARGUMENTS, read_equivalence, read_manifest
from harness.mutation.operator_sets import OPERATOR_SETS


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


ROOT = Path(__file__).parents[2]
FROZEN = ROOT / "results" / "frozen" / "exhaustive2003"
SEEDS = 250
"""States at most until each mutant is killed that is to be."""
ANY = examples(SEEDS)
"""States that are to kill nothing."""


@pytest.fixture(autouse=True)
def frames_as_in_a_run():
    before = sys.getrecursionlimit()
    limit_recursion()
    yield
    sys.setrecursionlimit(before)


class Judge:
    """The oracle on states made by hand, with step budgets as in a run."""

    def __init__(self, name):
        self.subject, _ = load_subject(name)
        self.counter = step_counter()
        self.counter.start(UNLIMITED)
        self.spec = load_spec(self.subject.spec_source, name, self.counter)
        self.oracle = Oracle(self.spec, self.counter, Rule(self.spec))
        self.sets = {
            operators: manifest
            for operators in OPERATOR_SETS
            if (manifest := read_manifest(ROOT / "mutants" / name / operators, self.subject)) is not None
        }
        if DEFAULT_OPERATORS not in self.sets:
            pytest.skip(f"no mutants are pinned for this Python's {name}")
        self.pinned = {m.id for m in self.sets[DEFAULT_OPERATORS].mutants}
        self.mutant_of_id = {
            m.id: m for manifest in self.sets.values() for m in (*manifest.mutants, *manifest.excluded)
        }
        self.original = self._module(self.subject.source)
        self.mutant = cache(lambda mutant: self._module(mutated_source(self.subject.source, self.mutant_of_id[mutant])))

    def _module(self, source):
        return execute_with_ticks(
            ModuleText(self.subject.module, source, self.subject.name, self.subject.blocked), self.counter
        )

    def _prepared(self, builder, module, seed):
        self.counter.start(UNLIMITED)
        state, method, arguments = builder(module, random.Random(seed))
        target = partial(getattr(module, method), state) if isinstance(state, list) else getattr(state, method)
        return PreparedInput(target, arguments, state, arguments), method

    def valid(self, prepared, method):
        spec = self.spec.module
        required = {"sort": "is_list", "merge": "are_mergeable", "lookup": "is_lookup", "heapify": "any_list"}.get(
            method, "rep_ok"
        )
        arguments = [] if required in ("rep_ok", "any_list") else prepared.arguments
        return getattr(spec, required)(prepared.root, *arguments)

    def killed(self, mutants, builder, seeds):
        """Return, by id, the kill reason of each of `mutants` that one of the states kills."""
        killers = {}
        for seed in range(seeds):
            if len(killers) == len(mutants):
                break
            prepared, method = self._prepared(builder, self.original, seed)
            assert self.valid(prepared, method)
            baseline = Baseline()
            baseline.add(self.oracle.observe(prepared), 0.0)
            for mutant in mutants:
                if mutant not in killers:
                    again, _ = self._prepared(builder, self.mutant(mutant), seed)
                    if kill := judging.Judge(self.oracle, {0: again}.__getitem__, baseline).judge(0):
                        killers[mutant] = kill.reason
        return killers


@cache
def judge(name):
    return Judge(name)


def arguments(name):
    return {
        argument.mutant: argument for argument in read_equivalence(ROOT / "mutants" / name, judge(name).mutant_of_id)
    }


def of_kind(name, kind):
    return {mutant for mutant, argument in arguments(name).items() if argument.equivalence is kind}


@cache
def frozen():
    """Return the verdicts of each subject in the frozen run, by trial, its trial at the largest scope last."""
    with (FROZEN / "trials.csv").open() as file:
        trials = sorted(csv.DictReader(file), key=lambda trial: int(trial["scope"]))
    verdicts = {trial["trial"]: {} for trial in trials}
    with (FROZEN / "results.csv").open() as file:
        for result in csv.DictReader(file):
            verdicts[result["trial"]][result["mutant"]] = result["verdict"]
    verdicts_of = {}
    for trial in trials:
        if trial["finished"] == "True" and trial["mode"] != ExecutionMode.GENERATE.value:
            verdicts_of.setdefault(trial["subject"], []).append(verdicts[trial["trial"]])
    return verdicts_of


def survivors(name):
    return {mutant for mutant, verdict in frozen()[name][-1].items() if verdict == Verdict.SURVIVED.value}


def chain(order):
    def disj_set(module, rng):
        size = len(order)
        parent, rank = [0] * size, [0] * size
        for at, (one, above) in enumerate(zip(order, [*order[1:], order[-1]], strict=True)):
            parent[one], rank[one] = above, at
        return bare(module.DisjSet, parent=parent, rank=rank), "find", [order[0]]

    return disj_set


def long_list(elements, method, arguments):
    return lambda module, rng: (linked(module, module.SortedList, elements), method, arguments)


def add_to(capacity, count):
    def hash_set(module, rng):
        *inside, new = [bare(module.Element, hash_code=code) for code in [*range(count), capacity - 1]]
        entries = [bare(module.Entry, hash_code=key.hash_code, key=key, value=True, next=None) for key in inside]
        table = entries + [None] * (capacity - count)
        hash_map = bare(module.HashMap, table=table, count=count, threshold=capacity * 3 // 4)
        return bare(module.HashSet, map=hash_map), "add", [new]

    return hash_set


def grown(root, method, *arguments):
    """A call on the tree `root`, written as (key, is black, left, right)."""

    def tree_map(module, rng):
        entries = []

        def entry(node, parent):
            if node is None:
                return None
            key, black, left, right = node
            new_entry = bare(module.Entry, key=key, value=1, color=black, parent=parent)
            entries.append(new_entry)
            new_entry.left, new_entry.right = entry(left, new_entry), entry(right, new_entry)
            return new_entry

        return bare(module.TreeMap, root=entry(root, None), size=len(entries)), method, list(arguments)

    return tree_map


def black(key, left=None, right=None):
    return key, True, left, right


def red(key, left=None, right=None):
    return key, False, left, right


def ask_much(module, rng):
    def pair(attribute, record, children):
        return bare(module.Pair, attribute=attribute, value="v", record=record, children=children)

    below = [pair(f"a{number}", None, []) for number in range(375)]
    name, query = (pair("a", record, children) for record, children in [("r", []), (None, below)])
    return bare(module.AVTree, children=[name]), "lookup", [bare(module.AVTree, children=[query])]


def ask_below_the_wildcard(module, rng):
    def pair(value, record):
        return bare(module.Pair, attribute="a", value=value, record=record, children=[])

    names = [pair("!", "r"), pair("v", "s")]
    return bare(module.AVTree, children=names), "lookup", [bare(module.AVTree, children=[pair("!", None)])]


def union_with_an_empty_heap(module, rng):
    """The first root of the other heap is not the smallest."""
    first, smallest = (bare(module.Node, key=k, degree=0, mark=False, parent=None, child=None) for k in (2, 1))
    first.left = first.right = smallest
    smallest.left = smallest.right = first
    other = bare(module.FibonacciHeap, nodes=first, min_node=smallest, size=2)
    return bare(module.FibonacciHeap, nodes=None, min_node=None, size=0), "union", [other]


def largest_on_top(module, rng):
    """Return a tree with a key at the root, and 1030 smaller ones below it in one ascending chain."""
    *chained, root = [bare(module.Node, info=key, left=None, right=None) for key in range(1031)]
    for one, other in pairwise(chained):
        one.right = other
    root.left = chained[0]
    return bare(module.SearchTree, root=root, size=1031), "remove", [root.info]


def insert_much(module, rng):
    return bare(module.HeapArray, array=[], size=0), "insert", [1028]


def binomial(trees, method, *arguments):
    """Return a builder of a call on the heap of binomial trees, written as (key, children of degrees 0, 1, ...)."""

    def binomial_heap(module, rng):
        def node(tree, parent, sibling):
            key, *below = tree
            new_node = bare(module.Node, key=key, degree=len(below), parent=parent, sibling=sibling, child=None)
            for smaller in below:
                new_node.child = node(smaller, new_node, new_node.child)
            return new_node

        heap = bare(module.BinomialHeap, nodes=None, size=sum(2 ** (len(tree) - 1) for tree in trees))
        for tree in reversed(trees):
            heap.nodes = node(tree, None, heap.nodes)
        return heap, method, list(arguments)

    return binomial_heap


B3 = (1, (5,), (4, (6,)), (2, (7,), (3, (8,))))


# States that kill a mutant according to the files: too long for the step budget, or one scope too large.
NAMED = {
    "disj_set": [chain(range(100)), chain(range(100)[::-1])],
    "sorted_list": [long_list([2] * 1019, "remove", [1]), long_list(list(range(457)), "sort", [])],
    "hash_set": [add_to(1045, 0), add_to(598, 447)],
    "av_tree": [ask_much, ask_below_the_wildcard],
    "fibonacci_heap": [union_with_an_empty_heap],
    "search_tree": [largest_on_top],
    "heap_array": [insert_much],
    "binomial_heap": [binomial([(-1, (5,))], "delete", 5)],
    "tree_map": [
        grown(black(2, black(1), red(4, black(3), black(7, red(6), red(8)))), "put", 5, 2),
        grown(red(4, black(2, black(1), black(3)), black(6, black(5), red(8, black(7), black(9)))), "remove", 5),
        grown(black(6, black(2, black(1), red(4, black(3), black(5))), black(8, black(7), black(9))), "remove", 7),
        grown(red(6, black(4, red(2, black(1), black(3)), black(5)), black(8, black(7), black(9))), "remove", 5),
    ],
}

# States that, according to the files, kill a mutant that is alive at the largest scope, or was at smaller ones.
UNKNOWN = {
    "binomial_heap": {
        "FRR:63:44:self.find_min().degree": binomial([B3], "delete", 8),
        "VRR:127:27:self.nodes": binomial([(9, (9,), (9, (9,))), B3], "extract_min"),
        "VRR:126:92:self.nodes": binomial([(9, (9,)), (9, (9,), (9, (9,))), B3], "extract_min"),
    }
}


@pytest.mark.parametrize("name", STATES)
def test_a_proven_equivalent_does_as_the_original_on_any_valid_state(name):
    proven = of_kind(name, Equivalence.PROVEN)
    assert judge(name).killed(proven, STATES[name], ANY) == {}
    for builder in NAMED.get(name, ()):
        assert judge(name).killed(proven, builder, 1) == {}


@pytest.mark.parametrize("name", sorted(frozen()))
def test_a_survivor_that_is_not_proven_falls_to_a_valid_state(name):
    """Check the check itself, and the arguments' reasons why a proof is impossible."""
    unproven = survivors(name) - of_kind(name, Equivalence.PROVEN)
    killers = judge(name).killed(unproven, STATES[name], SEEDS)
    for builder in NAMED.get(name, ()):
        killers |= judge(name).killed(unproven - killers.keys(), builder, 1)
    assert killers.keys() == unproven
    for mutant, argument in arguments(name).items():
        if mutant in killers:
            assert ("step limit" in " ".join(argument.argument.split())) == (
                killers[mutant] is KillReason.STEP_LIMIT
            ), mutant


@pytest.mark.slow
@pytest.mark.parametrize("name", STATES)
def test_mutants_that_a_rule_has_found_equal_are_so_on_any_valid_state(name):
    pairs = [(m.id, m.same_as) for m in judge(name).mutant_of_id.values() if m.rule is not None]
    killers = judge(name).killed({mutant for pair in pairs for mutant in pair if mutant}, STATES[name], ANY // 5)
    for mutant, same_as in pairs:
        assert killers.get(mutant) == (killers.get(same_as) if same_as else None)


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_mutant_that_only_a_larger_scope_kills_falls_where_the_comment_says(name):
    for mutant, builder in UNKNOWN[name].items():
        assert mutant not in arguments(name)
        assert judge(name).killed([mutant], builder, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["binomial_heap", "heap_array", "heapq", "linked_list", "search_tree"])
def test_random_states_kill_every_mutant_without_an_argument(name):
    """Check the check itself, for all scopes that were run: also on mutants that all small inputs leave alive."""
    unargued = judge(name).pinned - arguments(name).keys()
    assert judge(name).killed(unargued, STATES[name], 4 * SEEDS).keys() == unargued


@pytest.mark.parametrize("name", sorted(frozen()))
def test_no_frozen_trial_kills_a_proven_equivalent(name):
    argued = arguments(name).values()
    assert argued
    for argument in argued:
        assert argument.argument.strip()
        if argument.equivalence is Equivalence.PROVEN and argument.mutant in judge(name).pinned:
            verdicts = {trial.get(argument.mutant) for trial in frozen()[name]}
            assert verdicts == {Verdict.SURVIVED.value}, argument.mutant


@pytest.mark.parametrize("name", sorted(frozen()))
def test_every_survivor_of_the_largest_scope_is_argued_for_or_named(name):
    text = (ROOT / "mutants" / name / ARGUMENTS).read_text()
    assert arguments(name).keys() & judge(name).pinned <= survivors(name)
    for mutant in survivors(name) - arguments(name).keys():
        assert ":".join(mutant.split(":")[:3]) in text
