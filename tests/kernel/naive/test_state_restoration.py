"""A state is put before a program with the program's own objects where the state has the original's."""

from __future__ import annotations

import json
import math
from collections import defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from threading import Lock, RLock
from types import ModuleType
from typing import Any

import pytest
from support.sequence_bench import SequenceBench, reasons

from harness.kernel.inputs.suites import Call
from harness.kernel.naive.graphs import graph_with_places
from harness.kernel.naive.rebuilding import Malformed
from harness.kernel.naive.state_restoration import objects_of_graph
from harness.kernel.program.loader import ModuleText, execute
from harness.model.sequence import SequencePolicy

SOURCE = """
import enum, math
from collections import deque

class Colour(enum.Enum):
    RED = 1

class Node:
    __slots__ = ("next", "value")

class Box:
    table = [1, 2]
    made = 0

    def __new__(cls):
        Box.made += 1
        return object.__new__(cls)

    def size(self):
        return 1

EMPTY = object()
NIL = Node()
NIL.value = "nil"
RECENT = deque([0], maxlen=3)
DATA = bytearray(b"x")
KNOWN = {"one": 1}
SEEN = {5}

def walk(): ...
"""


def program(source: str = SOURCE) -> ModuleType:
    return execute(ModuleText("impl", source, "impl.py"))


def restored(module: ModuleType, there: ModuleType, *roots: Any) -> list[Any]:
    """Restore values of one program in another."""
    return objects_of_graph(json.loads(json.dumps(graph_with_places(roots, there))), module)


@pytest.mark.parametrize(
    "find",
    [
        lambda p: p.EMPTY, lambda p: p.NIL, lambda p: p.RECENT, lambda p: p.DATA, lambda p: p.KNOWN, lambda p: p.SEEN,
        lambda p: p.Box.table,
    ],
)  # fmt: skip
def test_what_has_a_place_is_the_programs_own(find: Callable[[Any], Any]) -> None:
    there, here = program(), program()
    box = there.Box()
    box.held = find(there)
    (arrived,) = restored(here, there, box)
    assert arrived.held is find(here)


def test_what_has_a_place_is_as_the_state_has_it() -> None:
    there, here = program(), program()
    there.NIL.value, there.NIL.next = "new", there.NIL
    there.RECENT.extend([1, 2, 3])
    there.DATA[:] = b"abc"
    there.KNOWN.clear()
    there.SEEN.add(7)
    there.Box.table.append(there.NIL)
    here.NIL.next = here.KNOWN
    restored(here, there, there.NIL, there.RECENT, there.DATA, there.KNOWN, there.SEEN, there.Box.table)
    assert (here.NIL.value, here.NIL.next is here.NIL) == ("new", True)
    assert (here.RECENT, here.RECENT.maxlen) == (deque([1, 2, 3]), 3)
    assert (b"abc", {}, {5, 7}) == (here.DATA, here.KNOWN, here.SEEN)
    assert here.Box.table == [1, 2, here.NIL]


def test_no_method_of_the_program_makes_an_object() -> None:
    there, here = program(), program()
    (arrived,) = restored(here, there, there.Box())
    assert type(arrived) is here.Box
    assert here.Box.made == 0


def test_what_a_state_calls_is_bound_to_the_copy() -> None:
    there, here = program(), program()
    box = there.Box()
    box.held = [box.size, [].append, math.sqrt, len, defaultdict(there.Box), Lock(), RLock(), math]
    box.held[4]["known"] = box
    (arrived,) = restored(here, there, box)
    size, append, root, length, boxes, lock, again, module = arrived.held
    assert (size.__self__, size.__func__) == (arrived, here.Box.size)
    append(1)
    assert (append.__self__, root, length, module) == ([1], math.sqrt, len, math)
    assert boxes == {"known": arrived}
    assert type(boxes["new"]) is here.Box
    with lock, again, again:
        assert lock.locked()


def test_a_last_call_that_differs_on_a_copy_is_told(tmp_path: Path) -> None:
    source = "from collections import deque\nclass Ring(deque):\n    def push(self, x): self.append(x)\n"
    spec = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Ring")
    s.method("push", range(scope))
    s.method("__len__")
    return s
"""
    calls = [Call(0, ()), Call(1, (0, 1)), Call(2, (0,))]
    bench = SequenceBench(tmp_path, source, spec, [calls], SequencePolicy.SNAPSHOT)
    assert reasons(bench.fast(source)) == [None]
    with pytest.raises(ValueError, match="on the objects that led to it, it does not do on a copy of them"):
        bench.naive(source)


def test_a_mutation_of_a_sentinel_is_undone_by_snapshot_and_seen_on_the_mutant(tmp_path: Path) -> None:
    """Decision 029: the state before the last call is the original's, objects of the module included."""
    source = """
class Node:
    def __init__(self):
        self.value = 0

END = Node()

class Chain:
    def __init__(self):
        self.head = END

    def last(self):
        return self.head.value
"""
    spec = """
from harness.spec import SequenceScope

def sequences(scope):
    s = SequenceScope("Chain")
    s.method("last")
    return s
"""
    mutated = source.replace("self.value = 0", "self.value = 1")
    for policy, killed in ((SequencePolicy.ON_MUTANT, True), (SequencePolicy.SNAPSHOT, False)):
        bench = SequenceBench(tmp_path, source, spec, [[Call(0, ()), Call(1, (0,))]], policy)
        for path in (bench.fast, bench.naive):
            assert [kill is not None for _, kill in path(mutated)] == [killed], policy


def test_a_module_is_never_emptied() -> None:
    there, here = program(), program()
    box = there.Box()
    box.held = math
    restored(here, there, box)
    assert math.sqrt(4) == 2


@pytest.mark.parametrize(
    ("change", "find"),
    [
        (("class Node", "class Knot"), lambda p: p.Node()),
        (("NIL = Node()", "NIL = Box()"), lambda p: p.NIL),
        (("KNOWN = ", "OTHER = "), lambda p: p.KNOWN),
        (('("next", "value")', '("next",)'), lambda p: p.NIL),
        (("    RED = 1", "    BLUE = 1"), lambda p: p.Colour.RED),
        (("def walk", "def run"), lambda p: p.walk),
    ],
)
def test_a_program_that_cannot_have_the_state_is_told(change: tuple[str, str], find: Callable[[Any], Any]) -> None:
    text = SOURCE.replace(*change)
    assert text != SOURCE
    text = text.replace("NIL = Node()", "NIL = Knot()") if "Knot" in text else text
    there, here = program(), program(text.replace('NIL.value = "nil"', ""))
    with pytest.raises(Malformed):
        restored(here, there, find(there))
