"""Dedicated generators within Korat's search: same states in the same order, fewer candidates executed."""

import pytest
from generator_samples import Sample, check_against_brute_force, module
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.sweeps import examples

from harness.generators.states.reference.search import KoratSearch
from harness.kernel.inputs.state_space import StateSpace
from harness.model.finitization import Finitization
from harness.spec import (
    all_different,
    and_,
    equal,
    field,
    instance_of,
    is_acyclic,
    is_in,
    is_sorted,
    is_tree,
    length,
    less,
    not_,
    or_,
    requirements,
)

SOURCE = """
class Root:
    pass


class Node:
    pass
"""


def finitization(nodes: int = 3, keys: int = 3, longest: int = 0) -> Finitization:
    f = Finitization("Root")
    available = f.objects("Node", nodes)
    f.set("Root.first", None, available)
    f.set("Root.size", range(nodes + 1))
    if longest:
        f.set("Root.items", f.lists(1, lengths=range(longest + 1), elements=[range(keys), available]))
    f.set("Node.left", None, available)
    f.set("Node.right", available, None)
    f.set("Node.key", range(keys))
    f.method("go")
    return f


def compare(rep_ok, f: Finitization | None = None) -> tuple[int, int]:
    """Executions with and without narrowing, which yield the same states in the same order."""
    f = f or finitization()
    narrowed = KoratSearch(StateSpace(f), module(SOURCE), rep_ok)
    without = KoratSearch(StateSpace(f), module(SOURCE), rep_ok, narrowing=False)
    assert list(narrowed) == list(without)
    assert narrowed.explored <= without.explored
    return narrowed.explored, without.explored


# -- each one ------------------------------------------------------------------------------------


@requirements
def is_counted_tree(root):
    yield is_tree(root.first, ("left", "right"))
    yield equal(field(root, "size"), count(root.first))


def count(node) -> int:
    return 0 if node is None else 1 + count(node.left) + count(node.right)


@requirements
def has_acyclic_links(root):
    yield is_acyclic(root.first, ("left", "right"))


@requirements
def is_increasing_chain(root):
    yield is_tree(root.first, ("right",))
    yield is_sorted((field(node, "key") for node in chain(root.first)), strict=True)


@requirements
def differs_along_the_chain(root):
    yield is_tree(root.first, ("right",))
    yield all_different(field(node, "key") for node in chain(root.first))


def chain(node):
    while node is not None:
        yield node
        node = node.right


@requirements
def one_node_within_bounds(root):
    yield instance_of(field(root, "first"), "Node")
    key = field(root.first, "key")
    yield and_(less(0, key), not_(equal(key, 2)))
    yield or_(is_in(field(root.first, "left"), [None, root.first]), equal(field(root, "size"), 1))
    yield is_in(field(root.first, "right"), [None])


EACH = [is_counted_tree, has_acyclic_links, is_increasing_chain, differs_along_the_chain, one_node_within_bounds]


@pytest.mark.parametrize("rep_ok", EACH, ids=lambda rep_ok: rep_ok.__name__)
def test_requirements_save_executions_and_change_nothing_else(rep_ok):
    narrowed, executed = compare(rep_ok)
    assert narrowed < executed


@pytest.mark.parametrize("rep_ok", EACH, ids=lambda rep_ok: rep_ok.__name__)
def test_what_is_found_is_what_brute_force_finds_by_plain_checks(rep_ok):
    check_against_brute_force(Sample(rep_ok.__name__, SOURCE, lambda: finitization(2, 2), rep_ok))


def test_a_link_of_a_tree_has_two_values_worth_trying():
    f = Finitization("Root")
    available = f.objects("Node", 4)
    f.set("Root.first", None, available)
    f.set("Node.left", None, available)
    f.set("Node.right", None, available)
    f.method("go")
    rep_ok = requirements(lambda root: [is_tree(root.first, ("left", "right"))])
    search = KoratSearch(StateSpace(f), module(SOURCE), rep_ok)
    assert len(list(search)) == 1 + 1 + 2 + 5 + 14
    # Every execution finds a tree, or has run out of nodes: then None is the only value, and there is no failure.
    assert search.explored == 1 + 1 + 2 + 5 + 14


def test_a_list_is_narrowed_in_its_length_and_elements():
    @requirements
    def rep_ok(root):
        items = root.items
        yield less(1, length(items))
        yield instance_of(field(items, 0), "Node")
        yield and_(instance_of(field(items, 1), int), less(0, field(items, 1)))

    narrowed, executed = compare(rep_ok, finitization(2, 3, longest=2))
    assert narrowed < executed


