"""The naive witness's parts against those of the fast path: text, objects, comparison."""

from __future__ import annotations

import random
import sys
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from support import counter
from support.bench import Bench
from support.random_classes import RandomClass, random_classes
from support.sequence_bench import SequenceBench
from support.sweeps import WHOLE, examples

from harness.errors import BaselineError, ManifestError
from harness.kernel.inputs.routines import ABSENT, Routines
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import Call, SuiteHeader, SuiteReader, SuiteWriter
from harness.kernel.judging.prepared import PreparedSequence, StateInputs
from harness.kernel.naive.equality import equal_values
from harness.kernel.naive.inputs import SuiteContents, case
from harness.kernel.naive.words import NaiveJob, SubjectJob, mutated
from harness.kernel.objects.equality import canonical, concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.splice import line_starts, mutated_source
from harness.kernel.specs.spec import load_spec
from harness.model.finitization import Finitization, Structures
from harness.model.interface import Interface
from harness.model.outcome import Location, Mutant
from harness.model.sequence import Observation
from harness.model.subject import Subject
from harness.mutation.mutate import derive
from harness.mutation.program import TypeProfile
from harness.mutation.reach import target_names

# -- text ----------------------------------------------------------------------------------------


def job(source: str, location: Location, original: str, replacement: str) -> NaiveJob:
    subject = SubjectJob(ModuleText("impl", source, "impl.py", ("_heapq",)), "", "spec.py", 1, "", False)
    return NaiveJob(subject, location, original, replacement, False, 1)


@given(st.text("ab\n é", max_size=20), st.data())
@settings(derandomize=True, max_examples=examples(200))
def test_both_paths_splice_a_mutant_alike(source, data):
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    starts = line_starts(source)

    def position(offset: int) -> tuple[int, int]:
        line = max(number for number, at in enumerate(starts, start=1) if at <= offset)
        return line, offset - starts[line - 1]

    location = Location(*position(start), *position(end))
    mutant = Mutant("m", "X", "f", location, source[start:end], "new\nlines", "")
    assert mutated(job(source, location, source[start:end], "new\nlines")) == mutated_source(source, mutant)


def test_a_mutant_of_another_source_is_refused_by_both_paths():
    location = Location(1, 0, 1, 1)
    with pytest.raises(ValueError, match="does not have 'b' at 1:0"):
        mutated(job("a\n", location, "b", "c"))
    with pytest.raises(ManifestError):
        mutated_source("a\n", Mutant("m", "X", "f", location, "b", "c", ""))


# -- objects -------------------------------------------------------------------------------------

SOURCE = """
class Tree:
    def take(self, node, token, cells, other): ...
    class Node:
        __slots__ = ("left", "right", "info", "tag", "text")
"""

SPEC = """
from harness.spec import Finitization

def rep_ok(tree):
    return True

def finitization(scope):
    raise NotImplementedError
"""


def finitization() -> Finitization:
    f = Finitization("Tree")
    tokens = f.tokens("o", 2)
    nodes = f.objects("Tree.Node", 3)
    cells = f.lists(2, lengths=range(3), elements=(None, nodes))
    f.set("Tree.root", None, nodes)
    f.set("Tree.cells", cells)
    f.set("Tree.Node.left", None, nodes)
    f.set("Tree.Node.right", nodes, None)
    f.set("Tree.Node.info", range(3), True, "x")
    f.set("Tree.Node.tag", tokens)
    f.set("Tree.Node.text", f.texts("text", 2))
    inner = Finitization("Tree")
    inner.set("Tree.root", None, 7)
    f.method("take", nodes, tokens, cells, Structures(inner, bool))
    return f


def test_both_paths_make_isomorphic_objects_of_any_vector(tmp_path):
    space = StateSpace(finitization())
    target = space.finitization.targets[0]
    chance = random.Random(1)
    header = SuiteHeader("t", "", "by hand", "1", 1, 0, space.width, 1, ["take"], structures={"0:3": [[0], [1]]})
    with SuiteWriter(tmp_path / "suite", header) as writer:
        for _ in range(60):
            state = writer.add_state([chance.randrange(len(field.domain)) for field in space.fields])
            sizes = [2 if isinstance(parameter, Structures) else len(parameter) for parameter in target.parameters]
            writer.add_input(state, Call(0, tuple(map(chance.randrange, sizes))))
        writer.close()
    module = execute(ModuleText("impl", SOURCE, "impl.py"))
    fast = StateInputs(module, load_spec(SPEC, "spec.py"), space, SuiteReader(tmp_path / "suite"))
    suite = SuiteContents(tmp_path / "suite")
    assert suite.inputs == 60
    for number in range(suite.inputs):
        naive, prepared = case(suite, number, space.finitization, module), fast.prepare(number)
        objects = [naive.root, *naive.arguments]
        assert concrete(objects) == concrete([prepared.root, *prepared.arguments])
        assert naive.call.__self__ is naive.root
        assert naive.passed == naive.arguments


