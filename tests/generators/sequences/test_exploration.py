"""The exploration finds what the naive one finds, counts as the paper does, and says why it cannot end."""

import pytest
from support import naive_sequences
from support.sequence_suites import task_of, task_of_text

from harness.errors import SpecError
from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.model.sequence import SequenceScope


@pytest.mark.parametrize(("subject", "scope"), [("search_tree", 3), ("heap_array", 3), ("tree_map", 3), ("heapq", 3)])
def test_structures_and_their_sequences_are_those_of_the_naive_exploration(subject: str, scope: int) -> None:
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
    bounds = SequenceScope("Box")
    bounds.method("put", range(3))
    return bounds


def test_unbounded_state_ends_with_the_field_that_grows() -> None:
    bounds = _box()
    bounds.attempts(300)
    with pytest.raises(SpecError, match=r"Box\.calls has had \d+ different values.* s\.omit"):
        list(SequenceExploration(task_of_text(COUNTER, bounds), Policy()))


def test_unbounded_state_ends_after_many_rounds_where_no_length_is_given() -> None:
    bounds = SequenceScope("Box")
    bounds.method("put", 0)
    with pytest.raises(SpecError, match=r"in 257 rounds .*Box\.calls has had"):
        list(SequenceExploration(task_of_text(COUNTER, bounds), Policy()))
    structures = list(SequenceExploration(task_of_text(COUNTER, bounds), Policy(most_calls=300)))
    assert len(structures) == 300


def test_an_omitted_field_does_not_tell_structures_apart() -> None:
    bounds = _box()
    bounds.omit("calls")
    exploration = SequenceExploration(task_of_text(COUNTER, bounds), Policy())
    assert len(list(exploration)) == 4
    assert exploration.explored == 4 * 3 + exploration.rounds == 15


def test_the_length_of_sequences_ends_it() -> None:
    exploration = SequenceExploration(task_of_text(COUNTER, _box()), Policy(most_calls=3))
    assert [structure.length for structure in exploration] == [1, 2, 2, 2, 3, 3, 3]


def test_a_failure_is_reported_with_its_sequence_and_can_be_discarded() -> None:
    text = COUNTER + "        if value == 2: raise TypeError('two')\n"
    bounds = _box()
    bounds.omit("calls")
    with pytest.raises(SpecError, match=r"a failure: box = Box\(\); box.put\(2\) raised TypeError: two; correct"):
        list(SequenceExploration(task_of_text(text, bounds), Policy()))
    bounds.discard_failures()
    assert len(list(SequenceExploration(task_of_text(text, bounds), Policy()))) == 3


def test_state_that_hangs_on_chance_is_named() -> None:
    text = COUNTER.replace("self.calls += 1", "self.calls = id(object()) + next(numbers)")
    text = "from itertools import count\nnumbers = count()\n" + text
    with pytest.raises(
        SpecError, match=r"box.put\(0\) leads to another state .*: Box.calls is \d+, then \d+; the state"
    ):
        list(SequenceExploration(task_of_text(text, _box()), Policy()))


def test_a_constructor_that_makes_something_else_is_told() -> None:
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


def test_objects_as_arguments_and_results_are_structures_too() -> None:
    bounds = SequenceScope("Bag")
    bounds.method("put", range(2))
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


def test_without_state_matching_every_sequence_is_extended() -> None:
    task = task_of("search_tree", 2)
    exploration = SequenceExploration(task, Policy(matches=False, most_calls=3))
    sequences = len(list(exploration))
    assert sequences == 1 + 4 + 16
    assert exploration.explored == 3 + 4 + 16
    assert exploration.structures == 5