# -- whatever surrounds them -----------------------------------------------------------------------


def test_a_failure_that_the_predicate_looks_into_settles_nothing():
    def rep_ok(root):
        if not is_tree(root.first, ("left", "right")):
            return root.first.left is not None and root.first.left.left is root.first
        return True

    compare(rep_ok)


def test_a_plain_predicate_learns_from_the_first_failure():
    def rep_ok(root):
        if not is_tree(root.first, ("left", "right")):
            return False
        return root.size == count(root.first)

    narrowed, executed = compare(rep_ok)
    assert narrowed < executed


def test_a_predicate_that_writes_before_it_asks_is_left_alone():
    def rep_ok(root):
        root.size = 1
        if root.first is not None:
            root.first.left = None
        return bool(is_tree(root.first, ("left", "right")))

    compare(rep_ok)


def test_a_check_within_a_check_is_only_a_check():
    class Sly:
        def __init__(self, root):
            self.root = root

        def __eq__(self, other):
            return bool(is_tree(self.root.first, ("left",))) and other == 1

        __hash__ = None

    compare(lambda root: bool(is_in(field(root, "size"), [Sly(root), 2])))


def test_an_error_that_comes_of_hiding_values_is_not_told():
    def rep_ok(root):
        items = root.items
        if not is_sorted(items):
            return sum(1 for _ in list.__iter__(items)) < 0  # reads elements of an observed list, unobserved
        return True

    f = Finitization("Root")
    f.set("Root.items", f.lists(1, lengths=[2], elements=range(3)))
    f.method("go")
    compare(rep_ok, f)


def test_objects_compared_by_the_programs_own_code_are_checked_only():
    source = SOURCE + "    def __eq__(self, other):\n        return isinstance(other, Node) and self.key == other.key\n"
    f = finitization(2, 2)

    def rep_ok(root):
        return root.first is not None and bool(is_in(field(root.first, "left"), [root.first]))

    vectors = [
        list(KoratSearch(StateSpace(f), module(source), rep_ok, narrowing=narrowing)) for narrowing in (True, False)
    ]
    assert vectors[0] == vectors[1]
    assert vectors[0]


# -- random predicates ---------------------------------------------------------------------------

FIELDS = ["left", "right", "key"]


@st.composite
def conditions(draw, depth: int = 2):
    """A function from the root to a condition; operands are fields of the root or of its first node."""
    basic = ["in", "equal", "less", "instance", "tree", "acyclic"]
    kind = draw(st.sampled_from([*basic, *["not", "and", "or"] * (depth > 0)]))
    if kind in ("not", "and", "or"):
        parts = draw(st.lists(conditions(depth - 1), min_size=1, max_size=1 if kind == "not" else 3))
        combine = {"not": not_, "and": and_, "or": or_}[kind]
        return lambda root: combine(*(part(root) for part in parts))
    name, other = draw(st.sampled_from(FIELDS)), draw(st.sampled_from(FIELDS))
    number = draw(st.integers(0, 2))
    if kind == "in":
        return lambda root: is_in(field(node(root), name), [None, number, root.first])
    if kind == "equal":
        return lambda root: equal(field(node(root), name), field(root, "size"))
    if kind == "less":
        return lambda root: less(field(node(root), "key"), number)
    if kind == "instance":
        return lambda root: instance_of(field(node(root), name), "Node", int)
    check = is_tree if kind == "tree" else is_acyclic
    links = draw(st.sampled_from([("left",), ("left", "right")]))
    return lambda root: and_(check(root.first, links), equal(field(node(root), other), number))


def node(root):
    return root.first or Absent()


class Absent:
    left = right = key = 0


@st.composite
def predicates(draw):
    """A sequence of conditions, each used as a requirement, in a branch, or the other way round."""
    uses = st.sampled_from(["require", "refuse", "branch"])
    parts = draw(st.lists(st.tuples(conditions(), uses), min_size=1, max_size=3))
    last = draw(st.sampled_from(["true", "condition", "read"]))

    def rep_ok(root):
        for condition, use in parts:
            if use == "branch":
                if condition(root) and root.size == 2:
                    return False
            elif bool(condition(root)) is (use == "refuse"):
                return False
        if last == "condition":
            return parts[0][0](root)
        return True if last == "true" else root.size != 1

    return rep_ok


@given(predicates())
@settings(max_examples=examples(150), deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_predicates_yield_the_same_with_and_without(rep_ok):
    compare(rep_ok, finitization(2, 2))
