"""Objects that a program finds without a state are never copied: such states take the general path."""

import abc
import collections
import enum
import typing

import pytest
from support.exploring import explored
from support.sequence_suites import task_of_text

from harness.generators.protocol import SequenceTask
from harness.generators.sequences.exploration import Policy
from harness.generators.sequences.namespaces import Namespaces, NotCompilable, check_module
from harness.generators.sequences.replay import ReplayExecutor
from harness.generators.sequences.snapshot_execution import SnapshotExecutor
from harness.kernel.program.loader import ModuleText, execute
from harness.model.sequence import SequenceScope

TREE = """
class Node:
    {slots}
    def __init__(self, key, left, right):
        self.key = key
        self.left = left
        self.right = right
NIL = Node(None, None, None)
class Root:
    def __init__(self):
        self.root = NIL
    def a(self, x):
        at, above = self.root, None
        while at is not NIL:
            if at.key == x: return
            at, above = at.left if x < at.key else at.right, at
        new = Node(x, NIL, NIL)
        if above is None: self.root = new
        elif x < above.key: above.left = new
        else: above.right = new
"""
IN_CLASS = """
class Node:
    def __init__(self, key, next):
        self.key = key
        self.next = next
class Root:
    _end = Node(None, None)
    def __init__(self):
        self.first = self._end
    def a(self, x):
        self.first = Node(x, self.first)
    def b(self, x):
        if self.first is self._end: raise ValueError
        self.first = self.first.next
"""
MISSING = """
{missing}
class Root:
    def __init__(self): self.v = _MISSING
    def a(self, x):
        if self.v is _MISSING: self.v = x
    def b(self, x): self.v = _MISSING
"""
CLOSED_OVER = """
class Node: pass
def predicates():
    nothing = Node()
    return lambda: nothing, lambda value: value is nothing
make, is_nothing = predicates()
class Root:
    def __init__(self): self.v = make()
    def a(self, x):
        if is_nothing(self.v): self.v = x
"""
DEFAULT = """
class Node: pass
class Root:
    def __init__(self, v=Node()): self.v = v
    def a(self, x):
        if self.v is Root.__init__.__defaults__[0]: self.v = x
"""
POOLED = """
class Color:
    def __init__(self, name): self.name = name
class Colors:
    ALL = {"red": Color("r"), "black": [Color("b")]}
class Root:
    def __init__(self): self.c = Colors.ALL["red"]
    def a(self, x): self.c = Colors.ALL["black"][0] if self.c is Colors.ALL["red"] else Colors.ALL["red"]
"""

KEEPING = """
class Node: pass
class Root:
    kept = {}
    def __init__(self): self.n, self.node = 0, Node()
    def a(self, x):
        self.n = min(self.n + 1, 6)
        if self.n == 4: self.node = self.kept.setdefault(0, self.node)
    def b(self, x):
        if self.n > 4 and self.node is not self.kept.get(0): self.n = -1
"""


def task(text: str, routines: str = "a") -> SequenceTask:
    bounds = SequenceScope("Root")
    for name in routines:
        bounds.method(name, range(2))
    bounds.objects(3)
    return task_of_text(text, bounds)


@pytest.mark.parametrize(
    ("text", "routines", "structures"),
    [
        (TREE.format(slots="pass"), "a", 5),
        (TREE.format(slots="__slots__ = ('key', 'left', 'right')"), "a", 5),
        (IN_CLASS, "ab", 7),
        (MISSING.format(missing="_MISSING = object()"), "ab", 3),
        (MISSING.format(missing="class Missing: pass\n_MISSING = Missing()"), "ab", 3),
        (CLOSED_OVER, "a", 3),
        (DEFAULT, "a", 3),
        (POOLED, "a", 2),
    ],
    ids=["global", "global with slots", "in a class", "object()", "instance", "closure", "default", "in containers"],
)
def test_states_that_refer_to_objects_of_the_program_are_left_to_the_general_path(text, routines, structures):
    one = task(text, routines)
    fast = explored(one, Policy())
    assert fast[:3] == explored(one, Policy(restores=False))[:3]
    assert fast[2:] == (structures, ReplayExecutor)


@pytest.mark.parametrize("value", ["'<none>' * 2", "float('nan')", "10 ** 9", "-1e300"])
def test_plain_values_of_the_program_stay_the_same_objects_where_states_are_restored(value):
    one = task(MISSING.format(missing=f"_MISSING = {value}"), "ab")
    fast = explored(one, Policy())
    assert fast[:3] == explored(one, Policy(restores=False))[:3]
    assert fast[2:] == (3, SnapshotExecutor)


