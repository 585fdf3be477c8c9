"""The exploration finds and counts what the naive one finds, on each way to execute, and says why it cannot end."""

from pathlib import Path
from textwrap import indent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import naive_sequences
from support.exploring import explored
from support.sequence_suites import bounds_of, suite_of, task_of, task_of_text
from support.sweeps import examples

from harness.codec.codec import codec_of
from harness.errors import SpecError
from harness.generators.policies.beapi import Beapi
from harness.generators.protocol import SequenceTask
from harness.generators.sequences.builder_search import BuilderSearchResult
from harness.generators.sequences.builders import find_builders
from harness.generators.sequences.exploration import Policy, SequenceExploration
from harness.generators.sequences.production import Production
from harness.generators.sequences.replay import ReplayExecutor
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.generators.sequences.structures import SeenStructures
from harness.kernel.inputs.suites import InputKind, SuiteHeader, SuiteReader, SuiteWriter
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


INITIAL = {
    "n": ("0", "None", "True", "1.0", "'a'", "MISSING", "WORD", "Root.FAR", "Kind.ONE"),
    "link": ("None", "Node(0)", "self", "NIL", "Cell(0)"),
    "held": ("[]", "deque()", "{}", "set()", "()", "[None, 0]", "Pile()"),
}
STATEMENTS = (
    *("self.n = x", "self.n = self.n == x", "self.n = (self.n or 0) and 1.0", "self.n = 'ab'[x]"),
    *("self.link = Node(x)", "self.link = None", "self.link = self", "self.n = kind(x)", "del self.n"),
    *("self.link.link = self.link", "self.link.link = self", "self.link.n = self.n", "self.link.extra = x"),
    *("self.link.link, self.link = self.link, self.link.link", "self.held = self.link", "self.link.n = self.held"),
    *("self.held.append(x)", "self.held.append(self.link)", "self.held.pop()", "self.held[x] = Node(x)"),
    *("self.held[x] = self.link", "del self.held[x]", "self.held = [self.held]", "self.held = list(self.held)"),
    *("self.held = {1 - x: self.link, x: self.n}", "self.held.add(x)", "self.held = (x, self.link)", "self.fresh = x"),
    *("self.held = Pile([x])", "self.held.note = x", "return Node(x)", "return self", "return Root()"),
    *("if x: raise ValueError", "if x: raise KeyError(x)", "self.link.held = self.held"),
    *("self.n = self.n is MISSING", "if self.n is WORD: self.n = x", "self.n = self.n is self.FAR", "self.n = WORD"),
    *("if self.link is NIL: self.link = Node(x)", "self.link = NIL", "self.link = Cell(x)", "self.link.more = NIL"),
)
NOT_NAIVE = frozenset({"return Root()", "self.n = kind(x)", "return self"})
HEADER = """
from collections import deque
from enum import Enum

class Kind(Enum):
    ZERO = 0
    ONE = 1

def kind(x):
    return Kind(x)

class Pile(list):
    pass

class Nil:
    def __setattr__(self, name, value):
        raise TypeError(name)

class Cell:
    def __init__(self, n):
        vars(self)["n"] = n
        vars(self)["link"] = None
    def __setattr__(self, name, value):
        vars(self)[name] = value

NIL = Nil()
MISSING = object()
WORD = "-" * 5000

class Node:
    {slots}
    def __init__(self, n):
        self.n = n
        self.link = None
        self.held = None

class Root:
    FAR = 10.0 ** 9
    def __init__(self):
        {initial}
"""


@st.composite
def programs(draw: st.DrawFn, naive: bool = False) -> str:
    """Draw a module with a class `Root`, whose methods a, b and c take 0 or 1.

    Args: ! naive: whether the naive exploration supports every statement.
    """
    statements = [one for one in STATEMENTS if not naive or one not in NOT_NAIVE]
    initial = [f"self.{name} = {draw(st.sampled_from(values))}" for name, values in INITIAL.items()]
    slots = draw(st.sampled_from(("pass", "__slots__ = ('n', 'link', 'held')")))
    text = HEADER.format(slots=slots, initial="; ".join(initial))
    for name in "abc":
        body = draw(st.lists(st.sampled_from(statements), min_size=1, max_size=3))
        text += indent(f"def {name}(self, x):\n" + indent("\n".join(body), "    ") + "\n", "    ")
    return text


UNITED = """
class Bag:
    def __init__(self):
        self.held = []
    def put(self, value):
        self.held.append(value)
    def merge(self, other):
        self.held += other.held
"""


def _written(folder: Path, task: SequenceTask, policy: Policy) -> SuiteReader:
    targets = [routine.name for routine in task.bounds.routines]
    header = SuiteHeader("x", "", "x", "1", task.scope, 0, 2, 4, targets, kind=InputKind.SEQUENCES.value)
    with SuiteWriter(folder, header) as writer:
        Production(task, policy).write(writer)
        writer.close()
    return SuiteReader(folder)


@pytest.mark.parametrize(("name", "scope"), [("binomial_heap", 2), ("fibonacci_heap", 2), ("sorted_list", 3)])
def test_both_paths_write_the_same_suite_of_structures_that_go_together(tmp_path, name, scope):
    task = task_of(name, scope)
    policy = Policy(builders=task.bounds.pinned_builders)
    fast = _written(tmp_path / "fast", task, policy)
    general = _written(tmp_path / "general", task, policy.general_policy())
    assert fast.header.digest == general.header.digest
    assert any(len(fast.sequence(number)[-1].arguments) == 2 for number in range(len(fast)))


