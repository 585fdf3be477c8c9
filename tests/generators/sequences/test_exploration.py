"""The exploration finds what the naive one finds, counts as the paper does, and says why it cannot end.

Builders are found by hill climbing: those of the paper, the simpler of two that do as well.
"""

import pytest
from support import naive_sequences
from support.sequence_suites import bounds_of, task_of, task_of_text

from harness.codec.codec import codec_of
from harness.errors import SpecError
from harness.generators.sequences.builder_search import BuilderSearchResult
from harness.generators.sequences.builders import find_builders
from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.model.sequence import SequenceScope


@pytest.mark.parametrize(
    ("subject", "scope", "builders"),
    [("search_tree", 3, ("add",)), ("avl_tree", 4, ("add",)), ("tree_map", 5, ("put", "remove"))],
)
def test_builders_are_those_that_the_paper_tells(subject, scope, builders):
    search = find_builders(subject, task_of(subject, scope))
    assert search.builders == builders
    assert search.structures == search.structures_by_all == search.steps[-1].structures
    assert codec_of(BuilderSearchResult).of_json(codec_of(BuilderSearchResult).to_json(search)) == search
    assert search.line == f"s.builders({', '.join(f'{name!r}' for name in builders)})".replace("'", '"')


BAG = """
class Bag:
    def __init__(self):
        self.held = 0
    def set_both(self, value, other):
        self.held = value
    def set(self, value):
        self.held = value
    def set_to_another(self, bag):
        self.held = bag.held or 1
    def peek(self):
        return self.held
"""


def test_of_routines_that_make_as_many_the_one_with_fewer_and_simpler_parameters_is_taken():
    bounds = SequenceScope("Bag")
    bounds.method("set_both", range(3), range(2))
    bounds.method("set_to_another", bounds.earlier("Bag"))
    bounds.method("set", range(3))
    bounds.method("peek")
    search = find_builders("bag", task_of_text(BAG, bounds))
    assert search.builders == ("set",)
    assert [step.structures for step in search.steps] == [1, 3]
    assert search.explored > 3 * 4


def test_a_class_that_calls_do_not_change_needs_no_builders():
    bounds = SequenceScope("Bag")
    bounds.method("peek")
    assert find_builders("bag", task_of_text(BAG, bounds)).line == "s.builders()"


@pytest.mark.parametrize(("subject", "scope"), [("search_tree", 3), ("heap_array", 3), ("tree_map", 3), ("heapq", 3)])
def test_structures_and_their_sequences_are_those_of_the_naive_exploration(subject, scope):
    task = task_of(subject, scope, lambda bounds: bounds.discard_failures())
    naive = naive_sequences.explore(task.module, task.bounds)
    exploration = SequenceExploration(task, Policy(builders=task.bounds.pinned_builders))
    sequences = [tuple(exploration.rows.sequence(structure.state)) for structure in exploration]
    assert sequences == list(naive.structures.values())
    assert (exploration.explored, exploration.rounds) == (naive.explored, naive.rounds)


COUNTER = """
class Box:
    def __init__(self):
        self.calls = 0
        self.held = None
    def put(self, value):
        self.calls += 1
        self.held = value
"""


def _box() -> SequenceScope:
    return bounds_of("Box", put=(range(3),))


def test_unbounded_state_ends_with_the_field_that_grows():
    bounds = _box()
    bounds.attempts(300)
    with pytest.raises(SpecError, match=r"Box\.calls has the value \d+, and grows: .* s\.omit\('calls'\)"):
        list(SequenceExploration(task_of_text(COUNTER, bounds), Policy()))


def test_unbounded_state_ends_after_many_rounds_where_no_length_is_given():
    bounds = bounds_of("Box", put=(0,))
    with pytest.raises(SpecError, match=r"in \d{3} rounds.*Box\.calls has the value \d{3}"):
        list(SequenceExploration(task_of_text(COUNTER, bounds), Policy()))
    structures = list(SequenceExploration(task_of_text(COUNTER, bounds), Policy(most_calls=300)))
    assert len(structures) == 300


ENDLESS = """
class Link:
    def __init__(self, after):
        self.after = after
class Box:
    def __init__(self):
        self.held = START
    def put(self, value):
        PUT
    def take(self, value):
        TAKE
"""


@pytest.mark.parametrize(
    ("start", "put", "take", "message"),
    [
        ("0; self.also = 0", "self.held += 1", "self.also += 1", r"Box\.held has the value \d+, .*s\.omit\('held'\)"),
        ("(0, 0)", "self.held = self.held[0] + 1, self.held[1]", "self.held = self.held[0], self.held[1] - 1",
         r"an element of Box\.held has the value \d+"),
        ("''", "self.held += 'abcdefgh'[value]", "pass", r"Box\.held has \d+ characters, .*s\.length"),
        ("[]", "self.held.append(value)", "pass", r"Box\.held has \d+ elements, .*s\.elements\("),
        ("()", "self.held += (value,)", "self.held += self.held", r"Box\.held has \d+ parts, .*s\.length"),
        ("0; self.also = False", "self.held += self.also; self.also = False", "self.also = True",
         r"Box\.held has the value \d+, .*s\.omit\('held'\)"),
        ("None", "self.held = Link((self.held, value))", "pass", r"there are \d+ objects of class Link, .*s\.objects"),
        ("1.0; self.also = 2", "self.held /= 2", "self.also *= 3", r"Box\.held has the value 1/.*s\.omit"),
        ("3", "self.held *= self.held", "pass", r"Box\.held has the value a number of \d+ bits"),
        ("'ab'", "self.held += self.held", "pass", r"Box\.held has \d+ characters"),
        ("{0}; self.also = frozenset()", "self.held.add(len(self.held))", "self.also |= {len(self.also)}",
         r"Box\.held has \d+ elements, .*s\.elements"),
    ],
)  # fmt: skip
def test_what_has_no_end_is_told_after_little_work(start, put, take, message):
    bounds = bounds_of("Box", put=(range(8),), take=(range(2),))
    text = ENDLESS.replace("START", start).replace("PUT", put).replace("TAKE", take)
    exploration = SequenceExploration(task_of_text(text, bounds), Policy())
    with pytest.raises(SpecError, match=message):
        list(exploration)
    assert exploration.explored < 100_000


