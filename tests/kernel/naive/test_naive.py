"""The naive witness's parts against those of the fast path: text, objects, comparison."""

import random
from collections import namedtuple
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import counter
from support.bench import Bench
from support.sweeps import examples

from harness.errors import BaselineError, ManifestError
from harness.kernel.inputs.state_space import StateSpace
from harness.kernel.inputs.suites import Call, SuiteHeader, SuiteReader, SuiteWriter
from harness.kernel.judging.prepared import StateInputs
from harness.kernel.naive.equality import equal_values
from harness.kernel.naive.inputs import SuiteContents, case
from harness.kernel.naive.words import NaiveJob, SubjectJob, mutated
from harness.kernel.objects.equality import canonical, concrete
from harness.kernel.program.loader import ModuleText, execute
from harness.kernel.program.splice import line_starts, mutated_source
from harness.kernel.specs.spec import load_spec
from harness.model.finitization import Finitization, Structures
from harness.model.outcome import Location, Mutant

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