def test_an_original_whose_result_has_no_form_to_compare_is_an_error(tmp_path):
    path = counter.job(
        tmp_path, source=counter.SOURCE.replace("return self.value", "own = []; own.append(own); return own")
    )
    with (
        pytest.raises(BaselineError, match="its return value cannot be compared: NotCanonical"),
        Bench(path, counter.INPUTS),
    ):
        pass


# -- comparison ----------------------------------------------------------------------------------


class Node:
    def __init__(self, info: int = 0) -> None:
        self.info = info
        self.next: Any = None


class Slotted:
    __slots__ = ("__next", "info")

    def __init__(self, following: Any) -> None:
        self.__next = following


class Small(int):
    pass


Point = namedtuple("Point", "x y")


def fresh(recipe: tuple[Any, ...], reusable: dict[int, Any]) -> Any:
    """The value of a recipe; `made` are the objects, lists and dicts so far, to be used again."""
    kind, *parts = recipe
    if kind == "atom":
        return parts[0]
    if kind == "again":
        return reusable[parts[0] % len(reusable)] if reusable else None
    if kind in ("tuple", "point"):
        values = [fresh(part, reusable) for part in parts]
        return tuple(values) if kind == "tuple" else Point(*values[:2]) if len(values) > 1 else Point(0, values)
    if kind == "object":
        node = reusable[len(reusable)] = Node()
        node.next = [fresh(part, reusable) for part in parts]
        return node
    if kind == "slotted":
        return Slotted(tuple(fresh(part, reusable) for part in parts))
    parts_made: list[Any] = []
    number = len(reusable)
    reusable[number] = None
    parts_made.extend(fresh(part, reusable) for part in parts)
    reusable[number] = parts_made if kind == "list" else dict(enumerate(parts_made))
    return reusable[number]


atoms = st.tuples(
    st.just("atom"),
    st.sampled_from([None, True, 1, 1.0, 0.0, -0.0, "a", b"a", Small(1), Small(2), 1j, 2j, {1, 2}, range(2)]),
)
recipes = st.recursive(
    atoms | st.tuples(st.just("again"), st.integers(0, 3)),
    lambda inner: st.builds(
        lambda kind, parts: (kind, *parts),
        st.sampled_from(["tuple", "list", "dict", "object", "slotted", "point"]),
        st.lists(inner, max_size=3),
    ),
    max_leaves=6,
)


@given(recipes, recipes)
@settings(derandomize=True, max_examples=examples(400))
def test_values_are_alike_exactly_where_their_bytes_are_equal(a, b):
    left, right, copy = fresh(a, {}), fresh(b, {}), fresh(a, {})
    assert equal_values(left, right, by_identity=True) == (concrete(left) == concrete(right))
    assert equal_values(left, right, by_identity=False) == (canonical(left) == canonical(right))
    assert equal_values(left, copy, by_identity=True)
    assert concrete(left) == concrete(copy)


def test_objects_in_sets_find_their_partners_in_any_order():
    shared, partners = Node(5), [Node(5), Node(5)]
    left, right, separate = [[Node(number) for number in range(3)] for _ in range(3)]
    for nodes, following in ((left, [shared, shared]), (right, [partners[0], partners[0]]), (separate, partners)):
        nodes[1].next, nodes[2].next = following
    assert equal_values(set(left), set(right), by_identity=True)
    assert not equal_values(set(left), set(separate), by_identity=True)


def test_rings_and_lists_within_themselves_end():
    def ring(length: int) -> Node:
        nodes = [Node() for _ in range(length)]
        for at, node in enumerate(nodes):
            node.next = nodes[(at + 1) % length]
        return nodes[0]

    assert equal_values(ring(3), ring(3), by_identity=True)
    assert not equal_values(ring(2), ring(3), by_identity=True)
    one: list[object] = []
    one.append(one)
    other: list[object] = []
    other.append(other)
    assert equal_values(one, other, by_identity=False)


@pytest.mark.slow
def test_a_chain_of_any_length_is_compared():
    def chain(length: int) -> Node:
        first = node = Node()
        for _ in range(length):
            node.next = node = Node()
        return first

    assert equal_values(chain(20_000), chain(20_000), by_identity=True)
    assert not equal_values(chain(20_000), chain(20_001), by_identity=True)


MOST_MUTANTS = 8
MOST_SEQUENCES = 6
CHECKS = list(HealthCheck)