def test_each_pair_of_structures_is_an_input_with_the_calls_of_both(tmp_path):
    bounds = bounds_of("Bag", put=(range(2),))
    bounds.method("merge", bounds.earlier("Bag"))
    bounds.elements(1)
    suite = _written(tmp_path / "suite", task_of_text(UNITED, bounds), Policy(builders=["put"]))
    merges = [tuple(suite.sequence(at)) for at in range(len(suite)) if suite.sequence(at)[-1].target == 2]
    assert len(set(merges)) == len(merges) == 3 * 3
    assert sorted(map(len, merges)) == [3, *[4] * 4, *[5] * 4]
    shared = {suite.input(at)[0] for at in range(len(suite)) if suite.sequence(at)[-1].target == 2}
    assert len(shared) == 9
    assert suite.header.states == 3 + 9


def test_no_sequence_has_more_calls_than_the_spec_allows(tmp_path):
    bounds = bounds_of("Bag", put=(range(2),))
    bounds.method("merge", bounds.earlier("Bag"))
    bounds.length(4)
    task = task_of_text(UNITED, bounds)
    suite = _written(tmp_path / "suite", task, Beapi().policy(task))
    lengths = {len(suite.sequence(at)) for at in range(len(suite))}
    assert lengths == {1, 2, 3, 4}
    assert {structure.length for structure in SequenceExploration(task, Beapi().policy(task))} == {1, 2, 3, 4}


def test_a_precondition_that_changes_a_structure_is_asked_about_it_unchanged_each_time(tmp_path):
    def takes_all(bag: object, other: object) -> bool:
        other.held.append(1)
        bag.held.append(1)
        return len(bag.held) + len(other.held) < 4

    bounds = bounds_of("Bag", put=(range(2),))
    bounds.method("merge", bounds.earlier("Bag"), requires=takes_all)
    bounds.elements(1)
    task = task_of_text(UNITED, bounds)
    fast = _written(tmp_path / "fast", task, Policy(builders=["put"]))
    general = _written(tmp_path / "general", task, Policy(builders=["put"], restores=False))
    assert fast.header.digest == general.header.digest
    assert fast.header.inputs_by_target["merge"] == 1 + 2 + 2


def test_seconds_of_finding_structures_are_told_apart_from_those_of_the_suite(tmp_path):
    header = suite_of(tmp_path / "suite", "beapi", "search_tree", 3).header
    assert 0 < header.exploring_seconds < header.seconds


def _bounds(omitted: bool, objects: int) -> SequenceScope:
    bounds = SequenceScope("Root")
    for name in "abc":
        bounds.method(name, range(2))
    bounds.objects(objects)
    bounds.elements(2)
    bounds.discard_failures()
    if omitted:
        bounds.omit("n", "ex.*")
    return bounds


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(programs(), st.booleans(), st.integers(1, 3))
def test_random_programs_have_the_same_structures_on_both_paths(text, omitted, objects):
    task = task_of_text(text, _bounds(omitted, objects))
    for matches in (True, False):
        fast = explored(task, Policy(most_calls=4 if matches else 2, matches=matches))
        general = explored(task, Policy(most_calls=4 if matches else 2, matches=matches, restores=False))
        assert fast[:3] == general[:3]


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(programs(naive=True))
def test_random_programs_have_the_structures_of_the_naive_exploration(text):
    task = task_of_text(text, _bounds(False, 2))
    naive = naive_sequences.explore(task.module, task.bounds, rounds=3)
    exploration = SequenceExploration(task, Policy(most_calls=3))
    sequences = [tuple(exploration.rows.sequence(one.state)) for one in exploration]
    assert sequences == list(naive.structures.values())
    assert exploration.explored == naive.explored


@pytest.mark.parametrize(
    ("subject", "scope"),
    [
        *[("search_tree", 4), ("avl_tree", 4), ("sorted_list", 3), ("heap_array", 3), ("heapq", 3), ("tree_map", 4)],
        *[("binomial_heap", 2), ("fibonacci_heap", 2), ("node_caching_list", 3), ("red_black_tree", 4)],
        *[("sentinel_list", 3), ("doubly_linked_list", 3), ("disj_set_fast", 4), ("binary_heap", 3), ("fib_heap", 3)],
    ],
)
def test_shipped_subjects_are_restored_and_have_the_same_structures_on_both_paths(subject, scope):
    task = task_of(subject, scope)
    fast, general = explored(task, Policy()), explored(task, Policy(restores=False))
    assert fast[:3] == general[:3]
    assert (fast[3], general[3]) == (SnapshotExecutor, ReplayExecutor)


def test_a_field_that_comes_in_place_of_an_omitted_one_is_seen():
    text = """
class Root:
    def __init__(self):
        self.n = 0
    def a(self, x): pass
    def b(self, x): pass
    def c(self, x):
        del self.n
        self.fresh = x
"""
    task = task_of_text(text, _bounds(True, 1))
    fast, general = explored(task, Policy(most_calls=3)), explored(task, Policy(most_calls=3, restores=False))
    assert fast[:3] == general[:3]
    assert fast[2] == 3


def test_keys_are_known_before_and_after_they_are_kept_as_digests():
    structures = SeenStructures(most_whole=3)
    keys = [bytes([number]) * 50 for number in range(6)]
    assert [structures.add(key) for key in keys] == [True] * 6
    assert [structures.add(key) for key in keys] == [False] * 6
    assert len(structures) == 6
    assert keys[0] in structures
    assert keys[5] in structures
    assert b"other" not in structures
    structures.clear()
    assert keys[0] not in structures
    assert structures.add(keys[0])