def test_structures_that_multiply_up_to_a_bound_are_all_found():
    text = ENDLESS.replace("START", "[]; self.size = 0").replace("TAKE", "pass")
    bounds = SequenceScope("Box")
    bounds.method("put", range(8))
    bounds.elements(4)
    task = task_of_text(text.replace("PUT", "self.held.append(value); self.size += 1"), bounds)
    assert len(list(SequenceExploration(task, Policy()))) == 1 + 8 + 8**2 + 8**3 + 8**4


NODES = """
class Node:
    def __init__(self, name):
        self.name, self.parent, self.children = name, None, []
    def move_to(self, other):
        node = other
        while node is not None:
            if node is self:
                raise ValueError(self.name)
            node = node.parent
        if self.parent is not None:
            self.parent.children.remove(self)
        self.parent = other
        if other is not None:
            other.children.append(self)
    def detach(self):
        self.move_to(None)
"""


def test_the_bound_on_objects_counts_the_others_of_the_roots_class():
    bounds = SequenceScope("Node")
    bounds.constructor(range(1))
    bounds.method("move_to", (None, bounds.earlier("Node")))
    bounds.method("detach")
    bounds.objects(1)
    structures = list(SequenceExploration(task_of_text(NODES, bounds), Policy()))
    assert len(structures) == 3  # alone, with a parent, with a child
    bounds.objects(2)
    structures = list(SequenceExploration(task_of_text(NODES, bounds), Policy()))
    assert len(structures) == 3 + 5  # a chain, and a fork from its root and the node that moved last


def test_an_omitted_field_does_not_tell_structures_apart():
    bounds = _box()
    bounds.omit("calls")
    exploration = SequenceExploration(task_of_text(COUNTER, bounds), Policy())
    assert len(list(exploration)) == 4
    assert exploration.explored == 4 * 3 + exploration.rounds == 15


def test_a_failure_is_reported_with_its_sequence_and_can_be_discarded():
    text = COUNTER + "        if value == 2: raise TypeError('two')\n"
    bounds = _box()
    bounds.omit("calls")
    with pytest.raises(SpecError, match=r"a failure: box = Box\(\); box.put\(2\) raised TypeError: two; correct"):
        list(SequenceExploration(task_of_text(text, bounds), Policy()))
    bounds.discard_failures()
    assert len(list(SequenceExploration(task_of_text(text, bounds), Policy()))) == 3


def test_state_that_hangs_on_chance_is_named():
    text = COUNTER.replace("self.calls += 1", "self.calls = id(object()) + next(numbers)")
    text = "from itertools import count\nnumbers = count()\n" + text
    with pytest.raises(
        SpecError, match=r"box.put\(\d\) leads to another state .*: Box.calls is \d+, then \d+; the state"
    ):
        list(SequenceExploration(task_of_text(text, _box()), Policy()))


def test_a_constructor_that_makes_something_else_is_told():
    bounds = _box()
    bounds.constructor(name="dict")
    with pytest.raises(SpecError, match="no constructor makes an object of class Box"):
        list(SequenceExploration(task_of_text(COUNTER + "dict = dict\n", bounds), Policy()))


MERGING = """
class Bag:
    def __init__(self):
        self.held = []
    def put(self, value):
        self.held.append(value)
    def merge(self, other):
        self.held += other.held
        other.held = []
    def copy(self):
        made = Bag()
        made.held = sorted(self.held)
        return made
"""


def test_objects_as_arguments_and_results_are_structures_too():
    bounds = bounds_of("Bag", put=(range(2),))
    bounds.method("merge", bounds.earlier("Bag"))
    bounds.method("copy")
    bounds.elements(2)
    exploration = SequenceExploration(task_of_text(MERGING, bounds), Policy(builders=["merge", "copy"]))
    assert len(list(exploration)) == 1
    assert exploration.explored == 2 * 1 + 1 + 1
    exploration = SequenceExploration(task_of_text(MERGING, bounds), Policy())
    structures = list(exploration)
    assert len(structures) == 7
    assert exploration.explored == exploration.rounds + 7 * 3 + 7 * 7
    for structure in structures:
        bag = exploration.path.execute(exploration.rows.sequence(structure.state))[structure.result]
        assert len(bag.held) <= 2


def test_without_state_matching_every_sequence_is_extended():
    task = task_of("search_tree", 2)
    exploration = SequenceExploration(task, Policy(matches=False, most_calls=3))
    sequences = len(list(exploration))
    assert sequences == 1 + 4 + 16
    assert exploration.explored == 3 + 4 + 16
    assert exploration.structures == 5