def random_sequences(random_class: RandomClass, seed: int) -> list[list[Call]]:
    """Sequences whose calls take the results of calls that have given something."""
    draw = random.Random(seed)
    bounds = load_spec(random_class.spec, "spec.py").sequences(2, random_class.implementation)
    routines = Routines(execute(ModuleText("impl", random_class.implementation, "impl.py")), bounds)
    constructors = [number for number, routine in enumerate(bounds.routines) if not routine.has_receiver]
    methods = [number for number, routine in enumerate(bounds.routines) if routine.has_receiver]
    sequences = []
    for _ in range(MOST_SEQUENCES):
        calls = [Call(draw.choice(constructors), ())]
        for _ in range(draw.randint(0, 5)):
            target = draw.choice(methods)
            indices = [draw.randrange(len(parameter.values)) for parameter in bounds.routines[target].parameters]
            calls.append(Call(target, (0, *indices)))
        run = PreparedSequence(routines, calls, [])
        run.lead_up()
        if run.results[:1] != [ABSENT]:
            sequences.append(calls)
    return sequences


def mutants_of(random_class: RandomClass, folder: Path) -> list[str]:
    """Return the texts of some mutants, spread over all."""
    bounds = load_spec(random_class.spec, "spec.py").sequences(2, random_class.implementation)
    subject = Subject(
        name="random", title="random", module="impl", source_path=folder / "impl.py",
        source=random_class.implementation, spec_path=folder / "spec.py", spec_source=random_class.spec, blocked=(),
        installed=False, helpers=None, companions=(), package_hash="",
    )  # fmt: skip
    derived = derive(subject, target_names(Interface.of_sequences(bounds)), TypeProfile())
    return [
        mutated_source(random_class.implementation, one) for one in derived[:: max(1, len(derived) // MOST_MUTANTS)]
    ]


def call_of(detail: str) -> str:
    """Return the part of a kill's detail that identifies the killing call."""
    return detail.partition(": ")[0] if detail.startswith("call ") else ""


def compare(folder: Path, random_class: RandomClass, seed: int) -> None:
    if "lock" in random_class.kinds:  # no state with one can be told, nor put before a mutant
        return
    limit = sys.getrecursionlimit()
    sequences, mutants = random_sequences(random_class, seed), mutants_of(random_class, folder)
    for observed in Observation:
        bench = SequenceBench(folder, random_class.implementation, random_class.spec, sequences, observed)
        for mutant in mutants:
            naive = bench.naive(mutant)
            for number, (steps, kill) in enumerate(bench.fast(mutant)):
                naive_steps, naive_kill = naive[number]
                seen = None if kill is None else (kill.reason, kill.phase, call_of(kill.detail))
                naively = naive_kill and (*naive_kill[:2], call_of(naive_kill[2]))
                assert (steps, seen) == (naive_steps, naively), (number, mutant)
    sys.setrecursionlimit(limit)  # of which hypothesis warns


IDENTITY = """
class Node:
    __slots__ = ("next", "value")


EMPTY = object()
NIL = Node()
POOL = []


class Box:
    UNUSED = []

    def __init__(self):
        POOL.clear()
        Box.UNUSED.clear()
        self.pool = POOL
        self.first = NIL
        self.last = EMPTY
        self.log = Box.UNUSED

    def put(self, token):
        node = self.pool.pop() if self.pool else Node()
        if self.last is token:
            return self
        node.value, node.next = token, self.first
        self.first = node
        self.last = token
        return token

    def drop(self):
        node = self.first
        if node is NIL:
            return None
        self.first = node.next
        self.last = EMPTY if self.first is NIL else self.first.value
        if self.log is Box.UNUSED:
            self.log = []
        self.log.append(node.value)
        POOL.append(node)
        return node.value

    def holds(self, token):
        node = self.first
        while node is not NIL:
            if node.value is token:
                return True
            node = node.next
        return False

    def state(self):
        return self.log is Box.UNUSED, self.last is EMPTY, self.pool is POOL, len(POOL)
"""
IDENTITY_SPEC = """
from harness.spec import SequenceScope


def sequences(scope):
    s = SequenceScope("Box")
    token = s.tokens("T", scope)
    s.method("put", token)
    s.method("drop")
    s.method("holds", token)
    s.method("state")
    return s
"""


DRAWING = """
import random


class Box:
    def __init__(self):
        random.seed(7)
        self.items = []

    def put(self, token):
        level = random.randrange(100)
        self.items.append(level)
        return level

    def drop(self):
        return self.items.pop()

    def holds(self, token):
        return random.random() < 0.5

    def state(self):
        return len(self.items)
"""


@pytest.mark.parametrize("source", [IDENTITY, DRAWING], ids=["identities", "random numbers"])
def test_both_paths_tell_what_original_and_mutant_do_not_share(tmp_path, source):
    compare(tmp_path, RandomClass(source, IDENTITY_SPEC), seed=1)


@given(random_classes(keeps_objects=True), st.integers(0, 1 << 30))
@settings(
    max_examples=80 if WHOLE else 6,
    phases=[Phase.generate],
    deadline=None,
    derandomize=True,
    suppress_health_check=CHECKS,
)
def test_both_paths_find_the_same(tmp_path_factory, random_class, seed):
    compare(tmp_path_factory.mktemp("random"), random_class, seed)