def test_objects_that_do_not_stand_in_states_leave_them_to_the_fast_path():
    text = "LOG = []\nNAMES = {'a': [1]}\n" + MISSING.format(missing="_MISSING = None\nNODE = LOG")
    assert explored(task(text, "ab"), Policy())[2:] == (3, SnapshotExecutor)


def test_an_object_that_calls_put_into_a_class_is_not_copied():
    fast = explored(task(KEEPING, "ab"), Policy())
    assert fast[:3] == explored(task(KEEPING, "ab"), Policy(restores=False))[:3]
    assert fast[3] is ReplayExecutor
    same = KEEPING.replace("self.kept.setdefault(0, self.node)", "Node()").replace("is not self", "is self")
    assert explored(task(same, "ab"), Policy())[3] is SnapshotExecutor


def test_all_that_is_found_without_a_state_is_held_and_nothing_else():
    text = """
from functools import partial
from typing import TypeVar
import weakref
T = TypeVar("T")
class Node:
    __slots__ = ("of", "__weakref__")
    def __init__(self, of=None): self.of = of
class Kept(Node):
    inner = Node([Node()])
    @property
    def held(self, _kept=Node()): return _kept
    @staticmethod
    def __new__(cls, *, kept=Node()): return object.__new__(cls)
there = weakref.ref(Kept.inner.of[0])
call = partial(Node, of=(Node(),))
words = ("ab", 3)
"""
    module = execute(ModuleText("program", text, "program.py"))
    namespaces = Namespaces(module, ["given"])
    kept = module.Kept
    objects = [
        kept.inner, kept.inner.of, kept.inner.of[0],
        vars(kept)["held"].fget.__defaults__[0], vars(kept)["__new__"].__func__.__kwdefaults__["kept"],
        module.call.keywords["of"][0],
    ]  # fmt: skip
    assert namespaces.held - {id(module.call.keywords)} == set(map(id, objects))
    assert {"ab", "given"} <= set(namespaces.plain.values())


PROGRAM = """
from dataclasses import dataclass
from typing import Any
class Root:
    def __init__(self): self.v = None
    def a(self, x): {a}
    def b(self, x): {b}
class Other(Root):
    def b(self, x): self.v = x + 10
@dataclass(frozen=True)
class Cell:
    v: int
    next: Any
class Own(Root):
    def __setattr__(self, name, value):
        vars(self)[name] = value
    def a(self, x): self.v = x
"""


def _explored(a: str, b: str, root: str = "Root") -> tuple[int, type]:
    bounds = SequenceScope(root)
    bounds.method("a", range(2))
    bounds.method("b", range(2))
    bounds.objects(3)
    task = task_of_text(PROGRAM.format(a=a, b=b), bounds)
    fast, general = explored(task, Policy(most_calls=5)), explored(task, Policy(most_calls=5, restores=False))
    assert fast[:3] == general[:3]
    return fast[2:]


@pytest.mark.parametrize(
    ("a", "structures"),
    [
        ("object.__setattr__(self, '__dict__', {'v': x + 3})", 5),
        ("setattr(self, '__class__', Other)", 8),
        ("self.__dict__ = {'v': x + 3}", 5),
    ],
)
def test_objects_whose_dict_or_class_is_assigned_are_left_to_the_general_path(a, structures):
    assert _explored(a, "self.v = x") == (structures, ReplayExecutor)


def test_objects_of_frozen_dataclasses_are_restored():
    assert _explored("self.v = Cell(x, self.v)", "self.v = None") == (15, SnapshotExecutor)


def test_an_assignment_that_the_program_defines_itself_is_not_executed_when_states_are_restored():
    assert _explored("pass", "self.v = (self.v or 0) + 1 if (self.v or 0) < 3 else 0", "Own") == (5, SnapshotExecutor)


@pytest.mark.parametrize(
    "text",
    [
        "def f(one): setattr(one, '__class__', int)",
        "class Outer:\n    class Inner:\n        def f(self): self.__dict__ = {}",
        "def f():\n    def g(one): object.__setattr__(one, '__dict__', {})",
        "class C:\n    @property\n    def p(self): delattr(self, '__dict__')",
    ],
)
def test_what_changes_objects_unseen_is_refused(text):
    with pytest.raises(NotCompilable, match=r"assigns __(class|dict)__"):
        check_module(execute(ModuleText("program", text, "program.py")))


def test_what_only_reads_them_is_not():
    text = """
class C:
    def f(self, other):
        self.__dict__.update(vars(other))
        setattr(self, "v", other.__class__)
    def g(self): return "__dict__" in dir(self)
"""
    for module in (execute(ModuleText("program", text, "program.py")), enum, typing, abc, collections):
        check_module(module)
